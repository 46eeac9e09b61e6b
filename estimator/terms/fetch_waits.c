/* fetch_waits.c - see fetch_waits.h. */
#include "estimator/terms/fetch_waits.h"

#include "estimator/math_util.h"

#include <math.h>

double fetch_wait_heads(const struct launch_model *m, double *left)
{
    const struct launch_profile *p = m->p;
    const struct l1_params *l1 = m->e->l1;
    uint32_t too_many = l1->cache.mshr.max_merge + 1;
    double n = p->voided, sum = p->voided_left;
    *left = 0;
    if (!l1->enabled || l1->bypass == BYPASS_ALL) return 0;
    if (too_many > 1 && too_many < PROFILE_JOINS) {
        double share = math_smaller(1, math_over(m->merges.l1.n, p->joined));
        n += share * p->joins[too_many];
        sum += share * p->joins_left[too_many];
    }
    *left = math_over(sum, n);
    return n / m->r.rounds;
}

double fetch_wait_convoy(const struct launch_model *m, double cycles)
{
    const struct launch_profile *p = m->p;
    if (p->voided <= 0 || !m->e->l1->enabled || m->e->l1->bypass == BYPASS_ALL) return 0;
    double convoy = p->wanted_most * (m->latency.l2 - m->latency.hit);
    double apart = math_smaller(1, math_over(p->voided, p->wanted));
    return (1 - pow(1 - apart, m->wave.sms)) * math_larger(0, convoy - cycles);
}

double fetch_wait_round_trip(const struct launch_model *m)
{
    const struct network_result *r = &m->result;
    return m->latency.l2 - m->latency.hit + m->e->l2->nack_retry_cycles + r->wait[AT_NOC_SLICE_IN] +
           r->wait[AT_L2] + r->wait[AT_NOC_SLICE_OUT];
}

/* The stores per round that are sent back by lines in transition: those that come while the block
 * is fetched; those that come while the victim leaves join the miss. */
static double sent_back(const struct launch_model *m, double fetch)
{
    const struct l2_params *l2 = m->e->l2;
    const struct victim_exit *exit = &m->l2_miss.exit;
    if (l2->miss_management != MISS_CONVENTIONAL || l2->line_wait != LINE_WAIT_NACK) return 0;
    double leaves = exit->cycles + exit->waits * launch_memory_wait(m);
    return m->merges.l2_writes.n / m->r.rounds * fetch / (fetch + leaves);
}

double fetch_wait_line_nacks(const struct launch_model *m)
{
    double fetch = m->latency.dram + launch_memory_wait(m);
    double trips = m->merges.l2_writes.left * fetch / fetch_wait_round_trip(m);
    return sent_back(m, fetch) * (trips + 0.5);
}

double fetch_wait_line_late(const struct launch_model *m)
{
    double n = sent_back(m, m->latency.dram + launch_memory_wait(m));
    return 0.5 * fetch_wait_round_trip(m) * math_over(n, m->r.stores);
}
