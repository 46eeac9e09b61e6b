/* residual_model.c - see residual_model.h. */
#include "calibration/residual_model.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "calibration/constants.h"
#include "calibration/residual_crossval.h"
#include "calibration/residual_features.h"
#include "estimator/constants.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const residual_use_name[RESIDUAL_USES] = {
    [RESIDUAL_PROCESS] = "process", [RESIDUAL_LEVEL] = "level", [RESIDUAL_NOTHING] = "none"};

/* --- fit --- */

static int32_t group_of(const struct residual *r, const struct digest *program)
{
    for (uint32_t i = 0; program && i < r->programs; i++)
        if (digest_equal(r->program[i].digest, *program)) return (int32_t)i;
    return GP_NO_GROUP;
}

void residual_kernel(struct gp_kernel *k, uint32_t columns)
{
    const uint32_t from = RESIDUAL_FEATURES, own = columns + 1; /* the estimate's column included */
    double wide = sqrt(columns > 1 ? columns : 1) / 2;
    *k = (struct gp_kernel){
        .terms = 5,
        .noise = RESIDUAL_NOISE,
        .amplitude_sd = 1,
        .length_sd = 1,
        .noise_sd = 1,
        .load_sd = 1,
        .term = {{GP_MATERN, 0, RESIDUAL_FEATURES, false, true, true, RESIDUAL_WEIGHT,
                  RESIDUAL_LENGTH},
                 {GP_MATERN, from, columns, false, true, false, RESIDUAL_COMMON, wide},
                 {GP_MATERN, from, own, true, true, false, RESIDUAL_WEIGHT, wide},
                 {GP_PLANE, from, own, true, true, false, RESIDUAL_COMMON, 0},
                 {GP_CONSTANT, from, 0, true, false, false, RESIDUAL_WEIGHT, 0}},
    };
    gp_kernel_start(k);
}

/* *found: number of points that contradict the others.  Each gets its leave-one-out error as
 * standard error (sd[]), so that it does not distort the fit around it. */
static bool check_left_out(struct residual *r, const struct residual_point *pts, double *left_out,
                           double *sd, uint32_t *found, struct error *e)
{
    uint32_t n = r->gp.n;
    struct gp_value *v = mem_new(n, sizeof(*v));
    *found = 0;
    bool ok = v ? gp_leave_one_out(&r->gp, v, e) : error_no_memory(e);
    for (uint32_t i = 0; ok && i < n; i++) {
        left_out[i] = r->gp.y[i] - v[i].mean;
        double doubt = sd[i] * sd[i] - pts[i].sd * pts[i].sd;
        double z = fabs(left_out[i]) / sqrt(v[i].sd * v[i].sd - doubt);
        if (z < CONTRADICTED || sd[i] >= fabs(left_out[i])) continue;
        sd[i] = fabs(left_out[i]);
        ++*found;
    }
    mem_free(v);
    return ok;
}

/* Judges points with their original standard errors, even where sd[] was raised since.
 * left_out[n]: of the fit to all points; points in no fold have only that. */
static bool judge_fit(struct residual *r, const struct residual_point *pts, const struct gp_data *d,
                      const struct gp_kernel *k, double *left_out, struct error *e)
{
    struct gp_value *v = mem_new(d->n, sizeof(*v));
    double *z = mem_new(d->n, sizeof(*z)), *process = mem_new(d->n, sizeof(*process));
    bool ok = v && z && process ? residual_fold(d, k, v, e) : error_no_memory(e);
    uint32_t n = 0;
    for (uint32_t i = 0; ok && i < d->n; i++)
        process[i] = v[i].sd > 0 ? v[i].mean : d->y[i] - left_out[i];
    ok = ok && residual_choose_use(r, pts, d, process, left_out, e);
    for (uint32_t i = 0; ok && i < d->n; i++) {
        double doubt = d->sd[i] * d->sd[i] - pts[i].sd * pts[i].sd;
        if (v[i].sd > 0 && r->program[d->group[i]].use == RESIDUAL_PROCESS)
            z[n++] = fabs(d->y[i] - v[i].mean) / sqrt(v[i].sd * v[i].sd - doubt);
    }
    if (ok) r->stretch = residual_stretch(z, n);
    mem_free(v);
    mem_free(z);
    mem_free(process);
    return ok;
}

static bool find_programs(struct residual *r, const struct residual_point *pts, uint32_t n,
                          int32_t *group, struct error *e)
{
    r->program = mem_new(n, sizeof(*r->program));
    if (!r->program) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++) {
        group[i] = group_of(r, &pts[i].program);
        if (group[i] != GP_NO_GROUP) continue;
        group[i] = (int32_t)r->programs;
        r->program[r->programs++] = (struct residual_program){.digest = pts[i].program, .own = NAN};
    }
    return true;
}

static void find_spread(struct residual_program *p, int32_t mine, const int32_t *group,
                        const struct residual_point *pts, uint32_t n)
{
    double count = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (group[i] != mine) continue;
        count++;
        sum += pts[i].estimate;
        squares += pts[i].estimate * pts[i].estimate;
    }
    p->middle = sum / count;
    p->spread = sqrt(fmax(squares / count - p->middle * p->middle, 0));
    if (p->spread < 1e-6) p->spread = 0; /* a spread of 0 except for rounding */
    for (uint32_t i = 0; i < n; i++)
        if (group[i] == mine && pts[i].own) {
            p->own = pts[i].estimate;
            p->own_error = pts[i].y;
        }
}

/* Learns the covariance again as long as further points turn out to contradict the others. */
static bool learn_kernel(struct residual *r, const struct residual_point *pts,
                         const struct gp_data *d, double *sd, double *left_out, struct error *e)
{
    struct gp_kernel *k = mem_new(1, sizeof(*k));
    bool ok = k || error_no_memory(e);
    uint32_t contradicted = 1;
    if (ok) residual_kernel(k, residual_columns(r));
    for (uint32_t round = 0; ok && round < LEARN_ROUNDS && contradicted; round++) {
        gp_fini(&r->gp);
        ok =
            gp_fit(&r->gp, d, k, true, e) && check_left_out(r, pts, left_out, sd, &contradicted, e);
    }
    ok = ok && judge_fit(r, pts, d, k, left_out, e);
    mem_free(k);
    return ok;
}

bool residual_fit(struct residual *r, const char *const *path, uint32_t paths,
                  const struct residual_point *pts, uint32_t n, double *left_out, struct error *e)
{
    *r = (struct residual){.stretch = 1};
    residual_find_axes(r, path, paths, pts, n);
    uint32_t width = residual_width(r);
    double *x = mem_new((size_t)n * width, sizeof(double)), *y = mem_new(n, sizeof(double)),
           *sd = mem_new(n, sizeof(double));
    int32_t *group = mem_new(n, sizeof(*group));
    bool ok = x && y && sd && group ? find_programs(r, pts, n, group, e) : error_no_memory(e);
    for (uint32_t p = 0; ok && p < r->programs; p++)
        find_spread(&r->program[p], (int32_t)p, group, pts, n);
    for (uint32_t i = 0; ok && i < n; i++) {
        residual_put_row(r, pts[i].machine, pts[i].feature, pts[i].estimate, group[i],
                         x + (size_t)i * width, NULL);
        y[i] = pts[i].y;
        sd[i] = pts[i].sd;
    }
    const struct gp_data d = {.n = n, .width = width, .x = x, .group = group, .y = y, .sd = sd};
    ok = ok && learn_kernel(r, pts, &d, sd, left_out, e);
    mem_free(x);
    mem_free(y);
    mem_free(sd);
    mem_free(group);
    return ok;
}

void residual_fini(struct residual *r)
{
    gp_fini(&r->gp);
    mem_free(r->program);
    *r = (struct residual){0};
}

/* --- prediction --- */

enum { COLUMNS_MAX = RESIDUAL_FEATURES + RESIDUAL_AXES_MAX * RESIDUAL_VALUES_MAX + 1 };
_Static_assert(2 * COLUMNS_MAX <= GP_LENGTHS_MAX, "a length for each column of two terms");

/* The process's value for a program that it knows. */
static bool ask_process(const struct residual *r, const double *x, int32_t group,
                        struct residual_value *v, struct error *e)
{
    struct gp_value g;
    if (!gp_predict(&r->gp, x, group, &g, e)) return false;
    v->mean = g.mean;
    v->sd = r->stretch * hypot(g.sd, r->gp.kernel.noise);
    return true;
}

bool residual_predict(const struct residual *r, const struct machine *m,
                      const struct digest *program, const double feature[RESIDUAL_FEATURES],
                      double estimate, struct residual_value *v, struct error *e)
{
    double x[COLUMNS_MAX];
    int32_t group = group_of(r, program);
    assert(residual_width(r) <= COLUMNS_MAX);
    *v = (struct residual_value){.use = RESIDUAL_NOTHING, .stranger = true, .own = NAN};
    residual_put_row(r, m, feature, estimate, group, x, &v->outside);
    if (group != GP_NO_GROUP) {
        const struct residual_program *p = &r->program[group];
        *v = (struct residual_value){.mean = p->level,
                                     .sd = p->level_sd,
                                     .use = p->use,
                                     .worse_order = p->worse_order,
                                     .own = p->own,
                                     .own_error = p->own_error,
                                     .outside = v->outside};
    }
    return v->use != RESIDUAL_PROCESS || ask_process(r, x, group, v, e);
}

bool residual_has_axis(const struct residual *r, const char *path)
{
    for (uint32_t i = 0; i < r->axes; i++)
        if (strcmp(r->axis[i].path, path) == 0) return true;
    return false;
}
