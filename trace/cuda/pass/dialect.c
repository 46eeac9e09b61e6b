/* dialect.c - see dialect.h.
 *
 * What the functions of libm cost a GPU are estimates: so many instructions has the common path of
 * a float's or double's function on NVIDIA's GPUs since Volta, of which the special function unit
 * does some. Divisions and square roots are sequences around a reciprocal of that unit, too. */
#include "trace/cuda/pass/dialect.h"

#include <string.h>

struct cost {
    const char *name;
    uint8_t ops, sfu; /* of a float; a double takes three times the ops of FP64 */
};

static const struct cost functions[] = {
    {"acos", 14, 1},     {"acosh", 20, 2},    {"asin", 14, 1},      {"asinh", 20, 2},
    {"atan", 14, 1},     {"atan2", 20, 1},    {"atanh", 16, 2},     {"cbrt", 9, 2},
    {"cos", 16, 0},      {"cosh", 8, 2},      {"erf", 16, 1},       {"erfc", 20, 2},
    {"exp", 6, 1},       {"exp10", 7, 1},     {"exp2", 2, 1},       {"expm1", 12, 1},
    {"fmod", 20, 1},     {"hypot", 10, 1},    {"ilogb", 3, 0},      {"j0", 30, 2},
    {"j1", 30, 2},       {"ldexp", 4, 0},     {"lgamma", 40, 2},    {"log", 13, 0},
    {"log10", 14, 0},    {"log1p", 14, 0},    {"log2", 4, 1},       {"logb", 3, 0},
    {"nextafter", 8, 0}, {"pow", 40, 2},      {"remainder", 20, 1}, {"rcbrt", 9, 2},
    {"rsqrt", 2, 1},     {"sin", 16, 0},      {"sinh", 10, 2},      {"sinpi", 12, 0},
    {"cospi", 12, 0},    {"tan", 20, 1},      {"tanh", 8, 2},       {"tgamma", 40, 2},
    {"y0", 40, 3},       {"y1", 40, 3},       {"fast_sin", 1, 1},   {"fast_cos", 1, 1},
    {"fast_log2", 0, 1}, {"fast_exp2", 0, 1}, {"fast_rcp", 0, 1},
};

/* Intrinsics and functions of the runtime that are not one instruction of their result's class. */
static const struct {
    const char *name;
    uint8_t ops, sfu;
} others[] = {
    {"llvm.nvvm.read.ptx.sreg.ntid", 0, 0},
    {"llvm.nvvm.read.ptx.sreg.nctaid", 0, 0},
    {"llvm.nvvm.read.ptx.sreg.warpsize", 0, 0},
    {"llvm.nvvm.isspacep", 2, 0},
    {"llvm.lifetime", 0, 0},
    {"llvm.assume", 0, 0},
    {"llvm.experimental", 0, 0},
    {"llvm.invariant", 0, 0},
    {"llvm.dbg", 0, 0},
    {"llvm.fabs", 0, 0},
    {"llvm.expect", 0, 0},
    {"llvm.sqrt.f32", 7, 1},
    {"llvm.sqrt.f64", 12, 1},
    {"llvm.floor", 0, 1},
    {"llvm.ceil", 0, 1},
    {"llvm.trunc", 0, 1},
    {"llvm.rint", 0, 1},
    {"llvm.nearbyint", 0, 1},
    {"llvm.round", 4, 1},
    {"llvm.ctpop", 0, 1},
    {"llvm.ctlz", 1, 1},
    {"llvm.cttz", 2, 1},
    {"llvm.bitreverse", 0, 1},
    {"llvm.fshl", 1, 0},
    {"llvm.fshr", 1, 0},
    {"vprintf", 4, 0},
    {"malloc", 20, 0},
    {"free", 20, 0},
    {"plumb_cuda_assert", 1, 0},
    {"plumb_cuda_nanosleep", 1, 0},
    {"plumb_cuda_texel", 0, 0},
    {"plumb_cuda_texture", 0, 0},
    {"plumb_cuda_here", 0, 0},
    {"llvm.nvvm.texsurf.handle", 0, 0},
};

static enum mem_space space_of(unsigned address_space)
{
    switch (address_space) {
    case SPACE_NVPTX_SHARED: return SPACE_SHARED;
    case SPACE_NVPTX_CONSTANT: return SPACE_CONST;
    case SPACE_NVPTX_LOCAL: return SPACE_LOCAL;
    default: return SPACE_GLOBAL;
    }
}

/* The entry of a function of libm or the runtime: "plumb_" before the name and "f" behind it do not
 * count. */
static const struct cost *find_function(const char *name)
{
    if (strncmp(name, "plumb_", 6) == 0) name += 6;
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t length = strlen(functions[i].name);
        if (strncmp(name, functions[i].name, length) != 0) continue;
        if (n == length || (n == length + 1 && name[length] == 'f')) return &functions[i];
    }
    return NULL;
}

bool dialect_knows(const char *name)
{
    if (find_function(name)) return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, "llvm.", 5) != 0 && strcmp(name, others[i].name) == 0) return true;
    return false;
}

static const char *callee_name(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(call));
    return f ? LLVMGetValueName2(f, &length) : "asm";
}

/* Beyond a barrier of the grid the trace goes on in another launch. */
static bool set_barrier(struct shape *s, const char *name)
{
    if (strcmp(name, "plumb_cuda_grid_sync") == 0) {
        s->flags = LOWER_BARRIER;
        s->cls = OP_EXIT;
        s->ops = 1;
        return true;
    }
    if (strncmp(name, "llvm.nvvm.barrier", 17) != 0) return false;
    s->flags = LOWER_BARRIER;
    s->cls = OP_BARRIER;
    s->ops = 1;
    return true;
}

/* Groups of asynchronous copies, and products of matrices: two of 16 x 8 x 16 each, one of doubles.
 */
static bool set_copy(struct shape *s, LLVMValueRef call, const char *name)
{
    s->ops = 1;
    if (strcmp(name, "plumb_cuda_copy_commit") == 0) {
        s->cls = OP_COPY_COMMIT;
        return true;
    }
    if (strcmp(name, "plumb_cuda_copy_wait") == 0) {
        LLVMValueRef open = LLVMIsAConstantInt(LLVMGetOperand(call, 0));
        s->cls = OP_COPY_WAIT;
        s->width = open ? (uint8_t)LLVMConstIntGetZExtValue(open) : 0;
        return true;
    }
    if (strncmp(name, "plumb_cuda_mma_", 15) != 0) return false;
    s->cls = OP_TENSOR;
    s->ops = strcmp(name + 15, "f64") == 0 ? 1 : 2;
    return true;
}

static void shape_call(struct shape *s, LLVMValueRef call)
{
    const char *name = callee_name(call);
    LLVMTypeRef type = LLVMTypeOf(call);
    s->cls = (uint8_t)shape_number_class(type, type);
    s->ops = shape_elements(call);
    if (set_barrier(s, name) || set_copy(s, call, name)) return;
    if (strncmp(name, "llvm.nvvm.membar", 16) == 0) s->cls = OP_FENCE;
    const struct cost *f = find_function(name);
    if (f) {
        s->ops = s->cls == OP_FP64 ? 3u * f->ops : f->ops;
        s->sfu = f->sfu;
        return;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strncmp(name, others[i].name, strlen(others[i].name)) != 0) continue;
        s->sfu = others[i].sfu * s->ops;
        s->ops *= others[i].ops;
        return;
    }
}

static void shape_division(struct shape *s, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint32_t n = shape_elements(inst);
    s->cls = (uint8_t)shape_number_class(type, type);
    bool whole = s->cls == OP_INT;
    bool wide =
        whole && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 32;
    if (whole &&
        LLVMIsAConstant(LLVMGetOperand(inst, 1))) { /* a product's upper half, and shifts */
        s->ops = 4 * n;
        return;
    }
    s->sfu = whole ? 3 * n : n; /* conversions are done there, too */
    s->ops = n * (wide ? 60 : whole ? 13 : s->cls == OP_FP64 ? 10 : 8);
}

static bool converts_widths(LLVMOpcode o)
{
    return o == LLVMFPToUI || o == LLVMFPToSI || o == LLVMUIToFP || o == LLVMSIToFP;
}

/* Whether an access is a side of an asynchronous copy (hosted.cpp). */
static bool is_copy(LLVMValueRef inst)
{
    LLVMContextRef c = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst))));
    return LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(c, "plumb.copy", 10)) != NULL;
}

static void adjust(struct shape *s, LLVMValueRef inst)
{
    LLVMOpcode o = LLVMGetInstructionOpcode(inst);
    if (o == LLVMFDiv || o == LLVMSDiv || o == LLVMUDiv || o == LLVMSRem || o == LLVMURem)
        shape_division(s, inst);
    if (o == LLVMFNeg) s->ops = 0; /* a sign of the operand of what uses it */
    if (converts_widths(o)) s->cls = OP_SFU;
    if (!(s->flags & LOWER_STEP) || s->flags & LOWER_LATE) return;
    if (is_copy(inst)) {
        if (o == LLVMStore) s->flags = 0;
        s->hint = HINT_ASYNC;
    }
    LLVMValueRef pointer = LLVMGetOperand(inst, o == LLVMStore ? 1 : 0);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    s->generic = space == SPACE_NVPTX_GENERIC;
    bool fixed = space == SPACE_NVPTX_CONSTANT && LLVMIsAConstant(pointer);
    if (space == SPACE_NVPTX_PARAMETER || fixed) s->flags = 0; /* an operand */
}

const struct lower_dialect cuda_dialect = {space_of, shape_call, adjust};

static bool has_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) !=
           NULL;
}

/* Whatever a call may do but compute, such as meeting other lanes. */
static bool is_wall(LLVMValueRef call)
{
    static const char *const marks[] = {"llvm.assume", "llvm.lifetime", "llvm.dbg",
                                        "llvm.experimental.noalias"};
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(call));
    const char *name = callee_name(call);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(name, marks[i], strlen(marks[i])) == 0) return false;
    if (find_function(name)) return false;
    return !f || !has_attribute(f, "readnone") || has_attribute(f, "convergent");
}

const struct schedule_rules cuda_order = {
    .dialect = &cuda_dialect, .wall = is_wall, .generic = true};
