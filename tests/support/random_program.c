#include "tests/support/random_program.h"

#include <stdio.h>

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
_Static_assert(sizeof generators / sizeof *generators == GENERATORS, "a text each");

enum { RICH_CODES = 20 };

struct recipe draw_recipe(struct rng *r)
{
    static const uint32_t most[SHAPE_N] = {16, 4, 24, 2};
    struct recipe c = {.kind = (uint32_t)rng_below(r, 2 * GENERATORS), .seed = rng_next(r)};
    if (c.kind > UNIFORM) c.kind = WILD + c.kind % 2; /* half of all are ours */
    for (int i = 0; i < SHAPE_N; i++)
        c.size[i] = 1 + (uint32_t)rng_below(r, most[i]);
    return c;
}

/* The instructions of a wild program; those that address memory come first. */
struct wild_codes {
    uint32_t memory[RICH_CODES], n_memory, step; /* bytes between neighbouring lanes' addresses */
    uint32_t compute, barrier, exit, sync[6], n_sync;
    bool uniform;
};

static uint32_t wild_code(struct writer *w, const struct static_inst *inst)
{
    struct static_inst si = *inst;
    bool reads = si.cls != OP_STORE && si.cls != OP_SHARED_STORE && si.cls != OP_BARRIER &&
                 si.cls != OP_FENCE && si.cls != OP_ACQUIRE && si.cls != OP_RELEASE &&
                 si.cls < OP_EXIT && !(si.hint & HINT_ASYNC);
    si.n_src = 1;
    if (!si.src[0]) si.src[0] = 1;
    if (!si.dst) si.dst = 2;
    if (!reads) si.dst = REG_NONE;
    return writer_code(w, &si, NULL);
}

static uint32_t plain_code(struct writer *w, enum op_class cls, enum mem_space space)
{
    return wild_code(w, &(struct static_inst){.pc = 16 * (uint32_t)cls,
                                              .cls = (uint8_t)cls,
                                              .space = (uint8_t)space,
                                              .width = space == SPACE_NONE ? 0 : 4});
}

/* Any width, hint and space, and registers on which others wait. */
static uint32_t rich_code(struct writer *w, struct rng *r, uint32_t i)
{
    static const enum op_class any[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_STORE, OP_ATOMIC};
    enum op_class cls = any[rng_below(r, sizeof any / sizeof *any)];
    struct static_inst si = {.pc = 1024 + 16 * i,
                             .cls = (uint8_t)cls,
                             .space = SPACE_GLOBAL,
                             .width = (uint8_t)(1u << rng_below(r, 5)),
                             .src = {(uint16_t)(1 + rng_below(r, 5))},
                             .dst = (uint16_t)(2 + rng_below(r, 4))};
    if (rng_below(r, 3) == 0) si.hint = (uint8_t)rng_below(r, 8);
    if (cls != OP_ATOMIC && rng_below(r, 4) == 0) si.space = SPACE_LOCAL;
    if (cls == OP_ATOMIC) si.width = rng_below(r, 2) ? 4 : 8;
    bool can_copy = cls == OP_LOAD && si.space == SPACE_GLOBAL && si.width >= 4;
    if (can_copy && i % 2) si.hint |= HINT_ASYNC;
    return wild_code(w, &si);
}

static struct wild_codes wild_table(struct writer *w, struct rng *r, uint32_t kind)
{
    bool rich = kind == RICH;
    struct wild_codes t = {
        .n_memory = 5, .uniform = kind == UNIFORM, .step = rich ? 1u << rng_below(r, 5) : 4};
    t.memory[0] = plain_code(w, OP_LOAD, SPACE_GLOBAL);
    t.memory[1] = plain_code(w, OP_STORE, SPACE_GLOBAL);
    t.memory[2] = plain_code(w, OP_ATOMIC, SPACE_GLOBAL);
    t.memory[3] = plain_code(w, OP_SHARED_LOAD, SPACE_SHARED);
    t.memory[4] = plain_code(w, OP_SHARED_STORE, SPACE_SHARED);
    if (kind == UNIFORM)
        t.memory[t.n_memory++] = wild_code(
            w, &(struct static_inst){.pc = 2048, .cls = OP_LOAD, .space = SPACE_CONST, .width = 4});
    while (rich && t.n_memory < RICH_CODES) {
        t.memory[t.n_memory] = rich_code(w, r, t.n_memory);
        t.n_memory++;
    }
    t.compute = plain_code(w, OP_SFU, SPACE_NONE);
    t.barrier = plain_code(w, OP_BARRIER, SPACE_NONE);
    t.sync[0] = plain_code(w, OP_FENCE, SPACE_NONE);
    t.sync[1] = plain_code(w, OP_ACQUIRE, SPACE_NONE);
    t.sync[2] = plain_code(w, OP_RELEASE, SPACE_NONE);
    t.n_sync = 3;
    if (rich) {
        t.sync[t.n_sync++] = plain_code(w, OP_COPY_COMMIT, SPACE_NONE);
        for (uint8_t open = 0; open < 2; open++)
            t.sync[t.n_sync++] =
                wild_code(w, &(struct static_inst){.pc = 4096, .cls = OP_COPY_WAIT, .width = open});
    }
    t.exit = plain_code(w, OP_EXIT, SPACE_NONE);
    return t;
}

static void wild_step(struct writer *w, struct rng *r, const struct wild_codes *t, uint32_t warp,
                      uint32_t width)
{
    uint64_t addr[WARP_MAX_LANES], mask = rng_next(r) | 1, region = 64 + rng_below(r, 4) * 512;
    struct error e;
    if (width == 32) mask &= UINT32_MAX;
    uint32_t k = (uint32_t)rng_below(r, t->n_memory + 1), n = (uint32_t)__builtin_popcountll(mask);
    bool scattered = rng_below(r, 2), addresses = k < t->n_memory;
    uint64_t base = 4096 + rng_below(r, region) * t->step;
    uint64_t step = t->uniform && rng_below(r, 2) ? 0 : t->step;
    for (uint32_t i = 0; i < n; i++)
        addr[i] = scattered ? 4096 + rng_below(r, region) * t->step : base + step * i;
    assert_true(writer_inst(w, warp, addresses ? t->memory[k] : t->compute, mask,
                            addresses ? addr : NULL, &e));
}

static void wild_cta(struct writer *w, struct rng *r, const struct recipe *c,
                     const struct wild_codes *t, uint32_t width)
{
    struct error e;
    uint64_t all = width == 64 ? UINT64_MAX : UINT32_MAX;
    assert_true(writer_cta_begin(w, &e));
    for (uint32_t i = 0; i < 2 * c->size[SHAPE_STEPS]; i++) {
        bool barrier = rng_below(r, 12) == 0;
        for (uint32_t warp = 0; warp < c->size[SHAPE_WARPS]; warp++) {
            if (barrier)
                assert_true(writer_inst(w, warp, t->barrier, all, NULL, &e));
            else if (rng_below(r, 15) == 0)
                assert_true(writer_inst(w, warp, t->sync[rng_below(r, t->n_sync)], all, NULL, &e));
            else
                wild_step(w, r, t, warp, width);
        }
    }
    for (uint32_t warp = 0; warp < c->size[SHAPE_WARPS]; warp++)
        assert_true(writer_inst(w, warp, t->exit, all, NULL, &e));
    assert_true(writer_cta_end(w, &e));
}

static void wild_launch(struct writer *w, struct rng *r, const struct recipe *c, uint32_t width)
{
    struct error e = {0};
    const struct launch l = {.name = "wild",
                             .grid = {(c->size[SHAPE_CTAS] + 2) / 3, 1, 1},
                             .block = {c->size[SHAPE_WARPS] * width, 1, 1}};
    assert_true(writer_launch_begin(w, &l, &e));
    struct wild_codes t = wild_table(w, r, c->kind);
    for (uint32_t cta = 0; cta < l.grid[0]; cta++)
        wild_cta(w, r, c, &t, width);
    assert_true(writer_launch_end(w, &e));
}

/* Before half of the launches but the first, the host writes some of what they access. */
static void wild_copy(struct writer *w, struct rng *r)
{
    struct error e = {0};
    uint64_t addr = 4096 + rng_below(r, 4096), bytes = 1 + rng_below(r, 8192);
    if (rng_below(r, 2)) assert_true(writer_copy(w, COMMAND_COPY_TO_DEVICE, addr, bytes, &e));
}

static struct program *wild_program(const struct recipe *c, uint32_t width)
{
    struct written t = written_begin(width);
    struct rng r, copies;
    rng_seed(&r, c->seed, 0);
    rng_seed(&copies, c->seed, 1);
    for (uint32_t launch = 0; launch < c->size[SHAPE_LAUNCHES]; launch++) {
        if (launch) wild_copy(t.w, &copies);
        wild_launch(t.w, &r, c, width);
    }
    return written_end(&t);
}

void recipe_text(const struct recipe *c, char *out, size_t size)
{
    const uint32_t *s = c->size;
    if (c->kind >= WILD)
        snprintf(out, size, "%s: %u CTAs, %u warps, %u steps, %u launches, seed %llu",
                 c->kind == WILD   ? "wild"
                 : c->kind == RICH ? "rich"
                                   : "uniform",
                 (s[SHAPE_CTAS] + 2) / 3, s[SHAPE_WARPS], 2 * s[SHAPE_STEPS], s[SHAPE_LAUNCHES],
                 (unsigned long long)c->seed);
    else
        snprintf(out, size, generators[c->kind], s[SHAPE_CTAS], s[SHAPE_WARPS], s[SHAPE_STEPS],
                 s[SHAPE_LAUNCHES]);
}

struct program *build_program(const struct recipe *c, uint32_t width)
{
    char text[512];
    if (c->kind >= WILD) return wild_program(c, width);
    recipe_text(c, text, sizeof text);
    return run_program(text, width);
}
