/* bank_find.c - finds the runs of a program.  A row that is not sound is left out and removed. */
#include "base/memory/alloc.h"
#include "base/memory/hash_map.h"
#include "calibration/bank/bank_internal.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { DAY_SECONDS = 86400 };

/* --- rows ------------------------------------------------------------------------------------- */

/* What is found so far. */
struct bank_search {
    struct bank *b;
    struct digest program;
    const char *estimator;
    struct bank_runs *r;
    size_t cap;
    struct bank_bases bases;
    struct hash_map machine; /* row -> the first run of it */
    int64_t *bad, *bad_machine;
    size_t n_bad, bad_cap, n_bad_machines, bad_machines_cap;
    int rc;
};

enum found_column {
    COLUMN_ID,
    COLUMN_ENGINE,
    COLUMN_LOG_SD,
    COLUMN_KEYS,
    COLUMN_SIMULATED,
    COLUMN_SUM,
    COLUMN_MACHINE,
    COLUMN_DIGEST,
    COLUMN_NAME,
    COLUMN_PRESET,
    COLUMN_MACHINE_SUM,
    COLUMN_CONFIG, /* and the two columns behind it */
    COLUMN_ESTIMATE = COLUMN_CONFIG + 3,
    COLUMN_ESTIMATE_KEYS,
    COLUMN_ESTIMATED,
    COLUMN_FEATURES,
    COLUMN_ESTIMATE_SUM
};

/* A short text of the row, copied; NULL: too long, or no memory. */
static const char *copy_name(struct bank_search *s, sqlite3_stmt *q, int at)
{
    const char *text = (const char *)sqlite3_column_text(q, at);
    if (!text || strlen(text) >= BANK_NAME_MAX) return NULL;
    const char *copy = arena_strdup(&s->r->memory, text);
    if (!copy) s->rc = SQLITE_NOMEM;
    return copy;
}

/* The values of a column, in the runs' memory; NULL: not sound, or s->rc. */
static const double *read_values(struct bank_search *s, sqlite3_stmt *q, int keys, int at)
{
    const struct bank_keys *k = bank_keys_of(s->b, sqlite3_column_int64(q, keys), &s->rc);
    if (!k) return NULL;
    double *value = arena_new(&s->r->memory, METRICS_KEYS_MAX, sizeof *value);
    if (!value) s->rc = SQLITE_NOMEM;
    const void *blob = sqlite3_column_blob(q, at);
    bool ok = value && bank_blob_unpack(k, blob, (size_t)sqlite3_column_bytes(q, at), value);
    return ok ? value : NULL;
}

static bool read_simulated(struct bank_search *s, sqlite3_stmt *q, struct bank_run *run)
{
    struct bank_row row = {.program_digest = s->program,
                           .engine = run->engine,
                           .version = s->b->version.of[run->engine],
                           .log_sd = sqlite3_column_double(q, COLUMN_LOG_SD),
                           .blob = sqlite3_column_blob(q, COLUMN_SIMULATED),
                           .bytes = (size_t)sqlite3_column_bytes(q, COLUMN_SIMULATED)};
    run->log_sd = row.log_sd;
    if (!row.blob || !isfinite(row.log_sd) || row.log_sd < 0 ||
        !bank_read_digest(q, COLUMN_DIGEST, &row.machine_digest) ||
        bank_sum_run(&row) != sqlite3_column_int64(q, COLUMN_SUM))
        return false;
    run->machine = row.machine_digest;
    run->simulated = read_values(s, q, COLUMN_KEYS, COLUMN_SIMULATED);
    return run->simulated && run->simulated[metrics_key_index("cycles")] > 0;
}

/* An estimate that is not sound is as if it were not there: it will be put again. */
static void read_estimate(struct bank_search *s, sqlite3_stmt *q, struct bank_run *run)
{
    if (sqlite3_column_type(q, COLUMN_ESTIMATE) == SQLITE_NULL) return;
    const void *blob = sqlite3_column_blob(q, COLUMN_ESTIMATED);
    size_t n = (size_t)sqlite3_column_bytes(q, COLUMN_ESTIMATED);
    const void *feature = sqlite3_column_blob(q, COLUMN_FEATURES);
    size_t bytes = (size_t)sqlite3_column_bytes(q, COLUMN_FEATURES), m = bytes / sizeof(double);
    if (!blob || bytes % sizeof(double) || m > BANK_FEATURES_MAX ||
        bank_sum_estimate(run->id, s->estimator, blob, n, feature, bytes) !=
            sqlite3_column_int64(q, COLUMN_ESTIMATE_SUM))
        return;
    double *copy = arena_new(&s->r->memory, m + 1, sizeof *copy);
    if (!copy) s->rc = SQLITE_NOMEM;
    if (!copy) return;
    if (m) memcpy(copy, feature, bytes);
    for (size_t i = 0; i < m; i++)
        if (!isfinite(copy[i])) return;
    run->estimated = read_values(s, q, COLUMN_ESTIMATE_KEYS, COLUMN_ESTIMATED);
    if (!run->estimated) return;
    run->feature = copy;
    run->features = (uint32_t)m;
}

static void note_bad(struct bank_search *s, int64_t **list, size_t *n, size_t *cap, int64_t id)
{
    if (s->rc != SQLITE_OK) return;
    if (mem_grow(list, cap, *n + 1, sizeof **list))
        (*list)[(*n)++] = id;
    else
        s->rc = SQLITE_NOMEM;
}

/* The machine of the row: as an earlier run has it, else unpacked. */
static bool read_machine(struct bank_search *s, sqlite3_stmt *q, struct bank_run *run)
{
    int64_t machine = sqlite3_column_int64(q, COLUMN_MACHINE);
    uint32_t *at = machine > 0 ? hash_map_get(&s->machine, (uint64_t)machine) : NULL;
    if (at) {
        const struct bank_run *as = &s->r->run[*at];
        run->machine_name = as->machine_name;
        run->preset = as->preset;
        run->config = as->config;
        return true;
    }
    struct bank_machine m = {.digest = run->machine,
                             .name = copy_name(s, q, COLUMN_NAME),
                             .preset = copy_name(s, q, COLUMN_PRESET)};
    if (machine > 0 && m.name && m.preset)
        m.config = bank_config_read(s->b, q, COLUMN_CONFIG, &s->bases, &s->r->memory, &s->rc);
    bool sound = m.config && bank_sum_machine(&m) == sqlite3_column_int64(q, COLUMN_MACHINE_SUM);
    run->machine_name = m.name;
    run->preset = m.preset;
    run->config = m.config;
    if (!sound) note_bad(s, &s->bad_machine, &s->n_bad_machines, &s->bad_machines_cap, machine);
    if (sound && !hash_map_put(&s->machine, (uint64_t)machine, (uint32_t)s->r->n))
        s->rc = SQLITE_NOMEM;
    return sound;
}

static void read_row(struct bank_search *s, sqlite3_stmt *q)
{
    struct bank_run run = {.id = sqlite3_column_int64(q, COLUMN_ID)};
    const char *engine = (const char *)sqlite3_column_text(q, COLUMN_ENGINE);
    run.engine =
        engine && strcmp(engine, engine_name[ENGINE_SAMPLE]) == 0 ? ENGINE_SAMPLE : ENGINE_SIMULATE;
    if (!mem_grow(&s->r->run, &s->cap, s->r->n + 1, sizeof *s->r->run)) {
        s->rc = SQLITE_NOMEM;
        return;
    }
    if (!read_simulated(s, q, &run)) {
        note_bad(s, &s->bad, &s->n_bad, &s->bad_cap, run.id);
        return;
    }
    if (!read_machine(s, q, &run)) return;
    read_estimate(s, q, &run);
    if (s->rc == SQLITE_OK) s->r->run[s->r->n++] = run;
}

static void read_rows(struct bank_search *s, int64_t program, size_t most)
{
    struct bank *b = s->b;
    sqlite3_stmt *q = bank_query(b, BANK_FIND_RUNS, &s->rc);
    if (!q) return;
    sqlite3_bind_int64(q, 1, program);
    sqlite3_bind_int(q, 2, b->version.of[ENGINE_SIMULATE]);
    sqlite3_bind_int(q, 3, b->version.of[ENGINE_SAMPLE]);
    bank_bind_text(q, 4, s->estimator);
    sqlite3_bind_int64(q, 5, most < BANK_MOST_EVER ? (int64_t)most : BANK_MOST_EVER);
    int step = SQLITE_DONE;
    while (s->rc == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW)
        read_row(s, q);
    sqlite3_reset(q);
    if (s->rc == SQLITE_OK && step != SQLITE_DONE) s->rc = step;
}

/* --- the search ------------------------------------------------------------------------------- */

static void find_program(struct bank_search *s, int64_t *id, int64_t *used)
{
    *id = *used = 0;
    sqlite3_stmt *q = bank_query(s->b, BANK_GET_PROGRAM, &s->rc);
    if (!q) return;
    bank_bind_digest(q, 1, s->program);
    int step = sqlite3_step(q);
    if (step == SQLITE_ROW) {
        *id = sqlite3_column_int64(q, 0);
        *used = sqlite3_column_int64(q, 1);
    }
    sqlite3_reset(q);
    if (step != SQLITE_ROW && step != SQLITE_DONE) s->rc = step;
}

static void drop_row(struct bank_search *s, enum bank_statement which, int64_t id, int *rc)
{
    sqlite3_stmt *q = *rc == SQLITE_OK ? bank_query(s->b, which, rc) : NULL;
    if (!q) return;
    sqlite3_bind_int64(q, 1, id);
    *rc = bank_run_query(q);
}

/* Removes what is not sound and notes that the program is used; a bank that cannot be written stays
 * as it is, and the answer does not suffer. */
static void tidy_up(struct bank_search *s, int64_t program, int64_t used)
{
    struct bank *b = s->b;
    int64_t now = (int64_t)time(NULL);
    size_t bad = s->n_bad + s->n_bad_machines;
    if (bad) bank_note(b, "%s: damaged runs of a program were left out of the bank", b->path);
    if (!b->writable || (!bad && now - used < DAY_SECONDS)) return;
    int rc = bank_run_plain(b, BANK_BEGIN_WRITE);
    for (size_t i = 0; i < s->n_bad; i++) {
        drop_row(s, BANK_DROP_RUN, s->bad[i], &rc);
        drop_row(s, BANK_DROP_ESTIMATES_OF, s->bad[i], &rc);
    }
    for (size_t i = 0; i < s->n_bad_machines; i++) {
        drop_row(s, BANK_DROP_RUNS_OF, s->bad_machine[i], &rc);
        drop_row(s, BANK_DROP_MACHINE, s->bad_machine[i], &rc);
    }
    sqlite3_stmt *q = rc == SQLITE_OK ? bank_query(b, BANK_USE_PROGRAM, &rc) : NULL;
    if (q) {
        sqlite3_bind_int64(q, 1, program);
        sqlite3_bind_int64(q, 2, now);
        rc = bank_run_query(q);
    }
    if (rc == SQLITE_OK) rc = bank_run_plain(b, BANK_COMMIT);
    if (rc != SQLITE_OK) bank_run_plain(b, BANK_ROLLBACK);
}

static void search_fini(struct bank_search *s)
{
    bank_bases_fini(&s->bases);
    hash_map_fini(&s->machine);
    mem_free(s->bad);
    mem_free(s->bad_machine);
}

/* Holds one state of the file from the first row to the last. */
static int search(struct bank *b, struct digest program, const char *estimator, size_t most,
                  struct bank_runs *r)
{
    struct bank_search s = {
        .b = b, .program = program, .estimator = estimator ? estimator : "", .r = r};
    int64_t id = 0, used = 0;
    if (!bank_bases_init(&s.bases) || !hash_map_init(&s.machine, 2 * BANK_MOST))
        s.rc = SQLITE_NOMEM;
    if (s.rc == SQLITE_OK) s.rc = bank_run_plain(b, BANK_BEGIN_READ);
    if (s.rc == SQLITE_OK) find_program(&s, &id, &used);
    if (s.rc == SQLITE_OK && id) read_rows(&s, id, most);
    int end = bank_run_plain(b, BANK_COMMIT);
    if (s.rc == SQLITE_OK) s.rc = end;
    if (s.rc == SQLITE_OK && id) tidy_up(&s, id, used);
    search_fini(&s);
    return s.rc;
}

bool bank_find(struct bank *b, struct digest program, const char *estimator, size_t most,
               struct bank_runs *r, struct error *e)
{
    *r = (struct bank_runs){0};
    bank_lock(b);
    bool ok = b->db ? bank_conclude(b, search(b, program, estimator, most, r), e)
                    : error_run(e, "%s: there is no bank", b->path);
    bank_unlock(b);
    if (!ok) bank_runs_fini(r);
    return ok;
}

void bank_runs_fini(struct bank_runs *r)
{
    mem_free(r->run);
    arena_fini(&r->memory);
    *r = (struct bank_runs){0};
}

struct digest bank_runs_digest(const struct bank_runs *r)
{
    struct digest sum = {0};
    for (size_t i = 0; i < r->n; i++) {
        const struct bank_run *run = &r->run[i];
        struct digest d = digest_bytes(run->simulated, METRICS_KEYS_MAX * sizeof(double));
        d = digest_join(d, digest_bytes(&run->log_sd, sizeof run->log_sd));
        d = digest_join(d, digest_text(engine_name[run->engine]));
        d = digest_join(d, run->machine);
        sum.hi += d.hi;
        sum.lo += d.lo;
    }
    return sum;
}
