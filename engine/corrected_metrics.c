/* corrected_metrics.c - see corrected_metrics.h. */
#include "engine/corrected_metrics.h"

#include "calibration/range_unit.h"
#include "gpu/energy/account.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

bool corrected_metrics_unit(const struct engine_job *job, uint32_t i, double *unit)
{
    uint32_t in = range_unit(i);
    *unit = 1;
    return in >= METRICS_KEYS_MAX || metrics_at(&job->said->bare, in, unit);
}

/* --- counts and rates, by their own errors -----------------------------------------------------
 */

/* false: no error corrects it, or the estimate lacks it. */
static bool expected_value(const struct engine_job *job, const struct metric_errors *by, uint32_t i,
                           double *value)
{
    double bare, unit, low, high;
    if (by->known[i] != ERROR_OF_RUNS || !metrics_at(&job->said->bare, i, &bare) ||
        !corrected_metrics_unit(job, i, &unit))
        return false;
    range_around(i, unit, bare, fabs(by->mean[i]), &low, &high);
    *value = by->mean[i] > 0 ? high : low;
    return true;
}

static void correct_each(const struct engine_job *job, const struct metric_errors *by,
                         struct metrics *m, bool done[METRIC_N])
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        int id = metrics_by_path(key);
        if (id >= 0) done[id] = expected_value(job, by, i, &m->v[id]);
    }
}

/* --- what follows from them --------------------------------------------------------------------
 */

/* The ratios of two metrics that users see. */
static enum metric ratio[METRIC_N];
static uint32_t ratios;
static pthread_once_t ratios_once = PTHREAD_ONCE_INIT;

static bool is_shown(enum metric id)
{
    return metrics_key_index(metric_info[id].path) < METRICS_KEYS_MAX;
}

static void find_ratios(void)
{
    for (uint32_t i = 0; i < METRIC_N; i++)
        if (metric_info[i].ratio && is_shown(metric_info[i].num) && is_shown(metric_info[i].den))
            ratio[ratios++] = (enum metric)i;
}

/* Where the runs know a ratio alone, as those of calibration files do, its numerator follows. */
static void put_numerators(struct metrics *m, bool done[METRIC_N])
{
    for (uint32_t k = 0; k < ratios; k++) {
        const struct metric_info *r = &metric_info[ratio[k]];
        if (!done[ratio[k]] || !m->has[ratio[k]] || done[r->num]) continue;
        m->v[r->num] = m->v[ratio[k]] * m->v[r->den] / r->factor;
        done[r->num] = true;
    }
}

static void put_ratios(struct metrics *m)
{
    for (uint32_t k = 0; k < ratios; k++) {
        const struct metric_info *r = &metric_info[ratio[k]];
        if (m->has[ratio[k]] && m->v[r->den] != 0)
            m->v[ratio[k]] = r->factor * m->v[r->num] / m->v[r->den];
    }
}

/* Reads and writes share the hits as before where the hits alone are known. */
static void share_hits(struct metrics *m)
{
    double *reads = &m->v[M_l2_read_hits], *writes = &m->v[M_l2_write_hits],
           hits = fmin(m->v[M_l2_hits], m->v[M_l2_accesses]), before = *reads + *writes;
    double part = before > 0 ? *reads / before : m->v[M_l2_reads] / m->v[M_l2_accesses];
    *reads = fmin(hits * part, m->v[M_l2_reads]);
    *writes = fmin(hits - *reads, m->v[M_l2_writes]);
    *reads = hits - *writes;
}

static void put_l2(const struct engine_job *job, struct metrics *m, const bool done[METRIC_N])
{
    double *v = m->v;
    if (!m->has[M_l2_hits] || !(v[M_l2_accesses] > 0)) return;
    v[M_l2_accesses] = v[M_l2_reads] + v[M_l2_writes];
    if (done[M_l2_hits] && !done[M_l2_read_hits] && !done[M_l2_write_hits]) share_hits(m);
    v[M_l2_read_hits] = fmin(v[M_l2_read_hits], v[M_l2_reads]);
    v[M_l2_write_hits] = fmin(v[M_l2_write_hits], v[M_l2_writes]);
    v[M_l2_hits] = v[M_l2_read_hits] + v[M_l2_write_hits];
    metrics_set_as_vendors(m, job->m->l2.cache.write_miss != WRITE_MISS_NO_ALLOCATE);
}

/* A part of a level's accesses is no more than they are. */
static void cap_shares(struct metrics *m)
{
    for (uint32_t k = 0; k < ratios; k++) {
        const struct metric_info *r = &metric_info[ratio[k]];
        if (m->has[ratio[k]] && metrics_is_share(r->path))
            m->v[r->num] = fmin(m->v[r->num], m->v[r->den]);
    }
}

/* --- latencies ---------------------------------------------------------------------------------
 */

static void stretch(struct histogram *h, double factor)
{
    struct histogram to = {0};
    for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++)
        if (h->count[b] > 0)
            histogram_add(&to, (uint64_t)llround(factor * histogram_value(b)), h->count[b]);
    to.sum = factor * h->sum;
    *h = to;
}

static void stretch_latency(const struct engine_job *job, struct metric_errors *by,
                            struct metrics *m, struct histogram *h, const char *const key[2])
{
    uint32_t mean = metrics_key_index(key[0]), tail = metrics_key_index(key[1]);
    double expected, value;
    if (!expected_value(job, by, mean, &expected) || !metrics_at(m, mean, &value)) return;
    stretch(h, expected / value);
    if (expected_value(job, by, tail, &expected) && metrics_at(m, tail, &value))
        by->range[tail] += fabs(log(expected / value));
}

/* --- all ---------------------------------------------------------------------------------------
 */

void corrected_metrics(const struct engine_job *job, struct metric_errors *by, struct answer *a)
{
    static const char *const load[] = {"latency.load_mean", "latency.load_p95"},
                             *const most[] = {"latency.max_per_instruction_mean",
                                              "latency.max_per_instruction_p95"};
    bool done[METRIC_N] = {false};
    struct metrics *m = &a->m;
    if (!job->said->c.runs) return;
    pthread_once(&ratios_once, find_ratios);
    correct_each(job, by, m, done);
    put_numerators(m, done);
    put_l2(job, m, done);
    cap_shares(m);
    energy_totals(&job->costs, m);
    put_ratios(m);
    stretch_latency(job, by, m, &m->load_latency, load);
    stretch_latency(job, by, m, &m->max_latency, most);
}
