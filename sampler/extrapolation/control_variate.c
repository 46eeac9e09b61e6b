/* control_variate.c - see control_variate.h. */
#include "sampler/extrapolation/control_variate.h"

#include "sampler/constants.h"

#include <math.h>
#include <string.h>

const char *const control_name[CONTROL_N] = {
    [CONTROL_NONE] = "none",         [CONTROL_INSTRUCTIONS] = "instructions",
    [CONTROL_ESTIMATE] = "estimate", [CONTROL_PASS] = "pass",
    [CONTROL_ACCESSES] = "accesses", [CONTROL_BOTH] = "pass and accesses"};

/* The control variate of a unit by itself; accesses are known only for units that were run, and for
 * the program. */
static double control_of(const struct sample_unit *u, enum control c)
{
    if (c == CONTROL_PASS) return u->pass;
    if (c == CONTROL_ACCESSES) return 0;
    return c == CONTROL_ESTIMATE ? u->x : (double)u->length;
}

double extrapolate_accesses(const struct metrics *m)
{
    return m->v[M_l1_accesses] + m->v[M_l1_joined];
}

static double control_seen(const struct interval_run *r, enum control c)
{
    return c == CONTROL_ACCESSES ? extrapolate_accesses(&r->m) : control_of(r->unit, c);
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

/* Fits, within strata, the slopes of y on both the pass's clock and accesses; false: the two are
 * collinear, or one does not vary. */
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
    if (!ok || left < SLOPES_APART) return false;
    *pass = (y_on_pass - accesses_on_pass * y_on_accesses) / left;
    *accesses = (y_on_accesses - pass_on_accesses * y_on_pass) / left;
    return true;
}

/* Combines two variates into one by regressing cycles on both; a constant factor scales it to the
 * cycles. false: it cannot be made. */
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

double control_weighted(const struct extrapolation *x, const double *y)
{
    double t = 0;
    for (uint32_t i = 0; i < x->n; i++)
        t += x->w[i] * y[i];
    return t;
}

/* A control variate must not make a unit's weight negative: counts could become negative, too. */
static bool weights_are_positive(const struct extrapolation *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (!(x->w[i] > 0)) return false;
    return true;
}

/* Windows may all have too much or too little of the variate, by more than they differ among
 * themselves. */
static bool weigh_runs(struct extrapolation *x, enum control c)
{
    if (!use_control(x, c)) return false;
    bool used = stratified_weights(&x->s, x->w);
    if (used != (c != CONTROL_NONE)) return false;
    if (weights_are_positive(x)) return true;
    return c >= CONTROL_ACCESSES && stratified_rake(&x->s, x->w) && weights_are_positive(x);
}

/* Accesses have a known total only for all strata together. */
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
struct spread control_spread(const struct extrapolation *x)
{
    double slope = 0;
    struct spread v = stratified_spread(&x->s, x->y, x->s.x != NULL);
    if (x->control == CONTROL_BOTH && v.df > 2) { /* because two slopes were fitted */
        v.variance *= v.df / (v.df - 1);
        v.df -= 1;
    }
    if (x->slope_of_accesses != 0 && stratified_slope(&x->s, x->y, &slope)) {
        slope *= x->slope_of_accesses;
        v.variance += slope * slope * x->p->accesses.variance;
    }
    return v;
}

/* The cycles that an access costs, from the differences between windows of a stratum; 0:
 * unknown. */
static double cycles_of_an_access(struct extrapolation *x)
{
    double slope;
    if (!may_use(x, CONTROL_ACCESSES)) return 0;
    use_one(x, CONTROL_ACCESSES);
    return stratified_slope(&x->s, x->y, &slope) ? slope : 0;
}

/* If the weights miss the program's accesses, the cycles are wrong by the cost of those missed. */
static double missed_with(const struct extrapolation *x, enum control c, double access_cycles)
{
    if (c >= CONTROL_ACCESSES) return 0;
    double cycles = control_weighted(x, x->y), accesses = 0;
    for (uint32_t i = 0; i < x->n; i++)
        accesses += x->w[i] * extrapolate_accesses(&x->run[i].m);
    double missed = access_cycles * (x->p->accesses.total - accesses);
    return cycles > 0 ? fabs(missed) / cycles : 0;
}

/* The half width due to the random distribution of the last waves' CTAs.  A unit that contains only
 * part of a last wave counts in full, because few warps take most of its cycles. */
static double drained_with(const struct extrapolation *x)
{
    double cycles = control_weighted(x, x->y), drain = 0;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->run[i].unit->drains) drain += x->w[i] * x->y[i];
    if (!(drain > 0) || !(cycles > 0)) return 0;
    return stratified_half_width_at(DRAIN_ERROR, x->confidence) * drain / cycles /
           sqrt(x->p->drains);
}

static double sampling_with(const struct extrapolation *x)
{
    struct spread v = control_spread(x);
    double cycles = control_weighted(x, x->y);
    return cycles > 0 ? spread_half_width(&v, x->confidence) / cycles : 0;
}

/* What the weights miss of the functional pass's cycles, beyond what the spread of the runs allows:
 * then no run has met a phase of the program, such as cold caches. */
static double unmet_with(const struct extrapolation *x, enum control c)
{
    double all = 0, weighted = 0;
    if (!x->p->timed || c == CONTROL_PASS || c == CONTROL_BOTH) return 0;
    for (uint32_t i = 0; i < x->p->units; i++)
        all += x->p->unit[i].pass;
    for (uint32_t i = 0; i < x->n; i++)
        weighted += x->w[i] * x->run[i].unit->pass;
    return weighted > 0 ? fmax(0, fabs(all / weighted - 1) - sampling_with(x)) : 0;
}

static void state_parts(struct extrapolation *x, enum control c, double access_cycles)
{
    x->drained = drained_with(x);
    x->missed = missed_with(x, c, access_cycles);
    x->unmet = unmet_with(x, c);
    x->placing = hypot(hypot(extrapolation_doubt(x), x->drained), hypot(x->missed, x->unmet));
}

/* The relative half width with that control variate; infinite if the variate cannot be used. */
static double half_width_with(struct extrapolation *x, enum control c, double access_cycles)
{
    if (!may_use(x, c)) return INFINITY;
    if (!weigh_runs(x, c)) return INFINITY;
    state_parts(x, c, access_cycles);
    return hypot(sampling_with(x), x->placing);
}

/* The number of observations beyond one per stratum, for strata that were not run in full. */
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

/* A control variate must gain more than chance: the best of five looks better than it is, and a
 * slope through few points fits them in any case. */
void control_choose(struct extrapolation *x, bool plain)
{
    enum control best = CONTROL_NONE;
    double access_cycles = cycles_of_an_access(x);
    double least = half_width_with(x, CONTROL_NONE, access_cycles);
    x->free = free_observations(x);
    uint32_t controls = !plain && x->free >= CONTROL_FREE_LEAST ? CONTROL_N : 0;
    for (enum control c = CONTROL_INSTRUCTIONS; c < controls; c++) {
        double half = CONTROL_HANDICAP * half_width_with(x, c, access_cycles);
        if (half >= least) continue;
        best = c;
        least = half;
    }
    weigh_runs(x, best);
    state_parts(x, best, access_cycles);
}
