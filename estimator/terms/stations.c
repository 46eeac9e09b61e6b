/* stations.c - see stations.h. */
#include "estimator/terms/stations.h"

#include "estimator/math_util.h"

#include <math.h>

double stations_packet_flits(const struct noc_params *n,
                             double data) /* in whole flits per packet, as the network counts */
{
    return math_larger(1, ceil((n->header_bytes + data) / n->flit_bytes));
}

/* The number of requests that may meet if each customer sends `visits` at once: those of all others
 * and one of its own. */
double stations_rivals(double customers, double visits)
{
    return (customers - 1) * math_larger(1, visits) + 1;
}

struct network_station *stations_put(struct launch_model *m, enum station_place at,
                                     const char *name, double visits, double service, double queues)
{
    struct network_station *s = &m->net.at[at];
    *s = (struct network_station){.name = name,
                                  .visits = visits,
                                  .service = service,
                                  .queues = queues,
                                  .pool = 1,
                                  .rivals = stations_rivals(m->net.customers, visits),
                                  .c = 0.5,
                                  .chance = math_smaller(1, visits)};
    return s;
}

void stations_put_pool(struct network_station *s, double entries, double each, double customers,
                       uint32_t holds)
{
    s->pool = entries > 0 ? entries : 1;
    s->visits = entries > 0 ? s->visits : 0;
    s->rivals = customers * math_larger(1, each);
    s->c = 1;
    s->holds = holds;
    s->times = 1;
}

double stations_burst_cycles(const struct launch_model *m, const struct dram_params *d,
                             double banks)
{
    if (d->model == DRAM_BANKS) return banks;
    double core_mhz = 1 / (m->e->clocks.tick_us * (double)m->e->clocks.period[CLOCK_CORE]);
    double bytes = (double)d->bus_bytes * d->burst_length;
    return d->fixed_gbps > 0 ? bytes / (d->fixed_gbps * 1e3) * core_mhz : 0;
}

double stations_queue_room(const struct dram_params *d, const struct row_locality *rows)
{
    double windows = d->per_bank_queue * rows->banks[ROW_DEPTHS - 1];
    return math_larger(1, d->queue + windows);
}

/* The number of an SM's warps that run concurrently: a throttle holds back the others; a warp at a
 * barrier or at its end makes room for the next. */
static double run_together(const struct launch_profile *p, double warps)
{
    double all = warps * p->balance;
    return p->beside > 0 ? math_smaller(all, p->beside) : all;
}

void stations_wave(struct launch_model *m)
{
    struct launch_wave *w = &m->wave;
    w->sms = math_smaller(m->e->sm->count, w->ctas);
    w->warps_per_sm = run_together(m->p, w->ctas / w->sms * m->p->warps_per_cta);
    m->net.customers = w->sms * w->warps_per_sm;
    m->net.n = AT_N;
}
