/* bounds.c - no answer has a number that cannot be: shares above 1, counts below 0, ranges that do
 * not lie around their value (tests/support/metric_bounds.h).  The cases that once failed, as
 * `plumb estimate` answers them, with the calibrations that come with plumb, and machines drawn
 * over all parameters.  scripts/random-machines.sh does the same for thousands. */
#include "calibration/calibration_set.h"
#include "engine/engine.h"
#include "tests/support/metric_bounds.h"
#include "tests/support/random_draw.h"
#include "tests/support/run.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SETS_MOST = 4, DRAWN = 8, DRAWN_SECONDS = 4 };

struct bounded {
    const char *preset, *program, *set[SETS_MOST];
};
static const struct bounded cases[] = {
    /* corrected to less time than the data buses are busy */
    {"rx540",
     "stream ctas=9 warps_per_cta=3 iterations=2 kernel=copy element_bytes=16 unroll=4",
     {NULL}},
    {"rx540", "ml/layernorm rows=64 width=1024", {"dram.timing.tRTP=54"}},
    /* differences of sums that are equal */
    {"vega64",
     "offset_read ctas=3 warps_per_cta=2 iterations=2 stride=1025",
     {"l1.replacement=random"}},
    {"mi300x", "quick/lud", {"l2.link_bytes=32"}},
    /* a sampled profile's write-backs of launches whose lines others wrote */
    {"hd7770-fgcs18", "quick/lud", {"l1.kb=6", "l2.replacement=random"}},
    {"hd7770-europar18", "quick/bfs", {"l2.replacement=random"}},
    /* requests that are sent back more often than there are accesses */
    {"rx540-tc19",
     "stride ctas=87 warps_per_cta=3 iterations=2 stride=1 footprint=4194304",
     {"l2.data_banks=303"}},
};
enum { CASES = sizeof cases / sizeof *cases };

static void need_bounds(enum engine engine, const struct machine *m, const struct program *p,
                        const char *what)
{
    struct calibration_set set;
    struct run_opts o;
    struct error e = {0};
    struct answer a = {0};
    char misfit[256];
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (!calibration_set_open(&set, NULL, &m, 1, &e)) fail_msg("%s", e.text);
    const struct calibration *cal = engine == ENGINE_ESTIMATE ? calibration_set_for(&set, m) : NULL;
    if (engine_run(engine, m, p, cal, NULL, &o, &a, &e)) {
        if (answer_misfit(&a, misfit, sizeof misfit))
            fail_msg("%s, %s: %s", engine_name[engine], what, misfit);
    } else if (e.kind != ERROR_INPUT) {
        fail_msg("%s, %s: %s", engine_name[engine], what, e.text);
    }
    answer_fini(&a);
    calibration_set_close(&set);
}

static void known_cases_hold(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct bounded *c = &cases[i];
        size_t n = 0;
        while (n < SETS_MOST && c->set[n])
            n++;
        struct machine m = run_machine(c->preset, c->set, n);
        struct program *p = run_open(c->program, m.sm.warp_width);
        need_bounds(ENGINE_ESTIMATE, &m, p, c->program);
        program_close(p);
    }
}

static int drawn_case(const struct name_lists *l, uint64_t number)
{
    static struct random_draw d;
    struct rng r;
    char what[64];
    rng_seed(&r, 1, number);
    snprintf(what, sizeof what, "machine %llu of scripts/random-machines.sh",
             (unsigned long long)number);
    assert_true(draw_random_machine(l, &r, number, &d));
    struct program *p = draw_program(&r, &d);
    assert_non_null(p);
    need_bounds(ENGINE_ESTIMATE, &d.m, p, what);
    need_bounds(ENGINE_SIMULATE, &d.m, p, what);
    program_close(p);
    return 0;
}

/* In a process of its own: what takes the host more than its seconds is not judged. */
static void drawn_machines_hold(void **state)
{
    struct name_lists l;
    (void)state;
    assert_true(name_lists_init(&l));
    for (uint64_t number = 0; number < DRAWN; number++) {
        int status = 0;
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            setrlimit(RLIMIT_CPU, &(struct rlimit){DRAWN_SECONDS, DRAWN_SECONDS + 1});
            _exit(drawn_case(&l, number));
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        bool slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
        if (!slow && status != 0) fail_msg("machine %llu fails", (unsigned long long)number);
    }
    name_lists_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cases_hold),
        cmocka_unit_test(drawn_machines_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
