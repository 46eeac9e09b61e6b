/* generator.c - programs generated on the fly from a generator .cfg: segments are encoded as
 * readers ask for them. All launches of a program are equal, so they share their blocks. */
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/text.h"
#include "trace/generators/gen_kernel.h"
#include "trace/generators/gen_params.h"
#include "trace/plt/plt.h"
#include "trace/program/source.h"

#include <string.h>

/* Raise when the streams for some parameters change. */
#define GENERATORS_VERSION 2
static const struct generator_ops *const generators[] = {
    &generator_stream,        &generator_stride,     &generator_gather,
    &generator_pointer_chase, &generator_reduction,  &generator_transpose,
    &generator_stencil,       &generator_matmul,     &generator_tiled_matmul,
    &generator_partial,       &generator_handoff,    &generator_synchronize,
    &generator_elementwise,   &generator_block_read, &generator_offset_read,
};
enum { N_GENERATORS = sizeof generators / sizeof *generators };

/* Values derived from the parameters; immutable once open. */
struct generated {
    struct gen_kernel kernel;
    char *name;
};

static const struct gen_kernel *kernel_of(const struct program *p)
{
    return &((const struct generated *)p->source)->kernel;
}

static bool choose_generator(struct generator *g, const char *path, const struct conf_node *root,
                             struct error *e)
{
    const struct conf_node *n = conf_find(root, "generator");
    const char *name = n ? conf_text(n) : NULL;
    struct text all = {0};
    for (uint32_t i = 0; i < N_GENERATORS; i++) {
        if (name && strcmp(name, generators[i]->name) == 0) g->ops = generators[i];
        text_add(&all, "%s\"%s\"", i ? ", " : "", generators[i]->name);
    }
    if (!g->ops && n)
        error_input(e, "%s:%u: generator: unknown; allowed are %s", conf_file(n), conf_line(n),
                    text_str(&all));
    if (!g->ops && !n)
        error_input(e, "%s:1: no generator is named; add generator = one of %s", path,
                    text_str(&all));
    text_fini(&all);
    return g->ops != NULL;
}

static bool check_element(const struct gen_config *c, const char *path, struct error *e)
{
    int64_t b = c->element_bytes;
    return (b & (b - 1)) == 0 ||
           error_input(e, "%s: element_bytes = %lld; allowed are 1, 2, 4, 8, 16", path,
                       (long long)b);
}

static bool read_config(struct generator *g, const char *path, const struct conf_node *root,
                        struct error *e)
{
    if (!choose_generator(g, path, root, e)) return false;
    gen_params_set_defaults(&g->c, g->ops);
    for (uint32_t i = 0; i < conf_count(root); i++) {
        struct gen_value v = gen_value_of_setting(conf_child(root, i));
        if (strcmp(v.name, "generator") == 0) continue;
        if (!gen_params_read(&g->c, g->ops, &v, e)) return false;
    }
    return check_element(&g->c, path, e);
}

/* --- the source --- */

static uint32_t generated_segments(const struct program *p, uint32_t launch, uint64_t cta)
{
    (void)launch;
    return gen_kernel_segments(kernel_of(p), cta);
}

static uint64_t generated_cta_start(const struct program *p, uint32_t launch, uint64_t cta)
{
    (void)launch;
    return gen_kernel_cta_start(kernel_of(p), cta);
}

static uint64_t generated_start(const struct program *p, uint32_t launch, uint64_t cta,
                                uint32_t segment)
{
    (void)launch, (void)cta;
    return gen_kernel_segment_start(kernel_of(p), segment);
}

/* Blocks are numbered as if every CTA had as many segments as the longest one. */
static struct segment_place generated_place(const struct program *p, uint32_t launch, uint64_t cta,
                                            uint32_t segment)
{
    (void)launch;
    return (struct segment_place){.block = cta * kernel_of(p)->segments + segment};
}

static bool generated_load(const struct program *p, uint64_t block, struct block_tools *t,
                           struct bytes *out, struct error *e)
{
    const struct gen_kernel *k = kernel_of(p);
    gen_kernel_make_segment(k, block / k->segments, (uint32_t)(block % k->segments), &t->encoder);
    return segment_finish(&t->encoder, out) || error_no_memory(e);
}

static void generated_close(void *source)
{
    struct generated *d = source;
    if (!d) return;
    gen_kernel_fini(&d->kernel);
    mem_free(d->name);
    mem_free(d);
}

static const struct source_ops generated_ops = {
    .segments = generated_segments,
    .cta_start = generated_cta_start,
    .segment_start = generated_start,
    .place = generated_place,
    .load = generated_load,
    .close = generated_close,
};

/* --- opening --- */

static bool fill_launches(struct program *p, struct error *e)
{
    struct generated *d = p->source;
    const struct generator *g = &d->kernel.g;
    uint32_t n = (uint32_t)g->c.launches;
    p->commands = mem_new(n, sizeof *p->commands);
    p->launches = mem_new(n, sizeof *p->launches);
    if (!p->commands || !p->launches) return error_no_memory(e);
    struct launch l = {.name = d->name,
                       .header = "",
                       .grid = {(uint32_t)g->c.ctas, 1, 1},
                       .block = {g->cta_threads, 1, 1},
                       .registers_per_lane =
                           g->c.registers ? (uint32_t)g->c.registers : g->code.n_registers,
                       .shared_bytes = g->shared_bytes,
                       .n_code = g->code.n,
                       .code = g->code.si,
                       .n_registers = g->code.n_registers,
                       .strings = (const char *)g->code.strings.p};
    if (!launch_derive(&l, g->width))
        return error_input(e, "%s: too many threads per CTA", p->path);
    l.warp_instructions = d->kernel.instructions;
    for (uint32_t i = 0; i < n; i++) {
        l.id = i + 1;
        p->commands[i] = (struct command){.kind = COMMAND_LAUNCH, .launch = i};
        p->launches[i] = (struct program_launch){l, &g->code, g->warps};
    }
    p->n_commands = p->n_launches = n;
    return true;
}

/* Equal effective parameters at equal width give equal streams, and so equal digests. */
static bool name_digest(struct program *p, struct error *e)
{
    const struct generator *g = &kernel_of(p)->g;
    struct text t = {0};
    text_add(&t, "generator %d;%s;lanes=%u;warps=%u", GENERATORS_VERSION, g->ops->name, g->width,
             g->warps);
    gen_params_describe(&t, &g->c, g->ops);
    bool ok = !t.failed;
    if (ok) p->digest = digest_text(t.s);
    text_fini(&t);
    return ok || error_no_memory(e);
}

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

static bool build_program(struct program *p, const struct conf_node *root, struct error *e)
{
    struct generated *d = p->source;
    struct generator *g = &d->kernel.g;
    if (!read_config(g, p->path, root, e) || !choose_width(p, g, e)) return false;
    if (!gen_kernel_build(&d->kernel, p->path, e)) return false;
    d->name = mem_strdup(p->name);
    if (!d->name) return error_no_memory(e);
    p->note = "generator";
    return fill_launches(p, e) && name_digest(p, e);
}

bool source_open_generator(struct program *p, const char *config, struct error *e)
{
    p->source = mem_new(1, sizeof(struct generated));
    if (!p->source) return error_no_memory(e);
    p->ops = &generated_ops;
    struct conf *c = config ? conf_parse(config, p->path, e) : conf_load(p->path, NULL, e);
    if (!c) return false;
    bool ok = build_program(p, conf_root(c), e);
    conf_free(c);
    return ok;
}
