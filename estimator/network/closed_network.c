/* closed_network.c - see closed_network.h. */
#include "estimator/network/closed_network.h"

#include <assert.h>
#include <math.h>

enum { MOST_STEPS = 60 };
static const double EXACT = 1e-11; /* relative error of the throughput */
/* A step of Newton's this short, and by so much shorter than the one before, leaves an error of at
 * most 1e-12: no need to look whether it does.  Short alone is not enough: close to a station's
 * wall steps are short, and grow. */
static const double LAST_STEP = 1e-6, SHRINKS = 1e-3;
/* Newton's steps to where a station is just full end beyond it: so much longer ones before it. */
static const double BEHIND_WALL = 1.25;

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

static double held_share(uint32_t seldom, double share, uint32_t at)
{
    return seldom >> at & 1 ? share : 1;
}

/* Waiting of a round at throughput x; INFINITY when some station cannot carry it. */
static double waiting(const struct network *n, double x, struct network_result *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct network_station *s = &n->at[i];
        double service = s->service;
        for (uint32_t j = 0; s->holds && j < i; j++)
            if (s->holds >> j & 1)
                service += held_share(s->seldom, s->share, j) * s->times * r->wait[j];
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

/* A station at which anybody waits, as the search for the throughput needs it. */
struct network_queue {
    double demand, service; /* visits per server; cycles each */
    double f, c, power, weight;
    uint32_t held; /* others are held, so many: places in q[], and how often each */
    uint8_t of[NETWORK_MAX];
    double times[NETWORK_MAX];
    bool pool;
};
struct queues {
    double customers, base; /* base: of a round without queues */
    uint32_t n;
    struct network_queue q[NETWORK_MAX];
};

static void add_held(struct network_queue *q, const struct network_station *s, const uint8_t *at,
                     uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        if (!(s->holds >> at[j] & 1)) continue;
        q->of[q->held] = (uint8_t)j;
        q->times[q->held++] = s->times * held_share(s->seldom, s->share, at[j]);
    }
}

static void queues_find(struct queues *all, const struct network *n)
{
    uint8_t at[NETWORK_MAX]; /* stations that they are */
    all->n = 0;
    all->customers = n->customers;
    all->base = n->think + n->delay;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct network_station *s = &n->at[i];
        double over = s->rivals - s->pool;
        bool works = s->service > 0 || s->holds;
        if (s->visits <= 0 || over <= 0 || !works) continue;
        struct network_queue *q = &all->q[all->n];
        q->demand = s->visits / (s->queues * s->pool);
        q->service = s->service;
        q->f = over / (over + s->c);
        q->c = s->c / s->pool;
        q->pool = s->pool > 1;
        q->power = q->pool ? sqrt(2 * (s->pool + 1)) - 1 : 1;
        q->weight = s->serial ? s->visits : s->chance;
        q->held = 0;
        if (s->holds) add_held(q, s, at, all->n);
        at[all->n++] = (uint8_t)i;
    }
}

/* Waiting of a round, as waiting() has it, and how it rises with the throughput.  INFINITY: a
 * station is full; slope: below which throughput it probably is not. */
struct rise {
    double value, slope;
};

static struct rise queues_wait(const struct queues *all, double x)
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
        double rises = q->demand * (s.value + x * s.slope);
        if (room <= 0) return (struct rise){INFINITY, x + BEHIND_WALL * room / (q->f * rises)};
        double w = q->c * s.value * (q->pool ? pow(u, q->power) : u) * q->f / room;
        double relative = s.slope / s.value + rises * (q->power / u + q->f / room);
        wait[i] = (struct rise){w, w > 0 ? w * relative : 0};
        sum.value += w * q->weight;
        sum.slope += wait[i].slope * q->weight;
    }
    return sum;
}

/* Whether the network would carry more than x: the customers that a round without queues leaves,
 * times x over the waiting, less x squared.  Both factors fall nearly straight, the first to 0
 * where all customers are under way, the second to 0 at a full station's wall (x over the waiting
 * of one queue is its room): Newton's steps do not mind walls, where the waiting itself has a pole.
 */
struct spare {
    double value, step; /* of Newton, from x */
};

static struct spare spare(const struct queues *all, double x)
{
    struct rise w = queues_wait(all, x);
    if (isinf(w.value)) return (struct spare){-INFINITY, w.slope - x};
    double left = all->customers - all->base * x;
    if (w.value <= 0) return (struct spare){left, left / all->base};
    double room = x / w.value, falls = room * (w.slope / w.value - 1 / x);
    double value = left * room - x * x;
    return (struct spare){value, value / (all->base * room + left * falls + 2 * x)};
}

/* No station can be kept busier than this, with nothing held. */
static double most_carried(const struct queues *all)
{
    double most = all->customers / all->base;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct network_queue *q = &all->q[i];
        if (most * q->f * q->demand * q->service > 1) most = 1 / (q->f * q->demand * q->service);
    }
    return most;
}

/* Newton's steps between an end that is carried and one that is not.  A step that leads out on top
 * says that the answer is near there; else the middle is next. */
static double throughput_of(const struct queues *all, double x)
{
    double low = 0, high = most_carried(all), last = 0; /* Newton's last step */
    if (!(x > 0 && x < high)) x = 1 / (1 / high + all->base / all->customers);
    for (uint32_t k = 0; k < MOST_STEPS && high - low > EXACT * high; k++) {
        struct spare at = spare(all, x);
        double next = x + at.step, step = isinf(at.value) ? INFINITY : fabs(at.step);
        if (step <= EXACT * x) return x;
        *(at.value >= 0 ? &low : &high) = x;
        bool inside = next > low && next < high;
        if (inside && step <= LAST_STEP * x && step <= SHRINKS * last) return next;
        last = inside && !isinf(step) ? step : 0;
        if (inside)
            x = next;
        else
            x = at.value >= 0 ? high - (high - low) / 8 : 0.5 * (low + high);
    }
    /* where nobody waits for a full station (chance 0) the answer stands at a wall: on this side */
    return low;
}

void network_solve(const struct network *n, double near, struct network_result *r)
{
    struct queues all;
    *r = (struct network_result){0};
    assert(n->think + n->delay > 0 && n->customers > 0);
    queues_find(&all, n);
    r->throughput = throughput_of(&all, near);
    r->waiting = waiting(n, r->throughput, r);
}
