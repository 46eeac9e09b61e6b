/* results_lookup.c - looks values up by machine, program, engine and metric. */
#include "sweeps/analyse/results.h"

#include "estimator/model/estimate.h"
#include "gpu/metrics/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint32_t results_at(const struct results *r, uint32_t machine, uint32_t program, uint32_t engine)
{
    return r->at[((size_t)machine * r->n_programs + program) * r->n_engines + engine];
}

uint32_t results_metric(const struct results *r, const char *key)
{
    for (uint32_t i = 0; i < r->n_metrics; i++)
        if (strcmp(r->metric[i], key) == 0) return i;
    return RESULTS_NONE;
}

const char *results_unit(const char *key)
{
    return strncmp(key, "station.", 8) == 0 ? "1" : metrics_unit(key);
}

const char *results_meaning(const char *key)
{
    char station[64];
    bool known = sscanf(key, "station.%63[^.]", station) == 1;
    return known ? estimate_station_meaning(station) : metrics_meaning(key);
}

double results_value(const struct results *r, uint32_t machine, uint32_t program, uint32_t engine,
                     uint32_t metric)
{
    uint32_t run = results_at(r, machine, program, engine);
    if (run == RESULTS_NONE || metric == RESULTS_NONE) return NAN;
    return r->value[(size_t)run * r->n_metrics + metric];
}
