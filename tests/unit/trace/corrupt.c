/* Damaged files: one clear error, whatever byte is wrong and wherever the file ends; no memory: the
 * same. */
#include "tests/support/trace_support.h"
#include "trace/plt/repack.h"

#include <string.h>
#include <unistd.h>

static unsigned char *whole;
static size_t whole_n;

static int make_file(void **state)
{
    (void)state;
    struct error e;
    const char *cfg = scratch_path("whole.cfg"), *path = scratch_path("whole.plt");
    FILE *f = fopen(cfg, "w");
    fputs("generator = \"gather\"; ctas = 6; warps_per_cta = 2; iterations = 3; footprint = 4096;",
          f);
    fclose(f);
    struct program *p = program_open(cfg, NULL, &e);
    if (!p || !program_repack(p, path, "a test", &e)) return -1;
    program_close(p);
    unlink(cfg);
    char *bytes;
    bool ok = file_read_bytes(path, &bytes, &whole_n, &e);
    whole = (unsigned char *)bytes;
    unlink(path);
    return ok ? 0 : -1;
}

static int drop_file(void **state)
{
    (void)state;
    mem_free(whole);
    return 0;
}

static void put(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* Opening or checking fails with an input error that names the file. */
static void assert_refused(const char *path, size_t k)
{
    struct error e = {0};
    struct program *p = program_open(path, NULL, &e);
    bool fine = p && program_verify(p, &e);
    program_close(p);
    if (fine) fail_msg("damage at byte %zu was not seen", k);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_non_null(strstr(e.text, path));
    assert_null(strchr(e.text, '\n'));
}

static void every_flipped_byte_is_seen(void **state)
{
    (void)state;
    const char *path = scratch_path("flipped.plt");
    for (size_t k = 0; k < whole_n; k += k < 256 || k + 512 > whole_n ? 1 : 7) {
        whole[k] ^= (unsigned char)(1u << k % 8);
        put(path, whole, whole_n);
        assert_refused(path, k);
        whole[k] ^= (unsigned char)(1u << k % 8);
    }
    unlink(path);
}

static void every_truncation_is_seen(void **state)
{
    (void)state;
    const char *path = scratch_path("cut.plt");
    for (size_t k = 0; k < whole_n; k += k < 256 || k + 256 > whole_n ? 1 : 11) {
        put(path, whole, k);
        assert_refused(path, k);
    }
    unlink(path);
}

static void appended_bytes_are_seen(void **state)
{
    (void)state;
    const char *path = scratch_path("longer.plt");
    unsigned char *longer = mem_new(whole_n + 1, 1);
    memcpy(longer, whole, whole_n);
    put(path, longer, whole_n + 1);
    assert_refused(path, whole_n);
    mem_free(longer);
    unlink(path);
}

static void other_versions_are_named(void **state)
{
    (void)state;
    struct error e = {0};
    const char *path = scratch_path("version.plt");
    whole[8] ^= 2;
    put(path, whole, whole_n);
    whole[8] ^= 2;
    assert_null(program_open(path, NULL, &e));
    assert_non_null(strstr(e.text, "version 3; this program reads version 1"));
    unlink(path);
}

/* Fails the n-th allocation, for every n, until all goes well. */
static void failing_allocations_are_told(void **state)
{
    (void)state;
    const char *path = scratch_path("memory.plt"), *copy = scratch_path("memory2.plt");
    put(path, whole, whole_n);
    unsigned n = 1;
    for (bool ok = false; !ok; n++) {
        struct error e = {0};
        shim_fail_after(SHIM_ALLOC, n);
        struct program *p = program_open(path, NULL, &e);
        ok = p && program_verify(p, &e) && program_repack(p, copy, "again", &e);
        shim_fail_after(SHIM_ALLOC, 0);
        program_close(p);
        assert_true(ok || e.kind != ERROR_NONE);
        if (!ok) assert_false(file_exists(copy));
    }
    assert_true(n > 30);
    unlink(path);
    unlink(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_byte_is_seen),   cmocka_unit_test(every_truncation_is_seen),
        cmocka_unit_test(appended_bytes_are_seen),      cmocka_unit_test(other_versions_are_named),
        cmocka_unit_test(failing_allocations_are_told),
    };
    return cmocka_run_group_tests(tests, make_file, drop_file);
}
