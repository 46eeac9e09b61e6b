/* results_lookup.c - looks metrics up. */
#include "sweeps/analyse/results.h"

#include "estimator/model/estimate.h"
#include "gpu/metrics/metrics.h"

#include <stdio.h>
#include <string.h>

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
