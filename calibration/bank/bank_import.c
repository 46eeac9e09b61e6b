/* bank_import.c - adds the runs of another bank; bank_import_sweep.c those of a sweep. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "calibration/bank/bank_internal.h"
#include "calibration/bank/bank_schema.h"

#include <math.h>
#include <string.h>

/* Rows of the other bank -> rows of ours, within one transaction. */
struct bank_merge {
    struct bank *b, *from;
    struct bank_bases bases;
    struct hash_map machine, program, keys; /* row -> index in `row` */
    int64_t *row;
    size_t n, cap;
    struct bank_import *count;
    int rc;
};

enum merged_column {
    MERGED_ENGINE,
    MERGED_LOG_SD,
    MERGED_KEYS,
    MERGED_SIMULATED,
    MERGED_SUM,
    MERGED_PROGRAM,
    MERGED_PROGRAM_DIGEST,
    MERGED_PROGRAM_NAME,
    MERGED_MACHINE,
    MERGED_MACHINE_DIGEST,
    MERGED_MACHINE_NAME,
    MERGED_PRESET,
    MERGED_MACHINE_SUM,
    MERGED_CONFIG /* and the two columns behind it */
};

static const char other_runs[] =
    "SELECT r.engine, r.log_sd, r.keys, r.simulated, r.sum, p.id, p.digest, p.name, m.id,"
    " m.digest, m.name, m.preset, m.sum, m.base, m.bytes, m.config FROM runs r CROSS JOIN programs "
    "p ON p.id = r.program"
    " CROSS JOIN machines m ON m.id = r.machine WHERE ((r.engine = 'simulate' AND r.version = ?1)"
    " OR (r.engine = 'sample' AND r.version = ?2)) ORDER BY r.id";

/* What is known of the other's row; 0: nothing yet. */
static int64_t known_row(const struct bank_merge *g, const struct hash_map *map, int64_t id)
{
    uint32_t *at = hash_map_get(map, (uint64_t)id);
    return at ? g->row[*at] : 0;
}

static int64_t note_row(struct bank_merge *g, struct hash_map *map, int64_t id, int64_t ours)
{
    if (g->rc != SQLITE_OK) return 0;
    if (!mem_grow(&g->row, &g->cap, g->n + 1, sizeof *g->row) ||
        !hash_map_put(map, (uint64_t)id, (uint32_t)g->n)) {
        g->rc = SQLITE_NOMEM;
        return 0;
    }
    return g->row[g->n++] = ours;
}

static const char *short_text(sqlite3_stmt *q, int at)
{
    const char *text = (const char *)sqlite3_column_text(q, at);
    return text && strlen(text) < BANK_NAME_MAX ? text : NULL;
}

static int64_t merge_program(struct bank_merge *g, sqlite3_stmt *q)
{
    struct digest digest;
    const char *name = short_text(q, MERGED_PROGRAM_NAME);
    int64_t id = sqlite3_column_int64(q, MERGED_PROGRAM);
    if (id <= 0 || !name || !bank_read_digest(q, MERGED_PROGRAM_DIGEST, &digest)) return 0;
    int64_t ours = known_row(g, &g->program, id);
    if (ours) return ours;
    ours = bank_write_program(g->b, digest, name, &g->rc);
    return note_row(g, &g->program, id, ours);
}

static int64_t merge_machine(struct bank_merge *g, sqlite3_stmt *q)
{
    struct bank_machine m = {.name = short_text(q, MERGED_MACHINE_NAME),
                             .preset = short_text(q, MERGED_PRESET)};
    int64_t id = sqlite3_column_int64(q, MERGED_MACHINE);
    if (id <= 0 || !m.name || !m.preset || !bank_read_digest(q, MERGED_MACHINE_DIGEST, &m.digest))
        return 0;
    int64_t ours = known_row(g, &g->machine, id);
    if (ours) return ours;
    char *config = bank_config_read(g->from, q, MERGED_CONFIG, &g->bases, NULL, &g->rc);
    if (!config) return 0;
    m.config = config;
    if (bank_sum_machine(&m) == sqlite3_column_int64(q, MERGED_MACHINE_SUM))
        ours = bank_write_machine(g->b, &m, &g->rc);
    mem_free(config);
    return ours ? note_row(g, &g->machine, id, ours) : 0;
}

/* The list of metrics is added as the other has it. */
static int64_t merge_keys(struct bank_merge *g, int64_t id)
{
    if (id <= 0) return 0;
    int64_t ours = known_row(g, &g->keys, id);
    if (ours || !bank_keys_of(g->from, id, &g->rc)) return ours;
    sqlite3_stmt *q = bank_query(g->from, BANK_GET_NAMES, &g->rc);
    if (!q) return 0;
    sqlite3_bind_int64(q, 1, id);
    const char *names =
        sqlite3_step(q) == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
    if (names) ours = bank_keys_add(g->b, names, &g->rc);
    sqlite3_reset(q);
    return ours ? note_row(g, &g->keys, id, ours) : 0;
}

/* Whether the row's metrics are sound. */
static bool is_sound(struct bank_merge *g, sqlite3_stmt *q, struct bank_row *row)
{
    double value[METRICS_KEYS_MAX];
    const struct bank_keys *k = bank_keys_of(g->from, sqlite3_column_int64(q, MERGED_KEYS), &g->rc);
    row->blob = sqlite3_column_blob(q, MERGED_SIMULATED);
    row->bytes = (size_t)sqlite3_column_bytes(q, MERGED_SIMULATED);
    row->log_sd = sqlite3_column_double(q, MERGED_LOG_SD);
    return k && row->blob && isfinite(row->log_sd) && row->log_sd >= 0 &&
           bank_read_digest(q, MERGED_PROGRAM_DIGEST, &row->program_digest) &&
           bank_read_digest(q, MERGED_MACHINE_DIGEST, &row->machine_digest) &&
           bank_sum_run(row) == sqlite3_column_int64(q, MERGED_SUM) &&
           bank_blob_unpack(k, row->blob, row->bytes, value) &&
           value[metrics_key_index("cycles")] > 0;
}

static void merge_row(struct bank_merge *g, sqlite3_stmt *q)
{
    const char *engine = (const char *)sqlite3_column_text(q, MERGED_ENGINE);
    enum engine e =
        engine && strcmp(engine, engine_name[ENGINE_SAMPLE]) == 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE;
    struct bank_row row = {.engine = e, .version = g->b->version.of[e]};
    bool added = false, sound = is_sound(g, q, &row);
    if (sound && g->rc == SQLITE_OK) row.machine = merge_machine(g, q);
    if (row.machine && g->rc == SQLITE_OK) row.program = merge_program(g, q);
    if (row.program && g->rc == SQLITE_OK)
        row.keys = merge_keys(g, sqlite3_column_int64(q, MERGED_KEYS));
    if (g->rc != SQLITE_OK) return;
    if (!row.keys) {
        g->count->left_out++;
        return;
    }
    bank_write_row(g->b, &row, &added, &g->rc);
    *(added ? &g->count->added : &g->count->present) += 1;
}

static void count_left_out(struct bank_merge *g)
{
    int64_t all = 0;
    g->rc = bank_number(g->from->db, "SELECT count(*) FROM runs", &all);
    uint64_t seen = g->count->added + g->count->present;
    if (g->rc == SQLITE_OK && (uint64_t)all > seen) g->count->left_out = (uint64_t)all - seen;
}

static int merge_bank(struct bank *b, struct bank *from, struct bank_import *n)
{
    struct bank_merge g = {.b = b, .from = from, .count = n};
    sqlite3_stmt *q = NULL;
    if (!bank_bases_init(&g.bases) || !hash_map_init(&g.machine, 64) ||
        !hash_map_init(&g.program, 64) || !hash_map_init(&g.keys, 4))
        g.rc = SQLITE_NOMEM;
    if (g.rc == SQLITE_OK) g.rc = sqlite3_prepare_v2(from->db, other_runs, -1, &q, NULL);
    if (g.rc == SQLITE_OK) sqlite3_bind_int(q, 1, b->version.of[ENGINE_SIMULATE]);
    if (g.rc == SQLITE_OK) sqlite3_bind_int(q, 2, b->version.of[ENGINE_SAMPLE]);
    int step = SQLITE_DONE;
    while (g.rc == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW)
        merge_row(&g, q);
    sqlite3_finalize(q);
    if (g.rc == SQLITE_OK && step != SQLITE_DONE) g.rc = step;
    if (g.rc == SQLITE_OK) count_left_out(&g);
    bank_bases_fini(&g.bases);
    hash_map_fini(&g.machine);
    hash_map_fini(&g.program);
    hash_map_fini(&g.keys);
    mem_free(g.row);
    return g.rc;
}

/* --- either kind ------------------------------------------------------------------------------ */

/* Opens the file and finds out what it is. */
static bool open_source(struct bank *from, bool *sweep, struct error *e)
{
    enum { SWEEP_APPLICATION_ID = 1886154082 }; /* docs/guide/database.md */
    int64_t id = 0;
    struct error why = {0};
    int rc = bank_file_open_any(from, &why);
    if (rc == SQLITE_OK) rc = bank_number(from->db, "PRAGMA application_id", &id);
    *sweep = id == SWEEP_APPLICATION_ID;
    if (rc == SQLITE_OK && !*sweep) rc = bank_schema_check(from->db, from->path, false, &why);
    if (rc == SQLITE_OK) return true;
    if (why.kind == ERROR_NONE) bank_refuse(from, rc, &why);
    if (e) *e = why;
    return false;
}

/* What fails in the other file is not ours. */
static bool merge_all(struct bank *b, struct bank *from, bool sweep, struct bank_import *n,
                      struct error *e)
{
    int rc = bank_run_plain(b, BANK_BEGIN_WRITE);
    if (rc == SQLITE_OK) rc = sweep ? bank_import_sweep(b, from, n) : merge_bank(b, from, n);
    int theirs = sqlite3_errcode(from->db);
    if (theirs == SQLITE_OK || theirs == SQLITE_ROW || theirs == SQLITE_DONE)
        return bank_write_end(b, rc, e);
    bank_run_plain(b, BANK_ROLLBACK);
    return bank_refuse(from, theirs, e);
}

bool bank_import(struct bank *b, const char *file, struct bank_import *n, struct error *e)
{
    bool sweep = false;
    *n = (struct bank_import){0};
    if (file_same(b->path, file)) return error_input(e, "%s: this is the bank itself", file);
    struct bank *from = bank_new(file, BANK_READ, &b->version);
    if (!from) return error_no_memory(e);
    bank_lock(b);
    bool ok = bank_may_write(b, e) && open_source(from, &sweep, e);
    if (ok) ok = merge_all(b, from, sweep, n, e);
    bank_unlock(b);
    bank_close(from);
    return ok;
}
