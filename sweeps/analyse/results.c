/* results.c - see results.h.  results_axes.c reads the axes and sorts the machines, results_sweep.c
 * reads the sweep itself, results_query.c reads rows, results_lookup.c looks metrics up. */
#include "sweeps/analyse/results.h"

#include "base/memory/alloc.h"
#include "gpu/metrics/metrics.h"
#include "sweeps/analyse/results_internal.h"
#include "sweeps/store/store_internal.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>

static bool count_rows(struct results_reading *x, const char *sql, uint64_t *n)
{
    sqlite3_stmt *q = NULL;
    bool ok =
        sqlite3_prepare_v2(x->db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;
    if (ok) *n = (uint64_t)sqlite3_column_int64(q, 0);
    if (!ok) results_refuse(x);
    sqlite3_finalize(q);
    return ok;
}

/* --- programs, machines, engines, metrics --- */

static bool read_machine(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_machine *m = &x->r->machine[row];
    m->digest = results_copy(x, q, 0);
    m->name = results_copy(x, q, 1);
    m->config = results_copy(x, q, 2);
    m->number = sqlite3_column_type(q, 3) == SQLITE_NULL ? RESULTS_NONE : results_index(q, 3);
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
    *run = (struct result_run){.machine = x->place[results_index(q, 0)],
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

static bool read_hardware(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_hardware *h = &x->r->hardware[row];
    h->tool = results_copy(x, q, 0);
    h->device = results_copy(x, q, 1);
    h->file = results_copy(x, q, 2);
    h->name = results_copy(x, q, 3);
    h->program = sqlite3_column_type(q, 4) == SQLITE_NULL ? RESULTS_NONE : results_index(q, 4);
    h->launches = results_index(q, 5);
    h->counter = arena_new(&x->r->arena, results_index(q, 6) + 1, sizeof *h->counter);
    return h->tool && h->device && h->file && h->name && h->counter;
}

static bool read_counter(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct result_hardware *h = &x->r->hardware[results_index(q, 0)];
    struct result_counter *c = &h->counter[h->n++];
    c->name = results_copy(x, q, 1);
    c->metric = results_copy(x, q, 2);
    c->value = sqlite3_column_double(q, 3);
    return c->name != NULL;
}

static bool read_all_hardware(struct results_reading *x)
{
    return results_each(x,
                        "SELECT tool, device, file, program, (SELECT min(i.i) FROM program p JOIN "
                        "program_i i"
                        " USING(digest) WHERE p.name = h.program),"
                        " (SELECT count(DISTINCT launch) FROM counter c WHERE c.hardware = h.id),"
                        " (SELECT count(*) FROM (SELECT DISTINCT name, metric FROM counter c WHERE "
                        "c.hardware ="
                        " h.id))"
                        " FROM hardware_i i JOIN hardware h USING(id) ORDER BY i.i",
                        read_hardware) &&
           results_each(
               x,
               "SELECT i.i, c.name, c.metric, CASE WHEN c.metric IS NULL OR c.metric LIKE '%rate%'"
               " OR c.metric LIKE '%utilization' THEN avg(c.value) ELSE sum(c.value) END"
               " FROM hardware_i i JOIN counter c ON c.hardware = i.id"
               " GROUP BY i.i, c.name, c.metric ORDER BY i.i, c.metric IS NULL, c.metric, c.name",
               read_counter);
}

/* --- all of it --- */

#define OF_SWEEP(what, table) \
    "SELECT " what " FROM " table " WHERE sweep IN (SELECT id FROM last_sweep)"

static bool count_all(struct results_reading *x)
{
    struct results *r = x->r;
    const struct {
        const char *sql;
        uint32_t *n;
    } counted[] = {{"SELECT count(*) FROM machine_i", &r->n_machines},
                   {"SELECT count(*) FROM named", &r->n_programs},
                   {"SELECT count(*) FROM engine_i", &r->n_engines},
                   {"SELECT count(*) FROM metric_i", &r->n_metrics},
                   {"SELECT count(*) FROM run_i", &r->n_runs},
                   {"SELECT count(*) FROM axis_i", &r->n_axes},
                   {"SELECT count(*) FROM hardware_i", &r->n_hardware},
                   {OF_SWEEP("count(*)", "objective"), &r->n_objectives},
                   {OF_SWEEP("count(*)", "round"), &r->n_rounds}};
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        uint64_t n;
        if (!count_rows(x, counted[i].sql, &n)) return false;
        if (n > RESULTS_RUNS_MAX)
            return error_input(x->e, "%s: more than %d results; a report takes no more", x->path,
                               RESULTS_RUNS_MAX);
        *counted[i].n = (uint32_t)n;
    }
    return count_rows(x, "SELECT count(*) FROM run", &r->n_stored);
}

static void *arena_array(struct results_reading *x, size_t n, size_t size)
{
    return arena_new(&x->r->arena, n ? n : 1, size);
}

static bool make_room(struct results_reading *x)
{
    struct results *r = x->r;
    size_t cells = (size_t)r->n_machines * r->n_programs * r->n_engines;
    size_t values = (size_t)r->n_runs * r->n_metrics;
    r->objective = arena_array(x, r->n_objectives, sizeof *r->objective);
    r->axis = arena_array(x, r->n_axes, sizeof *r->axis);
    r->hardware = arena_array(x, r->n_hardware, sizeof *r->hardware);
    r->machine = arena_array(x, r->n_machines, sizeof *r->machine);
    r->program = arena_array(x, r->n_programs, sizeof *r->program);
    r->engine = arena_array(x, r->n_engines, sizeof *r->engine);
    r->metric = arena_array(x, r->n_metrics, sizeof *r->metric);
    r->run = arena_array(x, r->n_runs, sizeof *r->run);
    r->value = arena_array(x, values, sizeof *r->value);
    r->at = arena_array(x, cells, sizeof *r->at);
    r->round = arena_array(x, r->n_rounds, sizeof *r->round);
    x->place = arena_array(x, r->n_machines, sizeof *x->place);
    x->column = arena_array(x, r->n_metrics, sizeof *x->column);
    if (!r->objective || !r->axis || !r->hardware || !r->machine || !r->program || !r->engine ||
        !r->metric || !r->run || !r->value || !r->at || !r->round || !x->place || !x->column)
        return error_no_memory(x->e);
    for (size_t i = 0; i < values; i++)
        r->value[i] = NAN;
    for (size_t i = 0; i < cells; i++)
        r->at[i] = RESULTS_NONE;
    return true;
}

static bool read_all(struct results_reading *x)
{
    if (sqlite3_exec(x->db, results_numbering, NULL, NULL, NULL) != SQLITE_OK)
        return results_refuse(x);
    return count_all(x) && make_room(x) &&
           results_each(x,
                        "SELECT m.digest, m.name, m.config, i.number FROM machine_i i"
                        " JOIN machine m USING(digest)"
                        " ORDER BY i.i",
                        read_machine) &&
           results_each(x, "SELECT label FROM label ORDER BY i", read_program) &&
           results_each(x, "SELECT engine FROM engine_i ORDER BY i", read_engine) &&
           results_each(x, "SELECT name FROM metric_i ORDER BY i", read_metric) &&
           results_each(x, "SELECT name FROM metric_i ORDER BY i", find_column) &&
           results_read_axes(x) && results_order_machines(x) &&
           results_each(x,
                        "SELECT i.machine, i.program, i.engine, r.status, r.error, r.half_width, "
                        "r.bottleneck, r.calibration_file IS NOT NULL"
                        " FROM run_i i JOIN run r USING(id) ORDER BY i.i",
                        read_run) &&
           results_each(x,
                        "SELECT r.i, n.i, m.value FROM run_i r JOIN measure m ON m.run = r.id"
                        " JOIN metric_i n ON n.name = m.name",
                        read_value) &&
           results_each(
               x,
               OF_SWEEP("name, kind = 'parameter', goal = 'max'", "objective") " ORDER BY position",
               read_objective) &&
           read_all_hardware(x) && results_read_sweep(x);
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
