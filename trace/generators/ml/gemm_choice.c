/* gemm_choice.c - see gemm_choice.h. */
#include "trace/generators/ml/gemm_choice.h"

#include "trace/generators/ml/gemm_tiles.h"

#include <inttypes.h>
#include <math.h>

struct candidate {
    int64_t m, n, k, warps_m, warps_n, stages; /* stages = 0: as many as fit */
};

/* Warpgroups: wgmma of 64 rows, one or two groups. */
static const struct candidate groups[] = {
    {256, 128, 64, 8, 1, 0}, {128, 256, 64, 8, 1, 0}, {128, 128, 64, 8, 1, 0},
    {256, 64, 64, 8, 1, 0},  {64, 256, 64, 4, 1, 0},  {128, 64, 64, 8, 1, 0},
    {64, 128, 64, 4, 1, 0},  {64, 64, 64, 4, 1, 0},
};
/* mma.sync: ampere_*_s16816gemm_*. */
static const struct candidate warps[] = {
    {256, 128, 64, 4, 2, 3}, {128, 256, 64, 2, 4, 3}, {128, 128, 32, 2, 2, 5},
    {128, 128, 64, 2, 2, 3}, {256, 64, 64, 4, 1, 4},  {64, 256, 64, 1, 4, 4},
    {128, 64, 64, 2, 2, 4},  {64, 128, 64, 2, 2, 4},  {64, 64, 64, 2, 2, 6},
};
/* Warps of 64 lanes: macro tiles of hipBLASLt's kernels for gfx942 (MT16x16x128 to MT256x256x64),
 * of which 64 KB of shared memory hold two buffers. */
static const struct candidate macro_tiles[] = {
    {16, 16, 128, 1, 1, 2},  {32, 16, 128, 2, 1, 2},  {16, 32, 128, 1, 2, 2},
    {32, 32, 128, 2, 2, 2},  {64, 32, 64, 2, 2, 2},   {32, 64, 64, 2, 2, 2},
    {64, 64, 64, 2, 2, 2},   {128, 64, 64, 2, 2, 2},  {64, 128, 64, 2, 2, 2},
    {128, 128, 64, 2, 2, 2}, {256, 128, 32, 2, 2, 2}, {128, 256, 32, 2, 2, 2},
    {256, 256, 32, 4, 2, 2},
};
/* volta_sgemm_*, ampere_sgemm_*. */
static const struct candidate lanes[] = {
    {128, 128, 8, 4, 2, 1},
    {64, 128, 8, 2, 2, 1},
    {128, 64, 8, 2, 2, 1},
    {64, 64, 8, 2, 1, 1},
};

enum { MOST_STAGES = 16, MOST_BAND = 8, MOST_SPLITS = 16, SUM_BYTES = 4, LINE_BYTES = 128 };
enum { REGISTERS_BESIDE = 64 };

/* What a launch of a candidate comes to. */
struct gemm_plan {
    struct candidate c;
    int64_t splits;
    double resident;              /* CTAs on an SM */
    double ctas, steps;           /* of the launch; of a CTA */
    double step_macs, step_bytes; /* of a CTA */
    double macs;                  /* that an SM makes in a cycle */
};

static bool is_open(const struct gen_config *c)
{
    return !(c->tile_m | c->tile_n | c->tile_k | c->warps_m | c->warps_n | c->stages | c->split_k |
             c->swizzle | c->warpgroup | c->cluster_m | c->cluster_n);
}

static double bytes_of(const struct gen_config *c)
{
    return c->type == GEMM_FP32 || c->type == GEMM_TF32 ? 4 : 2;
}

static double up(double a, double b)
{
    return ceil(a / b);
}

static int64_t tiles(int64_t of, int64_t tile)
{
    return of / tile + (of % tile != 0);
}

/* Two CTAs that share the larger operand of a warpgroup's tile make a cluster, down the tiles or
 * across, where their number is even. */
static int64_t cluster_m(const struct generator *g, const struct candidate *c)
{
    bool pays = g->card.warpgroups && g->c.type != GEMM_FP32;
    return pays && c->n >= c->m && tiles(g->c.M, c->m) % 2 == 0 ? 2 : 1;
}
static int64_t cluster_n(const struct generator *g, const struct candidate *c)
{
    bool pays = g->card.warpgroups && g->c.type != GEMM_FP32;
    return pays && cluster_m(g, c) == 1 && tiles(g->c.N, c->n) % 2 == 0 ? 2 : 1;
}

static double resident_of(const struct generator *g, const struct gemm_plan *p)
{
    const struct program_card *card = &g->card;
    double threads = (double)(p->c.warps_m * p->c.warps_n) * g->width;
    double buffers = p->c.stages == 1 ? 2 : (double)p->c.stages;
    double shared = buffers * (double)((p->c.m + p->c.n) * p->c.k) * bytes_of(&g->c);
    double registers = (double)(p->c.m * p->c.n) + REGISTERS_BESIDE * threads;
    double most = floor(card->lanes / threads);
    if (card->shared_bytes > 0) most = fmin(most, floor(card->shared_bytes / shared));
    if (card->registers > 0) most = fmin(most, floor(card->registers / registers));
    return most;
}

static void plan_sizes(struct gemm_plan *p, const struct generator *g)
{
    const struct gen_config *c = &g->c;
    double a = (double)p->c.m / (double)cluster_n(g, &p->c);
    double b = (double)p->c.n / (double)cluster_m(g, &p->c);
    double batch = c->window ? 1 : (double)c->batch;
    p->ctas = up((double)c->M, (double)p->c.m) * up((double)c->N, (double)p->c.n) * batch *
              (double)p->splits;
    p->steps = up(up((double)c->K, (double)p->c.k), (double)p->splits);
    p->step_macs = (double)(p->c.m * p->c.n * p->c.k);
    /* rows past the edges are not fetched */
    a = fmin(a, (double)c->M);
    b = fmin(b, (double)c->N);
    p->step_bytes = (a + b) * (double)p->c.k * bytes_of(c);
    p->macs = c->type == GEMM_FP32 ? g->card.fp32_macs : g->card.matrix_macs;
    if (c->type == GEMM_TF32) p->macs /= 2;
}

/* The cycles of a wave of so many CTAs, and of its CTAs' first tiles and results. */
static double wave_cycles(const struct generator *g, const struct gemm_plan *p, double ctas)
{
    const struct program_card *card = &g->card;
    double on_sm = up(ctas, card->sms), ahead = fmax(1, (double)p->c.stages - 1);
    double step = fmax(on_sm * p->step_macs / p->macs, on_sm * p->step_bytes / card->sm_bytes);
    step = fmax(step, ctas * p->step_bytes / card->l2_bytes);
    step = fmax(step, card->latency / ahead);
    double results = (double)(p->c.m * p->c.n) * (p->splits > 1 ? SUM_BYTES : bytes_of(&g->c));
    return p->steps * step + 2 * card->latency + on_sm * results / card->sm_bytes;
}

static double memory_cycles(const struct generator *g, const struct gemm_plan *p)
{
    const struct gen_config *c = &g->c;
    double batch = c->window ? 1 : (double)c->batch, m = (double)c->M, n = (double)c->N;
    double in = (m + n) * (double)c->K * bytes_of(c);
    double out = m * n * (p->splits > 1 ? 2.0 * SUM_BYTES : bytes_of(c));
    return g->card.dram_bytes > 0 ? batch * (in + out) / g->card.dram_bytes : 0;
}

/* A wave keeps the memory busy with its part of the matrices, however few CTAs it has. */
static double plan_cycles(const struct generator *g, const struct gemm_plan *p)
{
    double whole = g->card.sms * p->resident, waves = floor(p->ctas / whole);
    double rest = p->ctas - waves * whole, memory = memory_cycles(g, p) / p->ctas;
    double cycles = 0;
    if (waves > 0) cycles += waves * fmax(wave_cycles(g, p, whole), whole * memory);
    if (rest > 0) cycles += fmax(wave_cycles(g, p, rest), rest * memory);
    return cycles;
}

static void take(struct generator *g, const struct gemm_plan *p)
{
    struct gen_config *c = &g->c;
    int64_t across = c->raster == GEMM_RASTER_N ? tiles(c->M, p->c.m) : tiles(c->N, p->c.n);
    c->tile_m = p->c.m;
    c->tile_n = p->c.n;
    c->tile_k = p->c.k;
    c->warps_m = p->c.warps_m;
    c->warps_n = p->c.warps_n;
    c->stages = p->c.stages;
    c->split_k = p->splits;
    c->warpgroup = g->card.warpgroups && c->type != GEMM_FP32 ? 4 : 1;
    c->cluster_m = cluster_m(g, &p->c);
    c->cluster_n = cluster_n(g, &p->c);
    for (c->swizzle = 1; c->swizzle < MOST_BAND && c->swizzle < across;)
        c->swizzle *= 2;
}

static int64_t stages_that_fit(const struct generator *g, const struct candidate *c)
{
    double step = (double)((c->m + c->n) * c->k) * bytes_of(&g->c);
    double most = floor(g->card.shared_bytes / step);
    return most < MOST_STAGES ? (int64_t)most : MOST_STAGES;
}

/* A candidate's sizes are those of 16-bit elements; half of K has as many bytes of TF32. */
static struct gemm_plan plan_of(const struct generator *g, const struct candidate *c,
                                int64_t splits)
{
    struct gemm_plan p = {.c = *c, .splits = splits};
    if (g->c.type == GEMM_TF32) p.c.k /= 2;
    if (!p.c.stages) p.c.stages = stages_that_fit(g, &p.c);
    plan_sizes(&p, g);
    p.resident = resident_of(g, &p);
    return p;
}

/* A step of warps of 32 lanes on matrix units has whole lines of rows along K, as the names of
 * cuBLAS's tn kernels have: the memory opens a row again for each part of a line. */
static bool reads_lines(const struct generator *g, const struct candidate *c)
{
    bool matters = g->width == 32 && g->c.type != GEMM_FP32 && g->c.layout == GEMM_TN;
    return !matters || (double)c->k * bytes_of(&g->c) >= LINE_BYTES;
}

static void choose_among(struct generator *g, const struct candidate *c, size_t n)
{
    struct gemm_plan best = {0};
    double least = INFINITY;
    for (size_t i = 0; i < n; i++)
        for (int64_t splits = 1; splits <= MOST_SPLITS; splits++) {
            struct gemm_plan p = plan_of(g, &c[i], splits);
            bool fits = p.resident >= 1 && (p.c.stages > 1 || g->c.type == GEMM_FP32);
            bool starved = splits == 1 || p.ctas <= g->card.sms;
            bool divides = splits == 1 || p.c.k * splits <= g->c.K;
            if (!fits || !starved || !divides || !reads_lines(g, &p.c)) continue;
            double cycles = plan_cycles(g, &p);
            if (cycles >= least) continue;
            least = cycles;
            best = p;
        }
    if (least < INFINITY) take(g, &best);
}

void gemm_choose(struct generator *g)
{
    bool wide = g->width == 64;
    g->follows_card = (g->width == 32 || (wide && g->c.type != GEMM_FP32)) && is_open(&g->c);
    if (!g->follows_card || g->card.sms <= 0) return;
    if (wide && g->card.matrix_macs > 0)
        choose_among(g, macro_tiles, sizeof macro_tiles / sizeof *macro_tiles);
    else if (g->c.type == GEMM_FP32)
        choose_among(g, lanes, sizeof lanes / sizeof *lanes);
    else if (g->card.matrix_macs > 0 && g->card.warpgroups)
        choose_among(g, groups, sizeof groups / sizeof *groups);
    else if (g->card.matrix_macs > 0)
        choose_among(g, warps, sizeof warps / sizeof *warps);
}

void gemm_chosen(const struct gen_config *c, struct text *out)
{
    text_add(out, "%" PRId64 "x%" PRId64 "x%" PRId64 ", %" PRId64 " stage%s", c->tile_m, c->tile_n,
             c->tile_k, c->stages, c->stages == 1 ? "" : "s");
    if (c->cluster_m * c->cluster_n > 1)
        text_add(out, ", cluster %" PRId64 "x%" PRId64, c->cluster_m, c->cluster_n);
    if (c->split_k > 1) text_add(out, ", K in %" PRId64 " parts", c->split_k);
}
