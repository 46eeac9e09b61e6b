/* spmm.c - the matrix of kernels/spmm.cfg: a sparse one in CSR, whose rows are drawn.
 *
 * Degrees: all rows equal, or by a bounded power law (density about degree^-exponent from the least
 * degree on, up to all columns) whose least degree gives the mean asked for; parts of a non-zero
 * are rounded by the row's hash. A non-zero lies with probability `locality` in a band around its
 * row's place, else anywhere, popular columns first where `popularity` (exponent of Zipf's law,
 * spread by steps of the golden section) is above 0. Columns of a row are neither sorted nor
 * different. */
#include "base/memory/alloc.h"
#include "trace/generators/nest.h"

#include <math.h>

enum { CTA_WARPS = 8, PIECES = 2, MOST_ROWS = 1 << 24 };
static const char *const tensors[] = {"offsets", "indices", "values", "b", "c", NULL};

enum { REGULAR, POWER_LAW };
static const char *const degree_laws[] = {"regular", "power_law", NULL};

extern const char kernel_spmm[];

static const struct gen_param params[] = {
    GEN_PARAM(rows, GEN_INT, 16384, 1, MOST_ROWS, NULL, "rows of A and C"),
    GEN_PARAM(columns, GEN_INT, 16384, 1, 0x1p31, NULL, "columns of A, rows of B"),
    GEN_PARAM(width, GEN_INT, 64, 1, 1 << 20, NULL, "columns of B and C"),
    GEN_PARAM(degrees, GEN_CHOICE, POWER_LAW, 0, 0, degree_laws, "law of the non-zeros of a row"),
    GEN_PARAM(degree, GEN_REAL, 16, 0, 0x1p31, NULL, "mean non-zeros of a row"),
    GEN_PARAM(exponent, GEN_REAL, 2.5, 1.01, 8.0, NULL, "of the power law of degrees"),
    GEN_PARAM(locality, GEN_REAL, 0, 0, 1, NULL, "part of the non-zeros in the band"),
    GEN_PARAM(band, GEN_INT, 256, 1, 0x1p31, NULL, "columns of the band around a row's place"),
    GEN_PARAM(popularity, GEN_REAL, 0, 0, 8.0, NULL,
              "exponent of Zipf's law of the columns; 0: uniform"),
    GEN_PARAM(unroll, GEN_INT, 4, 1, GEN_MAX_UNROLL, NULL, "non-zeros of a step, a power of two"),
};

/* --- the matrix --- */

/* The moments of degree^-exponent between lo and hi. */
static double integrate_power(double lo, double hi, double power)
{
    double q = power + 1;
    return fabs(q) < 1e-9 ? log(hi / lo) : (pow(hi, q) - pow(lo, q)) / q;
}

static double mean_degree(double least, double most, double exponent)
{
    return integrate_power(least, most, 1 - exponent) / integrate_power(least, most, -exponent);
}

/* The least degree that gives the mean. */
static double find_least(double mean, double most, double exponent)
{
    double lo = 1e-9, hi = mean;
    for (int i = 0; i < 200; i++) {
        double middle = (lo + hi) / 2;
        if (mean_degree(middle, most, exponent) < mean)
            lo = middle;
        else
            hi = middle;
    }
    return hi;
}

static uint32_t draw_degree(const struct generator *g, uint64_t row, double least)
{
    double x = g->c.degree, most = (double)g->c.columns, q = 1 - g->c.exponent;
    if (g->c.degrees == POWER_LAW && least < most) {
        double u = gen_hash_unit(g, 2 * row), from = pow(least, q);
        x = pow(from + u * (pow(most, q) - from), 1 / q);
    }
    x = floor(x + gen_hash_unit(g, 2 * row + 1));
    return (uint32_t)(x < most ? x : most);
}

/* Fills the offsets of all rows, of 4 bytes as those of the matrix. */
static bool draw_rows(struct generator *g, const char *path, struct error *e)
{
    uint64_t rows = (uint64_t)g->c.rows, all = 0;
    uint32_t *offset = mem_new(rows + 1, sizeof *offset);
    g->own = offset;
    if (!offset) return error_no_memory(e);
    double least = 0;
    if (g->c.degrees == POWER_LAW)
        least = find_least(g->c.degree, (double)g->c.columns, g->c.exponent);
    for (uint64_t row = 0; row < rows; row++) {
        all += draw_degree(g, row, least);
        if (all > INT32_MAX)
            return error_input(e, "%s: the matrix has more than %d non-zeros", path, INT32_MAX);
        offset[row + 1] = (uint32_t)all;
    }
    return true;
}

static uint64_t row_start(const struct generator *g, uint64_t row)
{
    if (row > (uint64_t)g->c.rows) return 0;
    return ((const uint32_t *)g->own)[row];
}

static uint64_t find_start(const struct generator *g, const uint64_t *row)
{
    return row_start(g, *row);
}

/* The column of a non-zero of a row. */
static uint64_t draw_column(const struct generator *g, const uint64_t *v)
{
    uint64_t row = v[0], nonzero = v[1];
    uint64_t columns = (uint64_t)g->c.columns, band = (uint64_t)g->c.band;
    uint64_t draw = 2 * ((uint64_t)g->c.rows + nonzero);
    if (gen_hash_unit(g, draw) < g->c.locality) {
        if (band > columns) band = columns;
        uint64_t centre = row * columns / (uint64_t)g->c.rows, half = band / 2;
        uint64_t first = centre > half ? centre - half : 0;
        if (first > columns - band) first = columns - band;
        return first + gen_hash_below(g, draw + 1, band);
    }
    return gen_zipf_item(g, draw + 1, columns, g->c.popularity, g->jump);
}

/* --- shape --- */

static uint64_t row_blocks(const struct generator *g)
{
    return ((uint64_t)g->c.rows + CTA_WARPS - 1) / CTA_WARPS;
}

static uint64_t steps_of(const struct generator *g, uint64_t row)
{
    uint64_t n = 0, unroll = (uint64_t)g->c.unroll;
    if (row < (uint64_t)g->c.rows) n = row_start(g, row + 1) - row_start(g, row);
    return n ? (n + unroll - 1) / unroll : 1;
}

static uint64_t warp_steps(const struct generator *g, uint64_t cta, uint32_t warp)
{
    return steps_of(g, cta % row_blocks(g) * CTA_WARPS + warp);
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    if (g->c.unroll & (g->c.unroll - 1))
        return error_input(e, "%s: unroll = %lld; a power of two is allowed", path,
                           (long long)g->c.unroll);
    if (g->c.degree > (double)g->c.columns)
        return error_input(e, "%s: degree = %g; at most columns = %lld", path, g->c.degree,
                           (long long)g->c.columns);
    if (g->c.degrees == POWER_LAW && !(g->c.degree > 0))
        return error_input(e,
                           "%s: degree = 0; a power law needs more than 0, or set degrees = "
                           "\"regular\"",
                           path);
    int64_t across = PIECES * (int64_t)g->width;
    g->c.ctas = (int64_t)row_blocks(g) * ((g->c.width + across - 1) / across);
    g->c.warps_per_cta = CTA_WARPS;
    g->c.iterations = 1;
    if (g->c.ctas > GEN_MAX_CTAS) return true; /* the caller refuses them */
    if (!draw_rows(g, path, e)) return false;
    for (uint64_t row = 0; row < (uint64_t)g->c.rows; row++)
        if ((int64_t)steps_of(g, row) > g->c.iterations)
            g->c.iterations = (int64_t)steps_of(g, row);
    return true;
}

static bool prepare(struct generator *g, struct error *e)
{
    (void)e;
    g->jump = gen_golden_jump((uint64_t)g->c.columns);
    gen_define(g, "start", find_start, 1);
    gen_define(g, "column_of", draw_column, 2);
    gen_set(g, "nonzeros", row_start(g, (uint64_t)g->c.rows));
    return true;
}

const struct generator_ops generator_spmm = {
    .name = "spmm",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .text = kernel_spmm,
    .prepare = prepare,
    .shape = shape,
    .warp_steps = warp_steps,
    .tensors = tensors,
};
