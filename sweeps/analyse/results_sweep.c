/* results_sweep.c - reads the sweep itself: the file's own machine, and the answers and rounds of
 * engine auto. */
#include "sweeps/analyse/results_internal.h"

#include "base/memory/alloc.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "gpu/machine/rows/param.h"
#include "sweeps/ranking/prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OF_SWEEP " WHERE sweep IN (SELECT id FROM last_sweep)"

static bool read_sweep(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct result_sweep *s = &x->r->sweep;
    s->file = results_copy(x, q, 0);
    s->engine = results_copy(x, q, 1);
    s->design = results_copy(x, q, 2);
    s->points = results_index(q, 3);
    s->others = results_index(q, 4);
    return s->file && s->engine && s->design;
}

static int by_number(const void *key, const void *machine)
{
    uint32_t a = *(const uint32_t *)key, b = ((const struct result_machine *)machine)->number;
    return (a > b) - (a < b);
}

/* NULL: the point has no results. */
static const struct result_machine *machine_of_point(const struct results *r, uint32_t point)
{
    return bsearch(&point, r->machine, r->n_machines, sizeof *r->machine, by_number);
}

static bool read_round(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_round *r = &x->r->round[row];
    *r = (struct result_round){.round = results_index(q, 0),
                               .points = results_index(q, 1),
                               .runs = results_index(q, 2),
                               .why = results_copy(x, q, 3),
                               .error = results_number(q, 4),
                               .worst = results_number(q, 5),
                               .core_hours = results_number(q, 6)};
    return r->why != NULL;
}

static bool read_round_point(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    const struct result_machine *m = machine_of_point(x->r, results_index(q, 1));
    if (m) x->r->round_of[m - x->r->machine] = results_index(q, 0);
    return true;
}

static bool read_rounds(struct results_reading *x)
{
    struct results *r = x->r;
    r->round_of = arena_new(&r->arena, (size_t)r->n_machines + 1, sizeof *r->round_of);
    if (!r->round_of) return error_no_memory(x->e);
    for (uint32_t m = 0; m < r->n_machines; m++)
        r->round_of[m] = RESULTS_NONE;
    return results_table(x,
                         "SELECT round, points, runs, why, error, worst, core_hours FROM"
                         " round" OF_SWEEP " ORDER BY round",
                         &r->round, &r->n_rounds, sizeof *r->round, read_round) &&
           results_each(x, "SELECT round, point FROM round_point" OF_SWEEP, read_round_point);
}

/* --- answers of engine auto --- */

static struct result_answer *answer_at(const struct results *r, uint32_t machine, uint32_t program,
                                       uint32_t k)
{
    return &r->answer[((size_t)machine * r->n_programs + program) * r->n_answered + k];
}

static uint32_t answered_index(const struct results *r, uint32_t metric)
{
    for (uint32_t k = 0; k < r->n_answered; k++)
        if (r->answered[k] == metric) return k;
    return RESULTS_NONE;
}

static bool read_answered(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    const char *name = (const char *)sqlite3_column_text(q, 0);
    uint32_t metric = name ? results_metric(x->r, name) : RESULTS_NONE;
    if (metric != RESULTS_NONE) x->r->answered[x->r->n_answered++] = metric;
    return name != NULL;
}

static enum result_source source_named(const char *s)
{
    if (strcmp(s, source_name[SOURCE_SIMULATE]) == 0) return RESULT_SIMULATED;
    return strcmp(s, source_name[SOURCE_CALIBRATED]) == 0 ? RESULT_CALIBRATED : RESULT_ESTIMATED;
}

static bool read_answer(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct results *r = x->r;
    uint32_t point = results_index(q, 0), program = results_index(q, 1);
    const char *name = (const char *)sqlite3_column_text(q, 2);
    const char *source = (const char *)sqlite3_column_text(q, 5);
    if (!name || !source) return false;
    uint32_t k = answered_index(r, results_metric(r, name));
    const struct result_machine *m = machine_of_point(r, point);
    if (!m || k == RESULTS_NONE || program >= r->n_programs) return true;
    *answer_at(r, (uint32_t)(m - r->machine), program, k) =
        (struct result_answer){.value = results_number(q, 3),
                               .log_sd = results_number(q, 4),
                               .source = source_named(source)};
    return true;
}

/* Adds metrics that are the cycles times a constant, or a constant over them, unless auto itself
 * answers them. */
static void add_followers(struct results *r)
{
    if (answered_index(r, results_metric(r, "cycles")) == RESULTS_NONE) return;
    for (uint32_t i = 0; i < r->n_metrics; i++)
        if (summary_goes_with_cycles(r->metric[i]) && answered_index(r, i) == RESULTS_NONE)
            r->answered[r->n_answered++] = i;
}

/* The engine's run, if it is done; RESULTS_NONE: there is none. */
static uint32_t done_run(const struct results *r, uint32_t machine, uint32_t program,
                         const char *engine)
{
    for (uint32_t e = 0; e < r->n_engines; e++) {
        if (strcmp(r->engine[e], engine) != 0) continue;
        uint32_t run = r->at[((size_t)machine * r->n_programs + program) * r->n_engines + e];
        return run != RESULTS_NONE && !r->run[run].error ? run : RESULTS_NONE;
    }
    return RESULTS_NONE;
}

static void follow_cycles(const struct results *r, uint32_t machine, uint32_t program, uint32_t k,
                          uint32_t cycles)
{
    const struct result_answer *c = answer_at(r, machine, program, cycles);
    uint32_t run =
        done_run(r, machine, program, c->source == RESULT_SIMULATED ? "simulate" : "estimate");
    if (c->source == RESULT_UNKNOWN || run == RESULTS_NONE) return;
    const double *v = &r->value[(size_t)run * r->n_metrics];
    double ratio = c->value / v[r->answered[cycles]];
    bool rises = summary_rises_with_cycles(r->metric[r->answered[k]]);
    *answer_at(r, machine, program, k) =
        (struct result_answer){.value = v[r->answered[k]] * (rises ? ratio : 1 / ratio),
                               .log_sd = c->log_sd,
                               .source = c->source};
}

static bool read_answers(struct results_reading *x)
{
    struct results *r = x->r;
    r->answered = arena_new(&r->arena, r->n_metrics + 1, sizeof *r->answered);
    if (!r->answered) return error_no_memory(x->e);
    if (!results_each(x, "SELECT DISTINCT metric FROM answer" OF_SWEEP " ORDER BY metric",
                      read_answered))
        return false;
    uint32_t named = r->n_answered;
    add_followers(r);
    size_t n = (size_t)r->n_machines * r->n_programs * r->n_answered;
    r->answer = arena_new(&r->arena, n ? n : 1, sizeof *r->answer);
    if (!r->answer) return error_no_memory(x->e);
    for (size_t i = 0; i < n; i++)
        r->answer[i] = (struct result_answer){.value = NAN, .log_sd = NAN};
    if (!results_each(x,
                      "SELECT point, workload, metric, value, log_sd, source FROM answer" OF_SWEEP,
                      read_answer))
        return false;
    uint32_t cycles = answered_index(r, results_metric(r, "cycles"));
    for (uint32_t m = 0; m < r->n_machines; m++)
        for (uint32_t p = 0; p < r->n_programs; p++)
            for (uint32_t k = named; k < r->n_answered; k++)
                follow_cycles(r, m, p, k, cycles);
    return true;
}

/* --- points that may be better than the best --- */

static bool read_rival(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct results *r = x->r;
    uint32_t objective = results_index(q, 0);
    const struct result_machine *m = machine_of_point(r, results_index(q, 1));
    if (m && objective < r->n_objectives)
        r->rival[r->n_rivals++] = (struct result_rival){.objective = objective,
                                                        .machine = (uint32_t)(m - r->machine),
                                                        .low = results_number(q, 2),
                                                        .high = results_number(q, 3)};
    return true;
}

static bool read_rivals(struct results_reading *x)
{
    struct results *r = x->r;
    r->rival = arena_new(&r->arena, (size_t)r->n_machines * r->n_objectives + 1, sizeof *r->rival);
    if (!r->rival) return error_no_memory(x->e);
    return results_each(x,
                        "SELECT objective, point, low, high FROM rival" OF_SWEEP
                        " ORDER BY objective, low <> 1 OR high <> 1, point",
                        read_rival);
}

/* --- the file's own machine --- */

static bool read_base(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct result_base *b = &x->r->sweep.base;
    x->base_digest = results_copy(x, q, 0);
    b->name = results_copy(x, q, 1);
    x->base_config = results_config(x, q, 2);
    return x->base_digest && b->name && x->base_config;
}

static const char *own_value(struct results_reading *x, const struct machine *m, const char *path)
{
    struct text t = {0};
    bool known = machine_get_bare(m, path, &t);
    const char *s = arena_strdup(&x->r->arena, known ? text_str(&t) : "");
    text_fini(&t);
    return s;
}

/* A limit of 0 means "no limit", so it ranks above every number. */
static double own_number(const struct results *r, uint32_t axis)
{
    const struct param *p = machine_find_param(r->axis[axis].path, NULL, NULL);
    double v = strtod(r->sweep.base.value[axis], NULL);
    bool limit = p && (strstr(p->meaning, "0 = unbounded") || strstr(p->meaning, "0 = no limit"));
    return v > 0 || !limit ? v : INFINITY;
}

/* The distance of a point from the machine along an axis, 0 to 1: of numbers, their logarithms'
 * relative to the axis's ends; of names, 0 if equal, else 1. */
static double axis_distance(const struct results *r, uint32_t machine, uint32_t axis)
{
    const struct result_axis *a = &r->axis[axis];
    const char *own = r->sweep.base.value[axis];
    uint32_t level = r->machine[machine].level[axis];
    if (strcmp(a->path, AXIS_MACHINE) == 0)
        return strcmp(r->machine[machine].name, r->sweep.base.name) != 0;
    if (level == RESULTS_NONE || !*own) return 0;
    if (!a->numeric) return strcmp(a->value[level], own) != 0;
    double first = strtod(a->value[0], NULL), last = strtod(a->value[a->n - 1], NULL);
    double v = strtod(a->value[level], NULL), o = own_number(r, axis);
    if (isinf(o)) o = last;
    double lo = fmin(o, first), hi = fmax(o, last);
    if (!(lo < hi)) return 0;
    return lo > 0 ? fabs(log(v / o)) / log(hi / lo) : fabs(v - o) / (hi - lo);
}

static void find_nearest(struct results *r)
{
    double least = INFINITY;
    for (uint32_t m = 0; m < r->n_machines; m++) {
        double sum = 0;
        for (uint32_t a = 0; a < r->n_axes; a++)
            sum += axis_distance(r, m, a);
        if (!(sum < least)) continue;
        least = sum;
        r->sweep.base.nearest = m;
    }
}

/* A machine that another version of plumb wrote and that this one cannot read is no baseline. */
static bool place_base(struct results_reading *x)
{
    struct result_base *b = &x->r->sweep.base;
    struct results *r = x->r;
    struct machine *m = mem_new(1, sizeof *m);
    struct errors faults = {0};
    b->point = b->nearest = RESULTS_NONE;
    b->value = arena_new(&r->arena, r->n_axes + 1, sizeof *b->value);
    bool ok = m && b->value;
    if (ok && b->name && machine_parse(m, x->base_config, b->name, NULL, 0, &faults)) {
        for (uint32_t a = 0; a < r->n_axes && ok; a++)
            ok = (b->value[a] = own_value(x, m, r->axis[a].path)) != NULL;
        for (uint32_t i = r->n_machines; ok && i-- > 0;)
            if (strcmp(r->machine[i].digest, x->base_digest) == 0) b->point = i;
        if (ok) find_nearest(r);
    } else {
        b->name = NULL;
    }
    errors_fini(&faults);
    mem_free(m);
    return ok || error_no_memory(x->e);
}

bool results_read_sweep(struct results_reading *x)
{
    return results_each(x,
                        "SELECT file, engine, design, points, (SELECT count(*) - 1 FROM sweep)"
                        " FROM sweep WHERE id IN (SELECT id FROM last_sweep)",
                        read_sweep) &&
           read_rounds(x) && read_answers(x) && read_rivals(x) &&
           results_each(x,
                        "SELECT m.digest, m.name, m.config, m.base FROM base b JOIN machine m"
                        " ON m.digest = b.machine" OF_SWEEP " AND b.position = 0",
                        read_base) &&
           place_base(x);
}
