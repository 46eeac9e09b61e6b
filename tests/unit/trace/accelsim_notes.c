/* What a trace does not tell is a note of the program, with its count, or an error; notes stay with
 * the program when it is packed again. */
#include "tests/support/accelsim_write.h"
#include "trace/plt/repack.h"

#include <string.h>
#include <unistd.h>

static struct program *open_list(const char *list, const char *lines, bool allow, struct error *e)
{
    const char *dir = scratch_path("notes");
    write_in(dir, "kernelslist.g", list);
    write_kernel(dir, "kernel-1.traceg", 2, 1, 0, lines);
    write_kernel(dir, "kernel-2.traceg", 1, 1, 7, "");
    struct program *p = program_open(dir, &(struct program_opts){.allow_unknown = allow}, e);
    accelsim_remove_dir(dir);
    return p;
}

static void assert_notes(const struct program *p, const char *const *want, uint32_t n)
{
    for (uint32_t i = 0; i < program_warnings(p); i++)
        if (i >= n || !strstr(program_warning(p, i), want[i]))
            fail_msg("%s", program_warning(p, i));
    assert_int_equal(program_warnings(p), n);
}

static void reductions_are_counted(void **state)
{
    (void)state;
    struct error e;
    struct program *p = open_list("kernel-1.traceg\n",
                                  "0010 ffffffff 0 REDG.E.ADD.STRONG.GPU 2 R2 R4 4 1 "
                                  "0x7f1000000000 4 0\n",
                                  false, &e);
    check_ok(p, &e);
    assert_int_equal(program_launch(p, 0)->code[0].cls, OP_ATOMIC);
    assert_notes(p, NULL, 0);
    program_close(p);
}

static void what_is_untold_is_counted(void **state)
{
    (void)state;
    static const char *const want[] = {
        "2 warp instructions (FROB.X): unknown opcodes, taken as integer",
        "2 warp instructions (LDG): the trace names no addresses",
        "4 warp instructions (UTMALDG, UBLKCP): the trace does not say what bulk copies",
        "2 warp instructions (HGMMA): counted as single instructions",
        "3 launches of several streams run one after another",
        "2 lines of kernelslist.g left out as not understood (line 1: 'ncclInit')",
    };
    static const char lines[] = "0010 ffffffff 1 R3 FROB.X 1 R2 0 0\n"
                                "0020 00000001 0 UTMALDG.2D 0 0 0\n"
                                "0030 00000001 0 UBLKCP.S.G 0 0 0\n"
                                "0040 ffffffff 1 R4 HGMMA.64x128x16.F32 1 R2 0 0\n"
                                "0050 ffffffff 1 R4 LDG.E 1 R2 0 0\n"
                                "0060 00000000 1 R4 LDG.E 1 R2 0 0\n";
    static const char list[] = "ncclInit\nkernel-1.traceg\n  kernel-2.traceg\nncclEnd\n"
                               "kernel-2.traceg\n";
    struct error e;
    struct program *p = open_list(list, lines, false, &e);
    check_ok(p, &e);
    assert_notes(p, want, 6);
    const char *path = scratch_path("notes.plt");
    check_ok(program_repack(p, path, "again", &e), &e);
    struct program *q = program_open(path, NULL, &e);
    check_ok(q, &e);
    assert_notes(q, want, 6);
    program_close(q);
    unlink(path);
    program_close(p);
}

static void unknown_memory_and_matrices_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "0010 ffffffff 1 R3 FROB.X 1 R2 4 1 0x1000 4 0\n", /* it has addresses */
        "0010 ffffffff 1 R3 LDZ.E 1 R2 0 0\n",
        "0010 ffffffff 0 XGMMA.64 1 R2 0 0\n",
        "0010 ffffffff 0 UTMAFOO 1 R2 0 0\n",
    };
    static const char *const want[] = {"2 warp instructions (", "1 line"};
    for (unsigned i = 0; i < 4; i++) {
        struct error e = {0};
        assert_null(open_list("kernel-1.traceg\n", lines[i], false, &e));
        if (!strstr(e.text, "kernel-1.traceg:23: unknown opcode") ||
            !strstr(e.text, "--allow-unknown"))
            fail_msg("%s", e.text);
        struct program *p = open_list("kernel-1.traceg\n", lines[i], true, &e);
        check_ok(p, &e);
        assert_notes(p, want, 1);
        assert_non_null(strstr(program_warning(p, 0), "their accesses are missing"));
        program_close(p);
        assert_null(open_list("kernel-1.traceg\n", lines[i], false, &e)); /* nor from the cache */
    }
}

static void no_kernel_is_lost(void **state)
{
    (void)state;
    static const char *const list[] = {"kernel-1.traceg\n./kernel-2.traceg\n",
                                       "Kernel-1.traceg\nkernel-2.traceg\n",
                                       "- kernel-1.traceg.xz\nkernel-2.traceg\n"};
    for (unsigned i = 0; i < 3; i++) {
        struct error e = {0};
        assert_null(open_list(list[i], "", false, &e));
        if (!strstr(e.text, "begins with 'kernel'")) fail_msg("%s", e.text);
    }
}

/* As editors of other systems save them. */
static void marks_and_carriage_returns_are_no_text(void **state)
{
    (void)state;
    static const char *const list[] = {"\xef\xbb\xbfkernel-1.traceg\nkernel-2.traceg\n",
                                       "kernel-1.traceg\r\nkernel-2.traceg\r\n"};
    for (unsigned i = 0; i < 2; i++) {
        struct error e = {0};
        struct program *p = open_list(list[i], "", false, &e);
        check_ok(p, &e);
        assert_int_equal(program_launches(p), 2);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_are_counted),
        cmocka_unit_test(what_is_untold_is_counted),
        cmocka_unit_test(unknown_memory_and_matrices_are_refused),
        cmocka_unit_test(no_kernel_is_lost),
        cmocka_unit_test(marks_and_carriage_returns_are_no_text),
    };
    return cmocka_run_group_tests(tests, accelsim_own_cache, accelsim_drop_cache);
}
