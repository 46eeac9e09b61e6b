/* bank_upkeep.c - what a bank holds, its bound, and copies of it. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "calibration/bank/bank_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    ROUNDS_MOST = 64,     /* of removing runs until the bound holds */
    BATCH_MOST = 1 << 14, /* runs removed in one transaction */
    KEPT_OF_8 = 7         /* of the bound's eighths, once it was met: room for many more runs */
};

/* --- the bound -------------------------------------------------------------------------------- */

/* Bytes of the file, without those that are free; all: with them. */
static int count_bytes(struct bank *b, bool all, uint64_t *bytes)
{
    int64_t pages = 0, unused = 0, size = 0;
    int rc = bank_number(b->db, "PRAGMA page_count", &pages);
    if (rc == SQLITE_OK && !all) rc = bank_number(b->db, "PRAGMA freelist_count", &unused);
    if (rc == SQLITE_OK) rc = bank_number(b->db, "PRAGMA page_size", &size);
    *bytes = pages > unused && size > 0 ? (uint64_t)(pages - unused) * (uint64_t)size : 0;
    return rc;
}

static int run_sql(struct bank *b, const char *fmt, ...) PLUMB_PRINTF(2, 3);
static int run_sql(struct bank *b, const char *fmt, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, fmt);
    text_add_list(&t, fmt, args);
    va_end(args);
    int rc = t.failed ? SQLITE_NOMEM : sqlite3_exec(b->db, text_str(&t), NULL, NULL, NULL);
    text_fini(&t);
    return rc;
}

/* A condition on runs: those of the versions that the bank finds. */
static void add_current(const struct bank *b, struct text *t)
{
    text_add(t, "((engine = 'simulate' AND version = %d) OR (engine = 'sample' AND version = %d))",
             b->version.of[ENGINE_SIMULATE], b->version.of[ENGINE_SAMPLE]);
}

/* Removes what no run needs any more. */
static int drop_orphans(struct bank *b)
{
    return run_sql(b, "DELETE FROM estimates WHERE run NOT IN (SELECT id FROM runs);"
                      "DELETE FROM machines WHERE id NOT IN (SELECT machine FROM runs)"
                      " AND id NOT IN (SELECT base FROM machines WHERE base IS NOT NULL"
                      " AND id IN (SELECT machine FROM runs));"
                      "DELETE FROM programs WHERE id NOT IN (SELECT program FROM runs);");
}

/* Removes at most so many runs in one transaction; *removed: their number. */
static int drop_runs(struct bank *b, uint64_t most, uint64_t *removed)
{
    struct text current = {0};
    int64_t before = 0, after = 0;
    add_current(b, &current);
    int rc = current.failed ? SQLITE_NOMEM : bank_run_plain(b, BANK_BEGIN_WRITE);
    if (rc == SQLITE_OK) rc = bank_number(b->db, "SELECT count(*) FROM runs", &before);
    if (rc == SQLITE_OK)
        rc = run_sql(b,
                     "DELETE FROM runs WHERE id IN (SELECT r.id FROM runs r LEFT JOIN programs p"
                     " ON p.id = r.program ORDER BY %s, p.used, p.id, r.id LIMIT %" PRIu64 ")",
                     text_str(&current), most);
    if (rc == SQLITE_OK) rc = drop_orphans(b);
    if (rc == SQLITE_OK) rc = bank_number(b->db, "SELECT count(*) FROM runs", &after);
    if (rc == SQLITE_OK) rc = bank_run_plain(b, BANK_COMMIT);
    if (rc != SQLITE_OK) bank_run_plain(b, BANK_ROLLBACK);
    *removed = before > after ? (uint64_t)(before - after) : 0;
    text_fini(&current);
    return rc;
}

/* Gives free pages back to the disk; a reader elsewhere may put that off. */
static int give_back(struct bank *b)
{
    int rc = run_sql(b, "PRAGMA incremental_vacuum");
    if (rc == SQLITE_OK) rc = run_sql(b, "PRAGMA wal_checkpoint(TRUNCATE)");
    return (rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED ? SQLITE_OK : rc;
}

static int trim_to(struct bank *b, uint64_t bytes, uint64_t *removed)
{
    uint64_t used = 0, n = 1;
    *removed = 0;
    int rc = count_bytes(b, false, &used);
    for (int i = 0; rc == SQLITE_OK && used > bytes && n > 0 && i < ROUNDS_MOST; i++) {
        int64_t runs = 0;
        rc = bank_number(b->db, "SELECT count(*) FROM runs", &runs);
        double share = (double)(used - bytes) / (double)used;
        uint64_t most = (uint64_t)ceil((double)runs * share) + 1;
        if (rc == SQLITE_OK) rc = drop_runs(b, most < BATCH_MOST ? most : BATCH_MOST, &n);
        *removed += n;
        if (rc == SQLITE_OK) rc = count_bytes(b, false, &used);
    }
    return rc == SQLITE_OK ? give_back(b) : rc;
}

int bank_keep_bound(struct bank *b)
{
    uint64_t bytes = 0, removed;
    int rc = count_bytes(b, true, &bytes);
    return rc == SQLITE_OK && bytes > b->bound ? trim_to(b, b->bound / 8 * KEPT_OF_8, &removed)
                                               : rc;
}

bool bank_trim(struct bank *b, uint64_t bytes, uint64_t *removed, struct error *e)
{
    *removed = 0;
    bank_lock(b);
    bool ok = bank_may_write(b, e) && bank_conclude(b, trim_to(b, bytes, removed), e);
    bank_unlock(b);
    return ok;
}

bool bank_clear(struct bank *b, struct error *e)
{
    bank_lock(b);
    bool ok = bank_may_write(b, e);
    if (ok) {
        int rc = run_sql(b, "BEGIN IMMEDIATE; DELETE FROM estimates; DELETE FROM runs;"
                            "DELETE FROM machines; DELETE FROM programs; COMMIT;");
        if (rc != SQLITE_OK) bank_run_plain(b, BANK_ROLLBACK);
        ok = bank_conclude(b, rc == SQLITE_OK ? give_back(b) : rc, e);
    }
    bank_unlock(b);
    return ok;
}

/* --- status ----------------------------------------------------------------------------------- */

static int count_runs(struct bank *b, struct bank_status *s)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(
        b->db, "SELECT engine, version, count(*) FROM runs GROUP BY engine, version", -1, &q, NULL);
    while (rc == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        uint64_t n = (uint64_t)sqlite3_column_int64(q, 2);
        int e = ENGINE_SAMPLE;
        while (e < ENGINE_N && (!name || strcmp(name, engine_name[e]) != 0))
            e++;
        bool current = e < ENGINE_N && sqlite3_column_int(q, 1) == b->version.of[e];
        if (current) s->of_engine[e] += n;
        *(current ? &s->runs : &s->stale) += n;
    }
    int end = sqlite3_finalize(q);
    return rc == SQLITE_OK ? end : rc;
}

static int find_top(struct bank *b, const char *current, struct bank_status *s)
{
    struct text t = {0};
    sqlite3_stmt *q = NULL;
    text_add(&t,
             "SELECT p.name, count(*), count(DISTINCT r.machine) FROM runs r JOIN programs p"
             " ON p.id = r.program WHERE %s GROUP BY p.id ORDER BY 2 DESC, 1 LIMIT %d",
             current, BANK_TOP);
    int rc = t.failed ? SQLITE_NOMEM : sqlite3_prepare_v2(b->db, text_str(&t), -1, &q, NULL);
    text_fini(&t);
    while (rc == SQLITE_OK && s->n_top < BANK_TOP && sqlite3_step(q) == SQLITE_ROW) {
        struct bank_program *p = &s->top[s->n_top++];
        const char *name = (const char *)sqlite3_column_text(q, 0);
        snprintf(p->name, sizeof p->name, "%s", name ? name : "");
        p->runs = (uint64_t)sqlite3_column_int64(q, 1);
        p->machines = (uint64_t)sqlite3_column_int64(q, 2);
    }
    int end = sqlite3_finalize(q);
    return rc == SQLITE_OK ? end : rc;
}

static int read_status(struct bank *b, struct bank_status *s)
{
    struct text current = {0};
    int64_t programs = 0, machines = 0, estimates = 0;
    add_current(b, &current);
    int rc = bank_number(b->db, "SELECT count(*) FROM programs", &programs);
    if (rc == SQLITE_OK) rc = bank_number(b->db, "SELECT count(*) FROM machines", &machines);
    if (rc == SQLITE_OK) rc = bank_number(b->db, "SELECT count(*) FROM estimates", &estimates);
    if (rc == SQLITE_OK) rc = count_runs(b, s);
    if (rc == SQLITE_OK) rc = find_top(b, text_str(&current), s);
    if (rc == SQLITE_OK) rc = count_bytes(b, true, &s->bytes);
    s->programs = (uint64_t)programs;
    s->machines = (uint64_t)machines;
    s->estimates = (uint64_t)estimates;
    s->bound = b->bound;
    text_fini(&current);
    return rc;
}

bool bank_status(struct bank *b, struct bank_status *s, struct error *e)
{
    *s = (struct bank_status){0};
    bank_lock(b);
    bool ok = b->db ? bank_conclude(b, read_status(b, s), e)
                    : error_run(e, "%s: there is no bank", b->path);
    bank_unlock(b);
    return ok;
}

/* --- export ----------------------------------------------------------------------------------- */

static bool sync_file(const char *path, struct error *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (!ok) error_run(e, "%s: cannot be written: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return ok;
}

/* A compact copy of one state of the bank. */
static bool copy_into(struct bank *b, const char *part, struct error *e)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(b->db, "VACUUM INTO ?1", -1, &q, NULL);
    if (rc == SQLITE_OK) {
        bank_bind_text(q, 1, part);
        rc = bank_run_query(q);
    }
    sqlite3_finalize(q);
    if (rc == SQLITE_OK) return true;
    if ((rc & 0xff) == SQLITE_CORRUPT) return bank_conclude(b, rc, e);
    return error_run(e, "%s: cannot be written: %s", part, sqlite3_errstr(rc));
}

bool bank_export(struct bank *b, const char *file, struct error *e)
{
    struct text part = {0};
    if (file_same(b->path, file)) return error_input(e, "%s: this is the bank itself", file);
    if (file_is_dir(file)) return error_input(e, "%s: is a directory; name a file", file);
    text_add(&part, "%s.part-%d", file, (int)getpid());
    bank_lock(b);
    bool ok = !part.failed || error_no_memory(e);
    if (ok && !b->db) ok = error_run(e, "%s: there is no bank", b->path);
    ok = ok && copy_into(b, text_str(&part), e) && sync_file(text_str(&part), e);
    if (ok && rename(text_str(&part), file) != 0)
        ok = error_run(e, "%s: cannot be written: %s", file, strerror(errno));
    if (!ok && !part.failed) unlink(text_str(&part));
    bank_unlock(b);
    text_fini(&part);
    return ok;
}
