/* onchip.c - networks and L2 slices in a whole machine: latency of a mesh to the cycle,
 * ports shared by SMs, banks of the data array, requests sent back, copies, and what the two models
 * of a TITAN V move for sparse accesses (Khairy 2018). */
#include "gpu/machine/params/mesh_layout.h"
#include "tests/support/run.h"

#include <stdio.h>

#define CHASE(iterations)                                                                 \
    "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; order = \"sequential\";" \
    "footprint = 65536; stride = 128; iterations = " #iterations ";"
/* Round and round in what the L2 holds, with many accesses in flight. */
#define LOOP                                                                                 \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta = 8; iterations = " \
    "24; unroll = 4; footprint = \"64KB\";"

static double of(const char *preset, const char *program, const char *const *sets, const char *what)
{
    struct metrics m = run_sets(preset, program, sets);
    return run_value(&m, what);
}

/* --- networks --- */

/* From the second lap on every load hits the L2: what is more than on a crossbar of one cycle is
 * routers and links, there and back. */
static void a_mesh_costs_its_routers_and_links(void **state)
{
    (void)state;
    static const char *const common[] = {"l1.kb=32",   "l1.adaptive=false", "noc.topology=mesh",
                                         "sm.count=1", "l2.banks=1",        "dram.channels=1"};
    static const uint32_t cycles[][2] = {{1, 1}, {2, 1}, {3, 5}};
    for (uint32_t k = 0; k < 3; k++) {
        char router[32], link[32];
        snprintf(router, sizeof router, "noc.router_latency=%u", cycles[k][0]);
        snprintf(link, sizeof link, "noc.link_latency=%u", cycles[k][1]);
        const char *sets[9] = {0};
        memcpy(sets, common, sizeof common);
        sets[6] = router;
        sets[7] = link;
        struct machine m = run_machine("qv100", sets, 8);
        double more =
            of("qv100", CHASE(3072), sets, "cycles") - of("qv100", CHASE(2048), sets, "cycles");
        double one_way = 2.0 * cycles[k][0] + cycles[k][1]; /* two routers, one link */
        assert_near(noc_idle_latency(&m.noc, 1, 1), one_way, 0);
        assert_near(more / 1024,
                    m.sm.memory_latency + m.l1.latency + 2 * one_way + m.l2.extra_latency +
                        m.l2.latency,
                    0);
    }
}

/* Replies with data are what binds: half the ports, twice the time. */
static void sharing_ports_divides_their_rate(void **state)
{
    (void)state;
    const char *const alone[] = {"sm.count=8", "l1.enabled=false", "noc.flit_bytes=16", NULL};
    const char *const pairs[] = {"sm.count=8", "l1.enabled=false", "noc.flit_bytes=16",
                                 "noc.sms_per_port=2", NULL};
    const char *const fours[] = {"sm.count=8", "l1.enabled=false", "noc.flit_bytes=16",
                                 "noc.sms_per_port=4", NULL};
    double one = of("qv100", LOOP, alone, "cycles"), two = of("qv100", LOOP, pairs, "cycles"),
           four = of("qv100", LOOP, fours, "cycles");
    struct metrics m = run_sets("qv100", LOOP, fours);
    /* no port passes more than a flit a cycle */
    assert_true(run_value(&m, "noc.request_flits") <= four * 2);
    assert_true(run_value(&m, "noc.reply_flits") <= four * 2);
    assert_near(four / two, 2, 0.15);
    assert_true(two > one);
}

/* --- the L2 --- */

/* One SM asks for one sector after the other of one slice, all hits but the first lap: each keeps
 * its bank for 6 cycles.  Beside them the run has a beginning and an end, of 1 % with four banks.
 */
static void banks_of_data_pass_one_access_at_a_time(void **state)
{
    (void)state;
    static const char in_order[] =
        "generator = \"stream\"; kernel = \"copy\"; ctas = 4; warps_per_cta = 8; iterations = 48;"
        "unroll = 4; footprint = \"32KB\";";
    static const char *const banks[] = {"l2.data_banks=1", "l2.data_banks=2", "l2.data_banks=4"};
    for (uint32_t k = 0; k < 3; k++) {
        const char *const sets[] = {
            "sm.count=1", "l1.enabled=false", "l2.banks=1",       "dram.channels=1",
            "l2.ports=2", banks[k],           "l2.bank_cycles=6", NULL};
        struct metrics m = run_sets("qv100", in_order, sets);
        double cycles = run_value(&m, "cycles") - 5000; /* the launch */
        assert_near(cycles / run_value(&m, "l2.accesses") * (1 << k) / 6, 1, 0.015);
        assert_true(run_value(&m, "l2.bank_conflicts") > 0.6 * cycles);
    }
    const char *const off[] = {"sm.count=1", NULL};
    struct metrics m = run_sets("qv100", in_order, off);
    double v;
    assert_false(metrics_value(&m, "l2.bank_conflicts", &v));
}

/* Few MSHRs before a slow memory: those refused come again, hits no longer wait behind them. */
static void requests_sent_back_let_others_pass(void **state)
{
    (void)state;
    static const char mixed[] = "generator = \"gather\"; ctas = 32; warps_per_cta = 4; iterations"
                                " = 8; footprint = \"8MB\"; distribution = \"zipf\";"
                                "exponent = 1.2;";
    const char *sets[] = {"sm.count=8",
                          "l1.enabled=false",
                          "dram.extra_latency=4000",
                          "l2.mshr.entries=2",
                          "l2.nack=false",
                          NULL,
                          NULL};
    struct metrics waits = run_sets("qv100", mixed, sets);
    sets[4] = "l2.nack=true";
    struct metrics back = run_sets("qv100", mixed, sets);
    sets[5] = "l2.nack_retry_cycles=3000";
    struct metrics later = run_sets("qv100", mixed, sets);
    sets[3] = "l2.mshr.entries=0";
    sets[5] = "l2.mshr.max_merge=0";
    struct metrics room = run_sets("qv100", mixed, sets);
    assert_near(run_value(&waits, "l2.nacks"), 0, 0);
    assert_near(run_value(&room, "l2.nacks"), 0, 0);
    assert_true(run_value(&back, "l2.nacks") > 3 * run_value(&later, "l2.nacks"));
    assert_true(run_value(&later, "l2.nacks") > 1000);
    assert_near(run_value(&back, "l2.accesses"), run_value(&waits, "l2.accesses"), 0);
    assert_true(run_value(&back, "latency.load_mean") <
                0.6 * run_value(&waits, "latency.load_mean"));
    assert_true(run_value(&later, "cycles") > run_value(&back, "cycles"));
}

/* A read that is sent back may give up its MSHR in the L1: every load is still counted once, and
 * the L1 has entries for others meanwhile. */
static void reads_sent_back_may_give_up_their_mshr(void **state)
{
    (void)state;
    static const char mixed[] = "generator = \"gather\"; ctas = 32; warps_per_cta = 4; iterations"
                                " = 8; footprint = \"4MB\"; distribution = \"zipf\";"
                                "exponent = 0.9;";
    static const char *const managements[] = {"l2.nack=true", "l2.miss_management=conventional"};
    for (uint32_t k = 0; k < 2; k++) {
        const char *sets[] = {"sm.count=8",
                              "l2.banks=4",
                              "dram.channels=4",
                              "l2.mshr.entries=2",
                              "l1.mshr.entries=4",
                              "l1.mshr.max_merge=0",
                              "l2.nack_retry_cycles=400",
                              "l2.sector_bytes=128",
                              "l1.sector_bytes=128",
                              managements[k],
                              "l2.nack_releases_l1_mshr=false",
                              NULL};
        struct metrics keeps = run_sets("qv100", mixed, sets);
        sets[10] = "l2.nack_releases_l1_mshr=true";
        struct metrics gives = run_sets("qv100", mixed, sets);
        assert_true(run_value(&keeps, "l2.nacks") > 500);
        assert_near(run_value(&gives, "l1.accesses"), run_value(&keeps, "l1.accesses"), 0);
        assert_near(run_value(&gives, "l1.reads"), run_value(&keeps, "l1.reads"), 0);
        /* more loads are on their way, and more of them are refused */
        assert_true(run_value(&gives, "l2.nacks") > 1.1 * run_value(&keeps, "l2.nacks"));
    }
}

/* A program from a file, on a TITAN V. */
static struct metrics run_file(const char *file, const char *const *sets, size_t n)
{
    struct machine m = run_machine("titanv", sets, n);
    return run_whole(&m, run_open(file, m.sm.warp_width));
}

static double copied(const char *const *sets, const char *what)
{
    struct metrics m = run_file("configs/workloads/quick/kmeans.plt", sets, 3);
    return run_value(&m, what);
}

/* What a copy left in the L2 spares fetches either way; dirty it costs a write when it leaves. */
static void copies_leave_clean_or_dirty_lines(void **state)
{
    (void)state;
    const char *const cold[] = {"l2.bank_kb=8", "sm.count=16", "l2.copy_warms=false"};
    const char *const clean[] = {"l2.bank_kb=8", "sm.count=16", "l2.copy_warms=true"};
    const char *const dirty[] = {"l2.bank_kb=8", "sm.count=16", "l2.copy_dirty=true"};
    assert_true(copied(clean, "l2.fetches") < copied(cold, "l2.fetches"));
    assert_near(copied(dirty, "l2.fetches"), copied(clean, "l2.fetches"), 0);
    assert_near(copied(clean, "l2.writebacks"), 0, 0); /* its stores stay */
    assert_true(copied(dirty, "l2.writebacks") > 1000);
}

/* --- the old model and the new one --- */

/* Khairy's mb1 (figures 3 and 4): accesses per warp under groups of 8 lanes and 32 bytes, and under
 * 32 lanes and 128 bytes. */
static void strides_give_the_accesses_of_the_rule(void **state)
{
    (void)state;
    static const double new[] = {32, 16, 8, 4, 4, 4}, old[] = {32, 16, 8, 4, 2, 1};
    const char *const none[] = {"sm.count=1", NULL};
    for (uint32_t k = 0; k < 6; k++) {
        char program[160];
        snprintf(program, sizeof program,
                 "generator = \"stride\"; stride = %u; ctas = 1; warps_per_cta = 1;"
                 "iterations = 1;",
                 1u << k);
        assert_near(of("titanv", program, none, "l1.reads"), new[k], 0);
        assert_near(of("titanv-gpgpusim3", program, none, "l1.reads"), old[k], 0);
    }
}

/* Khairy's mb2 (figure 5) in the L2 of a whole machine: write, write, read, read, read of a sector.
 * Lazy fetch on read answers miss, hit, miss, hit, hit; the two other policies hit the first read,
 * one of them having fetched for the first write. */
static void the_store_load_sequence_tells_policies_apart(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double misses, fetched[2]; /* of the sequence; sectors after two writes, after all */
    } want[] = {{"l2.write_miss=lazy_fetch", 2, {0, 1}},
                {"l2.write_miss=validate", 1, {0, 0}},
                {"l2.write_miss=fetch", 1, {1, 1}}};
    for (uint32_t k = 0; k < 3; k++) {
        const char *const sets[] = {"l1.enabled=false", "sm.count=1", want[k].set};
        struct metrics two = run_file("papers/khairy/workloads/khairy/mb2-2", sets, 3),
                       all = run_file("papers/khairy/workloads/khairy/mb2-4", sets, 3);
        assert_near(run_value(&all, "l2.writes"), 2, 0);
        assert_near(run_value(&all, "l2.reads"), 3, 0);
        assert_near(run_value(&two, "l2.misses"), 1, 0); /* the second write adds to the first */
        assert_near(run_value(&all, "l2.misses"), want[k].misses, 0);
        assert_near(run_value(&two, "dram.reads"), want[k].fetched[0], 0);
        assert_near(run_value(&all, "dram.reads"), want[k].fetched[1], 0);
    }
}

/* Four bytes of every line: a sector each, or all of the line. */
static void the_old_model_moves_whole_lines(void **state)
{
    (void)state;
    static const char sparse[] = "generator = \"stride\"; stride = 1; ctas = 16; warps_per_cta = 4;"
                                 "iterations = 4; footprint = 0;";
    const char *const few[] = {"sm.count=8", NULL};
    struct metrics old = run_sets("titanv-gpgpusim3", sparse, few),
                   new = run_sets("titanv", sparse, few);
    double loads = 16 * 4 * 4 * 32;
    assert_near(run_value(&old, "l1.reads"), loads, 0);
    assert_near(run_value(&new, "l1.reads"), loads, 0);
    assert_near(run_value(&new, "dram.bytes"), 32 * loads, 0);
    assert_near(run_value(&old, "dram.bytes"), 4 * 32 * loads, 0);
}

/* Four bytes of every 32 stored: nothing is fetched, or all of the line once. */
static void the_old_model_fetches_for_stores(void **state)
{
    (void)state;
    static const char partial[] = "generator = \"partial\"; kernel = \"once\"; stride = 32; ctas ="
                                  " 16; warps_per_cta = 4; iterations = 4; footprint = 0;";
    const char *const few[] = {"sm.count=8", NULL};
    struct metrics old = run_sets("titanv-gpgpusim3", partial, few),
                   new = run_sets("titanv", partial, few);
    double stores = 16 * 4 * 4 * 32;
    assert_near(run_value(&new, "l2.writes"), stores, 0);
    assert_near(run_value(&new, "dram.reads"), 0, 0);
    /* four stores of a line, one line fetched */
    assert_near(run_value(&old, "l2.bytes_from_memory_per_cycle") * run_value(&old, "cycles"),
                stores / 4 * 128, 1);
}

/* Stores that take a line without a fetch, one block per store and all of one set: whoever has
 * evicted a line must get it, or stores take each other's lines for ever. */
static void stores_to_one_set_get_their_lines(void **state)
{
    (void)state;
    static const char *const sets[] = {"l2.write=through",
                                       "l2.write_miss=validate",
                                       "l2.miss_management=conventional",
                                       "l2.bank_kb=32",
                                       "l2.ways=32",
                                       "l2.clean_victim_notice=true",
                                       "l2.mshr.entries=32",
                                       NULL};
    /* a row of a tile is 256 bytes: four writes of a block */
    assert_near(of("rx540",
                   "generator = \"transpose\"; kernel = \"tiled\"; n = 1024; ctas = 64;"
                   "warps_per_cta = 8; iterations = 4; element_bytes = 4;",
                   sets, "l2.writes"),
                1024 * 1024 * 4 / 64, 0);
}

/* Copies make packets wait in both networks, a chain of loads in neither. */
static void stalls_of_both_networks_are_told_apart(void **state)
{
    (void)state;
    const char *const narrow[] = {"noc.flit_bytes=16", "l1.enabled=false", NULL};
    struct metrics m = run_sets("rx540", LOOP, narrow),
                   chase = run_sets("rx540", CHASE(64), narrow);
    double request = run_value(&m, "noc.request_stall_cycles");
    double reply = run_value(&m, "noc.reply_stall_cycles");
    assert_near(request + reply, run_value(&m, "noc.stall_cycles"), 0);
    assert_true(request > 0 && reply > 0);
    assert_near(run_value(&chase, "noc.request_stall_cycles"), 0, 0); /* a packet at a time */
    assert_near(run_value(&chase, "noc.reply_stall_cycles"), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_costs_its_routers_and_links),
        cmocka_unit_test(sharing_ports_divides_their_rate),
        cmocka_unit_test(banks_of_data_pass_one_access_at_a_time),
        cmocka_unit_test(requests_sent_back_let_others_pass),
        cmocka_unit_test(reads_sent_back_may_give_up_their_mshr),
        cmocka_unit_test(copies_leave_clean_or_dirty_lines),
        cmocka_unit_test(strides_give_the_accesses_of_the_rule),
        cmocka_unit_test(the_store_load_sequence_tells_policies_apart),
        cmocka_unit_test(the_old_model_moves_whole_lines),
        cmocka_unit_test(the_old_model_fetches_for_stores),
        cmocka_unit_test(stores_to_one_set_get_their_lines),
        cmocka_unit_test(stalls_of_both_networks_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
