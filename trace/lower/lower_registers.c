/* lower_registers.c - which values share a register, how long each is live, and its number. */
#include "base/memory/alloc.h"
#include "trace/lower/lowering.h"

/* --- values that share a register --- */

static uint32_t find(struct lowering *w, uint32_t v)
{
    while (w->class_of[v] != v)
        v = w->class_of[v] = w->class_of[w->class_of[v]];
    return v;
}

static void unite(struct lowering *w, LLVMValueRef a, LLVMValueRef b)
{
    uint32_t x = a ? lowering_number(w, a) : UINT32_MAX, y = b ? lowering_number(w, b) : UINT32_MAX;
    if (x == UINT32_MAX || y == UINT32_MAX) return;
    x = find(w, x);
    y = find(w, y);
    w->class_of[x > y ? x : y] = x > y ? y : x;
}

static void unite_phi(struct lowering *w, LLVMValueRef phi)
{
    unsigned n = LLVMCountIncoming(phi);
    for (unsigned k = 0; k < n; k++)
        unite(w, phi, LLVMGetIncomingValue(phi, k));
}

static void unite_call(struct lowering *w, LLVMValueRef call, LLVMValueRef callee)
{
    unsigned k = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(callee); p; p = LLVMGetNextParam(p))
        unite(w, p, LLVMGetOperand(call, k++));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMGetInstructionOpcode(end) == LLVMRet && LLVMGetNumOperands(end) == 1)
            unite(w, call, LLVMGetOperand(end, 0));
    }
}

/* Lets the result of an address step by constants, a cast or a vector part share its operands'
 * register. */
static void unite_operands(struct lowering *w, LLVMValueRef inst)
{
    int n = LLVMGetNumOperands(inst);
    for (int k = 0; k < n; k++)
        unite(w, inst, LLVMGetOperand(inst, (unsigned)k));
}

static void unite_all(struct lowering *w)
{
    for (uint32_t i = 0; i < w->l->n; i++)
        w->class_of[i] = i;
    for (uint32_t i = 0; i < w->l->n; i++) {
        LLVMValueRef v = w->l->inst[i].value, callee;
        if (!lowering_is_instruction(w, i)) continue;
        if (LLVMIsAPHINode(v))
            unite_phi(w, v);
        else if ((callee = shape_callee(v)))
            unite_call(w, v, callee);
        else if (shape_is_free(&w->shape[i]))
            unite_operands(w, v);
    }
}

/* --- registers --- */

/* 32-bit registers of a value. Integers of 64 bits are addresses and what is added to them, which a
 * GPU of 32-bit addresses keeps in one. */
static uint32_t words_of(const struct lowering *w, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind)
        return LLVMGetVectorSize(type) * words_of(w, LLVMGetElementType(type));
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        return (uint32_t)((LLVMABISizeOfType(w->layout, type) + 3) / 4);
    return kind == LLVMDoubleTypeKind ? 2 : 1;
}

/* Registers from one element of a vector to the next; 0: it has one element. */
static uint8_t element_step(const struct lowering *w, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (!w->by_words || LLVMGetTypeKind(type) != LLVMVectorTypeKind) return 0;
    return (uint8_t)words_of(w, LLVMGetElementType(type));
}

static void widen(struct lowering *w, struct live_range *r, LLVMValueRef v)
{
    uint32_t words = w->by_words ? words_of(w, LLVMTypeOf(v)) : 1;
    if (w->by_words && words == 1 && LLVMIsALoadInst(v)) /* a load writes all that it brings */
        words = ((uint32_t)LLVMABISizeOfType(w->layout, LLVMTypeOf(v)) + 3) / 4;
    if (words > r->words) r->words = (uint16_t)words;
}

static void touch(struct lowering *w, LLVMValueRef v, uint32_t at)
{
    uint32_t i = lowering_number(w, v);
    if (i == UINT32_MAX) return;
    struct live_range *r = &w->range[find(w, i)];
    widen(w, r, v);
    if (at < r->first) r->first = at;
    if (at > r->last) r->last = at;
}

/* A phi's value is live along its edges: from the ends of the predecessor blocks to its own. */
static void touch_phi(struct lowering *w, LLVMValueRef phi, uint32_t at)
{
    touch(w, phi, at);
    unsigned n = LLVMCountIncoming(phi);
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k));
        touch(w, phi, lowering_number(w, end));
    }
}

static void touch_all(struct lowering *w)
{
    for (uint32_t i = 0; i < w->l->n; i++) {
        LLVMValueRef v = w->l->inst[i].value;
        if (!lowering_is_instruction(w, i)) continue;
        if (LLVMIsAPHINode(v)) touch_phi(w, v, i);
        if (shape_is_free(&w->shape[i])) continue;
        w->written[find(w, i)] |= LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind;
        touch(w, v, i);
        int n = LLVMGetNumOperands(v);
        for (int k = 0; k < n; k++)
            touch(w, LLVMGetOperand(v, (unsigned)k), i);
    }
}

/* Called functions are numbered after the kernel but run in the middle of it: their values share
 * registers with no others. */
static void keep_callees_apart(struct lowering *w, uint32_t first_of_callees)
{
    uint32_t end = (uint32_t)w->l->n;
    for (uint32_t i = 0; i < end; i++)
        if (w->range[i].first <= w->range[i].last && w->range[i].last >= first_of_callees)
            w->range[i] = (struct live_range){0, end, 0, w->range[i].words};
}

static bool find_loops(struct lowering *w)
{
    for (size_t b = 0; b < w->n_blocks; b++) {
        const struct block *from = &w->block[b];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from->ref);
        unsigned n = LLVMGetNumSuccessors(end);
        for (unsigned k = 0; k < n; k++) {
            const struct block *to = lowering_block(w, LLVMGetSuccessor(end, k));
            if (to->first > from->first) continue;
            if (!mem_grow(&w->loop, &w->loops_cap, w->n_loops + 1, sizeof *w->loop)) return false;
            w->loop[w->n_loops++] = (struct live_loop){to->first, from->last};
        }
    }
    return true;
}

/* The place of an element in the registers of its vector, where it is taken out by a constant. */
static uint32_t element_place(const struct lowering *w, LLVMValueRef v)
{
    if (!w->by_words || !LLVMIsAExtractElementInst(v)) return 0;
    LLVMValueRef vector = LLVMGetOperand(v, 0), index = LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    if (!index || LLVMConstIntGetZExtValue(index) >= LLVMGetVectorSize(LLVMTypeOf(vector)))
        return 0;
    return (uint32_t)LLVMConstIntGetZExtValue(index) * element_step(w, vector);
}

static uint16_t register_of(struct lowering *w, LLVMValueRef v)
{
    uint32_t i = lowering_number(w, v);
    if (i == UINT32_MAX) return REG_NONE;
    i = find(w, i);
    if (!w->written[i]) return REG_NONE;
    return (uint16_t)(w->range[i].number + element_place(w, v));
}

static void name_sources(struct lowering *w, struct lower_inst *i)
{
    int n = LLVMGetNumOperands(i->value);
    struct static_inst *r = &i->regs;
    for (int k = 0; k < n && r->n_src < INST_MAX_SRC; k++) {
        uint16_t reg = register_of(w, LLVMGetOperand(i->value, (unsigned)k));
        bool seen = reg == REG_NONE;
        for (uint8_t s = 0; s < r->n_src; s++)
            seen |= r->src[s] == reg;
        if (seen) continue;
        i->src_step[r->n_src] = element_step(w, LLVMGetOperand(i->value, (unsigned)k));
        r->src[r->n_src++] = reg;
    }
}

bool lowering_name_registers(struct lowering *w)
{
    uint32_t n = (uint32_t)w->l->n, callees = n;
    for (size_t b = w->n_blocks; b-- > 0 && w->block[b].function > 0;)
        callees = w->block[b].first;
    for (uint32_t i = 0; i < n; i++)
        w->range[i] = (struct live_range){UINT32_MAX, 0, 0, 0};
    unite_all(w);
    touch_all(w);
    keep_callees_apart(w, callees);
    if (!find_loops(w)) return error_no_memory(w->e);
    register_numbers_extend(w->range, n, w->loop, w->n_loops);
    if (!register_numbers_assign(w->range, n)) return error_no_memory(w->e);
    for (uint32_t i = 0; i < n; i++) {
        struct lower_inst *inst = &w->l->inst[i];
        if (!lowering_is_instruction(w, i) || shape_is_free(&w->shape[i])) continue;
        if (LLVMGetFirstUse(inst->value)) inst->regs.dst = register_of(w, inst->value);
        inst->dst_step = element_step(w, inst->value);
        name_sources(w, inst);
    }
    return true;
}
