/* Does plumb trace info count the registers of instructions as sets of their numbers do? */
#include "estimator/characterize/characterize.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "trace/plt/writer.h"
#include "trace/program/cursor.h"

/* Registers 0, 16 and 32 share bank 0: read, read and written; a word twice; a wide load. */
static const struct static_inst register_code[] = {
    {.pc = 0, .cls = OP_INT, .dst = 32, .n_src = 2, .src = {0, 16}},
    {.pc = 8, .cls = OP_INT, .dst = 16, .n_src = 2, .src = {16, 16}},
    {.pc = 16, .cls = OP_INT, .dst = 16, .n_src = 2, .src = {0, 16}},
    {.pc = 24,
     .cls = OP_LOAD,
     .space = SPACE_GLOBAL,
     .width = 16,
     .dst = 14,
     .n_src = 1,
     .src = {30}},
    {.pc = 32, .cls = OP_INT, .dst = 33, .n_src = 3, .src = {1, 2, 17}},
    {.pc = 40, .cls = OP_EXIT, .dst = REG_NONE}};
enum { REGISTER_CODES = sizeof register_code / sizeof *register_code, REGISTERS = 48 };

static const char *register_program(void)
{
    struct error e = {0};
    const char *path = in_folder("registers.plt");
    uint64_t list[WARP_MAX_LANES] = {0};
    struct writer *w = writer_new(path, 32, "", &e);
    struct launch l = {.name = "registers",
                       .grid = {3, 1, 1},
                       .block = {32, 1, 1},
                       .registers_per_lane = REGISTERS,
                       .header = ""};
    assert_true(w && writer_launch_begin(w, &l, &e));
    for (uint32_t i = 0; i < REGISTER_CODES; i++)
        assert_int_equal(writer_code(w, &register_code[i], NULL), i);
    for (uint32_t cta = 0; cta < 3; cta++) {
        assert_true(writer_cta_begin(w, &e));
        for (uint32_t i = 0; i < REGISTER_CODES; i++)
            for (uint32_t n = 0; n <= (i + cta) % 3; n++)
                if (i < REGISTER_CODES - 1 || n == 0)
                    assert_true(writer_inst(w, 0, i, UINT32_MAX, i == 3 ? list : NULL, &e));
        assert_true(writer_cta_end(w, &e));
    }
    assert_true(writer_launch_end(w, &e) && writer_commit(w, &e));
    return path;
}

/* Bits of the registers that an instruction names, from its static form alone. */
static uint64_t named(const struct static_inst *si, bool reads, bool writes)
{
    uint64_t set = 0;
    for (uint32_t k = 0; reads && k < si->n_src; k++)
        set |= UINT64_C(1) << si->src[k];
    for (uint32_t k = 0; writes && si->dst != REG_NONE && k < (si->width == 16 ? 4 : 1); k++)
        set |= UINT64_C(1) << (si->dst + k);
    return set;
}

static uint32_t most_in_a_bank(uint64_t set)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < 16; b++) {
        uint32_t n = (uint32_t)__builtin_popcountll(set & UINT64_C(0x1000100010001) << b);
        if (n > most) most = n;
    }
    return most;
}

static void registers_are_those_of_sets(void **state)
{
    (void)state;
    struct program_summary s;
    struct character got;
    struct error e = {0};
    struct cursor c = {0};
    struct warp_inst w;
    struct operand_counts want = {0};
    struct program *p = program_open(register_program(), &(struct program_opts){0}, &e);
    assert_true(p && program_summarize(&s, p, NULL, &e));
    assert_true(character_collect(&got, p, &s, CHARACTER_WARPS, NULL, &e));
    struct reader *r = reader_new(p, &e);
    for (uint32_t cta = 0; cta < 3; cta++) {
        assert_true(cursor_seek(&c, r, 0, cta, 0, 0, &e));
        while (cursor_next(&c, &w, &e) == GOT_INST) {
            uint32_t most = most_in_a_bank(named(w.si, true, true));
            want.reads += (uint32_t)__builtin_popcountll(named(w.si, true, false));
            want.results += (uint32_t)__builtin_popcountll(named(w.si, false, true));
            want.shared += most >= 2;
            want.crowded += most >= 3;
        }
    }
    cursor_release(&c);
    reader_free(r);
    const struct operand_counts *u = &got.all.registers;
    assert_int_equal(u->per_lane, REGISTERS);
    assert_int_equal(u->reads, want.reads);
    assert_int_equal(u->results, want.results);
    assert_int_equal(u->shared, want.shared);
    assert_int_equal(u->crowded, want.crowded);
    assert_true(want.crowded > 0 && want.shared > want.crowded);
    character_fini(&got);
    program_summary_fini(&s);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers_are_those_of_sets)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
