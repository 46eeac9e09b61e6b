/* Does the bank give back what was put in, keep its bound, and survive whatever happens to its
 * file? */
#include "calibration/bank/bank.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/bank/bank_place.h"
#include "gpu/machine/machine.h"
#include "tests/support/folder.h"

#include <math.h>
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

static const struct bank_versions today = {
    .of = {[ENGINE_ESTIMATE] = 15, [ENGINE_SAMPLE] = 21, [ENGINE_SIMULATE] = 6}};
static struct machine base;
static unsigned files;

static int make_group(void **state)
{
    struct errors all = {0};
    if (folder_make(state)) return -1;
    setenv("XDG_CACHE_HOME", folder_path, 1);
    unsetenv("PLUMB_BANK");
    unsetenv("PLUMB_BANK_MB");
    return machine_load(&base, "rx540", NULL, 0, &all) ? 0 : -1;
}

/* A file that no test had before. */
static const char *new_file(void)
{
    char name[32];
    snprintf(name, sizeof name, "bank%u.db", files++);
    return in_folder(name);
}

static struct bank *open_bank(const char *path)
{
    struct error e = {0};
    struct bank *b = bank_open(path, BANK_MAKE, &today, &e);
    if (!b) fail_msg("%s", e.text);
    return b;
}

/* The i-th machine: one parameter differs. */
static const struct machine *machine_of(unsigned i)
{
    static struct machine m;
    m = base;
    m.clock.core_mhz = 1000 + i;
    return &m;
}

static struct digest program_of(unsigned i)
{
    return (struct digest){.hi = 77, .lo = i};
}

/* A third of the counts is absent. */
static const struct metrics *metrics_of(unsigned i)
{
    static struct metrics m;
    m = (struct metrics){0};
    for (uint32_t k = 0; k < METRIC_N; k++)
        if (!metric_info[k].ratio && (k == M_cycles || k % 3 != i % 3))
            metrics_set(&m, (enum metric)k, (i + 1) * 1000.0 / (k + 1));
    metrics_finish(&m);
    return &m;
}

static bool put(struct bank *b, unsigned program, unsigned machine, double log_sd, struct error *e)
{
    const struct bank_put run = {.machine = machine_of(machine),
                                 .program = program_of(program),
                                 .program_name = "a program",
                                 .engine = log_sd > 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE,
                                 .metrics = metrics_of(machine),
                                 .log_sd = log_sd};
    return bank_put(b, &run, e);
}

static void must_put(struct bank *b, unsigned program, unsigned machine, double log_sd)
{
    struct error e = {0};
    if (!put(b, program, machine, log_sd, &e)) fail_msg("%s", e.text);
}

static bool is_same(const double *a, const double *b)
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && a[i] != b[i]) return false;
    return true;
}

/* The number of the machine of a run, whose content must be that of the run that was put. */
static unsigned check_run(const struct bank_run *r)
{
    struct errors all = {0};
    static struct machine m;
    double value[METRICS_KEYS_MAX];
    assert_true(machine_parse(&m, r->config, "stored", NULL, 0, &all));
    assert_true(digest_equal(machine_digest(&m), r->machine));
    assert_string_equal(r->machine_name, "rx540");
    assert_string_equal(r->preset, "rx540");
    unsigned i = (unsigned)lround(m.clock.core_mhz) - 1000;
    bank_values(metrics_of(i), value);
    assert_true(is_same(r->simulated, value));
    assert_int_equal(r->engine, r->log_sd > 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE);
    return i;
}

/* The number of runs of a program, all of them sound. */
static size_t count_runs(struct bank *b, unsigned program)
{
    struct bank_runs r;
    struct error e = {0};
    if (!bank_find(b, program_of(program), NULL, BANK_MOST_EVER, &r, &e)) return 0;
    for (size_t i = 0; i < r.n; i++)
        check_run(&r.run[i]);
    size_t n = r.n;
    bank_runs_fini(&r);
    return n;
}

/* --- what was put ----------------------------------------------------------------------------- */

static void runs_come_back_newest_first(void **state)
{
    (void)state;
    const char *path = new_file();
    struct bank *b = open_bank(path);
    struct bank_runs r;
    struct error e;
    for (unsigned i = 0; i < 5; i++)
        must_put(b, 1, i, i == 3 ? 0.02 : 0);
    must_put(b, 2, 9, 0);
    bank_close(b);
    b = open_bank(path);
    assert_true(bank_find(b, program_of(1), NULL, 3, &r, &e));
    assert_int_equal(r.n, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(check_run(&r.run[i]), 4 - i);
    assert_true(r.run[1].log_sd == 0.02);
    assert_null(r.run[0].estimated);
    bank_runs_fini(&r);
    assert_int_equal(count_runs(b, 1), 5);
    assert_int_equal(count_runs(b, 2), 1);
    assert_int_equal(count_runs(b, 3), 0);
    assert_string_equal(bank_trouble(b), "");
    bank_close(b);
}

static void a_run_stays_unless_a_more_exact_one_comes(void **state)
{
    (void)state;
    struct bank *b = open_bank(new_file());
    struct bank_runs r;
    static const double log_sd[] = {0.02, 0.05, 0.01}, kept[] = {0.02, 0.02, 0.01};
    for (int i = 0; i < 3; i++) {
        must_put(b, 1, 0, log_sd[i]);
        assert_true(bank_find(b, program_of(1), NULL, 9, &r, NULL));
        assert_int_equal(r.n, 1);
        assert_true(r.run[0].log_sd == kept[i]);
        bank_runs_fini(&r);
    }
    must_put(b, 1, 0, 0); /* a simulation is another run */
    assert_int_equal(count_runs(b, 1), 2);
    bank_close(b);
}

static void other_versions_are_not_found(void **state)
{
    (void)state;
    const char *path = new_file();
    struct bank *b = open_bank(path);
    struct bank_status s;
    must_put(b, 1, 0, 0);
    must_put(b, 1, 1, 0.01);
    bank_close(b);
    struct bank_versions next = today;
    next.of[ENGINE_SIMULATE]++;
    b = bank_open(path, BANK_MAKE, &next, NULL);
    assert_int_equal(count_runs(b, 1), 1);
    must_put(b, 1, 0, 0);
    assert_int_equal(count_runs(b, 1), 2);
    assert_true(bank_status(b, &s, NULL));
    assert_int_equal(s.runs, 2);
    assert_int_equal(s.stale, 1);
    assert_int_equal(s.of_engine[ENGINE_SAMPLE], 1);
    assert_int_equal(s.machines, 2);
    assert_int_equal(s.n_top, 1);
    assert_int_equal(s.top[0].runs, 2);
    bank_close(b);
}

/* They depend on the runs alone, not on their order. */
static void digests_name_what_was_found(void **state)
{
    (void)state;
    struct digest d[3];
    struct bank_runs r;
    for (unsigned k = 0; k < 3; k++) {
        struct bank *b = open_bank(new_file());
        for (unsigned i = 0; i < 4; i++)
            must_put(b, 1, k == 1 ? 3 - i : i + (k == 2 && i == 3), 0);
        assert_true(bank_find(b, program_of(1), NULL, 9, &r, NULL));
        d[k] = bank_runs_digest(&r);
        bank_runs_fini(&r);
        bank_close(b);
    }
    assert_true(digest_equal(d[0], d[1]));
    assert_false(digest_equal(d[0], d[2]));
}

static void estimates_are_of_a_version(void **state)
{
    (void)state;
    struct bank *b = open_bank(new_file());
    struct bank_runs r;
    double value[METRICS_KEYS_MAX];
    const double feature[] = {1.5, -2, 3e-300};
    static const char *const version[] = {"1", "2", "3", "4"};
    bank_values(metrics_of(40), value);
    must_put(b, 1, 0, 0);
    must_put(b, 1, 1, 0);
    assert_true(bank_find(b, program_of(1), "1", 9, &r, NULL));
    struct bank_estimate item[] = {
        {.run = r.run[0].id, .estimated = value, .feature = feature, .features = 3},
        {.run = 12345, .estimated = value, .feature = NULL, .features = 0}}; /* no such run */
    bank_runs_fini(&r);
    for (int v = 0; v < 4; v++)
        assert_true(bank_put_estimates(b, version[v], item, 2, NULL));
    for (int v = 0; v < 4; v++) {
        assert_true(bank_find(b, program_of(1), version[v], 9, &r, NULL));
        assert_int_equal(r.n, 2);
        assert_null(r.run[1].estimated);
        if (v == 0) assert_null(r.run[0].estimated); /* three are kept */
        if (v > 0) assert_true(is_same(r.run[0].estimated, value));
        if (v > 0) assert_int_equal(r.run[0].features, 3);
        if (v > 0) assert_memory_equal(r.run[0].feature, feature, sizeof feature);
        bank_runs_fini(&r);
    }
    const double bad[] = {NAN};
    item[0].feature = bad;
    item[0].features = 1;
    assert_false(bank_put_estimates(b, "1", item, 1, NULL));
    bank_close(b);
}

/* --- the bound -------------------------------------------------------------------------------- */

static void the_bound_holds_and_the_newest_stay(void **state)
{
    (void)state;
    enum { RUNS = 1500 };
    const char *path = new_file();
    struct stat st;
    struct bank_runs r;
    setenv("PLUMB_BANK_MB", "1", 1);
    struct bank *b = open_bank(path);
    unsetenv("PLUMB_BANK_MB");
    for (unsigned i = 0; i < RUNS; i++) {
        must_put(b, 1 + i / 500, i, 0);
        assert_int_equal(stat(path, &st), 0);
        assert_true(st.st_size <= (1 << 20) + 65536);
    }
    assert_true(bank_find(b, program_of(3), NULL, BANK_MOST_EVER, &r, NULL));
    assert_true(r.n >= 300);
    for (unsigned i = 0; i < r.n; i++)
        assert_int_equal(check_run(&r.run[i]), RUNS - 1 - i);
    bank_runs_fini(&r);
    assert_true(count_runs(b, 1) < 500);
    uint64_t removed;
    assert_true(bank_trim(b, 256 << 10, &removed, NULL));
    assert_true(removed > 0);
    bank_close(b);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= 256 << 10);
    b = open_bank(path);
    assert_true(bank_clear(b, NULL));
    assert_int_equal(count_runs(b, 3), 0);
    must_put(b, 3, 0, 0);
    assert_int_equal(count_runs(b, 3), 1);
    bank_close(b);
}

static void other_versions_leave_first(void **state)
{
    (void)state;
    const char *path = new_file();
    struct bank_versions next = today;
    struct bank_status s;
    struct bank *b = open_bank(path);
    for (unsigned i = 0; i < 100; i++)
        must_put(b, 1, i, 0);
    bank_close(b);
    next.of[ENGINE_SIMULATE]++;
    b = bank_open(path, BANK_MAKE, &next, NULL);
    for (unsigned i = 0; i < 100; i++)
        must_put(b, 1, i, 0);
    /* the newer version's are as old as any */
    bank_close(b);
    b = open_bank(path);
    uint64_t removed;
    assert_true(bank_status(b, &s, NULL));
    assert_true(bank_trim(b, s.bytes * 3 / 4, &removed, NULL));
    assert_true(removed > 0 && removed <= 100);
    assert_int_equal(count_runs(b, 1), 100);
    bank_close(b);
}

static void bounds_are_numbers(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "x", "-1", "12 MB", "99999999999999999999"};
    const char *path = new_file();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        setenv("PLUMB_BANK_MB", wrong[i], 1);
        assert_null(bank_open(path, BANK_MAKE, &today, &e));
        assert_non_null(strstr(e.text, wrong[i]));
    }
    unsetenv("PLUMB_BANK_MB");
    assert_false(file_exists(path));
}

/* --- places ----------------------------------------------------------------------------------- */

static char *place_for(const char *option, const char *environment)
{
    char *path = NULL;
    if (environment) setenv("PLUMB_BANK", environment, 1);
    assert_true(bank_place(option, &path, NULL));
    unsetenv("PLUMB_BANK");
    return path;
}

static void options_go_before_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *option, *environment, *path;
        bool off;
    } cases[] = {{NULL, NULL, "plumb/bank.db", false}, {NULL, NULL, NULL, true},
                 {NULL, "off", NULL, false},           {NULL, "None", NULL, false},
                 {NULL, "/a/b.db", "/a/b.db", true},   {"none", "/a/b.db", NULL, false},
                 {"/c.db", "off", "/c.db", true},      {NULL, "", "plumb/bank.db", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(bank_place_switch(!cases[i].off, NULL));
        assert_int_equal(bank_place_is_off(), cases[i].off);
        char *path = place_for(cases[i].option, cases[i].environment);
        if (!cases[i].path)
            assert_null(path);
        else
            assert_non_null(strstr(path, cases[i].path));
        mem_free(path);
    }
    assert_true(bank_place_switch(true, NULL));
}

/* --- what happens to files -------------------------------------------------------------------- */

static void expect_refused(const char *path, const char *why)
{
    struct error e = {0};
    struct bank *b = bank_open(path, BANK_MAKE, &today, &e);
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
    const char *link = in_folder("link.db"), *foreign = new_file(), *newer = new_file(),
               *changed = new_file();
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
    bank_close(open_bank(newer));
    run_sql(newer, "PRAGMA user_version = 99");
    expect_refused(newer, "schema version 99");
    bank_close(open_bank(changed));
    run_sql(changed, "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END");
    expect_refused(changed, "not those of a bank");
}

static void nothing_is_made_for_reading(void **state)
{
    (void)state;
    const char *path = new_file();
    struct error e = {.kind = ERROR_RUN};
    assert_null(bank_open(path, BANK_IF_THERE, &today, &e));
    assert_int_equal(e.kind, ERROR_NONE);
    assert_false(file_exists(path));
    bank_close(open_bank(path));
    struct bank *b = bank_open(path, BANK_READ, &today, &e);
    assert_non_null(b);
    assert_false(bank_writable(b));
    assert_false(put(b, 1, 0, 0, &e));
    bank_close(b);
}

/* As root, a file of another user; else one without permission. */
static void a_bank_of_another_is_only_read(void **state)
{
    (void)state;
    const char *path = new_file();
    struct error e;
    struct bank *b = open_bank(path);
    must_put(b, 1, 0, 0);
    bank_close(b);
    assert_int_equal(geteuid() == 0 ? chown(path, 65534, 65534) : chmod(path, 0400), 0);
    b = open_bank(path);
    assert_false(bank_writable(b));
    assert_int_equal(count_runs(b, 1), 1);
    assert_string_equal(bank_trouble(b), "");
    assert_false(put(b, 1, 1, 0, &e));
    assert_non_null(strstr(bank_trouble(b), "only be read"));
    assert_int_equal(count_runs(b, 1), 1);
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
    struct bank *b = open_bank(NULL);
    assert_non_null(strstr(bank_trouble(b), "was damaged"));
    assert_true(file_exists(damaged_name(path)));
    must_put(b, 1, 0, 0);
    assert_int_equal(count_runs(b, 1), 1);
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
    const char *good = new_file(), *path = new_file();
    struct error e;
    unsigned aside = 0;
    char *bytes;
    size_t n;
    struct bank *b = open_bank(good);
    for (unsigned i = 0; i < RUNS; i++)
        must_put(b, 1, i, i % 2 ? 0.01 : 0);
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
        b = bank_open(path, BANK_MAKE, &today, &e);
        if (b) {
            assert_true(count_runs(b, 1) <= RUNS);
            assert_true(count_runs(b, 1) <= RUNS);
            put(b, 1, 50, 0, &e);
            assert_true(count_runs(b, 1) <= RUNS + 1);
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
    const char *path = new_file();
    struct bank *b = open_bank(path);
    must_put(b, 1, 0, 0);
    bank_close(b);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {ROOM, ROOM};
        struct error e;
        unsigned i = 1;
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_DFL);
        b = open_bank(path);
        while (i < 2000 && put(b, 1, i, 0, &e))
            i++;
        bool told = bank_trouble(b)[0] != '\0' && i < 2000;
        bool there = count_runs(b, 1) == i;
        bank_close(b);
        _exit(told && there ? 7 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    b = open_bank(path);
    assert_true(count_runs(b, 1) > 10);
    must_put(b, 2, 0, 0);
    bank_close(b);
}

/* --- several processes ------------------------------------------------------------------------ */

static pid_t start_writer(const char *path, unsigned program, unsigned runs)
{
    pid_t child = fork();
    if (child != 0) return child;
    struct error e;
    struct bank *b = bank_open(path, BANK_MAKE, &today, &e);
    unsigned failed = !b;
    for (unsigned i = 0; b && i < runs; i++)
        failed += !put(b, program, i, 0, &e);
    bank_close(b);
    _exit(failed != 0);
}

static void processes_share_a_bank(void **state)
{
    (void)state;
    enum { WRITERS = 3, RUNS = 100 };
    const char *path = new_file(); /* which all of them make at once */
    pid_t child[WRITERS];
    for (unsigned i = 0; i < WRITERS; i++)
        child[i] = start_writer(path, i, RUNS);
    for (unsigned i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    struct bank *b = open_bank(path), *second = open_bank(path);
    for (unsigned i = 0; i < WRITERS; i++)
        assert_int_equal(count_runs(b, i), RUNS);
    must_put(second, 9, 1, 0);
    assert_int_equal(count_runs(b, 9), 1);
    bank_close(b);
    bank_close(second);
}

static void killed_writers_leave_whole_runs(void **state)
{
    (void)state;
    enum { KILLS = 20 };
    const char *path = new_file();
    srand(2);
    size_t before = 0;
    for (unsigned k = 0; k < KILLS; k++) {
        pid_t child = start_writer(path, 1, 100000);
        const struct timespec wait = {.tv_nsec = 1000000 + rand() % 40000000};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        struct bank *b = open_bank(path);
        size_t n = count_runs(b, 1);
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
    struct bank *a = open_bank(new_file()), *b = open_bank(new_file());
    struct bank_import n;
    struct error e;
    for (unsigned i = 0; i < 10; i++) {
        must_put(a, 1, i, 0);
        must_put(b, 1, i + 5, 0.01 + i * 0.001);
    }
    must_put(b, 1, 0, 0);
    assert_true(bank_export(a, copy, &e));
    assert_true(bank_export(a, copy, &e)); /* replaces it */
    assert_true(bank_import(b, copy, &n, &e));
    assert_int_equal(n.added, 9);
    assert_int_equal(n.present, 1);
    assert_int_equal(n.left_out, 0);
    assert_int_equal(count_runs(b, 1), 20);
    assert_true(bank_import(b, copy, &n, &e));
    assert_int_equal(n.added, 0);
    assert_int_equal(n.present, 10);
    assert_false(bank_import(b, bank_path(b), &n, &e));
    assert_false(bank_export(b, bank_path(b), &e));
    assert_false(bank_import(b, in_folder("nothing"), &n, &e));
    assert_false(bank_import(b, folder_text("text", "no bank at all, but a text\n"), &n, &e));
    assert_true(bank_writable(b));
    assert_int_equal(count_runs(b, 1), 20);
    bank_close(a);
    bank_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_come_back_newest_first),
        cmocka_unit_test(a_run_stays_unless_a_more_exact_one_comes),
        cmocka_unit_test(other_versions_are_not_found),
        cmocka_unit_test(digests_name_what_was_found),
        cmocka_unit_test(estimates_are_of_a_version),
        cmocka_unit_test(the_bound_holds_and_the_newest_stay),
        cmocka_unit_test(other_versions_leave_first),
        cmocka_unit_test(bounds_are_numbers),
        cmocka_unit_test(options_go_before_the_environment),
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
    return cmocka_run_group_tests(tests, make_group, folder_remove);
}
