/* auto.c - see auto.h; this file runs the rounds. */
#include "sweeps/auto/auto.h"

#include "base/memory/alloc.h"
#include "sweeps/auto/auto_choose.h"
#include "sweeps/constants.h"
#include "sweeps/store/sweep_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct engine_auto {
    const struct plan *plan;
    struct store *store;
    const struct auto_request *request;
    struct auto_result *result;
    struct auto_model model;
    struct summary ranked;
    struct choice_set batch;
    /* [points in a batch * workloads] predictions before the batch ran; NaN: none */
    double *before;
    double last_seen; /* mean error of the last round's predictions; NaN: it made none */
    double sum_seen;  /* sum of relative errors */
    uint32_t n_seen;
};

uint32_t auto_limit(const struct plan *p)
{
    uint32_t points = plan_points(p), limit = p->aim.points;
    if (!limit && p->aim.core_hours > 0) limit = points; /* then only the core hours limit it */
    if (!limit) limit = (uint32_t)ceil(LIMIT_SHARE * points);
    if (!p->aim.points && limit < LIMIT_LEAST) limit = LIMIT_LEAST;
    return limit < points ? limit : points;
}

/* The number of which the first spread and the smallest batch are shares.  Where core hours are the
 * limit, it is the same as without a limit, so that a sweep begins alike. */
static uint32_t round_limit(const struct plan *p)
{
    uint32_t points = (uint32_t)ceil(LIMIT_SHARE * plan_points(p)), limit = auto_limit(p);
    if (p->aim.points) return limit;
    if (points < LIMIT_LEAST) points = LIMIT_LEAST;
    return points < limit ? points : limit;
}

uint32_t auto_first(const struct plan *p)
{
    uint32_t n = (uint32_t)ceil(SPREAD_SHARE * round_limit(p));
    return n ? n : 1;
}

/* --- known runs ------------------------------------------------------------------------------- */

static void count_known(struct engine_auto *a)
{
    struct auto_result *r = a->result;
    r->simulated = r->failed = r->front = r->confirmed = 0;
    r->core_hours = 0;
    for (uint32_t i = 0; i < a->ranked.points; i++) {
        r->simulated += a->ranked.confirmed[i] || a->model.failed[i];
        r->failed += a->model.failed[i];
        r->front += a->ranked.front[i];
        r->confirmed += a->ranked.front[i] && a->ranked.confirmed[i];
        r->core_hours += a->model.hours[i];
    }
    r->left_out = a->model.left_out;
}

static bool learn_and_rank(struct engine_auto *a, struct error *e)
{
    bool ok = auto_model_learn(&a->model, e) &&
              predictions_rank(&a->model.predictions, &a->ranked, e) &&
              predictions_save(&a->model.predictions, a->store, a->result->sweep, e) &&
              summary_save(&a->ranked, a->plan, a->store, a->result->sweep, e);
    if (ok) count_known(a);
    return ok;
}

/* --- a batch -----------------------------------------------------------------------------------
 */

static bool make_runs(struct engine_auto *a, const struct run_request *q, struct run_result *ran,
                      struct error *e)
{
    const struct auto_request *r = a->request;
    if (r->make) return r->make(a->plan, a->store, q, ran, e, r->make_ctx);
    return runner_run(a->plan, a->store, q, ran, e);
}

static bool simulate_chosen(struct engine_auto *a, struct error *e)
{
    struct run_result ran;
    struct run_request r = {.engine = ENGINE_SIMULATE,
                            .point = a->batch.point,
                            .n_points = a->batch.n,
                            .threads = a->request->threads,
                            .progress = a->request->progress};
    return make_runs(a, &r, &ran, e);
}

static void remember_predictions(struct engine_auto *a)
{
    const struct plan *p = a->plan;
    for (uint32_t i = 0; i < a->batch.n; i++)
        for (uint32_t w = 0; w < p->n_workloads; w++)
            a->before[i * p->n_workloads + w] =
                a->result->rounds == 0
                    ? NAN
                    : prediction_at(&a->model.predictions, a->batch.point[i], w, 0)->value;
}

static void compare_predictions(struct engine_auto *a, struct sweep_round *round)
{
    const struct plan *p = a->plan;
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->batch.n; i++) {
        for (uint32_t w = 0; w < p->n_workloads; w++) {
            const struct prediction *x =
                prediction_at(&a->model.predictions, a->batch.point[i], w, 0);
            double error = fabs(a->before[i * p->n_workloads + w] / x->value - 1);
            round->runs += x->source == SOURCE_SIMULATE;
            if (x->source != SOURCE_SIMULATE || isnan(error)) continue;
            sum += error;
            n++;
            round->worst = fmax(round->worst, error);
        }
    }
    round->error = a->last_seen = n ? sum / n : NAN;
    if (n == 0) round->worst = NAN;
    a->sum_seen += sum;
    a->n_seen += n;
    a->result->seen = a->n_seen ? a->sum_seen / a->n_seen : NAN;
    if (n) a->result->seen_worst = fmax(a->result->seen_worst, round->worst);
}

static void note_round(const struct engine_auto *a, const struct sweep_round *round)
{
    char line[240], error[64] = "";
    const struct auto_result *r = a->result;
    if (!a->request->say) return;
    if (!isnan(round->error))
        snprintf(error, sizeof error, ", predictions off by %.1f %%, at worst %.1f %%",
                 100 * round->error, 100 * round->worst);
    snprintf(line, sizeof line,
             "round %" PRIu32 ": %" PRIu32 " point%s simulated (%s)%s; front of %" PRIu32
             " points, %" PRIu32 " simulated",
             round->round, round->points, round->points == 1 ? "" : "s", round->why, error,
             r->front, r->confirmed);
    a->request->say(line, a->request->ctx);
}

static bool run_round(struct engine_auto *a, const char *why, struct error *e)
{
    struct sweep_round round = {.round = a->result->rounds, .points = a->batch.n, .why = why};
    remember_predictions(a);
    if (!simulate_chosen(a, e)) return false;
    if (plumb_interrupted) return true;
    for (uint32_t i = 0; i < a->batch.even; i++)
        a->model.even[a->batch.point[i]] = true;
    if (!auto_model_gather(&a->model, a->store, a->batch.point, a->batch.n, e)) return false;
    compare_predictions(a, &round);
    if (!learn_and_rank(a, e)) return false;
    round.core_hours = a->result->core_hours;
    if (!sweep_tables_round(a->store, a->result->sweep, &round, a->batch.point, e)) return false;
    note_round(a, &round);
    a->result->rounds++;
    return true;
}

/* --- the next batch --------------------------------------------------------------------------- */

/* How many of `wanted` points the core hours still pay for, at the mean cost so far. */
static uint32_t affordable_runs(const struct engine_auto *a, uint32_t wanted)
{
    const struct auto_result *r = a->result;
    double left = a->plan->aim.core_hours - r->core_hours;
    if (a->plan->aim.core_hours <= 0 || r->simulated == 0) return wanted;
    double points = left <= 0 ? 0 : floor(left / (r->core_hours / r->simulated));
    return points < wanted ? (uint32_t)points : wanted;
}

/* The leave-one-out error rests on few points, so the errors of the last round's predictions must
 * be within the budget's, too. */
static bool is_good(const struct engine_auto *a)
{
    double error = a->plan->opts.error;
    return auto_unconfirmed(&a->model, &a->ranked) == 0 && a->result->left_out <= error &&
           a->last_seen <= error;
}

/* A share of all points after the first spread, rounded to whole points. */
static uint32_t share_of(const struct engine_auto *a, double share, uint32_t count)
{
    uint32_t first = auto_first(a->plan), known = a->result->simulated;
    uint32_t before = known > first ? known - first : 0;
    return (uint32_t)(share * (before + count)) - (uint32_t)(share * before);
}

/* Why it ends: the answers are good enough, or what keeps it from simulating more; left: points
 * that the budget still allows. */
static enum auto_end why_end(const struct engine_auto *a, uint32_t left)
{
    if (is_good(a)) return AUTO_DONE;
    if (a->result->simulated == plan_points(a->plan)) return AUTO_NOTHING_LEFT;
    return left == 0 ? AUTO_POINTS_SPENT : AUTO_HOURS_SPENT;
}

/* Chooses the next batch; an empty one (n = 0) means the end, with its reason. */
static bool choose_points(struct engine_auto *a, struct error *e)
{
    struct auto_result *r = a->result;
    uint32_t left = r->limit > r->simulated ? r->limit - r->simulated : 0;
    uint32_t batch = (round_limit(a->plan) + BATCHES - 1) / BATCHES;
    if (batch < r->simulated / BATCH_GROWTH) batch = r->simulated / BATCH_GROWTH;
    uint32_t count = affordable_runs(a, batch < left ? batch : left);
    a->batch.n = 0;
    r->end = why_end(a, left);
    if (r->end == AUTO_DONE || count == 0) return true;
    /* A budget in points favours the front and the best; a budget in core hours is spent until all
     * answers are good enough. */
    bool good = r->left_out <= a->plan->opts.error || a->plan->aim.core_hours <= 0;
    struct choice_wish wish = {.count = count,
                               .even = good ? 0 : share_of(a, EVEN_SHARE, count),
                               .confirm = share_of(a, FRONT_SHARE, count),
                               .until_certain = !a->plan->aim.error};
    r->end = AUTO_NOTHING_LEFT;
    bool ok = auto_choose(&a->model, &a->ranked, &wish, &a->batch, e);
    if (ok && a->batch.certain) r->end = AUTO_CERTAIN;
    return ok;
}

static const char *why_batch(const struct choice_set *c)
{
    uint32_t doubtful = c->n - c->even - c->confirming;
    if (c->even == c->n) return "an even spread";
    if (c->even) return "evenly spread and chosen points";
    if (doubtful == 0) return "the front";
    return c->confirming ? "the front and doubtful points" : "doubtful points";
}

static bool run_rounds(struct engine_auto *a, struct error *e)
{
    /* The first ranking rests on the estimates alone: it gives a first answer, and shows where the
     * best points may lie. */
    if (!learn_and_rank(a, e) ||
        !auto_spread(a->plan, &a->ranked, auto_first(a->plan), &a->batch, e))
        return false;
    if (!run_round(a, "spread", e)) return false;
    while (!plumb_interrupted) {
        if (!choose_points(a, e)) return false;
        if (a->batch.n == 0) return true;
        if (!run_round(a, why_batch(&a->batch), e)) return false;
    }
    a->result->end = AUTO_INTERRUPTED;
    return true;
}

static bool estimate_all(struct engine_auto *a, struct error *e)
{
    struct run_result ran;
    struct run_request r = {.engine = ENGINE_ESTIMATE,
                            .threads = a->request->threads,
                            .progress = a->request->progress};
    if (!make_runs(a, &r, &ran, e)) return false;
    a->result->sweep = ran.sweep;
    if (!plumb_interrupted && !auto_model_estimates(&a->model, a->store, e)) return false;
    return sweep_tables_forget_rounds(a->store, ran.sweep, e);
}

/* An interrupt while it learns: the runs are stored, the answers are those of the round before. */
static bool was_interrupted(struct auto_result *r, const struct error *e)
{
    if (e->kind != ERROR_INTERRUPTED) return false;
    r->end = AUTO_INTERRUPTED;
    return true;
}

bool auto_run(const struct plan *p, struct store *s, const struct auto_request *q,
              struct auto_result *r, struct error *e)
{
    *r = (struct auto_result){.limit = auto_limit(p), .seen = NAN, .left_out = NAN};
    struct engine_auto a = {.plan = p, .store = s, .request = q, .result = r};
    uint32_t largest = r->limit;
    a.batch.point = mem_new(largest, sizeof *a.batch.point);
    a.before = mem_new((size_t)largest * p->n_workloads, sizeof *a.before);
    bool ok = (a.batch.point && a.before) || error_no_memory(e);
    ok = auto_model_new(&a.model, p, q->threads, e) && ok && summary_new(&a.ranked, p, e);
    ok = ok && (estimate_all(&a, e) || was_interrupted(r, e));
    if (ok && plumb_interrupted)
        r->end = AUTO_INTERRUPTED;
    else
        ok = ok && (run_rounds(&a, e) || was_interrupted(r, e));
    auto_model_fini(&a.model);
    summary_fini(&a.ranked);
    mem_free(a.batch.point);
    mem_free(a.before);
    return ok;
}
