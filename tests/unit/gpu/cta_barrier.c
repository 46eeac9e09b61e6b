/* A CTA's barrier against a list of its warps, each of which runs, waits or has ended. */
#include "gpu/policies/cta_barrier.h"

#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { WARPS = 9 };
enum doing { RUNS, WAITS, ENDED };

/* It opens when somebody waits and nobody runs. */
static bool should_open(const enum doing *w)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < WARPS; i++) {
        if (w[i] == RUNS) return false;
        waiting += w[i] == WAITS;
    }
    return waiting > 0;
}

/* Warps arrive and end in a drawn order until all have ended; returns how often it opened. */
static uint32_t run(struct rng *r, uint64_t ends_in)
{
    enum doing w[WARPS] = {RUNS};
    struct cta_barrier b = {.live = WARPS};
    uint32_t opened = 0, running = WARPS;
    while (running) {
        uint32_t i = (uint32_t)rng_below(r, WARPS);
        if (w[i] != RUNS) continue;
        bool arrives = rng_below(r, ends_in) > 0;
        w[i] = arrives ? WAITS : ENDED;
        if (arrives)
            cta_barrier_arrive(&b);
        else
            cta_barrier_end(&b);
        bool opens = should_open(w);
        assert_true(cta_barrier_opens(&b) == opens);
        opened += opens;
        running = 0;
        for (uint32_t k = 0; k < WARPS; k++) {
            if (opens && w[k] == WAITS) w[k] = RUNS;
            running += w[k] == RUNS;
        }
    }
    assert_true(b.live == 0 && b.arrived == 0);
    return opened;
}

static void it_opens_when_nobody_runs(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 29, 1);
    uint32_t opened = 0;
    for (uint32_t k = 0; k < 500; k++)
        opened += run(&r, 1 + k % 20);
    assert_true(opened > 500); /* the drawn orders do reach it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_opens_when_nobody_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
