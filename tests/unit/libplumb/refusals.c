/* refusals.c - what the command line refuses, libplumb refuses in the same words; and no call
 * follows a handle that is NULL, was closed, or is another kind's. */
#include "libplumb/handles.h"

#include "base/text/allowed.h"
#include "libplumb/plumb_dram.h"
#include "tests/support/check.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static plumb_machine *machine;
static plumb_program *program;

static int open_both(void **state)
{
    (void)state;
    machine = plumb_machine_open("rx540", NULL, 0);
    program = plumb_program_open("fwt", machine);
    return machine && program ? 0 : -1;
}

static int close_both(void **state)
{
    (void)state;
    plumb_program_close(program);
    plumb_machine_close(machine);
    return 0;
}

static void assert_said(const char *words)
{
    if (!strstr(plumb_error(), words)) fail_msg("'%s', not '%s'", plumb_error(), words);
}

/* --- options --- */

/* An option of the command line that no text of these sets: the library says the same. */
static void assert_refused(const struct plumb_options *o, const char *words)
{
    assert_null(plumb_estimate(machine, program, o));
    assert_said(words);
    assert_null(plumb_sample(machine, program, o));
    assert_said(words);
    assert_null(plumb_simulate(machine, program, o));
    assert_said(words);
    assert_null(plumb_compare(machine, machine, program, o));
    assert_said(words);
}

static void numbers_are_refused_as_on_the_command_line(void **state)
{
    (void)state;
    static const double wrong[] = {5, -1, NAN, 1, -INFINITY, INFINITY, -3, 1.5e300};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[32], words[80];
        struct error e;
        double v;
        snprintf(text, sizeof text, "%.17g", wrong[i]);
        assert_false(
            allowed_fraction("--confidence", text, &v, &e)); /* the command line's reader */
        snprintf(words, sizeof words, "confidence %s: allowed are numbers between 0 and 1", text);
        assert_non_null(strstr(e.text, words));
        assert_refused(
            &(struct plumb_options){.size = sizeof(struct plumb_options), .confidence = wrong[i]},
            words);
        snprintf(words, sizeof words, "error %s: allowed are numbers between 0 and 1", text);
        assert_refused(
            &(struct plumb_options){.size = sizeof(struct plumb_options), .error = wrong[i]},
            words);
    }
    assert_refused(
        &(struct plumb_options){.size = sizeof(struct plumb_options), .seed = 1ull << 63},
        "seed 9223372036854775808: allowed are whole numbers from 1 to ");
    assert_refused(&(struct plumb_options){.size = sizeof(struct plumb_options), .threads = 4097},
                   "threads 4097: allowed are whole numbers from 1 to 4096");
    assert_refused(
        &(struct plumb_options){.size = sizeof(struct plumb_options), .budget = UINT64_MAX},
        "budget 18446744073709551615: allowed are whole numbers from 1 to ");
    assert_refused(&(struct plumb_options){.size = sizeof(struct plumb_options),
                                           .max_instructions = UINT64_MAX},
                   "max_instructions 18446744073709551615: allowed are whole numbers from 1 to ");
    assert_refused(&(struct plumb_options){.size = SIZE_MAX}, "plumb_options.size");
}

static void options_are_set_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *says; /* "": taken */
    } cases[] = {
        {"seed", "7", ""},
        {"seed", "0x7", ""},
        {"seed", "1180591620717411303424", "seed 1180591620717411303424: allowed are whole"},
        {"seed", "-1", "seed -1: allowed are whole"},
        {"seed", "1.5", "seed 1.5: allowed are whole"},
        {"seed", "", "seed : allowed are whole"},
        {"threads", "4294967297", "threads 4294967297: allowed are whole numbers from 1 to 4096"},
        {"confidence", "0.5", ""},
        {"confidence", "nan", "confidence nan: allowed are numbers between 0 and 1"},
        {"confidence", "-0.1", "confidence -0.1: allowed are numbers between 0 and 1"},
        {"confidence", "1e-999", "confidence 1e-999: allowed are numbers between 0 and 1"},
        {"error", "", "error : allowed are numbers"},
        {"error", "0x", "error 0x: allowed are numbers"},
        {"threads", "0.0", "threads 0.0: allowed are whole"},
        {"confidence", "0,5", "confidence 0,5: allowed are numbers between 0 and 1"},
        {"error", "1e-3x", "error 1e-3x: allowed are numbers"},
        {"per_load", "1", ""},
        {"per_load", "yes", "per_load yes: allowed are 0 and 1"},
        {"cal", "none", ""},
        {"treads", "2", "no option treads: did you mean threads?"},
        {"size", "2", "no option size"},
        {NULL, "2", "the name is NULL"},
        {"seed", NULL, "the value is NULL"},
    };
    struct plumb_options o = {.size = sizeof o};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ok = plumb_options_set(&o, cases[i].name, cases[i].value);
        assert_int_equal(ok, cases[i].says[0] == 0);
        assert_said(cases[i].says);
    }
    assert_true(o.seed == 7 && o.confidence == 0.5 && o.per_load == 1 && o.threads == 0);
    assert_string_equal(o.cal, "none");
    struct plumb_options old = {.size = offsetof(struct plumb_options, threads)};
    assert_false(plumb_options_set(&old, "threads", "2"));
    assert_said("without the member threads");
    assert_false(plumb_options_set(&(struct plumb_options){0}, "seed", "2"));
    assert_false(plumb_options_set(NULL, "seed", "2"));
    plumb_answer *a = plumb_estimate(machine, program, &o);
    assert_non_null(a);
    plumb_answer_close(a);
}

/* As in the struct: threads 0 are all processors. */
static void a_zero_is_as_without_the_option(void **state)
{
    (void)state;
    static const char *const number[] = {"max_instructions", "budget", "seed", "error",
                                         "confidence",       "threads"};
    struct plumb_options o = {.size = sizeof o,
                              .max_instructions = 5,
                              .budget = 5,
                              .seed = 5,
                              .error = 0.5,
                              .confidence = 0.5,
                              .threads = 5};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        assert_true(plumb_options_set(&o, number[i], "0"));
    assert_memory_equal(&o, &(struct plumb_options){.size = sizeof o}, sizeof o);
    assert_true(plumb_options_set(&o, "seed", "0x0"));
    assert_true(plumb_options_set(&o, "error", "0.0"));
    assert_true(plumb_options_set(&o, "error", "-0.0"));
    assert_true(o.seed == 0 && o.error == 0);
}

/* So near 1 that no range is wide enough: it is left out, and that is said. */
static void a_confidence_without_a_range_is_told(void **state)
{
    (void)state;
    const struct plumb_options near = {.size = sizeof near, .confidence = 0.9999999999999999};
    plumb_answer *a = plumb_estimate(machine, program, &near);
    const char *json = plumb_answer_json(a);
    assert_non_null(strstr(json, "no range: so near to a confidence of 1"));
    plumb_answer_close(a);
}

/* --- handles --- */

/* Every call with that pointer in place of a machine, a program, an answer and a memory. */
static void assert_no_call_follows(void *p, const char *words)
{
    double v = 5;
    struct plumb_dram_counts counts = {.reads = 5};
    const char *set[] = {"l2.bank_kb=512"};
#define REFUSED(CALL)       \
    do {                    \
        assert_false(CALL); \
        assert_said(words); \
    } while (0)
    REFUSED(plumb_machine_change(p, set, 1));
    REFUSED(plumb_program_open("fwt", p));
    REFUSED(plumb_estimate(p, program, NULL));
    REFUSED(plumb_estimate(machine, p, NULL));
    REFUSED(plumb_sample(p, program, NULL));
    REFUSED(plumb_sample(machine, p, NULL));
    REFUSED(plumb_simulate(p, program, NULL));
    REFUSED(plumb_simulate(machine, p, NULL));
    REFUSED(plumb_compare(p, machine, program, NULL));
    REFUSED(plumb_compare(machine, p, program, NULL));
    REFUSED(plumb_compare(machine, machine, p, NULL));
    REFUSED(plumb_answer_json(p));
    REFUSED(plumb_answer_metric(p, "cycles", &v));
    REFUSED(plumb_dram_burst(p));
    REFUSED(plumb_dram_clock_ps(p) != 0);
    REFUSED(plumb_dram_request(p, 0, 0, 0));
    REFUSED(plumb_dram_tick(p, 5));
    REFUSED(plumb_dram_pending(p));
    plumb_dram_count(p, &counts);
    assert_said(words);
    assert_true(v == 5 && counts.reads == 0);
#undef REFUSED
}

static void null_is_refused_by_every_call(void **state)
{
    (void)state;
    const char *some[] = {"l1.kb=16", NULL};
    assert_no_call_follows(NULL, " is NULL; one that was opened is needed");
    assert_null(plumb_machine_open(NULL, NULL, 0));
    assert_said("the machine's name is NULL");
    assert_null(plumb_machine_open("rx540", NULL, 2));
    assert_said("the list of 2 settings is NULL");
    assert_null(plumb_machine_open("rx540", some, 2));
    assert_said("setting 2 of 2 is NULL");
    assert_null(plumb_machine_change(machine, some, SIZE_MAX));
    assert_said("settings; allowed are at most");
    assert_null(plumb_program_open(NULL, machine));
    assert_said("the program's name is NULL");
    assert_null(plumb_dram_open(NULL, NULL, 0, NULL, NULL));
    assert_said("the memory's name is NULL");
    assert_null(plumb_dram_open("hbm2", some, SIZE_MAX, NULL, NULL));
    assert_said("settings; allowed are at most");
    assert_null(plumb_dram_open("hbm2", NULL, 1, NULL, NULL));
    assert_said("the list of 1 settings is NULL");
    plumb_machine_close(NULL);
    plumb_program_close(NULL);
    plumb_answer_close(NULL);
    plumb_dram_close(NULL);
    assert_string_equal(plumb_error(), "");
}

static void closed_handles_are_refused_by_every_call(void **state)
{
    (void)state;
    static const char *const says = "; it was closed, or is another kind of handle";
    plumb_machine *m = plumb_machine_open("rx540", NULL, 0);
    plumb_program *p = plumb_program_open("fwt", m);
    plumb_answer *a = plumb_estimate(m, p, NULL);
    plumb_dram *d = plumb_dram_open("hbm2", NULL, 0, NULL, NULL);
    assert_true(m && p && a && d && plumb_dram_burst(d) > 0);
    plumb_machine_close(m);
    plumb_program_close(p);
    plumb_answer_close(a);
    plumb_dram_close(d);
    assert_string_equal(plumb_error(), "");
    void *const closed[] = {m, p, a, d, (void *)(uintptr_t)8, &machine};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        assert_no_call_follows(closed[i], says);
    plumb_machine_close(m);
    assert_said("this is no open machine; ");
    plumb_program_close(p);
    assert_said("this is no open program; ");
    plumb_answer_close(a);
    assert_said("this is no open answer; ");
    plumb_dram_close(d);
    assert_said("this is no open memory; ");
    plumb_machine_close((plumb_machine *)(void *)program); /* of another kind: stays open */
    assert_said("this is no open machine; ");
    assert_null(plumb_estimate((plumb_machine *)(void *)program, program, NULL));
    a = plumb_estimate(machine, program, NULL);
    assert_non_null(a);
    plumb_answer_close(a);
}

static void *open_and_close(void *ctx)
{
    uint32_t *wrong = ctx;
    for (int i = 0; i < 200; i++) {
        const char *set[] = {"l1.kb=32"};
        plumb_machine *m = plumb_machine_change(machine, set, 1);
        plumb_dram *d = plumb_dram_open("hbm2", NULL, 0, NULL, NULL);
        *wrong += !m || !d || plumb_dram_tick(d, 3) != 3;
        plumb_machine_close(m);
        *wrong += plumb_machine_change(m, set, 1) != NULL && !strstr(plumb_error(), "open");
        plumb_dram_close(d);
    }
    return NULL;
}

static void threads_open_and_close_at_the_same_time(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t t[THREADS];
    uint32_t wrong[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&t[i], NULL, open_and_close, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

/* --- metrics --- */

static void misspelt_metrics_are_told_the_closest(void **state)
{
    (void)state;
    double v = 5;
    plumb_answer *a = plumb_estimate(machine, program, NULL);
    assert_true(plumb_metric_exists("l2.hit_rate"));
    assert_string_equal(plumb_error(), "");
    assert_false(plumb_metric_exists("l2.hit_rte"));
    assert_said("l2.hit_rte: no metric of that name: did you mean l2.hit_rate? ");
    assert_false(plumb_metric_exists(NULL));
    assert_false(plumb_answer_metric(a, "cycels", &v));
    assert_said("cycels: no metric of that name: did you mean cycles? ");
    uint32_t absent = 0; /* the metrics that this answer lacks are metrics all the same */
    for (uint32_t i = 0; metrics_key(i); i++) {
        double unused;
        assert_true(plumb_metric_exists(metrics_key(i)));
        if (plumb_answer_metric(a, metrics_key(i), &unused)) continue;
        assert_said(": the answer has no value of that metric");
        absent++;
    }
    assert_true(absent > 0);
    assert_false(plumb_answer_metric(a, "cycles", NULL));
    assert_false(plumb_answer_metric(a, NULL, &v));
    assert_true(v == 5);
    plumb_answer_close(a);
}

/* --- the memory's callback --- */

struct nosy {
    plumb_dram *d;
    uint32_t done;
    char ticked[128], closed[128];
};

static void tick_and_close(uint64_t id, int write, uint64_t clock, void *context)
{
    struct nosy *n = context;
    (void)id, (void)write, (void)clock;
    assert_int_equal(plumb_dram_tick(n->d, 1), 0);
    snprintf(n->ticked, sizeof n->ticked, "%s", plumb_error());
    plumb_dram_close(n->d);
    snprintf(n->closed, sizeof n->closed, "%s", plumb_error());
    if (n->done++ == 0) assert_true(plumb_dram_request(n->d, 4096, 1, 2));
}

static void a_callback_neither_ticks_nor_closes(void **state)
{
    (void)state;
    struct nosy n = {0};
    n.d = plumb_dram_open("hbm2", NULL, 0, tick_and_close, &n);
    assert_true(plumb_dram_request(n.d, 0, 0, 1));
    plumb_dram_tick(n.d, 1000);
    assert_int_equal(n.done, 2);
    assert_non_null(strstr(n.ticked, "its callback may make requests alone"));
    assert_non_null(strstr(n.closed, "its callback may make requests alone"));
    plumb_dram_count(n.d, NULL);
    assert_said("the place for the counts is NULL");
    plumb_stop(1);
    assert_true(plumb_dram_tick(n.d, UINT64_MAX) < UINT64_MAX); /* it would never end */
    assert_said("interrupted");
    plumb_stop(0);
    plumb_dram_close(n.d);
    assert_string_equal(plumb_error(), "");
}

/* The loop of plumb_dram.h, when another thread stops all runs. */
static void a_loop_of_ticks_ends_after_a_stop(void **state)
{
    (void)state;
    plumb_dram *d = plumb_dram_open("hbm2", NULL, 0, NULL, NULL);
    uint32_t loops = 0;
    assert_true(plumb_dram_request(d, 0, 0, 1));
    plumb_dram_tick(d, 1);
    assert_string_equal(plumb_error(), "");
    plumb_stop(1);
    assert_int_equal(plumb_dram_tick(d, 0), 1); /* no clock was asked for */
    assert_string_equal(plumb_error(), "");
    while (plumb_dram_pending(d)) {
        assert_int_equal(plumb_dram_tick(d, 1), 1);
        loops++;
        if (*plumb_error()) break;
        if (loops > 1) fail_msg("no error after a stop");
    }
    assert_said("interrupted");
    plumb_stop(0);
    while (plumb_dram_pending(d)) {
        plumb_dram_tick(d, 1);
        assert_string_equal(plumb_error(), "");
    }
    plumb_dram_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_refused_as_on_the_command_line),
        cmocka_unit_test(options_are_set_by_name),
        cmocka_unit_test(a_zero_is_as_without_the_option),
        cmocka_unit_test(a_confidence_without_a_range_is_told),
        cmocka_unit_test(null_is_refused_by_every_call),
        cmocka_unit_test(closed_handles_are_refused_by_every_call),
        cmocka_unit_test(threads_open_and_close_at_the_same_time),
        cmocka_unit_test(misspelt_metrics_are_told_the_closest),
        cmocka_unit_test(a_callback_neither_ticks_nor_closes),
        cmocka_unit_test(a_loop_of_ticks_ends_after_a_stop),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
