/* range_unit.c - see range_unit.h. */
#include "calibration/range_unit.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static uint32_t unit_of[METRICS_KEYS_MAX];
static pthread_once_t units_once = PTHREAD_ONCE_INIT;

static bool begins(const char *key, const char *with)
{
    return strncmp(key, with, strlen(with)) == 0;
}

/* Counts of what happens to a level's accesses, once or, if they are sent back, again and again;
 * how many accesses there are is a factor. */
static bool is_part_of_accesses(const char *key)
{
    static const char *const whole[] = {"l1.accesses", "l1.reads", "l1.writes",
                                        "l2.accesses", "l2.reads", "l2.writes"};
    static const char *const units[] = {"transactions", "requests", "fetches", "bursts",
                                        "blocks",       "commands", "attempts"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(key, whole[i]) == 0) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(metrics_unit(key), units[i]) == 0) return true;
    return false;
}

static uint32_t find_unit(const char *key)
{
    if (strcmp(metrics_unit(key), "bytes") == 0) return RANGE_NO_ERROR; /* transfers have ranges */
    if (metrics_is_share(key)) return RANGE_RATE;
    if (begins(key, "l1.") && is_part_of_accesses(key)) return metrics_key_index("l1.accesses");
    if (begins(key, "l2.miss_latency.")) return metrics_key_index("latency.load_mean");
    if (begins(key, "dram.energy_mj.")) return metrics_key_index("energy_mj.dram");
    if ((begins(key, "l2.") || begins(key, "dram.")) && is_part_of_accesses(key))
        return metrics_key_index("l2.accesses");
    return RANGE_FACTOR;
}

static void find_units(void)
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        unit_of[i] = find_unit(key);
}

uint32_t range_unit(uint32_t metric)
{
    pthread_once(&units_once, find_units);
    return unit_of[metric];
}

bool range_error(uint32_t metric, double unit, double simulated, double estimated, double *error)
{
    uint32_t in = range_unit(metric);
    if (in == RANGE_NO_ERROR) return false;
    if (in == RANGE_FACTOR)
        *error = simulated > 0 && estimated > 0 ? log(simulated / estimated) : NAN;
    else
        *error = (simulated - estimated) / (in == RANGE_RATE ? 1 : unit);
    return isfinite(*error);
}

void range_around(uint32_t metric, double unit, double value, double error, double *low,
                  double *high)
{
    uint32_t in = range_unit(metric);
    bool factor = in >= RANGE_FACTOR && in != RANGE_RATE;
    double step = error * (in == RANGE_RATE ? 1 : unit);
    *low = factor ? value * exp(-error) : fmax(0, value - step);
    *high = factor ? value * exp(error) : value + step;
    if (in == RANGE_RATE) *high = fmin(*high, 1);
}
