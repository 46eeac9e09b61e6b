/* metrics.c - see metrics.h. */
#include "gpu/metrics/metrics.h"

#include "base/text/text.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROW_COUNT(id_, path_, unit_, meaning_) \
    [M_##id_] = {.id = #id_, .path = path_, .unit = unit_, .meaning = meaning_},
#define ROW_RATIO(id_, path_, unit_, meaning_, num_, den_, factor_) \
    [M_##id_] = {.id = #id_,                                        \
                 .path = path_,                                     \
                 .unit = unit_,                                     \
                 .meaning = meaning_,                               \
                 .ratio = true,                                     \
                 .num = M_##num_,                                   \
                 .den = M_##den_,                                   \
                 .factor = factor_},

const struct metric_info metric_info[METRIC_N] = {METRICS(ROW_COUNT, ROW_RATIO)};

/* Metrics that only serve as parts of ratios and are not shown to users. */
static const bool raw[METRIC_N] = {
    [M_masked_operations] = true,
    [M_l1_fails_mshr] = true,
    [M_l1_fails_merge] = true,
    [M_l1_fails_line] = true,
    [M_l1_fails_queue] = true,
    [M_vmb_cycles] = true,
    [M_l2_miss_invalidation_sum] = true,
    [M_l2_miss_eviction_sum] = true,
    [M_l2_miss_memory_sum] = true,
    [M_l2_miss_total_sum] = true,
    [M_l2_set_lines] = true,
    [M_l2_set_transit] = true,
    [M_cpu_returned] = true,
    [M_cpu_latency_sum] = true,
    [M_dram_row_hits] = true,
    [M_dram_bursts] = true,
    [M_dram_bytes] = true,
    [M_dram_busy] = true,
    [M_dram_channel_us] = true,
    [M_dram_bank_us] = true,
    [M_dram_hottest] = true,
    [M_dram_active_us] = true,
    [M_dram_latency_sum] = true,
    [M_warp_compute] = true,
    [M_warp_memory] = true,
    [M_warps] = true,
    [M_issue_slots] = true,
    [M_stall_memory_slots] = true,
    [M_stall_compute_slots] = true,
    [M_stall_barrier_slots] = true,
    [M_stall_mshr_slots] = true,
    [M_stall_noc_slots] = true,
    [M_root_looks] = true,
    [M_root_compute_looks] = true,
    [M_root_barrier_looks] = true,
    [M_root_vmb_looks] = true,
    [M_root_l1_looks] = true,
    [M_root_l1_mshr_looks] = true,
    [M_root_l1_lines_looks] = true,
    [M_root_noc_looks] = true,
    [M_root_l2_looks] = true,
    [M_root_l2_mshr_looks] = true,
    [M_root_l2_lines_looks] = true,
    [M_root_dram_looks] = true,
};

enum { LATENCY_KEYS = 4, LATENCY_BEFORE = M_noc_request_flits };
static const struct {
    const char *key, *unit, *meaning;
} latency[LATENCY_KEYS] = {
    {"latency.load_mean", "cycles", "mean latency of a load transaction"},
    {"latency.load_p95", "cycles", "95th percentile of it"},
    {"latency.max_per_instruction_mean", "cycles",
     "mean over instructions of their slowest transaction"},
    {"latency.max_per_instruction_p95", "cycles", "95th percentile of it"},
};

void metrics_set(struct metrics *m, enum metric id, double v)
{
    assert(id < METRIC_N && !metric_info[id].ratio);
    m->v[id] = v;
    m->has[id] = true;
}

/* NVIDIA counts a write that allocates a line as a hit; AMD counts an access that finds its line in
 * flight as a hit. */
void metrics_set_as_vendors(struct metrics *m, bool writes_allocate)
{
    double all = m->v[M_l2_accesses],
           writes = m->v[writes_allocate ? M_l2_writes : M_l2_write_hits];
    metrics_set(m, M_l2_hits_as_ncu, fmin(all, m->v[M_l2_read_hits] + writes));
    metrics_set(m, M_l2_hits_as_rocprof, fmin(all, m->v[M_l2_hits] + m->v[M_l2_merges]));
}

void metrics_finish(struct metrics *m)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        const struct metric_info *info = &metric_info[i];
        if (!info->ratio) continue;
        m->has[i] = m->has[info->num] && m->has[info->den] && m->v[info->den] != 0;
        m->v[i] = m->has[i] ? info->factor * m->v[info->num] / m->v[info->den] : 0;
    }
}

void metrics_diff(struct metrics *out, const struct metrics *after, const struct metrics *before)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        out->has[i] = after->has[i] && before->has[i] && !metric_info[i].ratio;
        out->v[i] = out->has[i] ? after->v[i] - before->v[i] : 0;
    }
    out->has_load_latency = after->has_load_latency && before->has_load_latency;
    out->has_max_latency = after->has_max_latency && before->has_max_latency;
    histogram_diff(&out->load_latency, &after->load_latency, &before->load_latency);
    histogram_diff(&out->max_latency, &after->max_latency, &before->max_latency);
    metrics_finish(out);
}

static bool is_new(const struct metrics *m)
{
    for (uint32_t i = 0; i < METRIC_N; i++)
        if (m->has[i]) return false;
    return !m->has_load_latency && !m->has_max_latency;
}

void metrics_accumulate(struct metrics *to, const struct metrics *from, double weight)
{
    bool fresh = is_new(to);
    for (uint32_t i = 0; i < METRIC_N; i++) {
        to->has[i] = from->has[i] && (fresh || to->has[i]) && !metric_info[i].ratio;
        to->v[i] = to->has[i] ? (fresh ? 0 : to->v[i]) + weight * from->v[i] : 0;
    }
    to->has_load_latency = from->has_load_latency && (fresh || to->has_load_latency);
    to->has_max_latency = from->has_max_latency && (fresh || to->has_max_latency);
    histogram_accumulate(&to->load_latency, &from->load_latency, weight);
    histogram_accumulate(&to->max_latency, &from->max_latency, weight);
}

/* All metrics, those without a key included, sorted by path; filled at the first use. */
static enum metric by_path[METRIC_N];
static pthread_once_t paths_once = PTHREAD_ONCE_INIT;

static int compare_paths(const void *a, const void *b)
{
    return strcmp(metric_info[*(const enum metric *)a].path,
                  metric_info[*(const enum metric *)b].path);
}

static void sort_paths(void)
{
    for (int i = 0; i < METRIC_N; i++)
        by_path[i] = (enum metric)i;
    qsort(by_path, METRIC_N, sizeof by_path[0], compare_paths);
}

static int compare_with_path(const void *path, const void *id)
{
    return strcmp(path, metric_info[*(const enum metric *)id].path);
}

int metrics_by_path(const char *path)
{
    pthread_once(&paths_once, sort_paths);
    const enum metric *found =
        bsearch(path, by_path, METRIC_N, sizeof by_path[0], compare_with_path);
    return found ? (int)*found : -1;
}

static bool latency_value(const struct metrics *m, uint32_t key, double *v)
{
    bool load = key < 2;
    const struct histogram *h = load ? &m->load_latency : &m->max_latency;
    if (!(load ? m->has_load_latency : m->has_max_latency) || !(h->n > 0)) return false;
    *v = key % 2 == 0 ? histogram_mean(h) : histogram_quantile(h, 0.95);
    return true;
}

bool metrics_value(const struct metrics *m, const char *path, double *v)
{
    int id = metrics_by_path(path);
    if (id >= 0) {
        if (m->has[id]) *v = m->v[id];
        return m->has[id];
    }
    for (uint32_t k = 0; k < LATENCY_KEYS; k++)
        if (strcmp(latency[k].key, path) == 0) return latency_value(m, k, v);
    return false;
}

static_assert(METRIC_N + LATENCY_KEYS <= METRICS_KEYS_MAX, "keys of all metrics");

/* The keys in order and sorted by name; filled at the first use. */
static struct {
    const char *key[METRICS_KEYS_MAX + 1]; /* ends with NULL */
    int id[METRICS_KEYS_MAX];              /* the metric, or -1 - k for latency[k] */
    uint32_t by_name[METRICS_KEYS_MAX];    /* positions in key[], sorted by name */
    uint32_t n;
} keys;
static pthread_once_t keys_once = PTHREAD_ONCE_INIT;

static void add_key(const char *key, int id)
{
    keys.by_name[keys.n] = keys.n;
    keys.key[keys.n] = key;
    keys.id[keys.n++] = id;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(keys.key[*(const uint32_t *)a], keys.key[*(const uint32_t *)b]);
}

static void list_keys(void)
{
    for (int id = 0; id < METRIC_N; id++) {
        for (int k = 0; k < LATENCY_KEYS && id == LATENCY_BEFORE; k++)
            add_key(latency[k].key, -1 - k);
        if (!raw[id]) add_key(metric_info[id].path, id);
    }
    qsort(keys.by_name, keys.n, sizeof keys.by_name[0], compare_keys);
}

const char *metrics_key(uint32_t i)
{
    pthread_once(&keys_once, list_keys);
    return i < keys.n ? keys.key[i] : NULL;
}

uint32_t metrics_key_index(const char *key)
{
    pthread_once(&keys_once, list_keys);
    uint32_t from = 0, to = keys.n;
    while (from < to) {
        uint32_t mid = (from + to) / 2, at = keys.by_name[mid];
        int side = strcmp(key, keys.key[at]);
        if (side == 0) return at;
        if (side < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return METRICS_KEYS_MAX;
}

/* The shortest key that ends with the word. */
static const char *key_with_last_name(const char *word)
{
    const char *shortest = NULL;
    for (uint32_t i = 0; i < keys.n; i++) {
        const char *key = keys.key[i], *dot = strrchr(key, '.');
        if (!dot || strcmp(dot + 1, word) != 0) continue;
        if (!shortest || strlen(key) < strlen(shortest)) shortest = key;
    }
    return shortest;
}

const char *metrics_closest(const char *word)
{
    pthread_once(&keys_once, list_keys);
    const char *closest = text_closest(word, keys.key, keys.n);
    return closest ? closest : key_with_last_name(word);
}

bool metrics_at(const struct metrics *m, uint32_t i, double *v)
{
    pthread_once(&keys_once, list_keys);
    if (i >= keys.n) return false;
    int id = keys.id[i];
    if (id < 0) return latency_value(m, (uint32_t)(-1 - id), v);
    if (m->has[id]) *v = m->v[id];
    return m->has[id];
}

static int latency_by_key(const char *key)
{
    for (int i = 0; i < LATENCY_KEYS; i++)
        if (strcmp(latency[i].key, key) == 0) return i;
    return -1;
}

const char *metrics_unit(const char *key)
{
    int id = metrics_by_path(key), at = latency_by_key(key);
    return id >= 0 ? metric_info[id].unit : at >= 0 ? latency[at].unit : "";
}

bool metrics_is_share(const char *key)
{
    return strcmp(metrics_unit(key), "1") == 0;
}

const char *metrics_meaning(const char *key)
{
    int id = metrics_by_path(key), at = latency_by_key(key);
    return id >= 0 ? metric_info[id].meaning : at >= 0 ? latency[at].meaning : "";
}
