/* schedule.c - see schedule.h. */
#include "trace/lower/schedule.h"

#include "base/memory/alloc.h"
#include "base/memory/hash_map.h"

enum {
    NOT_NEEDED = UINT32_MAX, /* by no load */
    /* 32-bit registers that loads on their way may take of a lane. An SM of 65,536 registers with
     * 1,024 work-items has 64 for each; with more, compilers give up occupancy for loads. */
    LOADED_REGISTERS = 64
};

struct placed {
    LLVMValueRef value;
    /* Of a load: how many loads it needs, one after the other. Of other instructions: so many does
     * the first load need that needs them; NOT_NEEDED. The order of the schedule. */
    uint32_t rank;
    uint32_t depth; /* loads on the longest way to the value, itself included */
    bool load;
    bool stays; /* may not pass a write of the stretch, or needs something that may not */
};

struct schedule {
    const struct schedule_rules *rules;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    struct placed *inst; /* the stretch between two walls */
    size_t n, cap;
    bool over_writes;      /* walls are only what orders all spaces */
    uint32_t registers;    /* of the stretch's loads */
    unsigned written;      /* spaces that the stretch has written up to here, a bit each */
    struct hash_map index; /* value -> its place in inst */
    struct error *e;
};

static bool is_call(LLVMValueRef v, bool (*of)(LLVMValueRef))
{
    return of && LLVMGetInstructionOpcode(v) == LLVMCall && of(v);
}

static bool is_plain(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static bool is_load(const struct schedule *s, LLVMValueRef v)
{
    return LLVMIsALoadInst(v) ? is_plain(v) : is_call(v, s->rules->loads);
}

/* The bit of a pointer's address space. */
static unsigned space_bit(const struct schedule *s, LLVMTypeRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(pointer) & 31;
    return s->rules->generic && space == 0 ? ~0u : 1u << space;
}

/* The address spaces of the pointers that the instruction takes, a bit each. */
static unsigned spaces_of(const struct schedule *s, LLVMValueRef v)
{
    unsigned spaces = 0;
    int n = LLVMGetNumOperands(v);
    for (int k = 0; k < n; k++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v, (unsigned)k));
        LLVMValueRef callee =
            LLVMGetInstructionOpcode(v) == LLVMCall ? LLVMGetCalledValue(v) : NULL;
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
            LLVMGetOperand(v, (unsigned)k) != callee)
            spaces |= space_bit(s, type);
    }
    return spaces;
}

/* Of a write that orders nothing else: the spaces that it may change; else none. */
static unsigned spaces_written(const struct schedule *s, LLVMValueRef v)
{
    if (LLVMIsAStoreInst(v)) {
        LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(v, 1));
        return is_plain(v) ? space_bit(s, pointer) : 0;
    }
    return is_call(v, s->rules->writes) ? spaces_of(s, v) : 0;
}

/* What ends a stretch. */
static bool is_wall(const struct schedule *s, LLVMValueRef v)
{
    if (is_load(s, v) || (s->over_writes && spaces_written(s, v) != 0)) return false;
    struct shape shape = shape_of(v, s->layout, false, s->rules->dialect);
    bool fence = shape.ops > 0 &&
                 (shape.cls == OP_FENCE || shape.cls == OP_ACQUIRE || shape.cls == OP_RELEASE);
    return is_call(v, s->rules->wall) || shape.flags != 0 || shape.refused || fence ||
           LLVMIsATerminatorInst(v) || LLVMIsAPHINode(v) || LLVMIsAAllocaInst(v) ||
           LLVMIsAFenceInst(v);
}

static struct placed *find(const struct schedule *s, LLVMValueRef v)
{
    const uint32_t *i =
        LLVMIsAInstruction(v) ? hash_map_get(&s->index, (uint64_t)(uintptr_t)v) : NULL;
    return i ? &s->inst[*i] : NULL;
}

static bool add(struct schedule *s, LLVMValueRef v)
{
    struct placed p = {.value = v, .rank = NOT_NEEDED, .load = is_load(s, v)};
    unsigned written = p.load ? 0 : spaces_written(s, v);
    int n = LLVMGetNumOperands(v);
    p.stays = written || (p.load && spaces_of(s, v) & s->written);
    s->written |= written;
    for (int k = 0; k < n; k++) {
        const struct placed *source = find(s, LLVMGetOperand(v, (unsigned)k));
        if (source && source->depth > p.depth) p.depth = source->depth;
        if (source) p.stays |= source->stays;
    }
    if (p.load && !p.stays) p.rank = p.depth++;
    if (!mem_grow(&s->inst, &s->cap, s->n + 1, sizeof *s->inst) ||
        !hash_map_put(&s->index, (uint64_t)(uintptr_t)v, (uint32_t)s->n))
        return error_no_memory(s->e);
    s->inst[s->n++] = p;
    return true;
}

/* Passes ranks on from loads to what they need; returns the highest, plus one. */
static uint32_t rank_sources(struct schedule *s)
{
    uint32_t ranks = 0;
    for (size_t i = s->n; i-- > 0;) {
        const struct placed *p = &s->inst[i];
        int n = LLVMGetNumOperands(p->value);
        if (p->rank == NOT_NEEDED) continue;
        if (p->rank >= ranks) ranks = p->rank + 1;
        for (int k = 0; k < n; k++) {
            struct placed *source = find(s, LLVMGetOperand(p->value, (unsigned)k));
            if (source && source->rank > p->rank) source->rank = p->rank;
        }
    }
    return ranks;
}

static void move_before(struct schedule *s, LLVMValueRef wall, uint32_t rank)
{
    for (size_t i = 0; i < s->n; i++) {
        LLVMValueRef v = s->inst[i].value;
        if (s->inst[i].rank != rank) continue;
        LLVMInstructionRemoveFromParent(v);
        LLVMPositionBuilderBefore(s->builder, wall);
        LLVMSetCurrentDebugLocation2(s->builder, NULL); /* it keeps its own */
        LLVMInsertIntoBuilder(s->builder, v);
    }
}

static void end_stretch(struct schedule *s, LLVMValueRef wall)
{
    uint32_t ranks = rank_sources(s);
    for (uint32_t rank = 0; rank < ranks; rank++)
        move_before(s, wall, rank);
    if (ranks > 0) move_before(s, wall, NOT_NEEDED);
    s->n = 0;
    s->written = 0;
    s->registers = 0;
    hash_map_clear(&s->index);
}

/* Registers of what a load brings; of other instructions none. */
static uint32_t registers_of(const struct schedule *s, LLVMValueRef v)
{
    return is_load(s, v) ? (uint32_t)((LLVMABISizeOfType(s->layout, LLVMTypeOf(v)) + 3) / 4) : 0;
}

static bool schedule_block(struct schedule *s, LLVMBasicBlockRef block)
{
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = next) {
        next = LLVMGetNextInstruction(v);
        uint32_t registers = registers_of(s, v);
        bool wall = is_wall(s, v);
        if (wall || s->registers + registers > LOADED_REGISTERS) end_stretch(s, v);
        s->registers += registers;
        if (!wall && !add(s, v)) return false;
    }
    return true;
}

static bool schedule_module(struct schedule *s, LLVMModuleRef module, bool over_writes)
{
    s->over_writes = over_writes;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            if (!schedule_block(s, b)) return false;
    return true;
}

bool schedule_loads_first(LLVMValueRef function, const struct schedule_rules *rules,
                          struct error *e)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    struct schedule s = {.rules = rules, .layout = LLVMGetModuleDataLayout(module), .e = e};
    if (!hash_map_init(&s.index, 256)) return error_no_memory(e);
    s.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool ok = schedule_module(&s, module, true) && schedule_module(&s, module, false);
    LLVMDisposeBuilder(s.builder);
    hash_map_fini(&s.index);
    mem_free(s.inst);
    return ok;
}
