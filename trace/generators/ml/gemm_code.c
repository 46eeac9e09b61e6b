/* gemm_code.c - the static instructions of a matrix product; see gemm_tiles.h. */
#include "trace/generators/ml/gemm_tiles.h"

enum { ADDRESS_A = GEN_R_ADDRESS, ADDRESS_B = ADDRESS_A + 2, ADDRESS_C = ADDRESS_B + 2 };
enum { BUFFER_A = 1, BUFFER_B, BUFFER_C };
/* Vectors of C that a lane has on their way to memory. */
enum { OUTPUTS = 4 };

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

/* Access u of a step: those of A, then those of B. Copies of 16 bytes go past the L1, smaller ones
 * through it (PTX cp.async.cg and .ca). */
static void add_access(struct generator *g, const struct gemm_tiles *t, uint32_t u)
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
}

static void add_commit(struct generator *g, const struct gemm_tiles *t)
{
    if (t->stages > 1) gen_op(g, OP_COPY_COMMIT, REG_NONE, REG_NONE, REG_NONE, "LDGDEPBAR");
}

static void add_staged(struct generator *g, const struct gemm_tiles *t,
                       const struct gemm_operand *o, uint32_t first)
{
    uint64_t apart = gemm_tiles_stored_apart(t, o);
    for (uint32_t u = 0; u < o->accesses; u++)
        for (uint64_t i = 0; i < apart; i++)
            gen_shared_bytes(g, OP_SHARED_STORE, staged_register(t, first + u),
                             (int64_t)(o->vector * t->bytes / apart));
}

/* What stands between the slices of one step and those of the next. */
static void add_hand_over(struct generator *g, const struct gemm_tiles *t)
{
    if (t->stages == 1) {
        add_staged(g, t, &t->a, 0);
        add_staged(g, t, &t->b, t->a.accesses);
    } else {
        gen_copy_wait(g, t->stages - 2);
    }
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
}

static void add_fragment(struct generator *g, const struct gemm_tiles *t, uint32_t slice,
                         uint32_t i)
{
    gen_shared_bytes(g, OP_SHARED_LOAD, fragment_register(t, slice, i),
                     gemm_tiles_fragment_bytes(t, i < t->a.fragments ? &t->a : &t->b));
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
        gen_tensor(g, sum_register(i), ra, rb);
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
    }
    gen_exit(g);
}

static void add_slice(struct generator *g, const struct gemm_tiles *t, uint32_t slice)
{
    uint32_t products = gemm_tiles_sums(t), fragments = t->a.fragments + t->b.fragments;
    uint32_t accesses = slice == 0 ? t->a.accesses + t->b.accesses : 0, n = 0;
    uint32_t late = gemm_tiles_hand_over(t, slice);
    for (uint32_t i = 0; i < products; i++) {
        if (slice + 1 == t->slices && i == late) add_hand_over(g, t);
        for (; i >= late && n < gemm_tiles_spread(fragments + accesses, products - late, i - late);
             n++)
            if (n < fragments)
                add_fragment(g, t, slice + 1, n);
            else
                add_access(g, t, n - fragments);
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
        for (uint32_t u = 0; u < t->a.accesses + t->b.accesses; u++)
            add_access(g, t, u);
        add_commit(g, t);
    }
    add_hand_over(g, t);
    for (uint32_t i = 0; i < t->a.fragments + t->b.fragments; i++)
        add_fragment(g, t, 0, i);
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
    add_prologue(g, t);
    add_step(g, t);
    add_end(g, t);
    return true;
}
