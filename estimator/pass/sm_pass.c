/* sm_pass.c - see sm_pass.h. */
#include "estimator/pass/sm_pass.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"
#include "gpu/geometry/occupancy.h"

#include <assert.h>

/* --- its life --- */

/* The machine that the view describes, with nominal times. */
static struct sm_params nominal_sm(const struct profile_view *v)
{
    const struct unit_params unit = {.latency = PASS_STEP, .interval = 1};
    struct sm_params p = warp_view_params(&v->warps);
    p.count = v->sms;
    p.warp_width = v->warp_width;
    p.max_warps = v->max_warps;
    p.max_ctas = v->max_ctas;
    p.registers = v->registers;
    p.register_unit = v->register_unit;
    p.shared_kb = v->shared_kb;
    p.subcores = v->subcores;
    p.cta_binding = v->binding;
    p.memory_wait = v->wait;
    p.nonblocking_stores = p.exit_waits_for_stores = true;
    p.dispatch = v->warps.dispatch;
    p.int32 = p.fp32 = p.fp64 = p.sfu = p.tensor = p.branch = unit;
    p.shared_latency = PASS_STEP;
    return p;
}

static bool init(struct sm_pass *s, const struct program *p, struct reader *reader,
                 const struct followed_lines *followed, struct error *e)
{
    const struct profile_view *v = &s->v;
    if (!reuse_observer_init(&s->observer, v, followed)) return error_no_memory(e);
    s->admission = warp_admission_new(&s->sm, v->warps.l1_lines, 1);
    if (!s->admission) return error_no_memory(e);
    if (admission_hears(&s->sm)) reuse_observer_hears(&s->observer, s->admission);
    const struct functional_setup use = {.sm = &s->sm,
                                         .l1 = &s->l1,
                                         .fence_acquires = v->fence_empties,
                                         .sms = 1,
                                         .l1_blocks = v->warps.l1_lines,
                                         .step = PASS_STEP,
                                         .quantum = PASS_QUANTUM,
                                         .p = p,
                                         .reader = reader,
                                         .ops = &reuse_observer_ops,
                                         .memory = &s->observer,
                                         .admission = s->admission};
    return functional_init(&s->functional, &use, e);
}

struct sm_pass *sm_pass_new(const struct profile_view *v, const struct program *p,
                            struct reader *reader, const struct followed_lines *followed,
                            struct error *e)
{
    struct sm_pass *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    s->v = *v;
    s->sm = nominal_sm(v);
    s->l1 = (struct l1_params){.enabled = true};
    if (init(s, p, reader, followed, e)) return s;
    sm_pass_free(s);
    return NULL;
}

void sm_pass_free(struct sm_pass *s)
{
    if (!s) return;
    functional_fini(&s->functional);
    warp_admission_free(s->admission, 1);
    reuse_observer_fini(&s->observer);
    mem_free(s);
}

void sm_pass_connect(struct sm_pass *s, const struct chain *l2, const struct page_table *pages,
                     struct sharers *sharers)
{
    s->observer.l2 = l2;
    s->observer.pages = pages;
    s->observer.sharers = sharers;
}

/* --- a launch --- */

void sm_pass_log(struct sm_pass *s)
{
    s->observer.logs = true;
}

bool sm_pass_launch(struct sm_pass *s, uint32_t launch, uint32_t sm, const struct cta_share *share,
                    struct error *e)
{
    assert(!s->functional.launch); /* the one before has ended */
    s->functional.use.first_sm = s->observer.sm = sm;
    s->functional.now = 0;
    if (!functional_begin_launch(&s->functional, launch, e)) return false;
    s->functional.share = *share;
    return true;
}

/* Counts how many warps a throttle lets run side by side over the last cycles: while some are held
 * those that are not, else no more than the limit. One at a barrier counts as long as its loads are
 * under way. */
static void count_throttled(struct sm_pass *s, double cycles)
{
    const struct functional *w = &s->functional;
    const struct admission *policies = &s->admission->policies;
    struct pass_tallies *t = &s->observer.t;
    uint32_t held = 0, beside = 0, all = w->slots * w->launch->warps_per_cta;
    for (uint32_t i = 0; i < all; i++) {
        const struct functional_warp *f = &w->clock[i];
        uint32_t name = w->name[i], k = name / SM_SUBCORE_SLOTS;
        uint64_t bit = UINT64_C(1) << name % SM_SUBCORE_SLOTS;
        if (!w->cta[i / w->launch->warps_per_cta].active || f->ended) continue;
        uint64_t loads = w->stream[i].inst.si->cls == OP_LOAD ? bit : 0;
        bool waits = f->time < w->now && (admission_barred(policies, k, loads) & bit);
        held += !f->at_barrier && waits;
        beside += f->at_barrier ? f->loads > w->now : !waits;
    }
    t->elapsed += cycles;
    if (held)
        t->held += cycles;
    else
        beside = policies->throttle.limit < all ? policies->throttle.limit : all;
    t->beside += cycles * beside;
}

bool sm_pass_run(struct sm_pass *s, double until, bool *done, struct error *e)
{
    struct functional *w = &s->functional;
    while (w->launch && w->now < until) {
        double before = w->now;
        if (!functional_step(w, e)) return false;
        if (s->observer.l1.failed) return error_no_memory(e);
        if (w->launch && s->admission->policies.throttle.ops) count_throttled(s, w->now - before);
    }
    *done = !w->launch;
    return true;
}

struct stream *sm_pass_stream(struct sm_pass *s)
{
    return &s->observer.out;
}

struct schedule_log *sm_pass_schedule(struct sm_pass *s)
{
    return &s->observer.log;
}

void sm_pass_begin_window(struct sm_pass *s, uint64_t from)
{
    s->observer.out.n = s->kept = stream_keep_from(&s->observer.out, from);
    s->observer.log.n = 0;
}

uint64_t sm_pass_done(const struct sm_pass *s)
{
    return s->functional.launch_done;
}

double sm_pass_accesses(const struct sm_pass *s, enum stream_kind kind)
{
    const struct launch_profile *sums = &s->observer.t.sums;
    return kind == STREAM_READ    ? sums->load_instructions
           : kind == STREAM_WRITE ? sums->store_instructions
                                  : sums->atomic_instructions;
}

uint32_t sm_pass_fits(const struct sm_pass *s, const struct launch *l)
{
    return occupancy(&s->sm, &s->l1, l).ctas;
}

uint64_t sm_pass_started(const struct sm_pass *s)
{
    return s->functional.dispatch.dispatched;
}

static bool tell_sharers(const struct reuse_observer *s, size_t kept)
{
    static const enum sharers_event event[] = {[STREAM_READ] = SHARERS_READ,
                                               [STREAM_WRITE] = SHARERS_STORE,
                                               [STREAM_ATOMIC] = SHARERS_OWN};
    bool ok = true;
    for (size_t i = kept; ok && i < s->out.n; i++) {
        const struct stream_op *op = &s->out.op[i];
        ok = sharers_note(s->sharers, op->addr / s->v->l1_line, s->sm, event[op->kind]);
    }
    return ok;
}

bool sm_pass_tell_sharers(struct sm_pass *const *sm, uint32_t sms)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < sms && sm[i]->v.l1_keeps_own; i++)
        ok = tell_sharers(&sm[i]->observer, sm[i]->kept);
    return ok;
}

/* --- the profile of a launch --- */

/* Serial dispatch: nobody helps the SM that has the long CTAs. The work of the SM that has most
 * over the mean, beyond what the numbers of CTAs say; else 1. */
static double uneven(struct sm_pass *const *sm, uint32_t sms)
{
    double most = 0, sum = 0, ctas = 0, most_ctas = 0, n = sms;
    if (!cta_dispatch_is_fixed(sm[0]->v.warps.dispatch)) return 1;
    for (uint32_t i = 0; i < sms; i++) {
        double work = sm[i]->observer.work, own = (double)sm_pass_started(sm[i]);
        most = work > most ? work : most;
        most_ctas = own > most_ctas ? own : most_ctas;
        sum += work;
        ctas += own;
    }
    double ratio = sum > 0 && ctas > 0 ? most * n / sum / (most_ctas * n / ctas) : 1;
    return ratio > 1 ? ratio : 1;
}

/* What the SMs that were run in full saw stands for all. */
static void scale_counts(struct launch_profile *p, const struct pass_scale *by,
                         const double transactions[STREAM_KINDS])
{
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        p->cls[c] *= by->instructions;
        p->runs[c] *= by->instructions;
        for (uint32_t k = 0; k < PROFILE_DEP; k++)
            p->dep[c][k] *= by->instructions;
    }
    register_use_scale(&p->use, by->instructions);
    double *const instructions[] = {
        &p->lane_operations, &p->masked_operations, &p->barriers,    &p->shared_cycles,
        &p->waits,           &p->overlap,           &p->store_waits, &p->waited_loads,
        &p->releases,        &p->l1_cycles,         &p->loose_waits, &p->before_waits,
        &p->l1_squares,      &p->wait_pairs};
    double *const loads[] = {&p->loads,  &p->bypasses,    &p->dropped, &p->voided,
                             &p->wanted, &p->voided_left, &p->joined,  &p->load_squares};
    double *const stores[] = {&p->stores, &p->sent};
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        *instructions[i] *= by->instructions;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        *loads[i] *= transactions[STREAM_READ];
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        *stores[i] *= transactions[STREAM_WRITE];
    p->load_instructions *= by->kind[STREAM_READ];
    p->load_miss_instructions *= by->kind[STREAM_READ];
    p->store_instructions *= by->kind[STREAM_WRITE];
    p->atomics *= transactions[STREAM_ATOMIC];
    p->atomics_back *= transactions[STREAM_ATOMIC];
    p->atomic_instructions *= by->kind[STREAM_ATOMIC];
    for (uint32_t k = 0; k < PROFILE_JOINS; k++) {
        p->joins[k] *= transactions[STREAM_READ];
        p->joins_left[k] *= transactions[STREAM_READ];
    }
}

/* Another SM's warp is longer: it waits and misses as often per instruction. */
static void lengthen(struct launch_profile *p, struct pass_tallies *t, double longest)
{
    double more = p->longest_instructions > 0 ? longest / p->longest_instructions : 1;
    if (more <= 1) return;
    p->longest_instructions = longest;
    p->longest_waits *= more;
    t->longest_missed *= more;
}

/* The launch's transactions of a kind over those of the SMs that were run in full. */
static double transaction_scale(const struct pass_scale *by, enum stream_kind kind, double own)
{
    return own > 0 ? (1 + by->followed[kind] / own) * by->launch : by->kind[kind];
}

enum { PAGES = 3, PAGE_WAITS, SUMS };

static void add_up(struct sm_pass *const *sm, uint32_t sms, const struct pass_scale *by,
                   struct launch_profile *p, struct pass_tallies *t, struct hit_tally sum[SUMS])
{
    const enum stream_kind kind[] = {STREAM_READ, STREAM_WRITE, STREAM_READ};
    for (uint32_t i = 0; i < sms; i++) {
        const struct reuse_observer *s = &sm[i]->observer;
        if (!s->counted && !s->store_lines) continue;
        reuse_observer_add_tallies(s, t);
        hit_tally_merge(&sum[0], &s->l1.read[0].distance);
        hit_tally_merge(&sum[1], &s->l1.write);
        hit_tally_merge(&sum[2], &s->l1.read[0].age);
        if (s->page_reuse.on) {
            hit_tally_merge(&sum[PAGES], &s->page_reuse.accesses);
            hit_tally_merge(&sum[PAGE_WAITS], &s->page_reuse.waits);
        }
    }
    const double transactions[STREAM_KINDS] = {
        [STREAM_READ] = transaction_scale(by, STREAM_READ, t->sums.loads),
        [STREAM_WRITE] = transaction_scale(by, STREAM_WRITE, t->sums.stores),
        [STREAM_ATOMIC] = transaction_scale(by, STREAM_ATOMIC, t->sums.atomics)};
    *p = t->sums;
    scale_counts(p, by, transactions);
    lengthen(p, t, by->longest);
    double own = t->sums.loads + t->sums.stores + t->sums.atomics;
    double more = own > 0 ? (p->loads + p->stores + p->atomics) / own : 1;
    p->bank_cycles *= more;
    for (uint32_t i = 0; i < 3; i++)
        hit_tally_scale(&sum[i], transactions[kind[i]], 1);
    hit_tally_scale(&t->wait_far, by->instructions, 1);
    hit_tally_scale(&sum[PAGES], more, 1);
    hit_tally_scale(&sum[PAGE_WAITS], by->instructions, 1);
    hit_tally_curve(&sum[PAGES], &p->page_reuse);
    hit_tally_curve(&sum[PAGE_WAITS], &p->page_waits);
    hit_tally_curve(&sum[0], &p->l1_read);
    hit_tally_curve(&sum[1], &p->l1_write);
    hit_tally_curve(&sum[2], &p->l1_age);
    hit_tally_curve(&t->wait_far, &p->wait_far);
    p->longest_start = t->end > 0 ? t->longest_began / t->end : 0;
    double waits = t->sums.waits + t->sums.store_waits, mean = waits > 0 ? t->missed / waits : 0;
    p->longest_misses =
        mean > 0 && p->longest_waits > 0 ? t->longest_missed / p->longest_waits / mean : 1;
    p->beside = t->held > 0 ? t->beside / t->elapsed : 0;
    p->uneven = uneven(sm, sms);
    p->balance = t->balance_n > 0 ? t->balance / t->balance_n : 1;
}

bool sm_pass_profile(struct sm_pass *const *sm, uint32_t sms, const struct pass_scale *by,
                     struct launch_profile *p)
{
    struct {
        struct pass_tallies t;
        struct hit_tally sum[SUMS];
    } *w = mem_new(1, sizeof *w);
    if (w) add_up(sm, sms, by, p, &w->t, w->sum);
    mem_free(w);
    return w != NULL;
}
