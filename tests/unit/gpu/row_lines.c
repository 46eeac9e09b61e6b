/* The lines of an open row against all lines of a window, asked one by one, on the maps of presets
 * and on mappings that split the column. */
#include "gpu/geometry/row_lines.h"

#include "base/memory/rng.h"
#include "tests/support/run.h"

enum { WINDOW = 1 << 20 };

static bool shares_row(const struct coord *a, const struct coord *b)
{
    return a->slice == b->slice && a->channel == b->channel && a->flat_bank == b->flat_bank &&
           a->row == b->row;
}

static bool reference_next(const struct map *m, uint64_t addr, uint32_t line, uint64_t *next)
{
    struct coord own = map_addr(m, addr);
    for (uint64_t at = addr + line; at < addr + WINDOW; at += line) {
        struct coord c = map_addr(m, at);
        if (!shares_row(&own, &c)) continue;
        *next = at;
        return true;
    }
    return false;
}

static void follows_the_reference(const char *preset, const char *const *sets, size_t n)
{
    struct machine m = run_machine(preset, sets, n);
    struct map map;
    struct error e;
    struct rng r;
    uint32_t found = 0, line = m.l2.cache.line_bytes;
    if (!map_init(&map, &m.l2, &m.dram, &e)) fail_msg("%s", e.text);
    rng_seed(&r, 5, 0);
    for (uint32_t i = 0; i < 300; i++) {
        uint64_t addr = rng_below(&r, 1 << 26) * 32, want = 0, got = 0;
        bool any = reference_next(&map, addr, line, &want);
        assert_true(row_lines_next(&map, addr, line, &got) == any);
        assert_true(got == want);
        found += any;
    }
    assert_true(found > 150);
}

static void the_next_line_of_a_row_is_found(void **state)
{
    (void)state;
    static const char *const preset[] = {"rx540",  "fermi-vws", "qv100",
                                         "titanv", "hd7870",    "gtx480"};
    static const char *const split[] = {"dram.banks_per_group=16", "dram.bankgroups=1",
                                        "dram.row_bytes=2048",
                                        "dram.mapping=row:column[3]:bank:column"};
    static const char *const named[] = {"dram.channels=4", "l2.banks=8", "l2.slice_hash=channel",
                                        "dram.row_bytes=2048",
                                        "dram.mapping=row:bank:column[3]:channel:column"};
    static const char *const hashed[] = {"dram.channel_deal=hash", "l2.banks=24",
                                         "dram.channels=10", "l2.slice_hash=xor"};
    for (uint32_t i = 0; i < sizeof preset / sizeof *preset; i++)
        follows_the_reference(preset[i], NULL, 0);
    follows_the_reference("fermi-vws", split, 4);
    follows_the_reference("fermi-vws", named, 5);
    follows_the_reference("titanv", hashed, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_next_line_of_a_row_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
