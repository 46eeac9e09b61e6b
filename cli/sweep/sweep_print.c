/* sweep_print.c - see sweep_print.h. */
#include "cli/sweep/sweep_print.h"

#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "calibration/constants.h"
#include "cli/print/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRONT_ROWS = 20 };

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

/* A swept parameter is printed with the axes. */
static bool is_axis(const struct plan *p, const struct objective *o)
{
    for (uint32_t i = 0; i < p->n_axes && o->parameter; i++)
        if (strcmp(o->name, p->axis[i].path) == 0) return true;
    return false;
}

/* The source of engine auto's answer, in words. */
static const char *basis_word(const struct summary *s, uint32_t point)
{
    static const char *const words[][2] = {
        {"simulate", "simulated"}, {"calibrated", "calibrated"}, {"estimate", "estimated"}};
    for (int i = 0; i < 3 && s->rests_on[point]; i++)
        if (strcmp(words[i][0], s->rests_on[point]) == 0) return words[i][1];
    return "";
}

/* The cells of one point: number, axes, other objectives, the source of auto's answer, a mark if
 * the point is on the front. */
static void point_cells(const struct plan *p, const struct summary *s, uint32_t point, bool mark,
                        double common, const char **cell, char (*text)[NUMBER_MAX])
{
    uint32_t at = 0;
    snprintf(text[0], NUMBER_MAX, "%" PRIu32, point);
    cell[at++] = text[0];
    for (uint32_t i = 0; i < p->n_axes; i++)
        cell[at++] = plan_value(p, point, i);
    for (uint32_t k = 0; k < p->n_objectives; k++) {
        if (is_axis(p, &p->objective[k])) continue;
        objective_text(p, s, point, k, common, text[1 + k]);
        cell[at++] = text[1 + k];
    }
    if (p->automatic) cell[at++] = basis_word(s, point);
    if (mark) cell[at] = s->front[point] ? "*" : "";
}

static uint32_t columns_of(const struct plan *p, bool mark)
{
    uint32_t n = 1 + p->n_axes + p->automatic + mark;
    for (uint32_t k = 0; k < p->n_objectives; k++)
        n += !is_axis(p, &p->objective[k]);
    return n;
}

static void head_cells(const struct plan *p, bool mark, const char **cell)
{
    uint32_t at = 0;
    cell[at++] = "point";
    for (uint32_t i = 0; i < p->n_axes; i++)
        cell[at++] = p->axis[i].path;
    for (uint32_t k = 0; k < p->n_objectives; k++)
        if (!is_axis(p, &p->objective[k])) cell[at++] = p->objective[k].name;
    if (p->automatic) cell[at++] = "from";
    if (mark) cell[at] = "front";
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
    uint32_t columns = columns_of(p, !front), rows = 0, left = 0;
    for (uint32_t i = 0; i < s->points; i++)
        rows += !front || s->front[i];
    if (rows > limit) {
        left = rows - limit;
        rows = limit;
    }
    const char **cell = mem_new((size_t)(rows + 1) * columns, sizeof *cell);
    char(*text)[NUMBER_MAX] = mem_new((size_t)(rows + 1) * (1 + OBJECTIVES_MAX), sizeof *text);
    if (cell && text) {
        uint32_t row = 0;
        double common = common_half_width(p, s);
        head_cells(p, !front, cell);
        for (uint32_t i = 0; i < s->points && row < rows; i++) {
            if (front && !s->front[i]) continue;
            row++;
            point_cells(p, s, i, !front, common, cell + (size_t)row * columns,
                        text + (size_t)row * (1 + OBJECTIVES_MAX));
        }
        table_cells(out, cell, rows + 1, columns);
        print_level(out, p, s, front, common);
        if (left) text_add(out, "  ... and %" PRIu32 " more (-v shows all)\n", left);
    }
    out->failed |= !cell || !text;
    mem_free(cell);
    mem_free(text);
}

/* --- summary -----------------------------------------------------------------------------------
 */

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
    }
}

void sweep_print_summary(struct text *out, const struct plan *p, const struct summary *s, bool all)
{
    text_add_shown(out,
                   "%s: %" PRIu64 " runs done, %" PRIu64 " failed, %" PRIu64 " left (%" PRIu32
                   " points x %" PRIu32 " programs, engine %s)\n",
                   p->file, s->done, s->failed, s->left, s->points, p->n_workloads, plan_engine(p));
    if (s->failed) text_add_shown(out, "  first failure: %s\n", s->first_failure);
    if (s->complete == 0)
        text_add(out, "  no point has all its programs done yet: there is nothing to rank\n");
    if (s->complete == 0) return;
    if (p->n_workloads > 1)
        text_add(out, "  metrics are geometric means over the %" PRIu32 " programs\n",
                 p->n_workloads);
    print_best(out, p, s);
    text_add(out, "\nPareto front");
    for (uint32_t k = 0; k < p->n_objectives; k++)
        text_add_shown(out, "%s %s %s", k ? "," : ":",
                       p->objective[k].goal == GOAL_MIN ? "least" : "most", p->objective[k].name);
    text_add(out, "\n");
    sweep_print_points(out, p, s, true, all ? UINT32_MAX : FRONT_ROWS);
}

/* --- check -------------------------------------------------------------------------------------
 */

static const char *workload_name(const struct plan *p, uint32_t w)
{
    const struct workload *load = &p->workload[w];
    return program_name(load->narrow ? load->narrow : load->wide);
}

static void check_row_text(struct text *out, const struct plan *p,
                           const struct accuracy_check_row *r)
{
    struct text at = {0};
    point_text(p, r->point, &at);
    text_add_shown(out, "  %-18s %6" PRIu32 " ", workload_name(p, r->workload), r->point);
    if (isnan(r->answer) || isnan(r->simulated))
        text_add_shown(out, "%12s %12s %8s", "failed", "-", "-");
    else
        text_add(out, "%12.0f %12.0f %+7.1f%%", r->answer, r->simulated,
                 100 * (r->answer / r->simulated - 1));
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
    text_add_shown(out, "  %-18s %6s %12s %12s %8s  %s\n", "program", "point", engine, "simulate",
                   "error", "machine");
    for (uint32_t i = 0; i < c->n; i++)
        check_row_text(out, p, &c->row[i]);
    text_add_shown(out, "\n  %-18s %9s %9s %9s %9s %8s %8s\n", "error", "mean", "median", "p90",
                   "worst", "tau", "pairs");
    for (uint32_t w = 0; w < p->n_workloads; w++)
        check_line(out, c, workload_name(p, w), w);
    if (p->n_workloads > 1) check_line(out, c, "all", UINT32_MAX);
    text_add(
        out,
        "  (tau: Kendall's, over pairs of points of one program whose simulated cycles differ by "
        "more than %.0f %%)\n",
        100 * RANK_NEAR);
    if (!isnan(coverage))
        text_add(out, "  the stated 95 %% interval holds %.0f %% of them\n", 100 * coverage);
    if (c->failed) text_add(out, "  %" PRIu32 " points failed and have no error\n", c->failed);
}

static void number(struct json *j, const char *key, double v)
{
    if (isnan(v)) return;
    json_number(json_key(j, key), v);
}

static void check_points_json(struct json *j, const struct plan *p, const struct accuracy_check *c)
{
    json_array(json_key(j, "points"));
    for (uint32_t i = 0; i < c->n; i++) {
        const struct accuracy_check_row *r = &c->row[i];
        json_object(j);
        json_integer(json_key(j, "point"), r->point);
        json_string(json_key(j, "program"), workload_name(p, r->workload));
        number(j, plan_engine(p), r->answer);
        number(j, "simulate", r->simulated);
        json_end(j);
    }
    json_end(j);
}

static void check_errors_json(struct json *j, const struct accuracy_check *c, const char *name,
                              uint32_t workload)
{
    struct error_summary e = accuracy_check_errors(c, workload);
    struct rank_correlation r = accuracy_check_rank(c, workload);
    json_object(json_key(j, name));
    number(j, "mean", e.mean);
    number(j, "median", e.median);
    number(j, "p90", e.p90);
    number(j, "worst", e.worst);
    number(j, "tau", rank_tau(&r));
    json_integer(json_key(j, "pairs"), (int64_t)(r.concordant + r.discordant + r.tied));
    json_end(j);
}

void sweep_print_check_json(struct text *out, const struct plan *p, const struct accuracy_check *c,
                            uint64_t seed)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    json_string(json_key(&j, "engine"), plan_engine(p));
    json_integer(json_key(&j, "seed"), (int64_t)seed);
    json_integer(json_key(&j, "failed"), c->failed);
    number(&j, "interval_95_holds", accuracy_check_coverage(c));
    check_points_json(&j, p, c);
    check_errors_json(&j, c, "all", UINT32_MAX);
    json_object(json_key(&j, "programs"));
    for (uint32_t w = 0; w < p->n_workloads; w++)
        check_errors_json(&j, c, workload_name(p, w), w);
    json_end(&j);
    json_end(&j);
}
