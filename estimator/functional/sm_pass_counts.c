/* sm_pass_counts.c - what the functional pass counts: instructions, waits, the longest warp. */
#include "estimator/constants.h"
#include "estimator/functional/sm_pass_state.h"

static void count_run(struct launch_profile *p, struct pass_warp *w, uint8_t cls)
{
    bool arithmetic = cls <= OP_TENSOR, begins = w->last != cls && w->last != OP_BARRIER;
    if (!arithmetic || begins) p->runs[cls]++;
    if (arithmetic || cls == OP_BARRIER) w->last = cls;
}

void pass_count(struct pass *s, struct pass_warp *w)
{
    const struct warp_inst *in = &w->held;
    struct launch_profile *p = &s->t.sums;
    uint8_t cls = OP_INT;
    p->cls[in->si->cls]++;
    count_run(p, w, in->si->cls);
    p->lane_operations += __builtin_popcountll(in->mask);
    p->masked_operations += s->v.warp_width;
    if (in->si->cls == OP_SHARED_LOAD || in->si->cls == OP_SHARED_STORE)
        p->shared_cycles += coalesce_shared_conflict_cycles(in, s->v.shared_banks);
    uint32_t ago = depend_distance(&w->depend, in->si, &cls);
    if (ago && ago < PROFILE_DEP) p->dep[cls][ago]++;
}

static void count_wait(struct pass *s, struct pass_warp *w, const struct depend_wait *wait)
{
    if (wait->waits) {
        s->t.sums.waits++;
        s->t.sums.overlap += wait->overlap;
        s->t.sums.waited_loads += w->since_wait;
        w->waits++;
        bool missed = w->missing;
        w->missed += missed;
        s->t.missed += missed;
        w->alone += missed ? PASS_HIT + PASS_MISS : PASS_HIT;
        hit_tally_add(&s->t.wait_far, w->farthest, NULL, 0);
        w->since_wait = w->farthest = 0;
        w->missing = w->stored = false;
    }
}

/* Fences wait for all that is outstanding; so do barriers without a scoreboard (Candel 3.5.3). */
static bool drains(const struct pass *s, uint8_t cls)
{
    return cls == OP_FENCE || cls == OP_ACQUIRE || cls == OP_RELEASE ||
           (cls == OP_BARRIER && s->v.wait != WAIT_SCOREBOARD);
}

/* What drains waits for stores, too. */
static void wait_for_stores(struct pass *s, struct pass_warp *w)
{
    if (!w->stored) return;
    s->t.sums.store_waits++;
    w->stored = false;
    w->waits++;
    w->alone += PASS_MISS;
    w->missed++;
    s->t.missed++;
}

bool pass_must_wait(struct pass *s, struct pass_warp *w, const struct static_inst *si)
{
    struct depend_wait wait =
        drains(s, si->cls) ? depend_drain(&w->depend) : depend_check(&w->depend, si, s->v.wait);
    count_wait(s, w, &wait);
    if (drains(s, si->cls)) wait_for_stores(s, w);
    if (wait.time <= w->time) return false;
    w->time = wait.time;
    return true;
}

/* A warp leaves when its last access has come back. */
void pass_last_wait(struct pass *s, struct pass_warp *w)
{
    struct depend_wait wait = depend_drain(&w->depend);
    count_wait(s, w, &wait);
    if (!wait.waits) wait_for_stores(s, w);
    if (wait.time > w->time) w->time = wait.time;
}

void pass_note_longest(struct pass *s, const struct pass_warp *w)
{
    struct pass_tallies *t = &s->t;
    if ((double)w->time > t->end) t->end = (double)w->time;
    if ((double)w->alone <= t->longest) return;
    t->longest = (double)w->alone;
    t->longest_began = (double)w->began;
    t->longest_missed = w->missed;
    t->sums.longest_instructions = w->instructions;
    t->sums.longest_waits = w->waits;
}

void pass_add_tallies(const struct pass *s, struct pass_tallies *t)
{
    const struct launch_profile *f = &s->t.sums;
    struct launch_profile *to = &t->sums;
    for (uint32_t c = 0; c < OP_N; c++) {
        to->cls[c] += f->cls[c];
        to->runs[c] += f->runs[c];
        for (uint32_t k = 0; k < PROFILE_DEP; k++)
            to->dep[c][k] += f->dep[c][k];
    }
    to->lane_operations += f->lane_operations;
    to->masked_operations += f->masked_operations;
    to->barriers += f->barriers;
    to->shared_cycles += f->shared_cycles;
    to->waits += f->waits;
    to->overlap += f->overlap;
    to->load_instructions += f->load_instructions;
    to->store_instructions += f->store_instructions;
    to->atomic_instructions += f->atomic_instructions;
    to->loads += f->loads;
    to->stores += f->stores;
    to->sent += s->keeper ? s->keeper->sent : f->stores;
    to->atomics += f->atomics;
    to->bypasses += f->bypasses;
    to->store_waits += f->store_waits;
    to->waited_loads += f->waited_loads;
    to->load_miss_instructions += f->load_miss_instructions;
    to->dropped += f->dropped;
    to->voided += f->voided;
    to->voided_left += f->voided_left;
    to->wanted += f->wanted;
    if (f->wanted_most > to->wanted_most) to->wanted_most = f->wanted_most;
    to->joined += f->joined;
    for (uint32_t k = 0; k < PROFILE_JOINS; k++) {
        to->joins[k] += f->joins[k];
        to->joins_left[k] += f->joins_left[k];
    }
    if (s->t.longest > t->longest) {
        t->longest = s->t.longest;
        t->longest_began = s->t.longest_began;
        t->longest_missed = s->t.longest_missed;
        to->longest_instructions = f->longest_instructions;
        to->longest_waits = f->longest_waits;
    }
    t->missed += s->t.missed;
    if (s->t.end > t->end) t->end = s->t.end;
    t->balance += s->t.balance;
    t->balance_n += s->t.balance_n;
    hit_tally_merge(&t->wait_far, &s->t.wait_far);
    if (!s->govern) return;
    t->held += s->govern->held_cycles;
    t->beside += s->govern->beside_cycles;
    t->elapsed += (double)s->govern->counted_to;
}
