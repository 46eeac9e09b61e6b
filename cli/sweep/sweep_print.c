/* sweep_print.c - see sweep_print.h. */
#include "cli/sweep/sweep_print.h"

#include "base/text/text.h"
#include "calibration/constants.h"
#include "cli/print/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRONT_ROWS = 20, BEST_ROWS = 10 };

static void point_text(const struct plan *p, uint32_t point, struct text *out)
{
    const char *between = "";
    for (uint32_t i = 0; i < p->n_axes; i++) {
        if (!*plan_value(p, point, i)) continue; /* the axis does not apply at this point */
        text_add_shown(out, "%s%s=%s", between, p->axis[i].path, plan_value(p, point, i));
        between = " ";
    }
}

/* Relative half width of a value's interval; 0: exact, NaN: unknown. */
static double half_width(const struct summary *s, size_t at)
{
    return (s->high[at] - s->low[at]) / 2 / s->value[at];
}

/* A value that an engine may be wrong about, and does not say how far. */
static bool lacks_range(const struct plan *p, const struct summary *s, size_t at)
{
    const struct objective *o = &p->objective[at % p->n_objectives];
    return !o->parameter && summary_goes_with_cycles(o->name) && !isnan(s->value[at]) &&
           isnan(s->low[at]);
}

/* If all values that are not exact have the same half width (uncalibrated estimates), it is printed
 * once; 0: they differ, some have none, or all values are exact. */
static double common_half_width(const struct plan *p, const struct summary *s)
{
    double common = 0;
    for (size_t i = 0; i < (size_t)s->points * p->n_objectives; i++) {
        double half = half_width(s, i);
        if (lacks_range(p, s, i)) return 0;
        if (!(half > 0)) continue;
        if (common > 0 && fabs(half - common) > 1e-6) return 0;
        common = half;
    }
    return s->points > 1 ? common : 0;
}

static void objective_text(const struct plan *p, const struct summary *s, uint32_t point,
                           uint32_t k, double common, char out[NUMBER_MAX])
{
    double v = s->value[(size_t)point * p->n_objectives + k];
    const char *unit = p->objective[k].parameter ? "" : metrics_unit(p->objective[k].name);
    if (isnan(v))
        snprintf(out, NUMBER_MAX, "-");
    else
        table_number_text(v, unit, out);
    size_t at = (size_t)point * p->n_objectives + k, n = strlen(out);
    double half = half_width(s, at);
    if (lacks_range(p, s, at)) snprintf(out + n, NUMBER_MAX - n, " no range");
    if (half > 0 && common == 0) snprintf(out + n, NUMBER_MAX - n, " +-%.1f%%", 100 * half);
}

/* --- points ------------------------------------------------------------------------------------
 */

/* The source of engine auto's answer, in words. */
static const char *basis_word(const struct summary *s, uint32_t point)
{
    static const char *const words[][2] = {
        {"simulate", "simulated"}, {"calibrated", "calibrated"}, {"estimate", "estimated"}};
    for (int i = 0; i < 3 && s->rests_on[point]; i++)
        if (strcmp(words[i][0], s->rests_on[point]) == 0) return words[i][1];
    return "";
}

/* mark: with a column that says whether the point is on the front. */
static void point_rows(struct rows *r, const struct plan *p, const struct summary *s,
                       uint32_t point, bool mark, double common)
{
    char text[NUMBER_MAX];
    rows_item(r);
    rows_format(r, NULL, "point", "%" PRIu32, point);
    for (uint32_t i = 0; i < p->n_axes; i++)
        rows_text(r, NULL, p->axis[i].path, plan_value(p, point, i));
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        if (plan_is_axis(p, &p->objective[k])) continue;
        objective_text(p, s, point, k, common, text);
        rows_text(r, NULL, p->objective[k].name, text);
    }
    if (p->automatic) rows_text(r, NULL, "from", basis_word(s, point));
    if (mark) rows_text(r, NULL, "front", s->front[point] ? "*" : "");
}

static double confidence_level(const struct plan *p)
{
    return p->automatic ? 0.95 : p->opts.confidence;
}

/* Explains "+-", if a row has one. */
static void print_level(struct text *out, const struct plan *p, const struct summary *s, bool front,
                        double common)
{
    bool any = false;
    for (size_t i = 0; i < (size_t)s->points * p->n_objectives; i++)
        any |= (!front || s->front[i / p->n_objectives]) && half_width(s, i) > 0;
    if (any && common > 0)
        text_add(out, "  (each +-%.1f%%, half width of the %g %% interval)\n", 100 * common,
                 100 * confidence_level(p));
    else if (any)
        text_add(out, "  (+-: half width of the %g %% interval)\n", 100 * confidence_level(p));
}

void sweep_print_points(struct text *out, const struct plan *p, const struct summary *s, bool front,
                        uint32_t limit)
{
    struct rows r = {0};
    uint32_t rows = 0;
    double common = common_half_width(p, s);
    for (uint32_t i = 0; i < s->points; i++) {
        if (front && !s->front[i]) continue;
        if (rows++ < limit) point_rows(&r, p, s, i, !front, common);
    }
    table_rows(out, &r);
    print_level(out, p, s, front, common);
    if (rows > limit) text_add(out, "  ... and %" PRIu32 " more (-v shows all)\n", rows - limit);
}

/* The best points by the first objective, best first; returns how many. */
static uint32_t list_best(const struct plan *p, const struct summary *s, uint32_t best[BEST_ROWS])
{
    uint32_t n = 0;
    double sign = p->objective[0].goal == GOAL_MIN ? 1 : -1;
    for (uint32_t i = 0; i < s->points; i++) {
        double v = sign * s->value[(size_t)i * p->n_objectives];
        uint32_t at = n;
        if (isnan(v)) continue;
        while (at > 0 && sign * s->value[(size_t)best[at - 1] * p->n_objectives] > v)
            at--;
        if (at == BEST_ROWS) continue;
        if (n < BEST_ROWS) n++;
        memmove(&best[at + 1], &best[at], (n - 1 - at) * sizeof *best);
        best[at] = i;
    }
    return n;
}

static void print_best_points(struct text *out, const struct plan *p, const struct summary *s)
{
    uint32_t best[BEST_ROWS];
    struct rows r = {0};
    const struct objective *o = &p->objective[0];
    uint32_t n = list_best(p, s, best);
    double common = common_half_width(p, s);
    if (o->parameter || n < 2) return;
    text_add_shown(out, "\n%s best: %s %s\n", n == BEST_ROWS ? "Ten" : "The",
                   o->goal == GOAL_MIN ? "least" : "most", o->name);
    for (uint32_t i = 0; i < n; i++)
        point_rows(&r, p, s, best[i], true, common);
    table_rows(out, &r);
}

/* --- summary -----------------------------------------------------------------------------------
 */

/* How many points may be better than the best, and the first of them. */
static void print_rivals(struct text *out, const struct summary *s, uint32_t k)
{
    enum { NAMED = 5 };
    uint32_t n = 0;
    for (size_t i = 0; i < s->n_rivals; i++)
        n += s->rival[i].objective == k;
    if (n == 0) return;
    text_add(out, "    %" PRIu32 " of %" PRIu32 " points may be better: ", n, s->complete);
    n = 0;
    for (size_t i = 0; i < s->n_rivals && n <= NAMED; i++) {
        if (s->rival[i].objective != k) continue;
        if (n++ < NAMED)
            text_add(out, "%s%" PRIu32, n > 1 ? ", " : "", s->rival[i].point);
        else
            text_add(out, " ...");
    }
    text_add(out, "\n");
}

static void print_best(struct text *out, const struct plan *p, const struct summary *s)
{
    double common = common_half_width(p, s);
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        char v[NUMBER_MAX];
        const struct objective *o = &p->objective[k];
        if (s->best[k] == UINT32_MAX) continue;
        objective_text(p, s, s->best[k], k, common, v);
        text_add_shown(out, "  %s %s: %s%s%s at point %" PRIu32 " (",
                       o->goal == GOAL_MIN ? "least" : "most", o->name, v,
                       p->automatic && !o->parameter ? ", " : "",
                       p->automatic && !o->parameter ? basis_word(s, s->best[k]) : "", s->best[k]);
        point_text(p, s->best[k], out);
        text_add(out, ")\n");
        print_rivals(out, s, k);
    }
}

void sweep_print_summary(struct text *out, const struct plan *p, const struct summary *s, bool all)
{
    text_add_shown(out,
                   "%s: %" PRIu64 " %s done, %" PRIu64 " failed, %" PRIu64 " left (%" PRIu32
                   " %s x %" PRIu32 " %s, engine %s)\n",
                   p->file, s->done, text_noun(s->done, "run", "runs"), s->failed, s->left,
                   s->points, text_noun(s->points, "point", "points"), p->n_workloads,
                   text_noun(p->n_workloads, "program", "programs"), plan_engine(p));
    if (s->failed) text_add_shown(out, "  first failure: %s\n", s->first_failure);
    if (s->complete == 0)
        text_add(out, "  no point has all its programs done yet: there is nothing to rank\n");
    if (s->complete == 0) return;
    if (p->n_workloads > 1)
        text_add(out, "  metrics are geometric means over the %" PRIu32 " programs\n",
                 p->n_workloads);
    print_best(out, p, s);
    print_best_points(out, p, s);
    text_add(out, "\nPareto front");
    for (uint32_t k = 0; k < p->n_objectives; k++)
        text_add_shown(out, "%s %s %s", k ? "," : ":",
                       p->objective[k].goal == GOAL_MIN ? "least" : "most", p->objective[k].name);
    text_add(out, "\n");
    sweep_print_points(out, p, s, true, all ? UINT32_MAX : FRONT_ROWS);
}

/* --- check -------------------------------------------------------------------------------------
 */

/* The two values, the error, and the answer's range around it; a range that does not hold is
 * marked. */
static void check_values_text(struct text *out, const struct accuracy_check_row *r)
{
    char range[32] = "";
    if (!isnan(r->low))
        snprintf(range, sizeof range, "%+.1f to %+.1f%%%s", 100 * (r->low / r->answer - 1),
                 100 * (r->high / r->answer - 1), accuracy_check_held(r) ? "" : " !");
    text_add(out, "%12.0f %12.0f %+7.1f%% ", r->answer, r->simulated,
             100 * (r->answer / r->simulated - 1));
    text_add_shown(out, "%18s", range);
}

static void check_row_text(struct text *out, const struct plan *p,
                           const struct accuracy_check_row *r)
{
    struct text at = {0};
    point_text(p, r->point, &at);
    text_add_shown(out, "  %-18s %6" PRIu32 " ", plan_workload(p, r->workload), r->point);
    if (isnan(r->answer) || isnan(r->simulated))
        text_add_shown(out, "%12s %12s %8s %18s", "failed", "-", "-", "");
    else
        check_values_text(out, r);
    text_add_shown(out, "  %s\n", text_str(&at));
    text_fini(&at);
}

static void check_line(struct text *out, const struct accuracy_check *c, const char *name,
                       uint32_t workload)
{
    struct error_summary e = accuracy_check_errors(c, workload);
    struct rank_correlation r = accuracy_check_rank(c, workload);
    double tau = rank_tau(&r);
    text_add_shown(out, "  %-18s ", name);
    if (isnan(e.mean)) {
        text_add_shown(out, "%9s\n", "no data");
        return;
    }
    text_add(out, "%8.1f%% %8.1f%% %8.1f%% %8.1f%% ", 100 * e.mean, 100 * e.median, 100 * e.p90,
             100 * e.worst);
    if (isnan(tau))
        text_add_shown(out, "%8s", "-");
    else
        text_add(out, "%8.3f", tau);
    text_add(out, " %8" PRIu64 "\n", r.concordant + r.discordant + r.tied);
}

void sweep_print_check_table(struct text *out, const struct plan *p, const struct accuracy_check *c,
                             uint64_t seed)
{
    const char *engine = plan_engine(p);
    double coverage = accuracy_check_coverage(c);
    text_add_shown(out,
                   "%s beside simulate, cycles: %" PRIu32 " of %" PRIu32
                   " points drawn with seed %" PRIu64 ", each with every program\n\n",
                   engine, c->n_points, plan_points(p), seed);
    text_add_shown(out, "  %-18s %6s %12s %12s %8s %18s  %s\n", "program", "point", engine,
                   "simulate", "error", isnan(coverage) ? "" : "range", "machine");
    for (uint32_t i = 0; i < c->n; i++)
        check_row_text(out, p, &c->row[i]);
    text_add_shown(out, "\n  %-18s %9s %9s %9s %9s %8s %8s\n", "error", "mean", "median", "p90",
                   "worst", "tau", "pairs");
    for (uint32_t w = 0; w < p->n_workloads; w++)
        check_line(out, c, plan_workload(p, w), w);
    if (p->n_workloads > 1) check_line(out, c, "all", UINT32_MAX);
    text_add(
        out,
        "  (tau: Kendall's, over pairs of points of one program whose simulated cycles differ by "
        "more than %.0f %%)\n",
        100 * RANK_NEAR);
    if (!isnan(coverage))
        text_add(out,
                 "  the stated ranges hold %.0f %% of them (%g %% asked for; !: one does not)\n",
                 100 * coverage, 100 * confidence_level(p));
    if (c->failed) text_add(out, "  %" PRIu32 " points failed and have no error\n", c->failed);
}

static void error_rows(struct rows *r, const struct accuracy_check *c, const char *name,
                       uint32_t workload)
{
    struct error_summary e = accuracy_check_errors(c, workload);
    struct rank_correlation x = accuracy_check_rank(c, workload);
    rows_object(r, name);
    rows_number(r, "mean", NULL, "", e.mean);
    rows_number(r, "median", NULL, "", e.median);
    rows_number(r, "p90", NULL, "", e.p90);
    rows_number(r, "worst", NULL, "", e.worst);
    rows_number(r, "tau", NULL, "", rank_tau(&x));
    rows_count(r, "pairs", NULL, x.concordant + x.discordant + x.tied);
    rows_end(r);
}

void sweep_print_check_json(struct text *out, const struct plan *p, const struct accuracy_check *c,
                            uint64_t seed)
{
    struct json j;
    struct rows r = {.json = &j};
    json_init(&j, out);
    rows_item(&r);
    rows_text(&r, "engine", NULL, plan_engine(p));
    rows_count(&r, "seed", NULL, seed);
    rows_count(&r, "failed", NULL, c->failed);
    rows_number(&r, "interval_95_holds", NULL, "", accuracy_check_coverage(c));
    rows_list(&r, "points");
    for (uint32_t i = 0; i < c->n; i++) {
        rows_item(&r);
        rows_count(&r, "point", NULL, c->row[i].point);
        rows_text(&r, "program", NULL, plan_workload(p, c->row[i].workload));
        rows_number(&r, plan_engine(p), NULL, "", c->row[i].answer);
        rows_number(&r, "low", NULL, "", c->row[i].low);
        rows_number(&r, "high", NULL, "", c->row[i].high);
        rows_number(&r, "simulate", NULL, "", c->row[i].simulated);
        rows_end(&r);
    }
    rows_end(&r);
    error_rows(&r, c, "all", UINT32_MAX);
    rows_object(&r, "programs");
    for (uint32_t w = 0; w < p->n_workloads; w++)
        error_rows(&r, c, plan_workload(p, w), w);
    rows_end(&r);
    rows_end(&r);
}
