/* gen_kernel.c - see gen_kernel.h. */
#include "trace/generators/gen_kernel.h"

#include "base/memory/alloc.h"

/* Kept small because thousands of warps hold their unpacked segments at the same time. */
enum { SEGMENT_INSTRUCTIONS = 8192 };

static uint64_t cta_steps(const struct generator *g, uint64_t cta)
{
    return g->ops->cta_steps ? g->ops->cta_steps(g, cta) : (uint64_t)g->c.iterations;
}

/* The instructions of a CTA in its steps below `step`. */
static uint64_t cta_before(const struct gen_kernel *k, uint64_t step)
{
    const struct generator *g = &k->g;
    uint64_t n = 0;
    if (!g->ops->warp_before) return step * k->step;
    for (uint32_t warp = 0; warp < g->warps; warp++)
        n += g->ops->warp_before(g, warp, step);
    return n;
}

/* --- segments --- */

static void make_steps(struct gen_warp *w, uint64_t from, uint64_t to, bool last)
{
    const struct generator *g = w->g;
    if (from == 0 && g->prologue) g->prologue(w);
    if (from == 0 && !g->prologue) gen_plain_range(w, 0, g->n_prologue);
    for (uint64_t i = from; i < to; i++)
        g->ops->step(w, i);
    if (!last) return;
    if (g->ops->epilogue)
        g->ops->epilogue(w);
    else
        gen_plain_range(w, g->n_prologue + g->n_step, g->code.n);
}

void gen_kernel_make_segment(const struct gen_kernel *k, uint64_t cta, uint32_t segment,
                             struct segment_encoder *out)
{
    const struct generator *g = &k->g;
    uint64_t steps = cta_steps(g, cta);
    uint64_t from = segment * k->steps_per_segment, to = from + k->steps_per_segment;
    if (to > steps) to = steps;
    segment_begin(out, &g->code, g->width);
    for (uint32_t warp = 0; warp < g->warps; warp++) {
        uint32_t first = warp * g->width, lanes = g->cta_threads - first;
        struct gen_warp w = {g, out, cta, cta * g->cta_threads + first, warp, out->full};
        if (lanes < g->width) w.mask = (UINT64_C(1) << lanes) - 1;
        struct warp_progress start = {0};
        if (segment)
            start.done = g->n_prologue + (g->ops->warp_before ? g->ops->warp_before(g, warp, from)
                                                              : from * g->n_step);
        segment_warp_begin(out, &start);
        make_steps(&w, from, to, to == steps);
        segment_warp_end(out, to == steps);
    }
}

static uint32_t segments_of(const struct gen_kernel *k, uint64_t steps)
{
    return (uint32_t)((steps + k->steps_per_segment - 1) / k->steps_per_segment);
}

uint32_t gen_kernel_segments(const struct gen_kernel *k, uint64_t cta)
{
    return k->steps_before ? segments_of(k, cta_steps(&k->g, cta)) : k->segments;
}

uint64_t gen_kernel_cta_start(const struct gen_kernel *k, uint64_t cta)
{
    uint64_t steps = cta * (uint64_t)k->g.c.iterations;
    if (k->steps_before) {
        uint64_t piece = cta / GEN_KERNEL_PIECE;
        steps = k->steps_before[piece];
        for (uint64_t i = piece * GEN_KERNEL_PIECE; i < cta; i++)
            steps += cta_steps(&k->g, i);
    }
    uint64_t loops = k->g.ops->warp_before ? cta * k->loop : steps * k->step;
    return cta * (k->prologue + k->ends) + loops;
}

uint64_t gen_kernel_segment_start(const struct gen_kernel *k, uint32_t segment)
{
    return segment ? k->prologue + cta_before(k, segment * k->steps_per_segment) : 0;
}

/* --- building --- */

/* With a shape, the operator says how many threads a CTA has; otherwise the configuration has set
 * c.warps_per_cta to warps of g->width lanes. */
static bool choose_grid(struct generator *g, const char *path, struct error *e)
{
    if (g->ops->shape && !g->ops->shape(g, path, e)) return false;
    if (g->ops->shape && g->c.block_threads)
        g->c.warps_per_cta = (g->c.block_threads + g->width - 1) / g->width;
    if (g->c.element_bytes & (g->c.element_bytes - 1))
        return error_input(e, "%s: element_bytes = %lld; allowed are 1, 2, 4, 8, 16", path,
                           (long long)g->c.element_bytes);
    if (g->c.ctas < 1 || g->c.ctas > GEN_MAX_CTAS || g->c.iterations < 1)
        return error_input(e, "%s: its sizes give %lld CTAs; a launch has 1 to %lld", path,
                           (long long)g->c.ctas, (long long)GEN_MAX_CTAS);
    g->warps = (uint32_t)g->c.warps_per_cta;
    return gen_choose_threads(g, path, e);
}

/* Counts what CTAs that differ have before each piece; one more entry than pieces. */
static bool count_steps(struct gen_kernel *k, uint64_t *total, struct error *e)
{
    uint64_t ctas = (uint64_t)k->g.c.ctas, before = 0;
    *total = ctas * (uint64_t)k->g.c.iterations;
    if (!k->g.ops->cta_steps) return true;
    k->steps_before = mem_new(ctas / GEN_KERNEL_PIECE + 1, sizeof *k->steps_before);
    if (!k->steps_before) return error_no_memory(e);
    for (uint64_t cta = 0; cta < ctas; cta++) {
        if (cta % GEN_KERNEL_PIECE == 0) k->steps_before[cta / GEN_KERNEL_PIECE] = before;
        before += cta_steps(&k->g, cta);
    }
    if (ctas % GEN_KERNEL_PIECE == 0) k->steps_before[ctas / GEN_KERNEL_PIECE] = before;
    *total = before;
    return true;
}

/* Generates the last segment of a CTA once to count its epilogue. */
static bool count_ends(struct gen_kernel *k, struct error *e)
{
    struct segment_encoder encoder = {0};
    struct bytes unused = {0};
    uint32_t last = gen_kernel_segments(k, 0) - 1;
    gen_kernel_make_segment(k, 0, last, &encoder);
    bool ok = segment_finish(&encoder, &unused);
    uint64_t steps =
        cta_before(k, cta_steps(&k->g, 0)) - cta_before(k, last * k->steps_per_segment);
    k->ends = encoder.instructions - steps - (last ? 0 : k->prologue);
    bytes_fini(&unused);
    segment_encoder_fini(&encoder);
    return ok || error_no_memory(e);
}

static bool count_instructions(struct gen_kernel *k, const char *path, struct error *e)
{
    const struct generator *g = &k->g;
    uint64_t steps, most = (uint64_t)g->c.iterations;
    k->prologue = (uint64_t)g->warps * g->n_prologue;
    k->step = (uint64_t)g->n_step * g->warps;
    if (g->ops->warp_before) k->step = (k->loop = cta_before(k, most)) / most + 1;
    k->steps_per_segment = k->step < SEGMENT_INSTRUCTIONS ? SEGMENT_INSTRUCTIONS / k->step : 1;
    double all = ((double)most * (double)k->step + (double)k->prologue) * (double)g->c.ctas;
    if (all > 0x1p62 || most / k->steps_per_segment >= UINT32_MAX)
        return error_input(e, "%s: a launch of %.3g warp instructions; allowed are %.3g", path, all,
                           0x1p62);
    k->segments = segments_of(k, most);
    if (!count_steps(k, &steps, e) || !count_ends(k, e)) return false;
    k->instructions = gen_kernel_cta_start(k, (uint64_t)g->c.ctas);
    if (g->ops->cta_steps)
        k->instructions = (k->prologue + k->ends) * (uint64_t)g->c.ctas + steps * k->step;
    return true;
}

/* Tensors that an operator placed lie below GEN_MAX_PLACED. */
static bool check_tensors(const struct generator *g, const char *path, struct error *e)
{
    double end = (double)GEN_BASE;
    for (uint32_t k = 0; k < g->n_tensors; k++)
        end += (double)g->tensor_bytes[k] + GEN_ALIGN;
    return end < (double)GEN_MAX_PLACED ||
           error_input(e, "%s: its tensors take %.3g bytes; at most %.3g", path, end,
                       (double)GEN_MAX_PLACED);
}

bool gen_kernel_build(struct gen_kernel *k, const char *path, struct error *e)
{
    struct generator *g = &k->g;
    if (!choose_grid(g, path, e)) return false;
    if (!code_init(&g->code)) return error_no_memory(e);
    if (!g->ops->setup(g, path, e)) return false;
    if (g->code.strings.failed) return error_no_memory(e);
    if (!check_tensors(g, path, e)) return false;
    gen_number_registers(g);
    return count_instructions(k, path, e);
}

void gen_kernel_fini(struct gen_kernel *k)
{
    code_fini(&k->g.code);
    mem_free(k->steps_before);
}
