/* promises.c - what would help keeps its word: the time that a change is said to save is the
 * difference between the answer for the machine and for the changed one, where a calibration would
 * make both shorter than their buses are busy, too. */
#include "base/memory/alloc.h"
#include "calibration/calibration_set.h"
#include "engine/constants.h"
#include "engine/engine.h"
#include "sampler/strata/est_params.h"
#include "tests/support/run.h"

#include <math.h>

static const char machine_name[] = "rx540";
static const char *const programs[] = {"quick/blackscholes", "stride"};
enum { PROGRAMS = sizeof programs / sizeof *programs, TRIED = 8 };

static struct answer *answer_of(const struct calibration_set *set, const struct machine *m,
                                const struct program *p, bool causes)
{
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.causes = causes;
    o.threads = 1;
    assert_non_null(a);
    if (!engine_run(ENGINE_ESTIMATE, m, p, calibration_set_for(set, m), NULL, &o, a, &e))
        fail_msg("%s", e.text);
    return a;
}

static void drop(struct answer *a)
{
    answer_fini(a);
    mem_free(a);
}

static void need_promise(const struct calibration_set *set, const struct machine *of,
                         const struct program *p, const struct cause *c, double before)
{
    const char *sets[CAUSE_SETS];
    for (uint32_t i = 0; i < c->n; i++)
        sets[i] = c->set[i];
    struct machine m = run_machine(machine_name, sets, c->n);
    struct answer *a = answer_of(set, &m, p, false);
    double saves = 1 - a->m.v[M_time_us] / before;
    const struct profile_view kept = est_view_of(of), own = est_view_of(&m);
    /* A what-if keeps the machine's profile, where the changed machine may have another. Savings
     * are printed with one digit of a per cent; what saves nothing is not corrected (a correction
     * may move it farther), and left out. */
    double exact = !profile_view_equal(&kept, &own) ? 0.03
                   : fabs(c->saves) < CAUSE_NOTHING ? 5 * CAUSE_NOTHING
                                                    : 0.001;
    if (fabs(saves - c->saves) > exact)
        fail_msg("%s: %s is said to save %.4f of the time and saves %.4f", program_name(p),
                 c->words, c->saves, saves);
    drop(a);
}

static void changed_machines_answer_what_was_promised(void **state)
{
    const struct machine m = run_machine(machine_name, NULL, 0), *const one = &m;
    struct calibration_set set;
    struct error e = {0};
    (void)state;
    if (!calibration_set_open(&set, NULL, &one, 1, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        struct program *p = run_open(programs[i], m.sm.warp_width);
        struct answer *a = answer_of(&set, &m, p, true);
        assert_true(a->helps.corrected);
        for (uint32_t k = 0; k < a->helps.n && k < TRIED; k++)
            need_promise(&set, &m, p, &a->helps.at[k], a->m.v[M_time_us]);
        drop(a);
        program_close(p);
    }
    calibration_set_close(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changed_machines_answer_what_was_promised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
