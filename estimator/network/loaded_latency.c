/* loaded_latency.c - see loaded_latency.h. */
#include "estimator/network/loaded_latency.h"

#include "estimator/model/math_util.h"

#include <math.h>

/* Waits along the way; dram: of the transactions that are fetched. */
struct waits {
    double request, slice, dram;
    double left; /* waiting for which the SM's buffers have no place */
};

/* The places in one SM, one slice, one channel. */
double loaded_latency_sm_places(const struct launch_model *m)
{
    const struct est_params *e = m->e;
    double pipe = e->sm->memory_latency + (e->l1->enabled ? e->l1->latency : 0);
    double own = math_over(m->r.loads + m->r.stores, m->r.memory_instructions);
    return pipe * e->l1->ports + own + e->l1->miss_queue + e->noc->input_queue;
}

static double slice_places(const struct launch_model *m)
{
    const struct l2_params *l2 = m->e->l2;
    return m->e->noc->output_queue + (double)(l2->latency + l2->extra_latency) * l2->ports +
           l2->input_queue;
}

static double channel_places(const struct launch_model *m)
{
    return m->e->dram->queue + m->e->l2->miss_queue;
}

/* A request that does not fit into the places before a station waits in earlier ones, with all
 * that follow; requests that a full MSHR file sends back are under way between their SM and the
 * slice. */
static void waits_find(const struct launch_model *m, struct waits *w)
{
    const double *wait = m->result.wait;
    const struct warp_round *r = &m->r;
    double x = m->result.throughput, asked = r->l1_misses + r->stored + r->written,
           rate = x * asked;
    double fetched = math_smaller(1, math_over(r->memory_reads, asked));
    double memory = x * (r->memory_reads + r->memory_writes);
    double room = math_over(channel_places(m) * m->channels, memory);
    w->dram = math_smaller(wait[AT_DRAM], room);
    double back = fetched * (wait[AT_DRAM] - w->dram);
    w->slice =
        wait[AT_L2] + wait[AT_NOC_SLICE_OUT] + wait[AT_NOC_LINKS_BACK] + wait[AT_NOC_SM_IN] + back;
    room = math_over(slice_places(m) * m->slice_queues, rate);
    back = math_larger(0, w->slice - room) + fetched * wait[AT_L2_MSHR];
    w->slice = math_smaller(w->slice, room);
    w->request = wait[AT_NOC_SM_OUT] + wait[AT_NOC_LINKS_OUT] + wait[AT_NOC_SLICE_IN] + back;
    room = math_over(loaded_latency_sm_places(m) * m->sms, rate);
    w->left = math_larger(0, w->request - room);
    w->request = math_smaller(w->request, room);
}

/* The time in a controller: at most as many requests as its queue holds wait for their column
 * command. */
static double controller_cycles(const struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    if (d->model != DRAM_BANKS) return d->fixed_latency * m->dram_cycle + m->result.wait[AT_DRAM];
    double idle = (m->burst.latency + m->burst.conflict) * m->dram_cycle;
    double rate = m->result.throughput * m->net.at[AT_DRAM].visits / m->channels;
    if (d->write_queue) rate *= 1 - m->dram.writes;
    double most = math_over(d->queue, rate) + m->burst.column * m->dram_cycle;
    return math_smaller(idle + m->result.wait[AT_DRAM], math_larger(idle, most));
}

void loaded_latency_find(const struct launch_model *m, struct loaded_latency *l)
{
    struct waits w;
    double own = math_over(m->r.loads + m->r.stores, m->r.memory_instructions);
    waits_find(m, &w);
    l->hit =
        m->hit_latency + m->tlb.late + math_smaller(m->result.wait[AT_L1], own / launch_l1_pace(m));
    l->l2 = m->l2_latency + m->tlb.late + w.request + w.slice;
    l->memory = l->l2 + m->memory_latency - m->l2_latency + w.dram;
    if (l3_is_there(m->e->l3)) l->memory += m->result.wait[AT_L3] - m->levels.l3.fetched * w.dram;
    l->dram = controller_cycles(m);
    l->request = w.request;
    l->left = w.left;
}

/* Finds how many transactions wait before the look-up when its places are taken, and how long each
 * does. An instruction enters as a whole as soon as there is room, so that half of it, on average,
 * stands beyond the places. */
static double look_up_room(const struct launch_model *m, double rate, double own)
{
    const struct l1_params *l1 = m->e->l1;
    double queue =
        l1->access_queue ? l1->access_queue : (double)m->e->sm->memory_latency * l1->ports;
    double pipe = l1->enabled ? (double)l1->latency * l1->ports : 0;
    return math_over(queue + pipe + 0.5 * own, rate);
}

/* An instruction holds its entry of the vector memory buffer at least until its last answer. */
static double buffer_room(const struct launch_model *m, double rate, double own)
{
    const struct sm_params *sm = m->e->sm;
    double entries = sm->vmb_entries;
    if (!sm->vmb_entries) return INFINITY;
    if (sm->vmb_scope == VMB_PER_WARP) entries *= math_larger(1, m->warps_per_sm);
    return math_over(entries * own, rate);
}

/* A load returns within its warp's round.  If the warp stops at every memory instruction, including
 * stores, these share the round's waiting. */
static double round_room(const struct launch_model *m)
{
    const struct sm_params *sm = m->e->sm;
    double round = m->net.customers / m->result.throughput;
    bool each = sm->memory_wait == WAIT_BLOCK && !sm->nonblocking_stores;
    return each ? (round - m->net.think) / math_larger(1, m->r.memory_instructions) : round;
}

void loaded_latency_before_issue(const struct launch_model *m, const struct loaded_latency *l,
                                 struct issue_wait *b)
{
    const struct l1_params *l1 = m->e->l1;
    const struct warp_round *r = &m->r;
    double x = m->result.throughput / m->sms, rate = x * (r->loads + r->stores);
    double own = math_over(r->loads + r->stores, r->memory_instructions);
    double file = m->result.wait[AT_L1_MSHR];
    /* all accesses wait for a line to fetch into; others may pass one that waits for an MSHR
     * entry */
    bool aside =
        l1->mshr_wait_aside && l1->cache.mshr.entries && l1->cache.mshr.entries <= m->reserved;
    double taken =
        math_larger(0, l->request - math_over(m->e->noc->input_queue + (double)l1->miss_queue,
                                              x * (r->l1_misses + r->stored + r->written)));
    double front = l->left + m->result.wait[AT_L1_HEAD] + (aside ? 0 : file);
    front = math_smaller(front, math_larger(0, look_up_room(m, rate, own) - taken));
    if (l1->mshr_wait_entries)
        file = math_smaller(file, math_over(l1->mshr_wait_entries, x * r->l1_misses));
    double missing = l->l2 + launch_far(m) * (l->memory - l->l2);
    b->most = math_smaller(buffer_room(m, rate, own), round_room(m));
    b->hit = math_smaller(front, math_larger(0, b->most - l->hit));
    b->miss = math_smaller(front + (aside ? file : 0), math_larger(0, b->most - missing));
}
