/* row_block.c - a CTA for each row, which it reads again in every pass.
 *
 * A pass goes over the row in accesses of `vector` elements: access u of thread t is vector
 * u block + t; warps without a vector have left the loop, which nvcc does not unroll. Softmax takes
 * only whole rounds of all threads so; what is left of the row it takes element by element.
 *
 *   softmax (PyTorch's cunn_SoftMaxForward): load and maximum; reduction; load, exponential and
 * sum; reduction; load, exponential, quotient, store. layer norm (vectorized_layer_norm_kernel):
 * load, mean and variance (Welford); reduction; load, load gamma and beta, store; thread 0 stores
 * the row's mean and reciprocal root. RMS norm: the same with a sum of squares and gamma only.
 *
 * The reduction of softmax: every thread stores its value to shared memory; the first warp's lane i
 * takes the values of warp i one after the other, which it loads four at a time; thread 0 takes
 * those; all threads load the result; a barrier between each of these. The reduction of norms: a
 * shuffle per level within a warp; then half the warps store what their first lanes have and the
 * other half take it, level by level, with two barriers each; thread 0 stores the result for all.
 * Nothing of the row is kept in registers or shared memory between passes: that it is in a cache,
 * or not, is what makes long rows slower.
 *
 * Registers, and how the compiler reads shared memory and takes a maximum, are those of nvcc 13.0
 * for compute capability 8.0 from PyTorch's source; for 7.5 and 9.0 softmax has 33 and 29, layer
 * norm 39 and 39. How many CTAs share an L1 follows from them. Nothing like RMS norm was compiled:
 * it has as many registers as its code names.
 *
 * Why this is no text of kernels/: a text has one loop of equal steps, and here loops with other
 * bodies follow one another, each of which warps leave after rounds of their own, with reductions
 * in between. An engine of such sequences would have to count what a warp executes before any step
 * in closed form for every text, which takes more code than this file. */
#include "trace/generators/ml/row_reduction.h"
#include "trace/generators/ml/row_rounds.h"

enum { MOST_PASSES = 3, MOST_VECTOR = 8, SHARED_WORDS = 4, SHARED_LOADS = 4 };
enum {
    R_VALUE = GEN_R_SUM,
    R_LOADED = GEN_R_OWN,
    R_RESULT = R_LOADED + ROW_TENSORS,
    R_SHARED = R_RESULT + MOST_VECTOR /* SHARED_LOADS values */
};

/* What a pass does with an element, on the value loaded and on gamma or what earlier passes found;
 * whether its result is added to the pass's value; whether it is stored. */
struct pass {
    struct ml_cost cost;
    bool adds, stores;
};
static const struct {
    uint32_t n;
    struct {
        uint8_t fp32, narrow; /* 16-bit types; 0: those that the code names */
    } registers;
    struct pass pass[MOST_PASSES];
} passes[] = {
    /* FMNMX; an exponential; an exponential and a quotient */
    [ROW_SOFTMAX] = {3,
                     {29, 38},
                     {{{1, 0, 0, 0}, false, false},
                      {{7, 1, 1, 0}, true, false},
                      {{13, 4, 2, 3}, false, true}}},
    /* ml_welford; FADD and FMUL, to which beta adds an FFMA */
    [ROW_LAYERNORM] = {2, {32, 31}, {{{8, 3, 1, 3}, false, false}, {{2, 0, 0, 0}, false, true}}},
    [ROW_RMSNORM] = {2, {0, 0}, {{{1, 0, 0, 0}, false, false}, {{2, 0, 0, 0}, false, true}}},
};

static const struct pass *pass_of(const struct generator *g, uint32_t p)
{
    return &passes[row_operator_of(g)].pass[p];
}

/* --- grid --- */

static int64_t compiled_registers(const struct generator *g)
{
    enum row_operator op = row_operator_of(g);
    return g->c.type == ML_FP32 ? passes[op].registers.fp32 : passes[op].registers.narrow;
}

bool row_block_shape(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    if (!row_rounds_choose(g, path, e)) return false;
    if (!c->registers) c->registers = compiled_registers(g);
    c->ctas = c->rows;
    c->iterations = (int64_t)(passes[row_operator_of(g)].n * row_rounds_of(g).all);
    return true;
}

/* --- code --- */

/* One description of the code serves to add it, to count what a warp executes of it, and to make a
 * warp's stream of it: a visit goes over it in order. */
struct visit {
    struct generator *adds;    /* the code is added here; NULL: it is there */
    struct gen_warp *emits;    /* its stream is made here, or NULL */
    const struct generator *g; /* in any case */
    uint32_t code;             /* of the next instruction */
    uint32_t warp;
    bool in;                  /* whether the warp takes part in what follows */
    uint64_t mask, count;     /* its lanes in that; what it has executed */
    uint64_t at[ROW_TENSORS]; /* addresses of the round */
};

static bool executes(struct visit *v)
{
    v->code++;
    if (v->in) v->count++;
    return v->in && v->emits;
}

static void visit_op(struct visit *v, uint8_t cls, uint16_t dst, uint16_t a, const char *mnemonic)
{
    if (v->adds) gen_op(v->adds, cls, dst, dst == REG_NONE ? a : dst, a, mnemonic);
    if (executes(v)) gen_plain(v->emits, v->code - 1);
}

static void visit_address(struct visit *v, uint64_t base, int64_t stride)
{
    uint64_t all = v->emits->mask;
    v->emits->mask = v->mask;
    gen_strided(v->emits, v->code - 1, base, stride);
    v->emits->mask = all;
}

/* Lane n accesses so many words from base + n stride on of shared memory. */
static void visit_shared_words(struct visit *v, uint8_t cls, uint16_t value, uint32_t words,
                               uint32_t base, uint32_t stride)
{
    if (v->adds) gen_shared_bytes(v->adds, cls, value, 4 * words);
    if (executes(v)) visit_address(v, 4 * (uint64_t)base, 4 * (int64_t)stride);
}

static void visit_shared(struct visit *v, uint8_t cls, uint16_t value, uint32_t base,
                         uint32_t stride)
{
    visit_shared_words(v, cls, value, 1, base, stride);
}

static void visit_global(struct visit *v, uint8_t cls, uint16_t value, uint32_t tensor,
                         uint32_t bytes)
{
    uint16_t address = (uint16_t)(GEN_R_INDEX + tensor), buffer = (uint16_t)(tensor + 1);
    if (v->adds && cls == OP_LOAD) gen_load(v->adds, value, address, bytes, buffer);
    if (v->adds && cls == OP_STORE) gen_store(v->adds, value, address, bytes, buffer);
    if (executes(v)) visit_address(v, v->at[tensor], bytes);
}

static void visit_function(struct visit *v, const struct ml_cost *c, uint32_t elements,
                           uint16_t dst, uint16_t a, uint16_t b)
{
    uint32_t n = ml_cost_sum(c) * elements;
    if (v->adds) ml_add_function(v->adds, c, elements, dst, a, b);
    if (v->in && v->emits) gen_plain_range(v->emits, v->code, v->code + n);
    v->code += n;
    if (v->in) v->count += n;
}

static void visit_barrier(struct visit *v)
{
    visit_op(v, OP_BARRIER, REG_NONE, REG_NONE, "BAR.SYNC");
}

/* Everyone compares and branches; what follows is for the first `lanes` of warps from .. to - 1. */
static void visit_only(struct visit *v, uint32_t from, uint32_t to, uint32_t lanes)
{
    visit_op(v, OP_INT, REG_NONE, GEN_R_THREAD, "ISETP");
    visit_op(v, OP_BRANCH, REG_NONE, REG_NONE, "BRA");
    v->in = v->warp >= from && v->warp < to;
    v->mask = lanes < v->g->width ? (UINT64_C(1) << lanes) - 1 : v->mask;
}

static uint64_t whole_warp(const struct generator *g)
{
    return g->width == WARP_MAX_LANES ? UINT64_MAX : (UINT64_C(1) << g->width) - 1;
}

static void visit_all(struct visit *v)
{
    v->in = true;
    v->mask = whole_warp(v->g);
}

/* A round of pass p in accesses of so many elements. */
static void visit_round(struct visit *v, uint32_t p, uint32_t elements)
{
    static const uint8_t read[] = {ROW_X, ROW_GAMMA, ROW_BETA};
    const struct pass *pass = pass_of(v->g, p);
    enum row_operator op = row_operator_of(v->g);
    uint32_t loads = !pass->stores || op == ROW_SOFTMAX ? 1 : op == ROW_RMSNORM ? 2 : 3;
    uint32_t bytes = elements * row_element_bytes(v->g);
    bool apart = pass->stores || pass->adds;
    struct ml_cost cost = pass->cost;
    if (v->g->c.type != ML_FP32) cost = ml_cost_with(cost, loads + pass->stores);
    for (uint32_t k = 0; k < loads; k++)
        visit_global(v, OP_LOAD, (uint16_t)(R_LOADED + k), read[k], bytes);
    for (uint32_t k = 0; k < (apart ? 1 : elements); k++)
        visit_function(v, &cost, apart ? elements : 1, apart ? R_RESULT : R_VALUE, R_LOADED,
                       loads > 1 ? R_LOADED + 1 : R_VALUE);
    for (uint32_t k = 0; k < elements && pass->adds; k++)
        visit_op(v, OP_FP32, R_VALUE, (uint16_t)(R_RESULT + k), "FADD");
    for (uint32_t k = 0; k < elements && loads > 2; k++)
        visit_op(v, OP_FP32, (uint16_t)(R_RESULT + k), R_LOADED + 2, "FFMA");
    if (pass->stores) visit_global(v, OP_STORE, (uint16_t)(R_RESULT + elements - 1), ROW_Y, bytes);
    visit_op(v, OP_INT, GEN_R_COUNT, REG_NONE, "IADD3");
    visit_op(v, OP_INT, REG_NONE, GEN_R_COUNT, "ISETP");
    visit_op(v, OP_BRANCH, REG_NONE, REG_NONE, "BRA");
}

/* A value and another become their maximum (pass 0), a comparison and a selection of it, or their
 * sum. */
static void visit_combine(struct visit *v, uint32_t p, uint16_t other)
{
    if (p == 0) visit_op(v, OP_FP32, R_VALUE, other, "FSETP");
    visit_op(v, OP_FP32, R_VALUE, other, p == 0 ? "FSEL" : "FADD");
}

/* Each lane takes the n words from lane x stride of shared memory on, one after the other: loads of
 * several words, some of them ahead. n is a power of two. */
static void visit_take(struct visit *v, uint32_t p, uint32_t n, uint32_t stride)
{
    uint32_t words = n < SHARED_WORDS ? n : SHARED_WORDS, loads = n / words;
    for (uint32_t k = 0; k < loads; k += SHARED_LOADS) {
        uint32_t ahead = loads - k < SHARED_LOADS ? loads - k : SHARED_LOADS;
        for (uint32_t i = 0; i < ahead; i++)
            visit_shared_words(v, OP_SHARED_LOAD, (uint16_t)(R_SHARED + i), words, (k + i) * words,
                               stride);
        for (uint32_t i = 0; i < ahead * words; i++)
            visit_combine(v, p, (uint16_t)(R_SHARED + i / words));
    }
}

static void visit_softmax_reduction(struct visit *v, uint32_t p)
{
    uint32_t width = v->g->width, warps = (uint32_t)v->g->c.block_threads / width;
    visit_barrier(v);
    visit_shared(v, OP_SHARED_STORE, R_VALUE, v->warp * width, 1);
    visit_barrier(v);
    visit_only(v, 0, 1, warps);
    visit_take(v, p, width, width);
    visit_shared(v, OP_SHARED_STORE, R_VALUE, 0, 1);
    visit_all(v);
    visit_barrier(v);
    visit_only(v, 0, 1, 1);
    visit_take(v, p, warps, warps);
    visit_shared(v, OP_SHARED_STORE, R_VALUE, 0, 1);
    visit_all(v);
    visit_barrier(v);
    visit_shared(v, OP_SHARED_LOAD, R_VALUE, 0, 0);
}

static void visit_norm_reduction(struct visit *v)
{
    static const struct ml_cost add = {1, 0, 0, 0};
    bool layer = row_operator_of(v->g) == ROW_LAYERNORM;
    const struct ml_cost *combine = layer ? &ml_combine : &add;
    uint32_t width = v->g->width, warps = (uint32_t)v->g->c.block_threads / width;
    uint32_t values = layer ? 3 : 1, kept = layer ? 2 : 1;
    for (uint32_t n = width / 2; n; n /= 2) {
        for (uint32_t k = 0; k < values; k++)
            visit_op(v, OP_INT, (uint16_t)(R_SHARED + k), R_VALUE, "SHFL.DOWN");
        visit_function(v, combine, 1, R_VALUE, R_VALUE, (uint16_t)(R_SHARED + values - 1));
    }
    for (uint32_t n = warps / 2; n; n /= 2) {
        visit_only(v, n, 2 * n, 1);
        for (uint32_t k = 0; k < values; k++)
            visit_shared(v, OP_SHARED_STORE, R_VALUE, values * v->warp + k, 1);
        visit_all(v);
        visit_barrier(v);
        visit_only(v, 0, n, 1);
        for (uint32_t k = 0; k < values; k++)
            visit_shared(v, OP_SHARED_LOAD, (uint16_t)(R_SHARED + k), values * (v->warp + n) + k,
                         1);
        visit_function(v, combine, 1, R_VALUE, R_VALUE, (uint16_t)(R_SHARED + values - 1));
        visit_all(v);
        visit_barrier(v);
    }
    visit_only(v, 0, 1, 1);
    for (uint32_t k = 0; k < kept; k++)
        visit_shared(v, OP_SHARED_STORE, R_VALUE, k, 1);
    visit_all(v);
    visit_barrier(v);
    for (uint32_t k = 0; k < kept; k++)
        visit_shared(v, OP_SHARED_LOAD, (uint16_t)(R_SHARED + k), k, 0);
    visit_function(v, &ml_reciprocal_root, 1, R_VALUE, R_SHARED, (uint16_t)(R_SHARED + kept - 1));
}

/* What follows the last round of pass p. */
static void visit_end(struct visit *v, uint32_t p)
{
    enum row_operator op = row_operator_of(v->g);
    bool last = p + 1 == passes[op].n;
    visit_all(v);
    if (!last && op == ROW_SOFTMAX) visit_softmax_reduction(v, p);
    if (!last && op != ROW_SOFTMAX) visit_norm_reduction(v);
    if (!last || op == ROW_SOFTMAX) return;
    visit_only(v, 0, 1, 1);
    if (op == ROW_LAYERNORM) visit_global(v, OP_STORE, R_SHARED, ROW_MEAN, 4);
    visit_global(v, OP_STORE, R_VALUE, ROW_ROOT, 4);
    visit_all(v);
}

/* Goes over the rounds of pass p, by vectors and by elements. */
static void visit_rounds(struct visit *v, uint32_t p)
{
    visit_round(v, p, (uint32_t)v->g->c.vector);
    if (row_rounds_of(v->g).elements) visit_round(v, p, 1);
}

void row_block_setup(struct generator *g)
{
    uint32_t n = passes[row_operator_of(g)].n;
    gen_op(g, OP_INT, GEN_R_THREAD, REG_NONE, REG_NONE, "S2R");
    gen_op(g, OP_INT, GEN_R_CTA, REG_NONE, REG_NONE, "S2R");
    for (uint32_t k = 0; k < ROW_TENSORS; k++)
        if (g->tensor_bytes[k])
            gen_op(g, OP_INT, (uint16_t)(GEN_R_INDEX + k), GEN_R_CTA, GEN_R_THREAD, "IMAD.WIDE");
    g->n_prologue = g->code.n;
    struct visit v = {.adds = g, .g = g, .code = g->code.n};
    for (uint32_t p = 0; p < n; p++)
        visit_rounds(&v, p);
    for (uint32_t p = 0; p < n; p++)
        visit_end(&v, p);
    gen_exit(g);
    bool softmax = row_operator_of(g) == ROW_SOFTMAX;
    uint32_t warps = (uint32_t)g->c.block_threads / g->width;
    g->shared_bytes = softmax ? 4 * (uint32_t)g->c.block_threads : 12 * warps;
}

/* --- streams --- */

static struct visit visit_of(const struct generator *g, uint32_t warp)
{
    return (struct visit){
        .g = g, .code = g->n_prologue, .warp = warp, .in = true, .mask = whole_warp(g)};
}

/* Where the code that ends pass p begins. */
static uint32_t find_end(const struct generator *g, uint32_t p)
{
    struct visit v = visit_of(g, 0);
    for (uint32_t q = 0; q < passes[row_operator_of(g)].n; q++)
        visit_rounds(&v, q);
    for (uint32_t q = 0; q < p; q++)
        visit_end(&v, q);
    return v.code;
}

/* Of the first n rounds over so many items, those in which a warp has any. */
static uint64_t rounds_with(const struct generator *g, uint32_t warp, uint64_t items, uint64_t n)
{
    uint64_t first = (uint64_t)warp * g->width, block = (uint64_t)g->c.block_threads;
    uint64_t has = items > first ? (items - first + block - 1) / block : 0;
    return has < n ? has : n;
}

static uint64_t count_round(const struct generator *g, uint32_t p, uint32_t elements)
{
    struct visit v = visit_of(g, 0);
    visit_round(&v, p, elements);
    return v.count;
}

uint64_t row_block_before(const struct generator *g, uint32_t warp, uint64_t step)
{
    struct row_rounds r = row_rounds_of(g);
    uint64_t count = 0;
    for (uint32_t p = 0; step && p < passes[row_operator_of(g)].n; p++) {
        uint64_t n = step < r.all ? step : r.all, vectors = n < r.by_vector ? n : r.by_vector;
        struct visit v = visit_of(g, warp);
        count +=
            rounds_with(g, warp, r.vectors, vectors) * count_round(g, p, (uint32_t)g->c.vector) +
            rounds_with(g, warp, r.elements, n - vectors) * count_round(g, p, 1);
        if (n == r.all) visit_end(&v, p);
        count += v.count;
        step -= n;
    }
    return count;
}

/* Says where the round's accesses begin and which lanes have one; false: the warp has none. */
static bool place_round(struct visit *v, const struct row_rounds *r, uint64_t row, uint64_t round)
{
    const struct generator *g = v->g;
    bool by_vector = round < r->by_vector;
    uint64_t vector = (uint64_t)g->c.vector, items = by_vector ? r->vectors : r->elements;
    uint64_t first = (by_vector ? round : round - r->by_vector) * (uint64_t)g->c.block_threads +
                     v->warp * g->width;
    if (first >= items) return false;
    if (items - first < g->width) v->mask = (UINT64_C(1) << (items - first)) - 1;
    uint64_t column = by_vector ? first * vector : r->vectors * vector + first;
    for (uint32_t k = 0; k < ROW_TENSORS; k++) {
        uint64_t before = k == ROW_X || k == ROW_Y ? row * (uint64_t)g->c.width : 0;
        v->at[k] = gen_array(g, k) + (before + column) * row_element_bytes(g);
    }
    return true;
}

void row_block_step(struct gen_warp *w, uint64_t step)
{
    const struct generator *g = w->g;
    struct row_rounds r = row_rounds_of(g);
    uint64_t round = step % r.all;
    uint32_t p = (uint32_t)(step / r.all), vector = (uint32_t)g->c.vector;
    struct visit v = visit_of(g, w->warp);
    v.in = false;
    for (uint32_t q = 0; q < p; q++)
        visit_rounds(&v, q);
    if (round >= r.by_vector) visit_round(&v, p, vector);
    v.emits = w;
    v.in = place_round(&v, &r, w->cta, round);
    visit_round(&v, p, round < r.by_vector ? vector : 1);
    if (round + 1 < r.all) return;
    v.code = find_end(g, p);
    v.at[ROW_MEAN] = gen_array(g, ROW_MEAN) + 4 * w->cta;
    v.at[ROW_ROOT] = gen_array(g, ROW_ROOT) + 4 * w->cta;
    visit_end(&v, p);
}
