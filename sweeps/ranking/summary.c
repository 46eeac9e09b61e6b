/* summary.c - see summary.h. */
#include "sweeps/ranking/summary.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "sweeps/constants.h"
#include "sweeps/ranking/pareto.h"
#include "sweeps/ranking/prediction.h"
#include "sweeps/ranking/rivals.h"
#include "sweeps/run/runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds a finished run to the sums of logarithms; a value of 0 makes the mean 0. */
static void add_run(const struct plan *p, const struct record *r, double *sum)
{
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        if (p->objective[k].parameter) continue;
        double v = record_metric(r, p->objective[k].name);
        sum[k] += v >= 0 ? log(v) : NAN;
    }
}

/* Reads what add_run and run_spread take. */
static enum stored read_run(const struct plan *p, struct store *s, const struct run_key *k,
                            struct record *r, struct error *e)
{
    const char *name[OBJECTIVES_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_objectives; i++)
        if (!p->objective[i].parameter) name[n++] = p->objective[i].name;
    return store_get_some(s, k, name, n, r, e);
}

static void finish_point(const struct plan *p, const struct machine *m, double *value)
{
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        if (!p->objective[k].parameter)
            value[k] = exp(value[k] / p->n_workloads);
        else if (!machine_get_number(m, p->objective[k].name, &value[k]))
            value[k] = NAN;
    }
}

/* The relative half width of cycles also holds for metrics that are cycles times a constant. */
bool summary_goes_with_cycles(const char *metric)
{
    static const char *const names[] = {"cycles", "time_us", "ipc", "opc"};
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], metric) == 0) return true;
    return false;
}

bool summary_rises_with_cycles(const char *metric)
{
    return strcmp(metric, "cycles") == 0 || strcmp(metric, "time_us") == 0;
}

void summary_range(enum engine engine, double value, double half_width, double *low, double *high)
{
    double factor = exp(asinh(half_width));
    bool estimated = engine == ENGINE_ESTIMATE;
    *low = estimated ? value / factor : value * (1 - half_width);
    *high = estimated ? value * factor : value * (1 + half_width);
}

double summary_joint(double sum, double squares, uint32_t n)
{
    return sqrt(PROGRAMS_ALIKE * sum * sum + (1 - PROGRAMS_ALIKE) * squares) / n;
}

/* spread: the relative half width of the programs' mean; 0: exact. */
static void bound_point(struct summary *out, const struct plan *p, uint32_t point, double spread)
{
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        size_t at = (size_t)point * p->n_objectives + k;
        const struct objective *o = &p->objective[k];
        bool known = o->parameter || spread == 0 || summary_goes_with_cycles(o->name);
        double half = o->parameter ? 0 : known ? spread : NAN;
        summary_range(p->engine, out->value[at], half, &out->low[at], &out->high[at]);
    }
}

/* Relative half width of the run's cycles; NaN: the engine states none. */
static double run_spread(enum engine engine, const struct record *r)
{
    if (engine == ENGINE_SIMULATE) return 0;
    return r->has_confidence ? r->half_width : NAN;
}

/* Counts the run in *out; true: it is done. */
static bool count_run(struct summary *out, enum stored state)
{
    out->done += state == STORED_DONE;
    out->failed += state == STORED_FAILED;
    out->left += state == STORED_NO;
    return state == STORED_DONE;
}

static void note_failure(struct summary *out, uint32_t point, const char *program,
                         const struct record *r)
{
    if (out->first_failure[0]) return;
    snprintf(out->first_failure, sizeof out->first_failure, "point %" PRIu32 ", %.100s: %.300s",
             point, program, r->error);
}

static bool read_point(struct summary *out, const struct plan *p, struct store *s, uint32_t point,
                       struct record *r, struct error *e)
{
    struct machine m;
    bool complete = true;
    double sum = 0, squares = 0;
    double *value = &out->value[(size_t)point * p->n_objectives];
    if (!plan_machine(p, point, &m, e)) return false;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        struct run_key k = runner_key(p, point, &m, w, p->engine);
        enum stored state = s ? read_run(p, s, &k, r, e) : STORED_NO;
        if (state == STORED_ERROR) return false;
        if (state == STORED_FAILED)
            note_failure(out, point, program_name(plan_program(p, w, &m)), r);
        if (!count_run(out, state)) {
            complete = false;
            continue;
        }
        add_run(p, r, value);
        double half = run_spread(p->engine, r);
        sum += half;
        squares += half * half;
    }
    if (complete) finish_point(p, &m, value);
    for (uint32_t k = 0; k < p->n_objectives && !complete; k++)
        value[k] = NAN;
    bound_point(out, p, point, summary_joint(sum, squares, p->n_workloads));
    out->confirmed[point] = complete && p->engine == ENGINE_SIMULATE;
    out->complete += complete;
    return true;
}

/* By objective k; of points that tie in it, by the next one, and so on. */
static bool is_better(const struct summary *s, const struct plan *p, uint32_t a, uint32_t b,
                      uint32_t k)
{
    uint32_t n = p->n_objectives;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (k + i) % n;
        double sign = p->objective[at].goal == GOAL_MIN ? 1 : -1;
        double x = sign * s->value[(size_t)a * n + at], y = sign * s->value[(size_t)b * n + at];
        if (x != y) return x < y;
    }
    return false;
}

static void find_best(struct summary *out, const struct plan *p)
{
    uint32_t n = p->n_objectives;
    for (uint32_t k = 0; k < n; k++) {
        out->best[k] = UINT32_MAX;
        for (uint32_t i = 0; i < out->points; i++) {
            if (!isfinite(out->value[(size_t)i * n + k])) continue;
            if (out->best[k] == UINT32_MAX || is_better(out, p, i, out->best[k], k))
                out->best[k] = i;
        }
    }
}

bool summary_rank(struct summary *out, const struct plan *p)
{
    enum goal goal[OBJECTIVES_MAX];
    find_best(out, p);
    for (uint32_t k = 0; k < p->n_objectives; k++)
        goal[k] = p->objective[k].goal;
    return pareto_front(out->value, out->points, goal, p->n_objectives, out->front);
}

bool summary_new(struct summary *out, const struct plan *p, struct error *e)
{
    *out = (struct summary){.points = plan_points(p)};
    size_t values = (size_t)out->points * p->n_objectives;
    out->value = mem_new(values, sizeof *out->value);
    out->low = mem_new(values, sizeof *out->low);
    out->high = mem_new(values, sizeof *out->high);
    out->front = mem_new(out->points, sizeof *out->front);
    out->confirmed = mem_new(out->points, sizeof *out->confirmed);
    out->rests_on = mem_new(out->points, sizeof *out->rests_on);
    return (out->value && out->low && out->high && out->front && out->confirmed && out->rests_on) ||
           error_no_memory(e);
}

/* Ranks the points; with engine auto, by the predictions of its last round, once there is one. */
static bool rank_points(struct summary *out, const struct plan *p, struct store *s, struct error *e)
{
    struct predictions b;
    uint64_t found = 0;
    if (!p->automatic || !s) return summary_rank(out, p) || error_no_memory(e);
    if (!predictions_new(&b, p, e)) return false;
    bool ok = predictions_load(&b, s, &found, e);
    if (ok && found)
        ok = predictions_rank(&b, out, e);
    else if (ok)
        ok = summary_rank(out, p) || error_no_memory(e);
    predictions_free(&b);
    return ok;
}

bool summary_make(struct summary *out, const struct plan *p, struct store *s, struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    bool ok = (summary_new(out, p, e) && r) || error_no_memory(e);
    for (uint32_t i = 0; i < out->points && ok; i++)
        ok = read_point(out, p, s, i, r, e);
    mem_free(r);
    return ok && rank_points(out, p, s, e) && (!s || rivals_find(out, p, s, e));
}

void summary_fini(struct summary *m)
{
    mem_free(m->value);
    mem_free(m->low);
    mem_free(m->high);
    mem_free(m->confirmed);
    mem_free(m->rests_on);
    mem_free(m->front);
    mem_free(m->rival);
    *m = (struct summary){0};
}
