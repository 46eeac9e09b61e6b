/* JSON documents read by an independent validator of RFC 8259, and numbers read back. */
#include "tests/support/check.h"

#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "base/text/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the validator: each function skips one item, or returns NULL --- */

static const char *space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *skip_value(const char *p);

static const char *skip_string(const char *p)
{
    if (*p++ != '"') return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) return NULL;
        if (*p != '\\') continue;
        p++;
        if (*p == 'u') {
            for (int i = 1; i <= 4; i++)
                if (!isxdigit((unsigned char)p[i])) return NULL;
            p += 4;
        } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
            return NULL;
        }
    }
    return p + 1;
}

static const char *skip_digits(const char *p)
{
    const char *q = p + strspn(p, "0123456789");
    return q > p ? q : NULL;
}

static const char *skip_number(const char *p)
{
    if (*p == '-') p++;
    if (p[0] == '0' && isdigit((unsigned char)p[1])) return NULL;
    p = skip_digits(p);
    if (p && *p == '.') p = skip_digits(p + 1);
    if (p && (*p == 'e' || *p == 'E')) p = skip_digits(p + 1 + (p[1] == '+' || p[1] == '-'));
    return p;
}

static const char *skip_items(const char *p, bool object)
{
    char end = object ? '}' : ']';
    p = space(p + 1);
    if (*p == end) return p + 1;
    for (;;) {
        if (object) {
            p = skip_string(p);
            if (!p || *(p = space(p)) != ':') return NULL;
            p = space(p + 1);
        }
        p = skip_value(p);
        if (!p) return NULL;
        p = space(p);
        if (*p == end) return p + 1;
        if (*p++ != ',') return NULL;
        p = space(p);
    }
}

static const char *skip_value(const char *p)
{
    if (*p == '{' || *p == '[') return skip_items(p, *p == '{');
    if (*p == '"') return skip_string(p);
    if (strncmp(p, "true", 4) == 0) return p + 4;
    if (strncmp(p, "false", 5) == 0) return p + 5;
    return skip_number(p);
}

static bool valid(const char *document)
{
    const char *p = skip_value(space(document));
    return p && *space(p) == '\0';
}

static void validator_is_strict(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",   "{",  "[1,]", "{\"a\":}", "{\"a\" 1}", "[1 2]", "\"\n\"",    "\"\\x\"",
        "01", "1.", ".5",   "nan",      "[1]]",      "{,}",   "\"\\u12\"", "{\"a\":1,}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(valid(bad[i]));
    assert_true(valid(" {\"a\": [1, -2.5e-3, \"x\\u00e4\"], \"b\": {}, \"c\": [] }\n"));
}

/* --- the writer --- */

static void random_value(struct json *j, struct rng *r, unsigned depth);

static void random_members(struct json *j, struct rng *r, unsigned depth, bool object)
{
    uint64_t n = rng_below(r, 5);
    for (uint64_t i = 0; i < n; i++) {
        if (object) json_key(j, "key");
        random_value(j, r, depth + 1);
    }
    json_end(j);
}

static void random_value(struct json *j, struct rng *r, unsigned depth)
{
    switch (rng_below(r, depth < 6 ? 6 : 4)) {
    case 0: json_string(j, "a \"quoted\"\tword"); break;
    case 1: json_number(j, rng_unit(r) * 1e6); break;
    case 2: json_integer(j, (int64_t)rng_next(r)); break;
    case 3: json_bool(j, rng_below(r, 2) == 1); break;
    case 4:
        json_object(j);
        random_members(j, r, depth, true);
        break;
    default:
        json_array(j);
        random_members(j, r, depth, false);
        break;
    }
}

static void random_documents_are_valid(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 6, 0);
    for (int i = 0; i < 500; i++) {
        struct text t = {0};
        struct json j;
        json_init(&j, &t);
        json_object(&j);
        random_members(&j, &r, 0, true);
        assert_true(valid(text_str(&t)));
        text_fini(&t);
    }
}

static void documents_say_what_was_written(void **state)
{
    (void)state;
    struct text t = {0};
    struct json j;
    json_init(&j, &t);
    json_object(&j);
    json_key(&j, "name");
    json_string(&j, "rx570");
    json_key(&j, "l2");
    json_object(&j);
    json_key(&j, "hit_rate");
    json_number(&j, 0.1);
    json_end(&j);
    json_key(&j, "list");
    json_array(&j);
    json_integer(&j, INT64_MIN);
    json_integer(&j, 3);
    json_end(&j);
    json_key(&j, "none");
    json_array(&j);
    json_end(&j);
    json_end(&j);
    assert_string_equal(text_str(&t),
                        "{\n  \"name\": \"rx570\",\n  \"l2\": {\n    \"hit_rate\": 0.1\n"
                        "  },\n  \"list\": [-9223372036854775808, 3],\n"
                        "  \"none\": []\n}\n");
    text_fini(&t);
}

static const char *number(double v, struct text *t)
{
    struct json j;
    text_fini(t);
    json_init(&j, t);
    json_number(&j, v);
    return text_str(t);
}

static void numbers_are_the_shortest_that_read_back(void **state)
{
    (void)state;
    struct text t = {0};
    struct rng r;
    assert_string_equal(number(0.1, &t), "0.1");
    assert_string_equal(number(3, &t), "3");
    assert_string_equal(number(1.0 / 3, &t), "0.3333333333333333");
    assert_string_equal(number(5e-324, &t), "5e-324");
    assert_string_equal(number(-0.25, &t), "-0.25");
    assert_string_equal(number(1e300, &t), "1e+300");
    rng_seed(&r, 8, 0);
    for (int i = 0; i < 20000; i++) {
        union {
            uint64_t bits;
            double d;
        } u = {.bits = rng_next(&r)};
        if (!isfinite(u.d)) continue;
        const char *s = number(u.d, &t);
        assert_true(strtod(s, NULL) == u.d);
        assert_true(valid(s));
        char shorter[40];
        size_t digits = 0;
        for (const char *p = s; *p && *p != 'e'; p++)
            digits += isdigit((unsigned char)*p) != 0;
        if (digits < 2 || digits > 17) continue;
        snprintf(shorter, sizeof shorter, "%.*g", (int)digits - 1, u.d);
        if (strchr(s, 'e')) assert_true(strtod(shorter, NULL) != u.d);
    }
    text_fini(&t);
}

static const char *string(const char *s, struct text *t)
{
    struct json j;
    text_fini(t);
    json_init(&j, t);
    json_string(&j, s);
    return text_str(t);
}

static void strings_are_escaped_and_always_utf8(void **state)
{
    (void)state;
    struct text t = {0};
    assert_string_equal(string("a\"b\\c\n\x01", &t), "\"a\\\"b\\\\c\\u000a\\u0001\"");
    assert_string_equal(string("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", &t),
                        "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    assert_string_equal(string("\xe4", &t), "\"\\ufffd\"");                       /* Latin-1 */
    assert_string_equal(string("\xc0\x80", &t), "\"\\ufffd\\ufffd\"");            /* overlong */
    assert_string_equal(string("\xed\xa0\x80", &t), "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
    assert_string_equal(string("\xe2\x82", &t), "\"\\ufffd\\ufffd\"");            /* cut short */
    text_fini(&t);
}

static void want_of_memory_marks_the_text(void **state)
{
    (void)state;
    struct text t = {0};
    struct json j;
    json_init(&j, &t);
    json_array(&j);
    shim_fail_after(SHIM_ALLOC, 1);
    for (int i = 0; i < 1000; i++)
        json_number(&j, 1.5);
    json_end(&j);
    assert_true(t.failed);
    text_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validator_is_strict),
        cmocka_unit_test(random_documents_are_valid),
        cmocka_unit_test(documents_say_what_was_written),
        cmocka_unit_test(numbers_are_the_shortest_that_read_back),
        cmocka_unit_test(strings_are_escaped_and_always_utf8),
        cmocka_unit_test(want_of_memory_marks_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
