/* study_tables.c - see study_tables.h. */
#include "sweeps/claims/study_tables.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/arena.h"
#include "base/text/csv.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "sweeps/plan/plan_paths.h"
#include "sweeps/run/runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 128, NAME_MAX_BYTES = 200 };

struct study_table {
    sqlite3 *db;
    sqlite3_stmt *insert;
    const char *name;
    const char *column[COLUMNS_MAX]; /* its metrics */
    uint32_t columns;
    struct arena arena;
    struct error *e;
};

static bool refuse_table(const struct study_table *t)
{
    return error_run(t->e, "%s: %s", t->name, sqlite3_errmsg(t->db));
}

static bool do_sql(const struct study_table *t, struct text *sql)
{
    bool ok = !sql->failed && sqlite3_exec(t->db, text_str(sql), NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) refuse_table(t);
    text_fini(sql);
    return ok;
}

/* Creates the table with columns head[n] and prepares the statement that adds a row. */
static bool create_table(struct study_table *t, const char *const *head, uint32_t n)
{
    char name[NAME_MAX_BYTES];
    struct text sql = {0}, insert = {0};
    snprintf(name, sizeof name, "%s", t->name);
    for (char *c = name; *c; c++)
        if (*c == '-') *c = '_';
    text_add(&sql, "CREATE TABLE ");
    quote_sql_name(&sql, name);
    text_add(&sql, " (");
    text_add(&insert, "INSERT INTO ");
    quote_sql_name(&insert, name);
    text_add(&insert, " VALUES (");
    for (uint32_t i = 0; i < n; i++) {
        text_add(&sql, i ? ", " : "");
        quote_sql_name(&sql, head[i]);
        text_add(&sql, " REAL");
        text_add(&insert, "%s?", i ? ", " : "");
    }
    text_add(&sql, ")");
    text_add(&insert, ")");
    bool ok = do_sql(t, &sql);
    if (ok && (insert.failed ||
               sqlite3_prepare_v2(t->db, text_str(&insert), -1, &t->insert, NULL) != SQLITE_OK))
        ok = refuse_table(t);
    text_fini(&insert);
    return ok;
}

/* Binds a text; the columns are REAL, so a text that is a number becomes one; "" becomes NULL. */
static void bind_text(struct study_table *t, uint32_t column, const char *s)
{
    if (*s)
        sqlite3_bind_text(t->insert, (int)column + 1, s, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(t->insert, (int)column + 1);
}

static bool add_row(struct study_table *t)
{
    bool ok = sqlite3_step(t->insert) == SQLITE_DONE;
    sqlite3_reset(t->insert);
    return ok || refuse_table(t);
}

/* --- figures from a CSV file --- */

static bool fill_from(struct study_table *t, const char *file, const struct csv *c)
{
    if (c->n == 0) return error_input(t->e, "%s: is empty", file);
    uint32_t n = c->row[0].n;
    if (!create_table(t, c->row[0].field, n)) return false;
    for (size_t i = 1; i < c->n; i++) {
        if (c->row[i].n != n)
            return error_input(t->e, "%s:%" PRIu32 ": %" PRIu32 " fields, the head has %" PRIu32,
                               file, c->row[i].line, c->row[i].n, n);
        for (uint32_t k = 0; k < n; k++)
            bind_text(t, k, c->row[i].field[k]);
        if (!add_row(t)) return false;
    }
    return true;
}

static bool from_csv(struct study_table *t, const char *file)
{
    char *text;
    size_t n;
    struct csv c = {0};
    if (!file_read_upto(file, FILE_TABLE_MAX, &text, &n, t->e)) return false;
    bool ok = csv_read(&c, file, text, &t->arena, t->e) && fill_from(t, file, &c);
    csv_fini(&c);
    mem_free(text);
    return ok;
}

/* --- databases --- */

static bool create_for(struct study_table *t, const struct plan *p)
{
    const char *head[1 + AXES_MAX + COLUMNS_MAX + 1] = {"program"};
    uint32_t n = 1;
    for (uint32_t a = 0; a < p->n_axes; a++)
        head[n++] = p->axis[a].path;
    for (uint32_t c = 0; c < t->columns; c++)
        head[n++] = t->column[c];
    head[n++] = "model_version";
    return create_table(t, head, n);
}

static bool add_run(struct study_table *t, const struct plan *p, uint32_t point, uint32_t workload,
                    const struct record *r)
{
    uint32_t at = 0;
    struct machine m;
    if (!plan_machine(p, point, &m, t->e)) return false;
    bind_text(t, at++, plan_workload(p, workload));
    for (uint32_t a = 0; a < p->n_axes; a++)
        bind_text(t, at++, plan_value(p, point, a));
    for (uint32_t c = 0; c < t->columns; c++) {
        double v = record_metric(r, t->column[c]);
        if (isnan(v))
            sqlite3_bind_null(t->insert, (int)++at);
        else
            sqlite3_bind_double(t->insert, (int)++at, round(v * 1e6) / 1e6);
    }
    sqlite3_bind_int(t->insert, (int)at + 1, runner_key(p, point, &m, workload, p->engine).version);
    return add_row(t);
}

static bool add_runs(struct study_table *t, const struct plan *p, struct store *s)
{
    uint64_t missing = 0;
    struct record *r = mem_new(1, sizeof *r);
    bool ok = r || error_no_memory(t->e);
    for (uint32_t i = 0; i < plan_points(p) && ok; i++) {
        for (uint32_t w = 0; w < p->n_workloads && ok; w++) {
            enum stored state = runner_get(p, s, i, w, p->engine, r, t->e);
            missing += state == STORED_NO || state == STORED_FAILED;
            ok = state != STORED_ERROR && (state != STORED_DONE || add_run(t, p, i, w, r));
        }
    }
    mem_free(r);
    if (ok && missing)
        ok = error_input(t->e, "%s: %" PRIu64 " of its runs are not there; 'plumb sweep run' first",
                         p->file, missing);
    return ok;
}

static bool from_plan(struct study_table *t, const char *sweep, const char *db)
{
    struct plan p;
    struct errors all = {0};
    struct store *s = NULL;
    bool ok = plan_load(&p, sweep, NULL, &all);
    if (!ok && all.n) *t->e = all.item[0];
    if (!ok && !all.n) error_no_memory(t->e);
    errors_fini(&all);
    if (ok && p.automatic)
        ok = error_input(t->e, "%s: a study takes runs of one engine, not of auto", sweep);
    if (ok) s = store_open(db, false, t->e);
    ok = s && create_for(t, &p) && add_runs(t, &p, s);
    store_close(s);
    plan_fini(&p);
    return ok;
}

static bool from_database(struct study_table *t, const char *study, const char *db)
{
    char spec[NAME_MAX_BYTES + 16];
    snprintf(spec, sizeof spec, "%s.cfg", t->name);
    char *sweep = plan_find_input(study, spec);
    if (!sweep) {
        snprintf(spec, sizeof spec, "sweeps/%s.cfg", t->name);
        sweep = plan_find_input(study, spec);
    }
    bool ok = sweep ? from_plan(t, sweep, db)
                    : error_input(t->e, "%s: no sweep file %s.cfg beside it or in configs/sweeps",
                                  study, t->name);
    mem_free(sweep);
    return ok;
}

/* --- */

static bool split_columns(struct study_table *t, const char *columns)
{
    char *copy = arena_strdup(&t->arena, columns), *rest = copy;
    if (!copy) return error_no_memory(t->e);
    for (char *word; (word = strtok_r(rest, " \t", &rest)); t->column[t->columns++] = word) {
        if (t->columns == COLUMNS_MAX)
            return error_input(t->e, "more than %d columns", COLUMNS_MAX);
        const char *closest = metrics_closest(word);
        if (metrics_key_index(word) == METRICS_KEYS_MAX)
            return error_input(t->e, "columns: no metric %s%s%s%s 'plumb metrics' lists them", word,
                               closest ? ": did you mean " : "", closest ? closest : "",
                               closest ? "?" : ";");
    }
    return true;
}

static char *in_folder(const char *folder, const char *name, const char *ending)
{
    char file[NAME_MAX_BYTES + 8];
    snprintf(file, sizeof file, "%s.%s", name, ending);
    return file_join(folder, file);
}

bool study_table(sqlite3 *db, const char *study, const char *name, const char *columns,
                 const char *folder, struct error *e)
{
    struct study_table t = {.db = db, .name = name, .e = e};
    if (strlen(name) >= NAME_MAX_BYTES) return error_input(e, "%s: %s: too long", study, name);
    char *base = in_folder(folder, name, "db"), *csv = in_folder(folder, name, "csv");
    bool ok = (base && csv) || error_no_memory(e);
    ok = ok && split_columns(&t, columns);
    if (ok && file_may_exist(base))
        ok = from_database(&t, study, base);
    else if (ok && file_may_exist(csv))
        ok = from_csv(&t, csv);
    else if (ok)
        ok = error_input(e, "%s: neither %s nor %s is there", study, base, csv);
    sqlite3_finalize(t.insert);
    arena_fini(&t.arena);
    mem_free(base);
    mem_free(csv);
    return ok;
}
