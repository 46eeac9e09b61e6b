/* bank_import_sweep.c - adds the whole runs of a sweep's database (docs/guide/database.md) to a
 * bank: those whose machine this plumb reads back to the same digest. */
#include "base/memory/alloc.h"
#include "calibration/bank/bank_internal.h"
#include "calibration/bank/stored_rows.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <string.h>

#define SWEEP_RUNS(base)                                                                         \
    "SELECT r.id, r.engine, r.level, r.half_width, r.program, p.name, r.machine, m.config," base \
    " FROM run r JOIN machine m ON m.digest = r.machine JOIN program p ON p.digest ="            \
    " r.program WHERE r.status = 'done' AND ((r.engine = 'simulate' AND r.engine_version = ?1)"  \
    " OR (r.engine = 'sample' AND r.engine_version = ?2)) AND (r.settings ="                     \
    " 'max_instructions=0' OR r.settings LIKE 'max_instructions=0 %') ORDER BY r.machine, r.id"

/* Up to schema 7 every machine is whole. */
static const char sweep_runs[] = SWEEP_RUNS(" m.base"), sweep_runs_7[] = SWEEP_RUNS(" NULL");

enum sweep_column {
    SWEEP_RUN,
    SWEEP_ENGINE,
    SWEEP_LEVEL,
    SWEEP_HALF_WIDTH,
    SWEEP_PROGRAM,
    SWEEP_PROGRAM_NAME,
    SWEEP_MACHINE,
    SWEEP_CONFIG,
    SWEEP_BASE
};

struct sweep_import {
    struct bank *b;
    sqlite3 *from;
    sqlite3_stmt *runs;
    struct stored_metrics metrics;
    struct digest digest; /* of the machine before */
    int64_t machine;      /* its row; 0: not sound */
    struct bank_import *n;
    int rc;
};

/* The row of a machine whose configuration is read; 0: not the one that the digest names. */
static int64_t import_machine(struct sweep_import *w, struct digest digest, const char *config)
{
    struct errors all = {0};
    struct text dump = {0};
    struct machine *m = mem_new(1, sizeof *m);
    int64_t row = 0;
    if (!m) w->rc = SQLITE_NOMEM;
    bool same = m && machine_parse(m, config, "a stored machine", NULL, 0, &all) &&
                digest_equal(machine_digest(m), digest);
    if (same) {
        machine_dump(m, &dump);
        const struct bank_machine packed = {
            .digest = digest, .name = m->name, .preset = m->preset, .config = text_str(&dump)};
        if (dump.failed)
            w->rc = SQLITE_NOMEM;
        else
            row = bank_write_machine(w->b, &packed, &w->rc);
    }
    text_fini(&dump);
    errors_fini(&all);
    mem_free(m);
    return row;
}

/* Runs come sorted by machine. */
static int64_t find_machine(struct sweep_import *w)
{
    struct digest digest;
    const char *hex = (const char *)sqlite3_column_text(w->runs, SWEEP_MACHINE);
    if (!hex || !digest_parse(&digest, hex)) return 0;
    if (!digest_equal(digest, w->digest)) {
        struct text config = {0};
        w->digest = digest;
        bool whole = stored_machine_add(
            w->from, (const char *)sqlite3_column_text(w->runs, SWEEP_CONFIG),
            (const char *)sqlite3_column_text(w->runs, SWEEP_BASE), &config, &w->rc);
        w->machine =
            whole && config.len < BANK_TEXT_MAX ? import_machine(w, digest, text_str(&config)) : 0;
        text_fini(&config);
    }
    return w->machine;
}

/* Reads the metrics of the present run; false: they are not sound, or w->rc. */
static bool read_metrics(struct sweep_import *w, double value[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        value[i] = NAN;
    bool wanted[METRICS_KEYS_MAX + 1], has[METRICS_KEYS_MAX];
    for (uint32_t i = 0; i <= METRICS_KEYS_MAX; i++)
        wanted[i] = i < METRICS_KEYS_MAX;
    w->rc = stored_metrics_read(&w->metrics, sqlite3_column_int64(w->runs, SWEEP_RUN), wanted,
                                value, has);
    double cycles = value[metrics_key_index("cycles")];
    return w->rc == SQLITE_OK && isfinite(cycles) && cycles > 0;
}

/* The exactness of the present run; false: it is not stated as it should be. */
static bool read_log_sd(const struct sweep_import *w, double *log_sd)
{
    *log_sd = 0;
    if (sqlite3_column_type(w->runs, SWEEP_HALF_WIDTH) == SQLITE_NULL) return true;
    double level = sqlite3_column_double(w->runs, SWEEP_LEVEL);
    double half_width = sqlite3_column_double(w->runs, SWEEP_HALF_WIDTH);
    if (!(level > 0 && level < 1) || !(half_width >= 0)) return false;
    *log_sd = bank_log_sd(half_width, level);
    return isfinite(*log_sd);
}

static int64_t find_program(struct sweep_import *w, struct digest *digest)
{
    const char *hex = (const char *)sqlite3_column_text(w->runs, SWEEP_PROGRAM);
    const char *name = (const char *)sqlite3_column_text(w->runs, SWEEP_PROGRAM_NAME);
    if (!hex || !name || strlen(name) >= BANK_NAME_MAX || !digest_parse(digest, hex)) return 0;
    return bank_write_program(w->b, *digest, name, &w->rc);
}

/* Adds the present run, or leaves it out. */
static void import_run(struct sweep_import *w)
{
    double value[METRICS_KEYS_MAX];
    unsigned char blob[BANK_BLOB_MAX];
    const char *name = (const char *)sqlite3_column_text(w->runs, SWEEP_ENGINE);
    enum engine e =
        name && strcmp(name, engine_name[ENGINE_SAMPLE]) == 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE;
    struct bank_row row = {.engine = e, .version = w->b->version.of[e], .blob = blob};
    bool added = false;
    if (!read_log_sd(w, &row.log_sd) || !read_metrics(w, value)) return;
    row.bytes = bank_blob_pack(value, blob);
    row.machine = find_machine(w);
    if (row.machine && w->rc == SQLITE_OK) row.program = find_program(w, &row.program_digest);
    row.machine_digest = w->digest;
    if (row.program && w->rc == SQLITE_OK) row.keys = bank_keys_own(w->b, &w->rc);
    if (!row.keys || w->rc != SQLITE_OK) return;
    bank_write_row(w->b, &row, &added, &w->rc);
    *(added ? &w->n->added : &w->n->present) += 1;
}

int bank_import_sweep(struct bank *b, struct bank *from, struct bank_import *n)
{
    struct sweep_import w = {.b = b, .from = from->db, .n = n};
    int64_t all = 0;
    int step = SQLITE_DONE;
    w.rc = bank_number(from->db, "SELECT count(*) FROM run WHERE engine IN ('simulate', 'sample')",
                       &all);
    if (w.rc == SQLITE_OK) w.rc = sqlite3_prepare_v2(from->db, sweep_runs, -1, &w.runs, NULL);
    bool rows = w.rc == SQLITE_ERROR;
    if (rows) w.rc = sqlite3_prepare_v2(from->db, sweep_runs_7, -1, &w.runs, NULL);
    if (w.rc == SQLITE_OK) w.rc = stored_metrics_open(&w.metrics, from->db, rows);
    if (w.rc == SQLITE_OK) sqlite3_bind_int(w.runs, 1, b->version.of[ENGINE_SIMULATE]);
    if (w.rc == SQLITE_OK) sqlite3_bind_int(w.runs, 2, b->version.of[ENGINE_SAMPLE]);
    while (w.rc == SQLITE_OK && (step = sqlite3_step(w.runs)) == SQLITE_ROW)
        import_run(&w);
    stored_metrics_close(&w.metrics);
    sqlite3_finalize(w.runs);
    if (w.rc == SQLITE_OK && step != SQLITE_DONE) w.rc = step;
    uint64_t seen = n->added + n->present;
    n->left_out = (uint64_t)all > seen ? (uint64_t)all - seen : 0;
    return w.rc;
}
