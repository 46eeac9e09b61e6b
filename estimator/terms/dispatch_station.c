/* dispatch_station.c - see dispatch_station.h. */
#include "estimator/terms/dispatch_station.h"

#include "estimator/math_util.h"
#include "estimator/terms/sm_stations.h"
#include "estimator/terms/stations.h"
#include "gpu/policies/cta_dispatch.h"

void dispatch_station_put(struct launch_model *m)
{
    double period = cta_dispatch_period(m->e->sm, 1);
    double visits = period > 0 ? m->p->ctas / m->r.rounds : 0;
    struct network_station *s = stations_put(m, AT_DISPATCH, "dispatch", visits, period, 1);
    s->rivals = m->net.customers / m->p->warps_per_cta;
    s->chance = visits * m->p->warps_per_cta;
}

double dispatch_station_wait(const struct launch_model *m)
{
    return m->net.at[AT_DISPATCH].chance * m->result.wait[AT_DISPATCH];
}

double dispatch_station_made_up(const struct launch_model *m, double cycles)
{
    const struct network *n = &m->net;
    double busiest = m->result.throughput * (n->think + n->delay) / n->customers;
    if (n->at[AT_DISPATCH].visits <= 0) return 0;
    for (uint32_t i = 0; i < AT_DISPATCH; i++)
        if (n->at[i].visits > 0) busiest = math_larger(busiest, m->result.utilization[i]);
    return cycles * math_larger(0, 1 - busiest);
}

double dispatch_station_launch_cycles(const struct launch_model *m)
{
    const struct network_station *s = &m->net.at[AT_DISPATCH];
    double alone = m->r.rounds / m->p->warps * (m->net.think + m->net.delay);
    if (s->visits <= 0) return 0;
    if (m->p->stores > 0 && !m->e->sm->exit_waits_for_stores) alone += sm_stations_store_trip(m);
    return (m->p->ctas - 1) * s->service + alone;
}
