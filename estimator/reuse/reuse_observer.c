/* reuse_observer.c - the observer's life and its operations; the transactions of an instruction.
 * See reuse_observer.h. */
#include "estimator/reuse/reuse_observer.h"

#include "base/memory/alloc.h"
#include "base/memory/min_heap.h"
#include "base/memory/rng.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "gpu/geometry/occupancy.h"

#include <string.h>

/* All accesses of an instruction.  Returns the distance of the farthest sector. */
static uint32_t access(struct reuse_observer *s, const struct warp_inst *w)
{
    struct line_accesses *a = &s->accesses;
    uint32_t far = 0;
    line_accesses_find(a, s->v, w);
    s->farthest_page = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        if (s->v->l1_banks) l1_bank_turns_enter(&s->banks, s->v, a->at[i].line, a->at[i].mask);
        uint32_t page = page_reuse_touch(&s->page_reuse, a->at[i].line);
        s->farthest_page = page > s->farthest_page ? page : s->farthest_page;
        uint32_t f = reuse_observer_line(s, w, a->at[i].line, a->at[i].mask, a->at[i].parts);
        far = f > far ? f : far;
    }
    s->l1.failed |= s->page_reuse.failed;
    s->t.sums.loads += a->again;
    chain_again(&s->l1, a->again);
    if (s->store_lines && s->store_lines->failed) s->l1.failed = true;
    return far;
}

static double room_at(const void *memory, uint32_t sm)
{
    const struct reuse_observer *s = memory;
    (void)sm;
    double door = s->taken ? s->taken[s->oldest] : s->door;
    return s->buffer && s->buffer[0] > door ? s->buffer[0] : door;
}

/* Queues at banks differ: the longer the way, the farther apart two loads come back; but for one
 * queue, in order. */
static uint64_t scatter(struct reuse_observer *s)
{
    uint64_t way = s->latest > s->busy && !s->v->l1_queue ? s->latest - s->busy : 0;
    s->range = (uint32_t)(PASS_SCATTER * way + PASS_LEAST);
    return s->chance = (uint32_t)(rng_splitmix64(s->l1.now + s->sm) % s->range);
}

/* Counts a load's or an atomic's transactions; returns when its data are back. */
static uint64_t loaded(struct reuse_observer *s, const struct warp_inst *in, uint32_t far,
                       double sectors)
{
    uint64_t ready = s->busy + PASS_HIT;
    struct observed_warp *w = &s->warp[s->acting];
    struct launch_profile *sum = &s->t.sums;
    if (in->si->cls == OP_LOAD) {
        sum->load_instructions++;
        sum->load_squares += sectors * sectors;
    } else {
        sum->atomic_instructions++;
    }
    if (in->si->cls == OP_ATOMIC && in->si->dst == REG_NONE) {
        w->stored = true; /* like a store, it answers that it is done */
        return s->back;
    }
    if (in->si->cls == OP_ATOMIC) sum->atomics_back += sectors;
    sum->load_miss_instructions += s->missed;
    w->since_wait += (uint32_t)sectors;
    w->farthest = far > w->farthest ? far : w->farthest;
    w->page = s->farthest_page > w->page ? s->farthest_page : w->page;
    w->missing |= s->missed;
    if (s->met > ready) ready = s->met;
    if (s->missed) ready = s->back + scatter(s);
    reuse_observer_fetched_until(s, ready);
    depend_load(&w->depend, in->si);
    return ready;
}

/* What the present instruction did, for those who follow. */
static void log_access(struct reuse_observer *s, const struct func_issue *i, size_t first)
{
    struct schedule_event *v = s->logs ? schedule_log_add(&s->log) : NULL;
    uint32_t slot = i->warp / s->warps_per_cta;
    if (s->logs && !v) s->l1.failed = true;
    if (!v) return;
    *v = (struct schedule_event){.cta = s->cta[slot].number,
                                 .time = s->busy,
                                 .op = (uint32_t)first,
                                 .ops = (uint32_t)(s->out.n - first),
                                 .slot = slot,
                                 .warp = (uint16_t)(i->warp % s->warps_per_cta),
                                 .code = (uint16_t)s->code,
                                 .chance = s->chance,
                                 .range = s->range};
}

/* Executes the instruction's accesses; returns when the last of them is served. */
static double access_memory(struct reuse_observer *s, const struct func_issue *i)
{
    struct launch_profile *sum = &s->t.sums;
    double loads = sum->loads + sum->atomics;
    uint32_t far = access(s, i->inst);
    loads = sum->loads + sum->atomics - loads;
    if (i->inst->si->cls != OP_STORE) return (double)loaded(s, i->inst, far, loads);
    sum->store_instructions++;
    s->warp[s->acting].stored = s->warp[s->acting].unreleased = true;
    return (double)(s->latest + s->v->l2_way);
}

/* Frees the instruction's entry of the vector memory buffer at `time`, in order not before those of
 * older instructions. */
static void leave_buffer(struct reuse_observer *s, double time)
{
    if (!s->buffer) return;
    s->released = s->v->vmb_in_order ? math_larger(s->released, time) : time;
    min_heap_replace(s->buffer, s->v->vmb, s->released);
}

static double observe(void *memory, const struct func_issue *i)
{
    struct reuse_observer *s = memory;
    s->acting = i->warp;
    s->code = i->inst->code;
    s->name = i->name;
    if (s->admission) admission_asked(&s->admission->policies, i->name);
    s->busy = (uint64_t)math_larger(i->time, s->door);
    reuse_observer_see_arrivals(s);
    s->latest = s->back = s->busy;
    s->met = 0;
    s->n_fetched = 0;
    s->missed = false;
    s->chance = s->range = 0;
    size_t first = s->out.n;
    double served = access_memory(s, i);
    leave_buffer(s, i->inst->si->cls == OP_STORE ? s->door : served);
    log_access(s, i, first);
    return served;
}

static bool needs_room(const void *memory, const struct warp_inst *inst)
{
    (void)memory;
    return inst_op_is_global(inst->si->cls);
}

static void advance(void *memory, double now)
{
    struct reuse_observer *s = memory;
    s->now = (uint64_t)now;
}

/* --- its life --- */

/* Whoever comes after the warp that fetched the line has waited for it joins no fetch, however many
 * accesses there were in between. */
static bool has_come(const void *observer, uint32_t line)
{
    const struct reuse_observer *s = observer;
    if (line >= s->fetch_cap) return false;
    const struct line_fetch *f = &s->fetch[line];
    return s->warp[f->warp].waited_for != f->waited_for;
}

static void l1_params_of(const struct profile_view *v, struct chain_params *p)
{
    *p = (struct chain_params){
        .sectors = v->l1_line / v->l1_sector,
        .write_miss = v->l1_write_miss,
        .nominal_lines = v->l1_class_bytes / v->l1_line,
        .reuse = {.lines = PROFILE_L1_BOUND_BYTES / v->l1_line},
    };
    set_view_orgs(&v->l1_at, p->reuse.lines, &p->reuse);
    p->nominal_org = set_view_org(&v->l1_at, v->l1_sets);
    p->nominal_ways = p->nominal_org == ORG_NONE ? 0 : v->l1_ways;
    if (v->l1_sets == 1) p->nominal_lines = v->l1_ways;
}

/* Of an L1 as the view shows it: loads that all go round have the profile of others, and a protocol
 * is what stores leave. */
static struct l1_ways ways_of(const struct profile_view *v)
{
    const struct l1_rules rules = {.enabled = true,
                                   .bypass = v->bypass.predicts   ? BYPASS_AGCB
                                             : v->bypass.unhinted ? BYPASS_NONE
                                                                  : BYPASS_HINTED,
                                   .write = v->keeps.write,
                                   .local = v->keeps.local_back ? LOCAL_BACK : LOCAL_SAME};
    return l1_ways_of(&rules);
}

static size_t count_reserved(const struct reuse_observer *s)
{
    return s->v->l1_reserves && s->l1.p.nominal_ways ? (size_t)s->v->l1_sets * s->v->l1_ways : 0;
}

bool reuse_observer_init(struct reuse_observer *s, const struct profile_view *v,
                         const struct followed_lines *followed)
{
    struct chain_params cp;
    s->v = v;
    s->followed = followed;
    s->ways = ways_of(v);
    l1_params_of(v, &cp);
    cp.has_come = has_come;
    cp.fetches = s;
    return chain_init(&s->l1, &cp) &&
           (!count_reserved(s) ||
            (s->reserved = mem_new(count_reserved(s), sizeof *s->reserved)) != NULL) &&
           (!v->l1_queue || (s->taken = mem_new(v->l1_queue, sizeof *s->taken)) != NULL) &&
           (!v->vmb || (s->buffer = mem_new(v->vmb, sizeof *s->buffer)) != NULL) &&
           page_reuse_init(&s->page_reuse, v->page_shift, v->l1_line) &&
           (!v->l1_keeps_own || hash_map_init(&s->stored, 2 * v->l1_class_bytes / v->l1_line)) &&
           (!throttle_follows_lines(v->warps.throttle) ||
            lru_lines_init(&s->lines, v->warps.l1_lines)) &&
           (!l1_store_lines_keeps(&v->keeps) ||
            (s->store_lines = l1_store_lines_new(&v->keeps)) != NULL) &&
           (!v->bypass.predicts || (s->predictor = bypass_predictor_new(&v->bypass)) != NULL);
}

void reuse_observer_hears(struct reuse_observer *s, struct warp_admission *admission)
{
    s->admission = admission;
}

void reuse_observer_fini(struct reuse_observer *s)
{
    chain_fini(&s->l1);
    page_reuse_fini(&s->page_reuse);
    hash_map_fini(&s->stored);
    lru_lines_fini(&s->lines);
    bypass_predictor_free(s->predictor);
    l1_store_lines_free(s->store_lines);
    mem_free(s->fetch);
    mem_free(s->warp);
    mem_free(s->cta);
    mem_free(s->regs);
    mem_free(s->copies);
    mem_free(s->issued);
    register_observer_fini(&s->registers);
    conflict_memo_fini(&s->conflicts);
    mem_free(s->out.op);
    schedule_log_fini(&s->log);
    fetch_arrivals_fini(&s->arrivals);
    mem_free(s->reserved);
    mem_free(s->taken);
    mem_free(s->buffer);
}

static bool make_room(struct reuse_observer *s, uint32_t ctas, const struct launch *l)
{
    uint32_t registers = l->n_registers;
    bool copies = copy_groups_needed(l->code, l->n_code);
    uint32_t warps = ctas * s->warps_per_cta;
    if (!mem_grow(&s->warp, &s->warp_cap, warps, sizeof *s->warp) ||
        !mem_grow(&s->cta, &s->cta_cap, ctas, sizeof *s->cta) ||
        !mem_grow(&s->regs, &s->reg_cap, (size_t)warps * registers + 1, sizeof *s->regs) ||
        !mem_grow(&s->issued, &s->issued_cap, (size_t)l->n_code + 1, sizeof *s->issued) ||
        (copies && !mem_grow(&s->copies, &s->copies_cap, warps, sizeof *s->copies)))
        return false;
    memset(s->issued, 0, l->n_code * sizeof *s->issued);
    for (uint32_t i = 0; i < warps; i++)
        s->warp[i].depend = (struct depend){.reg = s->regs + (size_t)i * registers,
                                            .copies = copies ? &s->copies[i] : NULL,
                                            .n = registers};
    return true;
}

/* Of the sums, counts and the use of registers alone are taken. */
static void clear_tallies(struct pass_tallies *t)
{
    memset(&t->sums, 0, offsetof(struct launch_profile, l1_read));
    t->sums.use = (struct register_use){0};
    hit_tally_clear(&t->wait_far);
    memset(&t->balance, 0, sizeof *t - offsetof(struct pass_tallies, balance));
}

/* Counts and times begin anew. */
static void forget_launch(struct reuse_observer *s)
{
    s->counted = false;
    s->work = 0;
    memset(s->pipe, 0, sizeof s->pipe);
    s->launches++;
    s->arrivals.n = 0;
    if (s->reserved) memset(s->reserved, 0, count_reserved(s) * sizeof *s->reserved);
    s->acquires = 0; /* those of flights, too */
    memset(s->held, 0, sizeof s->held);
    size_t used = s->fetch_cap < s->l1.reuse.ids ? s->fetch_cap : s->l1.reuse.ids;
    if (used) memset(s->fetch, 0, used * sizeof *s->fetch);
    clear_tallies(&s->t);
    chain_reset_tallies(&s->l1);
    page_reuse_launch(&s->page_reuse);
    s->l1.now = 0;
    s->l1_began = s->l1.clock;
    s->banks = (struct l1_bank_turns){0};
}

static bool launch(void *memory, const struct launch *l, const struct occupancy *fit)
{
    struct reuse_observer *s = memory;
    s->launch = l;
    s->warps_per_cta = l->warps_per_cta;
    s->now = 0;
    s->door = 0;
    s->released = 0;
    if (s->taken) memset(s->taken, 0, s->v->l1_queue * sizeof *s->taken);
    if (s->buffer) memset(s->buffer, 0, s->v->vmb * sizeof *s->buffer);
    if (s->counted) forget_launch(s);
    if (s->store_lines && s->v->stores_leave) l1_store_lines_empty(s->store_lines);
    if (s->store_lines) s->store_lines->sent = 0;
    s->out.n = 0;
    s->log.n = s->log.begun = 0;
    if (s->v->l1_emptied == L1_AT_LAUNCHES_TOO) reuse_observer_empty_l1(s);
    s->t.sums.dropped = 0;
    return make_room(s, fit->ctas, l) &&
           register_observer_launch(&s->registers, l, fit->ctas * l->warps_per_cta);
}

const struct func_memory_ops reuse_observer_ops = {.access = observe,
                                                   .acquire = reuse_observer_acquire,
                                                   .release = reuse_observer_release,
                                                   .launch = launch,
                                                   .advance = advance,
                                                   .needs_room = needs_room,
                                                   .room_at = room_at,
                                                   .begins = reuse_observer_begins,
                                                   .issues = reuse_observer_issues,
                                                   .ends = reuse_observer_ends};
