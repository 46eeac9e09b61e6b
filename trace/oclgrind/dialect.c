/* dialect.c - see dialect.h. */
#include "trace/oclgrind/dialect.h"

#include "trace/oclgrind/builtins.h"

#include <string.h>

static enum mem_space space_of(unsigned address_space)
{
    static const enum mem_space space[] = {SPACE_LOCAL, SPACE_GLOBAL, SPACE_CONST, SPACE_SHARED};
    return address_space < 4 ? space[address_space] : SPACE_GLOBAL;
}

static bool takes_pointer(LLVMValueRef call)
{
    unsigned n = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < n; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

/* An acquire or release that orders only shared memory affects no cache and is a plain fence. */
static uint8_t fence_class(enum builtin kind, LLVMValueRef call)
{
    enum { CLK_LOCAL_MEM_FENCE = 1 };
    LLVMValueRef flags = LLVMIsAConstantInt(LLVMGetOperand(call, 0));
    bool local = flags && LLVMConstIntGetZExtValue(flags) == CLK_LOCAL_MEM_FENCE;
    if (local || kind == BUILTIN_FENCE) return OP_FENCE;
    return kind == BUILTIN_ACQUIRE ? OP_ACQUIRE : OP_RELEASE;
}

static void shape_call(struct shape *s, LLVMValueRef call)
{
    char name[64];
    shape_call_name(name, sizeof name, call);
    enum builtin kind = builtin_find(name);
    if (kind != BUILTIN_BARRIER && kind != BUILTIN_FREE && takes_pointer(call))
        s->flags = LOWER_STEP | LOWER_LATE;
    switch (kind) {
    case BUILTIN_COMPUTE:
        s->cls = (uint8_t)shape_number_class(LLVMTypeOf(call), LLVMTypeOf(call));
        s->ops = shape_elements(call);
        break;
    case BUILTIN_SFU:
        s->cls = OP_SFU;
        s->ops = shape_elements(call);
        break;
    case BUILTIN_BARRIER:
        s->flags = LOWER_BARRIER;
        s->cls = OP_BARRIER;
        s->ops = 1;
        break;
    case BUILTIN_FENCE:
    case BUILTIN_ACQUIRE:
    case BUILTIN_RELEASE:
        s->cls = fence_class(kind, call);
        s->ops = 1;
        break;
    case BUILTIN_REFUSED: s->refused = true; break;
    case BUILTIN_FREE:
    case BUILTIN_MEMORY: break;
    }
}

const struct lower_dialect opencl_dialect = {space_of, shape_call, NULL};

static bool is_named(LLVMValueRef call, const char *first, const char *second)
{
    char name[64];
    shape_call_name(name, sizeof name, call);
    return strncmp(name, first, strlen(first)) == 0 || strncmp(name, second, strlen(second)) == 0;
}

static bool loads(LLVMValueRef call)
{
    return is_named(call, "vload", "read_image");
}

static bool writes(LLVMValueRef call)
{
    return is_named(call, "atom", "vstore");
}

const struct schedule_rules opencl_order = {
    .dialect = &opencl_dialect, .loads = loads, .writes = writes};
