/* Does a bank survive whatever happens to its file, and leave files of others alone? */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/bank/bank.h"
#include "calibration/bank/bank_place.h"
#include "tests/support/bank_runs.h"
#include "tests/support/folder.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* --- what happens to files -------------------------------------------------------------------- */

static void expect_refused(const char *path, const char *why)
{
    struct error e = {0};
    struct bank *b = bank_open(path, BANK_MAKE, &bank_runs_today, &e);
    if (b) fail_msg("%s was opened", path);
    if (!strstr(e.text, why)) fail_msg("%s: '%s' does not say '%s'", path, e.text, why);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void other_files_stay_as_they_are(void **state)
{
    (void)state;
    const char *text =
        folder_text("notes.txt", "These notes are longer than the head of a file.\n");
    const char *link = in_folder("link.db"), *foreign = bank_runs_new_file(),
               *newer = bank_runs_new_file(), *changed = bank_runs_new_file();
    char *bytes;
    size_t n;
    expect_refused(text, "no bank");
    assert_true(file_read(text, &bytes, &n, NULL));
    assert_memory_equal(bytes, "These notes", 11);
    mem_free(bytes);
    run_sql(foreign, "CREATE TABLE mine(a); PRAGMA application_id = 5");
    expect_refused(foreign, "no bank of plumb's");
    assert_int_equal(symlink(foreign, link), 0);
    expect_refused(link, "a link");
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("/tmp/plumb-nowhere", link), 0);
    expect_refused(link, "a link");
    expect_refused(folder_path, "no regular file");
    expect_refused(in_folder("no/such/folder.db"), "cannot be opened");
    bank_close(bank_runs_open(newer));
    run_sql(newer, "PRAGMA user_version = 99");
    expect_refused(newer, "schema version 99");
    bank_close(bank_runs_open(changed));
    run_sql(changed, "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END");
    expect_refused(changed, "not those of a bank");
}

static void nothing_is_made_for_reading(void **state)
{
    (void)state;
    const char *path = bank_runs_new_file();
    struct error e = {.kind = ERROR_RUN};
    assert_null(bank_open(path, BANK_IF_THERE, &bank_runs_today, &e));
    assert_int_equal(e.kind, ERROR_NONE);
    assert_false(file_exists(path));
    bank_close(bank_runs_open(path));
    struct bank *b = bank_open(path, BANK_READ, &bank_runs_today, &e);
    assert_non_null(b);
    assert_false(bank_writable(b));
    assert_false(bank_runs_put(b, 1, 0, 0, &e));
    bank_close(b);
}

/* As root, a file of another user; else one without permission. */
static void a_bank_of_another_is_only_read(void **state)
{
    (void)state;
    const char *path = bank_runs_new_file();
    struct error e;
    struct bank *b = bank_runs_open(path);
    bank_runs_must_put(b, 1, 0, 0);
    bank_close(b);
    assert_int_equal(geteuid() == 0 ? chown(path, 65534, 65534) : chmod(path, 0400), 0);
    b = bank_runs_open(path);
    assert_false(bank_writable(b));
    assert_int_equal(bank_runs_count(b, 1), 1);
    assert_string_equal(bank_trouble(b), "");
    assert_false(bank_runs_put(b, 1, 1, 0, &e));
    assert_non_null(strstr(bank_trouble(b), "only be read"));
    assert_int_equal(bank_runs_count(b, 1), 1);
    bank_close(b);
}

static const char *damaged_name(const char *path)
{
    static char name[256];
    snprintf(name, sizeof name, "%s.damaged", path);
    return name;
}

static void a_file_in_our_place_that_is_none_is_set_aside(void **state)
{
    (void)state;
    char *path = bank_place_default(NULL);
    struct error e;
    struct outfile *f = outfile_open(path, &e);
    outfile_printf(f, "This is a text that is longer than the head of a database would be.\n");
    for (int i = 0; i < 100; i++)
        outfile_printf(f, "%d\n", i);
    assert_true(outfile_commit(f, &e));
    struct bank *b = bank_runs_open(NULL);
    assert_non_null(strstr(bank_trouble(b), "was damaged"));
    assert_true(file_exists(damaged_name(path)));
    bank_runs_must_put(b, 1, 0, 0);
    assert_int_equal(bank_runs_count(b, 1), 1);
    bank_close(b);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(damaged_name(path)), 0);
    mem_free(path);
}

/* Whatever bytes change: what comes back was put, or nothing comes back, and the bank can be used
 * again afterwards. */
static void damaged_files_give_no_wrong_run(void **state)
{
    (void)state;
    enum { TRIALS = 60, RUNS = 20 };
    const char *good = bank_runs_new_file(), *path = bank_runs_new_file();
    struct error e;
    unsigned aside = 0;
    char *bytes;
    size_t n;
    struct bank *b = bank_runs_open(good);
    for (unsigned i = 0; i < RUNS; i++)
        bank_runs_must_put(b, 1, i, i % 2 ? 0.01 : 0);
    bank_close(b);
    assert_true(file_read_bytes(good, &bytes, &n, &e));
    srand(1);
    for (int t = 0; t < TRIALS; t++) {
        FILE *f = fopen(path, "w");
        size_t keep = t % 4 == 3 ? (size_t)rand() % n : n;
        assert_int_equal(fwrite(bytes, 1, keep, f), keep);
        for (int i = 0; i < 1 << t % 8; i++) {
            fseek(f, 100 + rand() % (long)(n - 100), SEEK_SET);
            fputc(rand() & 255, f);
        }
        fclose(f);
        b = bank_open(path, BANK_MAKE, &bank_runs_today, &e);
        if (b) {
            assert_true(bank_runs_count(b, 1) <= RUNS);
            assert_true(bank_runs_count(b, 1) <= RUNS);
            bank_runs_put(b, 1, 50, 0, &e);
            assert_true(bank_runs_count(b, 1) <= RUNS + 1);
            bank_close(b);
        }
        aside += file_exists(damaged_name(path));
        unlink(damaged_name(path));
        unlink(path);
    }
    assert_true(aside > 0);
    mem_free(bytes);
}

static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    enum { ROOM = 400 << 10 };
    const char *path = bank_runs_new_file();
    struct bank *b = bank_runs_open(path);
    bank_runs_must_put(b, 1, 0, 0);
    bank_close(b);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {ROOM, ROOM};
        struct error e;
        unsigned i = 1;
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_DFL);
        b = bank_runs_open(path);
        while (i < 2000 && bank_runs_put(b, 1, i, 0, &e))
            i++;
        bool told = bank_trouble(b)[0] != '\0' && i < 2000;
        bool there = bank_runs_count(b, 1) == i;
        bank_close(b);
        _exit(told && there ? 7 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    b = bank_runs_open(path);
    assert_true(bank_runs_count(b, 1) > 10);
    bank_runs_must_put(b, 2, 0, 0);
    bank_close(b);
}

/* --- several processes ------------------------------------------------------------------------ */

static pid_t start_writer(const char *path, unsigned program, unsigned runs)
{
    pid_t child = fork();
    if (child != 0) return child;
    struct error e;
    struct bank *b = bank_open(path, BANK_MAKE, &bank_runs_today, &e);
    unsigned failed = !b;
    for (unsigned i = 0; b && i < runs; i++)
        failed += !bank_runs_put(b, program, i, 0, &e);
    bank_close(b);
    _exit(failed != 0);
}

static void processes_share_a_bank(void **state)
{
    (void)state;
    enum { WRITERS = 3, RUNS = 100 };
    const char *path = bank_runs_new_file(); /* which all of them make at once */
    pid_t child[WRITERS];
    for (unsigned i = 0; i < WRITERS; i++)
        child[i] = start_writer(path, i, RUNS);
    for (unsigned i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    struct bank *b = bank_runs_open(path), *second = bank_runs_open(path);
    for (unsigned i = 0; i < WRITERS; i++)
        assert_int_equal(bank_runs_count(b, i), RUNS);
    bank_runs_must_put(second, 9, 1, 0);
    assert_int_equal(bank_runs_count(b, 9), 1);
    bank_close(b);
    bank_close(second);
}

static void killed_writers_leave_whole_runs(void **state)
{
    (void)state;
    enum { KILLS = 20 };
    const char *path = bank_runs_new_file();
    srand(2);
    size_t before = 0;
    for (unsigned k = 0; k < KILLS; k++) {
        pid_t child = start_writer(path, 1, 100000);
        /* longer while no writer got as far as its first run: the host may be busy */
        const struct timespec wait = {.tv_nsec = 1000000 + rand() % 40000000 +
                                                 (before ? 0 : 20000000 * (long)k)};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        struct bank *b = bank_runs_open(path);
        size_t n = bank_runs_count(b, 1);
        assert_string_equal(bank_trouble(b), "");
        assert_true(n >= before);
        before = n;
        bank_close(b);
    }
    assert_true(before > 0);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void banks_are_exported_and_merged(void **state)
{
    (void)state;
    const char *copy = in_folder("copy.bank");
    struct bank *a = bank_runs_open(bank_runs_new_file()),
                *b = bank_runs_open(bank_runs_new_file());
    struct bank_import n;
    struct error e;
    for (unsigned i = 0; i < 10; i++) {
        bank_runs_must_put(a, 1, i, 0);
        bank_runs_must_put(b, 1, i + 5, 0.01 + i * 0.001);
    }
    bank_runs_must_put(b, 1, 0, 0);
    assert_true(bank_export(a, copy, &e));
    assert_true(bank_export(a, copy, &e)); /* replaces it */
    assert_true(bank_import(b, copy, &n, &e));
    assert_int_equal(n.added, 9);
    assert_int_equal(n.present, 1);
    assert_int_equal(n.left_out, 0);
    assert_int_equal(bank_runs_count(b, 1), 20);
    assert_true(bank_import(b, copy, &n, &e));
    assert_int_equal(n.added, 0);
    assert_int_equal(n.present, 10);
    assert_false(bank_import(b, bank_path(b), &n, &e));
    assert_false(bank_export(b, bank_path(b), &e));
    assert_false(bank_import(b, in_folder("nothing"), &n, &e));
    assert_false(bank_import(b, folder_text("text", "no bank at all, but a text\n"), &n, &e));
    assert_true(bank_writable(b));
    assert_int_equal(bank_runs_count(b, 1), 20);
    bank_close(a);
    bank_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_stay_as_they_are),
        cmocka_unit_test(nothing_is_made_for_reading),
        cmocka_unit_test(a_bank_of_another_is_only_read),
        cmocka_unit_test(a_file_in_our_place_that_is_none_is_set_aside),
        cmocka_unit_test(damaged_files_give_no_wrong_run),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(processes_share_a_bank),
        cmocka_unit_test(killed_writers_leave_whole_runs),
        cmocka_unit_test(banks_are_exported_and_merged),
    };
    return cmocka_run_group_tests(tests, bank_runs_make_group, folder_remove);
}
