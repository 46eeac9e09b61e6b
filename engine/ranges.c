/* ranges.c - see ranges.h. */
#include "engine/ranges.h"

#include "engine/constants.h"
#include "engine/corrected_metrics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

double engine_sampled_range(const struct engine_job *job, double range, double log_sd)
{
    if (!job->profile || profile_detail_had(job->profile) == PROFILE_EXACT) return range;
    return hypot(range, gsl_cdf_ugaussian_Pinv(0.5 + job->o->confidence / 2) * log_sd);
}

/* What is known of a metric by its name alone. */
struct key_facts {
    int metric;          /* its enum metric; -1: it has none */
    bool follows_cycles; /* it is off as the cycles are, or as one over them */
    /* The metric that it is no more than; RANGE_RATE: 1, RANGE_FACTOR: nothing. */
    uint32_t whole;
};
static struct key_facts facts[METRICS_KEYS_MAX];
static pthread_once_t facts_once = PTHREAD_ONCE_INIT;

static bool follows_cycles(const char *key)
{
    static const char *const times[] = {"cycles",
                                        "time_us",
                                        "ipc",
                                        "opc",
                                        "opc_masked",
                                        "l1.energy_mj.static",
                                        "energy_mj.l2_static",
                                        "dram.energy_mj.background",
                                        "dram.energy_mj.refresh"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(times[i], key) == 0) return true;
    return false;
}

/* A share is of a whole.  What happens to a level's accesses is no more than they are, if it
 * happens to each once. */
static uint32_t find_whole(uint32_t i, const char *key)
{
    uint32_t in = range_unit(i);
    const char *whole = metrics_key(in), *dot = whole ? strchr(whole, '.') : NULL;
    if (metrics_is_share(key)) return RANGE_RATE;
    bool part = dot && strncmp(whole, key, (size_t)(dot - whole)) == 0 &&
                strcmp(metrics_unit(key), "attempts") != 0;
    return part ? in : RANGE_FACTOR;
}

static void find_facts(void)
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        facts[i] = (struct key_facts){.metric = metrics_by_path(key),
                                      .follows_cycles = follows_cycles(key),
                                      .whole = find_whole(i, key)};
}

static const struct key_facts *key_facts(uint32_t i)
{
    pthread_once(&facts_once, find_facts);
    return &facts[i];
}

static void set_range(struct answer *a, uint32_t i, double low, double high)
{
    a->ranges.has[i] = isfinite(low) && isfinite(high);
    a->ranges.low[i] = low;
    a->ranges.high[i] = high;
}

static void range_of_estimate(const struct engine_job *job, const struct metric_errors *by,
                              struct answer *a, uint32_t i, double value)
{
    double low, high, unit, error = by->range[i], factor = exp(asinh(a->half_width));
    if (key_facts(i)->follows_cycles) {
        set_range(a, i, value / factor, value * factor);
        return;
    }
    if (!by->known[i] || !corrected_metrics_unit(job, i, &unit)) return;
    if (range_unit(i) == RANGE_FACTOR) error = engine_sampled_range(job, error, SAMPLED_COUNTS);
    range_around(i, unit, value, error, &low, &high);
    set_range(a, i, low, high);
}

static void ranges_of_estimate(const struct engine_job *job, struct answer *a)
{
    struct metric_errors by = {.known = {ERROR_UNKNOWN}};
    double value;
    for (uint32_t i = 0; metrics_key(i); i++)
        if (!key_facts(i)->follows_cycles && metrics_at(&a->m, i, &value))
            by.known[i] =
                calibrate_metric(job->cal, &job->said->c, i, a->level, &by.mean[i], &by.range[i]);
    corrected_metrics(job, &by, a);
    for (uint32_t i = 0; metrics_key(i); i++)
        if (metrics_at(&a->m, i, &value)) range_of_estimate(job, &by, a, i, value);
}

static double most_of(const struct answer *a, uint32_t i)
{
    uint32_t whole = key_facts(i)->whole;
    if (whole == RANGE_RATE) return 1;
    return whole < METRICS_KEYS_MAX && a->ranges.has[whole] ? a->ranges.high[whole] : INFINITY;
}

static void range_of_sample(struct answer *a, uint32_t i, double value)
{
    int id = key_facts(i)->metric;
    if (id < 0 || !a->half_widths.has[id]) return;
    double half = a->half_widths.v[id];
    set_range(a, i, fmax(0, value - half), value + half);
}

static void cap_parts(struct answer *a)
{
    for (uint32_t i = 0; metrics_key(i); i++)
        if (a->ranges.has[i]) a->ranges.high[i] = fmin(a->ranges.high[i], most_of(a, i));
}

void engine_ranges(const struct engine_job *job, struct answer *a)
{
    double value;
    if (!a->has_confidence) return;
    if (a->engine == ENGINE_ESTIMATE) ranges_of_estimate(job, a);
    for (uint32_t i = 0; a->engine != ENGINE_ESTIMATE && metrics_key(i); i++)
        if (metrics_at(&a->m, i, &value)) range_of_sample(a, i, value);
    cap_parts(a);
}

static void place_of_answer(const struct machine *m, const struct answer_place *from,
                            struct place *out)
{
    place_of_machine(out, m);
    memcpy(out->feature, from->use, sizeof out->feature);
    out->estimate = from->log_cycles;
}

double engine_ratio_range(const struct calibration *cal, const struct ratio_side *a,
                          const struct ratio_side *b, double level)
{
    struct place of_a, of_b;
    if (!digest_equal(a->program, b->program)) return INFINITY;
    place_of_answer(a->m, a->at, &of_a);
    place_of_answer(b->m, b->at, &of_b);
    const struct calibrated_pair pair = {.program = a->program,
                                         .a = &of_a,
                                         .b = &of_b,
                                         .feature_a = a->at->feature,
                                         .feature_b = b->at->feature};
    return calibrate_ratio(cal, &pair, level);
}

/* The ratio is surely no worse than two estimates that have nothing to do with each other. */
void engine_ratio(const struct calibration *cal, const struct machine *first,
                  const struct answer *a, const struct machine *second, struct answer *b)
{
    b->ratio.known = a->has_confidence && b->has_confidence && a->engine == ENGINE_ESTIMATE &&
                     b->engine == ENGINE_ESTIMATE;
    if (!b->ratio.known) return;
    const struct ratio_side of_a = {a->program_digest, first, &a->place},
                            of_b = {b->program_digest, second, &b->place};
    double ratio = b->m.v[M_time_us] / a->m.v[M_time_us],
           range = hypot(asinh(a->half_width), asinh(b->half_width));
    range = fmin(range, engine_ratio_range(cal, &of_a, &of_b, b->level));
    if (digest_equal(a->machine_digest, b->machine_digest) &&
        digest_equal(a->program_digest, b->program_digest))
        range = 0;
    b->ratio.value = ratio;
    b->ratio.low = ratio * exp(-range);
    b->ratio.high = ratio * exp(range);
}
