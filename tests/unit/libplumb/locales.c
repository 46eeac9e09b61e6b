/* locales.c - libplumb reads and writes the same in a process whose numbers have a decimal comma.
 */
#include "libplumb/plumb.h"
#include "libplumb/plumb_dram.h"
#include "tests/support/check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/plumb-locales-XXXXXX";

/* Makes a locale with a decimal comma, and sets it. false: there is no localedef. */
static bool set_comma(void)
{
    char path[64], command[256];
    if (!mkdtemp(folder)) return false;
    snprintf(path, sizeof path, "%s/source", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("LC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"<U002E>\"\ngrouping 3;3\n"
          "END LC_NUMERIC\n",
          f);
    fclose(f);
    snprintf(command, sizeof command, "localedef -c -i %s -f UTF-8 %s/comma >%s/log 2>&1", path,
             folder, folder);
    if (system(command) < 0) return false; /* it warns of the categories that are not there */
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_NUMERIC, "comma") != NULL;
}

static void remove_comma(void)
{
    char command[64];
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void commas_stay(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
}

/* Adds an answer without what it says of the host and the run's seconds. */
static void add_without_host(char *all, const char *json)
{
    const char *host = strstr(json, "\"host\": {"), *end = host ? strchr(host, '}') : NULL;
    assert_non_null(end);
    strncat(all, json, (size_t)(host - json));
    strcat(all, end);
}

/* The answers of all engines and of a comparison, on several threads. */
static char *answers(void)
{
    const char *set[] = {"clock.core_mhz=1219.5"}, *change[] = {"clock.l2_mhz=900.25"};
    struct plumb_options o = {
        .size = sizeof o, .threads = 3, .no_cache = 1, .per_kernel = 1, .what_helps = 1};
    plumb_machine *m = plumb_machine_open("rx540", set, 1);
    if (!m) fail_msg("%s", plumb_error());
    plumb_machine *other = plumb_machine_change(m, change, 1);
    if (!other) fail_msg("%s", plumb_error());
    plumb_program *p = plumb_program_open("configs/workloads/quick/bfs.plt", m);
    if (!p) fail_msg("%s", plumb_error());
    plumb_answer *a[] = {plumb_estimate(m, p, &o), plumb_sample(m, p, &o), plumb_simulate(m, p, &o),
                         plumb_compare(m, other, p, &o)};
    char *all = calloc(1, 1 << 22);
    assert_non_null(all);
    for (size_t i = 0; i < sizeof a / sizeof a[0]; i++) {
        if (!a[i]) fail_msg("%s", plumb_error());
        add_without_host(all, plumb_answer_json(a[i]));
        plumb_answer_close(a[i]);
    }
    plumb_program_close(p);
    plumb_machine_close(other);
    plumb_machine_close(m);
    return all;
}

static double clock_of(void)
{
    const char *set[] = {"dram.clock_mhz=1000.5"};
    plumb_dram *d = plumb_dram_open("hbm2", set, 1, NULL, NULL);
    if (!d) fail_msg("%s", plumb_error());
    double ps = plumb_dram_clock_ps(d);
    plumb_dram_close(d);
    return ps;
}

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    char *plain = answers();
    double ps = clock_of();
    if (!set_comma()) {
        print_message("no locale with a decimal comma: localedef is missing\n");
        free(plain);
        remove_comma();
        skip();
    }
    commas_stay();
    char *comma = answers();
    assert_true(clock_of() == ps);
    commas_stay();
    remove_comma();
    assert_string_equal(plain, comma);
    free(plain);
    free(comma);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_decimal_comma_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
