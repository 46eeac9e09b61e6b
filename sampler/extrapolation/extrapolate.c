/* extrapolate.c - see extrapolate.h. */
#include "sampler/extrapolation/extrapolate.h"

#include "base/memory/alloc.h"
#include "sampler/constants.h"
#include "sampler/extrapolation/control_variate.h"

#include <math.h>

static void load_metric(struct extrapolation *x, enum metric id)
{
    for (uint32_t i = 0; i < x->n; i++)
        x->y[i] = x->run[i].m.v[id];
}

/* The unobserved part takes as long, relative to the observed part, as the estimates say. */
static void cover_unseen(struct extrapolation *x)
{
    double all = 0, seen = 0;
    for (uint32_t h = 0; h < x->p->strata; h++)
        x->covered[h] = 0;
    for (uint32_t i = 0; i < x->n; i++)
        x->covered[x->of[i]] = 1;
    for (uint32_t i = 0; i < x->p->units; i++) {
        const struct sample_unit *u = &x->p->unit[i];
        all += u->x;
        if (x->covered[u->stratum] > 0) seen += u->x;
    }
    x->grown = seen > 0 ? all / seen : 1;
    x->unseen = 1 - 1 / x->grown;
    for (uint32_t i = 0; i < x->n; i++)
        x->w[i] *= x->grown;
}

/* The mean cycles of a stratum's units and the sum of squares about it, per unit of the control
 * variate if there is one. */
struct scatter {
    double mean, square;
    uint32_t n;
};

static struct scatter scatter_of(const struct extrapolation *x, uint32_t h)
{
    struct scatter s = {0};
    double rate = 0, control = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->of[i] != h) continue;
        s.n++;
        s.mean += x->run[i].m.v[M_cycles];
        control += x->s.x ? x->x[i] : 1;
    }
    if (s.n == 0) return s;
    rate = control > 0 ? s.mean / control : 0;
    s.mean /= s.n;
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->of[i] != h) continue;
        double d = x->run[i].m.v[M_cycles] - rate * (x->s.x ? x->x[i] : 1);
        s.square += d * d;
    }
    return s;
}

void extrapolation_sd(const struct extrapolation *x, double *sd)
{
    double relative = 0, df = 0;
    for (uint32_t h = 0; h < x->p->strata; h++) {
        struct scatter s = scatter_of(x, h);
        if (s.n < 2 || !(s.mean > 0)) continue;
        relative += s.square / (s.mean * s.mean);
        df += s.n - 1;
    }
    double common = df > 0 ? relative / df : 0;
    for (uint32_t h = 0; h < x->p->strata; h++) {
        struct scatter s = scatter_of(x, h);
        double prior = common * s.mean * s.mean;
        sd[h] = s.n ? sqrt((s.square + SPREAD_PRIOR * prior) / (s.n - 1 + SPREAD_PRIOR)) : 0;
    }
}

/* Two or three units of a stratum may agree by chance, and stopping there would favour such
 * samples.  So the spread of cycles is at least what the common relative deviation of all strata
 * implies. */
static bool widen_by_error(struct extrapolation *x, struct error *e)
{
    double *sd = mem_new(x->p->strata, sizeof(*sd)), pooled = 0;
    if (!sd) return error_no_memory(e);
    extrapolation_sd(x, sd);
    for (uint32_t h = 0; h < x->p->strata; h++) {
        double units = x->size[h].units, n = 0;
        for (uint32_t i = 0; i < x->n; i++)
            n += x->of[i] == h;
        if (n > 0) pooled += units * (units - n) / n * sd[h] * sd[h];
    }
    mem_free(sd);
    double own = control_spread(x).variance;
    x->widened = own > 0 ? fmax(1, pooled / own) : 1;
    return true;
}

static struct spread spread_of_y(const struct extrapolation *x)
{
    struct spread v = control_spread(x);
    v.variance *= x->grown * x->grown * x->widened;
    return v;
}

static double half_width_of_y(const struct extrapolation *x)
{
    struct spread v = spread_of_y(x);
    return spread_half_width(&v, x->confidence);
}

static bool allocate_arrays(struct extrapolation *x)
{
    x->size = mem_new(x->p->strata, sizeof(*x->size));
    x->of = mem_new(x->n, sizeof(*x->of));
    x->x = mem_new(x->n, sizeof(*x->x));
    x->y = mem_new(x->n, sizeof(*x->y));
    x->other = mem_new(x->n, sizeof(*x->other));
    x->w = mem_new(x->n, sizeof(*x->w));
    x->share = mem_new(x->p->strata, sizeof(*x->share));
    x->covered = mem_new(x->p->strata, sizeof(*x->covered));
    return x->size && x->of && x->x && x->y && x->other && x->w && x->share && x->covered;
}

static void measure_cycles(struct extrapolation *x)
{
    x->cycles = control_weighted(x, x->y);
    x->spread = spread_of_y(x);
    x->half_width = x->cycles > 0 ? spread_half_width(&x->spread, x->confidence) / x->cycles : 0;
}

bool extrapolate(struct extrapolation *x, const struct population *p,
                 const struct interval_run *run, uint32_t n, double confidence,
                 struct systematic_error doubt, bool plain, struct error *e)
{
    *x = (struct extrapolation){
        .p = p, .run = run, .n = n, .confidence = confidence, .doubt = doubt};
    if (!allocate_arrays(x)) {
        extrapolation_fini(x);
        return error_no_memory(e);
    }
    for (uint32_t i = 0; i < n; i++)
        x->of[i] = run[i].unit->stratum;
    x->s = (struct stratified){.stratum = x->size, .strata = p->strata, .of = x->of, .n = n};
    load_metric(x, M_cycles);
    control_choose(x, plain);
    cover_unseen(x);
    if (widen_by_error(x, e)) {
        measure_cycles(x);
        return true;
    }
    extrapolation_fini(x);
    return false;
}

bool extrapolation_other(struct extrapolation *x, const struct interval_run *run, struct error *e)
{
    x->run = run;
    load_metric(x, M_cycles);
    if (!widen_by_error(x, e)) return false;
    measure_cycles(x);
    return true;
}

double extrapolation_ratio(struct extrapolation *x, const struct interval_run *other,
                           double *half_width)
{
    double total = 0, widened = x->widened;
    for (uint32_t i = 0; i < x->n; i++)
        total += x->w[i] * other[i].m.v[M_cycles];
    double ratio = total / x->cycles;
    for (uint32_t i = 0; i < x->n; i++)
        x->y[i] = (other[i].m.v[M_cycles] - ratio * x->run[i].m.v[M_cycles]) / x->cycles;
    x->widened = 1; /* the factor was found for cycles, not for a ratio */
    *half_width = half_width_of_y(x);
    x->widened = widened;
    return ratio;
}

void extrapolation_fini(struct extrapolation *x)
{
    mem_free(x->size);
    mem_free(x->of);
    mem_free(x->x);
    mem_free(x->y);
    mem_free(x->other);
    mem_free(x->w);
    mem_free(x->share);
    mem_free(x->covered);
    *x = (struct extrapolation){0};
}

static double count_half_width(struct extrapolation *x, enum metric id)
{
    if (id == M_warp_instructions) return 0; /* its total is known */
    load_metric(x, id);
    return half_width_of_y(x);
}

/* The spread of y - ratio x denominator, per unit of the denominator; a known total has no
 * variance. */
static double ratio_half_width(struct extrapolation *x, const struct metric_info *info,
                               const struct metrics *m)
{
    double num = m->v[info->num], den = m->v[info->den];
    for (uint32_t i = 0; i < x->n; i++) {
        const double *v = x->run[i].m.v;
        double top = info->num == M_warp_instructions ? 0 : v[info->num];
        double bottom = info->den == M_warp_instructions ? 0 : v[info->den];
        x->y[i] = info->factor * (top - num / den * bottom) / den;
    }
    return half_width_of_y(x);
}

static void set_half_widths(struct extrapolation *x, struct answer *a)
{
    for (uint32_t id = 0; id < METRIC_N; id++) {
        const struct metric_info *info = &metric_info[id];
        a->half_widths.has[id] = a->m.has[id];
        if (!a->m.has[id]) continue;
        double sampling =
            info->ratio ? ratio_half_width(x, info, &a->m) : count_half_width(x, (enum metric)id);
        a->half_widths.v[id] =
            hypot(sampling, id == M_warp_instructions ? 0 : x->placing * a->m.v[id]);
    }
}

double extrapolation_doubt(const struct extrapolation *x)
{
    return x->control >= CONTROL_ACCESSES ? x->doubt.work : x->doubt.cycles;
}

static struct answer_parts parts_of(const struct extrapolation *x)
{
    double doubt = extrapolation_doubt(x);
    bool warming = doubt > x->doubt.placing;
    return (struct answer_parts){.sampling = x->half_width,
                                 .placing = warming ? 0 : doubt,
                                 .warming = warming ? doubt : 0,
                                 .drain = x->drained,
                                 .accesses = x->missed,
                                 .phases = x->unmet};
}

void extrapolation_metrics(struct extrapolation *x, struct answer *a)
{
    for (uint32_t i = 0; i < x->n; i++)
        metrics_accumulate(&a->m, &x->run[i].m, x->w[i]);
    metrics_set(&a->m, M_warp_instructions, (double)x->p->instructions);
    metrics_finish(&a->m);
    set_half_widths(x, a);
    a->half_width = hypot(x->half_width, x->placing);
    a->parts = parts_of(x);
    a->intervals = x->n;
}

/* The units run there represent the launch's share of its stratum's estimated cycles. */
void extrapolation_launch(struct extrapolation *x, uint32_t launch, struct metrics *m)
{
    uint64_t instructions = 0;
    for (uint32_t h = 0; h < x->p->strata; h++)
        x->share[h] = x->covered[h] = 0;
    for (uint32_t i = 0; i < x->p->units; i++) {
        const struct sample_unit *u = &x->p->unit[i];
        if (u->launch != launch) continue;
        x->share[u->stratum] += u->x;
        instructions += u->length;
    }
    for (uint32_t i = 0; i < x->n; i++)
        x->covered[x->of[i]] += x->run[i].unit->x;
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t h = x->of[i];
        if (x->share[h] > 0) metrics_accumulate(m, &x->run[i].m, x->share[h] / x->covered[h]);
    }
    metrics_set(m, M_warp_instructions, (double)instructions);
    metrics_finish(m);
}
