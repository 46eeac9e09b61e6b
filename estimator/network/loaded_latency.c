/* loaded_latency.c - see loaded_latency.h. */
#include "estimator/network/loaded_latency.h"

#include "estimator/model/math_util.h"

#include <math.h>

/* Waits on the way; dram: of those that are fetched. */
struct waits {
    double request, slice, dram;
    double left; /* what the SM's places do not hold */
};

/* Places of one SM, of a slice, of a channel. */
double loaded_sm_places(const struct launch_model *m)
{
    const struct est_params *e = m->e;
    double pipe = e->sm->memory_latency + (e->l1->enabled ? e->l1->latency : 0);
    double own = over(m->r.loads + m->r.stores, m->r.memory_instructions);
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

/* What does not fit the places in front of a station waits in those before it, with all that come
 * after; requests that a full MSHR file sends back are under way between their SM and the slice. */
static void waits_find(const struct launch_model *m, struct waits *w)
{
    const double *wait = m->result.wait;
    const struct round *r = &m->r;
    double x = m->result.throughput, asked = r->l1_misses + r->stored + r->written,
           rate = x * asked;
    double fetched = smaller(1, over(r->fetches, asked));
    double memory = x * (r->fetches + r->memory_writes);
    double room = over(channel_places(m) * m->channels, memory);
    w->dram = smaller(wait[AT_DRAM], room);
    double back = fetched * (wait[AT_DRAM] - w->dram);
    w->slice =
        wait[AT_L2] + wait[AT_NOC_SLICE_OUT] + wait[AT_NOC_LINKS_BACK] + wait[AT_NOC_SM_IN] + back;
    room = over(slice_places(m) * m->slice_queues, rate);
    back = larger(0, w->slice - room) + fetched * wait[AT_L2_MSHR];
    w->slice = smaller(w->slice, room);
    w->request = wait[AT_NOC_SM_OUT] + wait[AT_NOC_LINKS_OUT] + wait[AT_NOC_SLICE_IN] + back;
    room = over(loaded_sm_places(m) * m->sms, rate);
    w->left = larger(0, w->request - room);
    w->request = smaller(w->request, room);
}

/* Time in a controller: no more requests than its queue holds are before their column command. */
static double controller(const struct launch_model *m)
{
    const struct dram_params *d = m->e->dram;
    if (d->model != DRAM_BANKS) return d->fixed_latency * m->dram_cycle + m->result.wait[AT_DRAM];
    double idle = (m->burst.latency + m->burst.conflict) * m->dram_cycle;
    double rate = m->result.throughput * m->net.at[AT_DRAM].visits / m->channels;
    if (d->write_queue) rate *= 1 - m->dram.writes;
    double most = over(d->queue, rate) + m->burst.column * m->dram_cycle;
    return smaller(idle + m->result.wait[AT_DRAM], larger(idle, most));
}

void loaded_find(const struct launch_model *m, struct loaded *l)
{
    struct waits w;
    double own = over(m->r.loads + m->r.stores, m->r.memory_instructions);
    waits_find(m, &w);
    l->hit = m->hit_latency + smaller(m->result.wait[AT_L1], own / launch_l1_pace(m));
    l->l2 = m->l2_latency + w.request + w.slice;
    l->memory = l->l2 + m->memory_latency - m->l2_latency + w.dram;
    l->dram = controller(m);
    l->request = w.request;
    l->left = w.left;
}

/* Transactions before the look-up when those places are taken, and how long each then stands there.
 * An instruction enters whole, as soon as there is room: on average half of it is beyond. */
static double look_up_room(const struct launch_model *m, double rate, double own)
{
    const struct l1_params *l1 = m->e->l1;
    double queue =
        l1->access_queue ? l1->access_queue : (double)m->e->sm->memory_latency * l1->ports;
    double pipe = l1->enabled ? (double)l1->latency * l1->ports : 0;
    return over(queue + pipe + 0.5 * own, rate);
}

/* An entry of the buffer is held at least until its instruction's last answer. */
static double buffer_room(const struct launch_model *m, double rate, double own)
{
    const struct sm_params *sm = m->e->sm;
    double entries = sm->vmb_entries;
    if (!sm->vmb_entries) return INFINITY;
    if (sm->vmb_scope == VMB_PER_WARP) entries *= larger(1, m->warps_per_sm);
    return over(entries * own, rate);
}

/* A load is back within its warp's round.  Where the warp stops for every memory instruction,
 * stores included, these share the round's waiting. */
static double round_room(const struct launch_model *m)
{
    const struct sm_params *sm = m->e->sm;
    double round = m->net.customers / m->result.throughput;
    bool each = sm->memory_wait == WAIT_BLOCK && !sm->nonblocking_stores;
    return each ? (round - m->net.think) / larger(1, m->r.memory_instructions) : round;
}

void loaded_before(const struct launch_model *m, const struct loaded *l, struct before *b)
{
    const struct l1_params *l1 = m->e->l1;
    const struct round *r = &m->r;
    double x = m->result.throughput / m->sms, rate = x * (r->loads + r->stores);
    double own = over(r->loads + r->stores, r->memory_instructions);
    double file = m->result.wait[AT_L1_MSHR];
    /* for a line to fetch into all wait, for an entry of the file others may go ahead */
    bool aside =
        l1->mshr_wait_aside && l1->cache.mshr.entries && l1->cache.mshr.entries <= m->reserved;
    double taken = larger(0, l->request - over(m->e->noc->input_queue + (double)l1->miss_queue,
                                               x * (r->l1_misses + r->stored + r->written)));
    double front = l->left + m->result.wait[AT_L1_HEAD] + (aside ? 0 : file);
    front = smaller(front, larger(0, look_up_room(m, rate, own) - taken));
    if (l1->mshr_wait_entries) file = smaller(file, over(l1->mshr_wait_entries, x * r->l1_misses));
    double far = over(m->levels.l2.reads - m->levels.l2.read_hits, m->levels.l2.reads);
    double missing = l->l2 + far * (l->memory - l->l2);
    b->most = smaller(buffer_room(m, rate, own), round_room(m));
    b->hit = smaller(front, larger(0, b->most - l->hit));
    b->miss = smaller(front + (aside ? file : 0), larger(0, b->most - missing));
}
