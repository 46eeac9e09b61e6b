/* sweeps_auto.c - the proof of engine auto: a design whose truth was simulated in full once.
 *
 *   bench_sweeps_auto [TRUTH.csv] [POINTS] [BUDGET] [SEED]
 *
 * BUDGET: points that auto may simulate (0: 3 %); SEED: another beginning of auto (1).
 *
 * The design is bench/sweeps_auto.cfg; TRUTH (bench/sweeps_auto.csv, made by scripts/auto-truth.sh)
 * has point,program,cycles of every point.  The truth lies in the store from the start; auto takes
 * from it what it would have simulated, and nothing else.  Some points are simulated again: if they
 * differ, the truth is of another model and the figures say nothing.
 *
 * Figures, of the estimates alone and of auto: Kendall's tau of cycles within each program; recall
 * of the best 5 % by the geometric mean of cycles; regret of the best point; regret of the Pareto
 * front: how much of the true front's hypervolume (logarithmic axes, 0 best, 1 worst of the design,
 * reference 1.1) the points on the predicted front lack; the share of points simulated, and of the
 * cycles of all runs. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/sort.h"
#include "calibration/rank_correlation.h"
#include "gpu/machine/machine.h"
#include "sweeps/auto/auto.h"
#include "sweeps/ranking/prediction.h"
#include "sweeps/run/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SWEEP "bench/sweeps_auto.cfg"
#define TRUTH "bench/sweeps_auto.csv"
#define TOP 0.05
#define REFERENCE 1.1
enum { OBJECTIVES = 3, SPOT_CHECKS = 3 };

struct bench {
    struct plan plan;
    struct store *store;
    uint32_t points, workloads;
    double *truth;          /* [workload * points + point] cycles */
    double *value;          /* [point * OBJECTIVES] true objectives */
    struct summary guessed; /* of the predictions looked at */
};

static int fail(const struct error *e)
{
    fprintf(stderr, "bench_sweeps_auto: %s\n", e->text);
    return 1;
}

/* --- the truth ---------------------------------------------------------------------------------
 */

static uint32_t workload_of(const struct plan *p, const char *name)
{
    for (uint32_t w = 0; w < p->n_workloads; w++)
        if (strcmp(plan_workload(p, w), name) == 0) return w;
    return UINT32_MAX;
}

/* The sweep file with its first so many points, in a temporary file: a line is a point. */
static bool load_plan(struct bench *b, uint32_t points, struct error *e)
{
    char path[] = "/tmp/bench-sweeps-auto-XXXXXX", *text = NULL;
    size_t n;
    struct errors all = {0};
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f || !file_read(SWEEP, &text, &n, e)) return false;
    char *at = strstr(text, "points     = (\n");
    at = at ? strchr(at, '\n') : NULL;
    for (uint32_t i = 0; i < points && at; i++)
        at = strchr(at + 1, '\n');
    if (at) fprintf(f, "%.*s\n);\n", (int)(at - text) - (at[-1] == ','), text);
    fclose(f);
    bool ok = plan_load(&b->plan, path, NULL, &all);
    if (!ok && all.n) *e = all.item[0];
    errors_fini(&all);
    unlink(path);
    mem_free(text);
    return ok;
}

static uint32_t count_points(const char *path)
{
    char line[128];
    unsigned point, most = 0, rows = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%u,", &point) == 1) {
            rows++;
            most = point + 1 > most ? point + 1 : most;
        }
    if (f) fclose(f);
    return rows ? most : 0;
}

static bool read_truth(struct bench *b, const char *path, struct error *e)
{
    char line[128], name[64];
    unsigned point;
    double cycles;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%u,%63[^,],%lf", &point, name, &cycles) != 3) continue;
        uint32_t w = workload_of(&b->plan, name);
        if (w != UINT32_MAX && point < b->points) b->truth[w * b->points + point] = cycles;
    }
    if (f) fclose(f);
    for (uint32_t i = 0; i < b->points * b->workloads; i++)
        if (!(b->truth[i] > 0)) return error_input(e, "%s: rows are missing", path);
    return true;
}

static bool put_truth(struct bench *b, uint32_t point, uint32_t workload, struct error *e)
{
    struct machine m;
    struct record *r = mem_new(1, sizeof *r);
    if (!r || !plan_machine(&b->plan, point, &m, e)) return false;
    struct provenance from = {.machine_name = m.name,
                              .machine_config = "",
                              .program_name = plan_workload(&b->plan, workload),
                              .program_spec = b->plan.workload[workload].spec};
    r->has[0] = true; /* key 0 is "cycles" */
    r->value[0] = b->truth[workload * b->points + point];
    const struct stored_run one = {.key =
                                       runner_key(&b->plan, point, &m, workload, ENGINE_SIMULATE),
                                   .from = from,
                                   .record = r};
    bool ok = store_put_all(b->store, &one, 1, e);
    mem_free(r);
    return ok;
}

static bool fill_store(struct bench *b, struct error *e)
{
    for (uint32_t i = 0; i < b->points; i++)
        for (uint32_t w = 0; w < b->workloads; w++)
            if (!put_truth(b, i, w, e)) return false;
    return true;
}

/* Is the truth what the cycle model says today? */
static bool still_true(struct bench *b, struct error *e)
{
    uint32_t point[SPOT_CHECKS];
    struct run_result ran;
    struct store *fresh = store_open(":memory:", true, e);
    struct record *r = mem_new(1, sizeof *r);
    for (uint32_t i = 0; i < SPOT_CHECKS; i++)
        point[i] = b->points * (2 * i + 1) / (2 * SPOT_CHECKS);
    struct run_request q = {.engine = ENGINE_SIMULATE, .point = point, .n_points = SPOT_CHECKS};
    bool ok = fresh && r && runner_run(&b->plan, fresh, &q, &ran, e);
    for (uint32_t i = 0; i < SPOT_CHECKS * b->workloads && ok; i++) {
        uint32_t at = point[i / b->workloads], w = i % b->workloads;
        ok = runner_get(&b->plan, fresh, at, w, ENGINE_SIMULATE, r, e) == STORED_DONE;
        if (ok && r->value[0] != b->truth[w * b->points + at])
            ok = error_input(e,
                             "point %u, %s takes %.0f cycles, not %.0f: the truth is of another "
                             "model; make it again",
                             at, plan_workload(&b->plan, w), r->value[0],
                             b->truth[w * b->points + at]);
    }
    store_close(fresh);
    mem_free(r);
    return ok;
}

/* --- figures -----------------------------------------------------------------------------------
 */

static double tau_of(const struct bench *b, const struct predictions *x, uint32_t w)
{
    struct rank_correlation rank = {0};
    double *guess = mem_new(b->points, sizeof *guess);
    if (!guess) return NAN;
    for (uint32_t i = 0; i < b->points; i++)
        guess[i] = prediction_at(x, i, w, 0)->value;
    rank_add(&rank, &b->truth[w * b->points], guess, b->points);
    mem_free(guess);
    return rank_tau(&rank);
}

/* The value of the n-th best by objective 0. */
static double threshold(const double *value, uint32_t points, uint32_t n)
{
    double *sorted = mem_new(points, sizeof *sorted);
    if (!sorted) return NAN;
    for (uint32_t i = 0; i < points; i++)
        sorted[i] = value[(size_t)i * OBJECTIVES];
    sort_doubles(sorted, points);
    double v = sorted[n - 1];
    mem_free(sorted);
    return v;
}

static double recall_of(const struct bench *b)
{
    uint32_t n = (uint32_t)ceil(TOP * b->points), found = 0, named = 0;
    double true_edge = threshold(b->value, b->points, n);
    double edge = threshold(b->guessed.value, b->points, n);
    for (uint32_t i = 0; i < b->points; i++) {
        if (b->guessed.value[(size_t)i * OBJECTIVES] > edge || named == n) continue;
        named++;
        found += b->value[(size_t)i * OBJECTIVES] <= true_edge;
    }
    return (double)found / n;
}

struct box {
    double x, y, z;
};

static int by_z(const void *a, const void *b)
{
    const struct box *p = a, *q = b;
    return (p->z > q->z) - (p->z < q->z);
}

/* Area between the points p[n] and the reference, all minimised. */
static double area_2d(const struct box *p, uint32_t n)
{
    double area = 0, height = REFERENCE, after = -1;
    for (;;) { /* step by step to the right: the lowest y among the points so far */
        double next = REFERENCE;
        for (uint32_t i = 0; i < n; i++)
            if (p[i].x > after && p[i].x < next) next = p[i].x;
        if (after >= 0) area += (next - after) * (REFERENCE - height);
        if (next >= REFERENCE) return area;
        after = next;
        for (uint32_t i = 0; i < n; i++)
            if (p[i].x <= after) height = fmin(height, p[i].y);
    }
}

static double hypervolume(struct box *p, uint32_t n)
{
    double volume = 0;
    qsort(p, n, sizeof *p, by_z);
    for (uint32_t i = 0; i < n; i++) {
        double top = i + 1 < n ? p[i + 1].z : REFERENCE;
        if (top > p[i].z) volume += (top - p[i].z) * area_2d(p, i + 1);
    }
    return volume;
}

/* An objective's place between the best and the worst of the design, on a logarithmic axis. */
static double place(const struct bench *b, uint32_t point, uint32_t k)
{
    double lo = INFINITY, hi = 0;
    for (uint32_t i = 0; i < b->points; i++) {
        lo = fmin(lo, b->value[(size_t)i * OBJECTIVES + k]);
        hi = fmax(hi, b->value[(size_t)i * OBJECTIVES + k]);
    }
    return log(b->value[(size_t)point * OBJECTIVES + k] / lo) / log(hi / lo);
}

static double volume_of(const struct bench *b, const bool *front)
{
    uint32_t n = 0;
    struct box *box = mem_new(b->points, sizeof *box);
    if (!box) return NAN;
    for (uint32_t i = 0; i < b->points; i++)
        if (front[i])
            box[n++] = (struct box){.x = place(b, i, 0), .y = place(b, i, 1), .z = place(b, i, 2)};
    double volume = hypervolume(box, n);
    mem_free(box);
    return volume;
}

static void report(struct bench *b, const char *who, const struct predictions *x,
                   const struct summary *truth)
{
    struct error e;
    if (!predictions_rank(x, &b->guessed, &e)) return;
    double best = b->value[(size_t)truth->best[0] * OBJECTIVES];
    printf("%-10s tau", who);
    for (uint32_t w = 0; w < b->workloads; w++)
        printf(" %s %.3f", plan_workload(&b->plan, w), tau_of(b, x, w));
    printf("; recall of the best %.0f %%: %.1f %%; regret of the best point %.2f %%; of the front "
           "%.2f %%\n",
           100 * TOP, 100 * recall_of(b),
           100 * (b->value[(size_t)b->guessed.best[0] * OBJECTIVES] / best - 1),
           100 * (1 - volume_of(b, b->guessed.front) / volume_of(b, truth->front)));
}

/* Errors and coverage of the points that were not simulated. */
static void report_errors(const struct bench *b, const struct predictions *x)
{
    uint32_t n = 0, inside = 0;
    double spent = 0, all = 0;
    double *error = mem_new((size_t)b->points * b->workloads, sizeof *error);
    for (uint32_t i = 0; i < b->points && error; i++) {
        for (uint32_t w = 0; w < b->workloads; w++) {
            const struct prediction *c = prediction_at(x, i, w, 0);
            double cycles = b->truth[w * b->points + i], off = c->value / cycles;
            all += cycles;
            if (c->source == SOURCE_SIMULATE) spent += cycles;
            if (c->source == SOURCE_SIMULATE) continue;
            inside += fabs(log(off)) <= 1.645 * c->log_sd;
            error[n++] = fabs(off - 1);
        }
    }
    struct error_summary s = error_summarise(error, error ? n : 0);
    printf(
        "auto       %u runs not simulated: error mean %.1f %%, median %.1f %%, p90 %.1f %%, worst "
        "%.1f %%; 90 %% interval holds %.1f %%; simulated %.2f %% of all cycles\n",
        n, 100 * s.mean, 100 * s.median, 100 * s.p90, 100 * s.worst, 100.0 * inside / n,
        100 * spent / all);
    mem_free(error);
}

/* --- the bench ---------------------------------------------------------------------------------
 */

static bool true_summary(struct bench *b, struct predictions *truth, struct summary *s,
                         struct error *e)
{
    if (!predictions_new(truth, &b->plan, e) || !summary_new(s, &b->plan, e)) return false;
    for (uint32_t i = 0; i < b->points; i++)
        for (uint32_t w = 0; w < b->workloads; w++)
            for (uint32_t k = 0; k < 2; k++) /* cycles, and objective 0, which is cycles */
                *prediction_at(truth, i, w, k) = (struct prediction){
                    .value = b->truth[w * b->points + i], .source = SOURCE_SIMULATE};
    bool ok = predictions_rank(truth, s, e);
    b->value = s->value;
    return ok;
}

static bool estimates(struct bench *b, struct predictions *x, struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    bool ok = r && predictions_new(x, &b->plan, e);
    for (uint32_t i = 0; i < b->points * b->workloads && ok; i++) {
        uint32_t at = i / b->workloads, w = i % b->workloads;
        ok = runner_get(&b->plan, b->store, at, w, ENGINE_ESTIMATE, r, e) == STORED_DONE;
        for (uint32_t k = 0; k < 2; k++)
            *prediction_at(x, at, w, k) =
                (struct prediction){.value = r->value[0], .source = SOURCE_ESTIMATE};
    }
    mem_free(r);
    return ok;
}

static void say(const char *line, void *ctx)
{
    (void)ctx;
    printf("           %s\n", line);
}

static bool compare(struct bench *b, struct error *e)
{
    struct auto_result r;
    struct auto_request q = {.say = say};
    struct predictions truth, alone, told;
    struct summary best;
    uint64_t found;
    if (!auto_run(&b->plan, b->store, &q, &r, e) || !true_summary(b, &truth, &best, e) ||
        !estimates(b, &alone, e) || !predictions_new(&told, &b->plan, e) ||
        !predictions_load(&told, b->store, &found, e) || !summary_new(&b->guessed, &b->plan, e))
        return false;
    uint32_t front = 0;
    for (uint32_t i = 0; i < b->points; i++)
        front += best.front[i];
    printf("design     %u points x %u programs; true front %u points\n", b->points, b->workloads,
           front);
    report(b, "estimates", &alone, &best);
    report(b, "auto", &told, &best);
    report_errors(b, &told);
    printf("auto       simulated %.1f %% of the points in %u rounds; %u of %u front points "
           "simulated; stated error %.1f %%\n",
           100.0 * r.simulated / b->points, r.rounds, r.confirmed, r.front, 100 * r.left_out);
    predictions_free(&truth);
    predictions_free(&alone);
    predictions_free(&told);
    summary_fini(&best);
    summary_fini(&b->guessed);
    return true;
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    struct error e = {.text = "out of memory, or a file is missing"};
    const char *path = argc > 1 ? argv[1] : TRUTH;
    uint32_t points = count_points(path);
    if (argc > 2 && (uint32_t)atoi(argv[2]) < points) points = (uint32_t)atoi(argv[2]);
    if (points == 0) {
        printf("%s has no truth; scripts/auto-truth.sh makes it\n", path);
        return 0;
    }
    if (!load_plan(&b, points, &e)) return fail(&e);
    if (argc > 3) b.plan.aim.points = (uint32_t)atoi(argv[3]);
    if (argc > 4) b.plan.opts.seed = (uint64_t)atoi(argv[4]);
    b.points = plan_points(&b.plan);
    b.workloads = b.plan.n_workloads;
    b.truth = mem_new((size_t)b.points * b.workloads, sizeof *b.truth);
    bool ok = b.truth && read_truth(&b, path, &e) && still_true(&b, &e) &&
              (b.store = store_open(":memory:", true, &e)) && fill_store(&b, &e) && compare(&b, &e);
    store_close(b.store);
    mem_free(b.truth);
    plan_fini(&b.plan);
    return ok ? 0 : fail(&e);
}
