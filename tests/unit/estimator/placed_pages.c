/* Where pages lie, in profiles and in estimates: whose banks a page is in, which memory it is in,
 * what two memories take and cost. */
#include "tests/support/estimator_support.h"
#include "tests/support/patterns.h"

#include "estimator/dram/placed_pages.h"
#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"
#include "sampler/strata/est_params.h"

#include <stdlib.h>

enum { PAGE = 4096, SMS = 8, OWN_PAGES = 2, LINES = PAGE / LINE };

/* Each of eight CTAs reads its own two pages, line by line. */
static void own_pages(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = BASE + (uint64_t)PAGE * (cta + SMS * (step / LINES)) + LINE * (step % LINES);
    pattern_vector(w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 4},
                   width);
}

static const struct pattern owners = {
    .launches = 1, .ctas = SMS, .warps = 1, .steps = OWN_PAGES * LINES, .step = own_pages};

/* Warps that read one line after the other, 2 MB in all. */
static void streams(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = BASE + (uint64_t)LINE * ((step * 64u + cta) * 16u + warp);
    pattern_vector(w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 4},
                   width);
}

static const struct pattern stream = {
    .launches = 1, .ctas = 64, .warps = 16, .steps = 16, .step = streams};

static void bed_pattern(struct bed *b, const char *machine, const struct pattern *p,
                        const char *const *sets)
{
    size_t n = 0;
    while (sets && sets[n])
        n++;
    bed_machine(b, machine, sets, n);
    b->p = pattern_program(p, b->m.sm.warp_width);
    bed_profile(b, 2, false);
}
#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct metrics ask(const char *machine, const struct pattern *p, const char *const *sets)
{
    struct bed b;
    struct metrics m;
    bed_pattern(&b, machine, p, sets);
    bed_estimate(&b, &m, NULL);
    bed_fini(&b);
    return m;
}

static struct metrics ask_text(const char *machine, const char *program, const char *const *sets)
{
    struct bed b;
    struct metrics m;
    size_t n = 0;
    while (sets && sets[n])
        n++;
    bed_machine(&b, machine, sets, n);
    bed_program(&b, program);
    bed_profile(&b, 2, false);
    bed_estimate(&b, &m, NULL);
    bed_fini(&b);
    return m;
}

static double value_of(const struct metrics *m, const char *path)
{
    double v = -1;
    assert_true(metrics_value(m, path, &v));
    return v;
}

/* --- profiles --- */

/* Samples have physical addresses: each page its own frame, in the order of first touches. */
static void a_profile_sees_frames_in_the_order_of_first_touches(void **state)
{
    (void)state;
    struct bed b;
    bool seen[SMS * OWN_PAGES] = {false};
    bed_pattern(&b, "gem5gpu-temp", &owners, NULL);
    const struct spread_sample *s = &profile_samples(b.f, 0)->spread;
    assert_int_equal(s->n, SMS * OWN_PAGES * LINES);
    for (uint32_t i = 0; i < s->n; i++) {
        assert_in_range(s->at[i].addr, 0, SMS * OWN_PAGES * PAGE - 1);
        /* all first pages are touched before any second one */
        assert_int_equal(s->at[i].addr / PAGE / SMS, i / (s->n / OWN_PAGES));
        seen[s->at[i].addr / PAGE] = true;
    }
    for (uint32_t i = 0; i < SMS * OWN_PAGES; i++)
        assert_true(seen[i]);
    const struct line_sample *lines = &profile_samples(b.f, 0)->lines;
    for (uint32_t i = 0; i < lines->n[0]; i++)
        assert_in_range(lines->at[0][i].line, 0, SMS * OWN_PAGES * LINES - 1);
    bed_fini(&b);
}

/* Which parameters of the memory a profile depends on: frames in order only on the capacity. */
static void a_profile_serves_memories_that_place_pages_alike(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *set;
        bool same;
    } turns[] = {
        {"gem5gpu-temp", "dram.timing.tCL=20", true},
        {"gem5gpu-temp", "dram.mapping=row:bank:channel:column", true},
        {"gem5gpu-temp", "dram.rows=4096", false},
        {"gem5gpu-temp", "pages.kb=8", false},
        {"gem5gpu-temp", "pages.placement=interleaved", false},
        {"gem5gpu-temp-temp", "dram.timing.tCL=20", true},
        {"gem5gpu-temp-temp", "dram.banks_per_group=8", false},
        {"gem5gpu-temp-bw", "dram.timing.tCL=20", true},
        {"gem5gpu-temp-bw", "dram[1].clock_mhz=900.0", false},
        {"gtx480", "dram.banks_per_group=8", true},
    };
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct bed a, b;
        bed_machine(&a, turns[i].machine, NULL, 0);
        bed_machine(&b, turns[i].machine, &turns[i].set, 1);
        struct profile_view v = est_view_of(&a.m), w = est_view_of(&b.m);
        if (profile_view_equal(&v, &w) != turns[i].same ||
            digest_equal(profile_view_digest(&v), profile_view_digest(&w)) != turns[i].same)
            fail_msg("%s: %s", turns[i].machine, turns[i].set);
    }
}

static void a_profile_from_disk_places_pages_alike(void **state)
{
    (void)state;
    struct bed b;
    struct metrics fresh, kept;
    setenv("XDG_CACHE_HOME", folder_path, 1);
    bed_machine(&b, "gem5gpu-temp-temp", NULL, 0);
    b.p = pattern_program(&owners, b.m.sm.warp_width);
    bed_profile(&b, 1, true);
    bed_estimate(&b, &fresh, NULL);
    profile_free(b.f);
    bed_profile(&b, 1, true);
    bed_estimate(&b, &kept, NULL);
    assert_memory_equal(fresh.v, kept.v, sizeof fresh.v);
    bed_fini(&b);
}

/* --- banks --- */

/* In order, eight frames fill an SM's banks: the first pages of all SMs lie in those of SM 0, the
 * second ones in those of SM 1. */
static void local_accesses_are_those_to_own_banks(void **state)
{
    (void)state;
    struct metrics m = ask("gem5gpu-temp", &owners, NULL);
    assert_near(value_of(&m, "dram.local_ratio"), 1.0 / SMS, 1e-9);
    m = ask("gem5gpu-temp-temp", &owners, NULL);
    assert_near(value_of(&m, "dram.local_ratio"), 1, 1e-9);
    m = ask("gtx480", &owners, NULL);
    assert_false(m.has[M_dram_local_ratio]);
}

/* What one SM reads lies in two banks of each channel then: its loads wait for each other's rows.
 */
static void an_sm_alone_waits_for_its_own_banks(void **state)
{
    (void)state;
    const char one_cta[] = "generator = \"gather\"; ctas = 1; warps_per_cta = 32; iterations = 16;"
                           "footprint = \"32MB\"; distribution = \"uniform\";";
    struct metrics all = ask_text("gem5gpu-temp", one_cta, NULL),
                   own = ask_text("gem5gpu-temp-temp", one_cta, NULL);
    assert_true(value_of(&own, "dram.blp") > 1.2 && value_of(&own, "dram.blp") <= 2);
    assert_true(value_of(&own, "dram.latency") > 1.4 * value_of(&all, "dram.latency"));
    assert_true(value_of(&own, "cycles") > 1.02 * value_of(&all, "cycles"));
}

/* --- two memories --- */

static struct placement_shares shares_on(const char *placement)
{
    struct bed b;
    struct error e = {0};
    struct map map;
    bed_pattern(&b, "gem5gpu-temp", &stream, SETS(placement));
    struct est_params p = bed_params(&b);
    assert_true(map_init(&map, &b.m.l2, &b.m.dram, &e));
    map.second = true;
    struct placed_pages *pages = placed_pages_new(&p, &map, &e);
    assert_non_null(pages);
    struct placement_shares s = placed_pages_shares(pages, &profile_samples(b.f, 0)->spread, 0, 0);
    placed_pages_free(pages);
    bed_fini(&b);
    return s;
}

static void the_placement_shares_the_accesses_out(void **state)
{
    (void)state;
    assert_near(shares_on("pages.placement=local").second, 0, 0);
    assert_near(shares_on("pages.placement=interleaved").second, 0.5, 0.01);
    double first = 2 * 924e6 * 4 * 8, second = 800e6 * 2 * 8;
    assert_near(shares_on("pages.placement=bandwidth_aware").second, second / (first + second),
                0.01);
}

/* A chase whose loads find closed rows: the mean of two latencies. */
static void a_chase_takes_the_mean_of_the_latencies(void **state)
{
    (void)state;
    const char chase[] =
        "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; iterations = 300;"
        "footprint = \"64MB\"; stride = 4096; order = \"scattered\";";
    struct metrics near = ask_text("gem5gpu-temp", chase, SETS("dram[1].extra_latency=1000")),
                   both =
                       ask_text("gem5gpu-temp", chase,
                                SETS("dram[1].extra_latency=1000", "pages.placement=interleaved"));
    const double core = 600e6, first = 12 + 12 + 12 + 2, second = 11 + 11 + 11 + 4;
    double more = 1000 + second * core / 800e6 - (80 + first * core / 924e6);
    assert_near((value_of(&both, "cycles") - value_of(&near, "cycles")) / 300, 0.5 * more,
                0.04 * more);
}

/* What else the presets have; channels change every 256 bytes. */
#define CHANNELS_IN_PAGES "mapping=row:bank:column[5]:channel:column"
#define IN_ORDER "tlb.l1_entries=0", "l2.index=modulo", "dram." CHANNELS_IN_PAGES

/* Two memories of the same kind are one with as many channels, but for what pieces of two streams
 * say of rows. */
static void equal_memories_are_one(void **state)
{
    (void)state;
    const char copies[] = "generator = \"stream\"; ctas = 96; warps_per_cta = 8; iterations = 16;"
                          "unroll = 2; footprint = \"12MB\";";
    struct metrics half = ask_text("gem5gpu-temp", copies, SETS(IN_ORDER));
    struct metrics two = ask_text(
        "gem5gpu-temp", copies,
        SETS(IN_ORDER, "dram[1].set=gddr5-temp", "dram[1].extra_latency=80", "dram[1].channels=2",
             "dram[1]." CHANNELS_IN_PAGES, "pages.placement=interleaved"));
    struct metrics one = ask_text("gem5gpu-temp", copies, SETS(IN_ORDER, "dram.channels=4"));
    assert_near(value_of(&two, "cycles") / value_of(&one, "cycles"), 1, 0.17);
    assert_true(value_of(&two, "cycles") < 0.8 * value_of(&half, "cycles"));
    /* pages of two memories meet other sets of the L2 */
    double bytes = value_of(&half, "dram.bytes"),
           busy = value_of(&half, "dram.utilization") * value_of(&half, "cycles") * 3;
    assert_near(value_of(&two, "dram.bytes"), bytes, 1e-3 * bytes);
    assert_near(value_of(&two, "dram.utilization") * value_of(&two, "cycles") * 4, busy,
                1e-3 * busy);
}

/* Memories of fixed bandwidths: the one that is given more than it can take says how long it
 * takes. */
static void the_slower_memory_is_the_limit(void **state)
{
    (void)state;
    struct metrics m =
        ask("gem5gpu-temp", &stream,
            SETS("pages.placement=interleaved", "dram.model=fixed", "dram.fixed_gbps=16",
                 "dram[1].model=fixed", "dram[1].fixed_gbps=4"));
    double us = 0.5 * value_of(&m, "dram.bytes") / 4e3;
    assert_near(value_of(&m, "time_us") / us, 1, 0.1);
}

/* Nothing goes there: the time is the same, the energy that of a rank with closed rows. */
static void an_idle_memory_costs_its_background(void **state)
{
    (void)state;
    struct metrics with = ask("gem5gpu-temp", &stream, NULL),
                   without = ask("gem5gpu-temp", &stream, SETS("dram[1].channels=0"));
    double us = value_of(&with, "time_us");
    assert_near(us, value_of(&without, "time_us"), 0);
    double background = value_of(&with, "dram.energy_mj.background") -
                        value_of(&without, "dram.energy_mj.background");
    double refreshes =
        value_of(&with, "dram.energy_mj.refresh") - value_of(&without, "dram.energy_mj.refresh");
    assert_near(background, 820.8 * us * 1e-6, 1e-9);
    assert_near(refreshes, us / 7.8 * 746702.5e-9, 1e-9);
    assert_near(value_of(&with, "dram.energy_mj.read"), value_of(&without, "dram.energy_mj.read"),
                0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_sees_frames_in_the_order_of_first_touches),
        cmocka_unit_test(a_profile_serves_memories_that_place_pages_alike),
        cmocka_unit_test(a_profile_from_disk_places_pages_alike),
        cmocka_unit_test(local_accesses_are_those_to_own_banks),
        cmocka_unit_test(an_sm_alone_waits_for_its_own_banks),
        cmocka_unit_test(the_placement_shares_the_accesses_out),
        cmocka_unit_test(a_chase_takes_the_mean_of_the_latencies),
        cmocka_unit_test(equal_memories_are_one),
        cmocka_unit_test(the_slower_memory_is_the_limit),
        cmocka_unit_test(an_idle_memory_costs_its_background),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
