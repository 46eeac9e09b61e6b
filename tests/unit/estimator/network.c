/* Does the closed network agree with networks that can be solved exactly? */
#include "base/memory/rng.h"
#include "estimator/network/closed_network.h"
#include "tests/support/check.h"

#include <math.h>

/* Exact: customers that think (any law) and visit m exponential servers with one queue, by the
 * birth-death chain. */
static double repairman(uint32_t customers, double think, double service, uint32_t servers)
{
    double p = 1, sum = 1, busy = 0;
    for (uint32_t k = 1; k <= customers; k++) {
        uint32_t active = k < servers ? k : servers;
        p *= (customers - k + 1) / think * service / active;
        sum += p;
        busy += p * active;
    }
    return busy / sum / service;
}

/* Exact mean value analysis of queues in a row, each with one exponential server. */
static double mva(uint32_t customers, double think, const double *demand, uint32_t n)
{
    double queue[NETWORK_MAX] = {0}, x = 0;
    for (uint32_t c = 1; c <= customers; c++) {
        double r = think, at[NETWORK_MAX];
        for (uint32_t k = 0; k < n; k++)
            r += at[k] = demand[k] * (1 + queue[k]);
        x = c / r;
        for (uint32_t k = 0; k < n; k++)
            queue[k] = x * at[k];
    }
    return x;
}

static void add(struct network *n, double service, double pool, double rivals, double c)
{
    n->at[n->n++] = (struct network_station){.name = "s",
                                             .visits = 1,
                                             .service = service,
                                             .queues = 1,
                                             .pool = pool,
                                             .rivals = rivals,
                                             .c = c,
                                             .chance = 1};
}

static double throughput(const struct network *n)
{
    struct network_result r;
    network_solve(n, 0, &r);
    return r.throughput;
}

static void alone_nobody_waits(void **state)
{
    (void)state;
    struct network n = {.customers = 1, .think = 100, .delay = 40};
    add(&n, 20, 1, 1, 1);
    assert_near(throughput(&n), 1.0 / 140, 1e-9);
}

static void one_server_is_near_the_exact_repairman(void **state)
{
    (void)state;
    const double think[] = {0, 50, 400};
    for (uint32_t customers = 1; customers <= 64; customers *= 2)
        for (uint32_t t = 0; t < 3; t++) {
            struct network n = {.customers = customers, .think = think[t], .delay = 20};
            add(&n, 20, 1, customers, 1);
            double want = think[t] > 0 ? repairman(customers, think[t], 20, 1) : 1.0 / 20;
            assert_true(fabs(throughput(&n) / want - 1) <
                        0.065); /* Schweitzer's worst in random nets: 6.3 % */
        }
}

static void several_queues_are_near_exact_mva(void **state)
{
    (void)state;
    const double demand[] = {10, 25, 4, 18};
    for (uint32_t customers = 1; customers <= 128; customers *= 2) {
        struct network n = {.customers = customers, .think = 200, .delay = 57};
        for (uint32_t k = 0; k < 4; k++)
            add(&n, demand[k], 1, customers, 1);
        assert_true(fabs(throughput(&n) / mva(customers, 200, demand, 4) - 1) < 0.065);
    }
}

static void pools_are_near_the_exact_repairman(void **state)
{
    (void)state;
    for (uint32_t servers = 2; servers <= 64; servers *= 4)
        for (uint32_t customers = 1; customers <= 128; customers *= 2) {
            struct network n = {.customers = customers, .think = 300, .delay = 100};
            add(&n, 100, servers, customers, 1);
            double want = repairman(customers, 300, 100, servers);
            assert_true(fabs(throughput(&n) / want - 1) < 0.09);
        }
}

/* Nobody waits where the chance of a wait is 0, but no more goes through than the station can do.
 */
static void a_station_without_waits_is_a_wall(void **state)
{
    (void)state;
    for (uint32_t customers = 2; customers <= 256; customers *= 2) {
        struct network n = {.customers = customers, .think = 100};
        struct network_result r;
        add(&n, 20, 1, customers, 0.5);
        n.at[0].chance = 0;
        network_solve(&n, 0, &r);
        double most = customers / 100.0 < 1.0 / 20 ? customers / 100.0 : 1.0 / 20;
        assert_true(r.throughput > 0.99 * most);
        assert_true(r.throughput < 1.01 * most * customers / (customers - 1));
        assert_true(isfinite(r.waiting) && isfinite(r.wait[0]));
    }
}

static void a_held_resource_bounds_what_is_behind_it(void **state)
{
    (void)state;
    /* 64 customers, 8 holders at most, behind them a queue of 5 cycles within 100 */
    struct network n = {.customers = 64, .think = 10, .delay = 100};
    add(&n, 5, 1, 64, 0.5);
    add(&n, 100, 8, 64, 1);
    n.at[1].holds = 1;
    double x = throughput(&n);
    assert_true(x <= 8.0 / 100 * 1.0001);
    assert_true(x > 8.0 / 115);
}

static void constant_service_waits_less(void **state)
{
    (void)state;
    struct network exponential = {.customers = 12, .think = 200, .delay = 20},
                   constant = exponential;
    add(&exponential, 20, 1, 12, 1);
    add(&constant, 20, 1, 12, 0.5);
    assert_true(throughput(&constant) > throughput(&exponential));
    /* saturated, both give all that the server has */
    exponential.customers = constant.customers = 400;
    exponential.at[0].rivals = constant.at[0].rivals = 400;
    assert_near(throughput(&constant), 0.05, 0.0005);
    assert_near(throughput(&exponential), 0.05, 0.0005);
}

/* Nobody waits or the busiest server never rests; everybody waits for all. */
static void asymptotic_bounds(const struct network *n, double *low, double *high)
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

static void bounds_hold_the_answer(void **state)
{
    (void)state;
    for (uint32_t customers = 1; customers <= 512; customers *= 2) {
        struct network n = {.customers = customers, .think = 120, .delay = 60};
        double low, high;
        add(&n, 9, 1, customers, 0.5);
        add(&n, 30, 4, customers, 1);
        add(&n, 12, 1, customers, 1);
        asymptotic_bounds(&n, &low, &high);
        double x = throughput(&n);
        assert_true(low <= x * 1.0001 && x <= high * 1.0001);
    }
}

/* Whatever the load: customers go round in the time that their throughput says, from any start. */
static void throughput_solves_the_round(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 11, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        struct network n = {.customers = 1 + (double)rng_below(&r, 1000),
                            .think = 1 + (double)rng_below(&r, 400),
                            .delay = (double)rng_below(&r, 400)};
        struct network_result x;
        for (uint32_t k = 1 + (uint32_t)rng_below(&r, 6); k; k--)
            add(&n, 0.1 * (double)(1 + rng_below(&r, 3000)), (double)(1 + rng_below(&r, 3) * 15),
                1 + (double)rng_below(&r, 1 + (uint64_t)n.customers), rng_below(&r, 2) ? 0.5 : 4);
        n.at[0] = (struct network_station){.name = "issue",
                                           .visits = 1 + (double)rng_below(&r, 100),
                                           .service = 1,
                                           .queues = 16,
                                           .pool = 1,
                                           .rivals = 8,
                                           .c = 0.5,
                                           .serial = true};
        if (n.n > 2) n.at[n.n - 1].holds = 1 + 2 * (uint32_t)rng_below(&r, 2);
        network_solve(&n, rng_below(&r, 2) ? 1e-3 * (double)rng_below(&r, 3000) : 0, &x);
        assert_near(x.throughput * (n.think + n.delay + x.waiting) / n.customers, 1, 1e-6);
    }
}

/* Entries that are held while one of two alternatives is visited, each at half the times, wait as
 * if both were one station of twice the queues. */
static void alternatives_are_visited_in_turn(void **state)
{
    (void)state;
    struct network one = {.customers = 64, .think = 10, .delay = 100}, two = one;
    add(&one, 20, 1, 64, 1);
    one.at[0].queues = 2;
    for (uint32_t i = 0; i < 2; i++) {
        add(&two, 20, 1, 64, 1);
        two.at[i].visits = two.at[i].chance = two.at[i].elsewhere = 0.5;
    }
    struct network *const both[] = {&one, &two};
    for (uint32_t i = 0; i < 2; i++) {
        add(both[i], 50, 8, 64, 1);
        struct network_station *file = &both[i]->at[both[i]->n - 1];
        file->holds = (1u << (both[i]->n - 1)) - 1;
        file->times = 1;
    }
    assert_near(throughput(&two) / throughput(&one), 1, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_nobody_waits),
        cmocka_unit_test(one_server_is_near_the_exact_repairman),
        cmocka_unit_test(several_queues_are_near_exact_mva),
        cmocka_unit_test(pools_are_near_the_exact_repairman),
        cmocka_unit_test(a_station_without_waits_is_a_wall),
        cmocka_unit_test(a_held_resource_bounds_what_is_behind_it),
        cmocka_unit_test(constant_service_waits_less),
        cmocka_unit_test(bounds_hold_the_answer),
        cmocka_unit_test(throughput_solves_the_round),
        cmocka_unit_test(alternatives_are_visited_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
