/* network.c - see network.h. */
#include "estimator/network.h"

#include <assert.h>
#include <math.h>

uint32_t network_add(struct network *n, const struct network_station *s)
{
    assert(n->n < NETWORK_MAX);
    n->at[n->n] = *s;
    return n->n++;
}

static double wait_at(const struct network_station *s, double service, double utilization)
{
    double over = s->rivals - s->pool;
    if (over <= 0 || service <= 0) return 0;
    double f = over / (over + s->c), room = 1 - f * utilization;
    if (room <= 0) return INFINITY;
    double power = s->pool <= 1 ? utilization : pow(utilization, sqrt(2 * (s->pool + 1)) - 1);
    return s->c * service / s->pool * power * f / room;
}

/* Waiting of a round at throughput x; INFINITY when some station cannot carry it. */
static double waiting(const struct network *n, double x, struct network_result *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct network_station *s = &n->at[i];
        double service = s->service;
        for (uint32_t j = 0; s->holds && j < i; j++)
            if (s->holds >> j & 1) service += r->wait[j];
        double u = x * s->visits * service / (s->queues * s->pool);
        double w = s->visits > 0 ? wait_at(s, service, u) : 0;
        r->service[i] = service;
        r->utilization[i] = u;
        r->wait[i] = w;
        if (isinf(w)) return INFINITY;
        sum += w * (s->serial ? s->visits : s->chance);
    }
    return sum;
}

void network_solve(const struct network *n, struct network_result *r)
{
    double base = n->think + n->delay, low = 0, high = n->customers / base;
    *r = (struct network_result){0};
    assert(base > 0 && n->customers > 0);
    for (uint32_t k = 0; k < 60 && high - low > 1e-10 * high; k++) {
        double x = 0.5 * (low + high), w = waiting(n, x, r);
        if (isinf(w) || x * (base + w) > n->customers)
            high = x;
        else
            low = x;
    }
    r->throughput = low;
    r->waiting = waiting(n, low, r);
}

void network_bounds(const struct network *n, double *low, double *high)
{
    double base = n->think + n->delay, demand = 0;
    *high = n->customers / base;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct network_station *s = &n->at[i];
        if (s->visits <= 0 || s->service <= 0) continue;
        double most = s->queues * s->pool / (s->visits * s->service);
        if (s->rivals > s->pool && most < *high) *high = most;
        /* no more rivals can be waited for than may meet at a queue */
        double rivals = s->rivals > s->pool ? s->rivals - s->pool : 0;
        demand += rivals * s->service / s->pool * (s->serial ? s->visits : s->chance);
    }
    *low = n->customers / (base + demand);
}
