/* stratified.c - see stratified.h. */
#include "sampler/statistics/stratified.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stddef.h>

/* Sums over the observations of one stratum. */
struct moments {
    uint32_t n;
    double x, y;       /* means */
    double xx, xy, yy; /* central sums */
};

static struct moments stratum_moments(const struct stratified *s, const double *y, uint32_t h)
{
    struct moments m = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->of[i] != h) continue;
        double x = s->x ? s->x[i] : 0, v = y ? y[i] : 0;
        double dx = x - m.x, dy = v - m.y;
        m.n++;
        m.x += dx / m.n;
        m.y += dy / m.n;
        m.xx += dx * (x - m.x);
        m.xy += dx * (v - m.y);
        m.yy += dy * (v - m.y);
    }
    return m;
}

/* The factor of a stratum's sum of squares in the variance of the total: N (N - n) / (n (n -
 * 1)). */
static double square_weight(uint32_t units, uint32_t n)
{
    if (n < 2 || n >= units) return 0;
    return (double)units * (units - n) / ((double)n * (n - 1));
}

bool stratified_slope(const struct stratified *s, const double *y, double *b)
{
    double sxx = 0, sxy = 0, scale = 0;
    if (!s->x) return false;
    for (uint32_t h = 0; h < s->strata; h++) {
        struct moments m = stratum_moments(s, y, h);
        double k = square_weight(s->stratum[h].units, m.n);
        sxx += k * m.xx;
        sxy += k * m.xy;
        scale += k * m.n * m.x * m.x;
    }
    if (!(sxx > 1e-18 * scale)) return false;
    *b = sxy / sxx;
    return true;
}

bool stratified_weights(const struct stratified *s, double *w)
{
    double gap = 0, sxx = 0, unused;
    bool use_x = stratified_slope(s, NULL, &unused);
    for (uint32_t h = 0; h < s->strata; h++) {
        struct moments m = stratum_moments(s, NULL, h);
        sxx += square_weight(s->stratum[h].units, m.n) * m.xx;
        if (m.n > 0) gap += s->stratum[h].x_total - s->stratum[h].units * m.x;
    }
    for (uint32_t h = 0; h < s->strata; h++) {
        struct moments m = stratum_moments(s, NULL, h);
        double k = use_x ? gap * square_weight(s->stratum[h].units, m.n) / sxx : 0;
        for (uint32_t i = 0; i < s->n; i++) {
            if (s->of[i] != h) continue;
            w[i] = (double)s->stratum[h].units / m.n + (use_x ? k * (s->x[i] - m.x) : 0);
        }
    }
    return use_x;
}

/* Computes the weights for that l; returns their total of x. */
static double rake_at(const struct stratified *s, double l, double *w)
{
    double total = 0;
    for (uint32_t h = 0; h < s->strata; h++) {
        struct moments m = stratum_moments(s, NULL, h);
        double units = s->stratum[h].units, sum = 0;
        double k = m.n ? l * square_weight(s->stratum[h].units, m.n) * m.n / units : 0;
        double top = 0; /* keeps exponents at or below 0 */
        for (uint32_t i = 0; i < s->n; i++)
            if (s->of[i] == h) top = fmax(top, k * (s->x[i] - m.x));
        for (uint32_t i = 0; i < s->n; i++)
            if (s->of[i] == h) sum += w[i] = exp(k * (s->x[i] - m.x) - top);
        for (uint32_t i = 0; i < s->n; i++)
            if (s->of[i] == h) total += (w[i] *= units / sum) * s->x[i];
    }
    return total;
}

/* Finds l by bisection: the total of x grows with it. */
bool stratified_rake(const struct stratified *s, double *w)
{
    enum { DOUBLINGS = 8, HALVINGS = 60 };
    double wanted = 0, sxx = 0, unused;
    if (!stratified_slope(s, NULL, &unused)) return false;
    for (uint32_t h = 0; h < s->strata; h++) {
        struct moments m = stratum_moments(s, NULL, h);
        sxx += square_weight(s->stratum[h].units, m.n) * m.xx;
        wanted += s->stratum[h].x_total;
    }
    double gap = wanted - rake_at(s, 0, w), low = 0, high = gap / sxx;
    for (uint32_t i = 0; i < DOUBLINGS && (wanted - rake_at(s, high, w)) * gap > 0; i++)
        high *= 2;
    if ((wanted - rake_at(s, high, w)) * gap > 0) return false;
    for (uint32_t i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if ((wanted - rake_at(s, middle, w)) * gap > 0)
            low = middle;
        else
            high = middle;
    }
    rake_at(s, high, w);
    return true;
}

struct spread stratified_spread(const struct stratified *s, const double *y, bool with_x)
{
    double b = 0, variance = 0, quarters = 0;
    bool use_x = with_x && stratified_slope(s, y, &b);
    for (uint32_t h = 0; h < s->strata; h++) {
        struct moments m = stratum_moments(s, y, h);
        double square = m.yy - 2 * b * m.xy + b * b * m.xx;
        double v = square_weight(s->stratum[h].units, m.n) * (square > 0 ? square : 0);
        variance += v;
        if (m.n > 1) quarters += v * v / (m.n - 1);
    }
    if (!(variance > 0)) return (struct spread){.variance = 0, .df = INFINITY};
    double df = variance * variance / quarters;
    /* because the slope was fitted to the same residuals */
    if (use_x && df > 2) {
        variance *= df / (df - 1);
        df -= 1;
    }
    return (struct spread){.variance = variance, .df = df};
}

double spread_half_width(const struct spread *v, double confidence)
{
    if (!(v->variance > 0)) return 0;
    double p = 0.5 + confidence / 2;
    double t = isinf(v->df) ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_tdist_Pinv(p, v->df);
    return t * sqrt(v->variance);
}

double stratified_half_width_at(double of_95, double confidence)
{
    return of_95 *
           (gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2) / gsl_cdf_ugaussian_Pinv(0.5 + 0.95 / 2));
}

bool allocation_next(const struct allocation *a, uint32_t *n, uint32_t *chosen)
{
    double best = -1;
    for (uint32_t h = 0; h < a->strata; h++) {
        if (n[h] >= a->units[h]) continue;
        double ns = (double)a->units[h] * a->sd[h];
        double gain = n[h] ? ns * ns / ((double)n[h] * (n[h] + 1)) / a->cost[h] : INFINITY;
        if (gain <= best) continue;
        best = gain;
        *chosen = h;
    }
    if (best < 0) return false;
    n[*chosen]++;
    return true;
}

double allocation_variance(const struct allocation *a, const uint32_t *n)
{
    double v = 0;
    for (uint32_t h = 0; h < a->strata; h++) {
        if (n[h] >= a->units[h]) continue;
        double units = a->units[h];
        v += n[h] ? units * (units - n[h]) / n[h] * a->sd[h] * a->sd[h] : INFINITY;
    }
    return v;
}
