/* Does the table of mechanisms cover every parameter once, do its rows agree with those of the
 * parameters and metrics, and is its page up to date? */
#include "gpu/mechanisms/mechanisms.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORD_MAX = 96 };
#define SOURCE PLUMB_SOURCE_CONFIG_DIR "/../"

/* Takes the next word off a list. */
static bool take_word(const char **list, char word[WORD_MAX])
{
    *list += strspn(*list, " ");
    size_t n = strcspn(*list, " ");
    snprintf(word, WORD_MAX, "%.*s", (int)n, *list);
    *list += n;
    return n > 0;
}

static void every_parameter_has_one_row(void **state)
{
    uint32_t n, rows[MECHANISM_N] = {0};
    char **path = machine_paths(&n);
    (void)state;
    for (uint32_t i = 0; i < n; i++) {
        size_t longest = 0, equal = 0, fits;
        for (uint32_t k = 0; k < MECHANISM_N; k++) {
            if (!mechanism_lists(mechanisms[k].params, path[i], &fits)) continue;
            equal = fits == longest ? equal + 1 : fits > longest ? 1 : equal;
            longest = fits > longest ? fits : longest;
        }
        if (equal != 1) fail_msg("%s belongs to %zu rows", path[i], equal);
        rows[mechanism_of(path[i])]++;
    }
    for (uint32_t k = 0; k < MECHANISM_N; k++)
        if (!rows[k]) fail_msg("%s has no parameter", mechanisms[k].name);
    mem_free(path);
}

/* No entry of a row's list is left over from a parameter that has gone. */
static void every_entry_fits_a_parameter(void **state)
{
    uint32_t n;
    char **path = machine_paths(&n), word[WORD_MAX];
    (void)state;
    for (uint32_t k = 0; k < MECHANISM_N; k++)
        for (const char *list = mechanisms[k].params; take_word(&list, word);) {
            uint32_t found = 0;
            size_t fits;
            for (uint32_t i = 0; i < n; i++)
                found += mechanism_lists(word, path[i], &fits) && mechanism_of(path[i]) == k;
            if (!found) fail_msg("%s: no parameter is %s", mechanisms[k].name, word);
        }
    mem_free(path);
}

/* How many of a row's parameters say so. */
struct tally {
    uint32_t seen, term[PARAM_SILENT + 1];
};

static struct tally count_rows(uint32_t k)
{
    struct tally t = {0};
    uint32_t n;
    char **path = machine_paths(&n);
    for (uint32_t i = 0; i < n; i++) {
        const struct param *p = machine_find_param(path[i], NULL, NULL);
        if (mechanism_of(path[i]) != k) continue;
        t.seen += p->seen == PARAM_SEEN;
        t.term[p->term]++;
    }
    mem_free(path);
    return t;
}

static void check_effects(uint32_t k)
{
    const struct mechanism *m = &mechanisms[k];
    struct tally t = count_rows(k);
    bool unnamed = t.term[PARAM_NO_TERM] + t.term[PARAM_PARTLY] > 0;
    if (!m->functional.where == !m->functional.lacks)
        fail_msg("%s: a functional effect, or why there is none", m->name);
    if (m->functional.where && !t.seen)
        fail_msg("%s: the functional pass has it, and no parameter is SEEN", m->name);
    if (!m->estimator.where != !(t.term[PARAM_TERM] + t.term[PARAM_PARTLY]))
        fail_msg("%s: a term, and parameters that say so", m->name);
    if (unnamed && !m->estimator.lacks)
        fail_msg("%s: answers name a parameter, and no reason", m->name);
    if (m->estimator.lacks && !unnamed && !t.term[PARAM_SILENT])
        fail_msg("%s: a reason, and no parameter without a term", m->name);
    if (m->absent && !(m->on && m->energy.lacks))
        fail_msg("%s: totals are absent where it is on, and why", m->name);
    if (!m->energy.where == !m->energy.lacks)
        fail_msg("%s: metrics of its energy, or why there are none", m->name);
}

static void mechanisms_say_who_knows_them(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < MECHANISM_N; k++) {
        const struct mechanism *m = &mechanisms[k];
        if (!m->name || !m->what || !m->params) fail_msg("row %u is empty", k);
        if (!m->group)
            check_effects(k);
        else if (m->on || m->metrics || m->functional.where || m->estimator.where)
            fail_msg("%s: a group has sizes and times alone", m->name);
        else if (count_rows(k).term[PARAM_NO_TERM] + count_rows(k).term[PARAM_PARTLY])
            fail_msg("%s: a parameter without a term belongs to a mechanism", m->name);
    }
}

static void check_files(const char *name, const char *list)
{
    char word[WORD_MAX], at[sizeof SOURCE + WORD_MAX];
    while (list && take_word(&list, word)) {
        snprintf(at, sizeof at, "%s%s", SOURCE, word);
        if (access(at, R_OK) != 0) fail_msg("%s: there is no %s", name, word);
    }
}

static void check_metrics(const char *name, const char *list)
{
    char word[WORD_MAX];
    while (list && take_word(&list, word)) {
        uint32_t found = 0;
        size_t fits;
        const char *key;
        for (uint32_t i = 0; (key = metrics_key(i)); i++)
            found += mechanism_lists(word, key, &fits);
        if (!found) fail_msg("%s: no metric is %s", name, word);
    }
}

static void what_rows_name_is_there(void **state)
{
    struct machine m;
    (void)state;
    machine_defaults(&m);
    for (uint32_t k = 0; k < MECHANISM_N; k++) {
        const struct mechanism *row = &mechanisms[k];
        check_files(row->name, row->functional.where);
        check_files(row->name, row->estimator.where);
        check_metrics(row->name, row->energy.where);
        check_metrics(row->name, row->absent);
        check_metrics(row->name, row->metrics);
        if (row->on) machine_meets(&m, row->on); /* asserts that the paths are known */
    }
}

static void conditions_hold_together(void **state)
{
    struct machine m;
    struct errors all = {0};
    static const char *const set[] = {"l2.miss_management=conventional", "l2.frc.entries=16"};
    (void)state;
    machine_defaults(&m);
    assert_false(machine_meets(&m, mechanisms[MECHANISM_l2_frc].on));
    assert_true(machine_set(&m, set, 2, &all));
    assert_true(machine_meets(&m, mechanisms[MECHANISM_l2_frc].on));
    assert_true(machine_meets(&m, "l2.frc.entries=16 l1.enabled=true"));
    assert_false(machine_meets(&m, "l2.frc.entries=16 l1.enabled=false"));
    assert_false(machine_meets(&m, "l2.vc.entries!=0 l2.frc.entries=16"));
    errors_fini(&all);
}

static void parameters_find_their_row(void **state)
{
    (void)state;
    assert_int_equal(mechanism_of("l2.frc.swap_cycles"), MECHANISM_l2_frc);
    assert_int_equal(mechanism_of("l1.write_miss"), MECHANISM_write_policy);
    assert_int_equal(mechanism_of("dram.timing.tRFCb"), MECHANISM_dram_refresh);
    assert_int_equal(mechanism_of("dram.timing.tRC"), MECHANISM_dram_timing);
    assert_int_equal(mechanism_of("l2.frc"), MECHANISM_N);
    assert_string_equal(mechanism_reason("l2.nothing"), "");
    assert_true(strlen(mechanism_reason("noc.arbitration")) > 0);
}

/* docs/models/mechanisms.md is what the target docs makes. */
static void the_page_is_up_to_date(void **state)
{
    char *page;
    size_t n;
    struct error e;
    struct text now = {0};
    (void)state;
    if (!file_read(SOURCE "docs/models/mechanisms.md", &page, &n, &e)) fail_msg("%s", e.text);
    mechanisms_markdown(&now);
    if (strcmp(page, text_str(&now)) != 0)
        fail_msg("docs/models/mechanisms.md is stale: cmake --build DIR --target docs");
    mem_free(page);
    text_fini(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_has_one_row),
        cmocka_unit_test(every_entry_fits_a_parameter),
        cmocka_unit_test(mechanisms_say_who_knows_them),
        cmocka_unit_test(what_rows_name_is_there),
        cmocka_unit_test(conditions_hold_together),
        cmocka_unit_test(parameters_find_their_row),
        cmocka_unit_test(the_page_is_up_to_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
