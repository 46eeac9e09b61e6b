/* work_dir.c - see work_dir.h. */
#include "sweeps/workers/work_dir.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/store/merge.h"
#include "sweeps/store/sweep_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = WORK_DIR_MAX + 256 };

static void path_in(const struct work_dir *d, const char *name, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/%s", d->path, name);
}

char *work_dir_beside(const char *output)
{
    struct text t = {0};
    size_t n = strlen(output);
    if (n > 3 && strcmp(output + n - 3, ".db") == 0) n -= 3;
    text_add(&t, "%.*s.work", (int)n, output);
    char *path = t.failed ? NULL : mem_strdup(text_str(&t));
    text_fini(&t);
    return path;
}

bool work_dir_exists(const char *path)
{
    char *file = file_join(path, "sweep"), *claims = file_join(path, "claims");
    bool there = file && claims && file_exists(file) && file_is_dir(claims);
    mem_free(file);
    mem_free(claims);
    return there;
}

/* --- which sweep -------------------------------------------------------------------------------
 */

/* Runs of other versions of the models have other keys, so their workers must not meet. */
static void digest_of(const struct plan *p, char hex[33])
{
    char versions[64];
    struct digest d;
    sweep_tables_digest(p, hex);
    snprintf(versions, sizeof versions, "%s %d %d %d", hex, engine_version(ENGINE_ESTIMATE),
             engine_version(ENGINE_SAMPLE), engine_version(ENGINE_SIMULATE));
    d = digest_text(versions);
    digest_hex(d, hex);
}

static void copy_value(char *out, size_t room, const char *line, const char *key)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) == 0 && line[n] == ' ') snprintf(out, room, "%s", line + n + 1);
}

static bool set_path(struct work_dir *d, const char *path, struct error *e)
{
    if (strlen(path) >= sizeof d->path) return error_input(e, "%s: the name is too long", path);
    snprintf(d->path, sizeof d->path, "%s", path);
    snprintf(d->claims, sizeof d->claims, "%s/claims", path);
    return true;
}

bool work_dir_read(struct work_dir *d, const char *path, struct error *e)
{
    char name[PATH_ROOM], *bytes, *save = NULL, lease[32] = "", workers[32] = "";
    size_t n;
    *d = (struct work_dir){0};
    if (!set_path(d, path, e)) return false;
    path_in(d, "sweep", name);
    if (!file_read(name, &bytes, &n, e)) return false;
    char *line = strtok_r(bytes, "\n", &save);
    bool sound = line && strcmp(line, "plumb-work 1") == 0;
    for (; line; line = strtok_r(NULL, "\n", &save)) {
        copy_value(d->file, sizeof d->file, line, "file");
        copy_value(d->calibration, sizeof d->calibration, line, "calibration");
        copy_value(d->digest, sizeof d->digest, line, "digest");
        copy_value(lease, sizeof lease, line, "lease");
        copy_value(workers, sizeof workers, line, "workers");
    }
    mem_free(bytes);
    d->lease = strtod(lease, NULL);
    d->workers = (uint32_t)strtoul(workers, NULL, 10);
    if (sound && d->lease > 0 && d->workers > 0 && d->digest[0]) return true;
    return error_input(e, "%s: not made by 'plumb sweep work', or by another version", name);
}

bool work_dir_check(const struct work_dir *d, const struct plan *p, struct error *e)
{
    char digest[33];
    digest_of(p, digest);
    if (strcmp(digest, d->digest) == 0) return true;
    return error_input(e,
                       "%s: holds the work of another sweep, or %s, a file that it names or plumb "
                       "has changed since; name another --dir",
                       d->path, p->file);
}

/* The record has a line for each name, so a name must not end one. */
static bool add_absolute(struct text *out, const char *key, const char *path, struct error *e)
{
    char *real = realpath(path, NULL);
    bool ok = !strchr(real ? real : path, '\n');
    if (ok)
        text_add(out, "%s %s\n", key, real ? real : path);
    else
        error_input(e, "%s: a path with a line end; workers cannot record it", real ? real : path);
    free(real);
    return ok;
}

static bool publish_sweep(const struct work_dir *d, const struct plan *p, const char *calibration,
                          struct error *e)
{
    char name[PATH_ROOM], digest[33];
    struct text out = {0};
    path_in(d, "sweep.cfg", name);
    bool ok = !p->text || shared_file_publish(name, p->text, e) != SHARED_ERROR;
    digest_of(p, digest);
    text_add(&out, "plumb-work 1\n");
    ok = ok && add_absolute(&out, "file", p->file, e) &&
         (!calibration || add_absolute(&out, "calibration", calibration, e));
    text_add(&out, "digest %s\nlease %.17g\nworkers %" PRIu32 "\n", digest, d->lease, d->workers);
    path_in(d, "sweep", name);
    if (ok && out.failed) ok = error_no_memory(e);
    ok = ok && shared_file_publish(name, text_str(&out), e) != SHARED_ERROR;
    text_fini(&out);
    return ok;
}

bool work_dir_join(struct work_dir *d, const char *path, const struct plan *p,
                   const char *calibration, struct error *e)
{
    char name[PATH_ROOM];
    if (!set_path(d, path, e)) return false;
    if (file_exists(path) && !file_is_dir(path))
        return error_input(e, "%s: no directory; workers need one for their files", path);
    path_in(d, "workers", name);
    if (!file_make_dirs(d->claims, e) || !file_make_dirs(name, e)) return false;
    path_in(d, "sweep", name);
    if (!file_exists(name) && !publish_sweep(d, p, calibration, e)) return false;
    return work_dir_read(d, path, e) && work_dir_check(d, p, e);
}

/* --- batches -----------------------------------------------------------------------------------
 */

static void path_of_batch(const struct work_dir *d, uint32_t number, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/batch-%" PRIu32, d->path, number);
}

bool work_dir_batch(const struct work_dir *d, uint32_t number, const struct plan *p,
                    struct run_batch *b, bool *there, struct error *e)
{
    char path[PATH_ROOM];
    shared_time t;
    *b = (struct run_batch){0};
    path_of_batch(d, number, path);
    *there = shared_file_time(path, &t);
    return !*there || batch_read(b, path, p, e);
}

bool work_dir_publish(const struct work_dir *d, uint32_t number, const struct run_batch *b,
                      struct error *e)
{
    char path[PATH_ROOM];
    struct text out = {0};
    path_of_batch(d, number, path);
    batch_write(b, &out);
    bool ok = !out.failed || error_no_memory(e);
    ok = ok && shared_file_publish(path, text_str(&out), e) != SHARED_ERROR;
    text_fini(&out);
    return ok;
}

/* --- databases ---------------------------------------------------------------------------------
 */

void work_dir_database(const struct work_dir *d, const char *holder, char *path, size_t room)
{
    snprintf(path, room, "%s/workers/%s.db", d->path, holder);
}

struct database_list {
    char **name;
    size_t n, cap;
    bool failed;
};

static bool add_database(const char *name, void *ctx)
{
    struct database_list *l = ctx;
    size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 3, ".db") != 0) return true;
    l->failed = !mem_grow(&l->name, &l->cap, l->n + 1, sizeof *l->name) ||
                !(l->name[l->n] = mem_strdup(name));
    l->n += !l->failed;
    return !l->failed;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_databases(const struct work_dir *d, struct database_list *l, struct error *e)
{
    char path[PATH_ROOM];
    path_in(d, "workers", path);
    if (!shared_file_list(path, add_database, l, e)) return false;
    if (l->failed) return error_no_memory(e);
    qsort(l->name, l->n, sizeof *l->name, compare_names);
    return true;
}

/* A database that its worker is about to make. */
static bool is_empty(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_size == 0;
}

bool work_dir_each(const struct work_dir *d, const char *except, work_database_fn *each, void *ctx,
                   struct error *e)
{
    char path[PATH_ROOM], own[PATH_ROOM] = "";
    struct database_list l = {0};
    bool ok = list_databases(d, &l, e);
    if (except) work_dir_database(d, except, own, sizeof own);
    for (size_t i = 0; i < l.n; i++) {
        snprintf(path, sizeof path, "%s/workers/%s", d->path, l.name[i]);
        mem_free(l.name[i]);
        if (ok && strcmp(path, own) != 0 && !is_empty(path)) ok = each(path, ctx, e);
    }
    mem_free(l.name);
    return ok;
}

struct merging {
    struct store *into;
    work_skip_fn *skip;
    void *ctx;
    struct work_merged *sum;
};

static bool merge_one(const char *path, void *ctx, struct error *e)
{
    struct merge_result r;
    struct merging *m = ctx;
    if (merge_database(m->into, path, &r, e)) {
        m->sum->databases++;
        m->sum->taken += r.taken;
        m->sum->known += r.known;
        return true;
    }
    if (e->kind != ERROR_INPUT) return false;
    m->sum->skipped++;
    m->skip(e->text, m->ctx);
    *e = (struct error){0};
    return true;
}

bool work_dir_merge(const struct work_dir *d, struct store *into, const char *except,
                    work_skip_fn *skip, void *ctx, struct work_merged *sum, struct error *e)
{
    struct merging m = {.into = into, .skip = skip, .ctx = ctx, .sum = sum};
    *sum = (struct work_merged){0};
    return work_dir_each(d, except, merge_one, &m, e);
}

/* --- claims ------------------------------------------------------------------------------------
 */

void work_dir_chunk_name(uint32_t number, size_t chunk, char what[LEASE_WHAT_MAX])
{
    snprintf(what, LEASE_WHAT_MAX, "%" PRIu32 "-%zu", number, chunk);
}

enum chunk_state work_dir_chunk(const struct work_dir *d, uint32_t number, size_t chunk,
                                const struct chunk_claim *claim, shared_time now)
{
    char what[LEASE_WHAT_MAX];
    uint32_t n = claim->generations;
    if (claim->done) return CHUNK_DONE;
    if (n == 0) return CHUNK_FRESH;
    work_dir_chunk_name(number, chunk, what);
    if (!lease_is_stale(d->claims, what, n - 1, d->lease, now)) return CHUNK_HELD;
    return lease_is_deadly(d->claims, what, n) ? CHUNK_LEFT : CHUNK_STALE;
}

struct claim_list {
    uint32_t number;
    struct chunk_claim *claim;
    size_t chunks;
};

static bool note_claim(const char *name, void *ctx)
{
    struct claim_list *l = ctx;
    uint64_t batch, chunk, generation;
    if (!text_whole(&name, 10, &batch) || *name++ != '-' || !text_whole(&name, 10, &chunk) ||
        *name++ != '.' || batch != l->number || chunk >= l->chunks)
        return true;
    struct chunk_claim *c = &l->claim[chunk];
    if (strcmp(name, "done") == 0)
        c->done = true;
    else if (text_whole(&name, 10, &generation) && *name == '\0' && generation < UINT32_MAX &&
             generation >= c->generations)
        c->generations = (uint32_t)generation + 1;
    return true;
}

bool work_dir_claims(const struct work_dir *d, uint32_t number, struct chunk_claim *claim,
                     size_t chunks, struct error *e)
{
    struct claim_list l = {.number = number, .claim = claim, .chunks = chunks};
    return shared_file_list(d->claims, note_claim, &l, e);
}
