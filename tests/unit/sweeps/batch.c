/* Do the chunks of a batch cover its runs, each once, shrink towards the end, and come out alike
 * for all who read its file? */
#include "sweeps/workers/batch.h"
#include "base/memory/rng.h"
#include "tests/support/plan_text.h"

#include <stdio.h>
#include <string.h>

static void grid(struct plan *plan, const char *engine)
{
    char text[600];
    snprintf(text, sizeof text,
             HEAD "axes = ( { path = \"l1.kb\"; values = [8, 16, 32, 64]; },\n"
                  "{ path = \"l2.bank_kb\"; values = [32, 64, 128, 256, 512]; },\n"
                  "{ path = \"dram.channels\"; values = [1, 2, 4, 8]; } );\nengine = \"%s\";\n",
             engine);
    plan_text_sound(plan, text);
}

/* Checks that the chunks cover the places one after the other and never grow. */
static void check_chunks(const struct run_batch *b)
{
    assert_int_equal(b->start[0], 0);
    assert_int_equal(b->start[b->chunks], b->runs);
    for (size_t i = 0; i < b->chunks; i++) {
        uint64_t n = b->start[i + 1] - b->start[i];
        assert_true(n > 0);
        if (i) assert_true(n <= b->start[i] - b->start[i - 1]);
    }
}

static void cut_of_a_grid(void **state)
{
    (void)state;
    struct plan plan;
    struct error e = {0};
    grid(&plan, "simulate");
    for (uint32_t workers = 1; workers < 200; workers += 7) {
        struct run_batch b = {.engine = ENGINE_SIMULATE, .workers = workers};
        assert_true(batch_add(&b, 0, 80, &e) && batch_cut(&b, &plan, &e));
        check_chunks(&b);
        assert_int_equal(b.start[1], (80 + 2 * workers - 1) / (2 * workers));
        assert_int_equal(b.start[b.chunks] - b.start[b.chunks - 1], 1);
        batch_fini(&b);
    }
    struct run_batch b = {.engine = ENGINE_ESTIMATE, .workers = 1000};
    assert_true(batch_add(&b, 0, 80, &e) && batch_cut(&b, &plan, &e));
    assert_int_equal(b.chunks, 5); /* of 16 */
    batch_fini(&b);
    plan_fini(&plan);
}

/* Chunks of more than a point's runs hold whole points. */
static void whole_points(void **state)
{
    (void)state;
    struct plan plan;
    struct error e = {0};
    folder_text("second.cfg", "generator = \"stream\";\nctas = 9;\n");
    plan_text_sound(&plan,
                    "machine = \"rx540\";\nworkloads = ( \"small.cfg\", \"second.cfg\" );\n"
                    "output = \"x.db\";\nengine = \"simulate\";\n"
                    "axes = ( { path = \"l2.mshr.entries\"; range = [1, 45]; points = 45; } );\n");
    struct run_batch b = {.engine = ENGINE_SIMULATE, .workers = 5};
    assert_true(batch_add(&b, 0, 90, &e) && batch_cut(&b, &plan, &e));
    check_chunks(&b);
    assert_int_equal(b.start[1], 8); /* a tenth is 9 */
    for (size_t i = 0; i < b.chunks; i++)
        if (b.start[i + 1] - b.start[i] > 2) assert_int_equal(b.start[i] % 2, 0);
    batch_fini(&b);
    plan_fini(&plan);
}

/* A list drawn at random, its file, and the file read again. */
static void same_from_the_file(void **state)
{
    (void)state;
    struct plan plan;
    struct error e = {0};
    struct rng r;
    rng_seed(&r, 7, 0);
    grid(&plan, "simulate");
    for (int i = 0; i < 50; i++) {
        struct run_batch b = {.engine = ENGINE_SIMULATE, .workers = 1 + (uint32_t)rng_below(&r, 9)},
                         c;
        struct text out = {0};
        uint64_t list[80], n = 0;
        b.last = i % 2;
        for (uint64_t run = 0; run < 80; run++) {
            if (rng_below(&r, 3) == 0) continue;
            list[n++] = run;
            assert_true(batch_add(&b, run, 1, &e));
        }
        assert_true(batch_cut(&b, &plan, &e));
        batch_write(&b, &out);
        const char *path = folder_text("batch", text_str(&out));
        if (!batch_read(&c, path, &plan, &e)) fail_msg("%s", e.text);
        check_chunks(&c);
        assert_true(c.last == b.last && c.engine == b.engine && c.runs == n &&
                    c.chunks == b.chunks);
        for (uint64_t k = 0; k < n; k++)
            assert_int_equal(batch_run(&c, k), list[k]);
        batch_fini(&b);
        batch_fini(&c);
        text_fini(&out);
    }
    plan_fini(&plan);
}

static void refused_files(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "plumb-batch 1\nengine simulate\nworkers 3\n0+4\n",
        "plumb-batch 2\nengine simulate\nworkers 3\n0+4\nend\n",
        "plumb-batch 1\nengine guess\nworkers 3\n0+4\nend\n",
        "plumb-batch 1\nengine simulate\nworkers -3\n0+4\nend\n",
        "plumb-batch 1\nengine simulate\nworkers 3\n0+81\nend\n",
        "plumb-batch 1\nengine simulate\nworkers 3\n80+1\nend\n",
        "plumb-batch 1\nengine simulate\nworkers 3\n1+18446744073709551615\nend\n",
        "plumb-batch 1\nengine simulate\nworkers 3\n5+0\nend\n",
        "plumb-batch 1\nengine simulate\nworkers 3\n5-6\nend\n",
        "plumb-batch 1\nengine simulate\nworkers 3\nrubbish\nend\n",
    };
    struct plan plan;
    grid(&plan, "simulate");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct run_batch b;
        struct error e = {0};
        const char *path = folder_text("batch", texts[i]);
        if (batch_read(&b, path, &plan, &e)) fail_msg("not refused: %s", texts[i]);
        assert_non_null(strstr(e.text, "batch: no list of this sweep's runs"));
        batch_fini(&b);
    }
    plan_fini(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_PLACE(cut_of_a_grid),
        IN_A_PLACE(whole_points),
        IN_A_PLACE(same_from_the_file),
        IN_A_PLACE(refused_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
