/* programs.c - the programs of latencies, streams and strides; see programs.h. */
#include "cards/probe/programs.h"

#include "cards/constants.h"
#include "gpu/machine/machine.h"
#include "trace/program/program.h"

#include <math.h>
#include <stdio.h>

enum { NODE_BYTES = 128, CHASE_UNROLL = 16, STRIDE_UNROLL = 8, STRIDE_CTA = 1024 };
enum { AROUND = 5 }; /* instructions of a generator's warp outside its loop */
/* Allocations of 256 Mi doubles that lie 37 pages of 2 MB further apart, as allocations do that
 * are no powers of two, so that the arrays' streams do not begin on one channel. */
#define ARRAY_BYTES UINT64_C(2225078272)
enum { ARRAY_HALO = 128, FILL_THREADS = 256 }; /* of a CTA at most */

/* The streams: the kernel's name, accesses of a thread, and doubles that the source line names. */
static const struct {
    const char *kernel;
    uint32_t accesses, operands;
} streams[PROBE_N] = {
    [PROBE_INIT] = {"init", 1, 1},   [PROBE_READ] = {"read", 1, 1}, [PROBE_SCALE] = {"scale", 2, 2},
    [PROBE_TRIAD] = {"triad", 4, 4}, [PROBE_3PT] = {"3pt", 4, 2},   [PROBE_5PT] = {"5pt", 6, 2},
};

const struct probe_program *probe_program_of(enum probe_id id)
{
    if (id == PROBE_L2_READ) return &probe_l2_program;
    switch (probe_experiments[id].kind) {
    case PROBE_LATENCY: return &probe_chase_program;
    case PROBE_STREAM: return &probe_stream_program;
    case PROBE_CACHE: return &probe_shared_program;
    case PROBE_STRIDE: return &probe_stride_program;
    }
    return NULL;
}

static bool refuse(struct text *why, double needs, const char *what, double has)
{
    if (why) text_add(why, "%.0f %s do not fit on an SM; it holds %.0f", needs, what, has);
    return false;
}

bool probe_can_run(const struct machine *m, const struct probe_point *pt, struct text *why)
{
    double lanes = (double)m->sm.max_warps * m->sm.warp_width;
    uint32_t cta = probe_program_of(pt->id)->cta_threads;
    if (cta) return cta <= lanes || refuse(why, cta, "threads of a CTA", lanes);
    double warps = (double)probe_warps(m, pt->block) * pt->ctas;
    if (warps > m->sm.max_warps || !pt->block) return refuse(why, warps, "warps", m->sm.max_warps);
    return pt->ctas <= m->sm.max_ctas || refuse(why, pt->ctas, "CTAs", m->sm.max_ctas);
}

double probe_cache_bytes(const struct machine *m)
{
    return ((double)m->l2.banks * m->l2.bank_kb + m->l3.kb) * PROBE_KB;
}

double probe_last_cache_bytes(const struct machine *m)
{
    double l2 = (double)m->l2.banks * m->l2.bank_kb;
    return (m->l3.kb ? m->l3.kb : l2) * PROBE_KB;
}

uint32_t probe_warps(const struct machine *m, uint32_t threads)
{
    return (threads + m->sm.warp_width - 1) / m->sm.warp_width;
}

double probe_per_load(const struct launch *l)
{
    uint32_t loads = 0;
    for (uint32_t i = 0; i < l->n_code; i++)
        loads += l->code[i].cls == OP_LOAD;
    return (double)(l->n_code - AROUND) / loads;
}

/* --- pointer chase --- */

static uint64_t chase_nodes(const struct probe_point *pt)
{
    uint64_t nodes = (uint64_t)(pt->x * PROBE_KB / NODE_BYTES);
    return nodes ? nodes : 1;
}

/* Loads after which the caches hold what they hold in every later round: two rounds, or as many as
 * fill everything; of far larger rings nothing is found again, in caches full or empty. */
static uint64_t chase_warm(const struct machine *m, const struct probe_point *pt)
{
    double l1 = (double)fmax(m->l1.unified_kb, m->l1.kb) * PROBE_KB;
    double caches = probe_cache_bytes(m) + l1, ring = (double)chase_nodes(pt) * NODE_BYTES;
    uint32_t line = m->l2.cache.line_bytes < NODE_BYTES ? m->l2.cache.line_bytes : NODE_BYTES;
    double fills = ring < PROBE_CHASE_FAR * caches ? PROBE_FILLS * caches / line : 0;
    double loads = fmin(2 * (double)chase_nodes(pt), fmax(fills, PROBE_CHASE_WARM));
    return (uint64_t)loads / CHASE_UNROLL * CHASE_UNROLL + CHASE_UNROLL;
}

static void chase_config(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    uint64_t loads =
        chase_warm(m, pt) + PROBE_CHASE_SETTLE + PROBE_CHASE_LOADS * (uint64_t)probe_longer(pt);
    text_add(out,
             "generator = \"pointer_chase\"; order = \"random\"; ctas = 1; warps_per_cta = 1;"
             "unroll = %d; stride = %d; footprint = %lluL; iterations = %llu;",
             CHASE_UNROLL, NODE_BYTES, (unsigned long long)(chase_nodes(pt) * NODE_BYTES),
             (unsigned long long)(loads / CHASE_UNROLL + 2));
}

static void chase_lengths(const struct machine *m, const struct probe_point *pt,
                          const struct launch *l, struct probe_lengths *out)
{
    double load = probe_per_load(l);
    out->warm = AROUND - 1 + (uint64_t)((double)chase_warm(m, pt) * load);
    out->settle = (uint64_t)(PROBE_CHASE_SETTLE * load);
    out->measure = (uint64_t)(PROBE_CHASE_LOADS * load * probe_longer(pt));
}

static void chase_value(const struct machine *m, struct probe_point *pt, const struct metrics *x)
{
    pt->value = x->v[M_cycles] / x->v[M_lane_requests];
    snprintf(pt->extra, sizeof pt->extra, "%.0f", m->clock.core_mhz);
}

const struct probe_program probe_chase_program = {
    .config = chase_config, .lengths = chase_lengths, .value = chase_value, .cta_threads = 1};

/* --- streams --- */

double probe_stream_threads(const struct machine *m, const struct probe_point *pt)
{
    return (double)m->sm.count * pt->block * pt->ctas;
}

static double stream_operand_bytes(const struct probe_point *pt)
{
    return (double)streams[pt->id].operands * PROBE_DOUBLE;
}

double probe_memory_bytes(const struct probe_point *pt)
{
    bool stream = probe_experiments[pt->id].kind == PROBE_STREAM;
    return stream ? stream_operand_bytes(pt) / streams[pt->id].accesses : 0;
}

/* Waves of CTAs that are executed before those in detail; where L2s begin each launch empty, as
 * many as fill them. */
static double stream_warm(const struct machine *m, const struct probe_point *pt)
{
    double l2 = l2_are_several(&m->l2) ? (double)m->l2.banks * m->l2.bank_kb * PROBE_KB : 0;
    double wave = probe_stream_threads(m, pt) * stream_operand_bytes(pt);
    return fmax(PROBE_STREAM_WARM, fmin(ceil(PROBE_FILLS * l2 / wave), PROBE_STREAM_MOST));
}

/* Waves of CTAs that are measured. */
static double stream_measure(const struct machine *m, const struct probe_point *pt)
{
    double waves = ceil(PROBE_STREAM_THREADS / probe_stream_threads(m, pt));
    return fmin(fmax(waves, PROBE_STREAM_WAVES), PROBE_STREAM_MOST) * probe_longer(pt);
}

/* Waves of a kernel that only stores until the networks' queues hold up those who store. */
static double stream_queued(const struct machine *m, const struct probe_point *pt)
{
    double packets = (double)m->sm.count * m->noc.input_queue +
                     (double)m->l2.banks * (m->noc.output_queue + m->l2.input_queue);
    double bytes = probe_stream_threads(m, pt) * PROBE_DOUBLE;
    return pt->id == PROBE_INIT ? ceil(packets * m->l2.cache.sector_bytes / bytes) : 0;
}

/* Waves in detail before those: half as many where a shorter run was not steady. */
static double stream_settle(const struct machine *m, const struct probe_point *pt)
{
    double waves = pt->longer > 1 ? stream_measure(m, pt) / 2 : PROBE_STREAM_SETTLE;
    return waves + stream_queued(m, pt);
}

static double stream_waves(const struct machine *m, const struct probe_point *pt)
{
    return stream_warm(m, pt) + stream_settle(m, pt) + stream_measure(m, pt) + 2;
}

static uint64_t stream_elements(const struct machine *m, const struct probe_point *pt)
{
    return (uint64_t)(stream_waves(m, pt) * probe_stream_threads(m, pt));
}

/* Threads of a CTA, and CTAs, of the program that leaves in the caches what the kernel leaves
 * there. */
static uint32_t fill_threads(const struct machine *m)
{
    uint32_t most = m->sm.max_warps * m->sm.warp_width;
    return most < FILL_THREADS ? most : FILL_THREADS;
}

static double fill_ctas(const struct machine *m, const struct probe_point *pt)
{
    return ceil(PROBE_FILLS * probe_cache_bytes(m) / stream_operand_bytes(pt) / fill_threads(m));
}

/* The element with which a run begins: behind those before it, or elsewhere in arrays that are far
 * larger than the caches, where too few are left. */
static uint64_t stream_first(const struct machine *m, const struct probe_point *pt)
{
    uint64_t first = (uint64_t)fill_ctas(m, pt) * fill_threads(m) + pt->used;
    uint64_t all = ARRAY_BYTES / PROBE_DOUBLE - ARRAY_HALO, run = stream_elements(m, pt);
    return run < all ? first % (all - run) : 0;
}

/* Shared memory of a CTA of which so many fit on an SM, and no more; 0: the machine sets no
 * limit. */
static uint32_t stream_shared(const struct machine *m, const struct probe_point *pt)
{
    uint32_t kb = m->sm.shared_kb;
    for (uint32_t i = 0; m->l1.adaptive && i < m->l1.shared_options_kb.n; i++)
        if (m->l1.shared_options_kb.v[i] > kb) kb = m->l1.shared_options_kb.v[i];
    return kb * PROBE_KB / pt->ctas / 128 * 128;
}

static void stream_text(const struct machine *m, const struct probe_point *pt, uint32_t threads,
                        double ctas, uint64_t first, struct text *out)
{
    text_add(
        out,
        "generator = \"elementwise\"; kernel = \"%s\"; element_bytes = 8; array_bytes = %lluL; "
        "skip = %lluL; ctas = %.0f; warps_per_cta = %u; block_threads = %u;",
        streams[pt->id].kernel, (unsigned long long)ARRAY_BYTES, (unsigned long long)first, ctas,
        probe_warps(m, threads), threads);
}

static void stream_fill(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    stream_text(m, pt, fill_threads(m), fill_ctas(m, pt), 0, out);
}

static void stream_config(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    double ctas = stream_waves(m, pt) * m->sm.count * pt->ctas;
    stream_text(m, pt, pt->block, ctas, stream_first(m, pt), out);
    text_add(out, "shared_bytes = %u;", stream_shared(m, pt));
}

static void stream_lengths(const struct machine *m, const struct probe_point *pt,
                           const struct launch *l, struct probe_lengths *out)
{
    double wave = (double)l->n_code * l->warps_per_cta * m->sm.count * pt->ctas;
    out->warm = (uint64_t)(stream_warm(m, pt) * wave);
    out->settle = (uint64_t)(stream_settle(m, pt) * wave);
    out->measure = (uint64_t)(stream_measure(m, pt) * wave);
}

static void stream_value(const struct machine *m, struct probe_point *pt, const struct metrics *x)
{
    (void)m;
    double threads = x->v[M_lane_requests] / streams[pt->id].accesses;
    pt->value = threads * stream_operand_bytes(pt) / x->v[M_time_us] / 1e3;
    snprintf(pt->extra, sizeof pt->extra, "%ux%u", pt->block, pt->ctas);
}

const struct probe_program probe_stream_program = {.config = stream_config,
                                                   .fill = stream_fill,
                                                   .elements = stream_elements,
                                                   .lengths = stream_lengths,
                                                   .value = stream_value};

/* --- strides --- */

static uint32_t stride_element(const struct probe_point *pt)
{
    return pt->id == PROBE_STRIDE_DOUBLE ? 8 : 4;
}

static void stride_config(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    text_add(out,
             "generator = \"offset_read\"; element_bytes = %u; ctas = 1; warps_per_cta = %u; "
             "stride = %.0f; unroll = %d; iterations = %d;",
             stride_element(pt), probe_warps(m, STRIDE_CTA), pt->x, STRIDE_UNROLL,
             2 * PROBE_STRIDE_STEPS * (int)probe_longer(pt));
}

static void stride_lengths(const struct machine *m, const struct probe_point *pt,
                           const struct launch *l, struct probe_lengths *out)
{
    (void)m;
    double all = PROBE_STRIDE_STEPS * probe_longer(pt) * STRIDE_UNROLL * l->warps_per_cta *
                 probe_per_load(l);
    out->warm = out->settle = (uint64_t)all / 4;
    out->measure = (uint64_t)all;
}

static void stride_value(const struct machine *m, struct probe_point *pt, const struct metrics *x)
{
    double clocks = x->v[M_cycles] * m->sm.warp_width / x->v[M_lane_requests];
    pt->value = m->sm.warp_width * stride_element(pt) / clocks;
    snprintf(pt->extra, sizeof pt->extra, "cycles=%.2f", clocks);
}

const struct probe_program probe_stride_program = {.config = stride_config,
                                                   .lengths = stride_lengths,
                                                   .value = stride_value,
                                                   .cta_threads = STRIDE_CTA};
