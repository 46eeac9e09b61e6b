#include "tests/support/few_line_runs.h"

const char *const few_line_presets[] = {"hd7770-fgcs18", "rx540"};

void drawn_cases(const struct setting *s, uint32_t cases, uint64_t seed, const char *what)
{
    static struct atlas a;
    struct rng r;
    atlas_init(&a);
    rng_seed(&r, seed, 0);
    for (uint32_t i = 0; i < cases; i++) {
        struct random_case c = {.machine = {.n = 0}};
        snprintf(c.machine.preset, sizeof c.machine.preset, "%s", s->presets[i % s->n_presets]);
        struct machine m = build_machine(&c.machine);
        for (uint32_t k = 0; k < s->n_base; k++)
            assert_true(try_set(&a, &c.machine, &m, s->base[k][0], s->base[k][1]));
        for (uint32_t k = 0; k < s->n_drawn; k++)
            try_set(&a, &c.machine, &m, s->drawn[k][0],
                    s->drawn[k][1 + rng_below(&r, DRAWN_MAX - 1)]);
        c.program = draw_recipe(&r);
        int rc = run_apart(&c);
        if (rc == FAILED) {
            shrink_case(&c, really_fails);
            print_case(&c, what, i);
        }
        assert_true(rc == RAN || rc == NO_ROOM);
    }
    atlas_fini(&a);
}

void beside_few_lines(uint32_t cases, uint64_t seed)
{
    static const char *const base[][2] = {{"sm.count", "3"},
                                          {"l2.alloc", "on_miss"},
                                          {"l2.line_bytes", "64"},
                                          {"l2.sector_bytes", "64"},
                                          {"l1.line_bytes", "64"},
                                          {"l1.sector_bytes", "64"},
                                          {"l2.miss_management", "conventional"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"l2.bank_kb", "1", "2", "4", "1"},
        {"l2.ways", "1", "2", "8", "1"},
        {"l2.write_miss", "fetch", "fetch", "lazy_fetch", "fetch"},
        {"l2.write", "back", "back", "through", "back"},
        {"l2.victim_rule", "lru", "lru_ext", "lru", "lru"},
        {"l2.victim_hit", "loads", "wait", "nack", "loads"},
        {"l2.clean_victim_notice", "true", "false", "true", "true"},
        {"l2.notice_cycles", "0", "1", "90", "0"},
        {"l2.eviction_end", "written", "accepted", "written", "written"},
        {"l2.mshr.entries", "0", "0", "3", "0"},
        {"l2.frc.entries", "1", "4", "16", "1"},
        {"l2.frc.ways", "1", "2", "4", "1"},
        {"l2.frc.lookup_cycles", "0", "1", "5", "0"},
        {"l2.frc.swap_cycles", "0", "3", "40", "0"},
        {"l2.frc.victim_at_swap", "true", "false", "false", "true"},
        {"l2.frc.hits_at_fetch", "true", "false", "false", "true"},
        {"l2.vc.entries", "0", "1", "8", "0"},
        {"l2.vc.swap_cycles", "0", "3", "40", "0"},
        {"l2.writeback_buffer", "0", "1", "8", "0"},
        {"coherence.protocol", "none", "si", "nmoesi", "moesi"},
        {"coherence.l1_victim", "beside", "first", "beside", "first"}};
    struct setting s = {few_line_presets,           2,     base,
                        sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    drawn_cases(&s, cases, seed, "beside few lines");
}

void much_leaves_an_inclusive_l2(uint32_t cases, uint64_t seed)
{
    static const char *const base[][2] = {
        {"sm.count", "3"},          {"l1.write_local", "same"}, {"l2.alloc", "on_miss"},
        {"l2.write_miss", "fetch"}, {"l2.line_bytes", "64"},    {"l2.sector_bytes", "64"},
        {"l1.line_bytes", "64"},    {"l1.sector_bytes", "64"},  {"l2.inclusion", "inclusive"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"l2.bank_kb", "1", "2", "4", "1"},
        {"l2.banks", "1", "2", "4", "1"},
        {"l2.ways", "1", "2", "8", "16"},
        {"l1.write", "through", "back", "evict", "combine"},
        {"l1.write_miss", "no_allocate", "validate", "lazy_fetch", "validate"},
        {"coherence.protocol", "none", "si", "nmoesi", "moesi"},
        {"coherence.l1_victim", "beside", "first", "beside", "first"},
        {"l2.miss_management", "conventional", "replace_at_once", "conventional", "conventional"},
        {"l2.line_bytes", "128", "64", "64", "128"},
        {"l2.write_miss", "fetch", "validate", "lazy_fetch", "fetch"},
        {"l2.victim_rule", "lru", "lru_ext", "lru", "lru"},
        {"l2.victim_hit", "loads", "wait", "nack", "loads"},
        {"l2.eviction_end", "written", "accepted", "written", "accepted"},
        {"l2.mshr.entries", "0", "0", "3", "1"},
        {"l2.frc.entries", "1", "4", "16", "0"},
        {"l2.frc.swap_cycles", "0", "3", "40", "3"},
        {"l2.vc.entries", "0", "1", "8", "0"},
        {"l2.vc.swap_cycles", "0", "3", "40", "3"},
        {"l2.writeback_buffer", "0", "1", "8", "0"},
        {"l1.kb", "1", "2", "16", "1"},
        {"l1.flush_at_launch", "true", "false", "true", "false"},
        {"l1.frc.entries", "0", "4", "16", "1"},
    };
    struct setting s = {few_line_presets,           2,     base,
                        sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    drawn_cases(&s, cases, seed, "inclusive");
}

void little_room_under_quickrelease(uint32_t cases, uint64_t seed)
{
    static const char *const presets[] = {"apu-quickrelease"};
    static const char *const base[][2] = {{"sm.count", "3"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"coherence.fifo_scope", "sm", "cta", "warp", "sm"},
        {"l1.kb", "1", "2", "16", "16"},
        {"l1.ways", "1", "2", "4", "1"},
        {"l1.write_cache.kb", "1", "1", "2", "4"},
        {"l1.write_cache.ways", "1", "2", "8", "1"},
        {"l1.write_cache.fifo", "1", "2", "64", "1"},
        {"l1.mshr.entries", "0", "1", "3", "0"},
        {"l1.miss_queue", "2", "3", "16", "2"},
        {"l1.alloc", "on_miss", "on_fill", "on_miss", "on_miss"},
        {"l1.ports", "1", "2", "4", "1"},
        {"l2.banks", "1", "2", "4", "16"},
        {"l2.bank_kb", "1", "2", "4", "16"},
        {"l2.write_cache.kb", "1", "1", "2", "16"},
        {"l2.write_cache.ways", "1", "2", "16", "1"},
        {"l2.write_cache.fifo", "1", "2", "128", "1"},
        {"l2.mshr.entries", "0", "1", "3", "0"},
        {"l2.miss_queue", "1", "2", "32", "1"},
        {"l2.slice_hash", "modulo", "xor", "modulo", "xor"},
        {"l3.kb", "64", "256", "4096", "64"},
        {"l3.write_cache.kb", "4", "8", "32", "4"},
        {"l3.write_cache.ways", "1", "2", "16", "1"},
        {"l3.write_cache.fifo", "4", "8", "256", "4"},
        {"l3.queue", "1", "2", "32", "1"},
        {"noc.input_queue", "1", "2", "16", "1"},
        {"noc.output_queue", "1", "2", "16", "1"},
        {"dram.channels", "1", "2", "4", "4"},
    };
    struct setting s = {
        presets, 1, base, sizeof base / sizeof *base, drawn, sizeof drawn / sizeof *drawn};
    drawn_cases(&s, cases, seed, "quickrelease");
}

void beside_cpus(uint32_t cases, uint64_t seed)
{
    static const char *const presets[] = {"apu-quickrelease", "apu-quickrelease-rfo",
                                          "apu-quickrelease-wt", "apu-quickrelease-nol1"};
    static const char *const base[][2] = {{"sm.count", "3"}};
    static const char *const drawn[][DRAWN_MAX] = {
        {"dram.channels", "1", "2", "4", "1"},
        {"l1.kb", "1", "2", "16", "1"},
        {"l2.bank_kb", "1", "2", "16", "1"},
        {"l2.banks", "1", "2", "4", "16"},
        {"l2.mshr.entries", "0", "1", "3", "64"},
        {"l2.miss_queue", "1", "2", "32", "1"},
        {"l2.write_ack", "l2", "memory", "l2", "memory"},
        {"l2.inclusion", "non_inclusive", "inclusive", "non_inclusive", "non_inclusive"},
        {"l3.ways", "1", "2", "4", "16"},
        {"l3.kb", "1", "2", "4", "16"},
        {"l3.write", "around", "back", "back", "around"},
        {"l3.queue", "1", "2", "16", "1"},
        {"l3.ports", "1", "2", "1", "1"},
        {"l3.link_latency", "0", "1", "4", "90"},
        {"l3.write_cache.ways", "1", "2", "4", "8"},
        {"l3.write_cache.kb", "1", "2", "4", "32"},
        {"l3.write_cache.fifo", "4", "8", "16", "256"},
        {"cpu.ways", "1", "2", "4", "16"},
        {"cpu.cache_kb", "1", "4", "64", "0"},
        {"cpu.probe_latency", "0", "1", "40", "500"},
        {"cpu.supply_cycles", "1", "4", "90", "4"},
        {"cpu.agents", "0", "1", "8", "0"},
        {"cpu.rate", "10", "100", "1000", "10"},
        {"cpu.footprint_kb", "1", "4", "64", "65536"},
        {"cpu.write_share", "0", "25", "100", "25"},
        {"coherence.fifo_scope", "sm", "cta", "warp", "sm"},
        {"coherence.store_order", "free", "in_order", "free", "in_order"},
        {"coherence.directory_ways", "1", "2", "4", "16"},
        {"coherence.directory_entries", "16", "32", "64", "0"},
        {"coherence.directory_latency", "0", "1", "12", "200"}};
    struct setting s = {presets, sizeof presets / sizeof *presets, base, sizeof base / sizeof *base,
                        drawn,   sizeof drawn / sizeof *drawn};
    drawn_cases(&s, cases, seed, "beside CPUs");
}
