/* shape.c - see shape.h. */
#include "trace/lower/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shape_form {
    FORM_FREE,
    FORM_INT,
    FORM_FLOAT,   /* class of the operand */
    FORM_SFU,     /* divisions */
    FORM_CONVERT, /* between numbers: class of the wider float */
    FORM_EXTEND,  /* of an integer: free if only addresses use it */
    FORM_ADDRESS,
    FORM_ACCESS,
    FORM_JUMP,
    FORM_RETURN,
    FORM_CALL
};

/* The form of each opcode; opcodes that are not listed cost nothing. */
static const struct {
    const char *name;
    enum shape_form form;
} table[] = {
    [LLVMRet] = {"exit", FORM_RETURN},
    [LLVMBr] = {"br", FORM_JUMP},
    [LLVMSwitch] = {"switch", FORM_JUMP},
    [LLVMIndirectBr] = {"indirectbr", FORM_JUMP},
    [LLVMCall] = {NULL, FORM_CALL},
    [LLVMAdd] = {"add", FORM_INT},
    [LLVMSub] = {"sub", FORM_INT},
    [LLVMMul] = {"mul", FORM_INT},
    [LLVMUDiv] = {"udiv", FORM_SFU},
    [LLVMSDiv] = {"sdiv", FORM_SFU},
    [LLVMURem] = {"urem", FORM_SFU},
    [LLVMSRem] = {"srem", FORM_SFU},
    [LLVMShl] = {"shl", FORM_INT},
    [LLVMLShr] = {"lshr", FORM_INT},
    [LLVMAShr] = {"ashr", FORM_INT},
    [LLVMAnd] = {"and", FORM_INT},
    [LLVMOr] = {"or", FORM_INT},
    [LLVMXor] = {"xor", FORM_INT},
    [LLVMICmp] = {"icmp", FORM_INT},
    [LLVMSelect] = {"select", FORM_INT},
    [LLVMFNeg] = {"fneg", FORM_FLOAT},
    [LLVMFAdd] = {"fadd", FORM_FLOAT},
    [LLVMFSub] = {"fsub", FORM_FLOAT},
    [LLVMFMul] = {"fmul", FORM_FLOAT},
    [LLVMFCmp] = {"fcmp", FORM_FLOAT},
    [LLVMFDiv] = {"fdiv", FORM_SFU},
    [LLVMFRem] = {"frem", FORM_SFU},
    [LLVMZExt] = {"zext", FORM_EXTEND},
    [LLVMSExt] = {"sext", FORM_EXTEND},
    [LLVMFPToUI] = {"fptoui", FORM_CONVERT},
    [LLVMFPToSI] = {"fptosi", FORM_CONVERT},
    [LLVMUIToFP] = {"uitofp", FORM_CONVERT},
    [LLVMSIToFP] = {"sitofp", FORM_CONVERT},
    [LLVMFPTrunc] = {"fptrunc", FORM_CONVERT},
    [LLVMFPExt] = {"fpext", FORM_CONVERT},
    [LLVMGetElementPtr] = {"getelementptr", FORM_ADDRESS},
    [LLVMLoad] = {"load", FORM_ACCESS},
    [LLVMStore] = {"store", FORM_ACCESS},
    [LLVMAtomicRMW] = {"atomicrmw", FORM_ACCESS},
    [LLVMAtomicCmpXchg] = {"cmpxchg", FORM_ACCESS},
};

static LLVMTypeRef scalar(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static uint32_t elements(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static LLVMTypeRef operand_type(LLVMValueRef inst)
{
    bool any = LLVMGetNumOperands(inst) > 0;
    return LLVMTypeOf(any ? LLVMGetOperand(inst, 0) : inst);
}

/* A GPU's lane computes scalars: a vector operation is as many instructions as it has elements. */
uint32_t shape_elements(LLVMValueRef inst)
{
    uint32_t result = elements(LLVMTypeOf(inst)), operand = elements(operand_type(inst));
    return result > operand ? result : operand;
}

enum op_class shape_number_class(LLVMTypeRef a, LLVMTypeRef b)
{
    LLVMTypeKind x = LLVMGetTypeKind(scalar(a)), y = LLVMGetTypeKind(scalar(b));
    if (x == LLVMDoubleTypeKind || y == LLVMDoubleTypeKind) return OP_FP64;
    bool single = x == LLVMFloatTypeKind || y == LLVMFloatTypeKind;
    bool half = x == LLVMHalfTypeKind || y == LLVMHalfTypeKind;
    return single || half ? OP_FP32 : OP_INT;
}

static bool only_addresses_use(LLVMValueRef inst)
{
    for (LLVMUseRef u = LLVMGetFirstUse(inst); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAGetElementPtrInst(LLVMGetUser(u))) return false;
    return true;
}

static bool constant_step(LLVMValueRef inst)
{
    int n = LLVMGetNumOperands(inst);
    for (int i = 1; i < n; i++)
        if (!LLVMIsAConstant(LLVMGetOperand(inst, (unsigned)i))) return false;
    return true;
}

static void shape_access(struct shape *s, LLVMValueRef inst, LLVMTargetDataRef layout,
                         const struct lower_dialect *dialect)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    bool store = opcode == LLVMStore, load = opcode == LLVMLoad;
    LLVMValueRef pointer = LLVMGetOperand(inst, store ? 1 : 0);
    LLVMTypeRef type = load    ? LLVMTypeOf(inst)
                       : store ? LLVMTypeOf(LLVMGetOperand(inst, 0))
                               : LLVMTypeOf(LLVMGetOperand(inst, 1));
    enum lower_access kind = load ? LOWER_LOAD : store ? LOWER_STORE : LOWER_ATOMIC;
    s->flags = LOWER_STEP;
    s->space = (uint8_t)dialect->space(LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
    s->cls = (uint8_t)lower_class(kind, (enum mem_space)s->space);
    s->access = (uint8_t)kind;
    s->bytes = LLVMABISizeOfType(layout, type);
}

/* A jump to the next block costs nothing. */
static uint32_t jump_ops(LLVMValueRef inst)
{
    if (LLVMGetNumSuccessors(inst) != 1) return 1;
    return LLVMGetSuccessor(inst, 0) != LLVMGetNextBasicBlock(LLVMGetInstructionParent(inst));
}

LLVMValueRef shape_callee(LLVMValueRef inst)
{
    if (LLVMGetInstructionOpcode(inst) != LLVMCall) return NULL;
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(inst));
    return f && !LLVMIsDeclaration(f) ? f : NULL;
}

void shape_plain_name(char *out, size_t n, const char *name)
{
    if (strncmp(name, "_Z", 2) == 0) {
        char *plain;
        unsigned long letters = strtoul(name + 2, &plain, 10);
        snprintf(out, n, "%.*s", (int)(letters < n ? letters : n - 1), plain);
        return;
    }
    bool intrinsic = strncmp(name, "llvm.", 5) == 0;
    snprintf(out, n, "%s", intrinsic ? name + 5 : name);
    if (intrinsic) out[strcspn(out, ".")] = '\0';
}

void shape_call_name(char *out, size_t n, LLVMValueRef call)
{
    size_t length;
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(call));
    shape_plain_name(out, n, f ? LLVMGetValueName2(f, &length) : "call");
}

static void shape_return(struct shape *s, bool kernel)
{
    if (kernel) {
        s->cls = OP_EXIT;
        s->ops = 1;
    } else {
        s->flags = LOWER_LEAVE;
    }
}

struct shape shape_of(LLVMValueRef inst, LLVMTargetDataRef layout, bool kernel,
                      const struct lower_dialect *dialect)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    if (opcode >= sizeof table / sizeof *table) return (struct shape){.name = ""};
    struct shape s = {.name = table[opcode].name, .cls = OP_INT, .ops = shape_elements(inst)};
    if (!s.name && opcode != LLVMCall) s.name = "";
    LLVMTypeRef result = LLVMTypeOf(inst), operand = operand_type(inst);
    switch (table[opcode].form) {
    case FORM_FREE: s.ops = 0; break;
    case FORM_INT: break;
    case FORM_FLOAT: s.cls = (uint8_t)shape_number_class(operand, operand); break;
    case FORM_SFU: s.cls = OP_SFU; break;
    case FORM_CONVERT: s.cls = (uint8_t)shape_number_class(operand, result); break;
    case FORM_EXTEND: s.ops = only_addresses_use(inst) ? 0 : s.ops; break;
    case FORM_ADDRESS: s.ops = constant_step(inst) ? 0 : 1; break;
    case FORM_ACCESS:
        s.ops = 0;
        shape_access(&s, inst, layout, dialect);
        break;
    case FORM_JUMP:
        s.cls = OP_BRANCH;
        s.ops = jump_ops(inst);
        break;
    case FORM_RETURN:
        s.ops = 0;
        shape_return(&s, kernel);
        break;
    case FORM_CALL:
        s.ops = 0;
        if (shape_callee(inst))
            s.flags = LOWER_ENTER;
        else
            dialect->call(&s, inst);
        break;
    }
    if (dialect->adjust) dialect->adjust(&s, inst);
    return s;
}
