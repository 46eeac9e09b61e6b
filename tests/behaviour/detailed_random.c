/* detailed_random.c - random machines x random programs.  In builds with PLUMB_CHECKS the cycle
 * model checks its conservation laws and its shadow memory on the way; here what can be known from
 * outside is checked. */
#include "base/mem.h"
#include "base/rng.h"
#include "detailed/warm.h"
#include "tests/behaviour/run.h"
#include "trace/writer.h"

enum { RUNS = 150, SETS_MAX = 40 };

struct choice_of {
    const char *path;
    const char *values[6];
};

/* Choices that do not exclude each other; what machine_check refuses is counted and drawn again. */
static const struct choice_of choices[] = {
    {"sm.count", {"1", "2", "3", "7"}},
    {"sm.scheduler", {"\"lrr\"", "\"gto\""}},
    {"sm.cta_binding", {"\"warps_round_robin\"", "\"one_subcore\""}},
    {"sm.memory_wait", {"\"block\"", "\"wait_all_at_use\"", "\"scoreboard\""}},
    {"sm.nonblocking_stores", {"true", "false"}},
    {"sm.vmb_entries", {"0", "1", "4", "32"}},
    {"sm.memory_latency", {"1", "4"}},
    {"sm.coalesce_bytes", {"16", "32", "64", "128"}},
    {"sm.coalesce_lanes", {"8", "32"}},
    {"l1.enabled", {"true", "true", "false"}},
    {"l1.alloc", {"\"on_miss\"", "\"on_fill\""}},
    {"l1.write", {"\"through\"", "\"back\""}},
    {"l1.write_miss", {"\"no_allocate\"", "\"validate\"", "\"lazy_fetch\""}},
    {"l1.mshr.entries", {"0", "1", "8"}},
    {"l1.mshr.max_merge", {"0", "1", "4"}},
    {"l1.latency", {"1", "20"}},
    {"l1.ports", {"1", "4"}},
    {"l1.miss_queue", {"1", "2", "16"}},
    {"l1.flush_at_launch", {"true", "false"}},
    {"l2.alloc", {"\"on_miss\"", "\"on_miss\"", "\"on_fill\""}},
    {"l2.write", {"\"back\"", "\"through\""}},
    {"l2.write_miss", {"\"no_allocate\"", "\"validate\"", "\"lazy_fetch\"", "\"fetch\""}},
    {"l2.miss_management", {"\"replace_at_once\"", "\"conventional\""}},
    {"l2.mshr.entries", {"0", "1", "4", "64"}},
    {"l2.mshr.max_merge", {"0", "1", "4"}},
    {"l2.bank_kb", {"16", "48", "64"}},
    {"l2.sector_bytes", {"64", "128"}},
    {"l2.slice_hash", {"\"modulo\"", "\"xor\""}},
    {"l2.miss_queue", {"1", "8"}},
    {"l2.reply_queue", {"1", "16"}},
    {"l2.input_queue", {"1", "16"}},
    {"noc.latency", {"2", "9"}},
    {"noc.input_queue", {"1", "4"}},
    {"noc.output_queue", {"1", "4"}},
    {"dram.model", {"\"banks\"", "\"banks\"", "\"fixed\""}},
    {"clock.noc_mhz", {"700.0", "1200.0"}},
    {"clock.l2_mhz", {"900.0", "1200.0"}},
};

static const char *const programs[] = {
    "generator = \"stream\"; ctas = 20; warps_per_cta = 3; iterations = 3; launches = 2;"
    "footprint = \"64KB\";",
    "generator = \"gather\"; ctas = 12; warps_per_cta = 2; iterations = 3; unroll = 2;"
    "footprint = \"48KB\";",
    "generator = \"gather\"; ctas = 8; warps_per_cta = 4; iterations = 2; footprint = \"1MB\";"
    "distribution = \"zipf\";",
    "generator = \"reduction\"; ctas = 9; warps_per_cta = 4; launches = 2;",
    "generator = \"pointer_chase\"; ctas = 6; warps_per_cta = 2; footprint = \"32KB\";"
    "stride = 64; iterations = 40;",
};

/* A program that no generator makes: every warp reads, writes and updates the same few lines, with
 * fences, barriers and shared memory in between.  Loads overtake stores, stores hit fills in
 * flight, lines leave half written. */
enum { WILD_WARPS = 3, WILD_STEPS = 60 };

static uint32_t wild_code(struct writer *w, enum op_class cls, enum mem_space space, bool loads)
{
    struct static_inst si = {.pc = 16 * (uint32_t)cls,
                             .cls = (uint8_t)cls,
                             .space = (uint8_t)space,
                             .width = space == SPACE_NONE ? 0 : 4,
                             .n_src = 1,
                             .src = {1},
                             .dst = loads ? 2 : REG_NONE};
    return writer_code(w, &si, NULL);
}

static void wild_step(struct writer *w, struct rng *r, const uint32_t *code, uint32_t warp,
                      uint32_t width)
{
    uint64_t addr[WARP_MAX_LANES], mask = rng_next(r) | 1, region = 64 + rng_below(r, 4) * 512;
    struct error e;
    if (width == 32) mask &= UINT32_MAX;
    uint32_t k = (uint32_t)rng_below(r, 6), n = (uint32_t)__builtin_popcountll(mask);
    bool scattered = rng_below(r, 2);
    uint64_t base = 4096 + rng_below(r, region) * 4;
    for (uint32_t i = 0; i < n; i++)
        addr[i] = scattered ? 4096 + rng_below(r, region) * 4 : base + 4 * i;
    assert_true(writer_inst(w, warp, code[k], mask, k < 5 ? addr : NULL, &e));
}

static void wild_cta(struct writer *w, struct rng *r, const uint32_t *code, uint32_t width)
{
    struct error e;
    uint64_t all = width == 64 ? UINT64_MAX : UINT32_MAX;
    assert_true(writer_cta_begin(w, &e));
    for (uint32_t i = 0; i < WILD_STEPS; i++) {
        bool barrier = rng_below(r, 12) == 0;
        for (uint32_t warp = 0; warp < WILD_WARPS; warp++) {
            if (barrier)
                assert_true(writer_inst(w, warp, code[6], all, NULL, &e));
            else if (rng_below(r, 15) == 0)
                assert_true(writer_inst(w, warp, code[7 + rng_below(r, 3)], all, NULL, &e));
            else
                wild_step(w, r, code, warp, width);
        }
    }
    for (uint32_t warp = 0; warp < WILD_WARPS; warp++)
        assert_true(writer_inst(w, warp, code[10], all, NULL, &e));
    assert_true(writer_cta_end(w, &e));
}

static struct program *wild_program(struct rng *r, uint32_t width)
{
    char path[] = "/tmp/plumb-wild-XXXXXX.plt";
    struct error e = {0};
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    close(fd);
    struct writer *w = writer_new(path, width, "test", &e);
    const struct launch l = {
        .name = "wild", .grid = {6, 1, 1}, .block = {WILD_WARPS * width, 1, 1}};
    for (int launch = 0; launch < 2; launch++) {
        assert_true(writer_launch_begin(w, &l, &e));
        const uint32_t code[] = {wild_code(w, OP_LOAD, SPACE_GLOBAL, true),
                                 wild_code(w, OP_STORE, SPACE_GLOBAL, false),
                                 wild_code(w, OP_ATOMIC, SPACE_GLOBAL, true),
                                 wild_code(w, OP_SHARED_LOAD, SPACE_SHARED, true),
                                 wild_code(w, OP_SHARED_STORE, SPACE_SHARED, false),
                                 wild_code(w, OP_SFU, SPACE_NONE, true),
                                 wild_code(w, OP_BARRIER, SPACE_NONE, false),
                                 wild_code(w, OP_FENCE, SPACE_NONE, false),
                                 wild_code(w, OP_ACQUIRE, SPACE_NONE, false),
                                 wild_code(w, OP_RELEASE, SPACE_NONE, false),
                                 wild_code(w, OP_EXIT, SPACE_NONE, false)};
        for (int cta = 0; cta < 6; cta++)
            wild_cta(w, r, code, width);
        assert_true(writer_launch_end(w, &e));
    }
    if (!writer_commit(w, &e)) fail_msg("%s", e.text);
    struct program_opts o = {.warp_width = width};
    struct program *p = program_open(path, &o, &e);
    unlink(path);
    if (!p) fail_msg("%s", e.text);
    return p;
}

static const char *pick(struct rng *r, const char *const values[6])
{
    uint64_t n = 0;
    while (n < 6 && values[n])
        n++;
    return values[rng_below(r, n)];
}

/* A machine that machine_check accepts; what it refused stands in *refused. */
static struct machine draw_machine(struct rng *r, const char *preset, struct text *said,
                                   unsigned *refused)
{
    enum { N = sizeof choices / sizeof *choices };
    for (;;) {
        char set[N][64];
        const char *sets[N];
        struct machine m;
        struct errors all = {0};
        size_t n = 0;
        text_fini(said);
        for (size_t i = 0; i < N; i++) {
            if (rng_below(r, 3) == 0) continue;
            snprintf(set[n], sizeof set[n], "%s=%s", choices[i].path, pick(r, choices[i].values));
            text_add(said, "--set %s ", set[n]);
            sets[n] = set[n];
            n++;
        }
        bool ok = machine_load(&m, preset, sets, n, &all);
        errors_fini(&all);
        if (ok) return m;
        ++*refused;
    }
}

static void check_totals(const struct metrics *r, uint64_t instructions)
{
    assert_near(run_value(r, "warp_instructions"), (double)instructions, 0);
    assert_near(run_value(r, "l1.accesses"),
                run_value(r, "l1.hits") + run_value(r, "l1.misses") + run_value(r, "l1.merges") +
                    run_value(r, "l1.bypasses"),
                0);
    assert_near(run_value(r, "l2.reads") + run_value(r, "l2.writes"),
                r->v[M_l2_hits] + r->v[M_l2_misses] + r->v[M_l2_merges], 0);
    double stalls = run_value(r, "stalls.memory") + run_value(r, "stalls.compute") +
                    run_value(r, "stalls.barrier") + run_value(r, "stalls.mshr") +
                    run_value(r, "stalls.noc");
    double issued = run_value(r, "warp_instructions") / r->v[M_issue_slots];
    assert_near(stalls + issued, 1, 1e-6);
}

static void random_machines_run_random_programs_to_their_end(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct rng r;
        struct text said = {0};
        struct error e = {0};
        uint64_t count[4], total = 0;
        rng_seed(&r, 2026, seed);
        struct machine m = draw_machine(&r, rng_below(&r, 2) ? "rx540" : "qv100", &said, &refused);
        uint64_t k = rng_below(&r, 2 * sizeof programs / sizeof *programs);
        bool wild = k >= sizeof programs / sizeof *programs;
        const char *text = wild ? "wild" : programs[k];
        struct program *p =
            wild ? wild_program(&r, m.sm.warp_width) : run_program(text, m.sm.warp_width);
        assert_true(program_count(p, count, &e));
        for (uint32_t i = 0; i < program_launches(p); i++)
            total += count[i];
        struct sim *s = sim_new(&m, p, &e);
        if (!s || sim_run(s, NULL, NULL, NULL, &e) != SIM_DONE)
            fail_msg("seed %llu: %s\n%s\n%s", (unsigned long long)seed, e.text, text, said.s);
        struct metrics first, again;
        sim_metrics(s, &first);
        check_totals(&first, total);
        /* the same machine, used again, gives the same numbers */
        assert_int_equal(sim_run(s, NULL, NULL, NULL, &e), SIM_DONE);
        sim_metrics(s, &again);
        assert_memory_equal(first.v, again.v, sizeof first.v);
        sim_free(s);
        program_close(p);
        text_fini(&said);
    }
    print_message("%d runs, %u machines refused\n", RUNS, refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_machines_run_random_programs_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
