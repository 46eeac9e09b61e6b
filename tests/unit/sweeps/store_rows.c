/* How does the database keep metrics and machines, and do all that read it find the same? */
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "calibration/bank/stored_rows.h"
#include "sweeps/store/merge.h"
#include "sweeps/store/store_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], path[2][96];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/plumb-rows-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%s/%d.db", folder, i);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        char file[128];
        snprintf(file, sizeof file, "%s%s", path[i / 3], endings[i % 3]);
        unlink(file);
    }
    return rmdir(folder);
}

static struct run_key key_of(uint64_t machine)
{
    return (struct run_key){.machine = {machine, 2}, .program = {3, 4}, .version = 5};
}

/* A record that has every `of`-th metric from `first`. */
static struct record *record_new(uint32_t first, uint32_t of)
{
    struct record *r = mem_new(1, sizeof *r);
    for (uint32_t i = first; metrics_key(i); i += of) {
        r->has[i] = true;
        r->value[i] = i % 2 ? i * 1e9 : 1.0 / (i + 3);
    }
    return r;
}

static void put(struct store *s, uint64_t machine, const char *config,
                const struct machine_text *like, const struct record *r)
{
    struct error e = {0};
    const struct stored_run one = {.key = key_of(machine),
                                   .from = {.machine_name = "m",
                                            .machine_config = config,
                                            .like = like,
                                            .program_name = "p",
                                            .program_spec = "p.plt"},
                                   .record = r};
    assert_true(store_put_all(s, &one, 1, &e));
}

static struct store *opened(int i)
{
    struct error e = {0};
    struct store *s = store_open(path[i], true, &e);
    assert_non_null(s);
    return s;
}

static void expect_record(struct store *s, uint64_t machine, const struct record *r)
{
    struct error e = {0};
    struct record *back = mem_new(1, sizeof *back);
    struct run_key k = key_of(machine);
    assert_int_equal(store_get(s, &k, back, &e), STORED_DONE);
    assert_memory_equal(back->has, r->has, sizeof r->has);
    assert_memory_equal(back->value, r->value, sizeof r->value); /* bit for bit */
    mem_free(back);
}

/* The view `metric`, whose rows others read. */
static void expect_rows(struct store *s, uint64_t machine, const struct record *r)
{
    char hex[33];
    sqlite3_stmt *q;
    uint32_t rows = 0, had = 0;
    digest_hex(key_of(machine).machine, hex);
    assert_int_equal(sqlite3_prepare_v2(s->db,
                                        "SELECT name, value FROM metric JOIN run r ON r.id ="
                                        " run WHERE r.machine = ?1",
                                        -1, &q, NULL),
                     SQLITE_OK);
    store_bind_text(q, 1, hex);
    for (; sqlite3_step(q) == SQLITE_ROW; rows++) {
        uint32_t i = metrics_key_index((const char *)sqlite3_column_text(q, 0));
        assert_true(i < METRICS_KEYS_MAX && r->has[i]);
        assert_true(sqlite3_column_double(q, 1) == r->value[i]);
    }
    sqlite3_finalize(q);
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        had += r->has[i];
    assert_int_equal(rows, had);
}

/* Two processes, each of whose runs have metrics that the other's have not. */
static void columns_come_with_the_runs_that_need_them(void **state)
{
    (void)state;
    struct store *a = opened(0), *b = opened(0);
    struct record *r[] = {record_new(0, 3), record_new(1, 3), record_new(2, 3), record_new(0, 1)};
    for (uint64_t i = 0; i < 4; i++)
        put(i % 2 ? b : a, i, "x\n", NULL, r[i]);
    for (uint64_t i = 0; i < 4; i++) {
        expect_record(a, i, r[i]);
        expect_record(b, i, r[i]);
        expect_rows(a, i, r[i]);
    }
    store_close(a);
    store_close(b);
    for (int i = 0; i < 4; i++)
        mem_free(r[i]);
}

static void some_metrics_are_those_that_are_named(void **state)
{
    (void)state;
    struct error e = {0};
    struct store *s = opened(0);
    struct record *r = record_new(0, 1), *back = mem_new(1, sizeof *back);
    struct run_key k = key_of(1);
    const char *const names[] = {metrics_key(2), "no.metric", metrics_key(0)};
    put(s, 1, "x\n", NULL, r);
    assert_int_equal(store_get_some(s, &k, names, 3, back, &e), STORED_DONE);
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        assert_int_equal(back->has[i], i == 0 || i == 2);
    assert_true(back->value[0] == r->value[0] && back->value[2] == r->value[2]);
    store_close(s);
    mem_free(r);
    mem_free(back);
}

/* What is written fails as a whole: its columns are not there either. */
static void columns_of_what_failed_are_made_again(void **state)
{
    (void)state;
    struct error e = {0};
    struct store *s = opened(0);
    struct record *r = record_new(0, 1);
    const struct stored_run bad = {.key = key_of(1), .record = r}; /* a program without a name */
    assert_false(store_put_all(s, &bad, 1, &e));
    put(s, 2, "x\n", NULL, r);
    expect_record(s, 2, r);
    store_close(s);
    mem_free(r);
}

static void merged_runs_bring_their_columns(void **state)
{
    (void)state;
    struct error e = {0};
    struct merge_result m;
    struct store *into = opened(0), *shard = opened(1);
    struct record *r[] = {record_new(0, 4), record_new(1, 2)};
    put(into, 0, "x\n", NULL, r[0]);
    put(shard, 1, "x\n", NULL, r[1]);
    store_close(shard);
    assert_true(merge_database(into, path[1], &m, &e));
    for (uint64_t i = 0; i < 2; i++) {
        expect_record(into, i, r[i]);
        expect_rows(into, i, r[i]);
    }
    store_close(into);
    mem_free(r[0]);
    mem_free(r[1]);
}

/* --- machines --- */

/* NULL: not sound. */
static const char *config_of(struct store *s, uint64_t machine, char out[64])
{
    char hex[33];
    sqlite3_stmt *q;
    struct text config = {0};
    int rc;
    digest_hex(key_of(machine).machine, hex);
    sqlite3_prepare_v2(s->db, "SELECT config, base FROM machine WHERE digest = ?1", -1, &q, NULL);
    store_bind_text(q, 1, hex);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    bool sound = stored_machine_add(s->db, (const char *)sqlite3_column_text(q, 0),
                                    (const char *)sqlite3_column_text(q, 1), &config, &rc);
    assert_int_equal(rc, SQLITE_OK);
    snprintf(out, 64, "%s", text_str(&config));
    text_fini(&config);
    sqlite3_finalize(q);
    return sound ? out : NULL;
}

static void machines_come_back_whole(void **state)
{
    (void)state;
    static const char *const config[] = {"a = 1;\nb = 2;\n", "a = 1;\nb = 3;\n", "a = 1;\n"};
    char out[64], hex[33];
    struct store *s = opened(0);
    struct record *r = record_new(0, 1);
    digest_hex(key_of(0).machine, hex);
    struct machine_text like = {.name = "m", .config = config[0]};
    snprintf(like.digest, sizeof like.digest, "%s", hex);
    for (uint64_t i = 3; i-- > 0;)
        put(s, i, config[i], &like, r);
    for (uint64_t i = 0; i < 3; i++)
        assert_string_equal(config_of(s, i, out), config[i]);
    sqlite3_stmt *q;
    sqlite3_prepare_v2(s->db, "SELECT config FROM machine WHERE base IS NOT NULL", -1, &q, NULL);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(q, 0), "2:b = 3;\n");
    assert_int_equal(sqlite3_step(q), SQLITE_DONE);
    sqlite3_finalize(q);
    store_close(s);
    mem_free(r);
}

static void machines_that_lead_nowhere_are_not_sound(void **state)
{
    (void)state;
    static const char *const odd[] = {"base = 'nobody'", "base = digest",
                                      "config = '9:x' || char(10)", "config = 'b'"};
    char out[64], sql[128];
    for (int i = 0; i < 4; i++) {
        struct store *s = opened(0);
        struct record *r = record_new(0, 1);
        struct machine_text like = {.name = "m", .config = "a\n"};
        digest_hex(key_of(0).machine, like.digest);
        put(s, 1, "b\n", &like, r);
        snprintf(sql, sizeof sql, "UPDATE machine SET %s WHERE base IS NOT NULL", odd[i]);
        assert_int_equal(sqlite3_exec(s->db, sql, NULL, NULL, NULL), SQLITE_OK);
        assert_null(config_of(s, 1, out));
        store_close(s);
        mem_free(r);
        tear_down(NULL);
        set_up(NULL);
    }
}

int main(void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(columns_come_with_the_runs_that_need_them),
        IN_A_FOLDER(some_metrics_are_those_that_are_named),
        IN_A_FOLDER(columns_of_what_failed_are_made_again),
        IN_A_FOLDER(merged_runs_bring_their_columns),
        IN_A_FOLDER(machines_come_back_whole),
        IN_A_FOLDER(machines_that_lead_nowhere_are_not_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
