/* Does a text of a user stay text wherever it goes: on a terminal, in a shell's command, in CSV,
 * HTML, JSON and configuration files? */
#include "base/text/quote.h"

#include "base/shown.h"
#include "base/text/conf.h"
#include "base/text/json.h"
#include "base/text/sha256.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <string.h>

static const char *const hostile[] = {
    "plain",
    "",
    "a b",
    "n\ntouch INJECTED\n#",
    "'; touch INJECTED; '",
    "\"quoted\", $(touch INJECTED) `touch INJECTED` \\",
    "\\'\\\\'",
    "\033[31mred\007\r\b",
    "</script><script>alert(1)</script>&amp;<!--",
    "\xe2\x80\xaegnp.exe\xe2\x81\xa6 \xe2\x80\x8f",
    "\xc2\x9b"
    "31m \x9b"
    "31m \xff\xfe \xc0\x80",
    "-n",
    "--output=x",
    "a,b;c\td",
    "\xe2\x80\xa8line\xe2\x80\xa9",
    "*?[a]{1..3}~!",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static const char *shown(const char *s, struct text *t)
{
    text_fini(t);
    text_add_shown(t, "%s", s);
    return text_str(t);
}

static void what_a_terminal_obeys_is_shown(void **state)
{
    (void)state;
    struct text t = {0};
    assert_string_equal(shown("\033[31mb\007\n", &t), "?[31mb??");
    assert_string_equal(shown("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xd7\xa9", &t),
                        "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xd7\xa9"); /* letters stay */
    assert_string_equal(shown("a\xc2\x9b"
                              "b\x9b"
                              "c\x7f"
                              "d",
                              &t),
                        "a?b?c?d"); /* C1, DEL */
    assert_string_equal(shown("\xe2\x80\xae"
                              "a\xe2\x81\xa9"
                              "b\xd8\x9c",
                              &t),
                        "?a?b?");
    assert_string_equal(shown("\xe2\x82", &t), "??"); /* cut short */
    text_fini(&t);
}

/* The controls of the format stay, those of the arguments do not, wherever they stand. */
static void a_line_stays_a_line(void **state)
{
    (void)state;
    struct text t = {0};
    text_add_shown(&t, "\r%s: %d\n%s\n", "a\nb", 7, "\r\033[K");
    assert_string_equal(text_str(&t), "\ra?b: 7\n??[K\n");
    text_fini(&t);
    text_add_shown(&t, "%s\n%s", "\n\n", "\n");
    assert_string_equal(text_str(&t), "??\n?");
    text_fini(&t);
    for (int i = 0; i < HOSTILE; i++) {
        text_add_shown(&t, "%s\n", hostile[i]);
        char *end = strchr(text_str(&t), '\n');
        assert_true(end && end[1] == '\0');
        assert_true(shown_as_is(hostile[i]) == (strncmp(t.s, hostile[i], t.len - 1) == 0));
        text_fini(&t);
    }
}

static void cleaning_keeps_what_is_shown(void **state)
{
    (void)state;
    char lines[] = "a\n\033b\xe2\x80\xae"
                   "c\n";
    assert_int_equal(shown_clean(lines, strlen(lines), true), 7);
    assert_string_equal(lines, "a\n?b?c\n");
    char one[] = "a\nb";
    assert_int_equal(shown_clean(one, 3, false), 3);
    assert_string_equal(one, "a?b");
}

/* A shell reads the word as it was, and runs nothing. */
static void a_shell_reads_one_word(void **state)
{
    (void)state;
    for (int i = 0; i < HOSTILE; i++) {
        struct text command = {0};
        char got[512];
        text_add(&command, "printf '%%s:%%s' $# x; f() { printf '%%s:%%s' $# \"$1\"; }; f ");
        quote_shell(&command, hostile[i]);
        FILE *f = popen(text_str(&command), "r");
        assert_non_null(f);
        got[fread(got, 1, sizeof got - 1, f)] = '\0';
        assert_int_equal(pclose(f), 0);
        assert_memory_equal(got, "0:x1:", 5);
        assert_string_equal(got + 5, hostile[i]);
        text_fini(&command);
    }
}

/* A file's name stays one word that no command takes for an option. */
static void a_command_has_the_words_that_it_was_given(void **state)
{
    (void)state;
    struct text t = {0};
    quote_command(&t, "plumb report %s -o %s", "-x y", "-");
    assert_string_equal(text_str(&t), "plumb report './-x y' -o ./-");
    text_fini(&t);
    quote_command(&t, "--set %s", "l2.sizes=[1, 2]");
    assert_string_equal(text_str(&t), "--set 'l2.sizes=[1, 2]'");
    text_fini(&t);
    for (int i = 0; i < HOSTILE; i++) {
        char got[512], want[512];
        text_add(&t, "f() { printf '%%s:%%s' $# \"$1\"; }; ");
        quote_command(&t, "f %s", hostile[i]);
        FILE *f = popen(text_str(&t), "r");
        assert_non_null(f);
        got[fread(got, 1, sizeof got - 1, f)] = '\0';
        assert_int_equal(pclose(f), 0);
        snprintf(want, sizeof want, "1:%s%s", *hostile[i] == '-' ? "./" : "", hostile[i]);
        assert_string_equal(got, want);
        text_fini(&t);
    }
}

static const char *csv(const char *s, struct text *t)
{
    text_fini(t);
    quote_csv(t, s);
    return text_str(t);
}

static void a_field_of_csv_is_one(void **state)
{
    (void)state;
    struct text t = {0};
    assert_string_equal(csv("plain", &t), "plain");
    assert_string_equal(csv("a,b", &t), "\"a,b\"");
    assert_string_equal(csv("say \"no\"", &t), "\"say \"\"no\"\"\"");
    assert_string_equal(csv("a\nb\033", &t), "a?b?");
    assert_string_equal(csv("\"", &t), "\"\"\"\"");
    text_fini(&t);
}

static void markup_holds_no_markup(void **state)
{
    (void)state;
    struct text t = {0};
    quote_html(&t, "<b a='1' c=\"2\">&\033");
    assert_string_equal(text_str(&t), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;?");
    text_fini(&t);
}

static void a_configuration_reads_back(void **state)
{
    (void)state;
    for (int i = 0; i < HOSTILE; i++) {
        struct text t = {0};
        struct error e = {0};
        text_add(&t, "a = ");
        quote_conf(&t, hostile[i]);
        text_add(&t, ";\n");
        assert_ptr_equal(strchr(t.s, '\n'), t.s + t.len - 1);
        struct conf *c = conf_parse(text_str(&t), "test", &e);
        if (!c) fail_msg("%s: %s", text_str(&t), e.text);
        assert_string_equal(conf_text(conf_find(conf_root(c), "a")), hostile[i]);
        conf_free(c);
        text_fini(&t);
    }
}

/* A terminal may show JSON as it is. */
static void json_holds_no_control(void **state)
{
    (void)state;
    struct text t = {0};
    struct json j;
    json_init(&j, &t);
    json_string(&j, "\033\x7f\xc2\x9b\xe2\x80\xae\xc3\xa4");
    assert_string_equal(text_str(&t), "\"\\u001b\\u007f\\u009b\\u202e\xc3\xa4\"");
    text_fini(&t);
}

/* Examples of FIPS 180-4, and of a length at which the padding takes a block of its own. */
static void sha256_is_the_standards(void **state)
{
    (void)state;
    static char million[1000000];
    char out[SHA256_BASE64];
    sha256_base64("", 0, out);
    assert_string_equal(out, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    sha256_base64("abc", 3, out);
    assert_string_equal(out, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    sha256_base64("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, out);
    assert_string_equal(out, "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
    memset(million, 'a', sizeof million);
    sha256_base64(million, sizeof million, out);
    assert_string_equal(out, "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_terminal_obeys_is_shown),
        cmocka_unit_test(a_line_stays_a_line),
        cmocka_unit_test(cleaning_keeps_what_is_shown),
        cmocka_unit_test(a_shell_reads_one_word),
        cmocka_unit_test(a_command_has_the_words_that_it_was_given),
        cmocka_unit_test(a_field_of_csv_is_one),
        cmocka_unit_test(markup_holds_no_markup),
        cmocka_unit_test(a_configuration_reads_back),
        cmocka_unit_test(json_holds_no_control),
        cmocka_unit_test(sha256_is_the_standards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
