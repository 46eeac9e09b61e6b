/* Where registers lie: the worked example of Mao's figure 7, equations 3.1 to 3.3 written out, the
 * programs of table 1, and the shares of figure 11. */
#include "gpu/geometry/register_layout.h"
#include "tests/support/check.h"

#include <math.h>

/* Figure 7: two banks of 16-bit tracks with two ports. */
static const struct register_file_params small = {.cells = CELLS_RACETRACK,
                                                  .banks = 2,
                                                  .mapping = REGISTERS_REMAPPED,
                                                  .racetrack.ports = 2,
                                                  .bank_entries = 16};
/* Tables 2 and 3. */
static const struct register_file_params fermi = {
    .cells = CELLS_RACETRACK, .banks = 16, .racetrack.ports = 4, .bank_entries = 64};

static struct register_file_params with(const struct register_file_params *p,
                                        enum register_mapping mapping, uint32_t ports)
{
    struct register_file_params q = *p;
    q.mapping = mapping;
    q.racetrack.ports = ports;
    return q;
}

/* --- figure 7 --------------------------------------------------------------------------------- */

static const struct register_warps two_warps = {.registers = 8, .warps = 2, .subcores = 1};

static void stacked_registers_fill_one_segment(void **state)
{
    (void)state;
    struct register_file_params p = with(&small, REGISTERS_STACKED, 2);
    struct register_layout l = register_layout(&p, &two_warps);
    assert_int_equal(l.segment, 8);
    for (uint32_t w = 0; w < 2; w++)
        for (uint32_t r = 0; r < 8; r++) {
            struct register_place at = register_layout_place(&l, w, 0, r);
            assert_int_equal(at.bank, r % 2);
            assert_int_equal(at.bit, 4 * w + r / 2); /* all 8 bits of the upper port */
        }
}

/* Equations 3.1 to 3.3, in real numbers as the thesis has them. */
static uint32_t equation(uint32_t warp, uint32_t reg, double registers, double banks, double ports,
                         uint32_t offset)
{
    double of_warp = ceil(registers / banks), of_port = ceil(of_warp / ports);
    return (uint32_t)(ceil(of_port * warp) + fmod(floor(reg / banks), of_port) + offset);
}

static void remapped_registers_lie_as_equation_3_3_says(void **state)
{
    (void)state;
    struct register_layout l = register_layout(&small, &two_warps);
    assert_int_equal(l.piece, 2);  /* 3.2: of the 4 that 3.1 gives */
    assert_int_equal(l.offset, 2); /* 4 of 8 bits in use */
    assert_int_equal(register_layout_place(&l, 0, 0, 0).bit, 2);
    for (uint32_t w = 0; w < 2; w++)
        for (uint32_t r = 0; r < 8; r++) {
            struct register_place at = register_layout_place(&l, w, 0, r);
            assert_int_equal(at.bank, r % 2);
            assert_int_equal(at.bit, equation(w, r, 8, 2, 2, 2));
        }
}

/* Wherever a warp has as many rows as the ports' pieces hold. */
static void whole_pieces_agree_with_equation_3_3(void **state)
{
    (void)state;
    for (uint32_t ports = 1; ports <= 64; ports *= 2)
        for (uint32_t of_port = 1; ports * of_port <= 64; of_port++) {
            struct register_file_params p = with(&fermi, REGISTERS_REMAPPED, ports);
            uint32_t registers = 16 * ports * of_port, warps = 1024 / registers;
            struct register_warps w = {.registers = registers, .warps = warps, .subcores = 1};
            struct register_layout l = register_layout(&p, &w);
            uint32_t used = warps * of_port, free = 64 / ports - used;
            for (uint32_t i = 0; i < warps; i++)
                for (uint32_t r = 0; r < registers; r++)
                    assert_int_equal(register_layout_place(&l, i, 0, r).bit,
                                     equation(i, r, registers, 16, ports, free / 2));
        }
}

/* --- table 1 ---------------------------------------------------------------------------------- */

/* Registers per thread and warps; of RST the 48 warps that an SM holds. */
static const struct register_warps table_1[] = {
    {15, 32, 1}, {48, 12, 1}, {12, 48, 1}, {34, 24, 1}, {14, 48, 1}, {25, 32, 1},
    {16, 48, 1}, {20, 48, 1}, {17, 32, 1}, {21, 8, 1},  {36, 27, 1}, {12, 48, 1},
    {10, 48, 1}, {13, 48, 1}, {32, 16, 1}, {63, 16, 1}, {11, 48, 1}, {14, 16, 1}};
enum { PROGRAMS = sizeof table_1 / sizeof *table_1 };

/* Counts the registers at each place; returns the bits from the first to the last in use. */
static uint32_t fill(const struct register_layout *l, const struct register_warps *w,
                     uint32_t count[REGISTER_MAX_BANKS][REGISTER_MAX_SEGMENT])
{
    uint32_t first = REGISTER_MAX_SEGMENT, last = 0;
    memset(count, 0, REGISTER_MAX_BANKS * sizeof *count);
    for (uint32_t i = 0; i < w->warps; i++)
        for (uint32_t r = 0; r < w->registers; r++) {
            struct register_place at =
                register_layout_place(l, i / w->subcores, i % w->subcores, r);
            assert_true(at.bit < l->segment);
            count[at.bank][at.bit]++;
            first = at.bit < first ? at.bit : first;
            last = at.bit > last ? at.bit : last;
        }
    return last - first + 1;
}

/* A place has an entry at each port, so that no more registers than ports may be there. */
static void expect_own_entries(const struct register_file_params *p, const struct register_warps *w)
{
    uint32_t count[REGISTER_MAX_BANKS][REGISTER_MAX_SEGMENT];
    struct register_layout l = register_layout(p, w);
    fill(&l, w, count);
    for (uint32_t b = 0; b < REGISTER_MAX_BANKS; b++)
        for (uint32_t i = 0; i < REGISTER_MAX_SEGMENT; i++)
            assert_true(count[b][i] <= (b < p->banks ? p->racetrack.ports : 0));
}

static void expect_own_entries_everywhere(struct register_warps w)
{
    for (uint32_t ports = 1; ports <= 64; ports *= 2)
        for (int k = REGISTERS_STACKED; k <= REGISTERS_WARP_BANKS; k++) {
            struct register_file_params p = with(&fermi, (enum register_mapping)k, ports);
            for (w.subcores = 1; w.subcores <= 4; w.subcores *= 2)
                if (w.warps % w.subcores == 0) expect_own_entries(&p, &w);
        }
}

static void every_register_has_an_entry_of_its_own(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PROGRAMS; i++)
        expect_own_entries_everywhere(table_1[i]);
    for (uint32_t registers = 1; registers <= 255; registers++) {
        uint32_t most = 1024 / registers, warps = most < 48 ? most : 48;
        expect_own_entries_everywhere((struct register_warps){registers, warps, 1});
    }
}

/* The bits that a port serves are as few as they can be, and free ones stand on both sides. */
static void remapping_packs_registers_around_the_ports(void **state)
{
    (void)state;
    uint32_t count[REGISTER_MAX_BANKS][REGISTER_MAX_SEGMENT];
    struct register_file_params p = with(&fermi, REGISTERS_REMAPPED, 4);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        const struct register_warps *w = &table_1[i];
        struct register_layout l = register_layout(&p, w);
        uint32_t used = fill(&l, w, count), rows = (w->registers * w->warps + 15) / 16;
        assert_int_equal(used, (rows + 3) / 4);
        assert_int_equal(l.offset, (16 - used) / 2);
    }
}

/* --- figure 11 -------------------------------------------------------------------------------- */

static void each_sub_core_has_banks_of_its_own(void **state)
{
    (void)state;
    struct register_file_params p = with(&small, REGISTERS_WARP_BANKS, 2);
    const struct register_warps w = {.registers = 8, .warps = 2, .subcores = 2};
    struct register_layout l = register_layout(&p, &w);
    for (uint32_t r = 0; r < 8; r++) { /* one warp, one bank */
        assert_int_equal(register_layout_place(&l, 0, 0, r).bank, 0);
        assert_int_equal(register_layout_place(&l, 0, 1, r).bank, 1);
    }
    p = with(&fermi, REGISTERS_WARP_BANKS, 4);
    const struct register_warps quad = {.registers = 20, .warps = 48, .subcores = 4};
    l = register_layout(&p, &quad);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t slot = 0; slot < 12; slot++)
            for (uint32_t r = 0; r < 20; r++)
                assert_int_equal(register_layout_place(&l, slot, k, r).bank / 4, k);
}

/* Cells of SRAM have no place to be shifted to, whatever the mapping. */
static void sram_has_banks_alone(void **state)
{
    (void)state;
    struct register_file_params p = with(&fermi, REGISTERS_REMAPPED, 4);
    p.cells = CELLS_SRAM;
    struct register_layout l = register_layout(&p, &table_1[0]);
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t r = 0; r < 15; r++) {
            struct register_place at = register_layout_place(&l, i, 0, r);
            assert_int_equal(at.bank, (15 * i + r) % 16);
            assert_int_equal(at.bit, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacked_registers_fill_one_segment),
        cmocka_unit_test(remapped_registers_lie_as_equation_3_3_says),
        cmocka_unit_test(whole_pieces_agree_with_equation_3_3),
        cmocka_unit_test(every_register_has_an_entry_of_its_own),
        cmocka_unit_test(remapping_packs_registers_around_the_ports),
        cmocka_unit_test(each_sub_core_has_banks_of_its_own),
        cmocka_unit_test(sram_has_banks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
