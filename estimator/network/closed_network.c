/* closed_network.c - see closed_network.h. */
#include "estimator/network/closed_network.h"

#include "estimator/constants.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* How often a visit to the station comes to `at` while it holds a server, at each of its times. */
static double held_share(const struct network *n, const struct network_station *s, uint32_t at)
{
    double share = s->seldom >> at & 1 ? s->share : 1;
    return share * (1 - n->at[at].elsewhere);
}

/* A station that is visited, in the form that the search for the throughput needs. */
struct network_queue {
    double demand, service;     /* visits per server; cycles each */
    double f, c, power, weight; /* f 0: nobody waits there */
    /* number of stations whose waiting is included; of[]: their indices in q[], times[]: how
     * often */
    uint32_t held;
    uint8_t of[NETWORK_MAX];
    double times[NETWORK_MAX];
    bool pool;
};
struct queues {
    double customers, base; /* base: cycles of a round without queues */
    uint32_t n;
    uint8_t at[NETWORK_MAX]; /* the stations' indices */
    struct network_queue q[NETWORK_MAX];
};

static void add_held(struct network_queue *q, const struct network *n,
                     const struct network_station *s, const struct queues *all)
{
    for (uint32_t j = 0; j < all->n; j++) {
        if (!(s->holds >> all->at[j] & 1)) continue;
        q->of[q->held] = (uint8_t)j;
        q->times[q->held++] = s->times * held_share(n, s, all->at[j]);
    }
}

static void queues_find(struct queues *all, const struct network *n)
{
    all->n = 0;
    all->customers = n->customers;
    all->base = n->think + n->delay;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct network_station *s = &n->at[i];
        double over = s->rivals - s->pool;
        bool waits = over > 0 && (s->service > 0 || s->holds);
        if (s->visits <= 0) continue;
        struct network_queue *q = &all->q[all->n];
        q->demand = s->visits / (s->queues * s->pool);
        q->service = s->service;
        q->f = waits ? over / (over + s->c) : 0;
        q->c = s->c / s->pool;
        q->pool = s->pool > 1;
        q->power = q->pool ? sqrt(2 * (s->pool + 1)) - 1 : 1;
        q->weight = s->serial ? s->visits : s->chance;
        q->held = 0;
        if (s->holds) add_held(q, n, s, all);
        all->at[all->n++] = (uint8_t)i;
    }
}

/* The waiting in a round and its slope over the throughput.  INFINITY: a station is full; then
 * slope is a throughput at which it probably is not. */
struct rise {
    double value, slope;
};

/* r: NULL, or gets what is found at each station. */
static struct rise queues_wait(const struct queues *all, double x, struct network_result *r)
{
    struct rise sum = {0}, wait[NETWORK_MAX];
    for (uint32_t i = 0; i < all->n; i++) {
        const struct network_queue *q = &all->q[i];
        struct rise s = {.value = q->service};
        for (uint32_t j = 0; j < q->held; j++) {
            const struct rise *w = &wait[q->of[j]];
            s.value += q->times[j] * w->value;
            s.slope += q->times[j] * w->slope;
        }
        double u = x * q->demand * s.value, room = 1 - q->f * u;
        if (r) r->service[all->at[i]] = s.value, r->utilization[all->at[i]] = u;
        double rises = q->demand * (s.value + x * s.slope);
        if (room <= 0)
            return (struct rise){INFINITY, x + NETWORK_BEHIND_WALL * room / (q->f * rises)};
        double w = q->c * s.value * (q->pool ? pow(u, q->power) : u) * q->f / room;
        double relative = s.slope / s.value + rises * (q->power / u + q->f / room);
        wait[i] = (struct rise){w, w > 0 ? w * relative : 0};
        if (r) r->wait[all->at[i]] = w;
        sum.value += w * q->weight;
        sum.slope += wait[i].slope * q->weight;
    }
    return sum;
}

/* Whether the network would carry more than x: the customers minus those in a round without queues,
 * times x over the waiting, less x squared.  Both factors fall almost linearly: the first to 0
 * where all customers are under way, the second to 0 where a station is full (x over the waiting of
 * one queue is its spare capacity).  So Newton's steps pass points where the waiting itself has a
 * pole. */
struct spare {
    double value, step; /* Newton's step from x */
};

static struct spare spare(const struct queues *all, double x)
{
    struct rise w = queues_wait(all, x, NULL);
    if (isinf(w.value)) return (struct spare){-INFINITY, w.slope - x};
    double left = all->customers - all->base * x;
    if (w.value <= 0) return (struct spare){left, left / all->base};
    double room = x / w.value, falls = room * (w.slope / w.value - 1 / x);
    double value = left * room - x * x;
    return (struct spare){value, value / (all->base * room + left * falls + 2 * x)};
}

/* The highest throughput that no station's capacity forbids, without the waiting included in
 * others. */
static double most_carried(const struct queues *all)
{
    double most = all->customers / all->base;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct network_queue *q = &all->q[i];
        if (most * q->f * q->demand * q->service > 1) most = 1 / (q->f * q->demand * q->service);
    }
    return most;
}

/* Newton's steps between a throughput that is carried and one that is not.  If a step leads above
 * the interval, the answer is near its top; otherwise the middle is tried next. */
static double throughput_of(const struct queues *all, double x)
{
    double low = 0, high = most_carried(all), last = 0; /* last: Newton's last step */
    if (!(x > 0 && x < high)) x = 1 / (1 / high + all->base / all->customers);
    for (uint32_t k = 0; k < NETWORK_STEPS && high - low > NETWORK_EXACT * high; k++) {
        struct spare at = spare(all, x);
        double next = x + at.step, step = isinf(at.value) ? INFINITY : fabs(at.step);
        if (step <= NETWORK_EXACT * x) return x;
        *(at.value >= 0 ? &low : &high) = x;
        bool inside = next > low && next < high;
        /* short alone is not enough: close to a station's wall steps are short, and grow */
        if (inside && step <= NETWORK_LAST_STEP * x && step <= NETWORK_SHRINKS * last) return next;
        last = inside && !isinf(step) ? step : 0;
        if (inside)
            x = next;
        else
            x = at.value >= 0 ? high - (high - low) / 8 : 0.5 * (low + high);
    }
    /* where no customer waits for a full station (chance 0), the answer is at its capacity, just
     * below */
    return low;
}

void network_solve(const struct network *n, double near, struct network_result *r)
{
    struct queues all;
    *r = (struct network_result){0};
    assert(n->think + n->delay > 0 && n->customers > 0);
    queues_find(&all, n);
    r->throughput = throughput_of(&all, near);
    r->waiting = queues_wait(&all, r->throughput, r).value;
}
