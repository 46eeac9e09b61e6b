/* sm_stations.c - see sm_stations.h. */
#include "estimator/terms/sm_stations.h"

#include "estimator/cache/directory_model.h"
#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/fetch_waits.h"
#include "estimator/terms/stations.h"
#include "estimator/terms/warp_round.h"
#include "gpu/geometry/coalesce.h"

#include <math.h>

enum { BELOW_L1 = (1u << AT_L1) - 1 }; /* stations that what is held for the L1 waits at */

static struct network_station *put_at_sm(struct launch_model *m, enum station_place at,
                                         const char *name, double visits, double service)
{
    struct network_station *s = stations_put(m, at, name, visits, service, m->wave.sms);
    s->rivals = stations_rivals(m->wave.warps_per_sm, visits);
    return s;
}

/* An entry held for L1 misses waits at the memory only for the share of them that is fetched. */
static void put_seldom(const struct launch_model *m, struct network_station *s)
{
    s->seldom = 1u << AT_DRAM | 1u << AT_SECOND_DRAM | 1u << AT_L2_MSHR;
    s->share = math_smaller(1, math_over(m->r.memory_reads, m->r.l1_misses + m->r.stored));
}

/* The most fetches that an L1 may have in flight: its MSHRs, or the lines that it can reserve; 0 =
 * unbounded. */
static double fetches_at_once(const struct launch_model *m)
{
    const struct l1_params *l1 = m->e->l1;
    double entries = l1->cache.mshr.entries, most = m->lines.l1;
    if (entries > 0) most = math_smaller(most, entries);
    return l1->enabled && l1->bypass != BYPASS_ALL && most < INFINITY ? most : 0;
}

/* The number of sub-cores with warps: if a CTA stays on one sub-core, at most the number of
 * CTAs. */
static double subcores_used(const struct launch_model *m)
{
    const struct sm_params *sm = m->e->sm;
    double warps = m->wave.warps_per_sm / m->p->balance;
    double groups =
        sm->cta_binding == CTA_ONE_SUBCORE ? math_larger(1, warps / m->p->warps_per_cta) : warps;
    return math_smaller(sm->subcores, groups);
}

/* The latency of a block that a store must own. */
static double owning_way(const struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    double far = math_over(v->l2.reads - v->l2.read_hits, v->l2.reads);
    return m->latency.l2 + far * (m->latency.memory - m->latency.l2);
}

/* The share of stores that are in order. */
static double in_order(const struct launch_model *m)
{
    const struct coherence_params *c = m->e->coherence;
    const struct launch_profile *p = m->p;
    if (!coherence_has_directory(c) || c->store_order == STORE_ORDER_FREE) return 0;
    return c->protocol == PROTOCOL_MOESI ? 1 : math_over(p->atomics, p->stores + p->atomics);
}

/* With a directory a store waits for its block, like a load; if stores are in order, those of an
 * instruction wait one after the other. */
static double owning_trip(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double misses = m->levels.directory.misses;
    double ways = math_smaller(1, math_over(misses, p->stores + p->atomics));
    double own = math_over(misses, p->store_instructions + p->atomic_instructions);
    ways = math_larger(ways, own * in_order(m));
    return m->latency.hit + ways * (owning_way(m) - m->latency.hit);
}

/* Stores in order: the cycles per round for which they block an L1's look-up, for their own trip
 * and, after a load that misses, until its data are back. */
static double alone_cycles(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    double owners = in_order(m), loads = p->load_instructions * m->r.miss;
    double stores = (p->atomic_instructions + p->store_instructions) * owners;
    double behind = stores * math_over(loads, p->load_instructions + stores) / m->r.rounds;
    if (owners <= 0) return 0;
    return m->r.stored * owners * owning_way(m) + behind * m->latency.miss;
}

double sm_stations_store_trip(const struct launch_model *m)
{
    if (coherence_has_directory(m->e->coherence)) return owning_trip(m);
    bool visible =
        m->e->l2->cache.write == WRITE_THROUGH && m->e->l2->write_ack == WRITE_ACK_MEMORY;
    return m->latency.l2 + launch_store_far(m) * (m->latency.memory - m->latency.l2) +
           fetch_wait_line_late(m) + (visible ? m->latency.l3_write : 0);
}

/* The cycles of the address pipeline per memory instruction: instructions that do not coalesce take
 * several phases, and the L1 may take only so much of one in a cycle. */
static double issue_phases(const struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    double phases = math_larger(1, (double)sm->warp_width / sm->phase_lanes), cycles = 0;
    cycles += p->load_instructions * (coalesce_whole(sm, OP_LOAD) ? 1 : phases);
    cycles += p->store_instructions * (coalesce_whole(sm, OP_STORE) ? 1 : phases);
    cycles += p->atomic_instructions;
    double n = p->load_instructions + p->store_instructions + p->atomic_instructions;
    return n > 0 ? math_larger(cycles, p->l1_cycles) / n : 1;
}

/* How much longer an entry is held because entries leave in order, as a share of a miss's latency:
 * an older instruction of its list that waits for memory keeps it.  Entries are allocated in
 * batches, when the oldest one leaves: those that came with the miss wait for all of its latency,
 * later ones for half of it on average. */
static double held_behind(const struct launch_model *m, double entries, double miss)
{
    double older = m->e->sm->vmb_release == VMB_IN_ORDER
                       ? entries - 1
                       : math_smaller(entries, math_larger(1, m->r.memory_instructions)) - 1;
    if (m->e->sm->vmb_release == VMB_OUT_OF_ORDER) return 0;
    return HELD_IN_ORDER * (1 - miss) * (1 - pow(1 - math_smaller(1, miss), math_larger(0, older)));
}

/* Adds the vector memory buffer.  A load holds its entry until its data are back, a store until its
 * look-up or, if it blocks, until it has been to the L2 and back. */
void sm_stations_put_buffer(struct launch_model *m)
{
    const struct launch_profile *p = m->p;
    const struct sm_params *sm = m->e->sm;
    double n = p->load_instructions + p->store_instructions + p->atomic_instructions;
    double stores = math_over(p->store_instructions, n), per_sm = sm->vmb_entries;
    double store = sm->nonblocking_stores ? m->latency.hit : sm_stations_store_trip(m);
    double miss = (1 - stores) * m->r.miss, far = m->latency.miss - m->latency.hit;
    if (sm->vmb_scope == VMB_PER_WARP) per_sm *= math_larger(1, m->wave.warps_per_sm);
    double hold = (1 - stores) * m->latency.hit + stores * store + m->tlb.late +
                  far * (miss + held_behind(m, sm->vmb_entries, miss));
    struct network_station *s = put_at_sm(m, AT_VMB, "vmb", m->r.memory_instructions, hold);
    stations_put_pool(s, per_sm, m->r.memory_instructions, m->wave.warps_per_sm,
                      BELOW_L1 | 1u << AT_L1 | 1u << AT_L1_MSHR | 1u << AT_L1_HEAD);
}

/* Shared memory has a unit of its own, or uses the memory unit. */
void sm_stations_put_memory_units(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    double shared = math_smaller(1, r->shared_cycles), each = math_larger(1, r->shared_cycles);
    double visits = r->memory_instructions, service = issue_phases(m);
    double squares = math_over(m->p->l1_squares / r->rounds, visits);
    /* l1_squares is 0 without limits of the L1; a mean square is no less than that of the mean */
    squares = math_larger(squares, service * service);
    if (m->e->sm->shared_pipeline == SHARED_MEMORY) {
        squares = math_over(visits * squares + shared * each * each, visits + shared);
        service = math_over(visits * service + shared * each, visits + shared);
        visits += shared;
        shared = 0;
    }
    struct network_station *s = put_at_sm(m, AT_MEMORY_UNIT, "memory_unit", visits, service);
    s->c = math_larger(s->c, 0.5 * math_over(squares, service * service));
    put_at_sm(m, AT_SHARED, "shared", shared, each);
}

void sm_stations_put_l1(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    put_at_sm(m, AT_L1, "l1", r->loads + r->stores,
              1 / launch_l1_pace(m) + math_over(alone_cycles(m), r->loads + r->stores));
}

void sm_stations_put_mshrs(struct launch_model *m)
{
    const struct warp_round *r = &m->r;
    double visits = r->l1_fetched + r->stored;
    struct network_station *s = put_at_sm(m, AT_L1_MSHR, "l1_mshr", visits, m->latency.miss);
    s->chance = r->load_wait * r->miss;
    stations_put_pool(s, fetches_at_once(m), visits, m->wave.warps_per_sm, BELOW_L1);
    put_seldom(m, s);
}

void sm_stations_put_head(struct launch_model *m)
{
    const struct launch_delays *d = &m->delays;
    struct network_station *s = put_at_sm(m, AT_L1_HEAD, "l1_head", d->heads,
                                          d->heads_left * (m->latency.miss - m->latency.hit));
    s->holds = BELOW_L1;
    s->times = 1;
    s->chance = m->r.load_wait;
}

void sm_stations_put_units(struct launch_model *m)
{
    double busy = 0, work = launch_round_unit_cycles(m->p, m->e->sm, &busy);
    double units = m->registers.on ? 1 : subcores_used(m);
    struct network_station *s =
        stations_put(m, AT_UNIT, "unit", busy / m->r.rounds * (1 - m->first.part),
                     math_over(work, busy), m->wave.sms * units);
    s->rivals = m->wave.warps_per_sm / units;
    s->serial = true;
}

void sm_stations_put_issue(struct launch_model *m)
{
    double cores = subcores_used(m);
    struct network_station *s = stations_put(
        m, AT_ISSUE, "issue", m->r.instructions * (1 - m->first.part), 1, m->wave.sms * cores);
    s->rivals = m->wave.warps_per_sm / cores;
    s->serial = true;
}
