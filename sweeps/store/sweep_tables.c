/* sweep_tables.c - see sweep_tables.h. */
#include "sweeps/store/sweep_tables.h"

#include "base/text/version.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/store/transaction.h"

#include <math.h>
#include <stdio.h>

/* --- the plan ----------------------------------------------------------------------------------
 */

/* The digest of everything that a sweep's records depend on.  A machine or a program of the same
 * name but with another content makes another sweep; otherwise auto's answers would go stale. */
void sweep_tables_digest(const struct plan *p, char hex[33])
{
    char versions[48];
    struct digest d = digest_text(p->text);
    d = digest_join(d, calibration_set_whole(&p->calibrations));
    for (uint32_t i = 0; i < p->n_machines; i++)
        d = digest_join(d, machine_digest(&p->base[i]));
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        const struct workload *w = &p->workload[i];
        for (uint32_t k = 0; k < w->n_programs; k++)
            d = digest_join(d, program_digest(w->program[k]));
    }
    snprintf(versions, sizeof versions, "%d %d", engine_version(ENGINE_ESTIMATE),
             engine_version(ENGINE_SIMULATE));
    if (p->automatic) d = digest_join(d, digest_text(versions));
    digest_hex(d, hex);
}

static void add_sweep(struct transaction *w, const struct plan *p)
{
    char digest[33];
    sweep_tables_digest(p, digest);
    transaction_statement(
        w, "INSERT INTO sweep(digest, file, text, engine, design, seed, points, plumb, host,"
           " planned) VALUES(?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
           " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"
           " ON CONFLICT(digest) DO UPDATE SET file = ?3, points = ?8, plumb = ?9,"
           " host = ?10, planned = excluded.planned RETURNING id");
    transaction_text(w, 2, digest);
    transaction_text(w, 3, p->file);
    transaction_text(w, 4, p->text);
    transaction_text(w, 5, plan_engine(p));
    transaction_text(w, 6, plan_design(p));
    transaction_whole(w, 7, (int64_t)p->opts.seed);
    transaction_whole(w, 8, plan_points(p));
    transaction_text(w, 9, PLUMB_VERSION);
    transaction_text(w, 10, w->store->host);
    if (w->rc != SQLITE_OK) return;
    int rc = sqlite3_step(w->q);
    if (rc == SQLITE_ROW)
        w->sweep = sqlite3_column_int64(w->q, 0);
    else
        w->rc = rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
    sqlite3_reset(w->q);
}

static void add_axes(struct transaction *w, const struct plan *p)
{
    transaction_forget(w, "DELETE FROM axis WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO axis VALUES(?1, ?2, ?3)");
    for (uint32_t i = 0; i < p->n_axes; i++) {
        transaction_whole(w, 2, i);
        transaction_text(w, 3, p->axis[i].path);
        transaction_step(w);
    }
}

static void add_objectives(struct transaction *w, const struct plan *p)
{
    transaction_forget(w, "DELETE FROM objective WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO objective VALUES(?1, ?2, ?3, ?4, ?5)");
    for (uint32_t i = 0; i < p->n_objectives; i++) {
        const struct objective *o = &p->objective[i];
        transaction_whole(w, 2, i);
        transaction_text(w, 3, o->name);
        transaction_text(w, 4, o->parameter ? "parameter" : "metric");
        transaction_text(w, 5, o->goal == GOAL_MIN ? "min" : "max");
        transaction_step(w);
    }
}

static void add_workloads(struct transaction *w, const struct plan *p)
{
    transaction_forget(w, "DELETE FROM workload WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO workload VALUES(?1, ?2, ?3, ?4)");
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        transaction_whole(w, 2, i);
        transaction_text(w, 3, plan_workload(p, i));
        transaction_text(w, 4, p->workload[i].spec);
        transaction_step(w);
    }
}

static void add_base(struct transaction *w, const struct plan *p)
{
    for (uint32_t i = 0; i < p->n_machines && w->rc == SQLITE_OK; i++) {
        char hex[33];
        struct text config = {0};
        digest_hex(machine_digest(&p->base[i]), hex);
        machine_dump(&p->base[i], &config);
        transaction_statement(w, "INSERT OR IGNORE INTO machine VALUES(?2, ?3, ?4, NULL)");
        transaction_text(w, 2, hex);
        transaction_text(w, 3, p->base[i].name);
        transaction_text(w, 4, text_str(&config));
        transaction_step(w);
        transaction_statement(w, "INSERT OR REPLACE INTO base VALUES(?1, ?2, ?3)");
        transaction_whole(w, 2, i);
        transaction_text(w, 3, hex);
        transaction_step(w);
        if (config.failed) w->rc = SQLITE_NOMEM;
        text_fini(&config);
    }
}

static void add_settings(struct transaction *w, const struct plan *p)
{
    transaction_forget(w, "DELETE FROM setting WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO setting VALUES(?1, ?2, ?3, ?4)");
    for (uint32_t i = 0; i < plan_points(p) && w->rc == SQLITE_OK; i++) {
        for (uint32_t k = 0; k < p->n_axes; k++) {
            const char *value = plan_value(p, i, k);
            if (!*value) continue;
            transaction_whole(w, 2, i);
            transaction_whole(w, 3, k);
            transaction_text(w, 4, value);
            transaction_step(w);
        }
    }
}

static void add_design(struct transaction *w, const struct plan *p, struct error *e)
{
    char hex[33];
    transaction_forget(w, "DELETE FROM design WHERE sweep = ?1");
    transaction_statement(w, "INSERT INTO design VALUES(?1, ?2, ?3)");
    for (uint32_t i = 0; i < plan_points(p) && w->rc == SQLITE_OK; i++) {
        struct machine m;
        if (!plan_machine(p, i, &m, e)) {
            w->rc = SQLITE_INTERNAL; /* every point was legal when the plan was loaded */
            return;
        }
        digest_hex(plan_digest(p, i, &m), hex);
        transaction_whole(w, 2, i);
        transaction_text(w, 3, hex);
        transaction_step(w);
    }
}

bool sweep_tables_plan(struct store *s, const struct plan *p, int64_t *sweep, struct error *e)
{
    *sweep = 0;
    if (!p->text) return true;
    struct transaction w = transaction_begin(s, 0);
    add_sweep(&w, p);
    add_axes(&w, p);
    add_objectives(&w, p);
    add_workloads(&w, p);
    add_base(&w, p);
    add_settings(&w, p);
    add_design(&w, p, e);
    *sweep = w.sweep;
    return transaction_finish(&w, e);
}

bool sweep_tables_tasks(struct store *s, int64_t sweep, enum engine engine,
                        const struct sweep_task *t, size_t n, struct error *e)
{
    if (!sweep) return true;
    struct transaction w = transaction_begin(s, sweep);
    transaction_statement(&w, "INSERT OR REPLACE INTO task VALUES(?1, ?2, ?3, ?4, ?5)");
    transaction_text(&w, 2, engine_name[engine]);
    for (size_t i = 0; i < n; i++) {
        transaction_whole(&w, 3, t[i].point);
        transaction_whole(&w, 4, t[i].workload);
        transaction_text(&w, 5, t[i].key);
        transaction_step(&w);
    }
    return transaction_finish(&w, e);
}

bool sweep_tables_round(struct store *s, int64_t sweep, const struct sweep_round *r,
                        const uint32_t *point, struct error *e)
{
    if (!sweep) return true;
    struct transaction w = transaction_begin(s, sweep);
    transaction_statement(&w, "INSERT OR REPLACE INTO round VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                              " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))");
    transaction_whole(&w, 2, r->round);
    transaction_whole(&w, 3, r->points);
    transaction_whole(&w, 4, r->runs);
    transaction_text(&w, 5, r->why);
    transaction_real(&w, 6, r->error);
    transaction_real(&w, 7, r->worst);
    transaction_real(&w, 8, r->core_hours);
    transaction_step(&w);
    transaction_statement(&w, "INSERT OR REPLACE INTO round_point VALUES(?1, ?2, ?3)");
    transaction_whole(&w, 2, r->round);
    for (uint32_t i = 0; i < r->points; i++) {
        transaction_whole(&w, 3, point[i]);
        transaction_step(&w);
    }
    return transaction_finish(&w, e);
}

bool sweep_tables_forget_rounds(struct store *s, int64_t sweep, struct error *e)
{
    if (!sweep) return true;
    struct transaction w = transaction_begin(s, sweep);
    transaction_forget(&w, "DELETE FROM round WHERE sweep = ?1");
    transaction_forget(&w, "DELETE FROM round_point WHERE sweep = ?1");
    return transaction_finish(&w, e);
}

bool sweep_tables_find(struct store *s, const struct plan *p, int64_t *sweep, struct error *e)
{
    char digest[33];
    sqlite3_stmt *q = NULL;
    *sweep = 0;
    if (!p->text) return true;
    sweep_tables_digest(p, digest);
    int rc = sqlite3_prepare_v2(s->db, "SELECT id FROM sweep WHERE digest = ?1", -1, &q, NULL);
    if (rc == SQLITE_OK) {
        store_bind_text(q, 1, digest);
        rc = sqlite3_step(q);
    }
    if (rc == SQLITE_ROW) *sweep = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return rc == SQLITE_ROW || rc == SQLITE_DONE || store_refuse(s, rc, e);
}

bool sweep_tables_other(struct store *s, const struct plan *p, char planned[32], struct error *e)
{
    char digest[33];
    sqlite3_stmt *q = NULL;
    planned[0] = '\0';
    sweep_tables_digest(p, digest);
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
