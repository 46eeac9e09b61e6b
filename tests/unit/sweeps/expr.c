/* Do conditions mean what C means by them, and is everything else refused with its column? */
#include "sweeps/plan/expr.h"

#include "base/memory/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double a = 3, b = 7;

static bool find(void *ctx, const char *name, uint32_t *id, bool *is_text, struct error *e)
{
    static const char *const names[] = {"a", "b", "sm.name"};
    (void)ctx;
    for (*id = 0; *id < 3; (*id)++) {
        *is_text = *id == 2;
        if (strcmp(names[*id], name) == 0) return true;
    }
    return error_input(e, "no parameter %s", name);
}

static struct expr_value look(void *ctx, uint32_t id)
{
    (void)ctx;
    if (id == 2) return (struct expr_value){.is_text = true, .text = "lru"};
    return (struct expr_value){.number = id ? b : a};
}

static double value(const char *text)
{
    struct arena arena = {0};
    struct error e = {0};
    const struct expr *x = expr_read(text, find, NULL, &arena, &e);
    if (!x) fail_msg("%s: %s", text, e.text);
    double v = expr_eval(x, look, NULL);
    arena_fini(&arena);
    return v;
}

/* The compiler's own reading of the same text is the reference. */
#define SAME(expression) assert_true(fabs(value(#expression) - (double)(expression)) < 1e-12)

static void precedence_and_associativity_are_those_of_c(void **state)
{
    (void)state;
    SAME(a + b * 2 - 1);
    SAME((a + b) * 2 - 1);
    SAME(a - b - 2);
    SAME(a / b / 2);
    SAME(-a * -b);
    SAME(1 + 2 < 4 && 5 != 6);
    assert_true(value("a < b == 1") == 1);
    SAME((!(a > b) && a * b <= 21) || 0);
    assert_true(value("1 || 0 && 0") == 1);
    assert_true(value("!(a > b) && a * b <= 21 || 0") == 1);
    SAME(0.5 + .25 * 1e2);
    assert_true(value("7 % 4 + min(a, b) * max(a, b)") == 24);
    assert_true(value("log2(8) + sqrt(16) + abs(-2) + floor(1.9) + ceil(1.1)") == 12);
    assert_true(value("true + true + false") == 2);
}

static void texts_are_compared(void **state)
{
    (void)state;
    assert_true(value("sm.name == 'lru'") == 1);
    assert_true(value("'lru' != sm.name") == 0);
    assert_true(value("sm.name == \"fifo\" || a == 3") == 1);
}

static void what_is_no_number_is_not_true(void **state)
{
    struct arena arena = {0};
    struct error e = {0};
    (void)state;
    assert_false(expr_true(expr_read("0 / 0", find, NULL, &arena, &e), look, NULL));
    assert_true(expr_true(expr_read("!(0 / 0 > 1)", find, NULL, &arena, &e), look, NULL));
    arena_fini(&arena);
}

static void faults_name_their_column(void **state)
{
    static const struct {
        const char *text, *says;
    } fault[] = {
        {"", "column 1: expected a number"},
        {"a +", "column 4: expected a number"},
        {"a b", "column 3: expected an operator"},
        {"(a", "column 3: expected ')'"},
        {"a = b", "column 3: expected an operator"},
        {"c > 1", "column 1: no parameter c"},
        {"sm.name", "column 1: a text alone"},
        {"sm.name == 1", "column 9: a text is compared with a number"},
        {"sm.name < 'x'", "column 9: texts can only"},
        {"-sm.name", "column 1: '-' and '!' need a number"},
        {"'lru", "column 1: a text without"},
        {"foo(1)", "column 1: no such function"},
        {"min(1)", "column 6: expected ','"},
        {"max(1, 'a')", "column 8: a function of a text"},
        {"1e999", "column 1: expected a number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof fault / sizeof fault[0]; i++) {
        struct arena arena = {0};
        struct error e = {0};
        assert_null(expr_read(fault[i].text, find, NULL, &arena, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (strncmp(e.text, fault[i].says, strlen(fault[i].says)) != 0)
            fail_msg("\"%s\": \"%s\", expected \"%s\"", fault[i].text, e.text, fault[i].says);
        arena_fini(&arena);
    }
}

/* Endless nesting and endless chains are refused, not run out of stack. */
static void depth_and_length_are_bounded(void **state)
{
    static char text[20000];
    static const char *const unit[] = {"(", "-", "1+"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct arena arena = {0};
        struct error e = {0};
        text[0] = '\0';
        for (size_t n = 0; n < 9000; n += strlen(unit[k]))
            strcat(text + n, unit[k]);
        strcat(text, "1");
        assert_null(expr_read(text, find, NULL, &arena, &e));
        assert_non_null(strstr(e.text, k == 2 ? "too long" : "nested too deeply"));
        arena_fini(&arena);
    }
}

/* Random texts of the language's own words: read and evaluated, or refused with a message. */
static void random_texts_are_read_or_refused(void **state)
{
    static const char *const word[] = {"a",  "b", "sm.name", "'x'", "1", "2.5", "(",   ")",  "+",
                                       "-",  "*", "/",       "%",   "<", "<=",  "==",  "!=", "&&",
                                       "||", "!", "min(",    ",",   " ", "\"",  "abs("};
    enum { WORDS = sizeof word / sizeof word[0], ROUNDS = 200000 };
    struct rng r;
    uint32_t good = 0;
    (void)state;
    rng_seed(&r, 1, 2);
    for (int i = 0; i < ROUNDS; i++) {
        char text[128] = "";
        struct arena arena = {0};
        struct error e = {0};
        for (uint64_t n = rng_below(&r, 10); n > 0; n--)
            strcat(text, word[rng_below(&r, WORDS)]);
        const struct expr *x = expr_read(text, find, NULL, &arena, &e);
        if (x)
            expr_true(x, look, NULL);
        else
            assert_true(strncmp(e.text, "column ", 7) == 0);
        good += x != NULL;
        arena_fini(&arena);
    }
    assert_true(good > ROUNDS / 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence_and_associativity_are_those_of_c),
        cmocka_unit_test(texts_are_compared),
        cmocka_unit_test(what_is_no_number_is_not_true),
        cmocka_unit_test(faults_name_their_column),
        cmocka_unit_test(depth_and_length_are_bounded),
        cmocka_unit_test(random_texts_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
