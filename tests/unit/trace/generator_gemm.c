/* The generator of matrix products: every element that its CTAs bring to registers and shared
 * memory is followed to the products and sums, with a memory and registers that hold the names of
 * elements instead of numbers. Every pair of a row and a column must meet once for each k. */
#include "tests/support/generator_refused.h"

#include "gpu/geometry/bank_conflicts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIDE = 320, MOST_SHARED = 1 << 16, MOST_WARPS = 8, MOST_NAMES = 16, REGISTERS = 256 };
static const uint64_t BASE = UINT64_C(1) << 36;

struct example {
    uint32_t M, N, K, batch, tile_m, tile_n, tile_k, splits, width;
    bool tn, tensor;
    uint32_t bytes;
    const char *more;
};

/* An element of A or B: its row or column, and k. */
struct name {
    uint8_t of, product; /* of: 0 for a zero, 'a' or 'b' */
    uint16_t side, k;
};

struct value {
    struct name name[MOST_NAMES];
    uint32_t n, stored;
};

/* A CTA at work. */
struct bench {
    const struct example *x;
    struct name shared[MOST_SHARED];
    struct value reg[MOST_WARPS][WARP_MAX_LANES][REGISTERS];
    /* Of a pair of a row and a column: how often they met, the lane or warp that did it, stores. */
    uint32_t met[MOST_SIDE][MOST_SIDE], owner[MOST_SIDE][MOST_SIDE];
    uint32_t stores[MOST_SIDE][MOST_SIDE], product, conflicts;
};

static uint64_t round_up(uint64_t v)
{
    return (v + (2 << 20) - 1) / (2 << 20) * (2 << 20);
}

static struct name name_of(const struct example *x, uint64_t address)
{
    uint64_t b = BASE + round_up((uint64_t)x->batch * x->M * x->K * x->bytes);
    bool of_b = address >= b;
    uint64_t at = (address - (of_b ? b : BASE)) / x->bytes, matrix = x->K * (of_b ? x->N : x->M);
    uint64_t within = at % matrix, row = of_b && !x->tn ? x->N : x->K;
    struct name n = {of_b ? 'b' : 'a', (uint8_t)(at / matrix), (uint16_t)(within / row),
                     (uint16_t)(within % row)};
    if (of_b && !x->tn) {
        n.side = (uint16_t)(within % row);
        n.k = (uint16_t)(within / row);
    }
    assert_true(n.product < x->batch);
    return n;
}

static void load(struct bench *b, struct value *v, bool on, uint64_t address, uint32_t width)
{
    *v = (struct value){.n = width / b->x->bytes};
    for (uint32_t i = 0; on && i < v->n; i++)
        v->name[i] = name_of(b->x, address + i * b->x->bytes);
}

static void shared_store(struct bench *b, struct value *v, uint64_t address, uint32_t width)
{
    assert_int_equal(address % width, 0);
    for (uint32_t i = 0; i < width / b->x->bytes; i++, v->stored++) {
        assert_true(address / b->x->bytes + i < MOST_SHARED && v->stored < v->n);
        b->shared[address / b->x->bytes + i] = v->name[v->stored];
    }
}

static void shared_load(struct bench *b, struct value *v, uint64_t address, uint32_t width)
{
    assert_int_equal(address % width, 0);
    *v = (struct value){.n = width / b->x->bytes};
    for (uint32_t i = 0; i < v->n; i++) {
        assert_true(address / b->x->bytes + i < MOST_SHARED);
        v->name[i] = b->shared[address / b->x->bytes + i];
    }
}

static void meet(struct bench *b, const struct value *va, const struct value *vb, uint32_t who)
{
    for (uint32_t i = 0; i < va->n; i++)
        for (uint32_t j = 0; j < vb->n; j++) {
            struct name a = va->name[i], c = vb->name[j];
            assert_true((!a.of || a.of == 'a') && (!c.of || c.of == 'b'));
            if (!a.of || !c.of || (b->x->tensor && a.k != c.k)) continue;
            assert_int_equal(a.k, c.k);
            assert_true(a.product == b->product && c.product == b->product);
            b->met[a.side][c.side]++;
            assert_true(!b->owner[a.side][c.side] || b->owner[a.side][c.side] == who + 1);
            b->owner[a.side][c.side] = who + 1;
        }
}

/* On the FP32 units a lane multiplies its own operands, on the matrix units those of all lanes. */
static void multiply(struct bench *b, const struct warp_inst *w, uint32_t warp)
{
    uint32_t width = b->x->width;
    uint16_t ra = w->si->src[0], rb = w->si->src[1];
    for (uint32_t i = 0; i < width; i++)
        for (uint32_t j = 0; j < width; j++)
            if (b->x->tensor || i == j)
                meet(b, &b->reg[warp][i][ra], &b->reg[warp][j][rb],
                     b->x->tensor ? warp : warp * width + i);
}

static void store(struct bench *b, uint64_t address, uint32_t width, uint32_t who)
{
    const struct example *x = b->x;
    uint64_t at = BASE + round_up((uint64_t)x->batch * x->M * x->K * x->bytes) +
                  round_up((uint64_t)x->batch * x->K * x->N * x->bytes);
    uint32_t bytes = x->splits > 1 ? 4 : x->bytes;
    for (uint32_t i = 0; i < width / bytes; i++) {
        uint64_t element = (address - at) / bytes + i;
        uint64_t row = element / x->N % x->M, column = element % x->N;
        assert_int_equal(element / x->N / x->M, b->product);
        assert_true(row < x->M && b->owner[row][column] == who + 1);
        b->stores[row][column]++;
    }
}

static void execute(struct bench *b, const struct warp_inst *w, uint32_t warp)
{
    const struct static_inst *si = w->si;
    uint32_t k = 0;
    bool product = (si->cls == OP_FP32 && si->n_src == 2) || inst_op_is_matrix(si->cls);
    if (product) multiply(b, w, warp);
    if (si->cls == OP_SHARED_LOAD)
        b->conflicts +=
            bank_conflict_cycles(w, 32) * 128 > b->x->width * si->width && b->x->tensor;
    for (uint32_t l = 0; l < b->x->width && inst_has_addresses(si); l++) {
        bool on = w->mask >> l & 1;
        uint64_t address = on ? warp_inst_addr(w, k++) : 0;
        if (si->cls == OP_LOAD) load(b, &b->reg[warp][l][si->dst], on, address, si->width);
        if (!on) continue;
        if (si->cls == OP_SHARED_STORE)
            shared_store(b, &b->reg[warp][l][si->src[1]], address, si->width);
        if (si->cls == OP_SHARED_LOAD)
            shared_load(b, &b->reg[warp][l][si->dst], address, si->width);
        if (si->cls == OP_STORE || si->cls == OP_ATOMIC)
            store(b, address, si->width, b->x->tensor ? warp : warp * b->x->width + l);
    }
}

/* Runs the warps of a CTA in turn, each to its next barrier. */
static void run_cta(struct bench *b, const struct program *p, uint64_t cta)
{
    struct error e;
    const struct launch *launch = program_launch(p, 0);
    struct reader *r = reader_new(p, &e);
    struct cursor c[MOST_WARPS] = {0};
    bool over[MOST_WARPS] = {0};
    struct warp_inst w;
    for (uint32_t i = 0; i < launch->warps_per_cta; i++)
        check_ok(cursor_seek(&c[i], r, 0, cta, i, 0, &e), &e);
    for (uint32_t left = launch->warps_per_cta; left;)
        for (uint32_t i = 0; i < launch->warps_per_cta; i++)
            while (!over[i]) {
                over[i] = cursor_next(&c[i], &w, &e) != GOT_INST;
                left -= over[i];
                if (over[i] || w.si->cls == OP_BARRIER) break;
                execute(b, &w, i);
            }
    for (uint32_t i = 0; i < launch->warps_per_cta; i++)
        cursor_release(&c[i]);
    reader_free(r);
}

/* A vector that one instruction reads at once meets the same partner in as many instructions as it
 * has elements; a fragment of 16 columns does in two of 8. */
static uint32_t instructions_of_pair(const struct example *x)
{
    if (x->tensor) return x->width == 32 ? 2 : 1;
    return 16;
}

static struct program *open_example(const struct example *x, const char *more)
{
    char text[600];
    struct error e = {0};
    const char *path = scratch_path("gemm.cfg");
    snprintf(text, sizeof text,
             "generator = \"gemm\"; M = %u; N = %u; K = %u; batch = %u; tile_m = %u; tile_n = %u; "
             "tile_k = %u; split_k = %u; layout = \"%s\"; %s %s",
             x->M, x->N, x->K, x->batch, x->tile_m, x->tile_n, x->tile_k, x->splits,
             x->tn ? "tn" : "nn", x->more, more);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = x->width}, &e);
    check_ok(p, &e);
    check_ok(program_verify(p, &e), &e);
    unlink(path);
    return p;
}

static const struct example examples[] = {
    {64, 64, 32, 1, 64, 64, 8, 1, 32, false, false, 4, "warps_m = 2; warps_n = 1;"},
    {70, 90, 21, 2, 64, 64, 8, 1, 32, true, false, 4, "warps_m = 1; warps_n = 2;"},
    {130, 68, 44, 1, 64, 64, 8, 2, 32, true, false, 4, "raster = \"m\"; swizzle = 2; warps_m = 2;"},
    {128, 128, 16, 1, 64, 128, 8, 1, 64, false, false, 4, "warps_m = 2; warps_n = 1;"},
    {100, 96, 72, 1, 64, 64, 32, 1, 32, true, true, 2, "type = \"fp16\";"},
    {65, 130, 50, 2, 64, 32, 32, 1, 32, false, true, 2, "type = \"bf16\"; swizzle = 4;"},
    {80, 72, 40, 1, 32, 64, 16, 2, 32, false, true, 4,
     "type = \"tf32\"; warps_n = 4; warps_m = 1;"},
    {64, 96, 64, 1, 64, 32, 32, 1, 64, true, true, 2, "type = \"fp16\"; warps_n = 1;"},
};

static void every_row_meets_every_column_once_for_each_k(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof *b);
    assert_non_null(b);
    for (uint32_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        struct program *p = open_example(x, "stages = 1;");
        uint64_t ctas = program_launch(p, 0)->ctas, per_product = ctas / x->batch;
        assert_int_equal(per_product, (uint64_t)((x->M + x->tile_m - 1) / x->tile_m) *
                                          ((x->N + x->tile_n - 1) / x->tile_n) * x->splits);
        for (uint64_t cta = 0; cta < ctas; cta++) {
            if (cta % per_product == 0) memset(b, 0, sizeof *b);
            b->x = x;
            b->product = (uint32_t)(cta / per_product);
            /* splits of a tile have different CTAs, whose warps have the same numbers */
            run_cta(b, p, cta);
            if ((cta + 1) % per_product) continue;
            for (uint32_t row = 0; row < x->M; row++)
                for (uint32_t column = 0; column < x->N; column++) {
                    assert_int_equal(b->met[row][column], x->K * instructions_of_pair(x));
                    assert_int_equal(b->stores[row][column], x->splits);
                }
        }
        assert_int_equal(b->conflicts, 0);
        program_close(p);
    }
    free(b);
}

/* --- counts --- */

struct tally {
    uint64_t products, copied, copies, commits, barriers;
};

static void tally_of(struct tally *t, const struct program *p)
{
    struct error e;
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    const struct launch *l = program_launch(p, 0);
    *t = (struct tally){0};
    for (uint64_t i = 0; i < l->ctas * l->warps_per_cta; i++) {
        check_ok(
            cursor_seek(&c, r, 0, i / l->warps_per_cta, (uint32_t)(i % l->warps_per_cta), 0, &e),
            &e);
        while (cursor_next(&c, &w, &e) == GOT_INST) {
            bool copy = inst_is_copy(w.si);
            t->products +=
                inst_op_is_matrix(w.si->cls) || (w.si->cls == OP_FP32 && w.si->n_src == 2);
            t->copies += copy;
            t->copied += copy ? (uint64_t)__builtin_popcountll(w.mask) * w.si->width : 0;
            t->commits += w.si->cls == OP_COPY_COMMIT;
            t->barriers += w.si->cls == OP_BARRIER;
        }
    }
    cursor_release(&c);
    reader_free(r);
}

/* Every CTA brings its rows of A and columns of B once; copies behind the last step move nothing.
 */
static void copies_move_each_tile_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        struct program *p = open_example(x, "stages = 3;");
        const struct launch *l = program_launch(p, 0);
        struct tally t;
        tally_of(&t, p);
        uint64_t across = (x->N + x->tile_n - 1) / x->tile_n,
                 down = (x->M + x->tile_m - 1) / x->tile_m;
        uint64_t steps = (x->K + x->tile_k - 1) / x->tile_k * across * down * x->batch;
        uint64_t warps = l->warps_per_cta,
                 work = x->tensor ? x->width == 64 ? 4096 : 2048 : x->width;
        if (x->tensor && x->bytes == 4) work /= 2;
        assert_int_equal(t.products, steps * x->tile_m * x->tile_n * x->tile_k / work);
        assert_int_equal(t.copied,
                         (uint64_t)x->batch * x->K * x->bytes * (x->M * across + x->N * down));
        assert_int_equal(t.commits, (steps + 2 * l->ctas) * warps);
        assert_int_equal(t.barriers, (steps + l->ctas) * warps);
        program_close(p);
    }
}

/* A warpgroup reads B once: its warps have a quarter of the fragments each, and all the products.
 */
static void warpgroups_read_b_once(void **state)
{
    (void)state;
    struct example x = {128, 128, 64, 1, 64, 128, 32, 1, 32, true, true, 2, "type = \"bf16\";"};
    uint64_t shared[2], products[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct program *p = open_example(&x, i ? "warps_m = 4; warps_n = 1; warpgroup = 4;"
                                               : "warps_m = 4; warps_n = 1;");
        struct tally t;
        tally_of(&t, p);
        products[i] = t.products;
        shared[i] = 0;
        const struct launch *l = program_launch(p, 0);
        for (uint32_t k = 0; k < l->n_code; k++)
            shared[i] += l->code[k].cls == OP_SHARED_LOAD;
        program_close(p);
    }
    assert_int_equal(products[0], products[1]);
    assert_int_equal(shared[0],
                     3 * (1 + 8)); /* fragments of two slices, and in front of the loop */
    assert_int_equal(shared[1], 3 * (1 + 2));
}

/* Two CTAs down the tiles share columns of B, and each brings half of them; across, rows of A. */
static void clusters_share_what_they_bring(void **state)
{
    (void)state;
    static const char *const clusters[] = {"", "cluster_m = 2;", "cluster_n = 2;",
                                           "cluster_m = 2; cluster_n = 2;"};
    for (uint32_t tn = 0; tn < 2; tn++)
        for (uint32_t i = 0; i < 4; i++) {
            struct example x = {128, 192, 64, 2, 64, 32, 32, 1, 32, tn, true, 2, "stages = 3;"};
            char more[100];
            struct tally t;
            snprintf(more, sizeof more, "type = \"bf16\"; %s", clusters[i]);
            struct program *p = open_example(&x, more);
            tally_of(&t, p);
            uint64_t a = (uint64_t)x.M * (x.N / x.tile_n), b = (uint64_t)x.N * (x.M / x.tile_m);
            assert_int_equal(t.copied, x.batch * x.K * 2 * (a >> (i >> 1)) +
                                           x.batch * x.K * 2 * (b >> (i & 1)));
            program_close(p);
        }
}

/* --- convolutions --- */

/* Every tap of the window that lies in the image is read once for each tile of filters. */
static void convolutions_read_what_the_windows_cover(void **state)
{
    (void)state;
    enum { H = 9, W = 7, C = 8, F = 32, R = 3, S = 2, PAD = 1, B = 2 };
    static const char text[] =
        "generator = \"convolution\"; batch = 2; height = 9; width = 7; channels = 8; filters = 32;"
        "window = 3; stride = 2; padding = 1; type = \"fp16\"; tile_m = 32; tile_n = 32;";
    uint32_t reads[B * H * W * C] = {0}, wanted[B * H * W * C] = {0};
    struct error e = {0};
    const char *path = scratch_path("convolution.cfg");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    unlink(path);
    for (int n = 0; n < B; n++)
        for (int y = -PAD; y + R <= H + PAD; y += S)
            for (int x = -PAD; x + R <= W + PAD; x += S)
                for (int r = 0; r < R * R; r++)
                    for (int c = 0; c < C; c++) {
                        int row = y + r / R, column = x + r % R;
                        if (row < 0 || row >= H || column < 0 || column >= W) continue;
                        wanted[((n * H + row) * W + column) * C + c]++;
                    }
    struct reader *r = reader_new(p, &e);
    struct cursor cursor = {0};
    struct warp_inst w;
    const struct launch *l = program_launch(p, 0);
    for (uint64_t i = 0; i < l->ctas * l->warps_per_cta; i++) {
        check_ok(cursor_seek(&cursor, r, 0, i / l->warps_per_cta, (uint32_t)(i % l->warps_per_cta),
                             0, &e),
                 &e);
        while (cursor_next(&cursor, &w, &e) == GOT_INST)
            for (uint32_t k = 0; inst_is_copy(w.si) && w.si->buffer == 1 &&
                                 k < (uint32_t)__builtin_popcountll(w.mask);
                 k++)
                for (uint32_t b = 0; b < w.si->width; b += 2)
                    reads[(warp_inst_addr(&w, k) + b - BASE) / 2]++;
    }
    cursor_release(&cursor);
    reader_free(r);
    program_close(p);
    assert_memory_equal(reads, wanted, sizeof reads);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct refused wrong[] = {
        {"generator = \"gemm\"; M = 0;", "M is out of range"},
        {"generator = \"gemm\"; N = 2147483648;", "N is out of range"},
        {"generator = \"gemm\"; M = 2147483647; N = 2147483647; K = 2147483647;", "matrices of"},
        {"generator = \"gemm\"; M = 2147483647; N = 1; K = 1; tile_m = 16; tile_n = 16; batch = "
         "1000;",
         "CTAs"},
        {"generator = \"gemm\"; tile_m = 96;", "powers of two"},
        {"generator = \"gemm\"; tile_m = 256; tile_n = 256; warps_m = 1; warps_n = 1;",
         "1 to 128 elements"},
        {"generator = \"gemm\"; type = \"fp16\"; tile_m = 16; warps_m = 2;", "at least 16 x 16"},
        {"generator = \"gemm\"; type = \"fp16\"; tile_k = 16;", "tile_k"},
        {"generator = \"gemm\"; type = \"fp16\"; K = 33;", "rows of an odd number"},
        {"generator = \"gemm\"; warpgroup = 4;", "warpgroup"},
        {"generator = \"gemm\"; type = \"bf16\"; warpgroup = 4; warps_m = 2;", "warpgroup"},
        {"generator = \"gemm\"; split_k = 200;", "split_k"},
        {"generator = \"gemm\"; type = \"bf16\"; M = 128; cluster_m = 2;", "clusters"},
        {"generator = \"gemm\"; stages = 1; cluster_n = 2;", "clusters"},
        {"generator = \"gemm\"; cluster_n = 3;", "powers of two"},
        {"generator = \"gemm\"; ctas = 4;", "no parameter ctas"},
        {"generator = \"convolution\"; height = 2; padding = 0; window = 3;",
         "larger than the image"},
    };
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_meets_every_column_once_for_each_k),
        cmocka_unit_test(copies_move_each_tile_once),
        cmocka_unit_test(warpgroups_read_b_once),
        cmocka_unit_test(clusters_share_what_they_bring),
        cmocka_unit_test(convolutions_read_what_the_windows_cover),
        cmocka_unit_test(refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
