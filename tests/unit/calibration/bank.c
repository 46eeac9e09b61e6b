/* Does the bank give back what was put in, and keep its bound and its place? */
#include "calibration/bank/bank.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/bank/bank_place.h"
#include "tests/support/bank_runs.h"
#include "tests/support/folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* --- what was put ----------------------------------------------------------------------------- */

static void runs_come_back_newest_first(void **state)
{
    (void)state;
    const char *path = bank_runs_new_file();
    struct bank *b = bank_runs_open(path);
    struct bank_runs r;
    struct error e;
    for (unsigned i = 0; i < 5; i++)
        bank_runs_must_put(b, 1, i, i == 3 ? 0.02 : 0);
    bank_runs_must_put(b, 2, 9, 0);
    bank_close(b);
    b = bank_runs_open(path);
    assert_true(bank_find(b, bank_runs_program(1), NULL, 3, &r, &e));
    assert_int_equal(r.n, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(bank_runs_check(&r.run[i]), 4 - i);
    assert_true(r.run[1].log_sd == 0.02);
    assert_null(r.run[0].estimated);
    bank_runs_fini(&r);
    assert_int_equal(bank_runs_count(b, 1), 5);
    assert_int_equal(bank_runs_count(b, 2), 1);
    assert_int_equal(bank_runs_count(b, 3), 0);
    assert_string_equal(bank_trouble(b), "");
    bank_close(b);
}

static void a_run_stays_unless_a_more_exact_one_comes(void **state)
{
    (void)state;
    struct bank *b = bank_runs_open(bank_runs_new_file());
    struct bank_runs r;
    static const double log_sd[] = {0.02, 0.05, 0.01}, kept[] = {0.02, 0.02, 0.01};
    for (int i = 0; i < 3; i++) {
        bank_runs_must_put(b, 1, 0, log_sd[i]);
        assert_true(bank_find(b, bank_runs_program(1), NULL, 9, &r, NULL));
        assert_int_equal(r.n, 1);
        assert_true(r.run[0].log_sd == kept[i]);
        bank_runs_fini(&r);
    }
    bank_runs_must_put(b, 1, 0, 0); /* a simulation is another run */
    assert_int_equal(bank_runs_count(b, 1), 2);
    bank_close(b);
}

static void other_versions_are_not_found(void **state)
{
    (void)state;
    const char *path = bank_runs_new_file();
    struct bank *b = bank_runs_open(path);
    struct bank_status s;
    bank_runs_must_put(b, 1, 0, 0);
    bank_runs_must_put(b, 1, 1, 0.01);
    bank_close(b);
    struct bank_versions next = bank_runs_today;
    next.of[ENGINE_SIMULATE]++;
    b = bank_open(path, BANK_MAKE, &next, NULL);
    assert_int_equal(bank_runs_count(b, 1), 1);
    bank_runs_must_put(b, 1, 0, 0);
    assert_int_equal(bank_runs_count(b, 1), 2);
    assert_true(bank_status(b, &s, NULL));
    assert_int_equal(s.runs, 2);
    assert_int_equal(s.stale, 1);
    assert_int_equal(s.of_engine[ENGINE_SAMPLE], 1);
    assert_int_equal(s.machines, 2);
    assert_int_equal(s.n_top, 1);
    assert_int_equal(s.top[0].runs, 2);
    bank_close(b);
}

/* They depend on the runs alone, not on their order. */
static void digests_name_what_was_found(void **state)
{
    (void)state;
    struct digest d[3];
    struct bank_runs r;
    for (unsigned k = 0; k < 3; k++) {
        struct bank *b = bank_runs_open(bank_runs_new_file());
        for (unsigned i = 0; i < 4; i++)
            bank_runs_must_put(b, 1, k == 1 ? 3 - i : i + (k == 2 && i == 3), 0);
        assert_true(bank_find(b, bank_runs_program(1), NULL, 9, &r, NULL));
        d[k] = bank_runs_digest(&r);
        bank_runs_fini(&r);
        bank_close(b);
    }
    assert_true(digest_equal(d[0], d[1]));
    assert_false(digest_equal(d[0], d[2]));
}

static void estimates_are_of_a_version(void **state)
{
    (void)state;
    struct bank *b = bank_runs_open(bank_runs_new_file());
    struct bank_runs r;
    double value[METRICS_KEYS_MAX];
    const double feature[] = {1.5, -2, 3e-300};
    static const char *const version[] = {"1", "2", "3", "4"};
    bank_values(bank_runs_metrics(40), value);
    bank_runs_must_put(b, 1, 0, 0);
    bank_runs_must_put(b, 1, 1, 0);
    assert_true(bank_find(b, bank_runs_program(1), "1", 9, &r, NULL));
    struct bank_estimate item[] = {
        {.run = r.run[0].id, .estimated = value, .feature = feature, .features = 3},
        {.run = 12345, .estimated = value, .feature = NULL, .features = 0}}; /* no such run */
    bank_runs_fini(&r);
    for (int v = 0; v < 4; v++)
        assert_true(bank_put_estimates(b, version[v], item, 2, NULL));
    for (int v = 0; v < 4; v++) {
        assert_true(bank_find(b, bank_runs_program(1), version[v], 9, &r, NULL));
        assert_int_equal(r.n, 2);
        assert_null(r.run[1].estimated);
        if (v == 0) assert_null(r.run[0].estimated); /* three are kept */
        if (v > 0) assert_true(bank_runs_same(r.run[0].estimated, value));
        if (v > 0) assert_int_equal(r.run[0].features, 3);
        if (v > 0) assert_memory_equal(r.run[0].feature, feature, sizeof feature);
        bank_runs_fini(&r);
    }
    const double bad[] = {NAN};
    item[0].feature = bad;
    item[0].features = 1;
    assert_false(bank_put_estimates(b, "1", item, 1, NULL));
    bank_close(b);
}

/* --- the bound -------------------------------------------------------------------------------- */

static void the_bound_holds_and_the_newest_stay(void **state)
{
    (void)state;
    enum { RUNS = 1500 };
    const char *path = bank_runs_new_file();
    struct stat st;
    struct bank_runs r;
    setenv("PLUMB_BANK_MB", "1", 1);
    struct bank *b = bank_runs_open(path);
    unsetenv("PLUMB_BANK_MB");
    for (unsigned i = 0; i < RUNS; i++) {
        bank_runs_must_put(b, 1 + i / 500, i, 0);
        assert_int_equal(stat(path, &st), 0);
        assert_true(st.st_size <= (1 << 20) + 65536);
    }
    assert_true(bank_find(b, bank_runs_program(3), NULL, BANK_MOST_EVER, &r, NULL));
    assert_true(r.n >= 300);
    for (unsigned i = 0; i < r.n; i++)
        assert_int_equal(bank_runs_check(&r.run[i]), RUNS - 1 - i);
    bank_runs_fini(&r);
    assert_true(bank_runs_count(b, 1) < 500);
    uint64_t removed;
    assert_true(bank_trim(b, 256 << 10, &removed, NULL));
    assert_true(removed > 0);
    bank_close(b);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= 256 << 10);
    b = bank_runs_open(path);
    assert_true(bank_clear(b, NULL));
    assert_int_equal(bank_runs_count(b, 3), 0);
    bank_runs_must_put(b, 3, 0, 0);
    assert_int_equal(bank_runs_count(b, 3), 1);
    bank_close(b);
}

static void other_versions_leave_first(void **state)
{
    (void)state;
    const char *path = bank_runs_new_file();
    struct bank_versions next = bank_runs_today;
    struct bank_status s;
    struct bank *b = bank_runs_open(path);
    for (unsigned i = 0; i < 100; i++)
        bank_runs_must_put(b, 1, i, 0);
    bank_close(b);
    next.of[ENGINE_SIMULATE]++;
    b = bank_open(path, BANK_MAKE, &next, NULL);
    for (unsigned i = 0; i < 100; i++)
        bank_runs_must_put(b, 1, i, 0);
    /* the newer version's are as old as any */
    bank_close(b);
    b = bank_runs_open(path);
    uint64_t removed;
    assert_true(bank_status(b, &s, NULL));
    assert_true(bank_trim(b, s.bytes * 3 / 4, &removed, NULL));
    assert_true(removed > 0 && removed <= 100);
    assert_int_equal(bank_runs_count(b, 1), 100);
    bank_close(b);
}

static void bounds_are_numbers(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "x", "-1", "12 MB", "99999999999999999999"};
    const char *path = bank_runs_new_file();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        setenv("PLUMB_BANK_MB", wrong[i], 1);
        assert_null(bank_open(path, BANK_MAKE, &bank_runs_today, &e));
        assert_non_null(strstr(e.text, wrong[i]));
    }
    unsetenv("PLUMB_BANK_MB");
    assert_false(file_exists(path));
}

/* --- places ----------------------------------------------------------------------------------- */

static char *place_for(const char *option, const char *environment)
{
    char *path = NULL;
    if (environment) setenv("PLUMB_BANK", environment, 1);
    assert_true(bank_place(option, &path, NULL));
    unsetenv("PLUMB_BANK");
    return path;
}

static void options_go_before_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *option, *environment, *path;
        bool off;
    } cases[] = {{NULL, NULL, "plumb/bank.db", false}, {NULL, NULL, NULL, true},
                 {NULL, "off", NULL, false},           {NULL, "None", NULL, false},
                 {NULL, "/a/b.db", "/a/b.db", true},   {"none", "/a/b.db", NULL, false},
                 {"/c.db", "off", "/c.db", true},      {NULL, "", "plumb/bank.db", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(bank_place_switch(!cases[i].off, NULL));
        assert_int_equal(bank_place_is_off(), cases[i].off);
        char *path = place_for(cases[i].option, cases[i].environment);
        if (!cases[i].path)
            assert_null(path);
        else
            assert_non_null(strstr(path, cases[i].path));
        mem_free(path);
    }
    assert_true(bank_place_switch(true, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_come_back_newest_first),
        cmocka_unit_test(a_run_stays_unless_a_more_exact_one_comes),
        cmocka_unit_test(other_versions_are_not_found),
        cmocka_unit_test(digests_name_what_was_found),
        cmocka_unit_test(estimates_are_of_a_version),
        cmocka_unit_test(the_bound_holds_and_the_newest_stay),
        cmocka_unit_test(other_versions_leave_first),
        cmocka_unit_test(bounds_are_numbers),
        cmocka_unit_test(options_go_before_the_environment),
    };
    return cmocka_run_group_tests(tests, bank_runs_make_group, folder_remove);
}
