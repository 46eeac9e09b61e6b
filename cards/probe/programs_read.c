/* programs_read.c - the programs that read cached buffers: blocks that CTAs share in turn, and
 * buffers that all SMs share; see programs.h. */
#include "cards/constants.h"
#include "cards/probe/programs.h"
#include "gpu/machine/machine.h"
#include "trace/program/program.h"

#include <math.h>

enum { READ_CTA = 1024, READ_UNROLL = 4, SHARED_LEAST = 128 };
enum { SHARED_ELEMENT = 4 }; /* the measured benchmark reads floats */
static const double PAIR_BYTES = 2.0 * READ_CTA * PROBE_DOUBLE;

/* --- blocks --- */

/* The measured benchmark has blocks of 64 (512 KB) or 48 doubles per thread. */
static uint32_t l2_blocks(const struct probe_point *pt)
{
    static const double kb[] = {512, 384};
    for (uint32_t i = 0; i < sizeof kb / sizeof *kb; i++)
        if (fmod(pt->x, kb[i]) == 0) return (uint32_t)(pt->x / kb[i]);
    return (uint32_t)fmax(1, round(pt->x / kb[0]));
}

static double l2_block_bytes(const struct probe_point *pt)
{
    return fmax(1, round(pt->x * PROBE_KB / l2_blocks(pt) / PAIR_BYTES)) * PAIR_BYTES;
}

/* CTAs that are executed before measuring: each block once, or as much as fills the caches; then
 * two waves. */
static double l2_warm_ctas(const struct machine *m, const struct probe_point *pt)
{
    double fill = ceil(PROBE_FILLS * probe_cache_bytes(m) / l2_block_bytes(pt));
    return fmin(l2_blocks(pt), fill) + 2.0 * m->sm.count;
}

static void blocks_text(const struct machine *m, double ctas, double blocks, double block_bytes,
                        struct text *out)
{
    double pairs = block_bytes / PAIR_BYTES;
    uint32_t unroll = fmod(pairs, READ_UNROLL) == 0 ? READ_UNROLL : 1;
    text_add(out,
             "generator = \"block_read\"; order = \"interleaved\"; element_bytes = 8; "
             "registers = 32; ctas = %.0f; warps_per_cta = %u; blocks = %.0f; footprint = %.0fL; "
             "unroll = %u; iterations = %.0f;",
             ctas, probe_warps(m, READ_CTA), blocks, block_bytes * blocks, unroll, pairs / unroll);
}

static void l2_config(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    double bytes = l2_block_bytes(pt);
    double measured =
        2.0 * PROBE_READ_LOADS * probe_longer(pt) * m->sm.warp_width * PROBE_DOUBLE / bytes;
    double ctas = l2_warm_ctas(m, pt) + measured + 4.0 * m->sm.count;
    blocks_text(m, ceil(ctas), l2_blocks(pt), bytes, out);
}

static void l2_lengths(const struct machine *m, const struct probe_point *pt,
                       const struct launch *l, struct probe_lengths *out)
{
    double load = probe_per_load(l), cta = (double)l->warp_instructions / (double)l->ctas;
    out->warm = (uint64_t)(l2_warm_ctas(m, pt) * cta);
    out->settle = (uint64_t)(PROBE_READ_LOADS * load * probe_longer(pt) / 2);
    out->measure = (uint64_t)(PROBE_READ_LOADS * load * probe_longer(pt));
}

static void l2_value(const struct machine *m, struct probe_point *pt, const struct metrics *x)
{
    (void)m;
    pt->value = x->v[M_lane_requests] * PROBE_DOUBLE / x->v[M_time_us] / 1e3;
    pt->extra[0] = '\0';
}

const struct probe_program probe_l2_program = {
    .config = l2_config, .lengths = l2_lengths, .value = l2_value, .cta_threads = READ_CTA};

/* --- buffers of all SMs --- */

static uint32_t shared_threads(const struct probe_point *pt)
{
    double elements = pt->x * PROBE_KB / 2 / SHARED_ELEMENT;
    uint32_t threads = READ_CTA;
    while (threads > SHARED_LEAST && (elements < threads || fmod(elements, threads) != 0))
        threads /= 2;
    return threads;
}

static double shared_pair_bytes(const struct probe_point *pt)
{
    return 2.0 * shared_threads(pt) * SHARED_ELEMENT;
}

/* Pairs of loads of a thread in a round through the buffers. */
static double shared_pairs(const struct probe_point *pt)
{
    return fmax(1, floor(pt->x * PROBE_KB / shared_pair_bytes(pt)));
}

/* Pairs that are executed before measuring: two rounds, or as many as fill the L1 twice. */
static double shared_warm(const struct machine *m, const struct probe_point *pt)
{
    double l1 = fmax(m->l1.unified_kb, m->l1.kb) * PROBE_KB / shared_pair_bytes(pt);
    return ceil(2 * fmin(shared_pairs(pt), fmax(l1, 2 * READ_UNROLL)));
}

/* Pairs that are measured. */
static double shared_measured(const struct machine *m, const struct probe_point *pt)
{
    double loads = 2.0 * probe_warps(m, shared_threads(pt)) * m->sm.count;
    return fmax(PROBE_SHARED_PAIRS, ceil(PROBE_READ_LOADS / loads)) * probe_longer(pt);
}

static void shared_config(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    double pairs = shared_warm(m, pt) + 2 * shared_measured(m, pt);
    text_add(out,
             "generator = \"block_read\"; order = \"apart\"; element_bytes = %d; ctas = %u; "
             "warps_per_cta = %u; footprint = %.0fL; unroll = %d; iterations = %.0f;",
             SHARED_ELEMENT, m->sm.count, probe_warps(m, shared_threads(pt)),
             shared_pair_bytes(pt) * shared_pairs(pt), READ_UNROLL,
             ceil(pairs / READ_UNROLL) + READ_UNROLL);
}

/* Reads the buffers once, a block per CTA, so that the caches behind the L1s have what they keep of
 * them; none where the buffers are far larger, since every line is then gone before it is read
 * again. */
static void shared_fill(const struct machine *m, const struct probe_point *pt, struct text *out)
{
    double bytes = ceil(pt->x * PROBE_KB / PAIR_BYTES) * PAIR_BYTES;
    if (bytes > PROBE_FILLS * probe_cache_bytes(m)) return;
    blocks_text(m, bytes / PAIR_BYTES, bytes / PAIR_BYTES, PAIR_BYTES, out);
}

static void shared_lengths(const struct machine *m, const struct probe_point *pt,
                           const struct launch *l, struct probe_lengths *out)
{
    double pair = 2 * probe_per_load(l) * l->warps_per_cta * (double)l->ctas;
    out->warm = (uint64_t)(shared_warm(m, pt) * pair);
    out->settle = (uint64_t)(shared_measured(m, pt) * pair / 2);
    out->measure = (uint64_t)(shared_measured(m, pt) * pair);
}

static void shared_value(const struct machine *m, struct probe_point *pt, const struct metrics *x)
{
    (void)m;
    pt->value = x->v[M_lane_requests] * SHARED_ELEMENT / x->v[M_time_us] / 1e3;
    pt->extra[0] = '\0';
}

const struct probe_program probe_shared_program = {.config = shared_config,
                                                   .fill = shared_fill,
                                                   .lengths = shared_lengths,
                                                   .value = shared_value,
                                                   .cta_threads = READ_CTA};
