/* gemm_code.c - the instructions of a matrix product, and where they go; see gemm_tiles.h. */
#include "trace/generators/ml/gemm_tiles.h"

enum { ADDRESS_A = GEN_R_ADDRESS, ADDRESS_B = ADDRESS_A + 2, ADDRESS_C = ADDRESS_B + 2 };
enum { BUFFER_A = 1, BUFFER_B, BUFFER_C };
/* Vectors of C that a lane has on their way to memory. */
enum { OUTPUTS = 4 };
enum { PIECE = 16, LINE = 128 /* bytes: what is swizzled, and within what */ };

uint32_t gemm_tiles_sums(const struct gemm_tiles *t)
{
    uint32_t m = t->a.warp_tile, n = t->b.warp_tile;
    if (!t->tensor) return m / t->lanes_m * (n / t->lanes_n);
    return m / GEMM_FRAGMENT * (n / GEMM_FRAGMENT) * (t->width == 32 ? 2 : 1);
}

uint32_t gemm_tiles_stores(const struct gemm_tiles *t)
{
    uint64_t vectors = (uint64_t)t->a.warp_tile * t->b.warp_tile / t->c_vector;
    return (uint32_t)((vectors + t->width - 1) / t->width);
}

/* Numbers of registers (kit.h numbers them anew): a vector that is read at once has one. */
static uint16_t sum_register(uint32_t i)
{
    return (uint16_t)(GEN_R_OWN + i);
}
/* Fragments of a slice; those of even and of odd ones. */
static uint16_t fragment_register(const struct gemm_tiles *t, uint32_t slice, uint32_t i)
{
    uint32_t n = t->a.fragments + t->b.fragments;
    return (uint16_t)(GEN_R_OWN + gemm_tiles_sums(t) + slice % 2 * n + i);
}
static uint16_t output_register(const struct gemm_tiles *t, uint32_t i)
{
    return (uint16_t)(fragment_register(t, 1, t->a.fragments + t->b.fragments) + i % OUTPUTS);
}
static uint16_t staged_register(const struct gemm_tiles *t, uint32_t i)
{
    return (uint16_t)(output_register(t, 0) + OUTPUTS + i);
}

/* --- where it goes --- */

/* The sizes of an operand, and where element (side, k) of it lies in a buffer of shared memory, in
 * bytes. Equal pieces of 16 bytes of consecutive rows of the matrix units lie apart: they are
 * swizzled within 128 bytes. */
static void name_operand(struct generator *g, const struct gemm_tiles *t,
                         const struct gemm_operand *o)
{
    uint64_t pieces = o->pitch < LINE ? o->pitch / PIECE : LINE / PIECE;
    gen_set(g, "per_row", o->per_row);
    gen_set(g, "vectors", o->n);
    gen_set(g, "vector", o->vector);
    gen_set(g, "at_operand", o->at);
    gen_set(g, "pitch", o->pitch);
    gen_set(g, "pieces", pieces);
    gen_set(g, "line_rows", LINE / PIECE / pieces);
    gen_set(g, "warp_tile", o->warp_tile);
    gen_set(g, "fragment", o->fragment);
    gen_set(g, "fragment_bytes", gemm_tiles_fragment_bytes(t, o));
}

static void access_shared(struct generator *g, const struct gemm_tiles *t,
                          const struct gemm_operand *o, const char *step, const char *side,
                          const char *k)
{
    gen_let(g, "buffer", step);
    gen_let(g, "side", side);
    gen_let(g, "k", k);
    gen_let(g, "row", o->along_k ? "side" : "k");
    gen_let(g, "byte", o->along_k ? "k * bytes" : "side * bytes");
    gen_let(g, "piece", "xor(byte / 16, row / line_rows % pieces)");
    gen_let(g, "place",
            t->tensor ? "row * pitch + piece * 16 + byte % 16" : "k * pitch + side * bytes");
    gen_at(g, NEST_SHARED, 1, "buffer % buffers * buffer_bytes + at_operand + place");
}

/* Vector v of an operand in step `at`; all lanes are off behind the last step. */
static void access_memory(struct generator *g, const struct gemm_tiles *t, bool of_a, uint32_t u,
                          const char *step)
{
    const struct gemm_operand *o = of_a ? &t->a : &t->b;
    name_operand(g, t, o);
    gen_set(g, "u", u);
    gen_let(g, "at", step);
    gen_let(g, "v", "u * cta_threads + thread");
    gen_let(g, "along", "v % per_row * vector");
    gen_set(g, "part", o->n / o->per_row);
    gen_set(g, "parts", o->parts);
    gen_let(g, "across",
            o->parts == 1 ? "v / per_row"
            : of_a        ? "v / per_row + tile_column(cta) / tile_n % parts * part"
                          : "v / per_row + tile_row(cta) / tile_m % parts * part");
    gen_let(g, "k", "(first_step(cta) + at) * tile_k");
    gen_let(g, "k", o->along_k ? "k + along" : "k + across");
    gen_let(g, "side", of_a ? "tile_row(cta)" : "tile_column(cta)");
    gen_let(g, "side", o->along_k ? "side + across" : "side + along");
    if (!of_a) {
        gen_let(g, "element", o->along_k ? "side * K + k" : "k * N + side");
        gen_at(g, 1, (int64_t)t->bytes, "product * K * N + element");
        gen_if(g, "at < steps(cta) && v < vectors && k < K && side < N");
    } else if (g->c.window) {
        gemm_access_image(g, (int64_t)t->bytes);
    } else {
        gen_at(g, 0, (int64_t)t->bytes, "(product * M + side) * K + k");
        gen_if(g, "at < steps(cta) && v < vectors && k < K && side < M");
    }
}

/* Row and column in the warp's tile of store u of a lane. */
static void name_result(struct generator *g, const struct gemm_tiles *t, uint32_t u)
{
    uint32_t per_row = t->b.warp_tile / t->lanes_n / (uint32_t)t->c_vector;
    gen_set(g, "u", u);
    gen_set(g, "wide", t->b.warp_tile / t->c_vector);
    gen_let(g, "v", "u * lanes + lane");
    if (t->tensor) {
        gen_let(g, "row", "v / wide");
        gen_let(g, "column", "v % wide * c_vector");
        return;
    }
    gen_set(g, "i", u / per_row);
    gen_set(g, "j", u % per_row * t->c_vector);
    gen_set(g, "a", t->a.fragment);
    gen_set(g, "b", t->b.fragment);
    gen_let(g, "row", "(i / a * lanes_m + lane / lanes_n) * a + i % a");
    gen_let(g, "column", "(j / b * lanes_n + lane % lanes_n) * b + j % b");
}

static void access_result(struct generator *g, const struct gemm_tiles *t, uint32_t u)
{
    name_result(g, t, u);
    gen_let(g, "in_tile", "row");
    gen_let(g, "row", "tile_row(cta) + warp_row + row");
    gen_let(g, "column", "tile_column(cta) + warp_column + column");
    gen_at(g, 2, (int64_t)t->c_bytes, "(product * M + row) * N + column");
    gen_if(g, "in_tile < warp_rows && row < M && column < N");
}

/* --- the CTA's tile --- */

static struct gemm_place place_of(const struct generator *g, const uint64_t *cta)
{
    return gemm_tiles_place(g->own, g, *cta);
}
static uint64_t find_first(const struct generator *g, const uint64_t *cta)
{
    return place_of(g, cta).first;
}
static uint64_t find_steps(const struct generator *g, const uint64_t *cta)
{
    return place_of(g, cta).steps;
}
static uint64_t find_row(const struct generator *g, const uint64_t *cta)
{
    return place_of(g, cta).m;
}
static uint64_t find_column(const struct generator *g, const uint64_t *cta)
{
    return place_of(g, cta).n;
}

static void name_sizes(struct generator *g, const struct gemm_tiles *t)
{
    gen_define(g, "first_step", find_first, 1);
    gen_define(g, "steps", find_steps, 1);
    gen_define(g, "tile_row", find_row, 1);
    gen_define(g, "tile_column", find_column, 1);
    gen_set(g, "M", t->M);
    gen_set(g, "N", t->N);
    gen_set(g, "K", t->K);
    gen_set(g, "bytes", t->bytes);
    gen_set(g, "c_vector", t->c_vector);
    gen_set(g, "depth", t->depth);
    gen_set(g, "buffers", t->buffers);
    gen_set(g, "buffer_bytes", t->buffer_bytes);
    gen_set(g, "lanes_m", t->lanes_m);
    gen_set(g, "lanes_n", t->lanes_n);
    gen_set(g, "ahead", gemm_tiles_ahead(t));
    gen_set(g, "warp_rows", t->a.warp_tile);
    gen_set(g, "warp_columns", t->b.warp_tile);
    gen_set(g, "tiles", t->tiles_m * t->tiles_n * t->splits);
    gen_let(g, "product", "cta / tiles");
    gen_let(g, "warp_row", "warp % warps_m * warp_rows");
    gen_let(g, "warp_column", "warp / warps_m * warp_columns");
}

/* --- code --- */

/* Access u of a step: those of A, then those of B. Copies of 16 bytes go past the L1, smaller ones
 * through it (PTX cp.async.cg and .ca). */
static void add_access(struct generator *g, const struct gemm_tiles *t, uint32_t u,
                       const char *step)
{
    bool of_a = u < t->a.accesses;
    int64_t bytes = (int64_t)((of_a ? t->a.vector : t->b.vector) * t->bytes);
    uint16_t address = of_a ? ADDRESS_A : ADDRESS_B, buffer = of_a ? BUFFER_A : BUFFER_B;
    if (t->stages == 1)
        gen_load(g, staged_register(t, u), address, bytes, buffer);
    else if (bytes == 16)
        gen_copy_past_l1(g, address, bytes, buffer);
    else
        gen_copy(g, address, bytes, buffer);
    access_memory(g, t, of_a, of_a ? u : u - t->a.accesses, step);
}

static void add_commit(struct generator *g, const struct gemm_tiles *t)
{
    if (t->stages > 1) gen_op(g, OP_COPY_COMMIT, REG_NONE, REG_NONE, REG_NONE, "LDGDEPBAR");
}

static void add_staged(struct generator *g, const struct gemm_tiles *t,
                       const struct gemm_operand *o, uint32_t first, const char *step)
{
    uint64_t apart = gemm_tiles_stored_apart(t, o);
    name_operand(g, t, o);
    for (uint32_t u = 0; u < o->accesses; u++)
        for (uint64_t i = 0; i < apart; i++) {
            gen_shared_bytes(g, OP_SHARED_STORE, staged_register(t, first + u),
                             (int64_t)(o->vector * t->bytes / apart));
            gen_set(g, "u", u);
            gen_set(g, "i", i);
            gen_let(g, "v", "u * cta_threads + thread");
            gen_let(g, "along", "v % per_row * vector + i");
            access_shared(g, t, o, step, o->along_k ? "v / per_row" : "along",
                          o->along_k ? "along" : "v / per_row");
            gen_if(g, "v < vectors");
        }
}

/* What stands between the slices of one step and those of the next. */
static void add_hand_over(struct generator *g, const struct gemm_tiles *t, const char *step)
{
    if (t->stages == 1) {
        add_staged(g, t, &t->a, 0, step);
        add_staged(g, t, &t->b, t->a.accesses, step);
    } else {
        gen_copy_wait(g, t->stages - 2);
    }
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
}

/* Fragment i of a slice, those of A first, as LDSM.x4 reads it for the matrix units: lanes side by
 * side read the rows of memory. Warps of a group read a part of B's each. */
static void add_fragment(struct generator *g, const struct gemm_tiles *t, uint32_t slice,
                         uint32_t i, const char *step)
{
    bool of_b = i >= t->a.fragments;
    const struct gemm_operand *o = of_b ? &t->b : &t->a;
    gen_shared_bytes(g, OP_SHARED_LOAD, fragment_register(t, slice, i),
                     gemm_tiles_fragment_bytes(t, o));
    name_operand(g, t, o);
    gen_set(g, "slice", slice % t->slices);
    gen_set(g, "i", of_b ? i - t->a.fragments : i);
    gen_set(g, "fragments", of_b ? o->fragments : 0);
    gen_let(g, "f", "warp % warps_m % warpgroup * fragments + i");
    gen_let(g, "warp_at", of_b ? "warp_column" : "warp_row");
    gen_set(g, "rows", o->along_k ? GEMM_FRAGMENT : t->depth);
    gen_let(g, "within", "lane / rows * fragment_bytes / bytes");
    if (!t->tensor)
        access_shared(g, t, o, step,
                      of_b ? "warp_at + (f * lanes_n + lane % lanes_n) * fragment"
                           : "warp_at + (f * lanes_m + lane / lanes_n) * fragment",
                      "slice");
    else if (o->along_k)
        access_shared(g, t, o, step, "warp_at + f * 16 + lane % rows", "slice * depth + within");
    else
        access_shared(g, t, o, step, "warp_at + f * 16 + within", "slice * depth + lane % rows");
}

static void add_product(struct generator *g, const struct gemm_tiles *t, uint32_t slice, uint32_t i)
{
    uint32_t down = t->tensor ? t->a.fragments : t->a.fragments * t->a.fragment;
    uint32_t across = gemm_tiles_sums(t) / down;
    uint32_t wide = t->tensor ? across / (t->b.warp_tile / GEMM_FRAGMENT) : t->b.fragment;
    uint32_t a = i / across / (t->tensor ? 1 : t->a.fragment);
    uint32_t b = i % across / wide % t->b.fragments;
    uint16_t ra = fragment_register(t, slice, a);
    uint16_t rb = fragment_register(t, slice, t->a.fragments + b);
    if (t->tensor)
        gen_matrix(g, t->group > 1 ? OP_WGMMA : OP_TENSOR, sum_register(i), ra, rb);
    else
        gen_op(g, OP_FP32, sum_register(i), ra, rb, "FFMA");
}

static void add_atomic(struct generator *g, uint16_t value)
{
    struct static_inst si = {.cls = OP_ATOMIC,
                             .space = SPACE_GLOBAL,
                             .width = 4,
                             .dst = REG_NONE,
                             .n_src = 2,
                             .src = {ADDRESS_C, value},
                             .buffer = BUFFER_C,
                             .pc = 16 * g->code.n};
    if (code_add(&g->code, &si, "RED.E.ADD.F32") == UINT32_MAX) g->code.strings.failed = true;
}

static void add_end(struct generator *g, const struct gemm_tiles *t)
{
    uint32_t sums = gemm_tiles_sums(t), stores = gemm_tiles_stores(t);
    for (uint32_t u = 0; u < stores; u++) {
        uint16_t out = output_register(t, u);
        for (uint64_t i = 0; i < t->c_vector; i++)
            gen_op(g, OP_FP32, out, sum_register((uint32_t)(u * sums / stores)), REG_NONE, "FMUL");
        for (uint64_t i = 0; i < t->c_vector && t->c_bytes == 2; i += 2)
            gen_op(g, OP_FP32, out, out, REG_NONE, "F2FP.PACK_AB");
        if (t->splits > 1)
            add_atomic(g, out);
        else
            gen_store(g, out, ADDRESS_C, (int64_t)(t->c_vector * t->c_bytes), BUFFER_C);
        access_result(g, t, u);
    }
    gen_exit(g);
}

static void add_slice(struct generator *g, const struct gemm_tiles *t, uint32_t slice)
{
    uint32_t products = gemm_tiles_sums(t), fragments = t->a.fragments + t->b.fragments;
    uint32_t accesses = slice == 0 ? t->a.accesses + t->b.accesses : 0, n = 0;
    uint32_t late = gemm_tiles_hand_over(t, slice);
    const char *next = slice + 1 == t->slices ? "step + 1" : "step";
    for (uint32_t i = 0; i < products; i++) {
        if (slice + 1 == t->slices && i == late) add_hand_over(g, t, "step + 1");
        for (; i >= late && n < gemm_tiles_spread(fragments + accesses, products - late, i - late);
             n++)
            if (n < fragments)
                add_fragment(g, t, slice + 1, n, next);
            else
                add_access(g, t, n - fragments, "step + ahead");
        add_product(g, t, slice, i);
    }
    if (slice == 0) add_commit(g, t);
}

static void add_step(struct generator *g, const struct gemm_tiles *t)
{
    for (uint32_t s = 0; s < t->slices; s++)
        add_slice(g, t, s);
    gen_loop_end(g, 2);
}

static void add_prologue(struct generator *g, const struct gemm_tiles *t)
{
    gen_prologue(g, 3);
    for (uint32_t s = 0; s < gemm_tiles_ahead(t); s++) {
        gen_set(g, "s", s);
        for (uint32_t u = 0; u < t->a.accesses + t->b.accesses; u++)
            add_access(g, t, u, "s");
        add_commit(g, t);
    }
    add_hand_over(g, t, "0");
    for (uint32_t i = 0; i < t->a.fragments + t->b.fragments; i++)
        add_fragment(g, t, 0, i, "0");
    g->n_prologue = g->code.n;
}

bool gemm_code_add(struct generator *g, const struct gemm_tiles *t, const char *path,
                   struct error *e)
{
    uint64_t shared = t->buffers * t->buffer_bytes;
    if (staged_register(t, t->a.accesses + t->b.accesses) >= GEN_REGISTERS)
        return error_input(e,
                           "%s: a thread loads %u vectors in a step; a larger part of the CTA's "
                           "tile than fits into its registers",
                           path, t->a.accesses + t->b.accesses);
    g->shared_bytes = (uint32_t)shared;
    name_sizes(g, t);
    add_prologue(g, t);
    add_step(g, t);
    add_end(g, t);
    return true;
}
