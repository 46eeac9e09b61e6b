/* kit.c - what all generators are built from: instructions with operands, registers numbered
 * without gaps, arrays placed in memory, encoded accesses, and hashes as a source of chance.
 *
 * A value takes as many registers as its widest use needs. Random items come from a hash of seed
 * and access number, Zipf ranks from the inverse of the distribution's integral, permutations from
 * rounds of XOR, multiply and shift with cycle walking (Black and Rogaway 2002). */
#include "trace/generators/kit.h"

#include "base/memory/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static void add_instruction(struct generator *g, struct static_inst si, const char *mnemonic)
{
    si.pc = 16 * g->code.n;
    if (code_add(&g->code, &si, mnemonic) == UINT32_MAX) g->code.strings.failed = true;
}

static void set_sources(struct static_inst *si, uint16_t src0, uint16_t src1)
{
    if (src0 != REG_NONE) si->src[si->n_src++] = src0;
    if (src1 != REG_NONE) si->src[si->n_src++] = src1;
}

void gen_op(struct generator *g, uint8_t cls, uint16_t dst, uint16_t src0, uint16_t src1,
            const char *mnemonic)
{
    struct static_inst si = {.cls = cls, .dst = dst};
    set_sources(&si, src0, src1);
    add_instruction(g, si, mnemonic);
}

static const char *width_suffix(int64_t bytes)
{
    switch (bytes) {
    case 1: return ".U8";
    case 2: return ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
    }
}

static void add_memory(struct generator *g, struct static_inst si, const char *stem, int64_t bytes)
{
    char mnemonic[24];
    snprintf(mnemonic, sizeof mnemonic, "%s%s", stem, width_suffix(bytes));
    si.space = SPACE_GLOBAL;
    si.width = (uint8_t)bytes;
    add_instruction(g, si, mnemonic);
}

void gen_load(struct generator *g, uint16_t dst, uint16_t address, int64_t bytes, uint16_t buffer)
{
    struct static_inst si = {.cls = OP_LOAD, .dst = dst, .buffer = buffer};
    set_sources(&si, address, REG_NONE);
    add_memory(g, si, "LDG.E", bytes);
}

void gen_store(struct generator *g, uint16_t value, uint16_t address, int64_t bytes,
               uint16_t buffer)
{
    struct static_inst si = {.cls = OP_STORE, .dst = REG_NONE, .buffer = buffer};
    set_sources(&si, address, value);
    add_memory(g, si, "STG.E", bytes);
}

static void add_copy(struct generator *g, uint16_t address, int64_t bytes, uint16_t buffer,
                     uint8_t hint, const char *stem)
{
    struct static_inst si = {
        .cls = OP_LOAD, .hint = HINT_ASYNC | hint, .dst = REG_NONE, .buffer = buffer};
    set_sources(&si, address, GEN_R_THREAD);
    add_memory(g, si, stem, bytes);
}

void gen_copy(struct generator *g, uint16_t address, int64_t bytes, uint16_t buffer)
{
    add_copy(g, address, bytes, buffer, 0, "LDGSTS.E");
}

void gen_copy_past_l1(struct generator *g, uint16_t address, int64_t bytes, uint16_t buffer)
{
    add_copy(g, address, bytes, buffer, HINT_BYPASS_L1, "LDGSTS.E.BYPASS");
}

void gen_copy_wait(struct generator *g, uint32_t open)
{
    struct static_inst si = {.cls = OP_COPY_WAIT, .width = (uint8_t)open, .dst = REG_NONE};
    add_instruction(g, si, "DEPBAR.LE");
}

void gen_shared_bytes(struct generator *g, uint8_t cls, uint16_t value, int64_t bytes)
{
    bool load = cls == OP_SHARED_LOAD;
    struct static_inst si = {.cls = cls,
                             .space = SPACE_SHARED,
                             .width = (uint8_t)bytes,
                             .dst = load ? value : REG_NONE,
                             .n_src = load ? 1 : 2,
                             .src = {GEN_R_THREAD, load ? REG_NONE : value},
                             .pc = 16 * g->code.n};
    if (code_add(&g->code, &si, load ? "LDS" : "STS") == UINT32_MAX) g->code.strings.failed = true;
}

void gen_matrix(struct generator *g, enum op_class cls, uint16_t dst, uint16_t a, uint16_t b)
{
    struct static_inst si = {.cls = (uint8_t)cls, .dst = dst};
    const char *of_warp = g->width == 64 ? "V_MFMA_F32_16X16X16" : "HMMA.16816.F32";
    set_sources(&si, a, b);
    set_sources(&si, dst, REG_NONE);
    add_instruction(g, si, cls == OP_WGMMA ? "HGMMA.64x8x16.F32" : of_warp);
}

void gen_fma(struct generator *g, uint16_t dst, uint16_t a, uint16_t b)
{
    struct static_inst si = {.cls = OP_FP32, .dst = dst};
    set_sources(&si, a, b);
    set_sources(&si, dst, REG_NONE);
    add_instruction(g, si, "FFMA");
}

void gen_prologue(struct generator *g, uint32_t arrays)
{
    gen_op(g, OP_INT, GEN_R_THREAD, REG_NONE, REG_NONE, "S2R");
    gen_op(g, OP_INT, GEN_R_CTA, REG_NONE, REG_NONE, "S2R");
    gen_op(g, OP_INT, GEN_R_THREAD, GEN_R_CTA, GEN_R_THREAD, "IMAD");
    for (uint32_t k = 0; k < arrays; k++)
        gen_op(g, OP_INT, (uint16_t)(GEN_R_ADDRESS + 2 * k), GEN_R_THREAD, REG_NONE, "IMAD.WIDE");
    g->n_prologue = g->code.n;
}

void gen_loop_end(struct generator *g, uint32_t arrays)
{
    for (uint32_t k = 0; k < arrays; k++) {
        uint16_t address = (uint16_t)(GEN_R_ADDRESS + 2 * k);
        gen_op(g, OP_INT, address, address, REG_NONE, "IADD3");
    }
    gen_op(g, OP_INT, GEN_R_COUNT, GEN_R_COUNT, REG_NONE, "IADD3");
    gen_op(g, OP_BRANCH, REG_NONE, GEN_R_COUNT, REG_NONE, "BRA");
    g->n_step = g->code.n - g->n_prologue;
}

void gen_exit(struct generator *g)
{
    gen_op(g, OP_EXIT, REG_NONE, REG_NONE, REG_NONE, "EXIT");
}

/* Records that a value takes `bytes` of registers, which are 4 bytes wide. */
static void note_span(uint16_t *span, uint16_t reg, uint32_t bytes)
{
    uint32_t n = bytes > 4 ? (bytes + 3) / 4 : 1;
    if (reg != REG_NONE && span[reg] < n) span[reg] = (uint16_t)n;
}

static void note_tensor(uint16_t *span, const struct static_inst *si, uint32_t lanes)
{
    note_span(span, si->src[0], 4 * (lanes == 64 ? GEN_TENSOR_A_64 : GEN_TENSOR_A));
    note_span(span, si->src[1], 4 * GEN_TENSOR_B);
    note_span(span, si->dst, 4 * GEN_TENSOR_SUM);
}

static void note_spans(uint16_t *span, const struct static_inst *si, uint32_t lanes)
{
    if (inst_op_is_matrix(si->cls)) {
        note_tensor(span, si, lanes);
        return;
    }
    uint32_t value = si->cls == OP_FP64 ? 8 : inst_is_copy(si) ? 4 : si->width;
    bool addressed = inst_op_is_global(si->cls);
    note_span(span, si->dst, value);
    for (uint8_t k = 0; k < si->n_src; k++)
        note_span(span, si->src[k], addressed && k == 0 ? GEN_ADDRESS_BYTES : value);
}

void gen_number_registers(struct generator *g)
{
    uint16_t span[GEN_REGISTERS] = {0}, number[GEN_REGISTERS], next = 0;
    for (uint32_t i = 0; i < g->code.n; i++)
        note_spans(span, &g->code.si[i], g->width);
    for (uint32_t r = 0; r < GEN_REGISTERS; r++) {
        number[r] = next;
        next = (uint16_t)(next + span[r]);
    }
    for (uint32_t i = 0; i < g->code.n; i++) {
        struct static_inst *si = &g->code.si[i];
        if (si->dst != REG_NONE) si->dst = number[si->dst];
        for (uint8_t k = 0; k < si->n_src; k++)
            if (si->src[k] != REG_NONE) si->src[k] = number[si->src[k]];
    }
    g->code.n_registers = next;
}

void gen_plain(struct gen_warp *w, uint32_t code)
{
    bool ends = w->g->code.si[code].cls == OP_EXIT;
    segment_inst(w->out, &(struct warp_inst){.code = code, .mask = w->mask}, ends);
}

void gen_plain_range(struct gen_warp *w, uint32_t from, uint32_t to)
{
    if (from >= to) return;
    bool ends = w->g->code.si[to - 1].cls == OP_EXIT;
    segment_plain(w->out, from, ends ? to - 1 : to, w->mask);
    if (ends) gen_plain(w, to - 1);
}

bool gen_global_only(const struct gen_warp *w)
{
    return w->out->global_only;
}

void gen_strided(struct gen_warp *w, uint32_t code, uint64_t base, int64_t stride)
{
    segment_strided(w->out, code, w->mask, base, stride);
}

uint64_t gen_array(const struct generator *g, uint32_t k)
{
    return g->n_tensors ? g->array_at[k] : GEN_BASE;
}

bool gen_check_ctas(double ctas, const char *path, struct error *e)
{
    return ctas <= (double)GEN_MAX_CTAS ||
           error_input(e, "%s: its sizes give %.3g CTAs; a launch has at most %lld", path, ctas,
                       (long long)GEN_MAX_CTAS);
}

bool gen_choose_threads(struct generator *g, const char *path, struct error *e)
{
    uint32_t whole = g->warps * g->width, asked = (uint32_t)g->c.block_threads;
    if (asked > whole)
        return error_input(e, "%s: block_threads = %u; the warps of a CTA hold %u", path, asked,
                           whole);
    g->cta_threads = asked ? asked : whole;
    g->warps = (g->cta_threads + g->width - 1) / g->width;
    g->threads = (uint64_t)g->c.ctas * g->cta_threads;
    return true;
}

void gen_place_tensors(struct generator *g, uint32_t n, const uint64_t *bytes)
{
    uint64_t at = GEN_BASE;
    assert(n <= GEN_MAX_TENSORS);
    g->n_tensors = n;
    for (uint32_t k = 0; k < n; k++) {
        g->array_at[k] = at;
        g->tensor_bytes[k] = bytes[k];
        at += (bytes[k] + GEN_ALIGN - 1) / GEN_ALIGN * GEN_ALIGN;
    }
}

bool gen_place_checked(struct generator *g, const char *path, uint32_t n, const double *bytes,
                       struct error *e)
{
    uint64_t whole[GEN_MAX_TENSORS];
    double all = 0, most = (double)GEN_MAX_PLACED;
    assert(n <= GEN_MAX_TENSORS);
    for (uint32_t k = 0; k < n; k++)
        all += bytes[k];
    if (all > most)
        return error_input(e, "%s: its tensors take %.3g bytes; at most %.3g", path, all, most);
    for (uint32_t k = 0; k < n; k++)
        whole[k] = (uint64_t)bytes[k];
    gen_place_tensors(g, n, whole);
    return true;
}

static uint64_t hash_of(const struct generator *g, uint64_t access)
{
    return rng_splitmix64(rng_splitmix64((uint64_t)g->c.seed) + access);
}

uint64_t gen_hash_below(const struct generator *g, uint64_t access, uint64_t n)
{
    return (uint64_t)((unsigned __int128)hash_of(g, access) * n >> 64);
}

double gen_hash_unit(const struct generator *g, uint64_t access)
{
    return (double)(hash_of(g, access) >> 11) * 0x1p-53;
}

uint64_t gen_zipf_rank(const struct generator *g, uint64_t access, uint64_t items, double exponent)
{
    double n = (double)items + 1, u = gen_hash_unit(g, access), q = 1 - exponent;
    double x = fabs(q) < 1e-9 ? pow(n, u) : pow(u * (pow(n, q) - 1) + 1, 1 / q);
    uint64_t rank = x >= 1 ? (uint64_t)x - 1 : 0;
    return rank < items ? rank : items - 1;
}

uint64_t gen_zipf_item(const struct generator *g, uint64_t access, uint64_t items, double exponent,
                       uint64_t jump)
{
    uint64_t rank = gen_zipf_rank(g, access, items, exponent);
    return (uint64_t)((unsigned __int128)rank * jump % items);
}

/* Rounds of operations that permute the numbers of so many bits; numbers from n on go round again
 * (cycle walking, Black and Rogaway 2002), less than once in the mean. */
uint64_t gen_permuted(const struct generator *g, uint64_t i, uint64_t n)
{
    enum { ROUNDS = 3 };
    int bits = n > 2 ? 64 - __builtin_clzll(n - 1) : 1;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t key[ROUNDS];
    for (uint32_t r = 0; r < ROUNDS; r++)
        key[r] = hash_of(g, r);
    do {
        for (uint32_t r = 0; r < ROUNDS; r++) {
            i = ((i ^ key[r] >> 32) & mask) * (key[r] | 1) & mask;
            i ^= i >> (bits + 1) / 2;
        }
    } while (i >= n);
    return i;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

uint64_t gen_golden_jump(uint64_t nodes)
{
    uint64_t jump = (uint64_t)((double)nodes * 0.6180339887498949);
    if (jump == 0) jump = 1;
    while (gcd(jump, nodes) != 1)
        jump++;
    return jump;
}
