/* operands.c - connects the SM to its register file: instructions go through collectors to their
 * units, and a register is ready when its result has been written. */
#include "base/memory/alloc.h"
#include "detailed/register_file/register_file.h"
#include "detailed/sm/sm_side.h"

STATS_ADDER(register_file, REGISTER_FILE_STATS)
STATS_SETTER(register_file, REGISTER_FILE_STATS)

/* Kept out of functions that machines without a register file run, too. */
#define OUT_OF_LINE __attribute__((noinline))

static bool goes_to_memory(uint8_t unit)
{
    return unit == UNIT_MEMORY || unit == UNIT_SCALAR;
}

/* While it is collected, a memory instruction counts as outstanding; once dispatched, it counts by
 * itself. A copy does not: what waits for copies comes after everything that is collected. */
static void count_outstanding(struct warp *w, const struct static_inst *si, bool collected)
{
    if (inst_is_copy(si)) return;
    uint32_t *n = sm_returns_data(si) ? &w->loads : &w->stores;
    *n += collected ? 1 : UINT32_MAX;
}

/* Whether its register gets something: a store's does not. */
static bool has_result(const struct static_inst *si, uint8_t unit)
{
    return si->dst != REG_NONE && (!goes_to_memory(unit) || sm_returns_data(si));
}

/* The memory instruction that would be next finds no room. */
static void mark_stuck(struct sm *s, uint32_t index)
{
    uint32_t i = index / SM_SUBCORE_SLOTS;
    s->wants_memory |= 1u << i;
    s->with_stuck |= 1u << i;
    s->sub[i].stuck |= UINT64_C(1) << index % SM_SUBCORE_SLOTS;
}

static void forget_stuck(struct sm *s)
{
    for (uint32_t rest = s->with_stuck; rest; rest &= rest - 1)
        s->sub[__builtin_ctz(rest)].stuck = 0;
    s->wants_memory = s->with_stuck = 0;
}

static bool dispatch(void *self, const struct operand_collector *c, uint64_t now)
{
    struct sm *s = self;
    struct warp *w = sm_warp(s, c->warp);
    /* the units are shared, whatever sub-core has issued the instruction */
    const struct subcore *units = c->unit < UNIT_OWN_N ? s->sub : sm_subcore(s, c->warp);
    uint64_t at = sm_unit_free_at(s, units, c->unit, c->warp % SM_SUBCORE_SLOTS, now);
    if (at == UINT64_MAX) mark_stuck(s, c->warp);
    if (at > now) return false;
    w->collecting--;
    if (goes_to_memory(c->unit)) count_outstanding(w, c->inst.si, false);
    sm_execute(s, c->warp, &c->inst, c->unit, now);
    /* the next instruction waits for a branch, for memory that was not asked, or there is none */
    if (c->unit >= UNIT_BRANCH || w->state == WARP_EXITED) sm_warp_came(s, c->warp, now);
    return true;
}

static void written(void *self, uint32_t index, uint16_t dst, uint64_t ready, uint64_t now)
{
    struct sm *s = self;
    struct warp *w = sm_warp(s, index);
    w->reg_ready[dst] = ready;
    w->results--;
    sm_warp_came(s, index, now);
}

static uint64_t nearest(const void *owner, uint64_t slots)
{
    const struct subcore_scores *of = owner;
    return register_file_nearest(of->sm->operands, of->subcore, slots);
}

static bool init(struct sm *s, const struct sm_wiring *w)
{
    const struct register_file_owner owner = {s, dispatch, written};
    s->operands = mem_new(1, sizeof *s->operands);
    if (!s->operands) return false;
    s->governed = true; /* sub-cores leave out what finds no collector */
    s->admission.nearest = nearest;
    for (uint32_t k = 0; k < s->p->subcores; k++) {
        s->scores[k] = (struct subcore_scores){s, k};
        s->admission.score_owner[k] = &s->scores[k];
    }
    return register_file_init(s->operands, w->register_file, s->p, &owner);
}

static void fini(struct sm *s)
{
    if (s->operands) register_file_fini(s->operands);
    mem_free(s->operands);
}

static void clear(struct sm *s)
{
    register_file_clear(s->operands);
}

static bool launch(struct sm *s)
{
    const struct register_map *map = &s->run->registers;
    const struct register_warps w = {.registers = map->registers,
                                     .warps = s->occ.ctas * s->run->launch->warps_per_cta,
                                     .subcores = s->p->subcores};
    return register_file_launch(s->operands, map, &w);
}

static bool is_idle(const struct sm *s)
{
    return register_file_is_idle(s->operands);
}

static bool check(const struct sm *s)
{
    return register_file_check(s->operands);
}

static void add_metrics(const struct sm *all, uint32_t n, struct metrics *m)
{
    struct register_file_stats t = {0};
    for (uint32_t i = 0; i < n; i++)
        add_register_file(&t, &all[i].operands->s);
    set_register_file(all->operands->p, &t, m);
    metrics_set(m, M_rf_accesses, (double)(t.bank_reads + t.bank_writes));
}

const struct sm_side_ops sm_side_operands = {.id = MECHANISM_register_file,
                                             .init = init,
                                             .fini = fini,
                                             .clear = clear,
                                             .launch = launch,
                                             .is_idle = is_idle,
                                             .check = check,
                                             .add_metrics = add_metrics};

uint64_t sm_operands_admitted(struct sm *s, const struct subcore *sc, uint64_t slots, uint64_t now)
{
    uint32_t i = (uint32_t)(sc - s->sub);
    register_file_activate(s->operands, i, sc->warps.sched.first, now);
    return slots & ~register_file_blocked(s->operands, i, COLLECTORS_ALL);
}

bool sm_operands_wait(const struct sm *s, const struct subcore *sc)
{
    return sc->awake &
           register_file_blocked(s->operands, (uint32_t)(sc - s->sub), COLLECTORS_COMPUTE);
}

void sm_operands_result(struct sm *s, uint32_t index, const struct warp_inst *inst, uint32_t unit,
                        uint64_t at)
{
    register_file_result(s->operands, unit, index, inst, at);
}

OUT_OF_LINE void sm_operands_loaded(struct sm *s, const struct vinst *v, uint64_t now)
{
    sm_warp(s, v->warp)->reg_ready[v->dst] = REG_IN_FLIGHT;
    register_file_loaded(s->operands, v->warp, v->code, v->dst, now);
}

bool sm_operands_dispatch(struct sm *s, uint64_t now)
{
    forget_stuck(s);
    if (!register_file_dispatch(s->operands, now)) return false;
    for (uint32_t i = 0; i < s->p->subcores; i++) /* a collector is free for somebody */
        if (s->sub[i].awake && now < s->wake[i]) s->wake[i] = now;
    s->first_wake = now;
    return true;
}

void sm_operands_step(struct sm *s, uint64_t now)
{
    register_file_step(s->operands, now);
    if (register_file_moves(s->operands)) s->first_wake = now + 1;
}

void sm_operands_fetched(struct sm *s, uint32_t index)
{
    uint8_t *unit = &sm_subcore(s, index)->unit[index % SM_SUBCORE_SLOTS];
    register_file_fetch(s->operands, index, sm_warp(s, index)->inst.code, collector_kind_of(*unit));
    *unit = (uint8_t)(*unit + UNIT_COLLECTED);
}

static bool may_issue(const struct sm *s, const struct subcore *sc, uint32_t slot, uint64_t now)
{
    uint32_t index = (uint32_t)(sc - s->sub) * SM_SUBCORE_SLOTS + slot;
    /* barriers, fences and the like come after the warp's accesses before them */
    if (sc->unit[slot] == UNIT_COLLECTED + UNIT_NONE) return !sm_warp(s, index)->collecting;
    return register_file_has_room(s->operands, index, now);
}

/* Schedulers put slots in an order, whichever there are: what is picked of those that may issue is
 * found by taking away the ones that may not. */
uint32_t sm_operands_settle(const struct sm *s, const struct subcore *sc, uint32_t slot,
                            uint64_t ready, uint64_t now)
{
    const struct sched *sched = &sc->warps.sched;
    while (!may_issue(s, sc, slot, now)) {
        ready &= ~(UINT64_C(1) << slot);
        if (!ready) return UINT32_MAX;
        slot = sched->ops->pick(sched, ready, sc->warps.age);
    }
    return slot;
}

OUT_OF_LINE void sm_operands_collect(struct sm *s, uint32_t index, uint8_t unit, uint64_t now)
{
    struct warp *w = sm_warp(s, index);
    const struct static_inst *si = w->inst.si;
    w->collecting++;
    if (goes_to_memory(unit)) count_outstanding(w, si, true);
    if (has_result(si, unit)) {
        w->results++;
        w->reg_ready[si->dst] = goes_to_memory(unit) ? REG_PENDING : REG_IN_FLIGHT;
    }
    if (unit == UNIT_BRANCH) w->issue_after = REG_IN_FLIGHT;
    register_file_collect(s->operands, index, &w->inst, unit, now);
}
