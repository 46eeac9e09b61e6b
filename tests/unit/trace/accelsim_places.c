/* The memory that addresses of Accel-Sim traces mean: each lane has local memory of its own
 * although all name the same offset, and generic addresses lie in windows. */
#include "tests/support/accelsim_write.h"
#include "trace/program/private_memory.h"

#include <string.h>

enum { LANES = 32 };

/* The lane addresses of one instruction of a warp. */
struct lanes {
    struct static_inst si;
    uint32_t n;
    uint64_t mask, addr[LANES];
};

static const char *dir;

static struct program *open_lines(uint32_t ctas, uint32_t warps, const char *lines)
{
    struct error e;
    dir = scratch_path("places");
    write_in(dir, "kernelslist.g", "kernel-1.traceg\n");
    write_kernel(dir, "kernel-1.traceg", ctas, warps, 0, lines);
    struct program *p = program_open(dir, NULL, &e);
    check_ok(p, &e);
    return p;
}

static void close_lines(struct program *p)
{
    program_close(p);
    accelsim_remove_dir(dir);
}

static struct lanes inst_at(const struct program *p, uint64_t cta, uint32_t warp, uint32_t at)
{
    struct error e;
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
    cursor_skip(&c, at, &e);
    assert_int_equal(cursor_next(&c, &w, &e), GOT_INST);
    struct lanes x = {.si = *w.si, .mask = w.mask};
    for (x.n = 0; x.n < (uint32_t)__builtin_popcountll(w.mask); x.n++)
        x.addr[x.n] = warp_inst_addr(&w, x.n);
    cursor_release(&c);
    reader_free(r);
    return x;
}

static void each_lane_has_words_of_its_own(void **state)
{
    (void)state;
    struct program *p = open_lines(2, 2,
                                   "0010 ffffffff 0 STL 2 R1 R4 4 1 0xfffa40 0 0\n"
                                   "0020 ffffffff 1 R5 LDL 1 R1 4 1 0xfffa40 0 0\n");
    uint64_t low = UINT64_MAX, high = 0, seen[4];
    for (uint32_t i = 0; i < 4; i++) {
        struct lanes store = inst_at(p, i / 2, i % 2, 0), load = inst_at(p, i / 2, i % 2, 1);
        assert_int_equal(store.si.space, SPACE_LOCAL);
        assert_int_equal(store.addr[0] % 128, 0);
        for (uint32_t k = 0; k < LANES; k++) {
            assert_true(store.addr[k] == store.addr[0] + 4 * k);
            assert_true(load.addr[k] == store.addr[k]);
        }
        for (uint32_t j = 0; j < i; j++)
            assert_true(seen[j] != store.addr[0]);
        seen[i] = store.addr[0];
        if (seen[i] < low) low = seen[i];
        if (seen[i] > high) high = seen[i];
    }
    /* 4 frames of 16 bytes a lane, which is what alignment leaves of 4 bytes */
    assert_true(low == PRIVATE_START && high == PRIVATE_START + 3 * 16 * LANES);
    close_lines(p);
}

static bool covers(const struct lanes *x, uint64_t line)
{
    for (uint32_t k = 0; k < x->n; k++)
        if (x->addr[k] / 128 == line) return true;
    return false;
}

/* A wide access of all lanes touches the lines of its words, no more. */
static void wide_accesses_take_their_words(void **state)
{
    (void)state;
    struct program *p = open_lines(1, 1,
                                   "0010 ffffffff 0 STL.128 2 R1 R4 16 1 0xfffa40 0 0\n"
                                   "0020 ffffffff 1 R5 LDL.64 1 R1 8 1 0xfffa48 0 0\n"
                                   "0030 ffffffff 1 R5 LDL 1 R1 4 1 0xfffa44 0 0\n"
                                   "0040 ffffffff 1 R5 LDL.U8 1 R1 1 1 0xfffa4f 0 0\n");
    struct lanes quad = inst_at(p, 0, 0, 0), pair = inst_at(p, 0, 0, 1), word = inst_at(p, 0, 0, 2),
                 byte = inst_at(p, 0, 0, 3);
    uint64_t line = PRIVATE_START / 128;
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(covers(&quad, line + i));
        assert_int_equal(covers(&pair, line + i), i >= 2);
        assert_int_equal(covers(&word, line + i), i == 1);
        assert_int_equal(covers(&byte, line + i), i == 3);
    }
    assert_false(covers(&quad, line + 4));
    assert_true(byte.addr[1] == byte.addr[0] + 4 && byte.addr[0] % 4 == 3);
    close_lines(p);
}

static void lanes_may_name_different_offsets(void **state)
{
    (void)state;
    struct program *p = open_lines(1, 1,
                                   "0010 0000000a 1 R5 LDL 1 R1 4 2 0xfffa40 8 0\n"
                                   "0020 ffffffff 1 R5 LDL 1 R1 4 1 0xfffa40 4 0\n");
    struct lanes two = inst_at(p, 0, 0, 0), all = inst_at(p, 0, 0, 1);
    assert_true(two.addr[0] == PRIVATE_START + 1 * 4);
    assert_true(two.addr[1] == PRIVATE_START + 2 * 128 + 3 * 4);
    for (uint32_t k = 0; k < LANES; k++)
        assert_true(all.addr[k] == PRIVATE_START + k * 128 + k * 4);
    close_lines(p);
}

/* Local memory belongs to resident warps: later ones use the places again. */
static void places_are_used_again(void **state)
{
    (void)state;
    struct program *p =
        open_lines(PRIVATE_WARPS + 1, 1, "0010 ffffffff 0 STL 2 R1 R4 4 1 0xfffa40 0 0\n");
    struct lanes first = inst_at(p, 0, 0, 0), second = inst_at(p, 1, 0, 0),
                 again = inst_at(p, PRIVATE_WARPS, 0, 0);
    assert_true(first.addr[0] == again.addr[0] && first.addr[0] != second.addr[0]);
    close_lines(p);
}

static void windows_tell_spaces(void **state)
{
    (void)state;
    struct program *p = open_lines(1, 1,
                                   "0010 ffffffff 0 STL 2 R1 R4 4 1 0xfffa40 0 0\n"
                                   "0020 ffffffff 1 R5 LD.E 1 R2 4 1 0x7f0002fffa40 0 0\n"
                                   "0030 0000000f 1 R5 LD.E 1 R2 4 0 0x7f0000000010 0x1000000000 "
                                   "0x7f0002fffa40 0x1000000004 0\n"
                                   "0040 ffffffff 0 RED.E.ADD 2 R2 R4 4 1 0x7f0000000010 4 0\n"
                                   "0050 ffffffff 0 STL 2 R1 R4 4 1 0x2000000000 4 0\n");
    struct lanes stl = inst_at(p, 0, 0, 0), ld = inst_at(p, 0, 0, 1);
    assert_int_equal(ld.si.space, SPACE_LOCAL);
    assert_memory_equal(stl.addr, ld.addr, sizeof stl.addr);
    struct lanes shared = inst_at(p, 0, 0, 2), global = inst_at(p, 0, 0, 3),
                 local = inst_at(p, 0, 0, 4);
    assert_int_equal(shared.si.cls, OP_SHARED_LOAD);
    assert_int_equal(shared.mask, 1);
    assert_int_equal(global.si.space, SPACE_GLOBAL);
    assert_int_equal(global.mask, 10);
    assert_true(global.addr[1] == 0x1000000004);
    assert_int_equal(local.si.space, SPACE_LOCAL);
    assert_int_equal(local.mask, 4);
    assert_true(local.addr[0] == stl.addr[2]);
    assert_int_equal(inst_at(p, 0, 0, 5).si.cls, OP_SHARED_STORE);
    assert_true(inst_at(p, 0, 0, 6).addr[1] == 0x2000000004); /* is no offset */
    close_lines(p);
}

static void exports_name_offsets_again(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "0000 ffffffff 1 R8 LDG.E.ENL2.128 1 R2 16 1 0x1000000010 32 0 \n",
        "0010 ffffffff 0 STL.128 2 R1 R4 16 1 0xfffa40 0 0 \n",
        "0020 0000000a 1 R5 LDL.64 1 R1 8 2 0xfffa48 64 0 \n",
        "0030 0000ffff 1 R5 LDL.U8 1 R1 1 1 0xfffa41 1 0 \n",
        "0040 ffffffff 1 R5 LD.E 1 R2 4 1 0x7f0002fffa44 0 0 \n",
    };
    struct text all = {0}, lost = {0};
    struct error e;
    text_add(&all, "0000 ffffffff 1 R8 LDG.E.ENL2.256 1 R2 32 1 0x1000000000 32 0\n");
    for (unsigned i = 1; i < 5; i++)
        text_add(&all, "%s", lines[i]);
    struct program *p = open_lines(3, 2, all.s);
    const char *out = scratch_path("places-out");
    check_ok(accelsim_export(p, out, false, &lost, &e), &e);
    struct program *q = program_open(out, NULL, &e);
    check_ok(q, &e);
    assert_same_streams(p, q);
    assert_true(digest_equal(program_digest(p), program_digest(q)));
    char *path = file_join(out, "kernel-1.traceg"), *bytes;
    size_t n;
    check_ok(file_read(path, &bytes, &n, &e), &e);
    for (unsigned i = 0; i < 5; i++)
        if (!strstr(bytes, lines[i])) fail_msg("%s", lines[i]);
    assert_null(strstr(bytes, "private_"));
    mem_free(bytes);
    mem_free(path);
    text_fini(&all);
    program_close(q);
    accelsim_remove_dir(out);
    close_lines(p);
}

/* Accesses of 32 bytes are two of 16. */
static void the_widest_accesses_come_in_two(void **state)
{
    (void)state;
    struct program *p = open_lines(1, 1,
                                   "0010 ffffffff 1 R8 LDG.E.ENL2.256 1 R2 32 1 0x1000000000 32 0\n"
                                   "0020 ffffffff 0 STL.256 2 R1 R4 32 1 0xfffa40 0 0\n");
    struct lanes low = inst_at(p, 0, 0, 0), high = inst_at(p, 0, 0, 1), stl = inst_at(p, 0, 0, 3);
    assert_int_equal(low.si.width, 16);
    assert_int_equal(low.si.dst, REG_NONE);
    assert_int_equal(high.si.dst, 8);
    assert_true(low.addr[1] == 0x1000000020 && high.addr[1] == 0x1000000030);
    assert_true(stl.addr[1] == PRIVATE_START + 16 * LANES + 16);
    close_lines(p);
}

static void misaligned_accesses_are_named(void **state)
{
    (void)state;
    struct error e;
    dir = scratch_path("places");
    write_in(dir, "kernelslist.g", "kernel-1.traceg\n");
    write_kernel(dir, "kernel-1.traceg", 1, 1, 0,
                 "0010 ffffffff 0 STL.64 2 R1 R4 8 1 0xfffa44 0 0\n");
    assert_null(program_open(dir, NULL, &e));
    assert_non_null(strstr(e.text, "multiple of the bytes per lane"));
    accelsim_remove_dir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lane_has_words_of_its_own),
        cmocka_unit_test(wide_accesses_take_their_words),
        cmocka_unit_test(lanes_may_name_different_offsets),
        cmocka_unit_test(places_are_used_again),
        cmocka_unit_test(windows_tell_spaces),
        cmocka_unit_test(exports_name_offsets_again),
        cmocka_unit_test(the_widest_accesses_come_in_two),
        cmocka_unit_test(misaligned_accesses_are_named),
    };
    return cmocka_run_group_tests(tests, accelsim_own_cache, accelsim_drop_cache);
}
