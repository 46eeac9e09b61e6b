/* The text of Accel-Sim traces: the example of the format's description, odd operands, old tracers,
 * and what malformed lines are told. */
#include "base/text/text.h"
#include "tests/support/accelsim_dirs.h"

#include <string.h>

static void write_text(const char *dir, const char *name, const char *content)
{
    struct error e;
    check_ok(file_make_dirs(dir, &e), &e);
    char *path = file_join(dir, name);
    struct outfile *f = outfile_open(path, &e);
    check_ok(f, &e);
    outfile_write(f, content, strlen(content));
    check_ok(outfile_commit(f, &e), &e);
    mem_free(path);
}

#define HEAD(version)                                                                        \
    "-kernel name = demo\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"      \
    "-shmem = 0\n-nregs = 8\n-binary version = 70\n-cuda stream id = 0\n"                    \
    "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0002000000\n"     \
    "-nvbit version = 1.5.5\n-accelsim tracer version = " version                            \
    "\n-enable lineinfo = 0\n\n#traces format = (free text)\n\n#BEGIN_TB\n\nthread block = " \
    "0,0,0\n\nwarp = 0\n"

/* The example of the format's description, with one line of each address mode and odd operands. */
static const char demo[] =
    HEAD("5") "insts = 11\n"
              "0000 ffffffff 1 R0 S2R 0 0 0 \n"
              "0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x1000000000 4 0 \n"
              "0020 00000007 1 R5 LDG.E.64.SYS 1 R2 8 2 0x1000000100 64 -32 0 \n"
              "0030 0000000a 1 R6 LDG.E.STRONG.GPU 1 R2 4 0 0x1000000200 0x1000000400 0 \n"
              "0040 0000ffff 0 STG.E.SYS 2 R2 R4 4 1 0x3000000000 8 0 \n"
              "0050 00000001 1 R6 LD.E 1 R255 4 2 0x00007f0000000010 0 \n"
              "0060 00000001 1 R255 LD.E.U8 1 R2 1 2 0x00007f0002000010 0 \n"
              "0070 00000000 0 LDG.E 1 R2 4 1 0x0 0 0 \n"
              "0080 ffffffff 0 DEPBAR.LE 0 0 3 \n"
              "0090 ffffffff 1 R3 FROB.X 1 R2 0 0 \n"
              "00a0 ffffffff 0 EXIT 0 0 0 \n"
              "\n#END_TB\n";

static struct program *open_demo(const char *dir, const char *text)
{
    struct error e;
    write_text(dir, "kernelslist.g", "MemcpyHtoD,0x00007f2b2d500000,400\nkernel-1.traceg\n");
    write_text(dir, "kernel-1.traceg", text);
    struct program *p = program_open(dir, NULL, &e);
    check_ok(p, &e);
    return p;
}

static void demo_is_read_as_described(void **state)
{
    (void)state;
    struct error e;
    const char *dir = scratch_path("demo");
    struct program *p = open_demo(dir, demo);
    const struct launch *l = program_launch(p, 0);
    const struct static_inst *c = l->code;
    assert_int_equal(l->n_code, 11);
    assert_int_equal(program_command(p, 0)->kind, COMMAND_COPY_TO_DEVICE);
    assert_int_equal(program_command(p, 0)->addr, 0x7f2b2d500000);
    const uint8_t cls[] = {OP_INT,  OP_LOAD, OP_LOAD, OP_LOAD, OP_STORE, OP_SHARED_LOAD,
                           OP_LOAD, OP_LOAD, OP_INT,  OP_INT,  OP_EXIT};
    const uint8_t space[] = {0,
                             SPACE_GLOBAL,
                             SPACE_GLOBAL,
                             SPACE_GLOBAL,
                             SPACE_GLOBAL,
                             SPACE_SHARED,
                             SPACE_LOCAL,
                             SPACE_GLOBAL,
                             0,
                             0,
                             0};
    const uint8_t width[] = {0, 4, 8, 4, 4, 4, 1, 4, 0, 0, 0};
    for (unsigned i = 0; i < 11; i++) {
        assert_int_equal(c[i].cls, cls[i]);
        assert_int_equal(c[i].space, space[i]);
        assert_int_equal(c[i].width, width[i]);
        assert_int_equal(c[i].hint, i == 3 ? HINT_BYPASS_L1 : 0);
    }
    assert_int_equal(c[1].dst, 4);
    assert_int_equal(c[1].src[0], 2);
    assert_int_equal(c[5].n_src, 0); /* RZ */
    assert_int_equal(c[6].dst, REG_NONE);
    assert_string_equal(l->strings + c[1].opcode, "LDG.E.SYS");
    assert_int_equal(program_warnings(p), 1);
    assert_non_null(strstr(program_warning(p, 0), "FROB.X"));
    struct reader *r = reader_new(p, &e);
    struct cursor cur = {0};
    struct warp_inst w;
    check_ok(cursor_seek(&cur, r, 0, 0, 0, 0, &e), &e);
    cursor_skip(&cur, 2, &e);
    assert_int_equal(cursor_next(&cur, &w, &e), GOT_INST);
    assert_int_equal(warp_inst_addr(&w, 1), 0x1000000140);
    assert_int_equal(warp_inst_addr(&w, 2), 0x1000000120);
    assert_int_equal(cursor_next(&cur, &w, &e), GOT_INST);
    assert_int_equal(w.mask, 0xa);
    assert_int_equal(warp_inst_addr(&w, 1), 0x1000000400);
    cursor_release(&cur);
    reader_free(r);
    program_close(p);
    accelsim_remove_dir(dir);
}

static void assert_reexported(const char *text, const char *without)
{
    struct error e;
    struct text lost = {0};
    const char *dir = scratch_path("demo2"), *out = scratch_path("demo3");
    struct program *p = open_demo(dir, text);
    check_ok(accelsim_export(p, out, false, &lost, &e), &e);
    struct program *q = program_open(out, NULL, &e);
    check_ok(q, &e);
    assert_same_streams(p, q);
    assert_true(digest_equal(program_digest(p), program_digest(q)));
    char *path = file_join(out, "kernel-1.traceg"), *bytes;
    size_t n;
    check_ok(file_read(path, &bytes, &n, &e), &e);
    assert_non_null(strstr(bytes, without));
    mem_free(bytes);
    mem_free(path);
    program_close(p);
    program_close(q);
    accelsim_remove_dir(dir);
    accelsim_remove_dir(out);
}

static void odd_operands_come_back(void **state)
{
    (void)state;
    assert_reexported(demo, "0050 00000001 1 R6 LD.E 1 R255 4 2 0x7f0000000010 0 \n");
    assert_reexported(demo, "0060 00000001 1 R255 LD.E.U8 1 R2 1 2 0x7f0002000010 0 \n");
    assert_reexported(demo, "0070 00000000 0 LDG.E 1 R2 4 1 0x0 0 0");
    assert_reexported(demo, "0080 ffffffff 0 DEPBAR.LE 0 0 3");
    assert_reexported(demo, "0090 ffffffff 1 R3 FROB.X 1 R2 0 0");
}

static void old_tracers_are_read(void **state)
{
    (void)state;
    static const char version2[] =
        HEAD("2") "insts = 2\n0 0 0 0 0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x1000000000 4 \n"
                  "0 0 0 0 0020 ffffffff 0 EXIT 0 0 \n#END_TB\n";
    assert_reexported(version2, "0 0 0 0 0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x1000000000 4 \n");
}

struct wrong {
    const char *from, *to, *said;
};

static void replace(struct text *out, const char *in, const struct wrong *x)
{
    const char *at = strstr(in, x->from);
    assert_non_null(at);
    text_add_bytes(out, in, (size_t)(at - in));
    text_add(out, "%s%s", x->to, at + strlen(x->from));
}

static void assert_wrong(const char *text, const struct wrong *x)
{
    struct error e = {0};
    struct text t = {0};
    const char *dir = scratch_path("wrong");
    replace(&t, text, x);
    write_text(dir, "kernelslist.g", "kernel-1.traceg\n");
    write_text(dir, "kernel-1.traceg", t.s);
    assert_null(program_open(dir, NULL, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    if (!strstr(e.text, x->said) || !strstr(e.text, "kernel-1.traceg:"))
        fail_msg("'%s' for '%s' should say '%s'", e.text, x->to, x->said);
    text_fini(&t);
    accelsim_remove_dir(dir);
}

static void malformed_lines_are_named(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"-grid dim = (1,1,1)", "-grid dim = (1,1)", ":3: value"},
        {"-grid dim = (1,1,1)", "-grid dim = (0,1,1)", ":3: value"},
        {"-grid dim = (1,1,1)\n", "", "'-grid dim = ...'"},
        {"-block dim = (32,1,1)", "-block dim = (99999,9,9)", "out of bounds"},
        {"-block dim = (32,1,1)", "-block dim = (64,1,1)", "warp 1 of the CTA is missing"},
        {"-grid dim = (1,1,1)", "-grid dim = (2,1,1)", "the grid has more CTAs"},
        {"#BEGIN_TB", "#BEGIN", ":17: not the beginning"},
        {"thread block = 0,0,0", "thread block = 0,1,0", "name of the CTA"},
        {"warp = 0", "warp = 1", "below 1"},
        {"insts = 11", "insts = 0", "count of instructions"},
        {"insts = 11", "insts = 10", "is not EXIT"},
        {"insts = 11", "insts = 99", "fewer instructions than announced"},
        {"0010 ffffffff", "0010 fffffffff", ":24: mask"},
        {"1 R4 LDG", "1 X4 LDG", "destination"},
        {"1 R4 LDG", "2 R4 LDG", "destination"},
        {"STG.E.SYS 2 R2 R4", "STG.E.SYS 5 R2 R4", "sources"},
        {"4 1 0x1000000000 4 0", "4 3 0x1000000000 4 0", "address mode"},
        {"4 0 0x1000000200 0x1000000400 0", "4 0 0x1000000200", "list of addresses"},
        {"8 2 0x1000000100 64 -32 0", "8 2 0x1000000100 64", "list of differences"},
        {"0000000a 1 R6 LDG.E.STRONG.GPU 1 R2 4 0 0x1000000200 0x1000000400 0",
         "0000000a 1 R6 LDG.E.STRONG.GPU 1 R2 4 1 0x1000000200 4 0", "scattered"},
        {"DEPBAR.LE 0 0 3", "DEPBAR.LE 0 0 3 4", "nothing may follow"},
        {"DEPBAR.LE 0 0 3", "DEPBAR.LE 0 0 x", "immediate"},
        {"#END_TB", "#BEGIN_TB", "expected 'warp"},
        {"#END_TB\n", "#END_TB\n#BEGIN_TB\n", "more than the grid's CTAs"},
        {"-kernel id = 1", "kernel id = 1", ":2: not a header line"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_wrong(demo, &wrong[i]);
}

static void malformed_lists_are_named(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"", "", "no kernel is listed"},
        {"", "kernel-9.traceg\n", ":1: there is no file kernel-9.traceg"},
        {"", "MemcpyHtoD,12\n", ":1: 'MemcpyHtoD,12'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        const char *dir = scratch_path("wronglist");
        write_text(dir, "kernelslist.g", wrong[i].to);
        assert_null(program_open(dir, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].said)) fail_msg("'%s' should say '%s'", e.text, wrong[i].said);
        accelsim_remove_dir(dir);
    }
    struct error e;
    assert_null(program_open("tests/data", NULL, &e));
    assert_non_null(strstr(e.text, "kernelslist.g"));
}

/* Copies as the tracer writes them, in two lines, and as its post-processing leaves them, in one.
 * The first DEPBAR comes before there is a group. */
static const char copies[] =
    HEAD("5") "insts = 9\n"
              "0000 ffffffff 0 DEPBAR.LE 0 0 0 \n"
              "0010 ffffffff 0 LDGSTS.E.BYPASS.LTC128B.128 2 R4 R2 16 1 0x00007f0000000400 16 0 \n"
              "0010 ffffffff 0 LDGSTS.E.BYPASS.LTC128B.128 2 R4 R2 16 1 0x1000000000 16 0 \n"
              "0020 0000000f 0 LDGSTS.E 2 R4 R2 4 1 0x1000000800 4 0 \n"
              "0030 ffffffff 0 LDGDEPBAR 0 0 0 \n"
              "0040 ffffffff 0 DEPBAR.LE 0 0 1 \n"
              "0050 00000000 0 LDGSTS.E.64 2 R4 R2 8 1 0x0 0 0 \n"
              "0060 ffffffff 0 DEPBAR.LE 0 0 0 \n"
              "0070 ffffffff 0 EXIT 0 0 0 \n"
              "\n#END_TB\n";

static void assert_copy(const struct warp_inst *w, uint8_t width, uint8_t hint, uint64_t mask,
                        uint64_t first)
{
    assert_true(inst_is_copy(w->si));
    assert_int_equal(w->si->width, width);
    assert_int_equal(w->si->hint, hint | HINT_ASYNC);
    assert_int_equal(w->si->space, SPACE_GLOBAL);
    assert_int_equal(w->si->dst, REG_NONE);
    assert_true(w->mask == mask);
    if (mask) assert_true(warp_inst_addr(w, 0) == first);
}

static void copies_are_read_with_their_sources(void **state)
{
    (void)state;
    struct error e;
    const char *dir = scratch_path("copies");
    struct program *p = open_demo(dir, copies);
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w[9];
    uint32_t n = 0;
    check_ok(cursor_seek(&c, r, 0, 0, 0, 0, &e), &e);
    for (; n < 8 && cursor_next(&c, &w[n], &e) == GOT_INST; n++)
        if (n == 1) assert_copy(&w[n], 16, HINT_BYPASS_L1, UINT32_MAX, 0x1000000000);
    assert_int_equal(n, 8);
    assert_int_equal(w[0].si->cls, OP_INT);
    assert_copy(&w[2], 4, 0, 15, 0x1000000800);
    assert_int_equal(w[3].si->cls, OP_COPY_COMMIT);
    assert_int_equal(w[4].si->cls, OP_COPY_WAIT);
    assert_int_equal(inst_open_groups(w[4].si), 1);
    assert_copy(&w[5], 8, 0, 0, 0);
    assert_int_equal(inst_open_groups(w[6].si), 0);
    assert_int_equal(w[7].si->cls, OP_EXIT);
    cursor_release(&c);
    reader_free(r);
    program_close(p);
    accelsim_remove_dir(dir);
    assert_reexported(copies, "0040 ffffffff 0 DEPBAR.LE 0 0 1");
    assert_reexported(copies, "0010 ffffffff 0 LDGSTS.E.BYPASS.LTC128B.128 2 R4 R2 16 1 "
                              "0x1000000000 16 0");
}

static void malformed_copies_are_named(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"LDGSTS.E 2 R4 R2 4", "LDGSTS.E.U8 2 R4 R2 1", ":26: size of an LDGSTS"},
        {"DEPBAR.LE 0 0 1", "DEPBAR.LE 0 0 64", ":28: groups of a DEPBAR"},
        {"DEPBAR.LE 0 0 1", "DEPBAR.LE 0 0 -1", ":28: groups of a DEPBAR"},
        {"0x1000000800", "0x00007f0000000800", "has only a shared address"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_wrong(copies, &wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(demo_is_read_as_described),
        cmocka_unit_test(odd_operands_come_back),
        cmocka_unit_test(old_tracers_are_read),
        cmocka_unit_test(malformed_lines_are_named),
        cmocka_unit_test(malformed_lists_are_named),
        cmocka_unit_test(copies_are_read_with_their_sources),
        cmocka_unit_test(malformed_copies_are_named),
    };
    return cmocka_run_group_tests(tests, accelsim_own_cache, accelsim_drop_cache);
}
