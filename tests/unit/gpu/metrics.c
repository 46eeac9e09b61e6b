/* The metrics record: ratios by hand, presence, intervals, and the list of keys. */
#include "tests/support/check.h"

#include "gpu/metrics/metrics.h"

#include <math.h>

static double value(const struct metrics *m, const char *path)
{
    double v = NAN;
    assert_true(metrics_value(m, path, &v));
    return v;
}

static bool absent(const struct metrics *m, const char *path)
{
    double v;
    return !metrics_value(m, path, &v);
}

static void every_row_is_named(void **state)
{
    (void)state;
    for (int i = 0; i < METRIC_N; i++) {
        const struct metric_info *info = &metric_info[i];
        assert_true(info->id && info->path && info->unit && info->meaning);
        assert_int_equal(metrics_by_path(info->path), i); /* hence no path twice */
        if (!info->ratio) continue;
        assert_false(metric_info[info->num].ratio);
        assert_false(metric_info[info->den].ratio);
        assert_true(info->factor > 0);
    }
    assert_int_equal(metrics_by_path("l2.hit_rat"), -1);
}

static void ratios_follow_from_their_parts(void **state)
{
    (void)state;
    static struct metrics m;
    metrics_set(&m, M_cycles, 2000);
    metrics_set(&m, M_time_us, 2);
    metrics_set(&m, M_lane_operations, 32000);
    metrics_set(&m, M_l2_misses, 64);
    metrics_set(&m, M_dram_bytes, 400000);
    metrics_set(&m, M_l1_accesses, 0);
    metrics_set(&m, M_l1_hits, 0);
    metrics_finish(&m);
    assert_near(value(&m, "opc"), 16, 1e-12);
    assert_near(value(&m, "l2.mpko"), 2, 1e-12);              /* 64 per 32 thousand operations */
    assert_near(value(&m, "dram.bandwidth_gbps"), 200, 1e-9); /* 400 kB in 2 us */
    assert_true(absent(&m, "ipc"));                           /* no instructions known */
    assert_true(absent(&m, "l1.hit_rate"));                   /* no access: no rate */
    assert_near(value(&m, "l1.hits"), 0, 0);
    assert_true(absent(&m, "no.such"));
}

static void latencies_come_from_histograms(void **state)
{
    (void)state;
    static struct metrics m;
    assert_true(absent(&m, "latency.load_mean"));
    m.has_load_latency = true;
    assert_true(absent(&m, "latency.load_p95")); /* nothing measured */
    for (uint64_t v = 1; v <= 20; v++)
        histogram_add(&m.load_latency, v, 1);
    assert_near(value(&m, "latency.load_mean"), 10.5, 1e-12);
    assert_near(value(&m, "latency.load_p95"), 19, 1e-12);
    assert_true(absent(&m, "latency.max_per_instruction_mean"));
    m.has_max_latency = true;
    histogram_add(&m.max_latency, 7, 3);
    assert_near(value(&m, "latency.max_per_instruction_mean"), 7, 1e-12);
    assert_near(value(&m, "latency.max_per_instruction_p95"), 7, 1e-12);
}

static void intervals_are_differences_and_sums(void **state)
{
    (void)state;
    static struct metrics before, after, diff, sum;
    metrics_set(&before, M_cycles, 100);
    metrics_set(&before, M_warp_instructions, 50);
    metrics_set(&after, M_cycles, 300);
    metrics_set(&after, M_warp_instructions, 450);
    metrics_set(&after, M_l1_hits, 5);
    metrics_diff(&diff, &after, &before);
    assert_near(value(&diff, "cycles"), 200, 0);
    assert_near(value(&diff, "ipc"), 2, 1e-12);
    assert_true(absent(&diff, "l1.hits"));
    metrics_accumulate(&sum, &after, 2); /* new: takes what there is */
    assert_near(value(&sum, "l1.hits"), 10, 0);
    metrics_accumulate(&sum, &before, 3);
    assert_true(absent(&sum, "l1.hits")); /* unknown in one part: unknown in the whole */
    assert_near(value(&sum, "cycles"), 900, 0);
    assert_true(absent(&sum, "ipc")); /* until finished */
    metrics_finish(&sum);
    assert_near(value(&sum, "ipc"), 1050.0 / 900, 1e-12);
}

static bool has_key(const char *key)
{
    for (uint32_t i = 0; metrics_key(i); i++)
        if (strcmp(metrics_key(i), key) == 0) return true;
    return false;
}

/* Keys of JSON, CSV and database outputs, and sums that are in none of them. */
static const char *const shown_keys[] = {"cycles",
                                         "time_us",
                                         "warp_instructions",
                                         "lane_operations",
                                         "ipc",
                                         "opc",
                                         "opc_masked",
                                         "l1.accesses",
                                         "l1.hits",
                                         "l1.misses",
                                         "l1.merges",
                                         "l1.stall_cycles",
                                         "l1.hit_rate",
                                         "l1.bypasses",
                                         "l2.reads",
                                         "l2.read_hits",
                                         "l2.writes",
                                         "l2.write_hits",
                                         "l2.misses",
                                         "l2.hit_rate",
                                         "l2.mpko",
                                         "l2.miss_latency.invalidation",
                                         "l2.miss_latency.eviction",
                                         "l2.miss_latency.memory",
                                         "l2.miss_latency.total",
                                         "l2.nacks",
                                         "l2.line_waits",
                                         "l2.writebacks",
                                         "l2.bytes_to_memory_per_cycle",
                                         "l2.bytes_from_memory_per_cycle",
                                         "latency.load_mean",
                                         "latency.load_p95",
                                         "latency.max_per_instruction_mean",
                                         "latency.max_per_instruction_p95",
                                         "noc.request_flits",
                                         "noc.reply_flits",
                                         "noc.stall_cycles",
                                         "noc.request_stall_cycles",
                                         "noc.reply_stall_cycles",
                                         "dram.reads",
                                         "dram.writes",
                                         "dram.row_hit_rate",
                                         "dram.bandwidth_gbps",
                                         "dram.utilization",
                                         "dram.blp",
                                         "dram.latency",
                                         "dram.activates",
                                         "dram.refreshes",
                                         "warp_cycles.compute",
                                         "warp_cycles.memory",
                                         "stalls.memory",
                                         "stalls.compute",
                                         "stalls.barrier",
                                         "stalls.mshr",
                                         "stalls.noc"};
static const char *const hidden_keys[] = {"lane_operations_masked",
                                          "l2.miss_latency_sum.total",
                                          "dram.row_hits",
                                          "dram.bursts",
                                          "dram.bytes",
                                          "dram.busy",
                                          "dram.hottest",
                                          "dram.channel_us",
                                          "dram.bank_us",
                                          "dram.active_us",
                                          "dram.latency_sum",
                                          "warp_cycles_sum.compute",
                                          "warps",
                                          "issue_slots",
                                          "stall_slots.noc"};

static void keys_are_those_of_the_contract(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shown_keys / sizeof shown_keys[0]; i++)
        assert_true(has_key(shown_keys[i]));
    for (size_t i = 0; i < sizeof hidden_keys / sizeof hidden_keys[0]; i++)
        assert_false(has_key(hidden_keys[i]));
    assert_string_equal(metrics_key(0), "cycles");
}

static void keys_are_distinct_and_each_group_is_together(void **state)
{
    (void)state;
    for (uint32_t i = 0; metrics_key(i); i++) {
        const char *a = metrics_key(i);
        size_t group = strchr(a, '.') ? (size_t)(strchr(a, '.') - a) + 1 : 0;
        bool left = false;
        for (uint32_t k = i + 1; metrics_key(k); k++) {
            const char *b = metrics_key(k);
            assert_string_not_equal(a, b);
            bool same = group && strncmp(a, b, group) == 0;
            assert_false(same && left); /* a JSON object is written once */
            left = left || !same;
        }
    }
}

static void a_key_is_found_where_it_stands(void **state)
{
    (void)state;
    struct metrics m = {0};
    uint32_t n = 0;
    for (int id = 0; id < METRIC_N; id++)
        if (!metric_info[id].ratio) metrics_set(&m, (enum metric)id, 10 + id);
    m.has_load_latency = true;
    histogram_add(&m.load_latency, 100, 1);
    metrics_finish(&m);
    for (; metrics_key(n); n++) {
        double by_key = 0, at = 0;
        assert_int_equal(metrics_key_index(metrics_key(n)), n);
        assert_int_equal(metrics_value(&m, metrics_key(n), &by_key), metrics_at(&m, n, &at));
        assert_true(by_key == at);
    }
    double v;
    assert_int_equal(metrics_key_index("l2.hit_rat"), METRICS_KEYS_MAX);
    assert_int_equal(metrics_key_index("zz"), METRICS_KEYS_MAX);
    assert_false(metrics_at(&m, n, &v));
}

static void a_misspelt_key_is_guessed(void **state)
{
    (void)state;
    assert_string_equal(metrics_closest("cyclse"), "cycles");
    assert_string_equal(metrics_closest("l2.hitrate"), "l2.hit_rate");
    assert_string_equal(metrics_closest("hit_rate"), "l1.hit_rate"); /* by its last name */
    assert_null(metrics_closest("temperature"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_named),
        cmocka_unit_test(ratios_follow_from_their_parts),
        cmocka_unit_test(latencies_come_from_histograms),
        cmocka_unit_test(intervals_are_differences_and_sums),
        cmocka_unit_test(keys_are_those_of_the_contract),
        cmocka_unit_test(a_key_is_found_where_it_stands),
        cmocka_unit_test(a_misspelt_key_is_guessed),
        cmocka_unit_test(keys_are_distinct_and_each_group_is_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
