/* results.c - see results.h.  results_numbering.c chooses and orders what is read, results_sweep.c
 * reads the sweep itself, results_query.c reads rows, results_lookup.c looks metrics up. */
#include "sweeps/analyse/results.h"

#include "base/memory/alloc.h"
#include "gpu/metrics/metrics.h"
#include "sweeps/analyse/results_internal.h"
#include "sweeps/store/store_internal.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>

/* --- axes --- */

static bool read_axis(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_axis *a = &x->r->axis[row];
    a->path = results_copy(x, q, 0);
    a->numeric = sqlite3_column_int(q, 1) != 0;
    a->value = arena_new(&x->r->arena, results_index(q, 2), sizeof *a->value);
    return a->path && a->value;
}

static bool read_axis_value(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct result_axis *a = &x->r->axis[results_index(q, 0)];
    return (a->value[a->n++] = results_copy(x, q, 1)) != NULL;
}

static bool read_level(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    x->r->machine[results_index(q, 0)].level[results_index(q, 1)] = results_index(q, 2);
    return true;
}

/* --- programs, machines, engines, metrics --- */

static bool read_machine(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_machine *m = &x->r->machine[row];
    m->digest = results_copy(x, q, 0);
    m->name = results_copy(x, q, 1);
    m->config = results_config(x, q, 2);
    m->number = results_index(q, 4);
    m->level = arena_new(&x->r->arena, x->r->n_axes ? x->r->n_axes : 1, sizeof *m->level);
    for (uint32_t a = 0; m->level && a < x->r->n_axes; a++)
        m->level[a] = RESULTS_NONE;
    return m->digest && m->name && m->config && m->level;
}

static bool read_program(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    return (x->r->program[row] = results_copy(x, q, 0)) != NULL;
}

static bool read_engine(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    return (x->r->engine[row] = results_copy(x, q, 0)) != NULL;
}

/* Metrics come in the order of `plumb metrics`; metrics unknown to this version come last. */
static bool read_metric(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct results *r = x->r;
    const char *name = results_copy(x, q, 0);
    if (!name) return false;
    uint32_t rank = metrics_key_index(name), at = row;
    for (; at > 0 && metrics_key_index(r->metric[at - 1]) > rank; at--)
        r->metric[at] = r->metric[at - 1];
    r->metric[at] = name;
    return true;
}

static bool find_column(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    const char *name = (const char *)sqlite3_column_text(q, 0);
    x->column[row] = name ? results_metric(x->r, name) : RESULTS_NONE;
    return name != NULL;
}

/* --- runs --- */

static bool read_run(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct results *r = x->r;
    struct result_run *run = &r->run[row];
    *run = (struct result_run){.machine = results_index(q, 0),
                               .program = results_index(q, 1),
                               .engine = results_index(q, 2),
                               .half_width = NAN};
    if (sqlite3_column_type(q, 5) != SQLITE_NULL) run->half_width = sqlite3_column_double(q, 5);
    run->bottleneck = results_copy(x, q, 6);
    run->calibrated = sqlite3_column_int(q, 7) != 0;
    const char *status = (const char *)sqlite3_column_text(q, 3);
    if (!status) return false;
    if (strcmp(status, "done") != 0) {
        const char *text = (const char *)sqlite3_column_text(q, 4);
        run->error = arena_strdup(&r->arena, text ? text : "failed");
        if (!run->error) return false;
    }
    r->at[((size_t)run->machine * r->n_programs + run->program) * r->n_engines + run->engine] = row;
    return true;
}

static bool read_value(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct results *r = x->r;
    r->value[(size_t)results_index(q, 0) * r->n_metrics + x->column[results_index(q, 1)]] =
        sqlite3_column_double(q, 2);
    return true;
}

static bool read_objective(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_objective *o = &x->r->objective[row];
    o->name = results_copy(x, q, 0);
    o->parameter = sqlite3_column_int(q, 1) != 0;
    o->more = sqlite3_column_int(q, 2) != 0;
    return o->name != NULL;
}

/* --- hardware --- */

static bool read_counter(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_counter *c = &x->r->counter[row];
    *c = (struct result_counter){
        .import = results_index(q, 0),
        .tool = results_copy(x, q, 1),
        .device = results_copy(x, q, 2),
        .file = results_copy(x, q, 3),
        .label = results_copy(x, q, 4),
        .program = sqlite3_column_type(q, 5) == SQLITE_NULL ? RESULTS_NONE : results_index(q, 5),
        .launches = results_index(q, 6),
        .name = results_copy(x, q, 7),
        .metric = results_copy(x, q, 8),
        .value = sqlite3_column_double(q, 9)};
    return c->tool && c->device && c->file && c->label;
}

static bool read_counters(struct results_reading *x)
{
    static const char sql[] =
        "SELECT i.i, h.tool, h.device, h.file, h.program, (SELECT min(i.i) FROM program p"
        " JOIN program_i i USING(digest) WHERE p.name = h.program),"
        " (SELECT count(DISTINCT launch) FROM counter c WHERE c.hardware = h.id), w.counter,"
        " w.metric, w.value FROM hardware_i i JOIN hardware h USING(id)"
        " LEFT JOIN measured_program w ON w.hardware = h.id"
        " ORDER BY i.i, w.metric IS NULL, w.metric, w.counter";
    return results_table(x, sql, &x->r->counter, &x->r->n_counters, sizeof *x->r->counter,
                         read_counter);
}

/* --- all of it --- */

#define OF_SWEEP(what, table) \
    "SELECT " what " FROM " table " WHERE sweep IN (SELECT id FROM last_sweep)"

/* The parts whose rows have no further parts, and the axes with their values. */
static bool read_parts(struct results_reading *x)
{
    struct results *r = x->r;
    return results_table(x, "SELECT label FROM label ORDER BY i", &r->program, &r->n_programs,
                         sizeof *r->program, read_program) &&
           results_table(x, "SELECT engine FROM engine_i ORDER BY i", &r->engine, &r->n_engines,
                         sizeof *r->engine, read_engine) &&
           results_table(x, "SELECT name FROM metric_i ORDER BY i", &r->metric, &r->n_metrics,
                         sizeof *r->metric, read_metric) &&
           results_table(x, "SELECT name FROM metric_i ORDER BY i", &x->column, &r->n_metrics,
                         sizeof *x->column, find_column) &&
           results_table(
               x,
               OF_SWEEP("name, kind = 'parameter', goal = 'max'", "objective") " ORDER BY position",
               &r->objective, &r->n_objectives, sizeof *r->objective, read_objective) &&
           results_table(x,
                         "SELECT path, numeric, (SELECT count(*) FROM level_i l WHERE l.axis = a.i)"
                         " FROM axis_i a ORDER BY i",
                         &r->axis, &r->n_axes, sizeof *r->axis, read_axis) &&
           results_each(x, "SELECT axis, value FROM level_i ORDER BY axis, i", read_axis_value);
}

static bool read_machines(struct results_reading *x)
{
    struct results *r = x->r;
    return results_table(x,
                         "SELECT m.digest, m.name, m.config, m.base, coalesce(i.number, i.i)"
                         " FROM machine_i i JOIN machine m USING(digest) ORDER BY i.i",
                         &r->machine, &r->n_machines, sizeof *r->machine, read_machine) &&
           results_each(x,
                        "SELECT m.i, l.axis, l.i FROM place_i p JOIN level_i l USING(path, value)"
                        " JOIN machine_i m ON m.digest = p.digest AND m.number IS p.point",
                        read_level);
}

static double *unknown_values(struct results_reading *x, size_t n)
{
    double *v = arena_new(&x->r->arena, n ? n : 1, sizeof *v);
    for (size_t i = 0; v && i < n; i++)
        v[i] = NAN;
    return v;
}

static bool read_runs(struct results_reading *x)
{
    struct results *r = x->r;
    size_t cells = (size_t)r->n_machines * r->n_programs * r->n_engines;
    r->at = arena_new(&r->arena, cells ? cells : 1, sizeof *r->at);
    if (!r->at) return error_no_memory(x->e);
    for (size_t i = 0; i < cells; i++)
        r->at[i] = RESULTS_NONE;
    if (!results_table(x,
                       "SELECT i.machine, i.program, i.engine, r.status, r.error, r.half_width, "
                       "r.bottleneck, r.calibration_file IS NOT NULL"
                       " FROM run_i i JOIN run r USING(id) ORDER BY i.i",
                       &r->run, &r->n_runs, sizeof *r->run, read_run))
        return false;
    r->value = unknown_values(x, (size_t)r->n_runs * r->n_metrics);
    if (!r->value) return error_no_memory(x->e);
    return results_each(x,
                        "SELECT r.i, n.i, m.value FROM run_i r JOIN measure m ON m.run = r.id"
                        " JOIN metric_i n ON n.name = m.name",
                        read_value);
}

static bool read_all(struct results_reading *x)
{
    if (sqlite3_exec(x->db, results_numbering, NULL, NULL, NULL) != SQLITE_OK)
        return results_refuse(x);
    return read_parts(x) && read_machines(x) && read_runs(x) && read_counters(x) &&
           results_read_sweep(x) && results_count(x, "SELECT count(*) FROM run", &x->r->n_stored);
}

bool results_read_store(struct results *r, struct store *s, const char *path, struct error *e)
{
    struct results_reading x = {.r = r, .db = s->db, .path = path, .e = e};
    *r = (struct results){0};
    return read_all(&x);
}

bool results_read(struct results *r, const char *path, struct error *e)
{
    *r = (struct results){0};
    struct store *s = store_open(path, false, e);
    if (!s) return false;
    bool ok = results_read_store(r, s, path, e);
    store_close(s);
    return ok;
}

void results_fini(struct results *r)
{
    arena_fini(&r->arena);
    *r = (struct results){0};
}
