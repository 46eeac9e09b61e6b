/* generator.c - programs generated on the fly from a generator .cfg or a layer file: segments are
 * encoded as readers ask for them. Launches of one kernel are equal, so they share their blocks. */
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/text.h"
#include "trace/generators/gen_kernel.h"
#include "trace/generators/gen_layer.h"
#include "trace/generators/gen_params.h"
#include "trace/generators/nest_file.h"
#include "trace/plt/plt.h"
#include "trace/program/program_spec.h"
#include "trace/program/source.h"

#include <stdio.h>
#include <string.h>

/* Raise when the streams for some parameters change. */
#define GENERATORS_VERSION 3
enum { MOST_LAUNCHES = 1 << 16 };

const struct generator_ops *const generator_list[] = {
    &generator_stream,
    &generator_stride,
    &generator_gather,
    &generator_pointer_chase,
    &generator_reduction,
    &generator_transpose,
    &generator_stencil,
    &generator_matmul,
    &generator_tiled_matmul,
    &generator_partial,
    &generator_handoff,
    &generator_synchronize,
    &generator_elementwise,
    &generator_block_read,
    &generator_offset_read,
    &generator_gemm,
    &generator_convolution,
    &generator_vectorized,
    &generator_softmax,
    &generator_layernorm,
    &generator_rmsnorm,
    &generator_attention,
    &generator_attention_decode,
    &generator_attention_combine,
    &generator_embedding,
    &generator_embedding_bag,
    &generator_moe_gather,
    &generator_moe_scatter,
    &generator_spmm,
    NULL,
};

/* A kernel with the blocks of its segments, which are numbered as if every CTA had as many as the
 * longest one. */
struct numbered_kernel {
    struct gen_kernel k;
    uint64_t first_block;
};

/* Values derived from the parameters; immutable once open. */
struct generated {
    struct numbered_kernel *kernel;
    uint32_t n;             /* kernels */
    uint32_t *of_launch;    /* its kernel */
    struct gen_layer layer; /* a generator's .cfg has one entry and no buffers */
    struct conf *conf;
    const char *where; /* for messages: the file, or the program with its parameters */
};

static const struct numbered_kernel *kernel_of(const struct program *p, uint32_t launch)
{
    const struct generated *d = p->source;
    return &d->kernel[d->of_launch[launch]];
}

/* --- the source --- */

static uint32_t generated_segments(const struct program *p, uint32_t launch, uint64_t cta)
{
    return gen_kernel_segments(&kernel_of(p, launch)->k, cta);
}

static uint64_t generated_cta_start(const struct program *p, uint32_t launch, uint64_t cta)
{
    return gen_kernel_cta_start(&kernel_of(p, launch)->k, cta);
}

static uint64_t generated_start(const struct program *p, uint32_t launch, uint64_t cta,
                                uint32_t segment)
{
    return gen_kernel_segment_start(&kernel_of(p, launch)->k, cta, segment);
}

static struct segment_place generated_place(const struct program *p, uint32_t launch, uint64_t cta,
                                            uint32_t segment)
{
    const struct numbered_kernel *n = kernel_of(p, launch);
    return (struct segment_place){.block = n->first_block + cta * n->k.segments + segment};
}

/* The kernel whose block it is. */
static const struct numbered_kernel *find_block(const struct generated *d, uint64_t block)
{
    uint32_t low = 0, high = d->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(d->kernel[middle].first_block <= block ? &low : &high) = middle;
    }
    return &d->kernel[low];
}

static bool generated_load(const struct program *p, uint64_t block, struct block_tools *t,
                           struct bytes *out, struct error *e)
{
    const struct numbered_kernel *n = find_block(p->source, block);
    uint64_t at = block - n->first_block;
    gen_kernel_make_segment(&n->k, at / n->k.segments, (uint32_t)(at % n->k.segments), &t->encoder);
    return segment_finish(&t->encoder, out) || error_no_memory(e);
}

static bool generated_parameter(const struct program *p, uint32_t i, struct program_parameter *out)
{
    const struct generated *d = p->source;
    const struct gen_entry *x = d->layer.entry;
    const struct gen_param *g = d->layer.n_buffers ? NULL : gen_params_at(x->ops, i);
    *out = (struct program_parameter){.meaning = ""};
    if (g) {
        out->name = g->name;
        out->meaning = g->meaning;
        gen_params_show(g, &d->kernel[0].k.g.c, out->value, sizeof out->value, out->allowed,
                        sizeof out->allowed);
    } else if (i < d->layer.n_params) {
        out->name = d->layer.param[i].name;
        snprintf(out->value, sizeof out->value, "%s", d->layer.param[i].value);
    }
    return out->name != NULL;
}

static void generated_close(void *source)
{
    struct generated *d = source;
    if (!d) return;
    for (uint32_t i = 0; i < d->n; i++)
        gen_kernel_fini(&d->kernel[i].k);
    mem_free(d->kernel);
    mem_free(d->of_launch);
    gen_layer_fini(&d->layer);
    conf_free(d->conf);
    mem_free(d);
}

/* What the kernels that follow the card become on that one. */
static struct digest generated_choice(const struct program *p, const struct program_card *card)
{
    const struct generated *d = p->source;
    struct digest all = {0};
    for (uint32_t i = 0; i < d->n; i++) {
        const struct gen_entry *x = &d->layer.entry[i];
        struct generator g = {.ops = x->ops, .c = x->c, .card = *card, .width = p->width};
        if (!d->kernel[i].k.g.follows_card) continue;
        g.ops->shape(&g, d->where, NULL);
        all = digest_join(all, digest_bytes(&g.c, sizeof g.c));
    }
    return all;
}

static void generated_chosen(const struct program *p, struct text *out)
{
    const struct generated *d = p->source;
    const struct generator *g = &d->kernel[0].k.g;
    if (d->n == 1 && g->ops->chosen) g->ops->chosen(&g->c, out);
}

static const struct source_ops generated_ops = {
    .segments = generated_segments,
    .cta_start = generated_cta_start,
    .segment_start = generated_start,
    .place = generated_place,
    .load = generated_load,
    .narrows = true,
    .parameter = generated_parameter,
    .choice = generated_choice,
    .chosen = generated_chosen,
    .close = generated_close,
};

/* --- reading --- */

struct word_reading {
    struct gen_entry *x;
    const char *where;
    struct error *e;
};

static bool read_word(const char *name, const char *value, void *ctx)
{
    const struct word_reading *r = ctx;
    struct gen_value v = gen_value_of_word(r->where, name, value);
    return gen_params_read(&r->x->c, r->x->ops, &v, r->e);
}

/* Its launches are called as the program, without the parameters. */
static bool name_kernel(const struct program *p, struct generated *d, struct gen_entry *x)
{
    size_t tail = *p->params ? strlen(p->params) + 1 : 0;
    char *name = arena_strdup(&d->layer.arena, p->name);
    if (name) name[strlen(name) - tail] = '\0';
    x->name = name;
    x->where = d->where;
    return name != NULL;
}

static bool refuse_nameless(const char *path, struct error *e)
{
    struct text names = {0};
    gen_params_list_generators(&names);
    error_input(e,
                "%s:1: no generator is named; add generator = one of %s, layer = ( ... ) with "
                "operators, or loop = ( ... ) with the rows of a kernel",
                path, text_str(&names));
    text_fini(&names);
    return false;
}

/* What setting n names, or the file itself describes. NULL: *e. */
static const struct generator_ops *find_generator(struct generated *d, const struct conf_node *root,
                                                  const struct conf_node *n, struct error *e)
{
    struct gen_value v = gen_value_of_setting(n ? n : root);
    return n ? gen_layer_generator(&d->layer, &v, e) : gen_layer_own(&d->layer, root, e);
}

/* Reads a generator .cfg as a layer of one entry. */
static bool read_generator(const struct program *p, const struct conf_node *root, struct error *e)
{
    struct generated *d = p->source;
    const struct conf_node *n = conf_find(root, "generator");
    struct gen_entry *x = d->layer.entry = mem_new(1, sizeof *x);
    if (!n && !nest_file_is(root)) return refuse_nameless(p->path, e);
    if (!x || !name_kernel(p, d, x)) return error_no_memory(e);
    d->layer.n = 1;
    x->ops = find_generator(d, root, n, e);
    if (!x->ops) return false;
    gen_params_set_defaults(&x->c, x->ops);
    for (uint32_t i = 0; n && i < conf_count(root); i++) {
        struct gen_value v = gen_value_of_setting(conf_child(root, i));
        if (strcmp(v.name, "generator") != 0 && !gen_params_read(&x->c, x->ops, &v, e))
            return false;
    }
    struct word_reading r = {x, d->where, e};
    return program_spec_each(p->params, read_word, &r, e);
}

/* --- building --- */

/* The configuration gives the number of threads; they are divided into warps of the machine's
 * width. */
static bool choose_width(struct program *p, struct generator *g, struct error *e)
{
    int64_t own = g->c.warp_width ? g->c.warp_width : p->width ? p->width : 32;
    p->source_width = (uint32_t)own;
    if (!program_fit_width(p, e)) return false;
    p->source_width = g->width = p->width;
    g->c.warp_width = 0;
    g->c.warps_per_cta = g->c.warps_per_cta * own / g->width;
    return true;
}

static bool build_kernels(struct program *p, struct error *e)
{
    struct generated *d = p->source;
    unsigned __int128 blocks = 0;
    d->kernel = mem_new(d->layer.n, sizeof *d->kernel);
    if (!d->kernel) return error_no_memory(e);
    for (; d->n < d->layer.n; d->n++) {
        struct gen_kernel *k = &d->kernel[d->n].k;
        k->g.ops = d->layer.entry[d->n].ops;
        k->g.c = d->layer.entry[d->n].c;
        k->g.card = p->card;
        bool ok = choose_width(p, &k->g, e) && gen_kernel_build(k, d->layer.entry[d->n].where, e);
        if (!ok) return d->n++, false;
        p->follows_card |= k->g.follows_card;
        d->kernel[d->n].first_block = (uint64_t)blocks;
        blocks += (unsigned __int128)k->segments * (uint64_t)k->g.c.ctas;
        p->n_launches += (uint32_t)k->g.c.launches;
        if (blocks >> 63 || p->n_launches > MOST_LAUNCHES)
            return d->n++,
                   error_input(e, "%s: a program has at most %d launches, and %.3g segments",
                               d->where, MOST_LAUNCHES, 0x1p63);
    }
    return true;
}

static bool place_tensors(struct generated *d, struct error *e)
{
    struct generator **g = mem_new(d->n, sizeof *g);
    if (!g) return error_no_memory(e);
    for (uint32_t i = 0; i < d->n; i++)
        g[i] = &d->kernel[i].k.g;
    bool ok = !d->layer.n_buffers || gen_layer_place(&d->layer, g, d->where, e);
    mem_free(g);
    return ok;
}

/* What the file says, or as many as the code names, up to those that an instruction of NVIDIA's can
 * name. */
static uint32_t lane_registers(const struct generator *g)
{
    enum { MOST = 255 };
    if (g->c.registers) return (uint32_t)g->c.registers;
    return g->code.n_registers < MOST ? g->code.n_registers : MOST;
}

static bool fill_launch(struct launch *l, const struct generated *d, uint32_t kernel,
                        struct error *e)
{
    const struct gen_kernel *k = &d->kernel[kernel].k;
    const struct generator *g = &k->g;
    *l = (struct launch){.name = d->layer.entry[kernel].name,
                         .header = "",
                         .grid = {(uint32_t)g->c.ctas, 1, 1},
                         .block = {g->cta_threads, 1, 1},
                         .registers_per_lane = lane_registers(g),
                         .shared_bytes = g->shared_bytes,
                         .n_code = g->code.n,
                         .code = g->code.si,
                         .n_registers = g->code.n_registers,
                         .strings = (const char *)g->code.strings.p};
    if (!launch_derive(l, g->width))
        return error_input(e, "%s: too many threads per CTA", d->layer.entry[kernel].where);
    l->warp_instructions = k->instructions;
    return true;
}

static bool fill_launches(struct program *p, struct error *e)
{
    struct generated *d = p->source;
    uint32_t at = 0;
    p->commands = mem_new(p->n_launches, sizeof *p->commands);
    p->launches = mem_new(p->n_launches, sizeof *p->launches);
    d->of_launch = mem_new(p->n_launches, sizeof *d->of_launch);
    if (!p->commands || !p->launches || !d->of_launch) return error_no_memory(e);
    for (uint32_t i = 0; i < d->n; i++) {
        const struct generator *g = &d->kernel[i].k.g;
        struct launch l;
        if (!fill_launch(&l, d, i, e)) return false;
        for (int64_t n = 0; n < g->c.launches; n++, at++) {
            l.id = at + 1;
            p->commands[at] = (struct command){.kind = COMMAND_LAUNCH, .launch = at};
            p->launches[at] = (struct program_launch){l, &g->code, g->warps};
            d->of_launch[at] = i;
        }
    }
    p->n_commands = at;
    return true;
}

/* Equal effective parameters at equal width, and in layers equal places, give equal streams, and so
 * equal digests. */
static bool name_digest(struct program *p, struct error *e)
{
    const struct generated *d = p->source;
    struct text t = {0};
    for (uint32_t i = 0; i < d->n; i++) {
        const struct generator *g = &d->kernel[i].k.g;
        if (d->layer.n_buffers) text_add(&t, "layer;%s;", d->layer.entry[i].name);
        text_add(&t, "generator %d;%s;lanes=%u;warps=%u", GENERATORS_VERSION, g->ops->name,
                 g->width, g->warps);
        gen_params_describe(&t, &g->c, g->ops);
        for (uint32_t k = 0; d->layer.n_buffers && k < g->n_tensors; k++)
            text_add(&t, ";at=%llx", (unsigned long long)g->array_at[k]);
    }
    if (nest_file_is(conf_root(d->conf))) nest_file_describe(&t, conf_root(d->conf));
    bool ok = !t.failed;
    if (ok) p->digest = digest_text(t.s);
    text_fini(&t);
    return ok || error_no_memory(e);
}

static bool build_program(struct program *p, const struct conf_node *root, struct error *e)
{
    struct generated *d = p->source;
    bool layer = gen_layer_is(root);
    d->where = *p->params ? p->spec : p->path;
    if (layer ? !gen_layer_read(&d->layer, root, p->params, d->where, e)
              : !read_generator(p, root, e))
        return false;
    p->note = layer ? "layer" : "generator";
    return build_kernels(p, e) && place_tensors(d, e) && fill_launches(p, e) && name_digest(p, e);
}

bool source_open_generator(struct program *p, const char *config, struct error *e)
{
    p->source = mem_new(1, sizeof(struct generated));
    if (!p->source) return error_no_memory(e);
    p->ops = &generated_ops;
    struct conf *c = config ? conf_parse(config, p->path, e) : conf_load(p->path, NULL, e);
    if (!c) return false;
    ((struct generated *)p->source)->conf = c;
    return build_program(p, conf_root(c), e);
}
