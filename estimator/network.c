/* network.c - see network.h. */
#include "estimator/network.h"

#include <assert.h>
#include <math.h>

enum { MOST_STEPS = 60 };
static const double EXACT = 1e-11; /* relative error of the throughput */

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

/* How much more the network would carry if stations kept their customers as long as they do at
 * throughput x: falls all the way, and is 0 at the answer. */
static double spare(const struct network *n, double x, struct network_result *r)
{
    return n->customers / (n->think + n->delay + waiting(n, x, r)) - x;
}

/* Regula falsi, Illinois' form: an end that stays has its value halved.  The slope of spare() is -1
 * or steeper, so that what it leaves bounds the error of x. */
void network_solve(const struct network *n, struct network_result *r)
{
    double base = n->think + n->delay, low = 0, high = n->customers / base, x = high;
    *r = (struct network_result){0};
    assert(base > 0 && n->customers > 0);
    double above = high, below = spare(n, high, r), at = below;
    for (uint32_t k = 0, kept = 2; k < MOST_STEPS && fabs(at) > EXACT * x; k++) {
        x = low + (high - low) * (above / (above - below));
        at = spare(n, x, r);
        bool rises = at >= 0;
        if (rises) {
            low = x;
            above = at;
        } else {
            high = x;
            below = at;
        }
        if (kept == rises) *(rises ? &below : &above) /= 2;
        kept = rises;
    }
    r->throughput = x;
    r->waiting = waiting(n, x, r);
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
