/* loaded.c - see loaded.h. */
#include "estimator/loaded.h"

#include "estimator/arith.h"

/* Waits on the way; dram: of those that are fetched. */
struct waits {
    double request, slice, dram;
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
    w->request = smaller(w->request, over(loaded_sm_places(m) * m->sms, rate));
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
}
