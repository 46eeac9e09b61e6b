/* rank_correlation.c - see rank_correlation.h. */
#include "calibration/rank_correlation.h"

#include "base/memory/sort.h"
#include "calibration/constants.h"

#include <math.h>

static void add_pair(struct rank_correlation *r, double truth, double guess)
{
    if (guess == 0)
        r->tied++;
    else if ((truth > 0) == (guess > 0))
        r->concordant++;
    else
        r->discordant++;
}

void rank_add(struct rank_correlation *r, const double *truth, const double *guess, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            double larger = fmax(fabs(truth[i]), fabs(truth[k]));
            if (fabs(truth[i] - truth[k]) > RANK_NEAR * larger)
                add_pair(r, truth[i] - truth[k], guess[i] - guess[k]);
        }
    }
}

double rank_tau(const struct rank_correlation *r)
{
    uint64_t pairs = r->concordant + r->discordant + r->tied;
    if (pairs == 0) return NAN;
    return ((double)r->concordant - (double)r->discordant) / (double)pairs;
}

/* Interpolates linearly between the order statistics. */
static double quantile(const double *sorted, uint32_t n, double q)
{
    double at = q * (double)(n - 1);
    uint32_t i = (uint32_t)at;
    if (i + 1 >= n) return sorted[n - 1];
    return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

struct error_summary error_summarise(double *e, uint32_t n)
{
    if (n == 0) return (struct error_summary){NAN, NAN, NAN, NAN};
    double sum = 0;
    sort_doubles(e, n);
    for (uint32_t i = 0; i < n; i++)
        sum += e[i];
    return (struct error_summary){sum / n, quantile(e, n, 0.5), quantile(e, n, 0.9), e[n - 1]};
}
