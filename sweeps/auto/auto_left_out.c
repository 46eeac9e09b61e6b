/* auto_left_out.c - errors of a predictor at runs that it was not fitted to; see auto_model.h. */
#include "sweeps/auto/auto_model.h"

#include <math.h>

double auto_model_left_out(const struct auto_model *m, uint32_t workload, bool even)
{
    double sum = 0, n = 0;
    for (uint32_t i = 0; i < plan_points(m->plan); i++) {
        double left = m->left[(size_t)i * m->plan->n_workloads + workload];
        if (isnan(left) || (even && !m->even[i])) continue;
        sum += fabs(expm1(left));
        n++;
    }
    return sum / n;
}
