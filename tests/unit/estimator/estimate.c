/* Is an estimate what pencil and paper say where they can, and does it move the right way
 * elsewhere? */
#include "tests/support/estimator_support.h"

#include "base/memory/alloc.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

static const char stream[] =
    "generator = \"stream\"; ctas = 96; warps_per_cta = 4; iterations = 4; unroll = 2;"
    "footprint = \"2MB\";";
static const char loop[] = "generator = \"gather\"; ctas = 48; warps_per_cta = 4; iterations = 6;"
                           "footprint = \"1MB\"; distribution = \"zipf\"; exponent = 0.8;";

static double clock_ratio(const struct est_params *e, enum clock_domain d)
{
    return (double)e->clocks.period[d] / (double)e->clocks.period[CLOCK_CORE];
}

/* A load that finds its bank with another row open, step by step. */
static double memory_latency(const struct bed *b)
{
    struct est_params e = bed_params(b);
    const struct dram_timing *t = &e.dram->t;
    double flit =
        ceil((double)(e.noc->header_bytes + e.l1->cache.sector_bytes) / e.noc->flit_bytes);
    double noc = (2.0 * e.noc->latency + flit - 1) * clock_ratio(&e, CLOCK_NOC);
    double l2 = (e.l2->extra_latency + e.l2->latency) * clock_ratio(&e, CLOCK_L2);
    double device =
        t->tRP + t->tRCDRD + t->tCL + (double)e.dram->burst_length / e.dram->beats_per_clock;
    return e.sm->memory_latency + e.l1->latency + noc + l2 + e.dram->extra_latency +
           device * clock_ratio(&e, CLOCK_DRAM);
}

static void a_pointer_chase_takes_the_sum_of_latencies(void **state)
{
    (void)state;
    const char *const machines[] = {"rx540", "qv100"};
    for (uint32_t i = 0; i < 2; i++) {
        struct bed b;
        bed_init(&b, machines[i],
                 "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; iterations = 300;"
                 "footprint = \"64MB\"; stride = 4096; order = \"scattered\";");
        double want = 300 * memory_latency(&b) + b.m.sm.launch_cycles;
        assert_near(bed_cycles(&b) / want, 1,
                    0.07); /* and a few cycles of the loop around each load */
        /* a bank that was never opened takes no precharge */
        struct est_params e = bed_params(&b);
        double precharges = 300 * e.dram->t.tRP * clock_ratio(&e, CLOCK_DRAM);
        assert_true(bed_cycles(&b) >= want - precharges);
        bed_fini(&b);
    }
}

static void a_stream_takes_its_bytes_over_the_bandwidth(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    struct explanation x;
    bed_init(&b, "rx540",
             "generator = \"reduction\"; ctas = 96; warps_per_cta = 8; iterations = 4; unroll = 4;"
             "footprint = \"16MB\";");
    bed_estimate(&b, &m, &x);
    const struct dram_params *d = &b.m.dram;
    double peak = d->channels * (double)d->bus_bytes * d->beats_per_clock * d->clock_mhz / 1e3;
    assert_true(m.v[M_dram_bandwidth] <= peak);
    assert_true(m.v[M_dram_bandwidth] >= 0.55 * peak); /* the cycle model: 0.69 */
    assert_string_equal(x.bottleneck, "dram");
    bed_fini(&b);
}

static void arithmetic_takes_its_issue_slots(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    struct explanation x;
    bed_init(&b, "rx540",
             "generator = \"stream\"; ctas = 320; warps_per_cta = 4; iterations = 2; unroll = 1;"
             "arithmetic = 60; footprint = \"64KB\"; registers = 16;");
    bed_estimate(&b, &m, &x);
    /* 60 operations of 4 cycles, twice, by 1,280 warps on 32 SIMD units */
    double busiest = 60.0 * 4 * 2 * 1280 / 32;
    assert_true(m.v[M_cycles] >= busiest);
    assert_true(m.v[M_cycles] <= 1.1 * busiest);
    assert_string_equal(x.bottleneck, "units");
    bed_fini(&b);
}

/* Sweeps a parameter; every step must not make `path` larger (sign -1) or smaller (+1). */
static void moves(struct bed *b, const char *const *sets, size_t n, enum metric what, int sign)
{
    double before = sign < 0 ? INFINITY : 0;
    for (size_t i = 0; i < n; i++) {
        struct metrics m;
        bed_set(b, sets[i]);
        bed_estimate(b, &m, NULL);
        double v = m.v[what];
        if (sign < 0)
            assert_true(v <= before * 1.0001 + 1e-6);
        else
            assert_true(v >= before * 0.9999 - 1e-6);
        before = v;
    }
}

static void more_never_hurts(void **state)
{
    (void)state;
    static const char *const clock[] = {"dram.clock_mhz=600", "dram.clock_mhz=900",
                                        "dram.clock_mhz=1200", "dram.clock_mhz=1500",
                                        "dram.clock_mhz=3000"};
    static const char *const l2[] = {"l2.bank_kb=64", "l2.bank_kb=128", "l2.bank_kb=256",
                                     "l2.bank_kb=512", "l2.bank_kb=1024"};
    static const char *const mshr[] = {"l1.mshr.entries=2",  "l1.mshr.entries=4",
                                       "l1.mshr.entries=8",  "l1.mshr.entries=16",
                                       "l1.mshr.entries=64", "l1.mshr.entries=1000"};
    /* of one profile: in the cycle model, too, farther slices may help by the order of warps */
    static const char *const slow[] = {"l2.latency=4", "l2.latency=8", "l2.latency=12",
                                       "l2.latency=14"};
    const char *const programs[] = {stream, loop};
    for (uint32_t i = 0; i < 2; i++) {
        struct bed b;
        bed_init(&b, "rx540", programs[i]);
        moves(&b, clock, 5, M_cycles, -1);
        bed_set(&b, "dram.clock_mhz=1500");
        moves(&b, l2, 5, M_l2_misses, -1);
        bed_set(&b, "l2.bank_kb=256");
        moves(&b, mshr, 6, M_cycles, -1);
        bed_set(&b, "l1.mshr.entries=0");
        moves(&b, slow, 4, M_cycles, +1);
        bed_fini(&b);
    }
}

static void shares_are_shares(void **state)
{
    (void)state;
    const char *const machines[] = {"rx540", "qv100"}, *const programs[] = {stream, loop};
    for (uint32_t i = 0; i < 4; i++) {
        struct bed b;
        struct metrics m;
        struct explanation x;
        bed_init(&b, machines[i / 2], programs[i % 2]);
        bed_estimate(&b, &m, &x);
        assert_non_null(x.bottleneck);
        for (uint32_t k = 0; k < x.n; k++) {
            assert_true(x.station[k].utilization >= 0 && x.station[k].utilization <= 1);
            assert_true(x.station[k].gain >= 0 && x.station[k].gain <= 1);
        }
        bed_fini(&b);
    }
}

static void launches_add_up(void **state)
{
    (void)state;
    struct bed b;
    struct error e = {0};
    double cycles[3];
    bed_init(&b, "qv100",
             "generator = \"stream\"; launches = 3; ctas = 64; warps_per_cta = 2; iterations = 4;"
             "footprint = \"512KB\";");
    struct est_params p = bed_params(&b);
    assert_int_equal(profile_launches(b.f), 3);
    assert_true(estimate_launches(b.f, &p, cycles, &e));
    assert_near(cycles[0] + cycles[1] + cycles[2], bed_cycles(&b), 1e-6 * cycles[0]);
    assert_true(cycles[1] < cycles[0]); /* the L2 is warm by then */
    for (uint32_t i = 0; i < 3; i++) {
        struct scope one = {i, 1};
        struct metrics m;
        assert_true(estimate(b.f, &one, &p, &m, NULL, &e));
        assert_near(m.v[M_cycles], cycles[i], 1e-6 * cycles[i]);
    }
    bed_fini(&b);
}

static void *cycles_in_a_thread(void *bed)
{
    static double cycles; /* one thread at a time */
    cycles = bed_cycles(bed);
    return &cycles;
}

/* What is kept between estimates, per thread, must never show. */
static void answers_do_not_depend_on_those_before(void **state)
{
    (void)state;
    static const char *const sets[] = {"l2.bank_kb=64", "l2.bank_kb=256", "dram.channels=2",
                                       "dram.channels=4"};
    enum { N = sizeof sets / sizeof sets[0] };
    struct bed b;
    double first[N];
    bed_init(&b, "rx540", loop);
    bed_set(&b, sets[N - 1]);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < N; i++) {
            pthread_t cold;
            void *other;
            bed_set(&b, sets[i]);
            double now = bed_cycles(&b);
            assert_int_equal(pthread_create(&cold, NULL, cycles_in_a_thread, &b), 0);
            assert_int_equal(pthread_join(cold, &other), 0);
            assert_near(*(double *)other, now, 0);
            if (round == 0)
                first[i] = now;
            else
                assert_near(now, first[i], 0);
        }
    assert_true(first[1] != first[2]);
    bed_fini(&b);
}

/* Marks the rows that an estimate of that machine names. */
static void mark_named(const char *const *sets, size_t n, bool *named)
{
    struct bed b;
    struct metrics m;
    struct explanation x = {0};
    bed_machine(&b, "rx540", sets, n);
    bed_program(&b, loop);
    bed_profile(&b, 2, false);
    bed_estimate(&b, &m, &x);
    uint32_t all;
    char **path = machine_paths(&all);
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t k = 0; k < x.n_not_modelled; k++)
            named[i] |= strcmp(path[i], x.not_modelled[k]) == 0;
    mem_free(path);
    bed_fini(&b);
}

#define SECOND_MEMORY "pages.placement=interleaved", "dram[1].set=ddr3-1600"

/* What else a parameter needs, its `when` or more; NULL: nothing. */
static const char *companion_of(const struct param *p)
{
    if (strcmp(p->full_path, "cpu.cache_kb") == 0) return "l3.kb=4096";
    if (strcmp(p->full_path, "coherence.l1_victim") == 0) return "coherence.protocol=nmoesi";
    return strcmp(p->full_path, "dram.cpu_first") == 0 ? "cpu.programs=gcc" : p->when;
}

/* Turns a parameter without a term to its last choice, to true, or to its highest value, where it
 * may be set. */
static void turn_alone(const struct param *p, bool *named)
{
    char value[2 * PARAM_TEXT_MAX];
    const struct choice *c = p->choices;
    while (c && c[1].name)
        c++;
    if (c)
        snprintf(value, sizeof value, "%s=%s", p->full_path, c->name);
    else if (p->type == PARAM_BOOL)
        snprintf(value, sizeof value, "%s=true", p->full_path);
    else
        snprintf(value, sizeof value, "%s=%.0f", p->full_path, p->hi);
    const char *with = companion_of(p);
    const char *const sets[] = {value, with};
    const char *const second[] = {SECOND_MEMORY, value};
    if (strncmp(p->full_path, "dram[1].", 8) == 0)
        mark_named(second, sizeof second / sizeof *second, named);
    else
        mark_named(sets, with ? 2 : 1, named);
}

/* Makes every gap between commands longer than the pieces that are replayed, without refresh, which
 * would not fit. */
static void mark_long_gaps(const char *memory, bool *named)
{
    static const char *const gap[] = {"tRC",  "tCCD_S", "tCCD_L", "tRRD_S", "tRRD_L",
                                      "tFAW", "t32AW",  "tWTR_S", "tWTR_L", "tWR",
                                      "tRTP", "tRTRS",  "tRTW",   "tPPD"};
    enum { GAPS = sizeof gap / sizeof *gap };
    char text[GAPS + 1][PARAM_TEXT_MAX];
    const char *sets[GAPS + 3] = {SECOND_MEMORY, text[GAPS]};
    snprintf(text[GAPS], PARAM_TEXT_MAX, "%s.timing.tREFI=0", memory);
    for (uint32_t i = 0; i < GAPS; i++) {
        snprintf(text[i], PARAM_TEXT_MAX, "%s.timing.%s=900000", memory, gap[i]);
        sets[3 + i] = text[i];
    }
    mark_named(sets, GAPS + 3, named);
}

/* Rows say which parameters have no term, or one in part: all of these are named once they are off
 * their defaults (and beyond the term), and no others. */
static void what_has_no_term_is_named(void **state)
{
    static const char *const beyond[] = {
        "l1.frc.entries=16",         "l1.merge_stores=true",
        "l1.merge_stores_with=last", "l1.banks=4",
        "l1.bank_index=xor",         "l1.access_queue=8",
        "l1.mshr.entries=16",        "l1.mshr.wait_aside=true",
        "tlb.l1_entries=64",         "noc.sm_spread=8",
        "noc.slice_spread=8",        "sm.vmb_entries=2",
        "l1.replacement=drrip",      "l2.replacement=drrip",
        "l2.nack_retry_cycles=100",  "register_file.cells=racetrack"};
    static const char *const several[] = {"l2.miss_management=replace_at_once", "l2.partitions=2",
                                          "l2.partition_home=memory"};
    uint32_t n;
    char **path = machine_paths(&n);
    bool *named = mem_new(n, sizeof *named);
    (void)state;
    assert_true(path && named);
    mark_named(beyond, sizeof beyond / sizeof beyond[0], named);
    mark_long_gaps("dram", named);
    mark_long_gaps("dram[1]", named);
    mark_named(several, sizeof several / sizeof several[0], named);
    for (uint32_t i = 0; i < n; i++) {
        const struct param *p = machine_find_param(path[i], NULL, NULL);
        if (p->term == PARAM_NO_TERM) turn_alone(p, named);
    }
    for (uint32_t i = 0; i < n; i++) {
        enum param_term term = machine_find_param(path[i], NULL, NULL)->term;
        if (named[i] != (term == PARAM_NO_TERM || term == PARAM_PARTLY))
            fail_msg("%s is %snamed in not_modelled", path[i], named[i] ? "" : "not ");
    }
    mem_free(named);
    mem_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_those_before),
        cmocka_unit_test(a_pointer_chase_takes_the_sum_of_latencies),
        cmocka_unit_test(a_stream_takes_its_bytes_over_the_bandwidth),
        cmocka_unit_test(arithmetic_takes_its_issue_slots),
        cmocka_unit_test(more_never_hurts),
        cmocka_unit_test(shares_are_shares),
        cmocka_unit_test(launches_add_up),
        cmocka_unit_test(what_has_no_term_is_named),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
