/* Counts by instruction and buffer: do they add up to the run's, say what the program's shape says,
 * and leave the run as it is? */
#include "base/memory/alloc.h"
#include "detailed/counters/site_counters.h"
#include "tests/support/run.h"
#include "trace/program/summary.h"

struct counted {
    struct site_counters sites;
    struct metrics m;
};

static void count(const struct machine *m, struct program *p, struct counted *c)
{
    struct program_summary sum;
    struct error e = {0};
    uint32_t n;
    assert_true(program_summarize(&sum, p, NULL, &e));
    struct region *region = program_regions(&sum, p, &n);
    program_summary_fini(&sum);
    assert_true(site_counters_init(&c->sites, region, n));
    mem_free(region);
    struct sim *s = sim_new(m, p, &e);
    if (!s) fail_msg("%s", e.text);
    sim_count_sites(s, &c->sites);
    if (sim_run(s, NULL, NULL, NULL, &e) != SIM_DONE) fail_msg("%s", e.text);
    sim_metrics(s, &c->m);
    sim_free(s);
}

static uint64_t total(const struct site_counters *x, size_t field)
{
    uint64_t sum = 0, v;
    for (uint32_t k = 0; k < x->n_kernels; k++) {
        for (uint32_t i = 0; i < x->kernel[k].n; i++) {
            memcpy(&v, (const char *)&x->kernel[k].site[i] + field, sizeof v);
            sum += v;
        }
    }
    return sum;
}
#define TOTAL(x, field) total(x, offsetof(struct site, field))

static uint64_t buffers(const struct site_counters *x, size_t field)
{
    uint64_t sum = 0, v;
    for (uint32_t i = 0; i < x->n_buffers; i++) {
        memcpy(&v, (const char *)&x->buffer[i] + field, sizeof v);
        sum += v;
    }
    return sum;
}
#define BUFFERS(x, field) buffers(x, offsetof(struct buffer_counts, field))

static bool equal(const struct metrics *a, const struct metrics *b)
{
    for (uint32_t i = 0; i < METRIC_N; i++)
        if (a->has[i] != b->has[i] || (a->has[i] && a->v[i] != b->v[i])) return false;
    return true;
}

/* Programs with loads, stores, atomics and several buffers, on machines whose L1s merge, send back,
 * keep stores, share scalar caches, or are off. */
static void counts_add_up_and_change_nothing(void **state)
{
    (void)state;
    static const char *const programs[] = {"configs/workloads/quick/bfs.plt",
                                           "configs/workloads/quick/histogram.plt",
                                           "configs/workloads/quick/kmeans.plt"};
    static const struct {
        const char *preset, *set;
        bool looked; /* every access has a look at the L1 of its own */
    } machines[] = {{"rx540", NULL, true},
                    {"hd7770-hpcs15", NULL, false},
                    {"rx540", "l1.enabled=false", false},
                    {"rx540", "l1.mshr.entries=2", true},
                    {"hd7770-pdp16", NULL, false}};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
            struct machine m =
                run_machine(machines[i].preset, &machines[i].set, machines[i].set ? 1 : 0);
            struct program *p = run_open(programs[k], m.sm.warp_width);
            struct counted c;
            count(&m, p, &c);
            struct metrics plain = run_whole(&m, p);
            assert_true(equal(&c.m, &plain));
            uint64_t accesses = TOTAL(&c.sites, accesses);
            assert_true(accesses > 0);
            assert_int_equal(accesses, BUFFERS(&c.sites, reads) + BUFFERS(&c.sites, writes) +
                                           BUFFERS(&c.sites, atomics));
            assert_int_equal(TOTAL(&c.sites, hits), BUFFERS(&c.sites, l1_hits));
            assert_int_equal(TOTAL(&c.sites, misses), BUFFERS(&c.sites, l1_misses));
            if (machines[i].looked) {
                assert_int_equal(accesses, (uint64_t)plain.v[M_l1_accesses]);
                assert_int_equal(TOTAL(&c.sites, hits), (uint64_t)plain.v[M_l1_hits]);
                assert_int_equal(TOTAL(&c.sites, misses), (uint64_t)plain.v[M_l1_misses]);
            }
            assert_int_equal(BUFFERS(&c.sites, l2_reads), (uint64_t)plain.v[M_l2_reads]);
            assert_int_equal(BUFFERS(&c.sites, l2_read_hits), (uint64_t)plain.v[M_l2_read_hits]);
            assert_int_equal(BUFFERS(&c.sites, l2_writes), (uint64_t)plain.v[M_l2_writes]);
            assert_int_equal(BUFFERS(&c.sites, l2_write_hits), (uint64_t)plain.v[M_l2_write_hits]);
            site_counters_fini(&c.sites);
        }
    }
}

/* One warp chases a pointer in one line: one miss, then hits of the configured time. */
static void a_chase_costs_what_its_loads_cost(void **state)
{
    (void)state;
    struct counted c;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p =
        run_program("generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1;\n"
                    "order = \"sequential\"; footprint = 128; stride = 128; iterations = 500;\n"
                    "unroll = 1;\n",
                    m.sm.warp_width);
    const struct site *chase = NULL;
    count(&m, p, &c);
    program_close(p);
    assert_int_equal(c.sites.n_kernels, 1);
    for (uint32_t i = 0; i < c.sites.kernel[0].n; i++)
        if (c.sites.kernel[0].site[i].executions == 500) chase = &c.sites.kernel[0].site[i];
    assert_non_null(chase);
    assert_int_equal(chase->cls, OP_LOAD);
    assert_int_equal(chase->accesses, 500);
    assert_int_equal(chase->misses, 1);
    assert_int_equal(chase->hits, 499);
    assert_int_equal(chase->latency - chase->longest, 499 * (m.sm.memory_latency + m.l1.latency));
    assert_int_equal(c.sites.n_buffers, 1);
    assert_int_equal(c.sites.buffer[0].l2_reads, 1);
    site_counters_fini(&c.sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_add_up_and_change_nothing),
        cmocka_unit_test(a_chase_costs_what_its_loads_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
