/* loaded_latency.c - see loaded_latency.h. */
#include "estimator/terms/loaded_latency.h"

#include "estimator/math_util.h"
#include "estimator/terms/dispatch_station.h"
#include "estimator/terms/launch_start.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/tlb_model.h"
#include "estimator/terms/warp_round.h"

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

static double channel_places(const struct launch_model *m, const struct dram_params *d)
{
    return d->queue + m->e->l2->miss_queue;
}

/* The wait before the channels for which they have places; memory: accesses per cycle, to both. */
static double dram_wait(const struct launch_model *m, double memory)
{
    struct memory_channels of[PAGE_MEMORIES];
    double wait = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;) {
        const struct memory_channels *s = &of[i];
        double room = math_over(channel_places(m, s->d) * s->channels, memory * s->share);
        wait += s->share * math_smaller(m->result.wait[s->at], room);
    }
    return wait;
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
    w->dram = dram_wait(m, memory);
    double back = fetched * (launch_memory_wait(m) - w->dram);
    w->slice =
        wait[AT_L2] + wait[AT_NOC_SLICE_OUT] + wait[AT_NOC_LINKS_BACK] + wait[AT_NOC_SM_IN] + back;
    double room = math_over(slice_places(m) * m->spread.slices, rate);
    back = math_larger(0, w->slice - room) + fetched * wait[AT_L2_MSHR];
    w->slice = math_smaller(w->slice, room);
    w->request = wait[AT_NOC_SM_OUT] + wait[AT_NOC_LINKS_OUT] + wait[AT_NOC_SLICE_IN] + back;
    room = math_over(loaded_latency_sm_places(m) * m->wave.sms, rate);
    w->left = math_larger(0, w->request - room);
    w->request = math_smaller(w->request, room);
}

void loaded_latency_read_waits(const struct launch_model *m, struct read_waits *to)
{
    struct waits w;
    waits_find(m, &w);
    to->l2 = w.request + w.slice;
    to->memory = to->l2 + w.dram;
}

/* The time in a controller: at most as many requests as its queue holds wait for their column
 * command. */
static double controller_cycles(const struct launch_model *m, const struct memory_channels *s)
{
    const struct burst_time *b = &s->under->burst;
    double wait = m->result.wait[s->at];
    if (s->d->model != DRAM_BANKS) return s->d->fixed_latency * s->cycle + wait;
    double idle = (b->latency + b->conflict) * s->cycle;
    double rate = m->result.throughput * m->net.at[s->at].visits / s->channels;
    if (s->d->write_queue) rate *= 1 - s->under->load.writes;
    double most = math_over(s->d->queue, rate) + b->column * s->cycle;
    return math_smaller(idle + wait, math_larger(idle, most));
}

static void find_controllers(const struct launch_model *m, struct loaded_latency *l)
{
    struct memory_channels of[PAGE_MEMORIES];
    l->dram = l->memory_dram[1] = 0;
    for (uint32_t i = memory_channels_find(m, of); i--;) {
        l->memory_dram[i] = controller_cycles(m, &of[i]);
        l->dram += of[i].share * l->memory_dram[i];
    }
}

/* The transactions of a load enter the L1 one after the other: each waits for those before it, in
 * the mean over all transactions for half of its load's others. */
static double own_turns(const struct launch_model *m)
{
    double others = math_over(m->p->load_squares, m->p->loads) - 1;
    return math_larger(0, 0.5 * others / launch_l1_pace(m));
}

void loaded_latency_find(const struct launch_model *m, struct loaded_latency *l)
{
    struct waits w;
    double own = math_over(m->r.loads + m->r.stores, m->r.memory_instructions);
    double turns = own_turns(m),
           wait = math_smaller(m->result.wait[AT_L1], own / launch_l1_pace(m));
    waits_find(m, &w);
    l->hit = m->latency.hit + m->tlb.late + math_larger(turns, wait);
    /* those that wait at the network or a slice come from the L1 meanwhile */
    l->l2 = m->latency.l2 + m->tlb.late + math_larger(turns, w.request + w.slice);
    l->memory = l->l2 + m->latency.memory - m->latency.l2 + w.dram;
    if (l3_is_there(m->e->l3)) l->memory += m->result.wait[AT_L3] - m->levels.l3.fetched * w.dram;
    find_controllers(m, l);
    l->l1_left = m->merges.l1.left;
    l->request = w.request;
    l->left = w.left;
}

double loaded_latency_places(const struct launch_model *m)
{
    struct memory_channels of[PAGE_MEMORIES];
    double places = loaded_latency_sm_places(m) * m->wave.sms + slice_places(m) * m->spread.slices;
    for (uint32_t i = memory_channels_find(m, of); i--;)
        places += channel_places(m, of[i].d) * of[i].channels;
    return places;
}

static void mix(double *mean, double of_first, double first)
{
    *mean += first * (of_first - *mean);
}

void loaded_latency_of_loads(const struct launch_model *m, struct loaded_latency *l)
{
    struct launch_start_batch b;
    launch_start_batch_find(m, &b);
    double first = b.share, pages = first * tlb_model_start_cycles(m), turns = own_turns(m);
    mix(&l->l2, m->latency.l2 + m->tlb.late + math_larger(turns, b.l2), first);
    mix(&l->memory, m->latency.memory + m->tlb.late + math_larger(turns, b.memory), first);
    mix(&l->l1_left, launch_start_left(&b, l->l2 - l->hit), first);
    l->hit += pages;
    l->l2 += pages;
    l->memory += pages;
    l->request *= 1 - first;
    l->left *= 1 - first;
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
    if (sm->vmb_scope == VMB_PER_WARP) entries *= math_larger(1, m->wave.warps_per_sm);
    return math_over(entries * own, rate);
}

/* A load returns within its warp's round.  If the warp stops at every memory instruction, including
 * stores, these share the round's waiting. */
static double round_room(const struct launch_model *m)
{
    const struct sm_params *sm = m->e->sm;
    double round = m->net.customers / m->result.throughput - dispatch_station_wait(m);
    bool each = sm->memory_wait == WAIT_BLOCK && !sm->nonblocking_stores;
    return each ? (round - m->net.think) / math_larger(1, m->r.memory_instructions) : round;
}

void loaded_latency_before_issue(const struct launch_model *m, const struct loaded_latency *l,
                                 struct issue_wait *b)
{
    const struct l1_params *l1 = m->e->l1;
    const struct warp_round *r = &m->r;
    double x = m->result.throughput / m->wave.sms, rate = x * (r->loads + r->stores);
    double own = math_over(r->loads + r->stores, r->memory_instructions);
    double file = m->result.wait[AT_L1_MSHR];
    /* all accesses wait for a line to fetch into; others may pass one that waits for an MSHR
     * entry */
    bool aside =
        l1->mshr_wait_aside && l1->cache.mshr.entries && l1->cache.mshr.entries <= m->lines.l1;
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
