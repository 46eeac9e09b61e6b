/* out_of_memory.c - whichever allocation of a run fails, the run says that memory ran out; a run
 * that does not reach the failing one is the run without it. */
#include "base/memory/alloc.h"
#include "detailed/core/sim.h"
#include "tests/support/run.h"

#include <string.h>

#define PROGRAM "gather ctas=8 iterations=2"

/* Machines whose queues lie in different parts. */
static const char *const part[][3] = {
    {"rx540"},
    {"hd7770-pdp16", "coherence.protocol=moesi"},
    {"apu-quickrelease"},
    {"gem5gpu-temp-tbas"},
    {"rx540", "noc.topology=mesh", "l2.miss_management=conventional"},
};

/* Runs with the n-th allocation failing; false: the run says so. */
static bool run_short(const struct machine *m, const struct program *p, unsigned n,
                      struct metrics *out)
{
    struct error e = {0};
    struct sim *s = sim_new(m, p, &e);
    assert_non_null(s);
    shim_fail_after(SHIM_ALLOC, n);
    enum sim_end end = sim_run(s, NULL, NULL, NULL, &e);
    shim_fail_after(SHIM_ALLOC, 0);
    if (end == SIM_DONE) {
        sim_metrics(s, out);
    } else {
        assert_int_equal(end, SIM_FAILED);
        assert_non_null(strstr(e.text, "memory"));
    }
    sim_free(s);
    return end == SIM_DONE;
}

static void every_failing_allocation_ends_the_run(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) {
        struct machine m = run_machine(part[k][0], &part[k][1],
                                       part[k][2]   ? 2
                                       : part[k][1] ? 1
                                                    : 0);
        struct program *p = run_open(PROGRAM, m.sm.warp_width);
        struct metrics whole, now;
        unsigned n = 1;
        assert_true(run_short(&m, p, 0, &whole));
        while (!run_short(&m, p, n, &now))
            n += 1 + n / 8;
        assert_true(n > 1);
        assert_memory_equal(now.v, whole.v, sizeof whole.v);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_ends_the_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
