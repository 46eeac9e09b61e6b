/* Line streams over archives made by the xz, gzip and zstd programs, whole, concatenated, cut and
 * damaged; and zstd frames in memory. */
#include "tests/support/check.h"

#include "tests/support/folder.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "base/text/zstd_frame.h"

#include <stdlib.h>

enum { LINES = 20000 };

static const char *const packer[] = {"cat", "xz -1", "gzip", "zstd -q"};
enum { PACKERS = sizeof packer / sizeof packer[0] };

static void shell(const char *fmt, ...)
{
    char command[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    if (system(command) != 0) fail_msg("%s", command);
}

/* Line i of the reference text: lengths from 0 to a few hundred. */
static size_t reference_line(uint64_t i, char out[512])
{
    size_t n = rng_splitmix64(i) % 97 == 0 ? 400 : rng_splitmix64(i) % 40;
    for (size_t k = 0; k < n; k++)
        out[k] = (char)(' ' + rng_splitmix64(i * 1000 + k) % 90);
    out[n] = '\0';
    return n;
}

static int make_archives(void **state)
{
    if (folder_make(state)) return -1;
    FILE *f = fopen(in_folder("text"), "w");
    for (uint64_t i = 1; i <= LINES; i++) {
        char line[512];
        reference_line(i, line);
        fprintf(f, "%s\n", line);
    }
    fclose(f);
    for (int p = 0; p < PACKERS; p++)
        shell("%s < %s/text > %s/packed%d", packer[p], folder_path, folder_path, p);
    return 0;
}

static void every_archive_gives_the_same_lines(void **state)
{
    (void)state;
    for (int p = 0; p < PACKERS; p++) {
        char name[32], expected[512];
        struct error e;
        size_t len;
        snprintf(name, sizeof name, "packed%d", p);
        struct instream *s = instream_open(in_folder(name), &e);
        assert_non_null(s);
        for (uint64_t i = 1; i <= LINES; i++) {
            char *line = instream_line(s, &len, &e);
            assert_non_null(line);
            assert_int_equal(len, reference_line(i, expected));
            assert_string_equal(line, expected);
            assert_int_equal(instream_line_number(s), i);
            instream_useful(s);
        }
        assert_null(instream_line(s, &len, &e));
        assert_int_equal(e.kind, ERROR_NONE);
        assert_null(instream_line(s, &len, &e)); /* and stays at the end */
        instream_close(s);
    }
}

/* Lines until the end; *e says how it ended. */
static uint64_t count_lines(const char *path, struct error *e)
{
    uint64_t n = 0;
    *e = (struct error){0};
    struct instream *s = instream_open(path, e);
    if (!s) return 0;
    for (; instream_line(s, NULL, e); n++)
        instream_useful(s);
    instream_close(s);
    return n;
}

static void concatenated_archives_are_read_through(void **state)
{
    (void)state;
    struct error e;
    for (int p = 0; p < PACKERS; p++) {
        shell("cat %s/packed%d %s/packed%d > %s/twice", folder_path, p, folder_path, p,
              folder_path);
        assert_int_equal(count_lines(in_folder("twice"), &e), 2 * LINES);
        assert_int_equal(e.kind, ERROR_NONE);
    }
}

static void cut_archives_are_refused_at_every_length(void **state)
{
    (void)state;
    struct error e;
    for (int p = 1; p < PACKERS; p++) {
        shell("seq 300 | %s > %s/short", packer[p], folder_path);
        char *bytes;
        size_t n;
        assert_true(file_read_bytes(in_folder("short"), &bytes, &n, &e));
        for (size_t cut = 6; cut < n; cut++) { /* below 6 bytes an .xz cannot be told from text */
            count_lines(folder_file("cut", bytes, cut), &e);
            assert_int_equal(e.kind, ERROR_INPUT);
            assert_contains(e.text, "truncated");
        }
        assert_int_equal(count_lines(folder_file("cut", bytes, n), &e), 300);
        assert_int_equal(e.kind, ERROR_NONE);
        mem_free(bytes);
    }
}

static void damaged_archives_are_refused(void **state)
{
    (void)state;
    struct error e;
    for (int p = 1; p < PACKERS; p++) {
        char *bytes;
        size_t n;
        char name[32];
        snprintf(name, sizeof name, "packed%d", p);
        assert_true(file_read_bytes(in_folder(name), &bytes, &n, &e));
        for (size_t at = n / 3; at < n / 3 + 40; at++)
            bytes[at] = (char)~bytes[at];
        count_lines(folder_file("damaged", bytes, n), &e);
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_contains(e.text, "archive is");
        mem_free(bytes);
    }
}

static void plain_text_ends_as_it_likes(void **state)
{
    (void)state;
    struct error e;
    size_t len;
    assert_int_equal(count_lines(folder_text("a", ""), &e), 0);
    assert_int_equal(count_lines(folder_text("a", "\n"), &e), 1);
    assert_int_equal(count_lines(folder_text("a", "x\n\ny"), &e), 3);
    struct instream *s = instream_open(folder_text("a", "\r\nlast"), &e);
    assert_string_equal(instream_line(s, &len, &e), "");
    assert_string_equal(instream_line(s, &len, &e), "last");
    assert_int_equal(len, 4);
    instream_close(s);
    assert_null(instream_open(in_folder("absent"), &e));
    assert_contains(e.text, "absent: cannot be opened");
}

static void lines_are_bounded(void **state)
{
    (void)state;
    enum { MIB = 1024 * 1024 };
    struct error e;
    char *big = malloc(2 * MIB);
    memset(big, 'x', 2 * MIB);
    big[0] = '\n';
    big[MIB + 1] = '\n'; /* a line of exactly 1 MiB */
    assert_int_equal(count_lines(folder_file("big", big, MIB + 2), &e), 2);
    assert_int_equal(e.kind, ERROR_NONE);
    big[MIB + 1] = 'x';
    assert_int_equal(count_lines(folder_file("big", big, 2 * MIB), &e), 1);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "big:2: the line is longer than 1 MiB");
    free(big);
}

/* A few kilobytes of an archive hold gigabytes of lines: reading ends where none of them was useful
 * for long, whether they are empty or not, and goes on where one was. */
static void lines_without_use_are_bounded(void **state)
{
    (void)state;
    struct error e;
    shell("yes '' | head -c 20000000 | zstd -q > %s/empty", folder_path);
    shell("yes 'a comment' | head -c 20000000 | zstd -q > %s/comments", folder_path);
    for (int k = 0; k < 2; k++) {
        struct instream *s = instream_open(in_folder(k ? "comments" : "empty"), &e);
        uint64_t bytes = 0, line = 0;
        size_t n;
        for (; instream_line(s, &n, &e); bytes += n + 1)
            if (++line == 1000) instream_useful(s);
        assert_in_range(bytes, INSTREAM_IDLE_MAX, INSTREAM_IDLE_MAX + 12 * 1001);
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_contains(e.text, ": the 2 MiB before this line have nothing to be run; ");
        assert_null(instream_line(s, &n, &e));
        instream_close(s);
        assert_true(count_lines(in_folder(k ? "comments" : "empty"), &e) > 1500000);
        assert_int_equal(e.kind, ERROR_NONE);
    }
}

static void want_of_memory_is_an_error(void **state)
{
    (void)state;
    for (int p = 0; p < PACKERS; p++) {
        char name[32];
        struct error e;
        unsigned fails = 0;
        snprintf(name, sizeof name, "packed%d", p);
        for (unsigned n = 1; n < 100; n++) {
            shim_fail_after(SHIM_ALLOC, n);
            uint64_t lines = count_lines(in_folder(name), &e);
            shim_fail_after(SHIM_ALLOC, 0);
            if (lines == LINES) break;
            assert_int_equal(e.kind, ERROR_RUN);
            fails++;
        }
        assert_in_range(fails, 3, 20);
    }
}

static void frames_unpack_to_what_was_packed(void **state)
{
    (void)state;
    enum { N = 100000 };
    static unsigned char data[N], back[N];
    struct zstd_frame *c = zstd_frame_new();
    assert_non_null(c);
    for (size_t i = 0; i < N; i++)
        data[i] = (unsigned char)(rng_splitmix64(i / 7) % 50);
    for (size_t n = 0; n <= N; n = n * 3 + 1) {
        size_t cap = zstd_frame_bound(n);
        unsigned char *packed = malloc(cap + 1);
        size_t got = zstd_frame_pack(c, packed, cap, data, n, 3);
        assert_in_range(got, 1, cap);
        memset(back, 0xEE, N);
        assert_true(zstd_frame_unpack(c, back, n, packed, got));
        assert_true(zstd_frame_holds(packed, got, n));
        assert_false(zstd_frame_holds(packed, got, n + 1));
        assert_memory_equal(back, data, n);
        assert_false(zstd_frame_unpack(c, back, n + 1, packed, got));
        if (n) assert_false(zstd_frame_unpack(c, back, n - 1, packed, got));
        assert_false(zstd_frame_unpack(c, back, n, packed, got - 1));
        packed[got] = 0;
        assert_false(zstd_frame_unpack(c, back, n, packed, got + 1));
        if (n > 100) assert_int_equal(zstd_frame_pack(c, packed, 5, data, n, 3), 0);
        free(packed);
    }
    zstd_frame_free(c);
    zstd_frame_free(NULL);
    shim_fail_after(SHIM_ALLOC, 1);
    assert_null(zstd_frame_new());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_archive_gives_the_same_lines),
        cmocka_unit_test(concatenated_archives_are_read_through),
        cmocka_unit_test(cut_archives_are_refused_at_every_length),
        cmocka_unit_test(damaged_archives_are_refused),
        cmocka_unit_test(plain_text_ends_as_it_likes),
        cmocka_unit_test(lines_are_bounded),
        cmocka_unit_test(lines_without_use_are_bounded),
        cmocka_unit_test(want_of_memory_is_an_error),
        cmocka_unit_test(frames_unpack_to_what_was_packed),
    };
    return cmocka_run_group_tests(tests, make_archives, folder_remove);
}
