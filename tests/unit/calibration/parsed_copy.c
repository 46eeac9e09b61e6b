/* parsed_copy.c - is what was read from a calibration's text kept, and read again only where it is
 * of the same text and undamaged? */
#include "calibration/parsed_copy.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/calibration_copy.h"
#include "detailed/core/sim.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/kept_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char KIND[] = "test 1";

static int make_folder(void **state)
{
    if (folder_make(state) != 0) return -1;
    setenv("XDG_CACHE_HOME", in_folder("cache"), 1);
    folder_text("a.cfg", "a = 1;\n");
    return 0;
}

static int remove_folder(void **state)
{
    unsetenv("XDG_CACHE_HOME");
    return folder_remove(state);
}

static struct parsed_copy find_copy(const char *name, const char *kind)
{
    struct parsed_copy k;
    parsed_copy_find(&k, in_folder(name), kind);
    return k;
}

/* "": there is none. */
static void read_copy(const char *name, const char *kind, char out[16])
{
    struct parsed_copy k = find_copy(name, kind);
    size_t n = 0;
    char *bytes = parsed_copy_read(&k, &n);
    assert_true(n < 16);
    if (bytes) memcpy(out, bytes, n);
    out[n] = '\0';
    mem_free(bytes);
    parsed_copy_fini(&k);
}

static void expect_copy(const char *name, const char *kind, const char *wanted)
{
    char is[16];
    read_copy(name, kind, is);
    assert_string_equal(is, wanted);
}

static void write_copy(const char *name)
{
    struct parsed_copy k = find_copy(name, KIND);
    parsed_copy_write(&k, "abc", 3, "de", 2);
    parsed_copy_fini(&k);
}

static void test_kept(void **state)
{
    (void)state;
    expect_copy("a.cfg", KIND, "");
    write_copy("a.cfg");
    expect_copy("a.cfg", KIND, "abcde");
    expect_copy("a.cfg", "test 2", "");
    folder_text("a.cfg", "a = 2;\n");
    expect_copy("a.cfg", KIND, "");
    folder_text("a.cfg", "a = 1;\n");
    expect_copy("a.cfg", KIND, "abcde");
}

/* Each byte in turn. */
static void test_damaged(void **state)
{
    (void)state;
    write_copy("a.cfg");
    struct parsed_copy k = find_copy("a.cfg", KIND);
    struct error e = {0};
    char *bytes;
    size_t n;
    if (!file_read_bytes(k.path, &bytes, &n, &e)) fail_msg("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (char)(bytes[i] ^ 4);
        struct outfile *f = outfile_open(k.path, &e);
        if (f) outfile_write(f, bytes, n);
        if (!f || !outfile_commit(f, &e)) fail_msg("%s", e.text);
        expect_copy("a.cfg", KIND, "");
        bytes[i] = (char)(bytes[i] ^ 4);
    }
    if (truncate(k.path, (off_t)n / 2) != 0) fail();
    expect_copy("a.cfg", KIND, "");
    mem_free(bytes);
    parsed_copy_fini(&k);
}

static void test_texts_that_include(void **state)
{
    (void)state;
    folder_text("b.cfg", "@include \"a.cfg\"\n");
    struct parsed_copy k = find_copy("b.cfg", KIND);
    assert_null(k.path);
    write_copy("b.cfg");
    expect_copy("b.cfg", KIND, "");
    expect_copy("nowhere.cfg", KIND, "");
}

static void save_calibration(double error)
{
    static struct known_run run[2];
    const uint32_t cycles = metrics_key_index("cycles");
    struct error e = {0};
    for (uint32_t i = 0; i < 2; i++) {
        run[i] = (struct known_run){.program = {.hi = 1, .lo = i}, .log_sd = 0.01};
        run[i].place.param[3] = i;
        run[i].error[cycles] = error;
        run[i].has[cycles] = true;
    }
    struct calibration c = {.run = run,
                            .n = 2,
                            .raw_error = 0.25,
                            .est_version = 3,
                            .sim_version = SIM_MODEL_VERSION,
                            .machine = "rx540"};
    keep_example_runs(&c);
    if (!calibration_save(&c, in_folder("c.cal"), &e)) fail_msg("%s", e.text);
}

static void expect_calibration(double error)
{
    struct calibration c = {0};
    struct digest text;
    struct error e = {0};
    const uint32_t cycles = metrics_key_index("cycles");
    if (!calibration_read(&c, in_folder("c.cal"), &text, &e)) fail_msg("%s", e.text);
    assert_int_equal(c.n, 2);
    assert_string_equal(c.machine, "rx540");
    assert_true(c.raw_error == 0.25 && c.est_version == 3 && c.sim_version == SIM_MODEL_VERSION);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(c.run[i].program.lo == i && c.run[i].has[cycles]);
        assert_true(c.run[i].error[cycles] == error && c.run[i].log_sd == 0.01);
    }
    calibration_fini(&c);
}

/* From the text, then from the copy; then another text. */
static void test_calibration(void **state)
{
    (void)state;
    save_calibration(0.5);
    expect_calibration(0.5);
    struct parsed_copy k = find_copy("c.cal", "calibration 1");
    assert_true(k.path && file_exists(k.path));
    parsed_copy_fini(&k);
    expect_calibration(0.5);
    save_calibration(0.125);
    expect_calibration(0.125);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kept, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_damaged, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_texts_that_include, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_calibration, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
