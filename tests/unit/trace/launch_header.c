/* Is a launch's limit of warps kept in its header, told apart by the digest, and refused where it
 * is no number? */
#include "trace/program/launch_header.h"
#include "tests/support/accelsim_dirs.h"
#include "trace/accelsim/accelsim.h"
#include "trace/plt/repack.h"

#include <string.h>
#include <unistd.h>

/* A generated program that is stored with that header and limit; the caller unlinks it. */
static const char *stored(const char *name, uint32_t width, const char *header, uint32_t limit)
{
    struct error e;
    const char *cfg = scratch_path("limit.cfg"), *path = scratch_path(name);
    FILE *f = fopen(cfg, "w");
    assert_non_null(f);
    fprintf(f,
            "generator = \"stream\"; ctas = 3; warps_per_cta = 2; warp_width = %u; iterations = 2;",
            width);
    fclose(f);
    struct program *p = program_open(cfg, NULL, &e);
    check_ok(p, &e);
    struct launch *l = (struct launch *)program_launch(p, 0);
    l->header = header;
    l->resident_warps = limit;
    check_ok(program_repack(p, path, "a test", &e), &e);
    program_close(p);
    unlink(cfg);
    return path;
}

static struct program *open_ok(const char *path, uint32_t width)
{
    struct error e;
    struct program *p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    check_ok(p, &e);
    return p;
}

static void numbers_are_found_by_their_key(void **state)
{
    (void)state;
    static const char header[] = "ab = 1\nb = 0x20\nresident_warps = 7x\nc =3\nd = 4";
    static const struct {
        const char *key;
        enum launch_header_found found;
        uint64_t v;
    } want[] = {{"ab", HEADER_FOUND, 1},  {"b", HEADER_FOUND, 32},
                {"c", HEADER_ABSENT, 99}, {"resident_warps", HEADER_BAD, 99},
                {"d", HEADER_FOUND, 4},   {"e", HEADER_ABSENT, 99}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        uint64_t v = 99;
        assert_int_equal(launch_header_number(header, want[i].key, &v), want[i].found);
        assert_int_equal(v, want[i].v);
    }
}

/* In warps of 32 lanes at every width, in one line however often the program is stored anew. */
static void a_limit_is_kept(void **state)
{
    (void)state;
    const char *path = stored("kept.plt", 64, "key = value\n", 6),
               *again = scratch_path("again.plt");
    struct error e;
    for (uint32_t width = 32; width <= 64; width += 32) {
        struct program *p = open_ok(path, width);
        assert_int_equal(program_launch(p, 0)->resident_warps, 6);
        assert_string_equal(program_launch(p, 0)->header, "key = value\nresident_warps = 6\n");
        check_ok(program_verify(p, &e), &e);
        program_close(p);
    }
    struct program *p = open_ok(path, 64);
    check_ok(program_repack(p, again, "a test", &e), &e);
    struct program *q = open_ok(again, 64);
    assert_string_equal(program_launch(q, 0)->header, program_launch(p, 0)->header);
    assert_true(digest_equal(program_digest(p), program_digest(q)));
    program_close(p);
    program_close(q);
    unlink(path);
    unlink(again);
}

static struct digest digest_with(const char *header, uint32_t limit)
{
    const char *path = stored("digest.plt", 32, header, limit);
    struct program *p = open_ok(path, 0);
    struct digest d = program_digest(p);
    program_close(p);
    unlink(path);
    return d;
}

/* What is kept of a program by its digest must not serve the same program with another limit. */
static void digests_tell_limits_apart(void **state)
{
    (void)state;
    struct digest none = digest_with("", 0), six = digest_with("", 6), seven = digest_with("", 7);
    assert_false(digest_equal(none, six) || digest_equal(none, seven) || digest_equal(six, seven));
    assert_true(digest_equal(none, digest_with("key = value\n", 0)));
    assert_true(digest_equal(six, digest_with("key = value\n", 6)));
}

static void a_limit_that_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"resident_warps = 0\n", "resident_warps = x\n",
                                        "resident_warps = -1\n", "resident_warps = 4294967296\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        const char *path = stored("wrong.plt", 32, wrong[i], 0);
        assert_null(program_open(path, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_non_null(strstr(e.text, path));
        assert_non_null(strstr(e.text, "headers of launches"));
        unlink(path);
    }
}

static void traces_of_text_keep_it(void **state)
{
    (void)state;
    struct error e;
    struct text lost = {0};
    const char *path = stored("text.plt", 32, "", 5), *out = scratch_path("text");
    struct program *p = open_ok(path, 32);
    check_ok(accelsim_export(p, out, true, &lost, &e), &e);
    struct program *q = open_ok(out, 32);
    assert_int_equal(program_launch(q, 0)->resident_warps, 5);
    program_close(q);
    program_close(p);
    text_fini(&lost);
    accelsim_remove_dir(out);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_by_their_key),
        cmocka_unit_test(a_limit_is_kept),
        cmocka_unit_test(digests_tell_limits_apart),
        cmocka_unit_test(a_limit_that_is_no_number_is_refused),
        cmocka_unit_test(traces_of_text_keep_it),
    };
    return cmocka_run_group_tests(tests, accelsim_own_cache, accelsim_drop_cache);
}
