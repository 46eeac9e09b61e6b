/* ledger.c - see ledger.h. */
#include "sweeps/ledger.h"

#include "base/version.h"
#include "machine/machine.h"
#include "sweeps/store_internal.h"

#include <math.h>
#include <stdio.h>

/* One transaction under way: after the first fault everything else is left out. */
struct entry {
    struct store *store;
    sqlite3_stmt *q;
    int64_t sweep;
    int rc;
};

static void statement(struct entry *w, const char *sql)
{
    sqlite3_finalize(w->q);
    w->q = NULL;
    if (w->rc == SQLITE_OK) w->rc = sqlite3_prepare_v2(w->store->db, sql, -1, &w->q, NULL);
    if (w->rc == SQLITE_OK) sqlite3_bind_int64(w->q, 1, w->sweep);
}

static void text(struct entry *w, int at, const char *s)
{
    if (w->rc == SQLITE_OK) store_bind_text(w->q, at, s);
}

static void whole(struct entry *w, int at, int64_t v)
{
    if (w->rc == SQLITE_OK) sqlite3_bind_int64(w->q, at, v);
}

static void real(struct entry *w, int at, double v)
{
    if (w->rc == SQLITE_OK) sqlite3_bind_double(w->q, at, v);
}

static void step(struct entry *w)
{
    if (w->rc != SQLITE_OK) return;
    int rc = sqlite3_step(w->q);
    sqlite3_reset(w->q);
    if (rc != SQLITE_DONE && rc != SQLITE_ROW) w->rc = rc;
}

static void forget(struct entry *w, const char *sql)
{
    statement(w, sql);
    step(w);
}

static struct entry begin(struct store *s, int64_t sweep)
{
    struct entry w = {.store = s, .sweep = sweep};
    pthread_mutex_lock(&s->lock);
    w.rc = store_run_once(s->stmt[BEGIN_RUN]);
    return w;
}

static bool finish(struct entry *w, struct error *e)
{
    struct store *s = w->store;
    sqlite3_finalize(w->q);
    if (w->rc == SQLITE_OK) w->rc = store_run_once(s->stmt[COMMIT_RUN]);
    bool ok = w->rc == SQLITE_OK || store_refuse(s, w->rc, e);
    if (!ok) store_run_once(s->stmt[ROLLBACK_RUN]);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

/* --- the plan ----------------------------------------------------------------------------------
 */

static void sweep_digest(const struct plan *p, char hex[33])
{
    struct digest d = digest_text(p->text);
    if (p->calibration_file) d = digest_join(d, p->calibration_digest);
    digest_hex(d, hex);
}

static void add_sweep(struct entry *w, const struct plan *p)
{
    char digest[33];
    sweep_digest(p, digest);
    statement(w, "INSERT INTO sweep(digest, file, text, engine, design, seed, points, plumb, host,"
                 " planned) VALUES(?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
                 " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"
                 " ON CONFLICT(digest) DO UPDATE SET file = ?3, points = ?8, plumb = ?9,"
                 " host = ?10, planned = excluded.planned RETURNING id");
    text(w, 2, digest);
    text(w, 3, p->file);
    text(w, 4, p->text);
    text(w, 5, plan_engine(p));
    text(w, 6, plan_design(p));
    whole(w, 7, (int64_t)p->opts.seed);
    whole(w, 8, plan_points(p));
    text(w, 9, PLUMB_VERSION);
    text(w, 10, w->store->host);
    if (w->rc != SQLITE_OK) return;
    int rc = sqlite3_step(w->q);
    if (rc == SQLITE_ROW)
        w->sweep = sqlite3_column_int64(w->q, 0);
    else
        w->rc = rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
    sqlite3_reset(w->q);
}

static void add_axes(struct entry *w, const struct plan *p)
{
    forget(w, "DELETE FROM axis WHERE sweep = ?1");
    statement(w, "INSERT INTO axis VALUES(?1, ?2, ?3)");
    for (uint32_t i = 0; i < p->n_axes; i++) {
        whole(w, 2, i);
        text(w, 3, p->axis[i].path);
        step(w);
    }
}

static void add_objectives(struct entry *w, const struct plan *p)
{
    forget(w, "DELETE FROM objective WHERE sweep = ?1");
    statement(w, "INSERT INTO objective VALUES(?1, ?2, ?3, ?4, ?5)");
    for (uint32_t i = 0; i < p->n_objectives; i++) {
        const struct objective *o = &p->objective[i];
        whole(w, 2, i);
        text(w, 3, o->name);
        text(w, 4, o->parameter ? "parameter" : "metric");
        text(w, 5, o->goal == GOAL_MIN ? "min" : "max");
        step(w);
    }
}

static void add_workloads(struct entry *w, const struct plan *p)
{
    forget(w, "DELETE FROM workload WHERE sweep = ?1");
    statement(w, "INSERT INTO workload VALUES(?1, ?2, ?3, ?4)");
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        whole(w, 2, i);
        text(w, 3, plan_workload(p, i));
        text(w, 4, p->workload[i].spec);
        step(w);
    }
}

static void add_settings(struct entry *w, const struct plan *p)
{
    forget(w, "DELETE FROM setting WHERE sweep = ?1");
    statement(w, "INSERT INTO setting VALUES(?1, ?2, ?3, ?4)");
    for (uint32_t i = 0; i < plan_points(p) && w->rc == SQLITE_OK; i++) {
        for (uint32_t k = 0; k < p->n_axes; k++) {
            const char *value = plan_value(p, i, k);
            if (!*value) continue;
            whole(w, 2, i);
            whole(w, 3, k);
            text(w, 4, value);
            step(w);
        }
    }
}

static void add_design(struct entry *w, const struct plan *p, struct error *e)
{
    char hex[33];
    forget(w, "DELETE FROM design WHERE sweep = ?1");
    statement(w, "INSERT INTO design VALUES(?1, ?2, ?3)");
    for (uint32_t i = 0; i < plan_points(p) && w->rc == SQLITE_OK; i++) {
        struct machine m;
        if (!plan_machine(p, i, &m, e)) {
            w->rc = SQLITE_INTERNAL; /* every point was legal when the plan was loaded */
            return;
        }
        digest_hex(machine_digest(&m), hex);
        whole(w, 2, i);
        text(w, 3, hex);
        step(w);
    }
}

bool ledger_plan(struct store *s, const struct plan *p, int64_t *sweep, struct error *e)
{
    *sweep = 0;
    if (!p->text) return true;
    struct entry w = begin(s, 0);
    add_sweep(&w, p);
    add_axes(&w, p);
    add_objectives(&w, p);
    add_workloads(&w, p);
    add_settings(&w, p);
    add_design(&w, p, e);
    *sweep = w.sweep;
    return finish(&w, e);
}

bool ledger_tasks(struct store *s, int64_t sweep, enum engine engine, const struct ledger_task *t,
                  size_t n, struct error *e)
{
    if (!sweep) return true;
    struct entry w = begin(s, sweep);
    statement(&w, "INSERT OR REPLACE INTO task VALUES(?1, ?2, ?3, ?4, ?5)");
    text(&w, 2, engine_name[engine]);
    for (size_t i = 0; i < n; i++) {
        whole(&w, 3, t[i].point);
        whole(&w, 4, t[i].workload);
        text(&w, 5, t[i].key);
        step(&w);
    }
    return finish(&w, e);
}

/* --- ranking -----------------------------------------------------------------------------------
 */

static void add_scores(struct entry *w, const struct plan *p, const struct summary *m)
{
    forget(w, "DELETE FROM score WHERE sweep = ?1");
    statement(w, "INSERT INTO score VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    for (uint32_t i = 0; i < m->points; i++) {
        for (uint32_t k = 0; k < p->n_objectives; k++) {
            size_t at = (size_t)i * p->n_objectives + k;
            if (isnan(m->value[at])) continue;
            whole(w, 2, i);
            whole(w, 3, k);
            real(w, 4, m->value[at]);
            real(w, 5, m->low[at]);
            real(w, 6, m->high[at]);
            step(w);
        }
    }
}

static void add_front(struct entry *w, const struct summary *m)
{
    forget(w, "DELETE FROM front WHERE sweep = ?1");
    statement(w, "INSERT INTO front VALUES(?1, ?2, ?3)");
    for (uint32_t i = 0; i < m->points; i++) {
        if (!m->front[i]) continue;
        whole(w, 2, i);
        whole(w, 3, m->confirmed[i]);
        step(w);
    }
}

bool ledger_scores(struct store *s, int64_t sweep, const struct plan *p, const struct summary *m,
                   struct error *e)
{
    if (!sweep) return true;
    struct entry w = begin(s, sweep);
    add_scores(&w, p, m);
    add_front(&w, m);
    return finish(&w, e);
}

bool ledger_other(struct store *s, const struct plan *p, char planned[32], struct error *e)
{
    char digest[33];
    sqlite3_stmt *q = NULL;
    planned[0] = '\0';
    sweep_digest(p, digest);
    int rc = sqlite3_prepare_v2(s->db,
                                "SELECT planned FROM sweep WHERE file = ?1 AND digest <> ?2"
                                " AND NOT EXISTS(SELECT 1 FROM sweep WHERE digest = ?2)"
                                " ORDER BY planned DESC LIMIT 1",
                                -1, &q, NULL);
    if (rc == SQLITE_OK) {
        store_bind_text(q, 1, p->file);
        store_bind_text(q, 2, digest);
        rc = sqlite3_step(q);
    }
    if (rc == SQLITE_ROW) snprintf(planned, 32, "%s", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    return rc == SQLITE_ROW || rc == SQLITE_DONE || store_refuse(s, rc, e);
}
