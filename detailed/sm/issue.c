/* issue.c - the effects of an instruction when it issues, and when the next one may issue. */
#include "detailed/sm/sm.h"

#include "base/memory/alloc.h"
#include "base/memory/popcount.h"
#include "gpu/cache/agcb.h"
#include "gpu/geometry/l1_instruction.h"
#include "gpu/pages/placement.h"
#include "gpu/policies/scalar_rule.h"
#include "gpu/policies/wait_rule.h"

enum { NONE = UINT32_MAX };

void sm_fail(struct sm *s, const struct error *e)
{
    if (!s->failed && s->error->kind == ERROR_NONE) *s->error = *e;
    s->failed = true;
}

static uint8_t unit_for(const struct sm *s, const struct warp_inst *inst)
{
    if (s->scalar && scalar_takes(s->scalar->p->loads, inst)) return UNIT_SCALAR;
    return (uint8_t)unit_of(inst->si->cls);
}

void sm_fetch(struct sm *s, uint32_t index, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    struct error e; /* large, and set on GOT_ERROR only */
    switch (cursor_next(&w->cursor, &w->inst, &e)) {
    case GOT_INST:
        sm_subcore(s, index)->unit[index % SM_SUBCORE_SLOTS] = unit_for(s, &w->inst);
        if (s->operands) sm_operands_fetched(s, index);
        sm_refresh(s, index, now);
        return;
    case GOT_END:
        w->state = WARP_EXITED;
        w->blocked_since = now;
        sm_set_ready(s, index, UINT64_MAX);
        admission_stops(&s->admission, index);
        sm_readmit(s, now);
        cta_barrier_end(&s->cta[w->cta].barrier);
        sm_barrier_check(s, w->cta, now);
        if (sm_warp_is_quiet(s, w)) sm_end_warp(s, index, now);
        return;
    case GOT_ERROR: sm_fail(s, &e); sm_set_ready(s, index, UINT64_MAX);
    }
}

/* Cycle at which the registers of the next instruction are ready; REG_PENDING: one of them waits
 * for a load. */
static uint64_t registers_ready(const struct warp *w)
{
    const struct static_inst *si = w->inst.si;
    uint64_t at = si->dst == REG_NONE ? 0 : w->reg_ready[si->dst];
    for (uint32_t k = 0; k < si->n_src; k++)
        if (si->src[k] != REG_NONE && w->reg_ready[si->src[k]] > at) at = w->reg_ready[si->src[k]];
    return at;
}

static bool must_wait(const struct sm *s, const struct warp *w, bool pending)
{
    if (pending) return true;
    if (!(w->loads | w->stores) && !w->copies) return false;
    enum wait_need need = wait_rule(s->p, w->inst.si->cls);
    return (w->loads && wait_rule_loads(need, w->state == WARP_WAITS_MEMORY)) ||
           (w->stores && wait_rule_stores(need)) ||
           (w->copies && w->inst.si->cls == OP_COPY_WAIT && sm_copies_block(s, w));
}

void sm_refresh(struct sm *s, uint32_t index, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    uint64_t at = registers_ready(w);
    if (must_wait(s, w, at == REG_PENDING)) {
        if (w->state != WARP_WAITS_MEMORY) w->blocked_since = now;
        w->state = WARP_WAITS_MEMORY;
        sm_set_ready(s, index, UINT64_MAX);
        return;
    }
    if (w->state == WARP_WAITS_MEMORY) s->s.warp_memory += now - w->blocked_since;
    w->state = WARP_RUNS;
    sm_set_ready(s, index, at > w->issue_after ? at : w->issue_after);
}

uint32_t sm_vinst_new(struct sm *s)
{
    if (s->vinst_free == NONE) {
        uint32_t old = s->vinst_cap;
        size_t cap = old;
        if (!mem_grow(&s->vinst, &cap, (size_t)old * 2, sizeof *s->vinst)) return NONE;
        s->vinst_cap = (uint32_t)cap;
        for (uint32_t i = old; i < s->vinst_cap; i++)
            s->vinst[i].next = i + 1 < s->vinst_cap ? i + 1 : NONE;
        s->vinst_free = old;
    }
    uint32_t i = s->vinst_free;
    s->vinst_free = s->vinst[i].next;
    s->vinsts++;
    return i;
}

/* The result of an instruction will be there at `at`; unit: a unit's, or RESULT_*. */
FOR_BOTH void set_result(struct sm *s, uint32_t index, const struct warp_inst *inst, uint32_t unit,
                         uint64_t at, bool collects)
{
    if (inst->si->dst == REG_NONE) return;
    if (collects)
        sm_operands_result(s, index, inst, unit, at);
    else
        sm_warp(s, index)->reg_ready[inst->si->dst] = at;
}

/* The SM's first access to a page places it. */
static inline uint64_t physical_of(struct sm *s, uint64_t addr)
{
    if (!s->placement) return addr;
    uint64_t physical = placement_touch(s->placement, addr, s->id);
    if (s->sites) sm_site_place(s, addr, physical);
    return physical;
}

/* Cycles for which an uncoalesced instruction sends accesses to the L1, masked lanes included. */
static uint32_t issue_phases(const struct sm_params *p)
{
    return (p->warp_width + p->phase_lanes - 1) / p->phase_lanes;
}

/* Cycles for which an instruction occupies the way into the L1, where that has limits. */
static uint32_t l1_cycles(struct sm *s, const struct warp_inst *inst)
{
    uint32_t cycles = l1_instruction_cycles(&s->l1.p->instruction, s->l1.p->cache.line_bytes, inst);
    s->l1.s.instruction_cycles += cycles;
    return cycles;
}

/* By how many cycles each access of an instruction is later than the first can be: those of one
 * that does not coalesce come in phases; those that occupy the way into the L1 for several cycles
 * come evenly, the last one in the last cycle. Returns the cycles until the next instruction. */
static __attribute__((noinline)) uint32_t find_delays(struct sm *s, const struct warp_inst *inst,
                                                      const struct txn *t, uint32_t n,
                                                      uint32_t *delay)
{
    bool whole = coalesce_whole(s->p, inst->si->cls);
    uint32_t lanes = whole ? 0 : coalesce_group(s->p, inst->si->cls);
    uint32_t phases = whole ? 1 : issue_phases(s->p), cycles = 1;
    if (s->l1_limits && n) cycles = l1_cycles(s, inst);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t phase = t[k].group * lanes / s->p->phase_lanes;
        uint32_t turn = ((k + 1) * cycles + n - 1) / n - 1;
        delay[k] = turn > phase ? turn : phase;
    }
    return cycles > phases ? cycles : phases;
}

/* How many of the transactions behind the k-th go with it: those of the next sectors of its line,
 * at the same time. */
static uint32_t joined_behind(const struct sm *s, const struct txn *t, uint32_t n, uint32_t k,
                              const uint32_t *delay)
{
    uint32_t more = 0, line = s->l1.c.line_shift;
    while (k + more + 1 < n && t[k + more + 1].addr == t[k + more].addr + s->access_bytes &&
           t[k].addr >> line == t[k + more + 1].addr >> line &&
           (!delay || delay[k] == delay[k + more + 1]))
        more++;
    return more;
}

/* Sets what the access does to the transaction and those that go with it. */
static void set_bytes(struct l1_access *a, const struct txn *t, uint32_t access_bytes)
{
    a->mask[0] = t->mask[0];
    a->mask[1] = t->mask[1];
    for (uint32_t k = 1; a->kind != ACCESS_READ && k <= a->more; k++) {
        uint64_t up[2];
        bytemask_up(t[k].mask, k * access_bytes, up);
        a->mask[0] |= up[0];
        a->mask[1] |= up[1];
    }
}

/* delay: cycles by which each access is later than the first can be; NULL: none is. */
static void push_accesses(struct sm *s, const struct warp *w, const struct warp_inst *inst,
                          uint32_t vinst, const struct txn *t, uint32_t n, const uint32_t *delay,
                          uint64_t now)
{
    uint8_t cls = inst->si->cls;
    struct l1_access a = {.vinst = vinst,
                          .ready = now + s->p->memory_latency,
                          .bypass = (inst->si->hint & HINT_BYPASS_L1) != 0,
                          .pc = agcb_pc(&s->l1.p->agcb, inst->si->pc),
                          .around_l2 = (inst->si->hint & HINT_BYPASS_L2) != 0};
    if (s->l1.sync) a.released = w->carries && cls == OP_STORE;
    a.kind = cls == OP_LOAD ? ACCESS_READ : cls == OP_STORE ? ACCESS_WRITE : ACCESS_ATOMIC;
    a.way = (uint8_t)l1_way(&s->l1.ways, (enum access_kind)a.kind, a.bypass,
                            inst->si->space == SPACE_LOCAL);
    bool joins = s->l1.w->joins && (a.way == L1_LOAD || a.way == L1_THROUGH);
    for (uint32_t k = 0; k < n; k += 1u + a.more) {
        a.more = 0;
        if (joins && k + 1 < n && t[k + 1].addr - t[k].addr == s->access_bytes)
            a.more = (uint8_t)joined_behind(s, t, n, k, delay);
        a.addr = physical_of(s, t[k].addr);
        a.first = k == 0;
        set_bytes(&a, &t[k], s->access_bytes);
        if (delay) a.ready = now + s->p->memory_latency + delay[k];
        if (s->tlb)
            sm_translate(s, &a, t[k].addr);
        else
            l1_push(&s->l1, &a);
    }
}

static void issue_memory(struct sm *s, uint32_t index, const struct warp_inst *inst, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    const struct static_inst *si = inst->si;
    struct coalesce_params cp = coalesce_of(s->p, si->cls, s->access_bytes);
    struct txn txn[COALESCE_MAX];
    uint32_t n = coalesce(&cp, inst, txn);
    bool at_once = !s->l1_limits && coalesce_whole(s->p, si->cls);
    uint32_t delay[COALESCE_MAX];
    s->memory_free = now + (at_once ? 1 : find_delays(s, inst, txn, n, delay));
    s->s.memory_lanes += popcount(inst->mask);
    if (s->sites) sm_site_issued(s, inst, txn, n);
    if (!n) { /* every lane is masked off */
        bool collects = s->operands != NULL;
        if (!collects || sm_returns_data(si))
            set_result(s, index, inst, RESULT_MASKED, now + s->p->memory_latency, collects);
        return;
    }
    uint32_t v = sm_vinst_new(s), entry = v == NONE ? NONE : vmb_enter(&s->vmb, index);
    if (entry == NONE || (s->sites && !sm_site_begins(s, v, inst->code))) return;
    bool load = sm_returns_data(si), copy = inst_is_copy(si);
    s->vinst[v] = (struct vinst){.born = now,
                                 .warp = index,
                                 .left = n,
                                 .to_issue = n,
                                 .vmb = entry,
                                 .code = inst->code,
                                 .dst = si->dst,
                                 .load = load,
                                 .copy = copy};
    admission_asked(&s->admission, index);
    if (copy) sm_copy_begins(s, w, v);
    if (!copy) ++*(load ? &w->loads : &w->stores);
    if (load && si->dst != REG_NONE) w->reg_ready[si->dst] = REG_PENDING;
    push_accesses(s, w, inst, v, txn, n, at_once ? NULL : delay, now);
    if (s->l1.sync && si->cls != OP_LOAD) {
        w->stored = true;
        w->carries = w->carries && si->cls != OP_STORE;
    }
}

/* Sends an instruction to the scalar cache, which bypasses the vector memory buffer; one
 * instruction per cycle. */
static void issue_scalar(struct sm *s, uint32_t index, const struct warp_inst *inst, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    uint16_t dst = inst->si->dst;
    struct coalesce_params cp = {.lanes = s->p->warp_width, .bytes = s->scalar->c.p.sector_bytes};
    struct txn txn[COALESCE_MAX];
    uint32_t n = coalesce(&cp, inst, txn), v = n ? sm_vinst_new(s) : NONE;
    uint64_t ready = now + (s->p->memory_latency ? s->p->memory_latency : 1);
    s->scalar_free = now + 1;
    if (s->sites) sm_site_issued(s, inst, txn, n);
    if (v == NONE || (s->sites && !sm_site_begins(s, v, inst->code))) {
        set_result(s, index, inst, RESULT_MASKED, ready, s->operands != NULL);
        return;
    }
    s->vinst[v] = (struct vinst){.born = now,
                                 .warp = index,
                                 .left = n,
                                 .vmb = VMB_NONE,
                                 .code = inst->code,
                                 .dst = dst,
                                 .load = true};
    w->loads++;
    if (dst != REG_NONE) w->reg_ready[dst] = REG_PENDING;
    for (uint32_t k = 0; k < n; k++)
        scalar_push(s->scalar,
                    &(struct scalar_access){physical_of(s, txn[k].addr), ready, s->id, v});
}

FOR_BOTH void issue_shared(struct sm *s, uint32_t index, const struct warp_inst *inst, uint64_t now,
                           bool collects)
{
    uint32_t cycles =
        conflict_memo_shared_cycles(&s->conflicts, inst, s->p->shared_banks, s->p->shared_bytes);
    if (s->p->shared_pipeline == SHARED_MEMORY)
        s->memory_free = now + cycles;
    else
        s->shared_free = now + cycles;
    set_result(s, index, inst, RESULT_SHARED, now + exec_unit_shared_cycles(s->p) + cycles - 1,
               collects);
}

FOR_BOTH void issue_unit(struct sm *s, struct subcore *units, uint32_t index,
                         const struct warp_inst *inst, uint8_t unit, uint64_t now, bool collects)
{
    uint64_t result = now + unit_params_of(s->p, unit)->latency;
    double begins = (double)(int64_t)now;
    if (units->unit_free[unit] > begins) begins = units->unit_free[unit];
    units->unit_free[unit] = begins + exec_unit_interval(s->p, inst->si->cls);
    s->s.matrix += unit == UNIT_TENSOR;
    set_result(s, index, inst, unit, result, collects);
    /* the next instruction is known when the branch is resolved */
    if (unit == UNIT_BRANCH) sm_warp(s, index)->issue_after = result;
}

/* Issues a barrier, fence, acquire, release, exit, or a commit of copies or wait for them; the
 * waits were done before the issue (wait_rule.h). */
static void issue_control(struct sm *s, struct warp *w, uint64_t now)
{
    if (w->inst.si->cls >= OP_COPY_COMMIT) {
        w->copy.committed += w->inst.si->cls == OP_COPY_COMMIT;
        return;
    }
    bool acquires = w->inst.si->cls == OP_ACQUIRE ||
                    (w->inst.si->cls == OP_FENCE && s->l1.w->fence_invalidates);
    bool releases = w->inst.si->cls == OP_RELEASE || w->inst.si->cls == OP_FENCE;
    if (acquires) l1_acquire(&s->l1, now);
    bool drops = acquires && s->scalar && s->scalar->p->loads == SCALAR_UNIFORM;
    if (drops) scalar_drop(s->scalar);
    if (releases) l1_release(&s->l1, now);
    w->carries = w->inst.si->cls == OP_RELEASE;
    if (w->inst.si->cls != OP_BARRIER) return;
    w->state = WARP_AT_BARRIER;
    cta_barrier_arrive(&s->cta[w->cta].barrier);
}

FOR_BOTH void execute(struct sm *s, struct subcore *units, uint32_t index,
                      const struct warp_inst *inst, uint8_t unit, uint64_t now, bool collects)
{
    if (unit < UNIT_OWN_N)
        issue_unit(s, units, index, inst, unit, now, collects);
    else if (unit == UNIT_MEMORY)
        issue_memory(s, index, inst, now);
    else if (unit == UNIT_SCALAR)
        issue_scalar(s, index, inst, now);
    else if (unit == UNIT_SHARED)
        issue_shared(s, index, inst, now, collects);
    else
        issue_control(s, sm_warp(s, index), now);
}

/* Behind collectors, sub-cores share one set of units. */
void sm_execute(struct sm *s, uint32_t index, const struct warp_inst *inst, uint8_t unit,
                uint64_t now)
{
    execute(s, s->sub, index, inst, unit, now, true);
}

/* A slot whose memory instruction found no room has got it. */
static inline void leave_stuck(struct sm *s, struct subcore *sc, uint32_t index, uint64_t now)
{
    uint64_t bit = UINT64_C(1) << index % SM_SUBCORE_SLOTS;
    if (sc->stuck & bit) s->s.warp_memory += now - sm_warp(s, index)->blocked_since;
    sc->stuck &= ~bit;
    if (!sc->stuck) s->with_stuck &= ~(1u << index / SM_SUBCORE_SLOTS);
}

FOR_BOTH void issue(struct sm *s, uint32_t index, uint64_t now, bool collects)
{
    struct warp *w = sm_warp(s, index);
    struct subcore *sc = sm_subcore(s, index);
    uint8_t unit = sc->unit[index % SM_SUBCORE_SLOTS];
    if (s->l1.sync && sm_release_first(s, index, now)) return;
    if (!collects) leave_stuck(s, sc, index, now);
    s->s.instructions++;
    s->counts->instructions++;
    s->s.lane_ops += popcount(w->inst.mask);
    s->s.masked_ops += s->p->warp_width;
    w->issue_after = now + 1;
    if (!collects)
        execute(s, sc, index, &w->inst, unit, now, false);
    else if (unit == UNIT_COLLECTED + UNIT_NONE)
        issue_control(s, w, now);
    else
        sm_operands_collect(s, index, unit - UNIT_COLLECTED, now);
    if (w->state == WARP_AT_BARRIER) {
        sm_set_ready(s, index, UINT64_MAX);
        admission_stops(&s->admission, index);
        sm_readmit(s, now);
        sm_barrier_check(s, w->cta, now);
        return;
    }
    sm_fetch(s, index, now);
}

void sm_issue(struct sm *s, uint32_t index, uint64_t now)
{
    issue(s, index, now, false);
}

void sm_issue_collected(struct sm *s, uint32_t index, uint64_t now)
{
    issue(s, index, now, true);
}
