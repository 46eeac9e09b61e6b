/* lanes.c - see lanes.h. */
#include "trace/oclgrind/lanes.h"

#include "trace/lower/lower.h"

static uint32_t number(const struct lowered *l, LLVMValueRef v)
{
    return (uint32_t)(lower_find(l, v) - l->inst);
}

static uint32_t block_number(const struct lowered *l, LLVMBasicBlockRef b)
{
    return number(l, LLVMGetFirstInstruction(b));
}

static uint64_t ops(const struct lowered *l, uint32_t i)
{
    const struct capture_piece *p = &l->kernel.piece[l->inst[i].piece];
    uint64_t n = 0;
    for (size_t k = 0; k < p->n; k++)
        n += p->op[k].line == i && p->op[k].step == CAPTURE_NO_STEP;
    return n;
}

void lanes_put_code(FILE *f, const struct lowered *l)
{
    for (uint32_t i = 0; f && i < l->n; i++) {
        LLVMValueRef v = l->inst[i].value;
        if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v)) continue;
        LLVMBasicBlockRef block = LLVMGetInstructionParent(v);
        bool end = LLVMGetBasicBlockTerminator(block) == v;
        uint64_t is = l->inst[i].flags & LOWER_ENTER ? LANES_IS_CALL : 0;
        if (end) is |= LANES_IS_END;
        if (LLVMIsAReturnInst(v)) is |= LANES_IS_RETURN;
        lanes_put(f, LANES_INST, i, block_number(l, block) | ops(l, i) << 32 | is << 48);
        unsigned n = end ? LLVMGetNumSuccessors(v) : 0;
        for (unsigned k = 0; k < n; k++)
            lanes_put(f, LANES_EDGE, block_number(l, block),
                      block_number(l, LLVMGetSuccessor(v, k)));
    }
}
