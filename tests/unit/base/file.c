/* Atomic writing under every failure, reading, paths. */
#include "tests/support/check.h"

#include "tests/support/folder.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/rng.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void assert_holds(const char *path, const char *expected)
{
    char *bytes;
    size_t n;
    struct error e;
    assert_true(file_read(path, &bytes, &n, &e));
    assert_int_equal(n, strlen(expected));
    assert_string_equal(bytes, expected);
    mem_free(bytes);
}

static bool write_text(const char *path, const char *text, struct error *e)
{
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    outfile_write(f, text, strlen(text));
    return outfile_commit(f, e);
}

static void writing_replaces_at_commit_only(void **state)
{
    (void)state;
    struct error e;
    const char *path = folder_text("replace", "old");
    struct outfile *f = outfile_open(path, &e);
    assert_non_null(f);
    outfile_write(f, "new ", 4);
    outfile_printf(f, "%d %s", 42, "lines");
    assert_int_equal(outfile_tell(f), 12);
    assert_holds(path, "old");
    assert_true(outfile_commit(f, &e));
    assert_holds(path, "new 42 lines");
    assert_int_equal(folder_entries(), 1);
}

static void abort_leaves_nothing(void **state)
{
    (void)state;
    int before = folder_entries();
    struct outfile *f = outfile_open(in_folder("aborted"), NULL);
    outfile_write(f, "x", 1);
    outfile_abort(f);
    outfile_abort(NULL);
    assert_int_equal(folder_entries(), before);
}

static void large_writes_arrive_whole(void **state)
{
    (void)state;
    enum { N = 400 * 1000 };
    static char data[N + 1];
    struct rng r;
    struct error e;
    rng_seed(&r, 1, 1);
    for (size_t i = 0; i < N; i++)
        data[i] = (char)('a' + rng_below(&r, 26));
    struct outfile *f = outfile_open(in_folder("large"), &e);
    for (size_t at = 0; at < N;) {
        size_t n = rng_below(&r, rng_below(&r, 10) ? 3000 : 150000);
        if (n > N - at) n = N - at;
        outfile_write(f, data + at, n);
        at += n;
    }
    assert_int_equal(outfile_tell(f), N);
    assert_true(outfile_commit(f, &e));
    assert_holds(in_folder("large"), data);
    struct filemap m;
    assert_true(filemap_open(&m, in_folder("large"), &e));
    assert_int_equal(m.n, N);
    assert_memory_equal(m.bytes, data, N);
    filemap_close(&m);
    f = outfile_open(in_folder("large"), &e);
    outfile_printf(f, "%s", data); /* longer than printf's own buffer */
    assert_true(outfile_commit(f, &e));
    assert_holds(in_folder("large"), data);
}

static void any_failing_call_leaves_the_old_file(void **state)
{
    (void)state;
    static const enum shim kinds[] = {SHIM_ALLOC, SHIM_OPEN, SHIM_WRITE, SHIM_FSYNC, SHIM_RENAME};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *path = folder_text("kept", "old");
        int before = folder_entries();
        unsigned fails = 0;
        for (unsigned n = 1;; n++, fails++) {
            struct error e = {0};
            shim_fail_after(kinds[k], n);
            bool ok = write_text(path, "new", &e);
            shim_fail_after(kinds[k], 0);
            if (ok) break;
            assert_int_equal(e.kind, ERROR_RUN);
            if (kinds[k] != SHIM_ALLOC) assert_contains(e.text, path);
            assert_holds(path, "old");
            assert_int_equal(folder_entries(), before);
        }
        assert_true(fails >= 1);
        assert_holds(path, "new");
    }
}

static void a_full_disk_is_one_clear_error(void **state)
{
    (void)state;
    struct error e = {0};
    assert_false(write_text("/dev/full", "some bytes", &e));
    assert_int_equal(e.kind, ERROR_RUN);
    assert_contains(e.text, "/dev/full");
    assert_contains(e.text, "No space left");
    struct stat st;
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode)); /* written to, not replaced */
}

static void links_and_modes_are_kept(void **state)
{
    (void)state;
    struct stat st;
    const char *path = folder_text("behind", "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("behind", in_folder("link")), 0);
    assert_true(write_text(in_folder("link"), "new", NULL));
    assert_int_equal(lstat(in_folder("link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds(path, "new");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

static void unwritable_places_are_refused(void **state)
{
    (void)state;
    struct error e;
    assert_false(write_text(in_folder("no/such/file"), "x", &e));
    assert_contains(e.text, "No such file or directory");
    assert_false(write_text(folder_path, "x", &e)); /* a directory */
    assert_contains(e.text, "directory");
}

static void reading_says_what_is_wrong(void **state)
{
    (void)state;
    struct error e;
    char *bytes;
    size_t n;
    struct filemap m;
    assert_false(file_read(in_folder("absent"), &bytes, &n, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, "absent: cannot be opened: No such file");
    assert_null(bytes);
    assert_false(file_read(folder_path, &bytes, &n, &e));
    assert_contains(e.text, "directory");
    assert_false(filemap_open(&m, folder_path, &e));
    assert_false(filemap_open(&m, in_folder("absent"), &e));
    assert_true(filemap_open(&m, folder_text("empty", ""), &e));
    assert_int_equal(m.n, 0);
    filemap_close(&m);
    assert_holds(in_folder("empty"), "");
    for (unsigned k = 1; k < 3; k++) {
        shim_fail_after(SHIM_ALLOC, 1);
        shim_fail_after(SHIM_OPEN, k == 2);
        assert_false(file_read(in_folder("empty"), &bytes, &n, &e));
    }
    shim_fail_after(SHIM_ALLOC, 0);
}

static void assert_refused(const char *path, const char *says)
{
    struct error e;
    char *bytes;
    size_t n;
    assert_false(file_read(path, &bytes, &n, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, path);
    assert_contains(e.text, says);
    assert_null(bytes);
    struct instream *s = instream_open(path, &e);
    if (s) assert_null(instream_line(s, &n, &e));
    instream_close(s);
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_contains(e.text, path);
}

/* Devices, files of the kernel's, holes, and pipes whose writers never end. */
static void reading_ends_where_a_file_does_not(void **state)
{
    (void)state;
    static const char *const device[] = {"/dev/zero", "/dev/urandom", "/dev/null", "/dev/full"};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        assert_refused(device[i], "cannot be opened: it is neither a regular file nor a pipe");
    assert_refused("/proc/self/pagemap", "cannot be opened: it is a file of the kernel's");
    assert_refused("/proc/self/fd", "directory");
    assert_int_equal(truncate(folder_text("hole", "name = 1;"), (off_t)1 << 40), 0);
    assert_refused(in_folder("hole"), "hole: more than 16 MiB; ");
    static const struct {
        const char *writer, *says;
    } endless[] = {{"cat /dev/zero", "a NUL"},
                   {"cat /dev/urandom", ""},
                   {"yes '# nothing'", ": more than 16 MiB; "}};
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        char path[32], *bytes;
        size_t n;
        struct error e;
        FILE *pipe = popen(endless[i].writer, "r");
        assert_non_null(pipe);
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(pipe));
        assert_false(file_read(path, &bytes, &n, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_contains(e.text, endless[i].says);
        pclose(pipe);
    }
}

static void paths_and_folders(void **state)
{
    (void)state;
    struct error e;
    char *p = file_join("a/", "b");
    assert_string_equal(p, "a/b");
    mem_free(p);
    p = file_join("a", "b/c");
    assert_string_equal(p, "a/b/c");
    mem_free(p);
    assert_true(file_make_dirs(in_folder("x/y/z"), &e));
    assert_true(file_make_dirs(in_folder("x/y/z"), &e)); /* there already */
    assert_true(file_is_dir(in_folder("x/y/z")));
    folder_text("plain", "");
    assert_false(file_make_dirs(in_folder("plain/z"), &e));
    assert_true(file_exists(in_folder("plain")));
    assert_false(file_is_dir(in_folder("plain")));
    assert_false(file_exists(in_folder("plain2")));
}

static void the_cache_folder_follows_xdg(void **state)
{
    (void)state;
    setenv("XDG_CACHE_HOME", in_folder("cache"), 1);
    char *p = file_cache_dir();
    assert_string_equal(p, in_folder("cache/plumb"));
    assert_true(file_is_dir(p));
    mem_free(p);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", folder_path, 1);
    p = file_cache_dir();
    assert_string_equal(p, in_folder(".cache/plumb"));
    mem_free(p);
    setenv("XDG_CACHE_HOME", in_folder("plain"), 1); /* a file stands there */
    assert_null(file_cache_dir());
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_null(file_cache_dir());
}

/* Five files of 10 bytes, written in another order than that of their ages. */
static void the_oldest_files_are_trimmed(void **state)
{
    (void)state;
    char name[5][16];
    for (int i = 0; i < 5; i++) {
        struct timespec at[2] = {{.tv_sec = 1000 + i * 3 % 5}, {.tv_sec = 1000 + i * 3 % 5}};
        snprintf(name[i], sizeof name[i], "%d.made", i);
        const char *path = folder_file(name[i], "0123456789", 10);
        assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
    }
    folder_file("kept.other", "0123456789", 10);
    file_trim(folder_path, ".made", 50);
    for (int i = 0; i < 5; i++)
        assert_true(file_exists(in_folder(name[i])));
    file_trim(folder_path, ".made", 29);
    for (int i = 0; i < 5; i++) /* ages 0, 3, 1, 4, 2: the three oldest are 0, 2, 4 */
        assert_int_equal(file_exists(in_folder(name[i])), i == 1 || i == 3);
    file_trim(folder_path, ".made", 0);
    assert_false(file_exists(in_folder(name[3])));
    assert_true(file_exists(in_folder("kept.other")));
    file_trim(in_folder("nowhere"), ".made", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_replaces_at_commit_only),
        cmocka_unit_test(abort_leaves_nothing),
        cmocka_unit_test(large_writes_arrive_whole),
        cmocka_unit_test(any_failing_call_leaves_the_old_file),
        cmocka_unit_test(a_full_disk_is_one_clear_error),
        cmocka_unit_test(links_and_modes_are_kept),
        cmocka_unit_test(unwritable_places_are_refused),
        cmocka_unit_test(reading_says_what_is_wrong),
        cmocka_unit_test(reading_ends_where_a_file_does_not),
        cmocka_unit_test(paths_and_folders),
        cmocka_unit_test(the_cache_folder_follows_xdg),
        cmocka_unit_test(the_oldest_files_are_trimmed),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
