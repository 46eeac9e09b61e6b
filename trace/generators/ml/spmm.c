/* spmm.c - a sparse matrix in CSR times a dense one: C = A B.
 *
 * CTA x + y * ceil(rows / 8) has eight warps, each for a row of A and 2 pieces of C's row, as wide
 * as a warp (columns 2 y w to 2 (y + 1) w - 1 of C for w lanes). A warp loads where its row begins
 * and ends (4 bytes each, the same for all lanes). A step multiplies `unroll` non-zeros: once for
 * as many non-zeros as it has lanes, the warp loads their columns and values (4 bytes a lane each,
 * side by side) and stores them to shared memory; then it reads `unroll` of either back (the same
 * word for all lanes), loads the pieces of those rows of B (4 bytes a lane), and multiplies.
 * Instructions beyond the row's end, and the loads of columns and values in the steps between, are
 * predicated off. Warps end with their own row, so they differ in length. At last a warp stores its
 * pieces of C. Source: GE-SpMM (Huang, Dai, Wang, Yang, SC 2020): coalesced row caching, and warps
 * merged by two.
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

enum { CTA_WARPS = 8, PIECES = 2, WORD = 4, MOST_ROWS = 1 << 24 };
enum { OFFSETS, COLUMNS, VALUES, B, C, N_ARRAYS };
static const char *const tensors[] = {"offsets", "indices", "values", "b", "c", NULL};

enum { REGULAR, POWER_LAW };
static const char *const degree_laws[] = {"regular", "power_law", NULL};

/* Registers: of non-zero u its column and value, and its elements of B; of the pieces their sums.
 */
enum {
    R_COLUMN = GEN_R_OWN,
    R_VALUE = R_COLUMN + GEN_MAX_UNROLL,
    R_B = R_VALUE + GEN_MAX_UNROLL,
    R_SUM = R_B + PIECES * GEN_MAX_UNROLL,
    R_END = R_SUM + PIECES
};
_Static_assert((int)R_END <= (int)GEN_REGISTERS, "registers are numbered below this");

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
    return gen_zipf_item(g, draw + 1, columns, g->c.popularity);
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

/* --- code --- */

/* A warp keeps the columns and the values of as many non-zeros as it has lanes, if the step begins
 * them. */
static void add_cache(struct generator *g)
{
    static const char *const shared[] = {"2 * warp * lanes + lane",
                                         "(2 * warp + 1) * lanes + lane"};
    for (uint16_t k = 0; k < 4; k++) {
        uint16_t values = k % 2, data = values ? GEN_R_DATA + 4 : GEN_R_DATA;
        if (k < 2) {
            gen_load(g, data, values ? GEN_R_ADDRESS + 4 : GEN_R_ADDRESS + 2, WORD,
                     COLUMNS + 1 + values);
            gen_at(g, COLUMNS + values, WORD, "nonzero + lane");
        } else {
            gen_shared_bytes(g, OP_SHARED_STORE, data, WORD);
            gen_at(g, NEST_SHARED, WORD, shared[values]);
        }
        gen_if(g, "nonzero + lane < end && in_row % lanes == 0");
    }
}

static void begin_nonzero(struct generator *g, uint32_t u)
{
    gen_set(g, "u", u);
    gen_only(g, "row < rows && nonzero + u < end");
}

/* An access to a piece of a row of B or C. */
static void access_piece(struct generator *g, int32_t array, uint32_t piece, const char *row)
{
    gen_set(g, "piece", piece);
    gen_let(g, "column", "(cta / blocks * pieces + piece) * lanes + lane");
    gen_let(g, "of_row", row);
    gen_at(g, array, WORD, "of_row * width + column");
    gen_if(g, "column < width");
}

static void add_step(struct generator *g)
{
    uint16_t unroll = (uint16_t)g->c.unroll;
    add_cache(g);
    for (uint16_t u = 0; u < unroll; u++) {
        begin_nonzero(g, u);
        gen_shared_bytes(g, OP_SHARED_LOAD, R_COLUMN + u, WORD);
        gen_at(g, NEST_SHARED, WORD, "2 * warp * lanes + (in_row + u) % lanes");
        gen_shared_bytes(g, OP_SHARED_LOAD, R_VALUE + u, WORD);
        gen_at(g, NEST_SHARED, WORD, "(2 * warp + 1) * lanes + (in_row + u) % lanes");
        gen_op(g, OP_INT, GEN_R_DATA2 + u, R_COLUMN + u, GEN_R_ADDRESS + 6, "IMAD.WIDE");
    }
    for (uint16_t n = 0; n < PIECES * unroll; n++) {
        begin_nonzero(g, n / PIECES);
        gen_load(g, R_B + n, (uint16_t)(GEN_R_DATA2 + n / PIECES), WORD, B + 1);
        access_piece(g, B, n % PIECES, "column_of(row, nonzero + u)");
    }
    for (uint16_t n = 0; n < PIECES * unroll; n++) {
        begin_nonzero(g, n / PIECES);
        gen_fma(g, R_SUM + n % PIECES, R_VALUE + n / PIECES, R_B + n);
    }
    gen_only(g, "row < rows");
}

/* The warp's row of A; a warp behind the last row has none, and its lanes are off. */
static void name_row(struct generator *g)
{
    gen_define(g, "start", find_start, 1);
    gen_define(g, "column_of", draw_column, 2);
    gen_set(g, "blocks", row_blocks(g));
    gen_set(g, "pieces", PIECES);
    gen_let(g, "row", "cta % blocks * warps + warp");
    gen_let(g, "in_row", "step * unroll");
    gen_let(g, "nonzero", "start(row) + in_row");
    gen_let(g, "end", "start(row + 1)");
    gen_only(g, "row < rows");
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    double rows = (double)g->c.rows, width = (double)g->c.width;
    double nonzeros = (double)row_start(g, (uint64_t)g->c.rows);
    double bytes[N_ARRAYS] = {(rows + 1) * WORD, nonzeros * WORD, nonzeros * WORD,
                              (double)g->c.columns * width * WORD, rows * width * WORD};
    if (!gen_place_checked(g, path, N_ARRAYS, bytes, e)) return false;
    g->jump = gen_golden_jump((uint64_t)g->c.columns);
    g->shared_bytes = CTA_WARPS * g->width * 2 * WORD;
    name_row(g);
    gen_prologue(g, 4);
    gen_load(g, GEN_R_INDEX, GEN_R_ADDRESS, WORD, OFFSETS + 1);
    gen_at(g, OFFSETS, WORD, "row");
    gen_load(g, GEN_R_COUNT, GEN_R_ADDRESS, WORD, OFFSETS + 1);
    gen_at(g, OFFSETS, WORD, "row + 1");
    gen_op(g, OP_INT, GEN_R_ADDRESS + 2, GEN_R_INDEX, REG_NONE, "IMAD.WIDE");
    gen_op(g, OP_INT, GEN_R_ADDRESS + 4, GEN_R_INDEX, GEN_R_COUNT, "IMAD.WIDE");
    g->n_prologue = g->code.n;
    add_step(g);
    gen_loop_end(g, 0);
    for (uint16_t p = 0; p < PIECES; p++) {
        gen_store(g, R_SUM + p, GEN_R_ADDRESS, WORD, C + 1);
        access_piece(g, C, p, "row");
    }
    gen_only(g, "");
    gen_exit(g);
    return true;
}

const struct generator_ops generator_spmm = {
    .name = "spmm",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .shape = shape,
    .warp_steps = warp_steps,
    .tensors = tensors,
};
