/* Accel-Sim traces: counts known from the addresses, the way out and back, and what malformed lines
 * are told. */
#include "base/text.h"
#include "tests/unit/trace_support.h"
#include "trace/accelsim.h"
#include "trace/sass.h"

#define DATA "tests/data/accelsim/"

static const char *const cases[] = {
    "a_copy_f32",          "a_triad_f32",         "b_stride01",          "b_stride02",
    "b_stride04",          "b_stride08",          "b_stride16",          "b_stride32",
    "c_transpose_naive",   "d_matmul_naive",      "e_gather_1m",         "e_gather_64k",
    "f_reduction",         "g_chase_dram_64",     "g_chase_l1_256",      "g_chase_l2_64",
    "h_l1thrash_w08_ws2k", "h_l1thrash_w16_ws2k", "h_l1thrash_w32_ws2k", "i_l2wr_full",
    "i_l2wr_same",         "j_stencil5",
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* The caches that opening a directory fills must not be the user's. */
static int own_cache(void **state)
{
    (void)state;
    const char *dir = scratch("cache");
    struct error e;
    return file_make_dirs(dir, &e) && setenv("XDG_CACHE_HOME", dir, 1) == 0 ? 0 : -1;
}

static int drop_cache(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", getenv("XDG_CACHE_HOME"));
    return system(command);
}

static uint64_t column(const char *header, const char *row, const char *name)
{
    char h[4096], r[4096];
    snprintf(h, sizeof h, "%s", header);
    snprintf(r, sizeof r, "%s", row);
    char *hp = h, *rp = r, *key, *value;
    while ((key = strsep(&hp, ",\n")) && (value = strsep(&rp, ",\n")))
        if (strcmp(key, name) == 0) return strtoull(value, NULL, 10);
    fail_msg("no column %s", name);
    return 0;
}

/* The row of a case under SM7_QV100. */
static void known(const char *name, char header[4096], char row[4096])
{
    char start[128];
    snprintf(start, sizeof start, "SM7_QV100,%s,", name);
    FILE *f = fopen(DATA "results.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(header, 4096, f));
    do
        assert_non_null(fgets(row, 4096, f));
    while (strncmp(row, start, strlen(start)) != 0);
    fclose(f);
}

struct counts {
    uint64_t insts, threads, loads, load_sectors, load_lines, load_bytes, stores, store_sectors,
        store_lines, store_bytes;
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t distinct(const struct warp_inst *w, uint64_t grain)
{
    uint64_t v[2 * WARP_MAX_LANES], n = 0, k = 0, d = 0;
    for (uint64_t rest = w->mask; rest; rest &= rest - 1, k++) {
        uint64_t first = warp_inst_addr(w, (uint32_t)k);
        v[n++] = first / grain;
        v[n++] = (first + w->si->width - 1) / grain;
    }
    qsort(v, n, sizeof *v, by_value);
    for (uint64_t i = 0; i < n; i++)
        d += i == 0 || v[i] != v[i - 1];
    return d;
}

static void count_inst(struct counts *n, const struct warp_inst *w)
{
    uint64_t lanes = (uint64_t)__builtin_popcountll(w->mask);
    n->insts++;
    n->threads += lanes;
    if (w->si->cls == OP_LOAD) {
        n->loads++;
        n->load_bytes += lanes * w->si->width;
        n->load_sectors += distinct(w, 32);
        n->load_lines += distinct(w, 128);
    }
    if (w->si->cls == OP_STORE) {
        n->stores++;
        n->store_bytes += lanes * w->si->width;
        n->store_sectors += distinct(w, 32);
        n->store_lines += distinct(w, 128);
    }
}

static void count_program(struct counts *n, const struct program *p)
{
    struct error e;
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    enum got g = GOT_END;
    for (uint32_t l = 0; l < program_launches(p); l++)
        for (uint64_t cta = 0; cta < program_launch(p, l)->ctas; cta++)
            for (uint32_t warp = 0; warp < program_launch(p, l)->warps_per_cta; warp++) {
                check_ok(cursor_seek(&c, r, l, cta, warp, 0, &e), &e);
                while ((g = cursor_next(&c, &w, &e)) == GOT_INST)
                    count_inst(n, &w);
                assert_int_equal(g, GOT_END);
            }
    cursor_release(&c);
    reader_free(r);
}

static struct program *open_case(const char *name)
{
    struct error e;
    char dir[128];
    snprintf(dir, sizeof dir, DATA "%s", name);
    struct program *p = program_open(dir, NULL, &e);
    check_ok(p, &e);
    assert_string_equal(program_name(p), name);
    return p;
}

static void counts_are_those_of_the_addresses(void **state)
{
    (void)state;
    char header[4096], row[4096];
    for (unsigned i = 0; i < N_CASES; i++) {
        struct counts n = {0};
        struct program *p = open_case(cases[i]);
        count_program(&n, p);
        program_close(p);
        known(cases[i], header, row);
        assert_int_equal(n.insts, column(header, row, "exact_warp_insts"));
        assert_int_equal(n.insts, column(header, row, "warp_insts"));
        assert_int_equal(n.threads, column(header, row, "exact_thread_insts"));
        assert_int_equal(n.loads, column(header, row, "exact_ld_warp_insts"));
        assert_int_equal(n.load_sectors, column(header, row, "exact_ld_sectors"));
        assert_int_equal(n.load_lines, column(header, row, "exact_ld_lines"));
        assert_int_equal(n.load_bytes, column(header, row, "exact_ld_bytes"));
        assert_int_equal(n.stores, column(header, row, "exact_st_warp_insts"));
        assert_int_equal(n.store_sectors, column(header, row, "exact_st_sectors"));
        assert_int_equal(n.store_lines, column(header, row, "exact_st_lines"));
        assert_int_equal(n.store_bytes, column(header, row, "exact_st_bytes"));
    }
}

static void remove_dir(const char *dir)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
}

/* Two cursors over two programs, instruction by instruction. */
static void assert_same_streams(const struct program *a, const struct program *b)
{
    struct error e;
    struct reader *ra = reader_new(a, &e), *rb = reader_new(b, &e);
    struct cursor ca = {0}, cb = {0};
    struct warp_inst wa, wb;
    for (uint32_t l = 0; l < program_launches(a); l++)
        for (uint64_t cta = 0; cta < program_launch(a, l)->ctas; cta++)
            for (uint32_t warp = 0; warp < program_launch(a, l)->warps_per_cta; warp++) {
                check_ok(cursor_seek(&ca, ra, l, cta, warp, 0, &e) &&
                             cursor_seek(&cb, rb, l, cta, warp, 0, &e),
                         &e);
                while (cursor_next(&ca, &wa, &e) == GOT_INST) {
                    struct event want;
                    assert_int_equal(cursor_next(&cb, &wb, &e), GOT_INST);
                    event_of(&want, &wa);
                    assert_event(&want, &wb);
                    assert_memory_equal(wa.si, wb.si, sizeof *wa.si);
                }
                assert_int_equal(cursor_next(&cb, &wb, &e), GOT_END);
            }
    cursor_release(&ca);
    cursor_release(&cb);
    reader_free(ra);
    reader_free(rb);
}

static void export_and_import_lose_nothing(void **state)
{
    (void)state;
    static const char *const some[] = {"f_reduction", "d_matmul_naive", "h_l1thrash_w08_ws2k"};
    for (unsigned i = 0; i < 3; i++) {
        struct error e;
        struct text lost = {0};
        const char *dir = scratch("exported");
        struct program *p = open_case(some[i]);
        check_ok(accelsim_export(p, dir, false, &lost, &e), &e);
        assert_string_equal(text_str(&lost), "");
        struct program *q = program_open(dir, NULL, &e);
        check_ok(q, &e);
        assert_same_streams(p, q);
        assert_true(digest_equal(program_digest(p), program_digest(q)));
        assert_string_equal(program_launch(p, 0)->header, program_launch(q, 0)->header);
        program_close(p);
        program_close(q);
        text_fini(&lost);
        remove_dir(dir);
    }
}

static char *meaningful_line(struct instream *in)
{
    struct error e;
    size_t n;
    char *line = instream_line(in, &n, &e);
    while (line && (n == 0 || strncmp(line, "#traces", 7) == 0))
        line = instream_line(in, &n, &e);
    return line;
}

/* Our directory for each trace is the tracer's, line by line, but for blank lines and the comment.
 */
static void export_is_the_original_text(void **state)
{
    (void)state;
    static const char *const some[] = {"d_matmul_naive", "f_reduction", "e_gather_64k",
                                       "c_transpose_naive"};
    for (unsigned i = 0; i < 4; i++) {
        struct error e;
        struct text lost = {0};
        char original[128], *line;
        const char *dir = scratch("text");
        struct program *p = open_case(some[i]);
        check_ok(accelsim_export(p, dir, false, &lost, &e), &e);
        program_close(p);
        snprintf(original, sizeof original, DATA "%s/kernel-1.traceg.xz", some[i]);
        char *path = file_join(dir, "kernel-1.traceg");
        struct instream *a = instream_open(original, &e), *b = instream_open(path, &e);
        while ((line = meaningful_line(a))) {
            char *ours = meaningful_line(b);
            assert_non_null(ours);
            assert_string_equal(ours, line);
        }
        assert_null(meaningful_line(b));
        instream_close(a);
        instream_close(b);
        mem_free(path);
        remove_dir(dir);
    }
}

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
    const char *dir = scratch("demo");
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
    remove_dir(dir);
}

static void assert_reexported(const char *text, const char *without)
{
    struct error e;
    struct text lost = {0};
    const char *dir = scratch("demo2"), *out = scratch("demo3");
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
    remove_dir(dir);
    remove_dir(out);
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
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        struct text t = {0};
        const char *dir = scratch("wrong");
        replace(&t, demo, &wrong[i]);
        write_text(dir, "kernelslist.g", "kernel-1.traceg\n");
        write_text(dir, "kernel-1.traceg", t.s);
        assert_null(program_open(dir, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].said) || !strstr(e.text, "kernel-1.traceg:"))
            fail_msg("%zu: '%s' should say '%s'", i, e.text, wrong[i].said);
        text_fini(&t);
        remove_dir(dir);
    }
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
        const char *dir = scratch("wronglist");
        write_text(dir, "kernelslist.g", wrong[i].to);
        assert_null(program_open(dir, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        if (!strstr(e.text, wrong[i].said)) fail_msg("'%s' should say '%s'", e.text, wrong[i].said);
        remove_dir(dir);
    }
    struct error e;
    assert_null(program_open("tests/data", NULL, &e));
    assert_non_null(strstr(e.text, "kernelslist.g"));
}

/* Other programs go out only with --lossy, and keep their counts and addresses. */
static void lossy_export_says_what_is_lost(void **state)
{
    (void)state;
    struct error e;
    struct text lost = {0};
    const char *cfg = scratch("lossy.cfg"), *dir = scratch("lossy");
    FILE *f = fopen(cfg, "w");
    fputs("generator = \"reduction\"; ctas = 3; warps_per_cta = 2; iterations = 3;\n", f);
    fclose(f);
    struct program *p = program_open(cfg, NULL, &e);
    check_ok(p, &e);
    assert_false(accelsim_export(p, dir, false, &lost, &e));
    assert_false(file_exists(dir));
    assert_non_null(strstr(text_str(&lost), "opcodes"));
    text_fini(&lost);
    check_ok(accelsim_export(p, dir, true, &lost, &e), &e);
    text_fini(&lost);
    struct program *q = program_open(dir, NULL, &e);
    check_ok(q, &e);
    struct counts a = {0}, b = {0};
    count_program(&a, p);
    count_program(&b, q);
    assert_memory_equal(&a, &b, sizeof a);
    program_close(p);
    program_close(q);
    remove_dir(dir);
    unlink(cfg);
}

static void unwritable_cache_is_no_obstacle(void **state)
{
    (void)state;
    char *before = mem_strdup(getenv("XDG_CACHE_HOME"));
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    struct program *p = open_case("g_chase_l1_256");
    assert_int_equal(program_launches(p), 1);
    program_close(p);
    setenv("XDG_CACHE_HOME", before, 1);
    mem_free(before);
}

static void opcodes_decode(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        struct sass want;
    } known_ops[] = {
        {"LDG.E.128.SYS", {OP_LOAD, SPACE_GLOBAL, 0, 16, true, false}},
        {"LDG.E.STRONG.GPU", {OP_LOAD, SPACE_GLOBAL, HINT_BYPASS_L1, 4, true, false}},
        {"LDG.E.STRONG.SYS", {OP_LOAD, SPACE_GLOBAL, 0, 4, true, false}},
        {"LD.E.U8", {OP_LOAD, SPACE_GLOBAL, 0, 1, true, true}},
        {"STS.U16", {OP_SHARED_STORE, SPACE_SHARED, 0, 2, true, false}},
        {"ATOMS.ADD", {OP_SHARED_STORE, SPACE_SHARED, 0, 4, true, false}},
        {"RED.E.ADD.F32.FTZ.RN", {OP_ATOMIC, SPACE_GLOBAL, 0, 4, true, false}},
        {"LDL.LU.64", {OP_LOAD, SPACE_LOCAL, 0, 8, true, false}},
        {"LDC.64", {OP_INT, SPACE_CONST, 0, 8, true, false}},
        {"BAR.SYNC.DEFER_BLOCKING", {OP_BARRIER, SPACE_NONE, 0, 4, true, false}},
        {"MEMBAR.SC.GPU", {OP_FENCE, SPACE_NONE, 0, 4, true, false}},
        {"EXIT", {OP_EXIT, SPACE_NONE, 0, 4, true, false}},
        {"WARPSYNC", {OP_BRANCH, SPACE_NONE, 0, 4, true, false}},
        {"MUFU.RCP", {OP_SFU, SPACE_NONE, 0, 4, true, false}},
        {"HMMA.884.F32.F32.STEP0", {OP_TENSOR, SPACE_NONE, 0, 4, true, false}},
        {"DFMA", {OP_FP64, SPACE_NONE, 0, 4, true, false}},
        {"HFMA2.MMA", {OP_FP32, SPACE_NONE, 0, 4, true, false}},
        {"IADD3.X", {OP_INT, SPACE_NONE, 0, 4, true, false}},
        {"IAD", {OP_INT, SPACE_NONE, 0, 4, false, false}},
        {"IADD3000", {OP_INT, SPACE_NONE, 0, 4, false, false}},
        {"XMAD.PSL.CBCC", {OP_INT, SPACE_NONE, 0, 4, true, false}},
        {"AL2P", {OP_INT, SPACE_NONE, 0, 4, true, false}},
        {"YIELD", {OP_BRANCH, SPACE_NONE, 0, 4, true, false}},
    };
    for (size_t i = 0; i < sizeof known_ops / sizeof *known_ops; i++) {
        struct sass got = sass_decode(known_ops[i].opcode, strlen(known_ops[i].opcode));
        const struct sass *want = &known_ops[i].want;
        if (got.cls != want->cls || got.space != want->space || got.hint != want->hint ||
            got.width != want->width || got.known != want->known || got.generic != want->generic)
            fail_msg("%s", known_ops[i].opcode);
    }
}

/* The table is searched by bisection: every entry must find itself. */
static void every_opcode_is_found(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (const char *name; (name = sass_opcode(n)); n++)
        if (!sass_decode(name, strlen(name)).known) fail_msg("%s", name);
    assert_true(n > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_addresses),
        cmocka_unit_test(export_and_import_lose_nothing),
        cmocka_unit_test(export_is_the_original_text),
        cmocka_unit_test(demo_is_read_as_described),
        cmocka_unit_test(odd_operands_come_back),
        cmocka_unit_test(old_tracers_are_read),
        cmocka_unit_test(malformed_lines_are_named),
        cmocka_unit_test(malformed_lists_are_named),
        cmocka_unit_test(lossy_export_says_what_is_lost),
        cmocka_unit_test(unwritable_cache_is_no_obstacle),
        cmocka_unit_test(opcodes_decode),
        cmocka_unit_test(every_opcode_is_found),
    };
    return cmocka_run_group_tests(tests, own_cache, drop_cache);
}
