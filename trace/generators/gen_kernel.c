/* gen_kernel.c - see gen_kernel.h. */
#include "trace/generators/gen_kernel.h"

#include "base/memory/alloc.h"

/* Kept small because thousands of warps hold their unpacked segments at the same time. */
enum { SEGMENT_INSTRUCTIONS = 8192 };

/* The steps of the CTA's longest warp. */
static uint64_t cta_steps(const struct generator *g, uint64_t cta)
{
    if (g->ops->cta_steps) return g->ops->cta_steps(g, cta);
    if (!g->ops->warp_steps) return (uint64_t)g->c.iterations;
    uint64_t most = 0;
    for (uint32_t warp = 0; warp < g->warps; warp++) {
        uint64_t steps = g->ops->warp_steps(g, cta, warp);
        if (steps > most) most = steps;
    }
    return most;
}

static uint64_t warp_steps(const struct generator *g, uint64_t cta, uint32_t warp)
{
    return g->ops->warp_steps ? g->ops->warp_steps(g, cta, warp) : cta_steps(g, cta);
}

/* The instructions of a warp in its steps below `most`. */
static uint64_t warp_loop(const struct generator *g, uint64_t cta, uint32_t warp, uint64_t most)
{
    uint64_t steps = warp_steps(g, cta, warp);
    if (steps > most) steps = most;
    return g->ops->warp_before ? g->ops->warp_before(g, warp, steps) : steps * g->n_step;
}

/* The same of all warps of a CTA. */
static uint64_t cta_loop(const struct generator *g, uint64_t cta, uint64_t most)
{
    uint64_t n = 0;
    if (!g->ops->warp_steps && !g->ops->warp_before) return g->warps * warp_loop(g, cta, 0, most);
    for (uint32_t warp = 0; warp < g->warps; warp++)
        n += warp_loop(g, cta, warp, most);
    return n;
}

/* The warps of a CTA that end before step `most`. */
static uint32_t count_ended(const struct generator *g, uint64_t cta, uint64_t most)
{
    uint32_t n = 0;
    if (!g->ops->warp_steps) return cta_steps(g, cta) <= most ? g->warps : 0;
    for (uint32_t warp = 0; warp < g->warps; warp++)
        n += g->ops->warp_steps(g, cta, warp) <= most;
    return n;
}

static bool has_uneven_ctas(const struct generator *g)
{
    return !g->even_ctas && (g->ops->cta_steps || g->ops->warp_steps);
}

/* --- segments --- */

static void make_steps(struct gen_warp *w, struct nest_run *nest, uint64_t from, uint64_t to,
                       bool last)
{
    const struct generator *g = w->g;
    if (nest) {
        nest_run_warp(nest, w, from, to, last);
        return;
    }
    if (from == 0) gen_plain_range(w, 0, g->n_prologue);
    for (uint64_t i = from; i < to; i++)
        g->ops->step(w, i);
    if (!last) return;
    if (g->ops->epilogue)
        g->ops->epilogue(w);
    else
        gen_plain_range(w, g->n_prologue + g->n_step, g->code.n);
}

/* A warp's part of the segment that begins with step `from` of its CTA; a warp that has ended
 * before has none. */
static void make_warp(struct gen_warp *w, const struct gen_kernel *k, struct nest_run *nest,
                      uint64_t from)
{
    const struct generator *g = w->g;
    uint64_t steps = warp_steps(g, w->cta, w->warp), to = from + k->steps_per_segment;
    bool over = from > 0 && from >= steps;
    if (to > steps) to = steps;
    struct warp_progress start = {0};
    if (from) start.done = g->n_prologue + warp_loop(g, w->cta, w->warp, from);
    if (over) start.done += k->ends / g->warps;
    segment_warp_begin(w->out, &start);
    if (!over) make_steps(w, nest, from, to, to == steps);
    segment_warp_end(w->out, !over && to == steps);
}

void gen_kernel_make_segment(const struct gen_kernel *k, uint64_t cta, uint32_t segment,
                             struct segment_encoder *out)
{
    const struct generator *g = &k->g;
    struct nest_run *nest = k->nest ? nest_run_take(k->nest) : NULL;
    segment_begin(out, &g->code, g->width);
    out->failed |= k->nest && !nest;
    for (uint32_t warp = 0; warp < g->warps && !out->failed; warp++) {
        uint32_t first = warp * g->width, lanes = g->cta_threads - first;
        struct gen_warp w = {g, out, cta, cta * g->cta_threads + first, warp, out->full};
        if (lanes < g->width) w.mask = (UINT64_C(1) << lanes) - 1;
        make_warp(&w, k, nest, segment * k->steps_per_segment);
    }
    if (nest) nest_run_give(k->nest, nest);
}

static uint32_t segments_of(const struct gen_kernel *k, uint64_t steps)
{
    return (uint32_t)((steps + k->steps_per_segment - 1) / k->steps_per_segment);
}

uint32_t gen_kernel_segments(const struct gen_kernel *k, uint64_t cta)
{
    return k->loops_before ? segments_of(k, cta_steps(&k->g, cta)) : k->segments;
}

uint64_t gen_kernel_cta_start(const struct gen_kernel *k, uint64_t cta)
{
    uint64_t loops = cta * k->loop;
    if (k->loops_before) {
        uint64_t piece = cta / GEN_KERNEL_PIECE;
        loops = k->loops_before[piece];
        for (uint64_t i = piece * GEN_KERNEL_PIECE; i < cta; i++)
            loops += cta_loop(&k->g, i, UINT64_MAX);
    }
    return cta * (k->prologue + k->ends) + loops;
}

uint64_t gen_kernel_segment_start(const struct gen_kernel *k, uint64_t cta, uint32_t segment)
{
    const struct generator *g = &k->g;
    uint64_t steps = segment * k->steps_per_segment;
    if (!segment) return 0;
    return k->prologue + cta_loop(g, cta, steps) +
           count_ended(g, cta, steps) * (k->ends / g->warps);
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

/* Counts the loops before each piece of the CTAs, where these differ; one more entry than pieces.
 */
static bool count_loops(struct gen_kernel *k, const char *path, struct error *e)
{
    const struct generator *g = &k->g;
    uint64_t ctas = (uint64_t)g->c.ctas, before = 0;
    k->loop = cta_loop(g, 0, UINT64_MAX);
    if (!has_uneven_ctas(g)) return true;
    if (ctas > GEN_KERNEL_UNEVEN)
        return error_input(e, "%s: its sizes give %llu CTAs of different length; at most %d", path,
                           (unsigned long long)ctas, GEN_KERNEL_UNEVEN);
    k->loops_before = mem_new(ctas / GEN_KERNEL_PIECE + 1, sizeof *k->loops_before);
    if (!k->loops_before) return error_no_memory(e);
    for (uint64_t cta = 0; cta < ctas; cta++) {
        if (cta % GEN_KERNEL_PIECE == 0) k->loops_before[cta / GEN_KERNEL_PIECE] = before;
        before += cta_loop(g, cta, UINT64_MAX);
    }
    if (ctas % GEN_KERNEL_PIECE == 0) k->loops_before[ctas / GEN_KERNEL_PIECE] = before;
    return true;
}

/* Generates the last segment of a CTA once to count its warps' epilogues. */
static bool count_ends(struct gen_kernel *k, struct error *e)
{
    struct segment_encoder encoder = {0};
    struct bytes unused = {0};
    const struct generator *g = &k->g;
    uint32_t last = gen_kernel_segments(k, 0) - 1;
    uint64_t from = last * k->steps_per_segment;
    uint32_t ended = last ? count_ended(g, 0, from) : 0;
    gen_kernel_make_segment(k, 0, last, &encoder);
    bool ok = segment_finish(&encoder, &unused);
    uint64_t loop = cta_loop(g, 0, UINT64_MAX) - (last ? cta_loop(g, 0, from) : 0);
    uint64_t ends = encoder.instructions - loop - (last ? 0 : k->prologue);
    k->ends = ended ? ends / (g->warps - ended) * g->warps : ends;
    bytes_fini(&unused);
    segment_encoder_fini(&encoder);
    return ok || error_no_memory(e);
}

/* Chooses how many steps a segment holds; refuses launches that are too long to count. */
static bool choose_segments(struct gen_kernel *k, const char *path, struct error *e)
{
    const struct generator *g = &k->g;
    uint64_t most = (uint64_t)g->c.iterations, step = (uint64_t)g->n_step * g->warps;
    if (g->ops->warp_before) step = cta_loop(g, 0, most) / most + 1;
    k->steps_per_segment = step < SEGMENT_INSTRUCTIONS ? SEGMENT_INSTRUCTIONS / step : 1;
    double all = ((double)most * (double)step + (double)k->prologue) * (double)g->c.ctas;
    if (all > 0x1p62 || most / k->steps_per_segment >= UINT32_MAX)
        return error_input(e, "%s: a launch of %.3g warp instructions; allowed are %.3g", path, all,
                           0x1p62);
    k->segments = segments_of(k, most);
    return true;
}

static bool count_instructions(struct gen_kernel *k, const char *path, struct error *e)
{
    uint64_t ctas = (uint64_t)k->g.c.ctas;
    k->prologue = (uint64_t)k->g.warps * k->g.n_prologue;
    if (!choose_segments(k, path, e) || !count_loops(k, path, e) || !count_ends(k, e)) return false;
    k->instructions = gen_kernel_cta_start(k, ctas);
    return true;
}

/* Tensors that an operator placed lie below GEN_MAX_PLACED. */
static bool check_tensors(const struct generator *g, const char *path, struct error *e)
{
    double end = (double)GEN_BASE;
    for (uint32_t k = 0; k < g->n_tensors; k++)
        end += (double)g->tensor_bytes[k] + GEN_ALIGN;
    return end < (double)GEN_MAX_PLACED ||
           error_input(e, "%s: its tensors take %.3g bytes; at most %.3g", path,
                       end - (double)GEN_BASE, (double)(GEN_MAX_PLACED - GEN_BASE));
}

bool gen_kernel_build(struct gen_kernel *k, const char *path, struct error *e)
{
    struct generator *g = &k->g;
    if (!choose_grid(g, path, e)) return false;
    if (!code_init(&g->code) || !(g->map = map_new(g))) return error_no_memory(e);
    if (!g->ops->setup(g, path, e)) return false;
    if (g->code.strings.failed) return error_no_memory(e);
    if (!check_tensors(g, path, e)) return false;
    gen_number_registers(g);
    bool nested = g->remarks.n || !g->ops->step;
    if (nested && !(k->nest = nest_new(g, path, e))) return false;
    return count_instructions(k, path, e);
}

void gen_kernel_fini(struct gen_kernel *k)
{
    code_fini(&k->g.code);
    nest_free(k->nest);
    map_free(k->g.map);
    mem_free(k->g.remarks.remark);
    mem_free(k->g.own);
    mem_free(k->loops_before);
}
