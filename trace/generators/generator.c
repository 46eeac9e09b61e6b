/* generator.c - programs generated on the fly from a generator .cfg: reads the parameters, and
 * encodes segments as readers ask for them. A segment holds as many whole steps of the loop as fit
 * into SEGMENT_INSTRUCTIONS of its CTA; all launches of a program are equal, so they share their
 * blocks. */
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/text.h"
#include "trace/generators/kit.h"
#include "trace/plt/plt.h"
#include "trace/program/source.h"

#include <math.h>
#include <stdlib.h>

/* Raise when the streams for some parameters change. */
#define GENERATORS_VERSION 2
/* Kept small because thousands of warps hold their unpacked segments at the same time. */
enum { SEGMENT_INSTRUCTIONS = 8192 };

static const struct generator_ops *const generators[] = {
    &generator_stream,        &generator_stride,     &generator_gather,
    &generator_pointer_chase, &generator_reduction,  &generator_transpose,
    &generator_stencil,       &generator_matmul,     &generator_tiled_matmul,
    &generator_partial,       &generator_handoff,    &generator_synchronize,
    &generator_elementwise,   &generator_block_read, &generator_offset_read,
};
enum { N_GENERATORS = sizeof generators / sizeof *generators };

static const struct gen_param common[] = {
    GEN_PARAM(ctas, GEN_INT, 160, 1, 1 << 24, NULL, "CTAs of a launch"),
    GEN_PARAM(warps_per_cta, GEN_INT, 8, 1, 32, NULL, "warps of a CTA, warp_width lanes each"),
    GEN_PARAM(warp_width, GEN_CHOICE, 0, 0, 0, NULL, "32 or 64 lanes; absent: the machine's"),
    GEN_PARAM(launches, GEN_INT, 1, 1, 4096, NULL, "times the kernel is launched"),
    GEN_PARAM(iterations, GEN_INT, 8, 1, 1 << 24, NULL, "steps of the loop"),
    GEN_PARAM(unroll, GEN_INT, 1, 1, GEN_MAX_UNROLL, NULL,
              "accesses in flight per step before a use"),
    GEN_PARAM(element_bytes, GEN_INT, 4, 1, 16, NULL, "bytes per lane and access: 1, 2, 4, 8, 16"),
    GEN_PARAM(registers, GEN_INT, 0, 0, 255, NULL,
              "per lane, for occupancy; 0: as many as the code names"),
    GEN_PARAM(seed, GEN_INT, 1, 0, 0x1p53, NULL, "of everything random"),
};
enum { N_COMMON = sizeof common / sizeof *common, MAX_NAMES = 32 };

/* Values derived from the parameters; immutable once open. */
struct generated {
    struct generator g;
    char *name;
    uint64_t steps_per_segment;
    uint32_t segments;
    uint64_t prologue, step, whole; /* instructions of a CTA */
};

static bool bad_value(const struct conf_node *n, const char *allowed, struct error *e)
{
    return error_input(e, "%s:%u: %s: not an allowed value; %s", conf_file(n), conf_line(n),
                       conf_name(n), allowed);
}

static bool out_of_range(const struct conf_node *n, const struct gen_param *p, struct error *e)
{
    return error_input(e, "%s:%u: %s is out of range; allowed are %.12g to %.12g (%s)",
                       conf_file(n), conf_line(n), p->name, p->lo, p->hi, p->meaning);
}

/* "64KB", "1.5 MB": binary multiples. */
static bool parse_size(const char *s, double *v)
{
    static const char *const units[] = {"B", "KB", "MB", "GB"};
    char *end;
    *v = strtod(s, &end);
    while (*end == ' ')
        end++;
    for (unsigned i = 0; end != s && i < 4; i++) {
        if (strcmp(end, units[i]) == 0) return true;
        *v *= 1024;
    }
    return false;
}

static bool read_int(struct gen_config *c, const struct gen_param *p, const struct conf_node *n,
                     struct error *e)
{
    int64_t v = 0;
    double size = 0;
    const char *text = conf_text(n);
    bool sized = p->type == GEN_SIZE && text && parse_size(text, &size);
    if (!sized && !conf_int(n, &v))
        return bad_value(
            n, p->type == GEN_SIZE ? "a size such as 65536 or \"64KB\"" : "a whole number", e);
    if (sized ? !(size >= p->lo && size <= p->hi) : ((double)v < p->lo || (double)v > p->hi))
        return out_of_range(n, p, e);
    if (sized) v = (int64_t)size;
    memcpy((char *)c + p->offset, &v, sizeof v);
    return true;
}

static bool read_real(struct gen_config *c, const struct gen_param *p, const struct conf_node *n,
                      struct error *e)
{
    double v;
    if (!conf_real(n, &v)) return bad_value(n, "a number", e);
    if (!(v >= p->lo && v <= p->hi)) return out_of_range(n, p, e);
    memcpy((char *)c + p->offset, &v, sizeof v);
    return true;
}

static bool read_choice(struct gen_config *c, const struct gen_param *p, const struct conf_node *n,
                        struct error *e)
{
    const char *text = conf_text(n);
    struct text allowed = {0};
    for (int64_t i = 0; p->choices[i]; i++) {
        if (text && strcmp(text, p->choices[i]) == 0) {
            memcpy((char *)c + p->offset, &i, sizeof i);
            text_fini(&allowed);
            return true;
        }
        text_add(&allowed, "%s\"%s\"", i ? ", " : "allowed are ", p->choices[i]);
    }
    bad_value(n, text_str(&allowed), e);
    text_fini(&allowed);
    return false;
}

static bool read_width(struct gen_config *c, const struct conf_node *n, struct error *e)
{
    if (conf_int(n, &c->warp_width) && (c->warp_width == 32 || c->warp_width == 64)) return true;
    return bad_value(n, "allowed are 32 and 64", e);
}

static bool read_param(struct gen_config *c, const struct gen_param *p, const struct conf_node *n,
                       struct error *e)
{
    switch (p->type) {
    case GEN_INT:
    case GEN_SIZE: return read_int(c, p, n, e);
    case GEN_REAL: return read_real(c, p, n, e);
    case GEN_CHOICE: return p->choices ? read_choice(c, p, n, e) : read_width(c, n, e);
    }
    return false;
}

static const struct gen_param *find_param(const struct generator_ops *ops, const char *name)
{
    for (uint32_t i = 0; i < ops->n_params; i++)
        if (strcmp(ops->params[i].name, name) == 0) return &ops->params[i];
    for (uint32_t i = 0; i < N_COMMON; i++)
        if (strcmp(common[i].name, name) == 0) return &common[i];
    return NULL;
}

static bool unknown_key(const struct generator_ops *ops, const struct conf_node *n, struct error *e)
{
    const char *names[MAX_NAMES];
    uint32_t k = 0;
    for (uint32_t i = 0; i < ops->n_params; i++)
        names[k++] = ops->params[i].name;
    for (uint32_t i = 0; i < N_COMMON; i++)
        names[k++] = common[i].name;
    const char *closest = text_closest(conf_name(n), names, k);
    struct text all = {0};
    for (uint32_t i = 0; !closest && i < k; i++)
        text_add(&all, "%s%s", i ? ", " : "", names[i]);
    error_input(e, "%s:%u: generator %s has no parameter %s; %s%s", conf_file(n), conf_line(n),
                ops->name, conf_name(n), closest ? "did you mean " : "allowed are ",
                closest ? closest : text_str(&all));
    text_fini(&all);
    return false;
}

static void set_defaults(struct gen_config *c, const struct gen_param *params, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t whole = (int64_t)params[i].def;
        const void *v = params[i].type == GEN_REAL ? (const void *)&params[i].def : &whole;
        memcpy((char *)c + params[i].offset, v, 8);
    }
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

static bool read_config(struct generated *d, const char *path, const struct conf_node *root,
                        struct error *e)
{
    struct generator *g = &d->g;
    if (!choose_generator(g, path, root, e)) return false;
    set_defaults(&g->c, common, N_COMMON);
    set_defaults(&g->c, g->ops->params, g->ops->n_params);
    for (uint32_t i = 0; i < conf_count(root); i++) {
        const struct conf_node *n = conf_child(root, i);
        if (strcmp(conf_name(n), "generator") == 0) continue;
        const struct gen_param *p = find_param(g->ops, conf_name(n));
        if (p ? !read_param(&g->c, p, n, e) : !unknown_key(g->ops, n, e)) return false;
    }
    return check_element(&g->c, path, e);
}

/* --- segments --- */

static void make_steps(struct gen_warp *w, uint64_t from, uint64_t to)
{
    const struct generator *g = w->g;
    if (from == 0 && g->prologue) g->prologue(w);
    if (from == 0 && !g->prologue) gen_plain_range(w, 0, g->n_prologue);
    for (uint64_t i = from; i < to; i++)
        g->ops->step(w, i);
    if (to < (uint64_t)g->c.iterations) return;
    if (g->ops->epilogue)
        g->ops->epilogue(w);
    else
        gen_plain_range(w, g->n_prologue + g->n_step, g->code.n);
}

static void make_segment(const struct generated *d, uint64_t cta, uint32_t segment,
                         struct segment_encoder *out)
{
    const struct generator *g = &d->g;
    uint64_t from = segment * d->steps_per_segment, to = from + d->steps_per_segment;
    if (to > (uint64_t)g->c.iterations) to = (uint64_t)g->c.iterations;
    struct warp_progress start = {0};
    if (segment) start.done = g->n_prologue + from * g->n_step;
    segment_begin(out, &g->code, g->width);
    for (uint32_t warp = 0; warp < g->warps; warp++) {
        uint32_t first = warp * g->width, lanes = g->cta_threads - first;
        struct gen_warp w = {g, out, cta, cta * g->cta_threads + first, warp, out->full};
        if (lanes < g->width) w.mask = (UINT64_C(1) << lanes) - 1;
        segment_warp_begin(out, &start);
        make_steps(&w, from, to);
        segment_warp_end(out, to == (uint64_t)g->c.iterations);
    }
}

static uint32_t generated_segments(const struct program *p, uint32_t launch, uint64_t cta)
{
    (void)launch, (void)cta;
    return ((const struct generated *)p->source)->segments;
}

static uint64_t generated_cta_start(const struct program *p, uint32_t launch, uint64_t cta)
{
    (void)launch;
    return cta * ((const struct generated *)p->source)->whole;
}

static uint64_t generated_start(const struct program *p, uint32_t launch, uint64_t cta,
                                uint32_t segment)
{
    (void)launch, (void)cta;
    const struct generated *d = p->source;
    return segment ? d->prologue + segment * d->steps_per_segment * d->step : 0;
}

static struct segment_place generated_place(const struct program *p, uint32_t launch, uint64_t cta,
                                            uint32_t segment)
{
    (void)launch;
    return (struct segment_place){.block = cta * ((const struct generated *)p->source)->segments +
                                           segment};
}

static bool generated_load(const struct program *p, uint64_t block, struct block_tools *t,
                           struct bytes *out, struct error *e)
{
    const struct generated *d = p->source;
    make_segment(d, block / d->segments, (uint32_t)(block % d->segments), &t->encoder);
    return segment_finish(&t->encoder, out) || error_no_memory(e);
}

static void generated_close(void *source)
{
    struct generated *d = source;
    if (!d) return;
    code_fini(&d->g.code);
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

static void shape_launch(struct generated *d)
{
    const struct generator *g = &d->g;
    uint64_t iterations = (uint64_t)g->c.iterations;
    uint64_t step = (uint64_t)g->n_step * g->warps;
    d->steps_per_segment = step < SEGMENT_INSTRUCTIONS ? SEGMENT_INSTRUCTIONS / step : 1;
    d->segments = (uint32_t)((iterations + d->steps_per_segment - 1) / d->steps_per_segment);
    d->prologue = (uint64_t)g->warps * g->n_prologue;
    d->step = (uint64_t)g->warps * g->n_step;
}

/* Counts the instructions of a CTA; generates the last segment once to count its epilogue. */
static bool count_cta(const struct program *p, uint64_t *n, struct error *e)
{
    const struct generated *d = p->source;
    struct segment_encoder encoder = {0};
    struct bytes unused = {0};
    make_segment(d, 0, d->segments - 1, &encoder);
    bool ok = segment_finish(&encoder, &unused);
    *n = generated_start(p, 0, 0, d->segments - 1) + encoder.instructions;
    bytes_fini(&unused);
    segment_encoder_fini(&encoder);
    return ok || error_no_memory(e);
}

static bool fill_launches(struct program *p, struct error *e)
{
    struct generated *d = p->source;
    const struct generator *g = &d->g;
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
    if (!count_cta(p, &d->whole, e)) return false;
    l.warp_instructions = d->whole * l.ctas;
    for (uint32_t i = 0; i < n; i++) {
        l.id = i + 1;
        p->commands[i] = (struct command){.kind = COMMAND_LAUNCH, .launch = i};
        p->launches[i] = (struct program_launch){l, &g->code, g->warps};
    }
    p->n_commands = p->n_launches = n;
    return true;
}

static void put_params(struct text *t, const struct gen_config *c, const struct gen_param *params,
                       uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *field = (const char *)c + params[i].offset;
        int64_t whole;
        double real;
        memcpy(&whole, field, sizeof whole);
        memcpy(&real, field, sizeof real);
        if (params[i].type == GEN_REAL)
            text_add(t, ";%s=%a", params[i].name, real);
        else
            text_add(t, ";%s=%lld", params[i].name, (long long)whole);
    }
}

/* Equal effective parameters at equal width give equal streams, and so equal digests. */
static bool name_digest(struct program *p, struct error *e)
{
    const struct generated *d = p->source;
    struct text t = {0};
    text_add(&t, "generator %d;%s;lanes=%u;warps=%u", GENERATORS_VERSION, d->g.ops->name,
             d->g.width, d->g.warps);
    put_params(&t, &d->g.c, common, N_COMMON);
    put_params(&t, &d->g.c, d->g.ops->params, d->g.ops->n_params);
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
    g->warps = (uint32_t)(g->c.warps_per_cta * own / g->width);
    if (!gen_choose_threads(g, p->path, e)) return false;
    g->c.warp_width = 0;
    g->c.warps_per_cta = g->warps;
    return true;
}

static bool build_program(struct program *p, const struct conf_node *root, struct error *e)
{
    struct generated *d = p->source;
    if (!read_config(d, p->path, root, e) || !choose_width(p, &d->g, e)) return false;
    if (!code_init(&d->g.code)) return error_no_memory(e);
    if (!d->g.ops->setup(&d->g, p->path, e)) return false;
    d->name = mem_strdup(p->name);
    if (d->g.code.strings.failed || !d->name) return error_no_memory(e);
    gen_number_registers(&d->g);
    shape_launch(d);
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
