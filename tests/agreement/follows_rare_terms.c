/* follows_rare_terms.c - mechanisms whose parameters few programs feel, each where it is felt: the
 * estimate is nearer to what the cycle model says of a change than it would be without the term
 * (follows.h).  Where nothing is felt (knobs.h), the generated test of signs says nothing of a
 * term. */
#include "tests/support/follows.h"
#include "tests/support/knobs.h"
#include "tests/support/patterns.h"

#include <stdlib.h>

/* --- programs --- */

/* Loads a stream that is never met again. */
static void streams(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = TABLE + 4u * width * ((cta * 4u + warp) * 16u + step);
    pattern_vector(w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 4},
                   width);
}

/* Reads its CTA's table of 16 lines again and again, with a fence behind each load. */
static void fences(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = BASE + LINE * (16u * cta + (step + 4 * warp) % 16u);
    pattern_vector(
        w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 0, .after = true},
        width);
    hand_inst(w, warp, &(struct hand_op){.cls = OP_FENCE, .pc = 32}, 0);
}

/* Reads and writes its CTA's table as above, and a table that all have, with a fence in between. */
static void fences_among(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step,
                         uint32_t width)
{
    uint32_t i = (step + 4 * warp) % 16u;
    uint64_t at = BASE + LINE * (step % 2 ? i : 16u * (cta + 1) + i);
    pattern_vector(
        w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 0, .after = true},
        width);
    hand_inst(w, warp, &(struct hand_op){.cls = OP_FENCE, .pc = 32}, 0);
}

/* As above without fences, with a hint to go round the L1. */
static void hints(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = BASE + LINE * (16u * cta + (step + 4 * warp) % 16u);
    pattern_vector(w, warp,
                   (struct hand_op){.cls = OP_LOAD,
                                    .pc = 16,
                                    .addr = at,
                                    .stride = 0,
                                    .after = true,
                                    .hint = HINT_BYPASS_L1},
                   width);
}

/* Reads its CTA's table of 4 KB again and again, each lane 16 bytes behind the one before. */
static void strides(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = TABLE + 4096u * (uint64_t)cta + 1024 * ((step + warp) % 4u);
    pattern_vector(w, warp,
                   (struct hand_op){.cls = OP_LOAD, .pc = 16 * step, .addr = at, .stride = 16},
                   width);
}

/* Two loads of what never comes back beside a table of 24 lines, walked round and round. */
static void mixes(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = TABLE + 2 * LINE * (1024u * cta + 256u * warp + step);
    struct hand_op op = {.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 4, .after = true};
    pattern_vector(w, warp, op, width);
    op.pc = 32, op.addr += LINE;
    pattern_vector(w, warp, op, width);
    op.pc = 48, op.addr = BASE + LINE * (32u * cta + step % 24u);
    pattern_vector(w, warp, op, width);
}

/* Stores to lines of its own. */
static void stores(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = TABLE + 4u * width * ((cta * 5u + warp) * 67u + step);
    pattern_vector(w, warp, (struct hand_op){.cls = OP_STORE, .pc = 16, .addr = at, .stride = 4},
                   width);
}

/* A few lines read round and round, of each of which a part is stored. */
static void updates(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = BASE + LINE * (16u * cta + (step / 2 + 4 * warp) % 16u);
    struct hand_op op = {.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 0, .after = true};
    pattern_vector(w, warp, op, width);
    if (step % 4) return;
    op.cls = OP_STORE, op.pc = 32, op.after = false;
    pattern_vector(w, warp, op, width);
}

/* All warps of a CTA read one line after the other, together. */
static void shares(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = TABLE + LINE * (67u * cta + step);
    pattern_vector(
        w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 0, .after = true},
        width);
}

/* A table of 192 KB by chance. */
static void rereads(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = BASE + LINE * (rng_splitmix64(cta * 256u + warp * 64u + step) % 1500);
    pattern_vector(
        w, warp,
        (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = LINE / 16, .after = true},
        width);
}

/* Scattered lines: 16 of each load. */
static void scatters(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t at = TABLE + LINE * (rng_splitmix64(cta * 64u + warp * 16u + step) % 4096);
    pattern_vector(
        w, warp,
        (struct hand_op){
            .cls = OP_LOAD, .pc = 16, .addr = at, .stride = 13 * LINE / 2, .after = true},
        width);
}

/* Every other load walks a table that the L2 keeps. */
static void visits(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    bool far = warp % 2;
    uint64_t at = far ? TABLE + LINE * (67u * (cta * 4u + warp) + step)
                      : BASE + LINE * ((8u * cta + warp + step) % 512u);
    pattern_vector(
        w, warp, (struct hand_op){.cls = OP_LOAD, .pc = 16, .addr = at, .stride = 0, .after = true},
        width);
}

/* Stores to one of four rows of its own again and again, and reads another one. */
static void rewrite(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width,
                    enum mem_space space)
{
    uint64_t own = TABLE + 4u * width * 5u * (cta * 5u + warp);
    struct hand_op op = {.cls = OP_STORE,
                         .space = (uint8_t)space,
                         .pc = 16,
                         .addr = own + 4u * width * (step % 4),
                         .stride = 4,
                         .lanes = width};
    hand_inst(w, warp, &op, 0);
    op.cls = OP_LOAD, op.pc = 32, op.after = true;
    op.addr = own + 4u * width * ((step + 2) % 4);
    hand_inst(w, warp, &op, 0);
}

static void rewrites(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    rewrite(w, cta, warp, step, width, SPACE_GLOBAL);
}

static void spills(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    rewrite(w, cta, warp, step, width, SPACE_LOCAL);
}

/* Stores to four rows of its own again and again, with a hint to go round the L1. */
static void passes(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    struct hand_op op = {.cls = OP_STORE, .pc = 16, .stride = 4, .hint = HINT_BYPASS_L1};
    op.addr = TABLE + 4u * width * (5u * (cta * 5u + warp) + step % 4);
    pattern_vector(w, warp, op, width);
}

/* Atomics to rows of its own, each of which it stores to before. */
static void swaps(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    struct hand_op op = {.cls = OP_STORE, .pc = 16, .stride = 4};
    op.addr = TABLE + 4u * width * (5u * (cta * 5u + warp) + step % 4);
    pattern_vector(w, warp, op, width);
    op.cls = OP_ATOMIC, op.pc = 32, op.after = true;
    pattern_vector(w, warp, op, width);
}

/* Stores of 8 bytes per line, back to back with those that fill it. */
static void trickles(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    uint64_t own = TABLE + 4u * width * 67u * (cta * 5u + warp);
    pattern_vector(
        w, warp,
        (struct hand_op){.cls = OP_STORE, .pc = 16, .addr = own + 4 * (step / 8), .stride = 4},
        width);
}

/* Loads a word that is its own, then stores one: CTAs that run together fetch the same lines. */
static void pieces(struct writer *w, uint32_t cta, uint32_t warp, uint32_t step, uint32_t width)
{
    struct hand_op op = {.cls = OP_LOAD, .pc = 16, .addr = BASE + 8 * cta, .after = true};
    (void)step;
    pattern_vector(w, warp, op, width);
    op.cls = OP_STORE, op.pc = 32, op.addr = TABLE + 4 * cta, op.after = false;
    pattern_vector(w, warp, op, width);
}

static const struct pattern REWRITTEN = {0, 1, 32, 4, 60, rewrites},
                            SPILLED = {0, 1, 32, 4, 60, spills},
                            TRICKLED = {0, 1, 8, 1, 240, trickles},
                            PASSED = {0, 1, 32, 4, 60, passes}, SWAPPED = {0, 1, 32, 4, 60, swaps};
static const struct pattern STORED = {0, 1, 8, 1, 60, stores},
                            SCATTERED = {0, 1, 16, 4, 8, scatters},
                            VISITED = {0, 1, 32, 4, 60, visits}, SHARED = {0, 1, 8, 32, 60, shares},
                            REREAD = {0, 1, 48, 4, 24, rereads};
static const struct pattern PIECES = {0, 1, 4000, 1, 1, pieces};
static const struct pattern STRIDED = {0, 1, 8, 4, 240, strides};
static const struct pattern UPDATED = {0, 1, 16, 4, 48, updates};
static const struct pattern COPIED = {4 << 20, 1, 64, 4, 16, streams},
                            FENCED = {0, 1, 16, 4, 48, fences},
                            FENCED_AMONG = {0, 1, 16, 4, 48, fences_among},
                            HINTED = {0, 1, 16, 4, 48, hints}, MIXED = {0, 1, 8, 1, 200, mixes};

/* --- what is turned --- */

struct turned {
    const char *from, *to; /* of the machine with `sets` */
    const char *preset, *sets[KNOB_SETS];
    const struct pattern *pattern;
};
#define SMALL_L1 \
    "l1.adaptive=false", "l1.alloc=on_fill", "l1.kb=4", "l1.ways=32", "l1.write_miss=no_allocate"
#define FEW_LINES "l1.ports=16", "l1.banks=1"
static const struct turned TURNED[] = {
    {"l2.copy_dirty=false", "l2.copy_dirty=true", "rx540", {"l2.copy_warms=true"}, &COPIED},
    {"coherence.fence_invalidates=false",
     "coherence.fence_invalidates=true",
     "rx540",
     {"coherence.protocol=si"},
     &FENCED},
    {"coherence.fence_invalidates=false",
     "coherence.fence_invalidates=true",
     "rx540",
     {"coherence.protocol=nmoesi"},
     &FENCED_AMONG},
    {"coherence.protocol=none", "coherence.protocol=si", "rx540", {0}, &UPDATED},
    {"coherence.store_order=free",
     "coherence.store_order=in_order",
     "hd7770-pdp16",
     {"coherence.protocol=moesi"},
     &STORED},
    {"l1.lookups=0", "l1.lookups=1", "qv100", {"sm.count=8", FEW_LINES}, &STRIDED},
    {"l1.word_banks=0", "l1.word_banks=32", "qv100", {"sm.count=8", FEW_LINES}, &STRIDED},
    {"l1.bytes_per_cycle=0", "l1.bytes_per_cycle=16", "qv100", {"sm.count=8", FEW_LINES}, &STRIDED},
    {"l1.scattered_lanes=0", "l1.scattered_lanes=2", "rx540", {0}, &STRIDED},
    {"l1.bypass=hinted", "l1.bypass=none", "rx540", {0}, &HINTED},
    {"l1.bypass=none", "l1.bypass=agcb", "qv100", {SMALL_L1}, &MIXED},
    {"l1.bypass=all", "l1.bypass=agcb", "qv100", {SMALL_L1}, &MIXED},
    {"sm.nonblocking_stores=true",
     "sm.nonblocking_stores=false",
     "rx540",
     {"sm.memory_wait=block"},
     &STORED},
    {"l2.alloc=on_fill",
     "l2.alloc=on_miss",
     "qv100",
     {"sm.count=8", "l2.banks=8", "l2.ways=1", "l2.bank_kb=16", "l2.index=modulo"},
     &SCATTERED},
    {"l2.line_wait=queue", "l2.line_wait=nack", "hd7770-fgcs18", {0}, &PIECES},
    {"l2.write_miss=fetch", "l2.write_miss=validate", "hd7770-fgcs18", {0}, &PIECES},
    {"l1.write=through", "l1.write=back", "rx540", {0}, &REWRITTEN},
    {"l1.write=through", "l1.write=back", "rx540", {"l2.write=through"}, &REWRITTEN},
    {"l1.write=through", "l1.write=combine", "rx540", {0}, &TRICKLED},
    {"l1.write=through", "l1.write=combine", "rx540", {"l2.write=through"}, &TRICKLED},
    {"l1.write=through", "l1.write=evict", "rx540", {0}, &REWRITTEN},
    {"l1.write_local=same", "l1.write_local=back", "rx540", {0}, &SPILLED},
    {"l1.merge_stores=false",
     "l1.merge_stores=true",
     "hd7770-pdp16",
     {"sm.coalesce_lanes=1"},
     &STORED},
    {"l1.merge_stores=false",
     "l1.merge_stores=true",
     "hd7770-pdp16",
     {"sm.coalesce_lanes=1"},
     &REWRITTEN},
    {"l1.merge_loads=false",
     "l1.merge_loads=true",
     "hd7770-pdp16",
     {"l1.ports=1", "sm.coalesce_lanes=1"},
     &REWRITTEN},
    {"l1.merge_loads=false",
     "l1.merge_loads=true",
     "hd7770-pdp16",
     {"sm.coalesce_lanes=1", "sm.coalesce_loads=false"},
     &MIXED},
};

/* Itself, whatever the choice is that it belongs to. */
static bool names(const struct said *s, const char *path)
{
    for (uint32_t i = 0; i < s->x.n_not_modelled; i++)
        if (strcmp(s->x.not_modelled[i], path) == 0) return true;
    return false;
}

/* What has no term because the cycle model hardly moves where it should be felt most: with as few
 * MSHRs as that, with an L2 that keeps a quarter of what is read round and round.  And what an L1
 * that writes back does not keep: stores that go round it, or that an
 * atomic sends on, or whose lines no load brings. */
#define TIGHT "l2.nack=true", "l2.miss_management=replace_at_once"
#define LEAVING "l2.bank_kb=16", "l2.ways=2", "l2.mshr.entries=64"
static const struct turned STILL[] = {
    {"l2.nack_releases_l1_mshr=false",
     "l2.nack_releases_l1_mshr=true",
     "rx540",
     {TIGHT, "l2.mshr.entries=2", "l1.mshr.entries=4"},
     &VISITED},
    {"l2.nack_releases_l1_mshr=false",
     "l2.nack_releases_l1_mshr=true",
     "rx540",
     {TIGHT, "l2.mshr.entries=4", "l1.mshr.entries=8"},
     &VISITED},
    {"l2.victim_hit=loads", "l2.victim_hit=wait", "rx540", {LEAVING}, &REREAD},
    {"l2.victim_hit=loads", "l2.victim_hit=nack", "rx540", {LEAVING}, &REREAD},
    {"l1.wake=together", "l1.wake=in_turn", "qv100", {"sm.count=8"}, &SHARED},
    {"l2.inclusion=non_inclusive", "l2.inclusion=inclusive", "qv100", {"sm.count=8"}, &SHARED},
    {"l1.write=through", "l1.write=back", "rx540", {"l1.write_miss=validate"}, &PASSED},
    {"l1.write=through", "l1.write=back", "rx540", {"l1.write_miss=validate"}, &SWAPPED},
    {"l1.write=through", "l1.write=back", "rx540", {"l1.bypass=all"}, &REWRITTEN},
};

static double moved(struct bench *b, enum engine engine, const struct turned *t)
{
    const struct machine *from = &b->base;
    struct machine m[2] = {*from, *from};
    assert_true(set_text(&m[0], t->from) && set_text(&m[1], t->to));
    const struct said *before = said_by(b, engine, &m[0]), *after = said_by(b, engine, &m[1]);
    char path[PARAM_TEXT_MAX];
    if (!before->fits || !after->fits) fail_msg("%s is refused", t->to);
    snprintf(path, sizeof path, "%.*s", (int)strcspn(t->to, "="), t->to);
    assert_false(names(before, path) || names(after, path));
    return after->cycles / before->cycles - 1;
}

static void turn_both(const struct turned *t, double *simulated, double *estimated)
{
    struct bench b = {0};
    size_t n = 0;
    while (n < KNOB_SETS && t->sets[n])
        n++;
    b.base = run_machine(t->preset, t->sets, n);
    b.p = pattern_program(t->pattern, b.base.sm.warp_width);
    b.memo = calloc(MEMO, sizeof *b.memo);
    assert_non_null(b.memo);
    *simulated = moved(&b, ENGINE_SIMULATE, t);
    *estimated = moved(&b, ENGINE_ESTIMATE, t);
    printf("%s -> %s: simulated %+.1f %%, estimated %+.1f %%\n", t->from, t->to, 100 * *simulated,
           100 * *estimated);
    bench_fini(&b);
}

/* What counts as a move: as in the table of signs (docs/notebook/validation.md). */
static const double FELT = 0.03;

static void estimates_feel_what_simulations_feel(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < sizeof TURNED / sizeof *TURNED; i++) {
        double simulated, estimated;
        turn_both(&TURNED[i], &simulated, &estimated);
        bool bad = fabs(simulated) < FELT || fabs(estimated) < FELT ||
                   !follows(1 + simulated, 1 + estimated);
        if (bad) printf("^ WRONG\n");
        wrong += bad;
    }
    assert_int_equal(wrong, 0);
}

static void what_has_no_term_moves_nothing(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < sizeof STILL / sizeof *STILL; i++) {
        double simulated, estimated;
        turn_both(&STILL[i], &simulated, &estimated);
        wrong += fabs(simulated) > FELT || fabs(estimated) > FELT;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_feel_what_simulations_feel),
        cmocka_unit_test(what_has_no_term_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
