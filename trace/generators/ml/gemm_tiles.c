/* gemm_tiles.c - sizes of tiles, the raster of CTAs; see gemm_tiles.h. */
#include "trace/generators/ml/gemm_tiles.h"

#include "trace/generators/ml/gemm_choice.h"

enum { MOST_RESULTS = 128, VECTOR_BYTES = 16, COPY_LEAST = 4, PAD_BYTES = 16 };
/* The matrices of a program together have fewer bytes. */
#define MOST_BYTES 0x1p46

static bool is_power_of_two(int64_t v)
{
    return v > 0 && !(v & (v - 1));
}

static void set_defaults(struct generator *g)
{
    struct gen_config *c = &g->c;
    bool tensor = c->type != GEMM_FP32;
    if (!c->tile_m) c->tile_m = 128;
    if (!c->tile_n) c->tile_n = 128;
    if (!c->tile_k) c->tile_k = !tensor ? 8 : c->type == GEMM_TF32 ? 16 : 32;
    if (!c->warps_m) c->warps_m = tensor || g->width == 64 ? 2 : 4;
    if (!c->warps_n) c->warps_n = 2;
    if (!c->stages) c->stages = tensor ? 4 : 1;
    if (!c->split_k) c->split_k = 1;
    if (!c->swizzle) c->swizzle = 1;
    if (!c->warpgroup) c->warpgroup = 1;
    if (!c->cluster_m) c->cluster_m = 1;
    if (!c->cluster_n) c->cluster_n = 1;
}

/* The largest power of two up to `most` that divides n. */
static uint64_t common_vector(uint64_t n, uint64_t most)
{
    uint64_t v = most;
    while (n % v)
        v /= 2;
    return v;
}

/* Lanes of the FP32 units stand so that each one's part of the warp's tile is as square as can be:
 * it reads the fewest operands. */
static void choose_lanes(struct gemm_tiles *t)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t down = 1; down <= t->width; down *= 2) {
        uint32_t across = t->width / down;
        uint32_t m = t->a.warp_tile / down, n = t->b.warp_tile / across;
        if (!m || !n || m + n >= least) continue;
        least = m + n;
        t->lanes_m = down;
        t->lanes_n = across;
    }
}

static void lay_out(struct gemm_operand *o, const struct gemm_tiles *t, uint64_t run)
{
    uint64_t most = VECTOR_BYTES / t->bytes;
    bool transposed = !t->tensor && o->along_k;
    uint64_t row = o->along_k ? t->tile_k : o->tile, rows = o->along_k ? o->tile : t->tile_k;
    if (most > row) most = row;
    o->vector = transposed && t->stages > 1 ? 1 : common_vector(run, most);
    o->per_row = row / o->vector;
    o->n = o->per_row * rows / o->parts;
    o->accesses = (uint32_t)gen_divide_up(o->n, t->threads);
    o->pitch = transposed ? o->tile * t->bytes + PAD_BYTES : row * t->bytes;
    o->size = o->pitch * (transposed ? t->tile_k : rows);
}

/* How a lane reads its part of a slice. */
static void divide_reads(struct gemm_operand *o, const struct gemm_tiles *t, uint32_t lanes,
                         uint32_t group)
{
    if (t->tensor) {
        o->fragment = GEMM_FRAGMENT;
        o->fragments = o->warp_tile / GEMM_FRAGMENT / group;
        return;
    }
    uint32_t part = lanes ? o->warp_tile / lanes : 0;
    o->fragment = part < 4 ? part : 4;
    o->fragments = o->fragment ? part / o->fragment : 0;
}

static void derive_sizes(struct gemm_tiles *t, const struct gen_config *c)
{
    t->M = (uint64_t)c->M;
    t->N = (uint64_t)c->N;
    t->K = (uint64_t)c->K;
    t->batch = c->window ? 1 : (uint64_t)c->batch; /* images are rows of A */
    t->splits = (uint64_t)c->split_k;
    t->tile_k = (uint64_t)c->tile_k;
    t->a.tile = (uint64_t)c->tile_m;
    t->b.tile = (uint64_t)c->tile_n;
    t->tensor = c->type != GEMM_FP32;
    t->bytes = c->type == GEMM_FP32 || c->type == GEMM_TF32 ? 4 : 2;
    t->c_bytes = t->splits > 1 ? 4 : t->bytes;
    t->depth = !t->tensor ? 1 : t->bytes == 2 ? 16 : 8;
    t->slices = (uint32_t)(t->tile_k / t->depth);
    t->stages = (uint32_t)c->stages;
    t->buffers = t->stages == 1 ? 2 : t->stages;
    t->warps_m = (uint32_t)c->warps_m;
    t->warps_n = (uint32_t)c->warps_n;
    t->group = (uint32_t)c->warpgroup;
    t->tiles_m = gen_divide_up(t->M, t->a.tile);
    t->tiles_n = gen_divide_up(t->N, t->b.tile);
    t->steps = gen_divide_up(t->K, t->tile_k);
}

void gemm_tiles_derive(struct gemm_tiles *t, const struct generator *g)
{
    /* contiguous elements of a row of A */
    uint64_t run = (uint64_t)(g->c.window ? g->c.channels : g->c.K);
    *t = (struct gemm_tiles){.width = g->width, .lanes_m = 1, .lanes_n = g->width};
    derive_sizes(t, &g->c);
    t->threads = t->warps_m * t->warps_n * t->width;
    t->a.along_k = true;
    t->b.along_k = g->c.layout == GEMM_TN;
    t->a.warp_tile = (uint32_t)t->a.tile / t->warps_m;
    t->b.warp_tile = (uint32_t)t->b.tile / t->warps_n;
    if (!t->tensor) choose_lanes(t);
    t->a.parts = (uint64_t)g->c.cluster_n;
    t->b.parts = (uint64_t)g->c.cluster_m;
    lay_out(&t->a, t, run);
    lay_out(&t->b, t, t->b.along_k ? t->K : t->N);
    divide_reads(&t->a, t, t->lanes_m, 1);
    divide_reads(&t->b, t, t->lanes_n, t->group);
    t->b.at = t->a.size;
    t->buffer_bytes = t->a.size + t->b.size;
    uint64_t most = t->splits > 1 ? 1 : t->tensor ? VECTOR_BYTES / t->c_bytes : t->b.fragment;
    t->c_vector = common_vector(t->N, most ? most : 1);
}

/* --- checks --- */

static bool refuse_tile(const struct generator *g, const char *path, const char *why,
                        struct error *e)
{
    const struct gen_config *c = &g->c;
    return error_input(e, "%s: a tile of %lld x %lld x %lld for %lld x %lld warps of %u lanes; %s",
                       path, (long long)c->tile_m, (long long)c->tile_n, (long long)c->tile_k,
                       (long long)c->warps_m, (long long)c->warps_n, g->width, why);
}

static bool check_tile(const struct generator *g, const char *path, struct error *e)
{
    const struct gen_config *c = &g->c;
    const int64_t sizes[] = {c->tile_m,  c->tile_n,    c->tile_k,    c->warps_m,
                             c->warps_n, c->warpgroup, c->cluster_m, c->cluster_n};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!is_power_of_two(sizes[i]))
            return refuse_tile(
                g, path, "sizes of a tile, warps, warpgroup and clusters are powers of two", e);
    return c->warps_m * c->warps_n <= 32 || refuse_tile(g, path, "a CTA has at most 32 warps", e);
}

static bool check_warp(const struct generator *g, const struct gemm_tiles *t, const char *path,
                       struct error *e)
{
    uint64_t results = (uint64_t)t->a.warp_tile * t->b.warp_tile / t->width;
    if (!results || results > MOST_RESULTS || !t->a.fragments || !t->b.fragments)
        return refuse_tile(g, path,
                           "a lane computes 1 to 128 elements of C, and a warp of the matrix "
                           "units at least 16 x 16",
                           e);
    if (t->slices < 2)
        return refuse_tile(g, path, "tile_k has at least 2, 16 (tf32) or 32 (fp16, bf16)", e);
    if (t->group > 1 && (!t->tensor || t->warps_m % t->group))
        return refuse_tile(g, path,
                           "a warpgroup has matrix instructions and divides the warps along m", e);
    return true;
}

static bool check_clusters(const struct gemm_tiles *t, const char *path, struct error *e)
{
    uint64_t down = t->b.parts, across = t->a.parts;
    if (down * across == 1) return true;
    if (t->stages == 1 || t->tiles_m % down || t->tiles_n % across)
        return error_input(
            e,
            "%s: clusters of %llu x %llu CTAs for %llu x %llu tiles; they divide the "
            "tiles, and have asynchronous copies (stages)",
            path, (unsigned long long)down, (unsigned long long)across,
            (unsigned long long)t->tiles_m, (unsigned long long)t->tiles_n);
    return (t->a.n % t->a.per_row == 0 && t->a.n && t->b.n % t->b.per_row == 0 && t->b.n) ||
           error_input(e, "%s: a cluster of more CTAs than an operand's tile has rows", path);
}

static bool check_copies(const struct gemm_tiles *t, const char *path, struct error *e)
{
    uint64_t least = t->a.vector < t->b.vector ? t->a.vector : t->b.vector;
    return t->stages == 1 || least * t->bytes >= COPY_LEAST ||
           error_input(e,
                       "%s: rows of an odd number of 2-byte elements with stages = %u; copies move "
                       "4, 8 or 16 bytes: make them even, or set stages = 1",
                       path, t->stages);
}

static bool check_sizes(const struct gemm_tiles *t, const char *path, struct error *e)
{
    double m = (double)t->M, n = (double)t->N, k = (double)t->K;
    double bytes = (double)t->batch * (m * k + k * n + m * n) * 4;
    double ctas = (double)t->tiles_m * (double)t->tiles_n * (double)t->batch * (double)t->splits;
    if (bytes >= MOST_BYTES)
        return error_input(e, "%s: matrices of %.3g bytes; fewer than %.3g are allowed", path,
                           bytes, MOST_BYTES);
    if (!gen_check_ctas(ctas, path, e)) return false;
    if (t->splits > t->steps)
        return error_input(e, "%s: split_k = %llu; K has %llu tiles", path,
                           (unsigned long long)t->splits, (unsigned long long)t->steps);
    return true;
}

bool gemm_tiles_shape(struct generator *g, const char *path, struct error *e)
{
    struct gemm_tiles t;
    gemm_choose(g);
    set_defaults(g);
    if (!check_tile(g, path, e)) return false;
    gemm_tiles_derive(&t, g);
    if (!check_warp(g, &t, path, e) || !check_copies(&t, path, e) || !check_clusters(&t, path, e) ||
        !check_sizes(&t, path, e))
        return false;
    g->c.ctas = (int64_t)(t.tiles_m * t.tiles_n * t.batch * t.splits);
    g->c.iterations = (int64_t)gen_divide_up(t.steps, t.splits);
    g->c.warps_per_cta = t.warps_m * t.warps_n;
    g->even_ctas = t.steps % t.splits == 0;
    return true;
}

/* --- the raster --- */

/* Steps are dealt to splits as evenly as can be, the first ones one more. */
static uint64_t steps_of_split(const struct gemm_tiles *t, uint64_t split)
{
    return t->steps / t->splits + (split < t->steps % t->splits);
}

uint64_t gemm_tiles_cta_steps(const struct gemm_tiles *t, uint64_t cta)
{
    return steps_of_split(t, cta / (t->tiles_m * t->tiles_n) % t->splits);
}

struct gemm_place gemm_tiles_place(const struct gemm_tiles *t, const struct generator *g,
                                   uint64_t cta)
{
    bool along_n = g->c.raster == GEMM_RASTER_N;
    uint64_t tiles = t->tiles_m * t->tiles_n, at = cta % tiles;
    uint64_t along = along_n ? t->tiles_n : t->tiles_m, across = along_n ? t->tiles_m : t->tiles_n;
    uint64_t band = (uint64_t)g->c.swizzle, before = at / (along * band) * band;
    if (band > across - before) band = across - before;
    at -= before * along;
    uint64_t far = before + at % band, near = at / band;
    struct gemm_place p = {.product = cta / tiles / t->splits,
                           .split = cta / tiles % t->splits,
                           .m = (along_n ? far : near) * t->a.tile,
                           .n = (along_n ? near : far) * t->b.tile};
    uint64_t extra = t->steps % t->splits;
    p.steps = steps_of_split(t, p.split);
    p.first = p.split * (t->steps / t->splits) + (p.split < extra ? p.split : extra);
    return p;
}
