/* extrapolate.c - see extrapolate.h. */
#include "sampler/extrapolate.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

const char *const control_name[CONTROL_N] = {
    [CONTROL_NONE] = "none",         [CONTROL_INSTRUCTIONS] = "instructions",
    [CONTROL_ESTIMATE] = "estimate", [CONTROL_PASS] = "pass",
    [CONTROL_ACCESSES] = "accesses", [CONTROL_BOTH] = "pass and accesses"};

/* Of a unit by itself; accesses are known of those that were run, and of the program. */
static double control_of(const struct unit *u, enum control c)
{
    if (c == CONTROL_PASS) return u->pass;
    if (c == CONTROL_ACCESSES) return 0;
    return c == CONTROL_ESTIMATE ? u->x : (double)u->length;
}

double extrapolation_accesses(const struct metrics *m)
{
    return m->v[M_l1_accesses] + m->v[M_l1_joined];
}

static double control_seen(const struct window_run *r, enum control c)
{
    return c == CONTROL_ACCESSES ? extrapolation_accesses(&r->m) : control_of(r->unit, c);
}

static void use_one(struct extrapolation *x, enum control c)
{
    x->control = c;
    x->slope_of_accesses = c == CONTROL_ACCESSES;
    x->s.x = c == CONTROL_NONE ? NULL : x->x;
    for (uint32_t h = 0; h < x->p->strata; h++)
        x->size[h] = (struct stratum_size){0};
    for (uint32_t i = 0; i < x->p->units; i++) {
        struct stratum_size *size = &x->size[x->p->unit[i].stratum];
        size->units++;
        size->x_total += control_of(&x->p->unit[i], c);
    }
    if (c == CONTROL_ACCESSES) x->size[0].x_total = x->p->accesses.total;
    for (uint32_t i = 0; i < x->n; i++)
        x->x[i] = control_seen(&x->run[i], c);
}

/* Within strata: of y on the pass's clock and on accesses, each with the other held; false: they
 * go together, or one does not vary. */
static bool two_slopes(struct extrapolation *x, double *pass, double *accesses)
{
    double y_on_pass, accesses_on_pass, y_on_accesses, pass_on_accesses = 0;
    use_one(x, CONTROL_ACCESSES);
    memcpy(x->other, x->x, x->n * sizeof *x->x);
    use_one(x, CONTROL_PASS);
    if (!stratified_slope(&x->s, x->y, &y_on_pass) ||
        !stratified_slope(&x->s, x->other, &accesses_on_pass))
        return false;
    double *kept = x->x;
    x->s.x = x->other;
    bool ok = stratified_slope(&x->s, x->y, &y_on_accesses) &&
              stratified_slope(&x->s, kept, &pass_on_accesses);
    x->s.x = kept;
    double left = 1 - accesses_on_pass * pass_on_accesses;
    if (!ok || left < 0.01) return false;
    *pass = (y_on_pass - accesses_on_pass * y_on_accesses) / left;
    *accesses = (y_on_accesses - pass_on_accesses * y_on_pass) / left;
    return true;
}

/* One variate made of two, as the regression of cycles on both has it; a constant makes it as large
 * as the cycles.  false: it cannot be made. */
static bool use_both(struct extrapolation *x)
{
    double pass, accesses, left = 0;
    if (!two_slopes(x, &pass, &accesses)) return false;
    for (uint32_t i = 0; i < x->n; i++) {
        x->x[i] = pass * x->x[i] + accesses * x->other[i];
        left += (x->y[i] - x->x[i]) / x->n;
    }
    for (uint32_t i = 0; i < x->n; i++)
        x->x[i] += left;
    for (uint32_t h = 0; h < x->p->strata; h++)
        x->size[h].x_total = pass * x->size[h].x_total + left * x->size[h].units;
    x->size[0].x_total += accesses * x->p->accesses.total;
    x->slope_of_accesses = accesses;
    x->control = CONTROL_BOTH;
    return true;
}

static bool use_control(struct extrapolation *x, enum control c)
{
    if (c == CONTROL_BOTH) return use_both(x);
    use_one(x, c);
    return true;
}

static double weighted(const struct extrapolation *x, const double *y)
{
    double t = 0;
    for (uint32_t i = 0; i < x->n; i++)
        t += x->w[i] * y[i];
    return t;
}

/* A control variate may not turn a unit's weight negative: counts would follow. */
static bool weights_are_positive(const struct extrapolation *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (!(x->w[i] > 0)) return false;
    return true;
}

static void load_metric(struct extrapolation *x, enum metric id)
{
    for (uint32_t i = 0; i < x->n; i++)
        x->y[i] = x->run[i].m.v[id];
}

/* What windows do too much or too little of may be more than they differ by among themselves. */
static bool weigh(struct extrapolation *x, enum control c)
{
    if (!use_control(x, c)) return false;
    bool used = stratified_weights(&x->s, x->w);
    if (used != (c != CONTROL_NONE)) return false;
    if (weights_are_positive(x)) return true;
    return c >= CONTROL_ACCESSES && stratified_rake(&x->s, x->w) && weights_are_positive(x);
}

/* The accesses are known of all strata together. */
static bool may_use(const struct extrapolation *x, enum control c)
{
    if ((c == CONTROL_PASS || c == CONTROL_BOTH) && !x->p->timed) return false;
    if (c < CONTROL_ACCESSES) return true;
    for (uint32_t h = 0; h < x->p->strata; h++) {
        uint32_t i = 0;
        while (i < x->n && x->of[i] != h)
            i++;
        if (i == x->n) return false;
    }
    return x->p->accesses.total > 0;
}

/* The control variate's own total may be an estimate. */
static struct spread spread_with_control(const struct extrapolation *x)
{
    double slope = 0;
    struct spread v = stratified_spread(&x->s, x->y, x->s.x != NULL);
    if (x->control == CONTROL_BOTH && v.df > 2) { /* two slopes were fitted */
        v.variance *= v.df / (v.df - 1);
        v.df -= 1;
    }
    if (x->slope_of_accesses != 0 && stratified_slope(&x->s, x->y, &slope)) {
        slope *= x->slope_of_accesses;
        v.variance += slope * slope * x->p->accesses.variance;
    }
    return v;
}

static double placing_with(const struct extrapolation *x, enum control c)
{
    return c >= CONTROL_ACCESSES ? x->doubt.work : x->doubt.cycles;
}

/* Relative half width with that control variate; infinite where it cannot serve. */
static double half_width_with(struct extrapolation *x, enum control c)
{
    if (!may_use(x, c)) return INFINITY;
    if (!weigh(x, c)) return INFINITY;
    struct spread v = spread_with_control(x);
    double cycles = weighted(x, x->y);
    double sampling = cycles > 0 ? spread_half_width(&v, x->confidence) / cycles : 0;
    return hypot(sampling, placing_with(x, c));
}

/* Observations beyond the strata's means, where not all units were run. */
static uint32_t free_observations(const struct extrapolation *x)
{
    uint32_t n = x->n;
    for (uint32_t h = 0; h < x->p->strata; h++) {
        uint32_t run = 0;
        for (uint32_t i = 0; i < x->n; i++)
            run += x->of[i] == h;
        n -= run == x->size[h].units ? run : run > 0;
    }
    return n;
}

/* A control variate must earn its place: chance alone makes the best of five look better than it
 * is, and a slope through few points fits them whatever they are. */
static void choose_control(struct extrapolation *x, bool plain)
{
    enum { FREE_MIN = 5 };
    static const double handicap = 1.1;
    enum control best = CONTROL_NONE;
    double least = half_width_with(x, CONTROL_NONE);
    x->free = free_observations(x);
    uint32_t controls = !plain && x->free >= FREE_MIN ? CONTROL_N : 0;
    for (enum control c = CONTROL_INSTRUCTIONS; c < controls; c++) {
        double half = handicap * half_width_with(x, c);
        if (half >= least) continue;
        best = c;
        least = half;
    }
    weigh(x, best);
    x->placing = placing_with(x, best);
}

/* What no unit was run of takes as long, for what was seen, as the estimates say. */
static void cover_unseen(struct extrapolation *x)
{
    double all = 0, seen = 0;
    for (uint32_t h = 0; h < x->p->strata; h++)
        x->covered[h] = 0;
    for (uint32_t i = 0; i < x->n; i++)
        x->covered[x->of[i]] = 1;
    for (uint32_t i = 0; i < x->p->units; i++) {
        const struct unit *u = &x->p->unit[i];
        all += u->x;
        if (x->covered[u->stratum] > 0) seen += u->x;
    }
    x->grown = seen > 0 ? all / seen : 1;
    x->unseen = 1 - 1 / x->grown;
    for (uint32_t i = 0; i < x->n; i++)
        x->w[i] *= x->grown;
}

/* Mean cycles of a stratum's units and the sum of squares about it, per unit of control if there is
 * one. */
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
    enum { PRIOR = 2 }; /* degrees of freedom that the common deviation counts */
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
        sd[h] = s.n ? sqrt((s.square + PRIOR * prior) / (s.n - 1 + PRIOR)) : 0;
    }
}

/* Two or three units of a stratum may be alike by chance; to stop there would be to believe just
 * the samples that were.  So the spread of cycles is at least what the strata's relative deviations
 * together make of it. */
static bool widen(struct extrapolation *x, struct error *e)
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
    double own = spread_with_control(x).variance;
    x->widened = own > 0 ? fmax(1, pooled / own) : 1;
    return true;
}

static struct spread spread_of_y(const struct extrapolation *x)
{
    struct spread v = spread_with_control(x);
    v.variance *= x->grown * x->grown * x->widened;
    return v;
}

static double half_width_of_y(const struct extrapolation *x)
{
    struct spread v = spread_of_y(x);
    return spread_half_width(&v, x->confidence);
}

static bool allocate(struct extrapolation *x)
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
    x->cycles = weighted(x, x->y);
    x->spread = spread_of_y(x);
    x->half_width = x->cycles > 0 ? spread_half_width(&x->spread, x->confidence) / x->cycles : 0;
}

bool extrapolate(struct extrapolation *x, const struct population *p, const struct window_run *run,
                 uint32_t n, double confidence, struct doubt doubt, bool plain, struct error *e)
{
    *x = (struct extrapolation){
        .p = p, .run = run, .n = n, .confidence = confidence, .doubt = doubt};
    if (!allocate(x)) {
        extrapolation_fini(x);
        return error_no_memory(e);
    }
    for (uint32_t i = 0; i < n; i++)
        x->of[i] = run[i].unit->stratum;
    x->s = (struct stratified){.stratum = x->size, .strata = p->strata, .of = x->of, .n = n};
    load_metric(x, M_cycles);
    choose_control(x, plain);
    cover_unseen(x);
    if (widen(x, e)) {
        measure_cycles(x);
        return true;
    }
    extrapolation_fini(x);
    return false;
}

bool extrapolation_other(struct extrapolation *x, const struct window_run *run, struct error *e)
{
    x->run = run;
    load_metric(x, M_cycles);
    if (!widen(x, e)) return false;
    measure_cycles(x);
    return true;
}

double extrapolation_ratio(struct extrapolation *x, const struct window_run *other,
                           double *half_width)
{
    double total = 0, widened = x->widened;
    for (uint32_t i = 0; i < x->n; i++)
        total += x->w[i] * other[i].m.v[M_cycles];
    double ratio = total / x->cycles;
    for (uint32_t i = 0; i < x->n; i++)
        x->y[i] = (other[i].m.v[M_cycles] - ratio * x->run[i].m.v[M_cycles]) / x->cycles;
    x->widened = 1; /* was found for cycles */
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
    if (id == M_warp_instructions) return 0; /* known */
    load_metric(x, id);
    return half_width_of_y(x);
}

/* y - ratio x denominator, per unit; a known total does not vary. */
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

void extrapolation_metrics(struct extrapolation *x, struct answer *a)
{
    for (uint32_t i = 0; i < x->n; i++)
        metrics_accumulate(&a->m, &x->run[i].m, x->w[i]);
    metrics_set(&a->m, M_warp_instructions, (double)x->p->instructions);
    metrics_finish(&a->m);
    set_half_widths(x, a);
    a->half_width = hypot(x->half_width, x->placing);
    a->intervals = x->n;
}

/* A unit that was run stands for the launch's share of its stratum's estimated cycles. */
void extrapolation_launch(struct extrapolation *x, uint32_t launch, struct metrics *m)
{
    uint64_t instructions = 0;
    for (uint32_t h = 0; h < x->p->strata; h++)
        x->share[h] = x->covered[h] = 0;
    for (uint32_t i = 0; i < x->p->units; i++) {
        const struct unit *u = &x->p->unit[i];
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
