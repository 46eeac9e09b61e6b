/* lower.c - see lower.h.
 *
 * Values are numbered over the kernel and the functions it calls, in program order: parameters and
 * instructions.  The number is also the value's position for register allocation. */
#include "trace/lower/lower.h"

#include "base/memory/alloc.h"
#include "trace/lower/lowering.h"

/* --- spaces and classes --- */

enum op_class lower_class(enum lower_access kind, enum mem_space space)
{
    bool shared = space == SPACE_SHARED;
    switch (kind) {
    case LOWER_LOAD: return shared ? OP_SHARED_LOAD : OP_LOAD;
    case LOWER_STORE: return shared ? OP_SHARED_STORE : OP_STORE;
    case LOWER_ATOMIC: return shared ? OP_SHARED_STORE : OP_ATOMIC;
    }
    return OP_LOAD;
}

/* --- functions, values, blocks --- */

static bool add_value(struct lowering *w, LLVMValueRef v)
{
    struct lowered *l = w->l;
    if (!mem_grow(&l->inst, &l->cap, l->n + 1, sizeof *l->inst)) return error_no_memory(w->e);
    l->inst[l->n] = (struct lower_inst){.value = v, .regs.dst = REG_NONE};
    if (!hash_map_put(&l->index, (uint64_t)(uintptr_t)v, (uint32_t)l->n))
        return error_no_memory(w->e);
    l->n++;
    return true;
}

static bool add_function(struct lowering *w, LLVMValueRef f)
{
    for (size_t i = 0; i < w->n_functions; i++)
        if (w->function[i] == f) return true;
    if (!mem_grow(&w->function, &w->functions_cap, w->n_functions + 1, sizeof *w->function))
        return error_no_memory(w->e);
    w->function[w->n_functions++] = f;
    return true;
}

static bool add_block(struct lowering *w, LLVMBasicBlockRef ref, uint32_t function)
{
    if (!mem_grow(&w->block, &w->blocks_cap, w->n_blocks + 1, sizeof *w->block))
        return error_no_memory(w->e);
    struct block *b = &w->block[w->n_blocks++];
    *b = (struct block){.ref = ref, .function = function, .first = (uint32_t)w->l->n};
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = shape_callee(i);
        if (!add_value(w, i) || (callee && !add_function(w, callee))) return false;
    }
    b->last = (uint32_t)w->l->n - 1;
    return hash_map_put(&w->l->index, (uint64_t)(uintptr_t)ref, (uint32_t)(w->n_blocks - 1)) ||
           error_no_memory(w->e);
}

static bool collect(struct lowering *w, LLVMValueRef kernel)
{
    if (!add_function(w, kernel)) return false;
    for (uint32_t f = 0; f < w->n_functions; f++) {
        LLVMValueRef function = w->function[f];
        for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
            if (!add_value(w, p)) return false;
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
        for (; b; b = LLVMGetNextBasicBlock(b))
            if (!add_block(w, b, f)) return false;
    }
    return true;
}

/* --- pieces --- */

static bool add_edge(struct lowering *w, uint32_t from, uint32_t to)
{
    if (!mem_grow(&w->edge, &w->edges_cap, w->n_edges + 1, sizeof *w->edge))
        return error_no_memory(w->e);
    w->edge[w->n_edges++] = (struct edge){from, to};
    return true;
}

static bool add_piece(struct lowering *w, bool barrier)
{
    struct capture_kernel *k = &w->l->kernel;
    if (!mem_grow(&k->piece, &w->pieces_cap, w->n_pieces + 1, sizeof *k->piece) ||
        !mem_grow(&w->barrier, &w->barriers_cap, w->n_pieces + 1, sizeof *w->barrier))
        return error_no_memory(w->e);
    k->piece[w->n_pieces] = (struct capture_piece){0};
    w->barrier[w->n_pieces++] = barrier;
    k->order.n = w->n_pieces; /* so that capture_kernel_fini frees them */
    return true;
}

static LLVMValueRef origin(LLVMValueRef pointer)
{
    for (;;) {
        if (LLVMIsAArgument(pointer) || LLVMIsAGlobalVariable(pointer)) return pointer;
        bool step = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
                    LLVMIsAAddrSpaceCastInst(pointer);
        if (LLVMIsAConstantExpr(pointer)) {
            LLVMOpcode o = LLVMGetConstOpcode(pointer);
            step = o == LLVMGetElementPtr || o == LLVMBitCast || o == LLVMAddrSpaceCast;
        }
        if (!step) return NULL;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

static uint16_t buffer_of(struct lowering *w, LLVMValueRef access)
{
    bool store = LLVMGetInstructionOpcode(access) == LLVMStore;
    LLVMValueRef pointer = LLVMGetOperand(access, store ? 1 : 0), from = origin(pointer);
    if (!from) return 0;
    bool callees = LLVMIsAArgument(from) && LLVMGetParamParent(from) != w->function[0];
    return callees ? 0 : w->buffer(w->ctx, from);
}

static const char *mnemonic(struct lowering *w, uint32_t i)
{
    if (w->shape[i].name) return w->shape[i].name;
    if (w->shape[i].flags & LOWER_ENTER) return "call";
    char name[64];
    shape_call_name(name, sizeof name, w->l->inst[i].value);
    const char *kept = arena_strdup(&w->l->names, name);
    return kept ? kept : "call";
}

static bool narrows(LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    return LLVMGetInstructionOpcode(inst) == LLVMTrunc &&
           LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 != 0;
}

/* The registers of a vector operation's element. */
static void name_element(struct static_inst *si, const struct lower_inst *inst, uint32_t element)
{
    if (si->dst != REG_NONE) si->dst = (uint16_t)(si->dst + element * inst->dst_step);
    for (uint32_t k = 0; k < si->n_src; k++)
        si->src[k] = (uint16_t)(si->src[k] + element * inst->src_step[k]);
}

/* Bytes of a vector for each of its registers; 0: it has one element. */
static uint32_t register_bytes(const struct lowering *w, LLVMTypeRef type, uint8_t step)
{
    if (!step) return 0;
    uint32_t bytes = (uint32_t)LLVMABISizeOfType(w->layout, LLVMGetElementType(type)) / step;
    return bytes ? bytes : 1;
}

/* Which operands of an access have registers for its parts. */
static struct capture_wide wide_of(const struct lowering *w, const struct lower_inst *inst)
{
    struct capture_wide wide = {0, 0};
    bool store = LLVMGetInstructionOpcode(inst->value) == LLVMStore;
    if (inst->regs.dst != REG_NONE)
        wide.dst_bytes = register_bytes(w, LLVMTypeOf(inst->value), inst->dst_step);
    if (store && inst->regs.n_src)
        wide.data_bytes =
            register_bytes(w, LLVMTypeOf(LLVMGetOperand(inst->value, 0)), inst->src_step[0]);
    return wide;
}

/* The instructions that access no memory; those of the special function unit come last. */
static bool add_computing(struct lowering *w, uint32_t i, struct capture_piece *p)
{
    const struct shape *s = &w->shape[i];
    struct lower_inst *inst = &w->l->inst[i];
    struct capture_op op = {inst->regs, inst->mnemonic, i, CAPTURE_NO_STEP, 0, 0, 0};
    uint32_t n = s->ops + s->sfu;
    for (uint32_t k = 0; k < n; k++) {
        bool writes = inst->dst_step || k + 1 == n;
        op.si = inst->regs;
        op.si.cls = k < s->ops ? s->cls : OP_SFU;
        op.si.width = s->width;
        if (!writes) op.si.dst = REG_NONE;
        name_element(&op.si, inst, k);
        if (!capture_add_op(p, &op)) return error_no_memory(w->e);
    }
    return true;
}

/* The access of a step whose space is known, or that of one space where it is not. */
static bool add_access(struct lowering *w, uint32_t i, struct capture_piece *p,
                       enum mem_space space)
{
    const struct shape *s = &w->shape[i];
    struct lower_inst *inst = &w->l->inst[i];
    struct capture_op op = {inst->regs, inst->mnemonic, i, (uint16_t)p->steps++, 0, 0, 0};
    op.si.cls = (uint8_t)lower_class((enum lower_access)s->access, space);
    op.si.space = (uint8_t)space;
    bool named = space == SPACE_GLOBAL || space == SPACE_CONST;
    op.si.buffer = named ? buffer_of(w, inst->value) : 0;
    op.si.hint = s->hint;
    struct capture_wide wide = wide_of(w, inst);
    if (s->hint & HINT_ASYNC) { /* its value goes to shared memory */
        op.si.dst = REG_NONE;
        wide = (struct capture_wide){0, 0};
    }
    return capture_add_access(p, &op, s->bytes, &wide) || error_no_memory(w->e);
}

static bool add_ops(struct lowering *w, uint32_t i)
{
    const struct shape *s = &w->shape[i];
    struct lower_inst *inst = &w->l->inst[i];
    struct capture_piece *p = &w->l->kernel.piece[inst->piece];
    inst->mnemonic = mnemonic(w, i);
    inst->flags |= s->flags;
    if (narrows(inst->value)) inst->flags |= LOWER_NARROW;
    inst->step = (uint16_t)p->steps;
    if (!add_computing(w, i, p)) return false;
    if (s->flags & LOWER_LATE) p->steps++;
    if (!(s->flags & LOWER_STEP) || s->flags & LOWER_LATE) return true;
    if (!s->generic) return add_access(w, i, p, (enum mem_space)s->space);
    return add_access(w, i, p, SPACE_GLOBAL) && add_access(w, i, p, SPACE_SHARED) &&
           add_access(w, i, p, SPACE_LOCAL);
}

/* Cuts a block after calls and around barriers. */
static bool cut_block(struct lowering *w, struct block *b)
{
    bool cut = true;
    for (uint32_t i = b->first; i <= b->last; i++) {
        const struct shape *s = &w->shape[i];
        struct lower_inst *inst = &w->l->inst[i];
        bool barrier = s->flags & LOWER_BARRIER, first = i == b->first;
        if (LLVMIsAPHINode(inst->value)) {
            b->first = i + 1;
            continue;
        }
        if (cut || barrier) {
            if (!add_piece(w, barrier)) return false;
            if (!first && !add_edge(w, w->n_pieces - 2, w->n_pieces - 1)) return false;
            if (first) b->first_piece = w->n_pieces - 1;
            inst->flags |= LOWER_FIRST;
        }
        inst->piece = w->n_pieces - 1;
        if (!add_ops(w, i)) return false;
        cut = barrier || s->flags & LOWER_ENTER;
    }
    b->last_piece = w->n_pieces - 1;
    return true;
}

static bool connect_blocks(struct lowering *w)
{
    for (size_t b = 0; b < w->n_blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(w->block[b].ref);
        unsigned n = LLVMGetNumSuccessors(end);
        for (unsigned k = 0; k < n; k++) {
            const struct block *to = lowering_block(w, LLVMGetSuccessor(end, k));
            if (!add_edge(w, w->block[b].last_piece, to->first_piece)) return false;
        }
    }
    return true;
}

static bool order_pieces(struct lowering *w)
{
    uint32_t *first = mem_new(w->n_pieces + 2u, sizeof *first);
    uint32_t *succ = mem_new(w->n_edges + 1, sizeof *succ);
    bool ok = first && succ ? true : error_no_memory(w->e);
    for (size_t i = 0; ok && i < w->n_edges; i++)
        first[w->edge[i].from + 2]++;
    for (uint32_t p = 0; ok && p < w->n_pieces; p++)
        first[p + 2] += first[p + 1];
    for (size_t i = 0; ok && i < w->n_edges; i++)
        succ[first[w->edge[i].from + 1]++] = w->edge[i].to;
    struct merge_flow flow = {w->n_pieces, first, succ, w->barrier};
    struct merge_order order;
    ok = ok && merge_order_init(&order, &flow, w->e);
    if (ok) w->l->kernel.order = order;
    mem_free(first);
    mem_free(succ);
    return ok;
}

/* --- whole kernels --- */

static bool shape_all(struct lowering *w)
{
    struct lowered *l = w->l;
    for (size_t b = 0; b < w->n_blocks; b++)
        for (uint32_t i = w->block[b].first; i <= w->block[b].last; i++) {
            LLVMValueRef v = l->inst[i].value;
            w->shape[i] = shape_of(v, w->layout, w->block[b].function == 0, w->dialect);
            if (w->shape[i].refused)
                return error_input(w->e, "the kernel copies between global and local memory by "
                                         "work-group (async_work_group_copy); captures carry what "
                                         "work-items access");
            if (LLVMIsAAllocaInst(v)) {
                LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(v));
                l->private_bytes += (LLVMABISizeOfType(w->layout, type) + 15) & ~(uint64_t)15;
            }
        }
    return true;
}

static bool lower(struct lowering *w, LLVMValueRef function)
{
    if (!hash_map_init(&w->l->index, 256)) return error_no_memory(w->e);
    if (!collect(w, function)) return false;
    size_t n = w->l->n;
    w->shape = mem_new(n, sizeof *w->shape);
    w->class_of = mem_new(n, sizeof *w->class_of);
    w->written = mem_new(n, sizeof *w->written);
    w->range = mem_new(n, sizeof *w->range);
    if (!w->shape || !w->class_of || !w->written || !w->range) return error_no_memory(w->e);
    if (!shape_all(w) || !lowering_name_registers(w)) return false;
    for (size_t b = 0; b < w->n_blocks; b++)
        if (!cut_block(w, &w->block[b])) return false;
    return connect_blocks(w) && order_pieces(w);
}

bool lower_kernel(struct lowered *l, LLVMValueRef function, const struct lower_dialect *dialect,
                  bool by_words, lower_buffer *buffer, void *ctx, struct error *e)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    struct lowering w = {
        .l = l, .dialect = dialect, .by_words = by_words, .buffer = buffer, .ctx = ctx, .e = e};
    w.layout = LLVMGetModuleDataLayout(module);
    bool ok = lower(&w, function);
    void *const all[] = {w.function, w.block, w.shape, w.class_of, w.written,
                         w.range,    w.loop,  w.edge,  w.barrier};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(all[i]);
    return ok;
}

void lowered_fini(struct lowered *l)
{
    capture_kernel_fini(&l->kernel);
    mem_free(l->inst);
    if (l->index.slot) hash_map_fini(&l->index);
    arena_fini(&l->names);
    *l = (struct lowered){0};
}

bool lower_add_access(struct lowered *l, struct lower_inst *i, enum lower_access kind,
                      enum mem_space space, uint64_t bytes)
{
    struct capture_op op = {i->regs, i->mnemonic, (uint32_t)(i - l->inst), i->step, i->known, 0, 0};
    op.si.cls = (uint8_t)lower_class(kind, space);
    op.si.space = (uint8_t)space;
    if (kind == LOWER_STORE) op.si.dst = REG_NONE;
    i->known++;
    return capture_add_access(&l->kernel.piece[i->piece], &op, bytes, NULL);
}

bool lower_check_narrow(const struct lower_inst *i, const unsigned char *data, uint32_t size,
                        struct error *e)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(i->value));
    for (uint32_t bit = width; bit < 8 * size; bit++)
        if (data[bit / 8] >> bit % 8 & 1)
            return error_run(e,
                             "Oclgrind 21.10 computes with more than %u bits where the kernel has "
                             "%u; set OCLGRIND_BUILD_OPTIONS=-cl-opt-disable; no trace was written",
                             width, width);
    return true;
}
