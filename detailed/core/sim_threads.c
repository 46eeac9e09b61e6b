/* sim_threads.c - steps a machine on several threads, with the answer of one.
 *
 * Time goes on as on one thread: clock by clock, and within a clock kind by kind. Objects of a kind
 * do not see each other; they are divided into shares, which threads step at the same time
 * (sim_shares.c says which kinds of which machines). A step writes to what is its object's own, and
 * to queues of which it is the only writer. What is left is put off until all objects of the kind
 * have been stepped, and carried out by one thread in the order of the objects, as if they had been
 * stepped one after another:
 *
 *   - a packet that becomes the head of its input comes to its port (noc.mark);
 *   - an SM with room asks the dispatcher for a CTA (sm_dispatch_in_order);
 *   - counts that decide when a launch is over are summed.
 *
 * Wake-ups may come from several threads at once; the earliest counts, whoever comes first. A kind
 * of which few objects were due in the last cycle is stepped by the caller alone. */
#include "detailed/core/sim_shares.h"

#include "base/memory/alloc.h"
#include "detailed/constants.h"

#include <string.h>

void sim_shares_step(void *shares, uint32_t i)
{
    struct sim_shares *x = shares;
    struct sim_share *h = &x->share[i];
    const uint64_t *refusals = mem_refusals(), before = *refusals;
    uint32_t stepped = 0;
    h->soonest = sim_step_run(&h->run, h->run.first, x->cycle, UINT64_MAX, &stepped);
    h->stepped = stepped;
    if (*refusals != before) h->refused = true;
}

/* New heads come to their ports in the order of the inputs. */
static void finish_marks(struct noc *n, struct sim_share *h, uint64_t noc_cycle)
{
    for (; h->marks; h->marks &= h->marks - 1)
        noc_head_pushed(n, h->run.first + (uint32_t)__builtin_ctzll(h->marks), noc_cycle);
}

uint64_t sim_shares_finish_slices(struct sim *s, struct sim_shares *x)
{
    uint64_t noc_cycle =
        clock_floor(x->cycle, s->clocks.period[CLOCK_L2], s->clocks.period[CLOCK_NOC]);
    for (uint32_t i = 0; i < x->n; i++)
        finish_marks(&s->noc[NOC_REPLY], &x->share[i], noc_cycle);
    return UINT64_MAX;
}

static uint64_t finish_dispatch(struct sim *s, const struct kind_run *r, uint64_t cycle)
{
    uint64_t soonest = UINT64_MAX;
    for (uint32_t i = r->first; i < r->end; i++) {
        uint64_t due = sm_dispatch_in_order(&s->sm[i], cycle);
        if (due <= cycle) due = cycle + 1;
        if (due < r->due[i]) r->due[i] = due;
        if (due < soonest) soonest = due;
    }
    return soonest;
}

/* Adds what the SMs of a share have counted. */
static void add_counts(struct launch_counts *to, const struct launch_counts *from)
{
    to->instructions += from->instructions;
    to->done_ctas += from->done_ctas;
    to->requests_behind += from->requests_behind;
}

uint64_t sim_shares_finish_sms(struct sim *s, struct sim_shares *x)
{
    struct sim_threads *t = s->threads;
    uint64_t soonest = UINT64_MAX;
    uint64_t noc_cycle =
        clock_floor(x->cycle, s->clocks.period[CLOCK_CORE], s->clocks.period[CLOCK_NOC]);
    struct launch_counts all = {0};
    for (uint32_t i = 0; i < x->n; i++)
        finish_marks(&s->noc[NOC_REQUEST], &x->share[i], noc_cycle);
    for (uint32_t i = 0; i < x->n; i++) {
        struct sim_share *h = &x->share[i];
        if (h->counts.ask_cta) {
            uint64_t due = finish_dispatch(s, &h->run, x->cycle);
            if (due < soonest) soonest = due;
            h->counts.ask_cta = 0;
        }
        add_counts(&all, &h->counts);
        t->failed |= t->sm[i].error.kind != ERROR_NONE;
    }
    s->run.counts = all;
    t->failed |= !req_pool_reserve(&s->reqs, t->reserve);
    return soonest;
}

static uint64_t step_shares(struct sim *s, const struct kind_run *r, uint64_t cycle,
                            uint64_t soonest)
{
    struct sim_shares *x = r->shares;
    x->cycle = cycle;
    if (x->load->stepped >= TEAM_WORTH)
        team_do(s->threads->team, x->work);
    else
        for (uint32_t i = 0; i < x->n; i++)
            sim_shares_step(x, i);
    x->stepped = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        const struct sim_share *h = &x->share[i];
        x->stepped += h->stepped;
        if (h->soonest < soonest) soonest = h->soonest;
        s->threads->failed |= h->refused;
    }
    if (!x->finish) return soonest;
    uint64_t due = x->finish(s, x);
    return due < soonest ? due : soonest;
}

static void step_domain(struct sim *s, struct domain *d)
{
    const uint64_t cycle = d->next;
    uint64_t soonest = UINT64_MAX;
    d->next = UINT64_MAX; /* wake-ups during the step lower it */
    for (const struct kind_run *r = d->run; r < d->run_end; r++)
        soonest = r->shares ? step_shares(s, r, cycle, soonest)
                            : sim_step_run(r, r->first, cycle, soonest, NULL);
    if (soonest < d->next) d->next = soonest;
    if (d->next <= cycle) d->next = cycle + 1;
}

void sim_threads_wake(struct sim *s)
{
    for (uint32_t k = 0; k < s->stepped_clocks; k++) {
        struct domain *d = s->stepped[k];
        d->tick = d->next == UINT64_MAX ? UINT64_MAX : d->next * d->period;
    }
}

static void note_failure(struct sim *s)
{
    const struct sim_threads *t = s->threads;
    for (uint32_t i = 0; s->error.kind == ERROR_NONE && i < t->of[KIND_sm].n; i++)
        s->error = t->sm[i].error;
    if (s->error.kind == ERROR_NONE) error_no_memory(&s->error);
}

void sim_threads_tick(struct sim *s)
{
    for (uint32_t k = 0; k < CLOCK_N; k++) /* what threads ask for is there already */
        if (s->domain[k].period) sim_edge_before(&s->domain[k], s->tick);
    for (uint32_t k = 0; k < s->stepped_clocks; k++) {
        if (s->stepped[k]->tick != s->tick) continue;
        step_domain(s, s->stepped[k]);
        sim_threads_wake(s);
    }
    if (s->threads->failed) note_failure(s);
}

void sim_threads_add_latencies(const struct sim *s, struct histogram *load, struct histogram *max)
{
    const struct sim_threads *t = s->threads;
    for (uint32_t i = 0; i < t->of[KIND_sm].n; i++) {
        histogram_accumulate(load, &t->sm[i].load_latency, 1);
        histogram_accumulate(max, &t->sm[i].max_latency, 1);
    }
}

uint32_t sim_threads_requests(const struct sim *s)
{
    const struct sim_threads *t = s->threads;
    uint32_t all = 0;
    for (uint32_t i = 0; i < t->of[KIND_sm].n; i++)
        all += t->sm[i].reqs.used;
    return all;
}

void sim_threads_launch(struct sim *s)
{
    struct sim_shares *x = &s->threads->of[KIND_sm];
    for (uint32_t i = 0; i < x->n; i++)
        x->share[i].counts.done_ctas = x->share[i].counts.requests_behind = 0;
}

void sim_threads_clear(struct sim *s)
{
    struct sim_threads *t = s->threads;
    t->failed = false;
    for (uint32_t k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; i < t->of[k].n; i++) {
            t->of[k].share[i].refused = false;
            t->of[k].share[i].counts = (struct launch_counts){0};
        }
    for (uint32_t i = 0; i < t->of[KIND_sm].n; i++) {
        struct sm_share *h = &t->sm[i];
        req_pool_part(&h->reqs, &s->reqs);
        memset(&h->load_latency, 0, sizeof h->load_latency);
        memset(&h->max_latency, 0, sizeof h->max_latency);
        h->error.kind = ERROR_NONE;
    }
}
