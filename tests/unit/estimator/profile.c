/* Does a profile count what is in the program, whatever the threads, and does its cache only save
 * time? */
#include "tests/support/estimator_support.h"

#include "estimator/profile/profile_data.h"
#include "gpu/geometry/coalesce.h"
#include "trace/program/cursor.h"

#include <stdio.h>
#include <stdlib.h>

static const char gather[] = "generator = \"gather\"; ctas = 40; warps_per_cta = 2; iterations = 6;"
                             "footprint = \"96KB\"; distribution = \"zipf\"; exponent = 0.7;";

struct counted {
    double instructions, lanes, transactions;
};

/* Reads every warp from beginning to end and coalesces each of its global accesses. */
static struct counted count_all(const struct bed *b)
{
    struct counted n = {0};
    struct error e = {0};
    struct coalesce_params cp = {.bytes = b->m.sm.coalesce_bytes};
    struct reader *r = reader_new(b->p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    static struct txn txn[COALESCE_MAX];
    assert_non_null(r);
    for (uint32_t l = 0; l < program_launches(b->p); l++) {
        const struct launch *launch = program_launch(b->p, l);
        for (uint64_t k = 0; k < launch->ctas * launch->warps_per_cta; k++) {
            assert_true(cursor_seek(&c, r, l, k / launch->warps_per_cta,
                                    (uint32_t)(k % launch->warps_per_cta), 0, &e));
            while (cursor_next(&c, &w, &e) == GOT_INST) {
                n.instructions++;
                n.lanes += __builtin_popcountll(w.mask);
                cp.lanes = coalesce_group(&b->m.sm, w.si->cls);
                if (inst_op_is_global(w.si->cls)) n.transactions += coalesce(&cp, &w, txn);
            }
        }
    }
    cursor_release(&c);
    reader_free(r);
    return n;
}

static void counts_are_those_of_the_program(void **state)
{
    (void)state;
    const char *const machines[] = {"rx540", "qv100"};
    for (uint32_t i = 0; i < 2; i++) {
        struct bed b;
        struct metrics m;
        bed_init(&b, machines[i], gather);
        bed_estimate(&b, &m, NULL);
        struct counted n = count_all(&b);
        assert_near(m.v[M_warp_instructions], n.instructions, 0);
        assert_near(m.v[M_lane_operations], n.lanes, 0);
        assert_near(m.v[M_l1_accesses], n.transactions, 0);
        assert_near(m.v[M_l1_reads] + m.v[M_l1_writes], n.transactions, 0);
        bed_fini(&b);
    }
}

/* The requests have the L2's grain then, whatever the preset's L1 had; with requests twice as large
 * this gather would take nearly twice as long on qv100. */
static void without_an_l1_every_load_reaches_the_l2(void **state)
{
    (void)state;
    static const char *const machines[] = {"rx540", "qv100"};
    static const char *const off[] = {"l1.enabled=false"};
    for (unsigned i = 0; i < 2; i++) {
        struct bed b, with;
        struct metrics m;
        bed_machine(&b, machines[i], off, 1);
        bed_program(&b, gather);
        bed_profile(&b, 2, false);
        bed_estimate(&b, &m, NULL);
        assert_near(m.v[M_l1_read_hits], 0, 0);
        assert_near(m.v[M_l2_reads], m.v[M_l1_reads], 0.5);
        bed_init(&with, machines[i], gather);
        double ratio = m.v[M_cycles] / bed_cycles(&with);
        assert_true(ratio > 0.7 && ratio < 1.3);
        bed_fini(&with);
        bed_fini(&b);
    }
}

/* Each line is fetched once however many SMs read it: the L2 holds all. */
static void cold_misses_are_the_footprint(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    bed_init(&b, "rx540",
             "generator = \"reduction\"; ctas = 32; warps_per_cta = 4; iterations = 8; unroll = 2;"
             "footprint = \"128KB\";");
    bed_estimate(&b, &m, NULL);
    assert_in_range((uint64_t)m.v[M_dram_reads], 128 * 1024 / 64, 128 * 1024 / 64 + 40);
    bed_fini(&b);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct bed one, four;
    struct metrics a, b;
    bed_machine(&one, "rx540", NULL, 0);
    bed_program(&one, gather);
    four = one;
    bed_profile(&one, 1, false);
    bed_profile(&four, 4, false);
    bed_estimate(&one, &a, NULL);
    bed_estimate(&four, &b, NULL);
    assert_memory_equal(a.v, b.v, sizeof a.v);
    profile_free(four.f);
    bed_fini(&one);
}

/* Spoils one byte of the only profile in the cache. */
static void spoil_cache(long at)
{
    char command[256];
    snprintf(command, sizeof command,
             "for f in '%s'/plumb/*.profile; do printf '\\377\\377' | dd of=\"$f\" bs=1 seek=%ld "
             "conv=notrunc "
             "2>/dev/null; done",
             folder_path, at);
    assert_int_equal(system(command), 0);
}

static void the_disk_cache_only_saves_time(void **state)
{
    (void)state;
    const long at[] = {0, 9, 70, 400};
    struct bed b;
    struct metrics fresh, cached;
    setenv("XDG_CACHE_HOME", folder_path, 1);
    bed_machine(&b, "rx540", NULL, 0);
    bed_program(&b, gather);
    bed_profile(&b, 1, false);
    bed_estimate(&b, &fresh, NULL);
    for (uint32_t i = 0; i < 6; i++) { /* made; read; then four times spoilt and made again */
        if (i >= 2) spoil_cache(at[i - 2]);
        profile_free(b.f);
        bed_profile(&b, 1, true);
        bed_estimate(&b, &cached, NULL);
        assert_memory_equal(fresh.v, cached.v, sizeof fresh.v);
    }
    unsetenv("XDG_CACHE_HOME");
    bed_fini(&b);
}

static void a_profile_for_another_view_is_refused(void **state)
{
    (void)state;
    struct bed b;
    struct metrics m;
    struct error e = {0};
    bed_init(&b, "rx540", gather);
    b.m.sm.count = 7;
    struct est_params p = bed_params(&b);
    assert_false(estimate(b.f, NULL, &p, &m, NULL, &e));
    assert_contains(e.text, "another view");
    bed_fini(&b);
}

/* Each of the 8 warps of a CTA waits for its part of the tiles before the barrier of each of 16
 * steps; without barriers no warp waits with another. */
static void warps_that_barriers_bring_together_are_counted(void **state)
{
    (void)state;
    static const char tiles[] = "generator = \"tiled_matmul\"; n = 256; tile = 64; stages = 1;"
                                "ctas = 16; warps_per_cta = 8; iterations = 16; unroll = 4;";
    struct bed b;
    bed_init(&b, "qv100", tiles);
    assert_near(profile_launch(b.f, 0)->wait_pairs, 16 * 16 * 8 * 7, 0);
    bed_fini(&b);
    bed_init(&b, "qv100", gather);
    assert_true(profile_launch(b.f, 0)->waits > 0);
    assert_near(profile_launch(b.f, 0)->wait_pairs, 0, 0);
    bed_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_program),
        cmocka_unit_test(without_an_l1_every_load_reaches_the_l2),
        cmocka_unit_test(cold_misses_are_the_footprint),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(warps_that_barriers_bring_together_are_counted),
        cmocka_unit_test(the_disk_cache_only_saves_time),
        cmocka_unit_test(a_profile_for_another_view_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
