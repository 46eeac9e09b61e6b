/* The configuration reader: values of all kinds, places in files, includes, every kind of fault. */
#include "tests/support/check.h"

#include "tests/support/folder.h"

#include "base/memory/alloc.h"
#include "base/text/conf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct conf *parse(const char *text)
{
    struct error e = {0};
    struct conf *c = conf_parse(text, "test", &e);
    if (!c) fail_msg("%s", e.text);
    return c;
}

static struct conf *load(const char *path)
{
    struct error e = {0};
    struct conf *c = conf_load(path, NULL, &e);
    if (!c) fail_msg("%s", e.text);
    return c;
}

/* The setting at a path such as "l2.frc.entries". */
static const struct conf_node *at(const struct conf *c, const char *path)
{
    const struct conf_node *n = conf_root(c);
    char part[64];
    while (n && *path) {
        size_t len = strcspn(path, ".");
        snprintf(part, sizeof part, "%.*s", (int)len, path);
        n = conf_find(n, part);
        path += len + (path[len] == '.');
    }
    return n;
}

static int64_t integer(const struct conf *c, const char *path)
{
    int64_t v = 0;
    const struct conf_node *n = at(c, path);
    if (!n || !conf_int(n, &v)) fail_msg("%s is no integer", path);
    return v;
}

static void all_types(void **state)
{
    (void)state;
    struct conf *c =
        parse("b = true; f = False; i = -7; r = 2.5; s = \"a\" \"b\\n\"; g: { x = 1, y = 2 }\n"
              "l = ( 1, \"two\", { three = 3; }, (4) ); a = [ 0, 0.5, 1 ]; e = ();");
    bool b;
    double r;
    int64_t i;
    assert_true(conf_bool(at(c, "b"), &b) && b);
    assert_true(conf_bool(at(c, "f"), &b) && !b);
    assert_int_equal(integer(c, "i"), -7);
    assert_true(conf_real(at(c, "r"), &r) && r == 2.5);
    assert_true(conf_real(at(c, "i"), &r) && r == -7); /* an int serves as a real */
    assert_false(conf_int(at(c, "r"), &i));
    assert_false(conf_bool(at(c, "i"), &b));
    assert_false(conf_real(at(c, "s"), &r));
    assert_string_equal(conf_text(at(c, "s")), "ab\n");
    assert_null(conf_text(at(c, "i")));
    assert_int_equal(conf_type(at(c, "g")), CONF_GROUP);
    assert_int_equal(conf_count(at(c, "g")), 2);
    assert_string_equal(conf_name(conf_child(at(c, "g"), 1)), "y");
    const struct conf_node *l = at(c, "l");
    assert_int_equal(conf_type(l), CONF_LIST);
    assert_int_equal(conf_count(l), 4);
    assert_null(conf_name(conf_child(l, 0)));
    assert_string_equal(conf_text(conf_child(l, 1)), "two");
    assert_int_equal(conf_type(conf_find(conf_child(l, 2), "three")), CONF_INT);
    assert_null(conf_child(l, 4));
    assert_null(conf_find(l, "three"));
    assert_int_equal(conf_type(at(c, "a")), CONF_LIST);
    assert_true(conf_real(conf_child(at(c, "a"), 1), &r) && r == 0.5); /* mixed with integers */
    assert_int_equal(conf_count(at(c, "e")), 0);
    assert_int_equal(conf_count(at(c, "i")), 0);
    conf_free(c);
    conf_free(NULL);
}

static void integers_have_64_bits(void **state)
{
    (void)state;
    struct conf *c =
        parse("a = 5000000000; b = 5000000000L; c = 0x12A05F200; d = 0xFFL; e = -2147483649;\n"
              "f = 9223372036854775807; g = -9223372036854775808; h = 010; i = +3; j = 0;\n"
              "k = [ 1, 4294967296 ]; # m = 99999999999999999999\n"
              "l = \"99999999999999999999\"; /* 99999999999999999999 */ n = 7LL;");
    assert_int_equal(integer(c, "a"), 5000000000);
    assert_int_equal(integer(c, "b"), 5000000000);
    assert_int_equal(integer(c, "c"), 5000000000);
    assert_int_equal(integer(c, "d"), 255);
    assert_int_equal(integer(c, "e"), -2147483649);
    assert_true(integer(c, "f") == INT64_MAX);
    assert_true(integer(c, "g") == INT64_MIN);
    assert_int_equal(integer(c, "h"), 10); /* no octal */
    assert_int_equal(integer(c, "i"), 3);
    assert_int_equal(integer(c, "j"), 0);
    assert_int_equal(integer(c, "n"), 7);
    int64_t v;
    assert_true(conf_int(conf_child(at(c, "k"), 1), &v) && v == 4294967296);
    conf_free(c);
}

static void reals_in_every_spelling(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } spelling[] = {{"1.5", 1.5},         {".5", 0.5},     {"2.", 2},         {"1e3", 1000},
                    {"1E-3", 0.001},      {"-2e+2", -200}, {"+1.25e2", 125},  {"-.5", -0.5},
                    {"6.02e23", 6.02e23}, {"0.0", 0},      {"1e-320", 1e-320}};
    for (size_t i = 0; i < sizeof spelling / sizeof spelling[0]; i++) {
        char text[64];
        double v = NAN;
        snprintf(text, sizeof text, "x = %s;", spelling[i].text);
        struct conf *c = parse(text);
        assert_int_equal(conf_type(at(c, "x")), CONF_REAL);
        assert_true(conf_real(at(c, "x"), &v));
        assert_true(v == spelling[i].value);
        conf_free(c);
    }
}

static void places_are_kept(void **state)
{
    (void)state;
    const char *path = folder_text("places.cfg", "# comment\n"
                                                 "a = 1\n" /* no semicolon: legal */
                                                 "b = \"x\"\n"
                                                 "/* two\n lines */ c = 2.5;\n"
                                                 "g = {\n"
                                                 "  d = true;\n"
                                                 "  l = [\n"
                                                 "    1,\n"
                                                 "    2\n"
                                                 "  ];\n"
                                                 "};\n");
    struct conf *c = load(path);
    static const struct {
        const char *path;
        uint32_t line;
    } expected[] = {{"a", 2}, {"b", 3}, {"c", 5}, {"g", 6}, {"g.d", 7}, {"g.l", 8}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(conf_line(at(c, expected[i].path)), expected[i].line);
        assert_string_equal(conf_file(at(c, expected[i].path)), path);
    }
    assert_int_equal(conf_line(conf_child(at(c, "g.l"), 0)), 9);
    assert_int_equal(conf_line(conf_child(at(c, "g.l"), 1)), 10);
    assert_string_equal(conf_file(conf_root(c)), path);
    conf_free(c);
}

static void settings_after_an_include_override_it(void **state)
{
    (void)state;
    folder_text("base.cfg",
                "name = \"base\";\nl2 = { ways = 16; frc = { entries = 0; }; };\nlist = [1, 2];\n"
                "only = 1;\n");
    const char *path =
        folder_text("top.cfg", "early = 1;\nname = \"early\";\n\n@include \"base.cfg\"\n"
                               "l2 = { frc = { entries = 8; }; size = 5; };\n"
                               "list = [3];\n");
    struct conf *c = load(path);
    assert_string_equal(conf_text(at(c, "name")), "base"); /* came after */
    assert_int_equal(integer(c, "early"), 1);
    assert_int_equal(integer(c, "only"), 1);
    assert_int_equal(integer(c, "l2.ways"), 16);
    assert_int_equal(integer(c, "l2.frc.entries"), 8);
    assert_int_equal(integer(c, "l2.size"), 5);
    assert_int_equal(conf_count(at(c, "l2")), 3);
    assert_int_equal(conf_count(at(c, "list")), 1);
    assert_string_equal(conf_file(at(c, "l2.frc.entries")), path);
    assert_int_equal(conf_line(at(c, "l2.frc.entries")), 5);
    assert_string_equal(conf_file(at(c, "l2.ways")), in_folder("base.cfg"));
    assert_int_equal(conf_line(at(c, "l2.ways")), 2);
    assert_int_equal(conf_line(at(c, "list")), 6);
    conf_free(c);
}

static void includes_chain_and_search(void **state)
{
    (void)state;
    struct error e = {0};
    mkdir(in_folder("gpus"), 0777);
    mkdir(in_folder("dram"), 0777);
    folder_text("dram/hbm.cfg", "big = 5000000000;\n");
    folder_text("gpus/one.cfg", "@include \"two.cfg\"\none = 1;\n"); /* beside itself */
    folder_text("gpus/two.cfg",
                "two = 2;\nmemory = {\n  @include \"dram/hbm.cfg\"\n  after = 4;\n};\n");
    const char *path = folder_text("chain.cfg", "@include \"gpus/one.cfg\"\nlast = 9;\n");
    const char *dirs[] = {in_folder("gpus"), folder_path, NULL};
    struct conf *c = conf_load(path, dirs, &e);
    if (!c) fail_msg("%s", e.text);
    assert_int_equal(integer(c, "one"), 1);
    assert_int_equal(integer(c, "two"), 2);
    assert_int_equal(integer(c, "memory.big"), 5000000000);
    assert_int_equal(integer(c, "last"), 9);
    assert_string_equal(conf_file(at(c, "memory.big")), in_folder("dram/hbm.cfg"));
    assert_int_equal(conf_line(at(c, "memory.big")), 1);
    assert_string_equal(conf_file(at(c, "memory.after")), in_folder("gpus/two.cfg"));
    assert_int_equal(conf_line(at(c, "memory.after")), 4);
    assert_int_equal(conf_line(at(c, "last")), 2);
    conf_free(c);
    assert_null(conf_load(path, NULL, &e)); /* dram/ is not beside gpus/two.cfg */
    assert_contains(e.text, "gpus/two.cfg:3: ");
    assert_contains(e.text, "\"dram/hbm.cfg\"");
    /* The same file twice, one after the other, is no cycle. */
    c = load(folder_text("twice.cfg", "@include \"dram/hbm.cfg\"\n@include \"dram/hbm.cfg\"\n"));
    assert_int_equal(integer(c, "big"), 5000000000);
    conf_free(c);
}

static void include_cycles_are_refused(void **state)
{
    (void)state;
    struct error e = {0};
    folder_text("a.cfg", "x = 1;\n@include \"b.cfg\"\n");
    folder_text("b.cfg", "\n@include \"./a.cfg\"\n");
    assert_null(conf_load(in_folder("a.cfg"), NULL, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "b.cfg:2: ");
    assert_contains(e.text, "includes itself");
    folder_text("self.cfg", "@include \"self.cfg\"\n");
    assert_null(conf_load(in_folder("self.cfg"), NULL, &e));
    assert_contains(e.text, "self.cfg:1: ");
    for (int i = 0; i < 20; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "deep%d.cfg", i);
        snprintf(text, sizeof text, "@include \"deep%d.cfg\"\n", i + 1);
        folder_text(name, text);
    }
    assert_null(conf_load(in_folder("deep0.cfg"), NULL, &e));
    assert_contains(e.text, "deeper than 16");
}

/* Each text is refused at that line, with that word in the message. */
/* Sixteen files that include the next one thirty times would be read 30^16 times; a short file that
 * is included a thousand times is a long one. */
static void includes_end(void **state)
{
    (void)state;
    static char text[1 << 16];
    struct error e = {0};
    for (int i = 0; i < 15; i++) {
        char name[32];
        size_t n = 0;
        for (int k = 0; k < 30; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "@include \"bomb%d.cfg\"\n", i + 1);
        snprintf(name, sizeof name, "bomb%d.cfg", i);
        folder_text(name, text);
    }
    folder_text("bomb15.cfg", "");
    assert_null(conf_load(in_folder("bomb0.cfg"), NULL, &e));
    assert_contains(e.text, ".cfg:");
    assert_contains(e.text, ": more than 2 MiB are included; ");
    assert_null(conf_load(folder_text("device.cfg", "a = 1;\n@include \"/dev/zero\"\n"), NULL, &e));
    assert_contains(e.text, "/dev/zero: cannot be opened: ");
    conf_free(load(in_folder("bomb14.cfg")));
}

static void faults_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *word;
    } faults[] = {
        {"a = 1;\nb = ;\n", "t:2: ", "syntax"},
        {"a = 1;\na = 2;\n", "t:2: ", "duplicate"},
        {"\n\na = 9223372036854775808;", "t:3: ", "out of range"},
        {"a = -9223372036854775809L;", "t:1: ", "out of range"},
        {"a = 0x10000000000000000;", "t:1: ", "out of range"},
        {"a = 1e999;", "t:1: ", "too large"},
        {"a = 1;\nsize = 32KB;", "t:2: ", "32KB"},
        {"a = 1.2.3;", "t:1: ", "1.2.3"},
        {"g = {\n a = 1;\n", "t:1: ", "never closed"},
        {"g = {\n a = [1, 2;\n};", "t:3: ", "line 2"},
        {"a = 1;\n}\n", "t:2: ", "closes nothing"},
        {"a = \"open;\nb = 2;\n", "t:1: ", "not closed"},
        {"\n/* open\n\n", "t:2: ", "comment"},
        {"@include \"x.cfg\"\n", "t:1: ", "not possible"},
        {"a = 1;\n@define x\n", "t:2: ", "@include"},
        {"a = 1 b = 2 c;", "t:1: ", ""},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct error e = {0};
        assert_null(conf_parse(faults[i].text, "t", &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (strncmp(e.text, faults[i].place, strlen(faults[i].place)) != 0 ||
            !strstr(e.text, faults[i].word))
            fail_msg("%s: %s", faults[i].text, e.text);
    }
}

static void faults_in_files_name_the_file(void **state)
{
    (void)state;
    struct error e = {0};
    folder_text("bad.cfg", "x = 1;\ny = 99999999999999999999;\n");
    const char *path = folder_text("outer.cfg", "g = {\n@include \"bad.cfg\"\n};\n");
    assert_null(conf_load(path, NULL, &e));
    assert_contains(e.text, in_folder("bad.cfg:2: "));
    folder_text("bad.cfg", "x = 1;\ny == 2;\n");
    assert_null(conf_load(path, NULL, &e));
    assert_contains(e.text, in_folder("bad.cfg:2: "));
    folder_text("bad.cfg", "x = { y = 1;\n");
    assert_null(conf_load(path, NULL, &e));
    assert_contains(e.text, in_folder("bad.cfg:1: "));
    assert_null(conf_load(folder_text("q.cfg", "@include bad.cfg\n"), NULL, &e));
    assert_contains(e.text, "q.cfg:1: ");
    assert_null(conf_load(in_folder("absent.cfg"), NULL, &e));
    assert_contains(e.text, "absent.cfg: cannot be opened: No such file");
    assert_null(conf_load(folder_path, NULL, &e));
    assert_contains(e.text, "directory");
    assert_null(conf_load(folder_file("nul.cfg", "a = 1;\0b", 8), NULL, &e));
    assert_contains(e.text, "NUL");
}

/* Every way to end a text in the middle of a token, in a buffer of exactly its size. */
static void texts_may_end_anywhere(void **state)
{
    (void)state;
    static const char whole[] =
        "a = -0x1FL; b = 1.5e+7; c = \"x\\\"y\"; /* d */ e = ( [ { f = 1e5 } ] ); @include \"g\"";
    for (size_t n = 0; n <= sizeof whole - 1; n++) {
        struct error e = {0};
        char *text = calloc(1, n + 1);
        memcpy(text, whole, n);
        struct conf *c = conf_parse(text, "t", &e);
        assert_true(c || strncmp(e.text, "t:1: ", 5) == 0);
        conf_free(c);
        free(text);
    }
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    struct error e = {0};
    char text[512] = "a = ";
    memset(text + 4, '(', 300);
    assert_null(conf_parse(text, "t", &e));
    assert_contains(e.text, "deeper than 64");
}

static void want_of_memory_is_an_error_without_leak(void **state)
{
    (void)state;
    folder_text("m0.cfg", "a = 1;\ng = { l = [1, 2, 3, 4, 5, 6]; s = \"text\"; };\n");
    const char *path =
        folder_text("m1.cfg", "@include \"m0.cfg\"\ng = { @include \"m0.cfg\"\n };\n");
    for (int kind = 0; kind < 2; kind++) {
        unsigned fails = 0;
        for (unsigned n = 1;; n++, fails++) {
            struct error e = {0};
            shim_fail_after(kind ? SHIM_OPEN : SHIM_ALLOC, n);
            struct conf *c = conf_load(path, NULL, &e);
            shim_fail_after(kind ? SHIM_OPEN : SHIM_ALLOC, 0);
            conf_free(c);
            if (c) break;
            assert_true(e.kind != ERROR_NONE);
        }
        assert_true(fails >= (kind ? 3 : 10));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types),
        cmocka_unit_test(integers_have_64_bits),
        cmocka_unit_test(reals_in_every_spelling),
        cmocka_unit_test(places_are_kept),
        cmocka_unit_test(settings_after_an_include_override_it),
        cmocka_unit_test(includes_chain_and_search),
        cmocka_unit_test(include_cycles_are_refused),
        cmocka_unit_test(includes_end),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(faults_in_files_name_the_file),
        cmocka_unit_test(texts_may_end_anywhere),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(want_of_memory_is_an_error_without_leak),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
