/* Does the store give back what was put in, keep runs apart, and refuse what is not its own? */
#include "sweeps/store/store.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/store/schema.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
    char dir[64], db[96];
};

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/plumb-store-XXXXXX");
    if (!mkdtemp(p->dir)) return -1;
    snprintf(p->db, sizeof p->db, "%s/results.db", p->dir);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    struct place *p = *state;
    char path[128];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", p->db, endings[i]);
        unlink(path);
    }
    rmdir(p->dir);
    free(p);
    return 0;
}

static struct run_key key_of(uint64_t machine)
{
    struct run_key k = {.machine = {machine, 2}, .program = {3, 4}, .engine = ENGINE_SAMPLE};
    k.version = 5;
    k.seed = 6;
    snprintf(k.settings, sizeof k.settings, "max_instructions=0");
    return k;
}

static const char *const paths[] = {"l2.bank_kb"}, *const values[] = {"256"};
static const struct provenance from = {.machine_name = "rx540",
                                       .machine_config = "sm : { count = 8; };",
                                       .program_name = "fwt",
                                       .program_spec = "fwt.plt",
                                       .path = paths,
                                       .value = values,
                                       .n_axes = 1};

static struct record *record_new(double cycles)
{
    struct record *r = mem_new(1, sizeof *r);
    for (uint32_t i = 0; metrics_key(i); i++) {
        r->has[i] = i % 3 != 1; /* absent ones stay absent */
        r->value[i] = r->has[i] ? cycles / (i + 1.0) : 0;
    }
    r->has_confidence = true;
    r->level = 0.95;
    r->half_width = 0.0312345678901234;
    r->intervals = 48;
    r->simulated_share = 1.0 / 3;
    snprintf(r->bottleneck, sizeof r->bottleneck, "dram");
    r->host_seconds = 0.25;
    r->n_stations = 2;
    r->station[0] = (struct station){.name = "l2", .utilization = 0.5};
    r->station[1] = (struct station){.name = "dram", .utilization = 1};
    return r;
}

static void put(struct store *s, uint64_t machine, const struct record *r)
{
    struct error e = {0};
    const struct stored_run one = {.key = key_of(machine), .from = from, .record = r};
    assert_true(store_put_all(s, &one, 1, &e));
}

static void same_record(const struct record *a, const struct record *b)
{
    assert_int_equal(a->failed, b->failed);
    assert_string_equal(a->error, b->error);
    assert_memory_equal(a->has, b->has, sizeof a->has);
    assert_memory_equal(a->value, b->value, sizeof a->value); /* bit for bit */
    assert_int_equal(a->has_confidence, b->has_confidence);
    assert_true(a->half_width == b->half_width && a->simulated_share == b->simulated_share);
    assert_int_equal(a->intervals, b->intervals);
    assert_string_equal(a->bottleneck, b->bottleneck);
}

static void what_is_put_comes_back_after_reopening(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    struct run_key k = key_of(1), other = key_of(2);
    struct record *r = record_new(1e6 / 3), *back = mem_new(1, sizeof *back);
    struct store *s = store_open(p->db, true, &e);
    assert_non_null(s);
    put(s, 1, r);
    store_close(s);
    s = store_open(p->db, false, &e);
    assert_non_null(s);
    assert_int_equal(store_get(s, &k, back, &e), STORED_DONE);
    same_record(r, back);
    assert_int_equal(store_get(s, &other, back, &e), STORED_NO);
    store_close(s);
    mem_free(r);
    mem_free(back);
}

static void runs_put_together_are_stored_all_or_none(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    struct record *a = record_new(1e6 / 3), *b = record_new(7e5), *back = mem_new(1, sizeof *back);
    struct provenance known = from;
    struct store *s = store_open(p->db, true, &e);
    assert_non_null(s);
    known.machine_config = NULL;
    struct stored_run both[] = {{.key = key_of(1), .from = from, .record = a},
                                {.key = key_of(2), .from = known, .record = b}};
    assert_false(store_put_all(s, both, 2, &e)); /* machine 2 is not known */
    assert_int_equal(store_get(s, &both[0].key, back, &e), STORED_NO);
    both[1].from = from;
    assert_true(store_put_all(s, both, 2, &e));
    both[1].key.seed++; /* another run on a machine that is */
    both[1].from = known;
    assert_true(store_put_all(s, both, 2, &e));
    store_close(s);
    s = store_open(p->db, false, &e);
    assert_int_equal(store_get(s, &both[0].key, back, &e), STORED_DONE);
    same_record(a, back);
    assert_int_equal(store_get(s, &both[1].key, back, &e), STORED_DONE);
    same_record(b, back);
    store_close(s);
    mem_free(a);
    mem_free(b);
    mem_free(back);
}

static void a_failure_is_kept_and_replaced_by_success(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    struct run_key k = key_of(1);
    struct record *good = record_new(100), *bad = mem_new(1, sizeof *bad);
    struct record *back = mem_new(1, sizeof *back);
    struct store *s = store_open(p->db, true, &e);
    bad->failed = true;
    snprintf(bad->error, sizeof bad->error, "watchdog: dram, \"quoted\"");
    put(s, 1, bad);
    assert_int_equal(store_get(s, &k, back, &e), STORED_FAILED);
    assert_string_equal(back->error, bad->error);
    put(s, 1, good);
    assert_int_equal(store_get(s, &k, back, &e), STORED_DONE);
    same_record(good, back);
    store_close(s);
    mem_free(good);
    mem_free(bad);
    mem_free(back);
}

/* Each thing that a result depends on is part of the key. */
static void every_part_of_the_key_counts(void **state)
{
    struct run_key k[8];
    char text[8][33];
    (void)state;
    for (int i = 0; i < 8; i++)
        k[i] = key_of(1);
    k[1].machine.lo++;
    k[2].program.hi++;
    k[3].calibration.lo++;
    k[4].engine = ENGINE_SIMULATE;
    k[5].version++;
    k[6].seed++;
    snprintf(k[7].settings, sizeof k[7].settings, "max_instructions=1");
    for (int i = 0; i < 8; i++)
        run_key_text(&k[i], text[i]);
    for (int i = 0; i < 8; i++)
        for (int j = i + 1; j < 8; j++)
            assert_string_not_equal(text[i], text[j]);
}

static void expect_refusal(const char *path, const char *word)
{
    struct error e = {0};
    assert_null(store_open(path, true, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_non_null(strstr(e.text, path));
    if (!strstr(e.text, word)) fail_msg("\"%s\" does not say \"%s\"", e.text, word);
}

static void execute(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void make(const char *path)
{
    struct error e = {0};
    struct record *r = record_new(1);
    struct store *s = store_open(path, true, &e);
    for (uint64_t i = 0; i < 40; i++)
        put(s, i, r);
    store_close(s);
    mem_free(r);
}

static void another_schema_version_is_refused(void **state)
{
    const struct place *p = *state;
    make(p->db);
    execute(p->db, "PRAGMA user_version = 99");
    expect_refusal(p->db, "schema version 99");
}

static int64_t number_of(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t v = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return v;
}

/* A database made by schema 1 keeps its runs and gets what is new. */
static void an_older_database_is_brought_up_to_date(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    struct record *r = record_new(12), *back = mem_new(1, sizeof *back);
    struct run_key k = key_of(1), next = key_of(2);
    char key[33], insert[600];
    run_key_text(&k, key);
    execute(p->db, schema_step[0]);
    snprintf(insert, sizeof insert,
             "INSERT INTO machine VALUES('m', 'rx540', ''); INSERT INTO program VALUES('p', 'fwt',"
             " 'fwt.plt'); INSERT INTO run(id, key, machine, program, engine, engine_version, seed,"
             " settings, status, plumb, host, host_seconds, finished) VALUES(1, '%s', 'm', 'p',"
             " 'sample', 5, 6, '', 'done', '0', 'h', 1, ''); INSERT INTO metric VALUES(1, 'cycles',"
             " 1234)",
             key);
    execute(p->db, insert);
    struct store *s = store_open(p->db, false, &e);
    assert_non_null(s);
    assert_int_equal(store_get(s, &k, back, &e), STORED_DONE);
    assert_true(back->has[0] && back->value[0] == 1234);
    put(s, 2, r);
    assert_int_equal(store_get(s, &next, back, &e), STORED_DONE);
    store_close(s);
    assert_int_equal(number_of(p->db, "PRAGMA user_version"), STORE_SCHEMA);
    assert_int_equal(number_of(p->db, "SELECT count(*) FROM station"), 2);
    assert_int_equal(number_of(p->db, "SELECT count(*) FROM result"), 0);
    mem_free(r);
    mem_free(back);
}

static void a_strange_database_is_refused(void **state)
{
    const struct place *p = *state;
    execute(p->db, "CREATE TABLE guests(name TEXT)");
    expect_refusal(p->db, "not one of plumb's");
}

/* Who only reads makes no database of it. */
static void a_database_without_tables_is_refused(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    execute(p->db, "CREATE TABLE guests(name TEXT); DROP TABLE guests");
    assert_null(store_open(p->db, false, &e));
    assert_non_null(strstr(e.text, "an empty file"));
    assert_int_equal(number_of(p->db, "SELECT count(*) FROM sqlite_master"), 0);
    store_close(store_open(p->db, true, &e));
    assert_true(number_of(p->db, "SELECT count(*) FROM sqlite_master") > 0);
}

static void text_is_refused(void **state)
{
    const struct place *p = *state;
    FILE *f = fopen(p->db, "w");
    for (int i = 0; i < 200; i++)
        fputs("machine = rx540; this is no database\n", f);
    fclose(f);
    expect_refusal(p->db, "not a database");
}

/* A page in the middle overwritten, as a failing disk would. */
static void a_broken_page_is_refused(void **state)
{
    const struct place *p = *state;
    make(p->db);
    FILE *f = fopen(p->db, "r+");
    fseek(f, 2 * 4096, SEEK_SET);
    for (int i = 0; i < 4096; i++)
        fputc(0xA5, f);
    fclose(f);
    expect_refusal(p->db, "broken");
}

static void a_missing_file_is_made_only_when_asked(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    assert_null(store_open(p->db, false, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    assert_false(file_exists(p->db));
    assert_null(store_open(p->dir, true, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
}

/* Two writers at once wait for each other; nothing is lost. */
static void two_processes_share_a_database(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    struct record *r = record_new(1);
    make(p->db);
    pid_t child = fork();
    struct store *s = store_open(p->db, true, &e);
    assert_non_null(s);
    for (uint64_t i = 0; i < 100; i++)
        put(s, 1000 + 2 * i + (child == 0), r);
    store_close(s);
    mem_free(r);
    if (child == 0) _exit(0);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    s = store_open(p->db, false, &e);
    for (uint64_t i = 0; i < 200; i++) {
        struct run_key k = key_of(1000 + i);
        assert_int_equal(store_get(s, &k, NULL, &e), STORED_DONE);
    }
    store_close(s);
}

/* A run is in the database whole or not at all, whenever the process is killed. */
static void a_killed_writer_leaves_whole_runs(void **state)
{
    const struct place *p = *state;
    struct error e = {0};
    struct record *r = record_new(7), *back = mem_new(1, sizeof *back);
    for (int round = 0; round < 5; round++) {
        int begun[2];
        char byte = 0;
        assert_int_equal(pipe(begun), 0);
        pid_t child = fork();
        if (child == 0) {
            struct store *s = store_open(p->db, true, &e);
            for (uint64_t i = 0;; i++) {
                put(s, (uint64_t)round * 1000000 + i, r);
                if (i == 0 && write(begun[1], &byte, 1) != 1) _exit(1);
            }
        }
        assert_int_equal(read(begun[0], &byte, 1), 1); /* a busy machine takes its time */
        usleep((unsigned)(3000 + 9000 * round));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(begun[0]);
        close(begun[1]);
    }
    struct store *s = store_open(p->db, true, &e);
    assert_non_null(s);
    uint32_t found = 0;
    for (int round = 0; round < 5; round++) {
        struct run_key k = key_of((uint64_t)round * 1000000);
        for (uint64_t i = 0; store_get(s, &k, back, &e) == STORED_DONE; found++) {
            same_record(r, back);
            k = key_of((uint64_t)round * 1000000 + ++i);
        }
    }
    assert_true(found >= 5);
    store_close(s);
    mem_free(r);
    mem_free(back);
}

int main(void)
{
#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(what_is_put_comes_back_after_reopening),
        IN_A_PLACE(runs_put_together_are_stored_all_or_none),
        IN_A_PLACE(a_failure_is_kept_and_replaced_by_success),
        cmocka_unit_test(every_part_of_the_key_counts),
        IN_A_PLACE(another_schema_version_is_refused),
        IN_A_PLACE(an_older_database_is_brought_up_to_date),
        IN_A_PLACE(a_strange_database_is_refused),
        IN_A_PLACE(a_database_without_tables_is_refused),
        IN_A_PLACE(text_is_refused),
        IN_A_PLACE(a_broken_page_is_refused),
        IN_A_PLACE(a_missing_file_is_made_only_when_asked),
        IN_A_PLACE(two_processes_share_a_database),
        IN_A_PLACE(a_killed_writer_leaves_whole_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
