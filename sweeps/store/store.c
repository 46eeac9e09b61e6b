/* store.c - opens the database of store.h, checks it and brings it up to date; store_runs.c reads
 * and writes runs. */
#include "sweeps/store/store_internal.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "base/text/text.h"
#include "sweeps/store/schema.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MS = 5000 };

static const char *const sql[STATEMENTS] = {
    [ADD_MACHINE] = "INSERT OR IGNORE INTO machine VALUES(?1, ?2, ?3, ?4)",
    [ADD_PROGRAM] = "INSERT OR IGNORE INTO program VALUES(?1, ?2, ?3)",
    [ADD_POINT] = "INSERT OR IGNORE INTO lone_point VALUES(?1, ?2, ?3)",
    [DROP_RUN] = "DELETE FROM run WHERE key = ?1",
    [ADD_RUN] = ("INSERT INTO run(key, machine, program, engine, engine_version, calibration,"
                 " calibration_file, seed, settings, status, error, level, half_width, intervals,"
                 " simulated_share, bottleneck, plumb, host, host_seconds, base, ratio,"
                 " ratio_half_width, ratio_apart, place, finished)"
                 " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"
                 " ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"),
    [ADD_STATION] = "INSERT INTO station VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [GET_RUN] = ("SELECT id, status, error, level, half_width, intervals, simulated_share,"
                 " bottleneck, host_seconds, base, ratio, ratio_half_width, ratio_apart,"
                 " place FROM run WHERE key = ?1"),
    [GET_PLACE] = "SELECT place FROM run WHERE key = ?1",
    [GET_COLUMNS] = "SELECT max(id) FROM metric_name",
    [BEGIN_RUN] = "BEGIN IMMEDIATE",
    [COMMIT_RUN] = "COMMIT",
    [ROLLBACK_RUN] = "ROLLBACK",
};

/* Why the system refused: SQLite tries a second way, whose reason says nothing of the first. */
static const char *reason_of(const struct store *s, int rc)
{
    char folder[4096];
    const char *slash = strrchr(s->path, '/');
    if (access(s->path, R_OK | W_OK) != 0 && errno != ENOENT) return strerror(errno);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - s->path) + 1 : 1,
             slash ? s->path : ".");
    return access(folder, W_OK | X_OK) != 0 ? strerror(errno) : sqlite3_errstr(rc);
}

/* Translates SQLite's error into the user's terms. */
bool store_refuse(const struct store *s, int rc, struct error *e)
{
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_input(e,
                           "%s: another process holds the database; wait for it to end or name "
                           "another output",
                           s->path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_input(e,
                           "%s: broken, or not a database (%s); move it away or name another "
                           "output",
                           s->path, sqlite3_errstr(rc));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return error_input(e,
                           "%s: cannot be opened for writing: %s; name a file in a directory that "
                           "you may write to",
                           s->path, reason_of(s, rc));
    case SQLITE_NOMEM: return error_no_memory(e);
    case SQLITE_FULL:
        return error_run(
            e, "%s: the disk is full; what was stored is safe: make room and run again", s->path);
    default: return error_run(e, "%s: %s", s->path, sqlite3_errstr(rc));
    }
}

static int pragma_number(struct store *s, const char *pragma, int64_t *v)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, pragma, -1, &q, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(q);
    if (rc == SQLITE_ROW) *v = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return rc == SQLITE_ROW ? SQLITE_OK : rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
}

static bool check_sound(struct store *s, struct error *e)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &q, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(q);
    const char *word = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
    bool sound = word && strcmp(word, "ok") == 0;
    sqlite3_finalize(q);
    if (sound) return true;
    return store_refuse(s, rc == SQLITE_ROW ? SQLITE_CORRUPT : rc, e);
}

static int run_step(struct store *s, int64_t v)
{
    int rc = sqlite3_exec(s->db, schema_step[v], NULL, NULL, NULL);
    return rc == SQLITE_OK && v + 1 == SCHEMA_OF_COLUMNS ? metric_columns_take_rows(s->db) : rc;
}

/* Brings the file to the current version in one transaction: a process that opens the file
 * meanwhile finds no tables or all of them.  The version is read again inside the transaction,
 * since another process may have migrated the file. */
static bool migrate_schema(struct store *s, struct error *e)
{
    int64_t v = 0;
    int rc = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (rc == SQLITE_OK) rc = pragma_number(s, "PRAGMA user_version", &v);
    for (; v < STORE_SCHEMA && rc == SQLITE_OK; v++)
        rc = run_step(s, v);
    if (rc == SQLITE_OK) rc = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    if (rc == SQLITE_OK) return true;
    store_refuse(s, rc, e);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static bool refuse_empty(const char *path, struct error *e)
{
    return error_input(
        e, "%s: an empty file or database; 'plumb sweep run' makes one of plumb's of it", path);
}

/* A new file gets the schema, an older version is migrated to the current one; any other is
 * refused. */
static bool check_schema(struct store *s, bool create, struct error *e)
{
    int64_t id = 0, version = 0, tables = 0;
    int rc = pragma_number(s, "SELECT count(*) FROM sqlite_master", &tables);
    if (rc == SQLITE_OK) rc = pragma_number(s, "PRAGMA application_id", &id);
    if (rc == SQLITE_OK) rc = pragma_number(s, "PRAGMA user_version", &version);
    if (rc != SQLITE_OK) return store_refuse(s, rc, e);
    if (tables == 0 && id == 0) return create ? migrate_schema(s, e) : refuse_empty(s->path, e);
    if (id != STORE_APPLICATION_ID)
        return error_input(e, "%s: a database, but not one of plumb's; name another output",
                           s->path);
    if (version < 1 || version > STORE_SCHEMA)
        return error_input(e,
                           "%s: schema version %d, this plumb reads 1 to %d; name another output "
                           "or use the plumb that made it",
                           s->path, (int)version, STORE_SCHEMA);
    return check_sound(s, e) && (version == STORE_SCHEMA || migrate_schema(s, e));
}

enum store_use { USE_READ, USE_MAKE, USE_SHARED };

/* What a file is read for leaves its journal as it is; asking for its schema shows whether it can
 * be read. */
static const char *const journal[] = {
    [USE_READ] = "PRAGMA schema_version; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
    [USE_MAKE] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
    [USE_SHARED] =
        "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"};

/* Two processes that make one database at the same time hinder each other in a way for which SQLite
 * calls no busy handler: the change to WAL. So it is tried again for as long. */
static int set_journal(sqlite3 *db, enum store_use use)
{
    enum { STEP_MS = 10 };
    double end = progress_clock_seconds() + BUSY_MS / 1000.0;
    for (;;) {
        int rc = sqlite3_exec(db, journal[use], NULL, NULL, NULL);
        if ((rc & 0xff) != SQLITE_BUSY || progress_clock_seconds() > end) return rc;
        sqlite3_sleep(STEP_MS);
    }
}

static int open_writable(struct store *s, enum store_use use)
{
    int flags = SQLITE_OPEN_READWRITE | (use != USE_READ ? SQLITE_OPEN_CREATE : 0);
    int rc = sqlite3_open_v2(s->path, &s->db, flags, NULL);
    if (rc != SQLITE_OK) return rc;
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    return set_journal(s->db, use);
}

/* Opens a file without write permission that nobody is writing (a writer keeps a -wal file beside
 * it). */
static int open_readable(struct store *s)
{
    struct text uri = {0};
    char *wal = NULL;
    text_add(&uri, "%s-wal", s->path);
    wal = uri.failed ? NULL : mem_strdup(text_str(&uri));
    bool quiet = wal && !file_exists(wal);
    mem_free(wal);
    text_fini(&uri);
    if (!quiet) return SQLITE_READONLY;
    uri = (struct text){0};
    text_add(&uri, "file:");
    for (const char *c = s->path; *c; c++)
        text_add(&uri, strchr("?#%", *c) ? "%%%02x" : "%c", (unsigned)(unsigned char)*c);
    text_add(&uri, "?immutable=1");
    sqlite3_close(s->db);
    s->db = NULL;
    int rc = uri.failed ? SQLITE_NOMEM
                        : sqlite3_open_v2(text_str(&uri), &s->db,
                                          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    text_fini(&uri);
    return rc;
}

static bool set_up(struct store *s, enum store_use use, struct error *e)
{
    struct stat file;
    bool create = use != USE_READ;
    bool there = stat(s->path, &file) == 0;
    /* SQLite would wait at a pipe, and write to a device or an empty file */
    if (there && !S_ISDIR(file.st_mode) && !file_is_regular(s->path))
        return error_input(e, "%s: cannot be opened: it is no regular file", s->path);
    if (!create && access(s->path, R_OK) != 0)
        return error_input(e, "%s: cannot be opened: %s", s->path, strerror(errno));
    if (there && !create && file.st_size == 0) return refuse_empty(s->path, e);
    int rc = open_writable(s, use), kind = rc & 0xff;
    if (!create && (kind == SQLITE_READONLY || kind == SQLITE_CANTOPEN)) rc = open_readable(s);
    if (rc != SQLITE_OK) return store_refuse(s, rc, e);
    if (!check_schema(s, create, e)) return false;
    for (int i = 0; i < STATEMENTS; i++) {
        rc = sqlite3_prepare_v3(s->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &s->stmt[i], NULL);
        if (rc != SQLITE_OK) return store_refuse(s, rc, e);
    }
    return true;
}

static struct store *open_for(const char *path, enum store_use use, struct error *e)
{
    if (use == USE_READ && !file_may_exist(path)) {
        error_input(e, "%s: no such database; 'plumb sweep run' makes it", path);
        return NULL;
    }
    if (file_is_dir(path)) {
        error_input(e, "%s: is a directory; name a database file", path);
        return NULL;
    }
    struct store *s = mem_new(1, sizeof *s);
    char *name = mem_strdup(path);
    if (!s || !name) {
        mem_free(s);
        mem_free(name);
        error_no_memory(e);
        return NULL;
    }
    s->path = name;
    pthread_mutex_init(&s->lock, NULL);
    if (gethostname(s->host, sizeof s->host - 1) != 0) s->host[0] = '\0';
    if (set_up(s, use, e)) return s;
    store_close(s);
    return NULL;
}

struct store *store_open(const char *path, bool create, struct error *e)
{
    return open_for(path, create ? USE_MAKE : USE_READ, e);
}

struct store *store_open_shared(const char *path, struct error *e)
{
    return open_for(path, USE_SHARED, e);
}

bool store_copy(struct store *into, const char *path, struct error *e)
{
    struct store *from = store_open(path, false, e);
    if (!from) return false;
    sqlite3_backup *copy = sqlite3_backup_init(into->db, "main", from->db, "main");
    int rc = copy ? sqlite3_backup_step(copy, -1) : sqlite3_errcode(into->db);
    if (copy) sqlite3_backup_finish(copy);
    bool ok = rc == SQLITE_DONE || store_refuse(from, rc, e);
    store_close(from);
    return ok;
}

void store_close(struct store *s)
{
    if (!s) return;
    metric_columns_forget(&s->columns);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->stmt[i]);
    sqlite3_close(s->db);
    pthread_mutex_destroy(&s->lock);
    mem_free(s->path);
    mem_free(s);
}
