/* Asynchronous copies in programs: what the format takes, the way through files and through
 * Accel-Sim's text, and the generator that pipelines its tiles by them. */
#include "tests/support/accelsim_dirs.h"
#include "tests/support/hand.h"
#include "trace/plt/repack.h"
#include "trace/program/summary.h"
#include "trace/stream/code_table.h"

#include <unistd.h>

/* Whether a code table with that instruction can be read. */
static bool is_read(const struct static_inst *si)
{
    struct code_table t, back;
    struct bytes b = {0};
    assert_true(code_init(&t));
    assert_int_equal(code_add(&t, si, "x"), 0);
    code_write(&t, &b);
    struct span in = {b.p, b.p + b.n, false};
    bool ok = code_read(&back, &in);
    if (ok) assert_memory_equal(back.si, t.si, sizeof *t.si);
    code_fini(&back);
    code_fini(&t);
    bytes_fini(&b);
    return ok;
}

static void only_copies_that_can_be_are_read(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= INST_MAX_WIDTH; width++) {
        struct static_inst copy = {.cls = OP_LOAD,
                                   .space = SPACE_GLOBAL,
                                   .width = (uint8_t)width,
                                   .hint = HINT_ASYNC,
                                   .dst = REG_NONE};
        assert_true(is_read(&copy) == (width == 4 || width == 8 || width == 16));
    }
    const struct static_inst copy = {.cls = OP_LOAD,
                                     .space = SPACE_GLOBAL,
                                     .width = 16,
                                     .hint = HINT_ASYNC | HINT_BYPASS_L1,
                                     .dst = REG_NONE};
    struct static_inst x = copy;
    assert_true(is_read(&x));
    x.dst = 4;
    assert_false(is_read(&x));
    x = copy, x.space = SPACE_SHARED;
    assert_false(is_read(&x));
    x = copy, x.cls = OP_STORE;
    assert_false(is_read(&x));
    struct static_inst wait = {.cls = OP_COPY_WAIT, .width = 63, .dst = REG_NONE};
    assert_true(is_read(&wait));
    wait.width = 64;
    assert_false(is_read(&wait));
    wait = (struct static_inst){.cls = OP_COPY_COMMIT, .dst = 1};
    assert_false(is_read(&wait));
}

static struct program *tiles(uint32_t stages, uint32_t width)
{
    char text[200];
    snprintf(text, sizeof text,
             "generator = \"tiled_matmul\"; n = 64; tile = 32; ctas = 4; warps_per_cta = %u; "
             "iterations = 5; unroll = 2; stages = %u;",
             width == 64 ? 2u : 4u, stages);
    return run_program(text, width);
}

static void files_and_text_bring_the_same_back(void **state)
{
    (void)state;
    struct error e;
    struct text lost = {0};
    const char *path = scratch_path("tiles.plt"), *dir = scratch_path("tiles");
    struct program *p = tiles(3, 32);
    check_ok(program_repack(p, path, "tiles", &e), &e);
    struct program *q = program_open(path, NULL, &e);
    check_ok(q, &e);
    check_ok(program_verify(q, &e), &e);
    assert_same_streams(p, q);
    check_ok(accelsim_export(q, dir, true, &lost, &e), &e);
    assert_null(strstr(text_str(&lost), "hints"));
    struct program *r = program_open(dir, NULL, &e);
    check_ok(r, &e);
    struct program_summary a, b;
    check_ok(program_summarize(&a, q, NULL, &e) && program_summarize(&b, r, NULL, &e), &e);
    assert_memory_equal(a.all.by_class, b.all.by_class, sizeof a.all.by_class);
    assert_true(a.all.copies && a.all.copies == b.all.copies);
    program_summary_fini(&a);
    program_summary_fini(&b);
    text_fini(&lost);
    program_close(p);
    program_close(q);
    program_close(r);
    unlink(path);
    accelsim_remove_dir(dir);
}

/* Every version of the product reads, computes and stores the same; only what brings the tiles to
 * shared memory differs. */
static void stages_move_the_same_bytes(void **state)
{
    (void)state;
    for (uint32_t width = 32; width <= 64; width += 32) {
        struct program_summary one, s;
        struct error e;
        struct program *p = tiles(1, width);
        check_ok(program_summarize(&one, p, NULL, &e), &e);
        uint32_t shared = program_launch(p, 0)->shared_bytes;
        program_close(p);
        for (uint32_t stages = 2; stages <= 4; stages++) {
            p = tiles(stages, width);
            check_ok(program_summarize(&s, p, NULL, &e), &e);
            uint64_t warps = one.all.warps, commits = warps * (5 + stages - 1);
            assert_int_equal(program_launch(p, 0)->shared_bytes, stages * shared);
            assert_int_equal(s.all.by_class[OP_COPY_COMMIT], commits);
            assert_int_equal(s.all.by_class[OP_COPY_WAIT], warps * 5);
            assert_int_equal(s.all.copies, s.all.by_class[OP_LOAD]);
            assert_int_equal(s.all.by_class[OP_LOAD], 4 * commits);
            assert_int_equal(s.all.lanes_by_class[OP_LOAD], one.all.lanes_by_class[OP_LOAD]);
            assert_int_equal(s.all.lines, one.all.lines);
            assert_int_equal(s.all.by_class[OP_FP32], one.all.by_class[OP_FP32]);
            assert_int_equal(s.all.by_class[OP_SHARED_LOAD], one.all.by_class[OP_SHARED_LOAD]);
            assert_int_equal(s.all.by_class[OP_SHARED_STORE], 0);
            program_summary_fini(&s);
            program_close(p);
        }
        program_summary_fini(&one);
    }
}

static void wrong_tiles_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {{"tile = 48;", "a power of two"},
                 {"n = 96;", "divides n"},
                 {"ctas = 3;", "divides the CTAs"},
                 {"tile = 256; n = 256;", "1, 2, 4, 8 or 16 elements a thread"},
                 {"element_bytes = 2;", "copies have 4, 8 or 16"},
                 {"stages = 0;", "out of range"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        char text[100];
        const char *path = scratch_path("wrong.cfg");
        snprintf(text, sizeof text, "generator = \"tiled_matmul\"; %s\n", wrong[i].text);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
        assert_null(program_open(path, NULL, &e));
        if (!strstr(e.text, wrong[i].said)) fail_msg("'%s': %s", wrong[i].text, e.text);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_copies_that_can_be_are_read),
        cmocka_unit_test(files_and_text_bring_the_same_back),
        cmocka_unit_test(stages_move_the_same_bytes),
        cmocka_unit_test(wrong_tiles_are_named),
    };
    return cmocka_run_group_tests(tests, accelsim_own_cache, accelsim_drop_cache);
}
