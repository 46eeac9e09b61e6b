/* vectorized.c - element-wise operators: an output of n elements from as many of each input.
 *
 * CTA i has elements i P to (i + 1) P - 1, where P = block x work: `work` elements a thread, in
 * accesses of `vector` elements. Access u of thread t is vector i P / vector + u block + t. A
 * thread issues all its loads, input by input within an access, then computes all elements in
 * registers, then stores them. Threads behind the last vector do nothing; arrays are padded to
 * whole vectors. Nothing is read twice. In place, the output is the first input.
 *
 * So does PyTorch's vectorized_elementwise_kernel<4, ...>: 128 threads, 4 elements a thread in one
 * vector (pytorch/pytorch aten/src/ATen/native/cuda: CUDALoops.cuh, MemoryAccess.cuh). What it
 * splits into several launches, arrays beyond 32-bit offsets, is one launch here. */
#include "trace/generators/ml/ml_math.h"

enum { COPY, ADD, MUL, DIV, RELU, GELU, TANH, EXP, SILU, POW };
static const char *const functions[] = {"copy", "add", "mul",  "div", "relu", "gelu",
                                        "tanh", "exp", "silu", "pow", NULL};
/* Per element; for several inputs an FADD joins each further one. */
static const struct ml_cost costs[] = {
    [COPY] = {0, 0, 0, 0},
    [ADD] = {1, 0, 0, 0},
    [MUL] = {1, 0, 0, 0},
    [DIV] = {6, 3, 1, 3},   /* as ml_divide */
    [RELU] = {3, 0, 0, 0},  /* FSETP and 2 FMNMX, which keep what is no number */
    [GELU] = {23, 1, 1, 0}, /* by erff: 4 FMUL, FSETP, 9 FSEL, 7 FFMA, 2 FADD; LOP3; MUFU.EX2 */
    [TANH] = {12, 1, 2, 0}, /* 2 FMUL, 2 FSETP, 6 FFMA, FADD, FSEL; LOP3; MUFU.EX2, MUFU.RCP */
    [EXP] = {7, 1, 1, 0},   /* as ml_exp */
    [SILU] = {13, 4, 2, 3}, /* v / (1 + exp(-v)) */
    /* 10 FMUL, 16 FSETP, 5 FSEL, 14 FADD, 19 FFMA; 3 IADD3, 3 LOP3, SEL, LEA, MOV; MUFU, I2F, 2
     * FRND, F2I; 4 BRA, BSSY, BSYNC */
    [POW] = {64, 9, 5, 6},
};

enum { MOST_INPUTS = 8, MOST_VECTOR = 8, MOST_WORK = 16 };
enum { R_RESULT = GEN_R_OWN, R_INPUT = R_RESULT + MOST_WORK };
#define MOST_ELEMENTS 0x1p46

static const struct gen_param params[] = {
    GEN_PARAM(n, GEN_INT, 33554432, 1, MOST_ELEMENTS, NULL, "elements"),
    GEN_PARAM(inputs, GEN_INT, 1, 1, MOST_INPUTS, NULL, "input arrays"),
    GEN_PARAM(in_place, GEN_INT, 0, 0, 1, NULL, "1: the output is the first input"),
    GEN_PARAM(function, GEN_CHOICE, ADD, 0, 0, functions, "what is computed"),
    GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names, "of the elements"),
    GEN_PARAM(vector, GEN_INT, 4, 1, MOST_VECTOR, NULL, "elements of an access, a power of two"),
    GEN_PARAM(work, GEN_INT, 0, 0, MOST_WORK, NULL,
              "elements of a thread, a multiple of vector; 0: one vector"),
    GEN_PARAM(block_threads, GEN_INT, 128, 1, 1024, NULL, "threads of a CTA"),
};
static const char *const tensors[] = {"x", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "y", NULL};

static uint32_t inputs(const struct generator *g)
{
    return (uint32_t)g->c.inputs;
}

static uint32_t accesses(const struct generator *g)
{
    return (uint32_t)(g->c.work / g->c.vector);
}

static uint32_t access_bytes(const struct generator *g)
{
    return (uint32_t)g->c.vector * ml_type_bytes(g->c.type);
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    if (!c->work) c->work = c->vector;
    if (c->vector & (c->vector - 1) || access_bytes(g) > INST_MAX_WIDTH)
        return error_input(e, "%s: vector = %lld of %s; an access is a power of two up to %d bytes",
                           path, (long long)c->vector, ml_type_names[c->type], INST_MAX_WIDTH);
    if (c->work % c->vector)
        return error_input(e, "%s: work = %lld is no multiple of vector = %lld", path,
                           (long long)c->work, (long long)c->vector);
    if (c->function == COPY && c->inputs > 1)
        return error_input(e, "%s: inputs = %lld; a copy has one", path, (long long)c->inputs);
    int64_t part = c->block_threads * c->work;
    c->ctas = (c->n + part - 1) / part;
    c->iterations = 1;
    return true;
}

static void place(struct generator *g)
{
    uint64_t bytes[GEN_MAX_TENSORS] = {0};
    uint64_t vectors = ((uint64_t)g->c.n + (uint64_t)g->c.vector - 1) / (uint64_t)g->c.vector;
    for (uint32_t k = 0; k < inputs(g); k++)
        bytes[k] = vectors * access_bytes(g);
    bytes[MOST_INPUTS] = g->c.in_place ? 0 : vectors * access_bytes(g);
    gen_place_tensors(g, MOST_INPUTS + 1, bytes);
}

static uint16_t input_register(const struct generator *g, uint32_t u, uint32_t k)
{
    return (uint16_t)(R_INPUT + (u * inputs(g) + k));
}

/* The elements of access u. */
static void add_elements(struct generator *g, uint32_t u)
{
    uint32_t vector = (uint32_t)g->c.vector, converted = g->c.type == ML_FP32 ? 0 : inputs(g) + 1;
    struct ml_cost cost = ml_cost_with(costs[g->c.function], converted);
    uint16_t result = (uint16_t)(R_RESULT + u * vector), second = REG_NONE;
    if (inputs(g) > 1) second = input_register(g, u, 1);
    ml_add_function(g, &cost, vector, result, input_register(g, u, 0), second);
    for (uint32_t k = 2; k < inputs(g); k++)
        for (uint32_t v = 0; v < vector; v++)
            gen_op(g, OP_FP32, (uint16_t)(result + v), (uint16_t)(result + v),
                   input_register(g, u, k), "FADD");
}

static uint16_t stored_register(const struct generator *g, uint32_t u)
{
    bool computed = costs[g->c.function].fp32 || inputs(g) > 2 || g->c.type != ML_FP32;
    uint32_t vector = (uint32_t)g->c.vector;
    return computed ? (uint16_t)(R_RESULT + u * vector + vector - 1) : input_register(g, u, 0);
}

/* Access u of array k, by the lanes that have a vector of it. */
static void access_vector(struct generator *g, uint32_t k, uint32_t u)
{
    gen_set(g, "u", u);
    gen_let(g, "v", "(cta * (work / vector) + u) * block_threads + thread");
    gen_at(g, (int32_t)k, access_bytes(g), "v");
    gen_if(g, "v < (n + vector - 1) / vector");
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    (void)path, (void)e;
    uint32_t in = inputs(g);
    place(g);
    gen_op(g, OP_INT, GEN_R_THREAD, REG_NONE, REG_NONE, "S2R");
    gen_op(g, OP_INT, GEN_R_CTA, REG_NONE, REG_NONE, "S2R");
    gen_op(g, OP_INT, GEN_R_THREAD, GEN_R_CTA, GEN_R_THREAD, "IMAD");
    gen_op(g, OP_INT, REG_NONE, GEN_R_THREAD, REG_NONE, "ISETP");
    gen_op(g, OP_BRANCH, REG_NONE, REG_NONE, REG_NONE, "BRA");
    for (uint32_t k = 0; k < in + !g->c.in_place; k++)
        gen_op(g, OP_INT, (uint16_t)(GEN_R_INDEX + k), GEN_R_THREAD, REG_NONE, "IMAD.WIDE");
    g->n_prologue = g->code.n;
    for (uint32_t u = 0; u < accesses(g); u++)
        for (uint32_t k = 0; k < in; k++) {
            gen_load(g, input_register(g, u, k), (uint16_t)(GEN_R_INDEX + k), access_bytes(g),
                     (uint16_t)(k + 1));
            access_vector(g, k, u);
        }
    for (uint32_t u = 0; u < accesses(g); u++)
        add_elements(g, u);
    for (uint32_t u = 0; u < accesses(g); u++) {
        gen_store(g, stored_register(g, u), (uint16_t)(GEN_R_INDEX + (g->c.in_place ? 0 : in)),
                  access_bytes(g), (uint16_t)(g->c.in_place ? 1 : in + 1));
        access_vector(g, g->c.in_place ? 0 : MOST_INPUTS, u);
    }
    g->n_step = g->code.n - g->n_prologue;
    gen_exit(g);
    return true;
}

const struct generator_ops generator_vectorized = {
    .name = "vectorized",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .shape = shape,
    .tensors = tensors,
};
