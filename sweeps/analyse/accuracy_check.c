/* accuracy_check.c - see accuracy_check.h. */
#include "sweeps/analyse/accuracy_check.h"

#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "sweeps/ranking/prediction.h"

#include <math.h>
#include <string.h>

/* Selection sampling (Knuth, algorithm S): each set of `count` points is equally likely. */
void accuracy_check_draw(uint32_t points, uint32_t count, uint64_t seed, uint32_t *out)
{
    struct rng r;
    uint32_t taken = 0;
    rng_seed(&r, seed, 0);
    for (uint32_t i = 0; i < points && taken < count; i++)
        if (rng_below(&r, points - i) < count - taken) out[taken++] = i;
}

/* The points to draw from: all, or those that engine auto did not simulate. */
struct candidates {
    uint32_t *point, n;
};

static bool candidates_find(struct candidates *all, const struct plan *p,
                            const struct predictions *b, struct error *e)
{
    *all = (struct candidates){.point = mem_new(plan_points(p), sizeof *all->point)};
    if (!all->point) return error_no_memory(e);
    for (uint32_t i = 0; i < plan_points(p); i++) {
        bool seen = false;
        for (uint32_t w = 0; w < p->n_workloads && p->automatic; w++)
            seen |= prediction_at(b, i, w, 0)->source == SOURCE_SIMULATE;
        if (!seen) all->point[all->n++] = i;
    }
    return true;
}

/* range: of the cycles; NULL: not wanted. */
static bool cycles_of(const struct plan *p, struct store *s, const struct accuracy_check_row *row,
                      enum engine engine, double *cycles, double range[2], struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    if (!r) return error_no_memory(e);
    enum stored state = runner_get(p, s, row->point, row->workload, engine, r, e);
    *cycles = state == STORED_DONE ? record_metric(r, "cycles") : NAN;
    if (range && state == STORED_DONE && r->has_confidence)
        summary_range(engine, *cycles, r->half_width, &range[0], &range[1]);
    mem_free(r);
    return state != STORED_ERROR;
}

static void range_of_prediction(struct accuracy_check_row *row, const struct prediction *x)
{
    double factor = exp(BELIEF_Z_95 * x->log_sd);
    row->answer = x->value;
    row->low = x->value / factor;
    row->high = x->value * factor;
}

/* b: engine auto's answers; other engines' answers come from the store. */
static bool fill_row(struct accuracy_check_row *row, const struct plan *p, struct store *s,
                     const struct predictions *b, struct error *e)
{
    double range[2] = {NAN, NAN};
    if (!p->automatic && !cycles_of(p, s, row, p->engine, &row->answer, range, e)) return false;
    row->low = range[0];
    row->high = range[1];
    if (p->automatic) range_of_prediction(row, prediction_at(b, row->point, row->workload, 0));
    return cycles_of(p, s, row, ENGINE_SIMULATE, &row->simulated, NULL, e);
}

static bool collect_points(struct accuracy_check *c, const struct plan *p, struct store *s,
                           const struct predictions *b, const uint32_t *point, struct error *e)
{
    c->row = mem_new((size_t)c->n_points * p->n_workloads, sizeof *c->row);
    if (!c->row) return error_no_memory(e);
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        for (uint32_t i = 0; i < c->n_points; i++) {
            struct accuracy_check_row *row = &c->row[c->n++];
            *row = (struct accuracy_check_row){.point = point[i], .workload = w};
            if (!fill_row(row, p, s, b, e)) return false;
            c->failed += isnan(row->answer) || isnan(row->simulated);
        }
    }
    return true;
}

/* Runs the points drawn and fills in both answers. */
static bool compare_rows(struct accuracy_check *c, const struct plan *p, struct store *s,
                         const struct predictions *b, const uint32_t *point,
                         const struct run_request *common, struct error *e)
{
    struct run_result answers;
    struct run_request q = *common;
    q.point = point;
    q.n_points = c->n_points;
    q.engine = p->engine;
    q.progress = NULL;
    if (!p->automatic && !runner_run(p, s, &q, &answers, e)) return false;
    q.engine = ENGINE_SIMULATE;
    q.progress = common->progress;
    return runner_run(p, s, &q, &c->simulated, e) && collect_points(c, p, s, b, point, e);
}

static bool load_answers(struct predictions *b, const struct plan *p, struct store *s,
                         struct error *e)
{
    uint64_t found;
    if (!p->automatic) return true;
    if (!predictions_new(b, p, e) || !predictions_load(b, s, &found, e)) return false;
    return found ||
           error_input(e, "%s: engine auto has no answers in %s yet; 'plumb sweep run' first",
                       p->file, p->output);
}

bool accuracy_check_run(struct accuracy_check *c, const struct plan *p, struct store *s,
                        uint32_t count, uint64_t seed, unsigned threads, struct progress *progress,
                        struct error *e)
{
    struct predictions b = {0};
    struct candidates all = {0};
    *c = (struct accuracy_check){0};
    bool ok = load_answers(&b, p, s, e) && candidates_find(&all, p, &b, e);
    c->n_points = count < all.n ? count : all.n;
    uint32_t *point = ok ? mem_new(c->n_points ? c->n_points : 1, sizeof *point) : NULL;
    if (ok && !point) ok = error_no_memory(e);
    if (ok) accuracy_check_draw(all.n, c->n_points, seed, point);
    for (uint32_t i = 0; ok && i < c->n_points; i++)
        point[i] = all.point[point[i]];
    struct run_request common = {.threads = threads, .progress = progress};
    ok = ok && compare_rows(c, p, s, &b, point, &common, e);
    mem_free(point);
    mem_free(all.point);
    predictions_free(&b);
    return ok;
}

void accuracy_check_fini(struct accuracy_check *c)
{
    mem_free(c->row);
    *c = (struct accuracy_check){0};
}

static bool row_counts(const struct accuracy_check_row *row, uint32_t workload)
{
    if (isnan(row->answer) || isnan(row->simulated)) return false;
    return workload == UINT32_MAX || row->workload == workload;
}

struct error_summary accuracy_check_errors(const struct accuracy_check *c, uint32_t workload)
{
    uint32_t n = 0;
    struct error_summary sum = {NAN, NAN, NAN, NAN};
    double *e = mem_new(c->n ? c->n : 1, sizeof *e);
    if (!e) return sum;
    for (uint32_t i = 0; i < c->n; i++)
        if (row_counts(&c->row[i], workload))
            e[n++] = fabs(c->row[i].answer / c->row[i].simulated - 1);
    sum = error_summarise(e, n);
    mem_free(e);
    return sum;
}

bool accuracy_check_held(const struct accuracy_check_row *r)
{
    return r->low <= r->simulated && r->simulated <= r->high;
}

double accuracy_check_coverage(const struct accuracy_check *c)
{
    uint32_t n = 0, held = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct accuracy_check_row *r = &c->row[i];
        if (!row_counts(r, UINT32_MAX) || isnan(r->low)) continue;
        held += accuracy_check_held(r);
        n++;
    }
    return n ? (double)held / n : NAN;
}

static void rank_one(const struct accuracy_check *c, uint32_t workload, double *truth,
                     double *guess, struct rank_correlation *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!row_counts(&c->row[i], workload)) continue;
        truth[n] = c->row[i].simulated;
        guess[n++] = c->row[i].answer;
    }
    rank_add(r, truth, guess, n);
}

struct rank_correlation accuracy_check_rank(const struct accuracy_check *c, uint32_t workload)
{
    struct rank_correlation r = {0};
    uint32_t last = c->n ? c->row[c->n - 1].workload : 0;
    double *space = mem_new(2 * (size_t)(c->n ? c->n : 1), sizeof *space);
    if (!space) return r;
    for (uint32_t w = 0; w <= last; w++)
        if (workload == UINT32_MAX || workload == w) rank_one(c, w, space, space + c->n, &r);
    mem_free(space);
    return r;
}
