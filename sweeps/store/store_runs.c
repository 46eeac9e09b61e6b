/* store_runs.c - reads and writes runs in the database, and computes their keys.  See store.h. */
#include "base/text/line_change.h"
#include "base/text/version.h"
#include "sweeps/store/store_internal.h"

#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

void run_key_text(const struct run_key *k, char out[33])
{
    char rest[320];
    snprintf(rest, sizeof rest, "%s %d %llu %s", engine_name[k->engine], k->version,
             (unsigned long long)k->seed, k->settings);
    struct digest d = digest_join(k->machine, k->program);
    d = digest_join(digest_join(d, k->calibration), digest_text(rest));
    digest_hex(d, out);
}

/* --- writing --- */

void store_bind_text(sqlite3_stmt *q, int at, const char *text)
{
    if (text)
        sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(q, at);
}

int store_run_once(sqlite3_stmt *q)
{
    int rc = sqlite3_step(q);
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* A NULL stays SQL's NULL. */
static int add_texts(sqlite3_stmt *q, const char *const *text, int n)
{
    for (int i = 0; i < n; i++)
        store_bind_text(q, i + 1, text[i]);
    return store_run_once(q);
}

static int add_three(sqlite3_stmt *q, const char *a, const char *b, const char *c)
{
    const char *const three[] = {a, b, c};
    return add_texts(q, three, 3);
}

struct hexes {
    char key[33], machine[33], program[33], calibration[33];
};

static struct hexes hexes_of(const struct run_key *k)
{
    struct hexes h;
    run_key_text(k, h.key);
    digest_hex(k->machine, h.machine);
    digest_hex(k->program, h.program);
    digest_hex(k->calibration, h.calibration);
    return h;
}

/* In the lines in which it differs from a machine much like it, where that says it all. */
static int add_machine(struct store *s, const char *digest, const struct provenance *p)
{
    struct text changes = {0};
    const struct machine_text *like = p->like;
    if (like && strcmp(like->digest, digest) == 0) like = NULL;
    if (like && !line_change_find(like->config, p->machine_config, &changes)) like = NULL;
    const char *const whole[] = {digest, p->machine_name, p->machine_config, NULL};
    int rc = changes.failed ? SQLITE_NOMEM : SQLITE_OK;
    if (like && rc == SQLITE_OK) {
        const char *const base[] = {like->digest, like->name, like->config, NULL};
        const char *const part[] = {digest, p->machine_name, text_str(&changes), like->digest};
        rc = add_texts(s->stmt[ADD_MACHINE], base, 4);
        if (rc == SQLITE_OK) rc = add_texts(s->stmt[ADD_MACHINE], part, 4);
    } else if (rc == SQLITE_OK) {
        rc = add_texts(s->stmt[ADD_MACHINE], whole, 4);
    }
    text_fini(&changes);
    return rc;
}

static int add_provenance(struct store *s, const struct hexes *h, const struct provenance *p)
{
    int rc = add_three(s->stmt[ADD_PROGRAM], h->program, p->program_name, p->program_spec);
    if (rc != SQLITE_OK || !p->machine_config) return rc;
    rc = add_machine(s, h->machine, p);
    for (uint32_t i = 0; i < p->n_axes && rc == SQLITE_OK; i++)
        rc = add_three(s->stmt[ADD_POINT], h->machine, p->path[i], p->value[i]);
    return rc;
}

static void bind_confidence(sqlite3_stmt *q, int at, const struct record *r)
{
    if (!r->has_confidence) return;
    sqlite3_bind_double(q, at, r->level);
    sqlite3_bind_double(q, at + 1, r->half_width);
    sqlite3_bind_int64(q, at + 2, r->intervals);
    sqlite3_bind_double(q, at + 3, r->simulated_share);
}

static void bind_ratio(sqlite3_stmt *q, int at, const struct record *r)
{
    if (!r->has_ratio) return;
    store_bind_text(q, at, r->base);
    sqlite3_bind_double(q, at + 1, r->ratio);
    sqlite3_bind_double(q, at + 2, r->ratio_half_width);
    sqlite3_bind_double(q, at + 3, r->ratio_apart);
}

/* As the host has its numbers. */
static void bind_place(sqlite3_stmt *q, int at, const struct record *r)
{
    if (r->has_place) sqlite3_bind_blob(q, at, &r->place, sizeof r->place, SQLITE_TRANSIENT);
}

static int add_run(struct store *s, const struct run_key *k, const struct hexes *h,
                   const struct provenance *p, const struct record *r)
{
    static const struct digest none;
    sqlite3_stmt *q = s->stmt[ADD_RUN];
    bool calibrated = !digest_equal(k->calibration, none);
    store_bind_text(s->stmt[DROP_RUN], 1, h->key);
    int rc = store_run_once(s->stmt[DROP_RUN]);
    if (rc != SQLITE_OK) return rc;
    store_bind_text(q, 1, h->key);
    store_bind_text(q, 2, h->machine);
    store_bind_text(q, 3, h->program);
    store_bind_text(q, 4, engine_name[k->engine]);
    sqlite3_bind_int(q, 5, k->version);
    store_bind_text(q, 6, calibrated ? h->calibration : NULL);
    store_bind_text(q, 7, calibrated ? p->calibration_file : NULL);
    sqlite3_bind_int64(q, 8, (sqlite3_int64)k->seed);
    store_bind_text(q, 9, k->settings);
    store_bind_text(q, 10, r->failed ? "failed" : "done");
    store_bind_text(q, 11, r->failed ? r->error : NULL);
    bind_confidence(q, 12, r);
    store_bind_text(q, 16, r->bottleneck[0] ? r->bottleneck : NULL);
    store_bind_text(q, 17, PLUMB_VERSION);
    store_bind_text(q, 18, s->host);
    sqlite3_bind_double(q, 19, r->host_seconds);
    bind_ratio(q, 20, r);
    bind_place(q, 24, r);
    return store_run_once(q);
}

/* The columns are there: put_all has made them. */
static int add_metrics(struct store *s, const struct record *r, sqlite3_int64 run)
{
    const struct metric_columns *c = &s->columns;
    if (!c->put) return SQLITE_OK; /* no run has a metric */
    sqlite3_bind_int64(c->put, 1, run);
    for (uint32_t i = 0; i < c->stored.n; i++) {
        uint32_t key = c->stored.key[i];
        if (key < METRICS_KEYS_MAX && r->has[key])
            sqlite3_bind_double(c->put, (int)i + 2, r->value[key]);
    }
    return store_run_once(c->put);
}

static int add_stations(struct store *s, const struct record *r, sqlite3_int64 run)
{
    sqlite3_stmt *q = s->stmt[ADD_STATION];
    int rc = SQLITE_OK;
    for (uint32_t i = 0; i < r->n_stations && rc == SQLITE_OK; i++) {
        const struct station *x = &r->station[i];
        const double v[] = {x->utilization, x->queue, x->latency, x->gain};
        sqlite3_bind_int64(q, 1, run);
        sqlite3_bind_int64(q, 2, i);
        sqlite3_bind_text(q, 3, x->name, -1, SQLITE_STATIC);
        for (int k = 0; k < 4; k++)
            sqlite3_bind_double(q, 4 + k, v[k]);
        rc = store_run_once(q);
    }
    return rc;
}

static int put_run(struct store *s, const struct stored_run *o)
{
    struct hexes h = hexes_of(&o->key);
    int rc = add_provenance(s, &h, &o->from);
    if (rc == SQLITE_OK) rc = add_run(s, &o->key, &h, &o->from, o->record);
    sqlite3_int64 run = sqlite3_last_insert_rowid(s->db);
    if (rc == SQLITE_OK && !o->record->failed) rc = add_metrics(s, o->record, run);
    if (rc == SQLITE_OK && !o->record->failed) rc = add_stations(s, o->record, run);
    return rc;
}

/* Other processes add columns, too. */
static int refresh_columns(struct store *s)
{
    sqlite3_stmt *q = s->stmt[GET_COLUMNS];
    int rc = sqlite3_step(q);
    int64_t n = rc == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_reset(q);
    if (rc != SQLITE_ROW) return rc;
    return n == s->columns.stored.n ? SQLITE_OK : metric_columns_read(&s->columns, s->db);
}

static int make_columns(struct store *s, const struct stored_run *run, size_t n)
{
    bool wanted[METRICS_KEYS_MAX] = {0};
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < METRICS_KEYS_MAX && !run[i].record->failed; k++)
            wanted[k] = wanted[k] || run[i].record->has[k];
    int rc = refresh_columns(s);
    return rc == SQLITE_OK ? metric_columns_add(&s->columns, s->db, wanted) : rc;
}

bool store_put_all(struct store *s, const struct stored_run *run, size_t n, struct error *e)
{
    pthread_mutex_lock(&s->lock);
    int rc = store_run_once(s->stmt[BEGIN_RUN]);
    bool begun = rc == SQLITE_OK;
    if (rc == SQLITE_OK) rc = make_columns(s, run, n);
    for (size_t i = 0; i < n && rc == SQLITE_OK; i++)
        rc = put_run(s, &run[i]);
    if (rc == SQLITE_OK) rc = store_run_once(s->stmt[COMMIT_RUN]);
    if (rc != SQLITE_OK && begun) {
        store_run_once(s->stmt[ROLLBACK_RUN]);
        metric_columns_forget(&s->columns); /* what was added is gone, too */
    }
    bool ok = rc == SQLITE_OK || store_refuse(s, rc, e);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

/* --- reading --- */

static void copy_text(char *out, size_t cap, sqlite3_stmt *q, int column)
{
    const unsigned char *s = sqlite3_column_text(q, column);
    snprintf(out, cap, "%s", s ? (const char *)s : "");
}

/* The file is not trusted: what is no number would make every range that follows none. */
static bool is_finite(const struct answer_place *p)
{
    double sum = p->log_cycles;
    for (int i = 0; i < ANSWER_USE; i++)
        sum += p->use[i];
    for (int i = 0; i < ANSWER_FEATURES; i++)
        sum += p->feature[i];
    return isfinite(sum);
}

/* false: it has none, one of another version, or one that is not sound. */
static bool read_place(sqlite3_stmt *q, int column, struct answer_place *out)
{
    const void *place = sqlite3_column_blob(q, column);
    if (!place || sqlite3_column_bytes(q, column) != (int)sizeof *out) return false;
    memcpy(out, place, sizeof *out);
    return is_finite(out);
}

static void read_run(sqlite3_stmt *q, struct record *r)
{
    *r = (struct record){0};
    r->failed = strcmp((const char *)sqlite3_column_text(q, 1), "failed") == 0;
    copy_text(r->error, sizeof r->error, q, 2);
    r->has_confidence = sqlite3_column_type(q, 3) != SQLITE_NULL;
    r->level = sqlite3_column_double(q, 3);
    r->half_width = sqlite3_column_double(q, 4);
    r->intervals = (uint32_t)sqlite3_column_int64(q, 5);
    r->simulated_share = sqlite3_column_double(q, 6);
    copy_text(r->bottleneck, sizeof r->bottleneck, q, 7);
    r->host_seconds = sqlite3_column_double(q, 8);
    r->has_ratio = sqlite3_column_type(q, 10) != SQLITE_NULL;
    copy_text(r->base, sizeof r->base, q, 9);
    r->ratio = sqlite3_column_double(q, 10);
    r->ratio_half_width = sqlite3_column_double(q, 11);
    r->ratio_apart = sqlite3_column_double(q, 12);
    r->has_place = read_place(q, 13, &r->place);
}

double record_metric(const struct record *r, const char *name)
{
    uint32_t i = metrics_key_index(name);
    return i < METRICS_KEYS_MAX && r->has[i] ? r->value[i] : NAN;
}

/* Which metrics to read; name NULL: all. */
struct wanted {
    const char *const *name;
    uint32_t n;
};

/* [METRICS_KEYS_MAX] stays false: another version's metric. */
static void mark_wanted(const struct wanted *w, bool key[METRICS_KEYS_MAX + 1])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        key[i] = !w->name;
    for (uint32_t i = 0; w->name && i < w->n; i++)
        key[metrics_key_index(w->name[i])] = true;
    key[METRICS_KEYS_MAX] = false;
}

static int read_metrics(struct store *s, int64_t id, struct wanted w, struct record *r)
{
    bool wanted[METRICS_KEYS_MAX + 1];
    int rc = refresh_columns(s);
    mark_wanted(&w, wanted);
    return rc == SQLITE_OK ? stored_metrics_read(&s->columns.stored, id, wanted, r->value, r->has)
                           : rc;
}

bool store_get_place(struct store *s, const struct run_key *k, struct answer_place *out,
                     bool *there, struct error *e)
{
    char key[33];
    sqlite3_stmt *q = s->stmt[GET_PLACE];
    run_key_text(k, key);
    store_bind_text(q, 1, key);
    int rc = sqlite3_step(q);
    *there = rc == SQLITE_ROW && read_place(q, 0, out);
    sqlite3_reset(q);
    return rc == SQLITE_ROW || rc == SQLITE_DONE || store_refuse(s, rc, e);
}

static enum stored get_run(struct store *s, const struct run_key *k, struct wanted w,
                           struct record *r, struct error *e)
{
    char key[33];
    struct record own;
    sqlite3_stmt *q = s->stmt[GET_RUN];
    run_key_text(k, key);
    store_bind_text(q, 1, key);
    int rc = sqlite3_step(q);
    int64_t id = 0;
    if (rc == SQLITE_ROW) {
        id = sqlite3_column_int64(q, 0);
        read_run(q, r ? r : &own);
    }
    sqlite3_reset(q);
    if (rc == SQLITE_DONE) return STORED_NO;
    if (rc == SQLITE_ROW && r && (rc = read_metrics(s, id, w, r)) == SQLITE_OK) rc = SQLITE_ROW;
    if (rc != SQLITE_ROW) {
        store_refuse(s, rc, e);
        return STORED_ERROR;
    }
    return (r ? r : &own)->failed ? STORED_FAILED : STORED_DONE;
}

enum stored store_get(struct store *s, const struct run_key *k, struct record *r, struct error *e)
{
    return get_run(s, k, (struct wanted){.name = NULL}, r, e);
}

enum stored store_get_some(struct store *s, const struct run_key *k, const char *const *name,
                           uint32_t n, struct record *r, struct error *e)
{
    return get_run(s, k, (struct wanted){.name = name, .n = n}, r, e);
}
