/* observer_counts.c - what the reuse observer counts: instructions, waits, the longest warp, how
 * even the warps of a CTA are. See reuse_observer.h. */
#include "base/memory/popcount.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/reuse/reuse_observer.h"
#include "gpu/geometry/l1_instruction.h"
#include "gpu/policies/wait_rule.h"

static void count_run(struct launch_profile *p, struct observed_warp *w, uint8_t cls)
{
    bool arithmetic = inst_op_is_arithmetic(cls);
    if (arithmetic && w->last != cls && w->last != OP_BARRIER) p->runs[cls]++;
    if (arithmetic || cls == OP_BARRIER) w->last = cls;
}

/* Of an instruction with active lanes, where the L1 takes only so much of one in a cycle. */
static uint32_t l1_cycles(const struct profile_view *v, const struct warp_inst *in)
{
    const struct l1_instruction_params p = {.lookups = v->l1_lookups,
                                            .lookup_index = v->l1_lookup_index,
                                            .word_banks = v->l1_word_banks,
                                            .bytes_per_cycle = v->l1_cycle_bytes,
                                            .scattered_lanes = v->l1_scattered_lanes,
                                            .scattered_runs = v->l1_scattered_runs};
    if (!l1_limits_instructions(&p) || !in->mask) return 0;
    return l1_instruction_cycles(&p, v->l1_line, in);
}

static void count_instruction(struct reuse_observer *s, struct observed_warp *w,
                              const struct warp_inst *in)
{
    struct launch_profile *p = &s->t.sums;
    uint8_t cls = OP_INT, own = in->si->cls;
    s->issued[in->code]++;
    count_run(p, w, own);
    p->lane_operations += popcount(in->mask);
    if (own == OP_SHARED_LOAD || own == OP_SHARED_STORE)
        p->shared_cycles +=
            conflict_memo_shared_cycles(&s->conflicts, in, s->v->shared_banks, s->v->shared_bytes);
    double turns = inst_op_is_global(own) ? l1_cycles(s->v, in) : 0;
    p->l1_cycles += turns;
    p->l1_squares += turns * turns;
    uint32_t ago = depend_distance(&w->depend, in->si, &cls);
    if (ago && ago < PROFILE_DEP) p->dep[cls][ago]++;
    register_observer_issues(&s->registers, (uint32_t)(w - s->warp), in, w->depend.instructions + 1,
                             &p->use);
}

static void count_wait(struct reuse_observer *s, struct observed_warp *w,
                       const struct depend_wait *wait)
{
    if (!wait->waits) return;
    w->waited_for++;
    s->t.sums.waits++;
    s->cta[(w - s->warp) / s->warps_per_cta].waiting += !w->loaded;
    w->loaded = true;
    s->t.sums.overlap += wait->overlap;
    s->t.sums.waited_loads += w->since_wait;
    w->waits++;
    bool missed = w->missing;
    w->missed += missed;
    s->t.missed += missed;
    w->alone += missed ? PASS_HIT + s->v->memory_way : PASS_HIT;
    hit_tally_add(&s->t.wait_far, w->farthest, NULL, 0);
    page_reuse_wait(&s->page_reuse, w->page);
    w->since_wait = w->farthest = w->page = 0;
    w->missing = w->stored = false;
}

/* What drains waits for stores, too. */
static void wait_for_stores(struct reuse_observer *s, struct observed_warp *w)
{
    if (!w->stored) return;
    s->t.sums.store_waits++;
    w->stored = false;
    w->waits++;
    w->alone += s->v->memory_way;
    w->missed++;
    s->t.missed++;
}

static void count_release(struct reuse_observer *s, struct observed_warp *w, uint8_t cls)
{
    bool releases = cls == OP_RELEASE || cls == OP_FENCE || (cls == OP_BARRIER && w->unreleased);
    if (!releases) return;
    s->t.sums.releases++;
    w->unreleased = false;
    if (s->v->stores_leave) l1_store_lines_empty(s->store_lines);
}

/* Where the barrier of a CTA opens, since no warp is still to come, all that waited since the one
 * before did so together. */
static void close_section(struct reuse_observer *s, struct observed_cta *c)
{
    if (!c->arrived || c->arrived + c->ended < s->warps_per_cta) return;
    s->t.sums.wait_pairs += c->waiting * (c->waiting - 1.0);
    c->arrived = c->waiting = 0;
}

static void count_barrier(struct reuse_observer *s, struct observed_warp *w)
{
    struct observed_cta *c = &s->cta[(w - s->warp) / s->warps_per_cta];
    w->loaded = false;
    c->arrived++;
    close_section(s, c);
}

/* A CTA begins with its first warp. */
static void log_begin(struct reuse_observer *s, uint32_t slot, double time)
{
    struct schedule_event *v = s->logs ? schedule_log_add(&s->log) : NULL;
    s->cta[slot].number = s->log.begun++;
    if (s->logs && !v) s->l1.failed = true;
    if (!v) return;
    *v = (struct schedule_event){
        .cta = s->cta[slot].number, .time = (uint64_t)time, .slot = slot, .begins = true};
}

void reuse_observer_begins(void *memory, uint32_t warp, double time)
{
    struct reuse_observer *s = memory;
    struct observed_warp *w = &s->warp[warp];
    struct depend depend = w->depend;
    uint32_t others = w->waited_for + 1;
    depend_start(&depend);
    register_observer_begins(&s->registers, warp);
    if (warp % s->warps_per_cta == 0) log_begin(s, warp / s->warps_per_cta, time);
    *w = (struct observed_warp){
        .began = time, .depend = depend, .last = OP_BARRIER, .waited_for = others};
    s->counted = true;
}

void reuse_observer_issues(void *memory, const struct func_issue *i)
{
    struct reuse_observer *s = memory;
    struct observed_warp *w = &s->warp[i->warp];
    const struct static_inst *si = i->inst->si;
    bool drains = wait_rule_drains(s->v->wait, si->cls);
    struct depend_wait wait =
        drains ? depend_drain(&w->depend) : depend_check(&w->depend, si, s->v->wait);
    s->t.sums.loose_waits += w->waited && si->cls != OP_BARRIER;
    w->waited = wait.waits;
    if (wait.waits && w->waits <= 0) s->t.sums.before_waits += w->instructions;
    count_wait(s, w, &wait);
    if (drains) wait_for_stores(s, w);
    count_instruction(s, w, i->inst);
    count_release(s, w, si->cls);
    if (si->cls == OP_BARRIER) count_barrier(s, w);
    depend_issue(&w->depend, si);
    w->alone += PASS_STEP;
    w->instructions++;
}

static void note_longest(struct pass_tallies *t, const struct observed_warp *w, double time)
{
    if (time > t->end) t->end = time;
    if ((double)w->alone <= t->longest) return;
    t->longest = (double)w->alone;
    t->longest_began = w->began;
    t->longest_missed = w->missed;
    t->sums.longest_instructions = w->instructions;
    t->sums.longest_waits = w->waits;
}

/* A CTA's balance is the mean over the longest of its warps' lifetimes, or of their work, whichever
 * is larger: a warp that was only scheduled late, or only waited long, is no uneven work. */
static void count_cta(struct reuse_observer *s, struct observed_cta *c)
{
    double even = c->sum / c->longest, shares = c->work / c->most_work;
    s->t.balance += even > shares ? even : shares;
    s->t.balance_n += s->warps_per_cta;
    *c = (struct observed_cta){.number = c->number};
}

/* A warp leaves when its last access has come back. */
void reuse_observer_ends(void *memory, uint32_t warp, double time)
{
    struct reuse_observer *s = memory;
    struct observed_warp *w = &s->warp[warp];
    struct observed_cta *c = &s->cta[warp / s->warps_per_cta];
    struct depend_wait wait = depend_end(&w->depend);
    count_wait(s, w, &wait);
    if (!wait.waits) wait_for_stores(s, w);
    note_longest(&s->t, w, time);
    double length = time - w->began + 1, work = (double)(w->alone + 1);
    s->work += work;
    c->sum += length;
    c->work += work;
    if (length > c->longest) c->longest = length;
    if (work > c->most_work) c->most_work = work;
    c->ended++;
    close_section(s, c);
    if (c->ended == s->warps_per_cta) count_cta(s, c);
}

/* A release leaves nothing in the write caches, and so does the end of a launch. */
static double sent_down(const struct reuse_observer *s)
{
    if (!s->store_lines) return s->t.sums.stores;
    return s->v->stores_leave ? l1_store_lines_all(s->store_lines) : s->store_lines->sent;
}

/* What follows from how often each instruction of the code was issued. */
static void add_issued(const struct reuse_observer *s, struct launch_profile *to)
{
    for (uint32_t i = 0; i < s->launch->n_code; i++) {
        uint8_t cls = s->launch->code[i].cls;
        double n = (double)s->issued[i];
        if (n <= 0) continue;
        to->cls[cls] += n;
        if (!inst_op_is_arithmetic(cls)) to->runs[cls] += n;
        if (cls == OP_BARRIER) to->barriers += n;
        to->masked_operations += n * s->v->warp_width;
        register_observer_issued(&s->registers, i, cls, n, &to->use);
    }
}

/* The counts of a launch lie together, as doubles. */
static void add_counts(struct launch_profile *to, const struct launch_profile *from)
{
    double *sum = (double *)to;
    const double *more = (const double *)from;
    for (size_t i = 0; i < offsetof(struct launch_profile, l1_read) / sizeof *sum; i++)
        sum[i] += more[i];
}
_Static_assert(offsetof(struct launch_profile, cls) == 0, "the counts come first");

void reuse_observer_add_tallies(const struct reuse_observer *s, struct pass_tallies *t)
{
    struct launch_profile *to = &t->sums;
    bool longer = s->t.longest > t->longest;
    double instructions = longer ? s->t.sums.longest_instructions : to->longest_instructions,
           waits = longer ? s->t.sums.longest_waits : to->longest_waits,
           most = math_larger(to->wanted_most, s->t.sums.wanted_most);
    add_counts(to, &s->t.sums);
    register_use_add(&to->use, &s->t.sums.use);
    add_issued(s, to);
    to->longest_instructions = instructions;
    to->longest_waits = waits;
    to->wanted_most = most;
    to->bank_cycles += s->banks.cycles;
    to->sent += sent_down(s);
    if (longer) {
        t->longest = s->t.longest;
        t->longest_began = s->t.longest_began;
        t->longest_missed = s->t.longest_missed;
    }
    t->missed += s->t.missed;
    if (s->t.end > t->end) t->end = s->t.end;
    t->balance += s->t.balance;
    t->balance_n += s->t.balance_n;
    hit_tally_merge(&t->wait_far, &s->t.wait_far);
    t->held += s->t.held;
    t->beside += s->t.beside;
    t->elapsed += s->t.elapsed;
}
