/* bank_file.c - opens a bank's file and sets a damaged one aside.
 *
 * Every process that may write keeps a shared lock (flock) on FILE.lock while it has the file open.
 * A damaged file is renamed by whoever gets that lock alone: SQLite's own locks and its journal go
 * by the file's name, so that it must not change under another process.
 *
 * The journal is a WAL, for which processes share memory; on a disk of the network, where several
 * hosts may write, it is a rollback journal. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "base/text/text.h"
#include "calibration/bank/bank_internal.h"
#include "calibration/bank/bank_schema.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { BUSY_MS = 2000, STEP_MS = 10 };

/* --- names beside the file -------------------------------------------------------------------- */

static char *beside(const struct bank *b, const char *suffix)
{
    struct text t = {0};
    text_add(&t, "%s%s", b->path, suffix);
    char *path = t.failed ? NULL : mem_strdup(text_str(&t));
    text_fini(&t);
    return path;
}

static bool is_beside(const struct bank *b, const char *suffix)
{
    char *path = beside(b, suffix);
    bool there = path && access(path, F_OK) == 0;
    mem_free(path);
    return there;
}

static void rename_beside(const struct bank *b, const char *suffix, const char *to)
{
    char *from = beside(b, suffix), *into = beside(b, to);
    if (from && into && rename(from, into) != 0 && errno == ENOENT) unlink(into);
    mem_free(from);
    mem_free(into);
}

static void lock_shared(struct bank *b)
{
    char *path = beside(b, ".lock");
    b->lock_file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
    double end = progress_clock_seconds() + BUSY_MS / 1000.0;
    while (b->lock_file >= 0 && flock(b->lock_file, LOCK_SH | LOCK_NB) != 0 &&
           errno == EWOULDBLOCK && progress_clock_seconds() < end)
        sqlite3_sleep(STEP_MS);
    mem_free(path);
}

static void unlock(struct bank *b)
{
    if (b->lock_file >= 0) close(b->lock_file);
    b->lock_file = -1;
}

/* --- the connection --------------------------------------------------------------------------- */

/* Magic numbers of statfs(2) and of Linux's own headers. */
static bool is_on_network(const char *path)
{
    static const uint32_t kind[] = {0x6969,     0xff534d42, 0xfe534d42, 0x517b,
                                    0x0bd00bd0, 0x47504653, 0x00c36400, 0x65735546};
    struct statfs fs;
    if (statfs(path, &fs) != 0) return false;
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if ((uint32_t)fs.f_type == kind[i]) return true;
    return false;
}

/* Nothing in the file is trusted: it cannot run functions, and no value is longer than the longest
 * that a bank has. */
static int distrust(sqlite3 *db)
{
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, BUSY_MS);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 2 * BANK_TEXT_MAX);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return sqlite3_exec(db,
                        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
                        "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
                        "PRAGMA cache_size = -8192;",
                        NULL, NULL, NULL);
}

/* Two processes that make one file hinder each other at the change to WAL, for which SQLite calls
 * no busy handler. */
static int set_journal(struct bank *b)
{
    /* of a new file alone: it would be written to another anew */
    if (b->is_new) sqlite3_exec(b->db, "PRAGMA auto_vacuum = INCREMENTAL", NULL, NULL, NULL);
    const char *sql = is_on_network(b->path)
                          ? "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL;"
                          : "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                            "PRAGMA journal_size_limit = 1048576;";
    double end = progress_clock_seconds() + BUSY_MS / 1000.0;
    for (;;) {
        int rc = sqlite3_exec(b->db, sql, NULL, NULL, NULL);
        if ((rc & 0xff) != SQLITE_BUSY || progress_clock_seconds() > end) return rc;
        sqlite3_sleep(STEP_MS);
    }
}

static int open_writable(struct bank *b)
{
    int create = b->use == BANK_MAKE ? SQLITE_OPEN_CREATE : 0;
    lock_shared(b);
    int rc = sqlite3_open_v2(b->path, &b->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | create,
                             NULL);
    if (rc == SQLITE_OK) rc = distrust(b->db);
    return rc == SQLITE_OK ? set_journal(b) : rc;
}

/* A file that nobody writes needs no journal beside it, which could not be made in a folder without
 * permission. */
static int open_readable(struct bank *b)
{
    struct text uri = {0};
    bool quiet = !is_beside(b, "-wal");
    text_add(&uri, "file:");
    for (const char *c = b->path; *c; c++)
        text_add(&uri, strchr("?#%", *c) ? "%%%02x" : "%c", (unsigned)(unsigned char)*c);
    if (quiet) text_add(&uri, "?immutable=1");
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    int rc = uri.failed ? SQLITE_NOMEM : sqlite3_open_v2(text_str(&uri), &b->db, flags, NULL);
    text_fini(&uri);
    return rc == SQLITE_OK ? distrust(b->db) : rc;
}

/* Whether the folder lets its user make the files that SQLite needs beside the bank. */
static bool folder_is_writable(const struct bank *b)
{
    char folder[4096];
    const char *slash = strrchr(b->path, '/');
    int n = slash ? (int)(slash - b->path) + 1 : 1;
    snprintf(folder, sizeof folder, "%.*s", n, slash ? b->path : ".");
    return access(folder, W_OK | X_OK) == 0;
}

/* Whether a file stands at the path that may be opened; false: *e says why not. */
static bool may_open(const struct bank *b, const struct stat *st, struct error *e)
{
    if (S_ISLNK(st->st_mode))
        return error_input(e, "%s: a link, which is not followed; name the bank's file itself",
                           b->path);
    if (!S_ISREG(st->st_mode))
        return error_input(e, "%s: no regular file; name another bank", b->path);
    return access(b->path, R_OK) == 0 ||
           error_run(e, "%s: the bank cannot be read: %s", b->path, strerror(errno));
}

/* Finds what stands at the path and whether it is to be written; false: *e, or ERROR_NONE where
 * there is nothing to be read. */
static bool look_at(struct bank *b, struct error *e)
{
    struct stat st;
    *e = (struct error){0};
    b->is_new = true;
    if (lstat(b->path, &st) != 0) {
        b->writable = true;
        if (b->use == BANK_MAKE && errno == ENOENT) return true;
        return errno != ENOENT &&
               error_run(e, "%s: the bank cannot be opened: %s", b->path, strerror(errno));
    }
    if (!may_open(b, &st, e)) return false;
    b->writable = b->use != BANK_READ && st.st_uid == geteuid() && access(b->path, W_OK) == 0 &&
                  folder_is_writable(b);
    b->is_new = st.st_size == 0;
    return st.st_size > 0 || b->use == BANK_MAKE;
}

int bank_file_open_any(struct bank *b, struct error *e)
{
    if (!look_at(b, e)) {
        if (e->kind == ERROR_NONE)
            error_input(e, "%s: there is no such file, or it is empty", b->path);
        return -1;
    }
    return open_readable(b);
}

static int open_memory(struct bank *b)
{
    b->writable = b->is_new = true;
    int rc = sqlite3_open_v2(":memory:", &b->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    return rc == SQLITE_OK ? distrust(b->db) : rc;
}

int bank_file_open(struct bank *b, struct error *e)
{
    if (b->use == BANK_MEMORY) {
        int opened = open_memory(b);
        return opened == SQLITE_OK ? bank_schema_check(b->db, b->path, true, e) : opened;
    }
    if (!look_at(b, e)) return -1;
    int rc = b->writable ? open_writable(b) : open_readable(b);
    if (rc == SQLITE_OK) rc = bank_schema_check(b->db, b->path, b->writable, e);
    return rc == SQLITE_MISMATCH ? -1 : rc;
}

void bank_file_close(struct bank *b)
{
    for (int i = 0; i < BANK_STATEMENTS; i++) {
        sqlite3_finalize(b->stmt[i]);
        b->stmt[i] = NULL;
    }
    sqlite3_close(b->db);
    b->db = NULL;
    for (size_t i = 0; i < b->n_maps; i++)
        mem_free(b->map[i].key);
    b->n_maps = 0;
    b->own_keys = 0;
    unlock(b);
}

/* --- damage ----------------------------------------------------------------------------------- */

void bank_file_set_aside(struct bank *b)
{
    struct error e = {0};
    bank_file_close(b);
    if (!b->writable) {
        bank_note(b, "%s: the bank is damaged, and not yours to replace", b->path);
        return;
    }
    lock_shared(b);
    if (b->lock_file < 0 || flock(b->lock_file, LOCK_EX | LOCK_NB) != 0) {
        unlock(b);
        bank_note(b,
                  "%s: the bank is damaged; another process uses it, so the next run replaces it",
                  b->path);
        return;
    }
    rename_beside(b, "", ".damaged");
    rename_beside(b, "-wal", ".damaged-wal");
    rename_beside(b, "-journal", ".damaged-journal");
    rename_beside(b, "-shm", ".damaged-shm");
    unlock(b);
    b->use = BANK_MAKE;
    if (bank_file_open(b, &e) == SQLITE_OK) {
        bank_note(b, "%s: the bank was damaged; it is now %s.damaged, and a new one begins",
                  b->path, b->path);
        return;
    }
    bank_file_close(b);
    bank_note(b, "%s: the bank was damaged and is now %s.damaged; no new one could be made",
              b->path, b->path);
}
