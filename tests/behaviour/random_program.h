/* random_program.h - small programs for random machines: generators, and a wild one that no
 * generator makes: every warp reads, writes and updates the same few lines, with fences, barriers
 * and shared memory in between.  Loads overtake stores, stores hit fills in flight, lines leave
 * half written. */
#ifndef PLUMB_TESTS_BEHAVIOUR_RANDOM_PROGRAM_H
#define PLUMB_TESTS_BEHAVIOUR_RANDOM_PROGRAM_H

#include "base/rng.h"
#include "tests/behaviour/run.h"
#include "trace/writer.h"

enum shape { SHAPE_CTAS, SHAPE_WARPS, SHAPE_STEPS, SHAPE_LAUNCHES, SHAPE_N };

struct recipe {
    uint32_t kind;          /* of generators[], or the wild one behind them */
    uint32_t size[SHAPE_N]; /* at least 1 each */
    uint64_t seed;          /* of the wild one */
};

static const char *const generators[] = {
    "generator = \"stream\"; ctas = %u; warps_per_cta = %u; iterations = %u; launches = %u;"
    "footprint = \"64KB\";",
    "generator = \"gather\"; ctas = %u; warps_per_cta = %u; iterations = %u; launches = %u;"
    "unroll = 2; footprint = \"48KB\";",
    "generator = \"gather\"; ctas = %u; warps_per_cta = %u; iterations = %u; launches = %u;"
    "footprint = \"1MB\"; distribution = \"zipf\";",
    "generator = \"stride\"; ctas = %u; warps_per_cta = %u; iterations = %u; launches = %u;"
    "stride = 8;",
    "generator = \"pointer_chase\"; ctas = %u; warps_per_cta = %u; iterations = %u; launches = %u;"
    "footprint = \"32KB\"; stride = 64;",
};
enum { GENERATORS = sizeof generators / sizeof *generators, WILD = GENERATORS };

static struct recipe draw_recipe(struct rng *r)
{
    static const uint32_t most[SHAPE_N] = {20, 4, 40, 2};
    struct recipe c = {.kind = (uint32_t)rng_below(r, 2 * GENERATORS), .seed = rng_next(r)};
    if (c.kind > WILD) c.kind = WILD; /* the other half */
    for (int i = 0; i < SHAPE_N; i++)
        c.size[i] = 1 + (uint32_t)rng_below(r, most[i]);
    return c;
}

static uint32_t wild_code(struct writer *w, enum op_class cls, enum mem_space space, bool loads)
{
    struct static_inst si = {.pc = 16 * (uint32_t)cls,
                             .cls = (uint8_t)cls,
                             .space = (uint8_t)space,
                             .width = space == SPACE_NONE ? 0 : 4,
                             .n_src = 1,
                             .src = {1},
                             .dst = loads ? 2 : REG_NONE};
    return writer_code(w, &si, NULL);
}

static void wild_step(struct writer *w, struct rng *r, const uint32_t *code, uint32_t warp,
                      uint32_t width)
{
    uint64_t addr[WARP_MAX_LANES], mask = rng_next(r) | 1, region = 64 + rng_below(r, 4) * 512;
    struct error e;
    if (width == 32) mask &= UINT32_MAX;
    uint32_t k = (uint32_t)rng_below(r, 6), n = (uint32_t)__builtin_popcountll(mask);
    bool scattered = rng_below(r, 2);
    uint64_t base = 4096 + rng_below(r, region) * 4;
    for (uint32_t i = 0; i < n; i++)
        addr[i] = scattered ? 4096 + rng_below(r, region) * 4 : base + 4 * i;
    assert_true(writer_inst(w, warp, code[k], mask, k < 5 ? addr : NULL, &e));
}

static void wild_cta(struct writer *w, struct rng *r, const struct recipe *c, const uint32_t *code,
                     uint32_t width)
{
    struct error e;
    uint64_t all = width == 64 ? UINT64_MAX : UINT32_MAX;
    assert_true(writer_cta_begin(w, &e));
    for (uint32_t i = 0; i < 2 * c->size[SHAPE_STEPS]; i++) {
        bool barrier = rng_below(r, 12) == 0;
        for (uint32_t warp = 0; warp < c->size[SHAPE_WARPS]; warp++) {
            if (barrier)
                assert_true(writer_inst(w, warp, code[6], all, NULL, &e));
            else if (rng_below(r, 15) == 0)
                assert_true(writer_inst(w, warp, code[7 + rng_below(r, 3)], all, NULL, &e));
            else
                wild_step(w, r, code, warp, width);
        }
    }
    for (uint32_t warp = 0; warp < c->size[SHAPE_WARPS]; warp++)
        assert_true(writer_inst(w, warp, code[10], all, NULL, &e));
    assert_true(writer_cta_end(w, &e));
}

static void wild_launch(struct writer *w, struct rng *r, const struct recipe *c, uint32_t width)
{
    struct error e = {0};
    const struct launch l = {.name = "wild",
                             .grid = {(c->size[SHAPE_CTAS] + 2) / 3, 1, 1},
                             .block = {c->size[SHAPE_WARPS] * width, 1, 1}};
    assert_true(writer_launch_begin(w, &l, &e));
    const uint32_t code[] = {wild_code(w, OP_LOAD, SPACE_GLOBAL, true),
                             wild_code(w, OP_STORE, SPACE_GLOBAL, false),
                             wild_code(w, OP_ATOMIC, SPACE_GLOBAL, true),
                             wild_code(w, OP_SHARED_LOAD, SPACE_SHARED, true),
                             wild_code(w, OP_SHARED_STORE, SPACE_SHARED, false),
                             wild_code(w, OP_SFU, SPACE_NONE, true),
                             wild_code(w, OP_BARRIER, SPACE_NONE, false),
                             wild_code(w, OP_FENCE, SPACE_NONE, false),
                             wild_code(w, OP_ACQUIRE, SPACE_NONE, false),
                             wild_code(w, OP_RELEASE, SPACE_NONE, false),
                             wild_code(w, OP_EXIT, SPACE_NONE, false)};
    for (uint32_t cta = 0; cta < l.grid[0]; cta++)
        wild_cta(w, r, c, code, width);
    assert_true(writer_launch_end(w, &e));
}

static struct program *wild_program(const struct recipe *c, uint32_t width)
{
    char path[] = "/tmp/plumb-wild-XXXXXX.plt";
    struct error e = {0};
    struct rng r;
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    close(fd);
    rng_seed(&r, c->seed, 0);
    struct writer *w = writer_new(path, width, "test", &e);
    for (uint32_t launch = 0; launch < c->size[SHAPE_LAUNCHES]; launch++)
        wild_launch(w, &r, c, width);
    if (!writer_commit(w, &e)) fail_msg("%s", e.text);
    struct program_opts o = {.warp_width = width};
    struct program *p = program_open(path, &o, &e);
    unlink(path);
    if (!p) fail_msg("%s", e.text);
    return p;
}

static void recipe_text(const struct recipe *c, char *out, size_t size)
{
    const uint32_t *s = c->size;
    if (c->kind == WILD)
        snprintf(out, size, "wild: %u CTAs, %u warps, %u steps, %u launches, seed %llu",
                 (s[SHAPE_CTAS] + 2) / 3, s[SHAPE_WARPS], 2 * s[SHAPE_STEPS], s[SHAPE_LAUNCHES],
                 (unsigned long long)c->seed);
    else
        snprintf(out, size, generators[c->kind], s[SHAPE_CTAS], s[SHAPE_WARPS], s[SHAPE_STEPS],
                 s[SHAPE_LAUNCHES]);
}

static struct program *build_program(const struct recipe *c, uint32_t width)
{
    char text[512];
    if (c->kind == WILD) return wild_program(c, width);
    recipe_text(c, text, sizeof text);
    return run_program(text, width);
}

#endif
