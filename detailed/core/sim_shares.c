/* sim_shares.c - divides a machine for threads: which kinds, into which shares, and what the SMs of
 * a share have for themselves. */
#include "detailed/core/sim_shares.h"

#include "base/memory/alloc.h"
#include "detailed/constants.h"

/* --- what one thread steps alone --- */

/* SMs that meet in something that is stepped with them, or that depends on who came first. */
static bool sms_are_apart(struct sim *s)
{
    const struct machine *m = &s->m;
    return !s->coherence.protocol && m->l2.inclusion == INCLUSION_NONE && !s->kind[KIND_scalar].n &&
           !s->kind[KIND_l2_tlb].n && !s->kind[KIND_l15].n && !s->kind[KIND_cpu_core].n &&
           !s->kind[KIND_pages].n && !s->sites && !m->sm.reuse_classes;
}

/* Channels of which each belongs to slices that have no other. */
static bool channels_are_apart(const struct sim *s)
{
    return map_slice_tells_channel(&s->map) && !s->kind[KIND_memory_side].n && !s->second_memory &&
           !s->kind[KIND_cpu_core].n;
}

/* Slices that reach no slice of another channel. */
static bool slices_are_apart(const struct sim *s)
{
    const struct machine *m = &s->m;
    return channels_are_apart(s) && !s->coherence.protocol && m->l2.inclusion == INCLUSION_NONE &&
           m->l2.partitions == 1 && !s->sites && !m->sm.reuse_classes;
}

/* --- dividing --- */

static struct kind_run *run_of(struct sim *s, enum component_kind kind)
{
    struct domain *d = &s->domain[component_clock[kind]];
    for (struct kind_run *r = d->run; r < d->run_end; r++)
        if (r->due == s->kind[kind].due) return r;
    return NULL;
}

/* Divides a kind into shares of so many of its steps. */
static bool divide(struct sim *s, enum component_kind kind, uint32_t each,
                   uint64_t (*finish)(struct sim *s, struct sim_shares *x))
{
    struct sim_shares *x = &s->threads->of[kind];
    struct kind_run *r = run_of(s, kind);
    uint32_t n = (r->end + each - 1) / each;
    *x = (struct sim_shares){.n = n, .load = x, .finish = finish};
    x->share = mem_new_aligned(n, sizeof *x->share, 64);
    if (!x->share) return false;
    for (uint32_t i = 0; i < n; i++) {
        struct sim_share *h = &x->share[i];
        *h = (struct sim_share){.run = *r};
        h->run.first = i * each;
        h->run.end = (i + 1) * each < r->end ? (i + 1) * each : r->end;
    }
    r->shares = x;
    return true;
}

/* So many shares for each thread, as far as there are objects, that one that is late or has little
 * to do holds up nobody. */
static uint32_t each_of(uint32_t objects, uint32_t threads)
{
    uint32_t each = objects / (threads * SHARES_PER_THREAD);
    return each < 1 ? 1 : each > 8 ? 8 : each;
}

/* Marks of the network's inputs in the shares that push to them. */
static bool mark_inputs(struct sim *s, uint32_t way, const struct sim_shares *x)
{
    struct noc *n = &s->noc[way];
    struct noc_mark *mark = s->threads->mark[way] = mem_new(n->inputs, sizeof *mark);
    for (uint32_t i = 0; mark && i < x->n; i++) {
        struct sim_share *h = &x->share[i];
        for (uint32_t k = h->run.first; k < h->run.end; k++)
            mark[k] = (struct noc_mark){&h->marks, UINT64_C(1) << (k - h->run.first)};
    }
    n->mark = mark;
    return mark != NULL;
}

/* The requests that all SMs may take in a cycle: a dirty L1 that is flushed sends all its sectors.
 */
static uint32_t sm_requests(const struct sim *s, uint32_t shares)
{
    const struct l1_params *p = &s->m.l1;
    uint32_t lines = p->enabled ? p->cache.sets * p->cache.ways : 0;
    uint32_t sectors = p->cache.line_bytes / p->cache.sector_bytes;
    return s->m.sm.count * (lines + 4 * p->ports) * (sectors + 1) + shares * REQ_BLOCK;
}

static bool divide_sms(struct sim *s, uint32_t threads, struct error *e)
{
    struct sim_threads *t = s->threads;
    if (!divide(s, KIND_sm, each_of(s->m.sm.count, threads), sim_shares_finish_sms))
        return error_no_memory(e);
    const struct sim_shares *x = &t->of[KIND_sm];
    t->sm = mem_new(x->n, sizeof *t->sm);
    t->reserve = sm_requests(s, x->n);
    if (!t->sm || !mark_inputs(s, NOC_REQUEST, x) || !req_pool_reserve(&s->reqs, t->reserve))
        return error_no_memory(e);
    for (uint32_t i = 0; i < x->n; i++) {
        struct sm_share *h = &t->sm[i];
        struct sim_share *its = &x->share[i];
        h->reader = reader_new(s->program, e);
        if (!h->reader) return false;
        h->wiring = s->l1_wiring;
        h->wiring.reqs = &h->reqs;
        h->wiring.behind = &its->counts.requests_behind;
        req_pool_part(&h->reqs, &s->reqs);
        for (uint32_t k = its->run.first; k < its->run.end; k++) {
            struct sm *sm = &s->sm[k];
            sm->in_parallel = true;
            sm->reader = h->reader;
            sm->counts = &its->counts;
            sm->error = &h->error;
            sm->l1.w = &h->wiring;
            sm->s.load_latency = &h->load_latency;
            sm->s.max_latency = &h->max_latency;
        }
    }
    return true;
}

/* Slices are divided as the channels are that they use. */
static bool divide_slices(struct sim *s, uint32_t threads, struct error *e)
{
    uint32_t each = each_of(s->m.dram.channels, threads), sharing = s->map.slices_per_channel;
    while (each > 1 && each * sharing > SHARE_OBJECTS_MAX)
        each--;
    bool ok = divide(s, KIND_memory, each, NULL);
    if (slices_are_apart(s) && sharing <= SHARE_OBJECTS_MAX)
        ok = ok && divide(s, KIND_l2, each * sharing, sim_shares_finish_slices) &&
             mark_inputs(s, NOC_REPLY, &s->threads->of[KIND_l2]);
    return ok || error_no_memory(e);
}

static bool divide_all(struct sim *s, uint32_t threads, struct error *e)
{
    if (!divide_sms(s, threads, e)) return false;
    if (!divide(s, KIND_noc, 1, NULL)) return error_no_memory(e);
    s->threads->of[KIND_noc].load = &s->threads->of[KIND_sm];
    return !channels_are_apart(s) || divide_slices(s, threads, e);
}

static bool start_team(struct sim *s, uint32_t threads, struct error *e)
{
    struct sim_threads *t = s->threads;
    struct team_work work[KIND_N];
    uint32_t works = 0;
    for (uint32_t k = 0; k < KIND_N; k++) {
        if (!t->of[k].n) continue;
        t->of[k].work = works;
        work[works++] =
            (struct team_work){.part = sim_shares_step, .ctx = &t->of[k], .parts = t->of[k].n};
    }
    t->team = team_new(threads, work, works);
    return t->team || error_run(e, "no %u threads can be started", threads);
}

uint32_t sim_use_threads(struct sim *s, uint32_t threads, struct error *e)
{
    if (threads > s->m.sm.count) threads = s->m.sm.count;
    if (threads < 2 || !sms_are_apart(s)) return 1;
    s->threads = mem_new(1, sizeof *s->threads);
    if (!s->threads) {
        error_no_memory(e);
        return 0;
    }
    if (!shadow_share(&s->shadow)) {
        error_no_memory(e);
        return 0;
    }
    return divide_all(s, threads, e) && start_team(s, threads, e) ? threads : 0;
}

void sim_threads_free(struct sim *s)
{
    struct sim_threads *t = s->threads;
    if (!t) return;
    team_free(t->team);
    for (uint32_t i = 0; t->sm && i < t->of[KIND_sm].n; i++)
        reader_free(t->sm[i].reader);
    for (uint32_t k = 0; k < KIND_N; k++)
        mem_free(t->of[k].share);
    for (uint32_t way = 0; way < NOC_N; way++)
        mem_free(t->mark[way]);
    mem_free(t->sm);
    mem_free(t);
    s->threads = NULL;
}
