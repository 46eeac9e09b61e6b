#include "tests/support/metric_bounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool value_fits(const char *key, double v)
{
    return isfinite(v) && v >= 0 && (!metrics_is_share(key) || v <= 1);
}

bool metrics_misfit(const struct metrics *m, char *out, size_t size)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        if (!m->has[i] || value_fits(metric_info[i].path, m->v[i])) continue;
        snprintf(out, size, "%s = %.17g", metric_info[i].path, m->v[i]);
        return true;
    }
    for (uint32_t i = 0; metrics_key(i); i++) {
        double v;
        if (!metrics_at(m, i, &v) || value_fits(metrics_key(i), v)) continue;
        snprintf(out, size, "%s = %.17g", metrics_key(i), v);
        return true;
    }
    return false;
}

static bool ranges_misfit(const struct answer *a, char *out, size_t size)
{
    for (uint32_t i = 0; metrics_key(i); i++) {
        const char *key = metrics_key(i);
        double v, low = a->ranges.low[i], high = a->ranges.high[i];
        if (!a->ranges.has[i] || !metrics_at(&a->m, i, &v)) continue;
        if (value_fits(key, low) && value_fits(key, high) && low <= v && v <= high) continue;
        snprintf(out, size, "%s = %.17g in [%.17g; %.17g]", key, v, low, high);
        return true;
    }
    return false;
}

static bool stations_misfit(const struct answer *a, char *out, size_t size)
{
    for (uint32_t i = 0; i < a->x.n; i++) {
        const struct station *s = &a->x.station[i];
        if (s->utilization >= 0 && s->utilization <= 1 && s->gain >= 0 && s->gain <= 1 &&
            isfinite(s->queue) && s->queue >= 0 && isfinite(s->latency) && s->latency >= 0)
            continue;
        snprintf(out, size, "station %s: utilization %.17g, gain %.17g, queue %g, latency %g",
                 s->name, s->utilization, s->gain, s->queue, s->latency);
        return true;
    }
    return false;
}

bool answer_misfit(const struct answer *a, char *out, size_t size)
{
    return metrics_misfit(&a->m, out, size) || ranges_misfit(a, out, size) ||
           stations_misfit(a, out, size);
}
