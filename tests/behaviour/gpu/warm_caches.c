/* warm_caches.c - what the functional pass leaves in the caches under an inclusive L2 is what the
 * cycle model leaves there. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "detailed/core/sim_internal.h"
#include "detailed/l1/l1_owner_state.h"
#include "detailed/l2/directory_entries.h"
#include "detailed/memory_side/memory_side.h"
#include "gpu/coherence/moesi_states.h"
#include "gpu/functional/state/warm_state.h"
#include "tests/support/hand.h"
#include "tests/support/warm_pass.h"

enum { OPS = 1200, TAIL = 400, FAR = 1 << 20 };

/* Loads and stores of a word or of 32 bytes in few lines, drawn; then a tail without memory, in
 * which the pass can be stopped. */
static struct program *drawn(uint64_t seed)
{
    static struct hand_op op[OPS + TAIL + 1];
    struct rng r;
    rng_seed(&r, seed, 0);
    for (uint32_t i = 0; i < OPS; i++)
        op[i] = (struct hand_op){.cls = rng_below(&r, 4) ? OP_LOAD : OP_STORE,
                                 .space = SPACE_GLOBAL,
                                 .pc = 8 * (uint32_t)rng_below(&r, 6),
                                 .addr = FAR + rng_below(&r, 90) * UINT64_C(64),
                                 .stride = 4,
                                 .lanes = rng_below(&r, 4) ? 1 : 8,
                                 .hint = rng_below(&r, 16) ? 0 : HINT_BYPASS_L1,
                                 .after = true};
    for (uint32_t i = OPS; i < OPS + TAIL; i++)
        op[i] = (struct hand_op){.cls = OP_INT, .after = true};
    op[OPS + TAIL] = (struct hand_op){.cls = OP_N};
    return hand_program(op, 1, 1, 64);
}

/* What is set beside tiny's, later settings before earlier ones. */
enum { KIND_SETS = 3, WITH_DIRECTORY = 4 /* the first of two */ };
static const char *const kinds[][KIND_SETS] = {
    {"l1.write=through"},
    {"l1.write=evict"},
    {"l1.write=through", "l1.line_bytes=32", "l1.sector_bytes=32"},
    {"coherence.protocol=si"},
    {"coherence.protocol=moesi"},
    {"coherence.protocol=nmoesi"},
    {"l1.write=through", "l1.write_miss=validate"},
    {"l1.write=back"},
    {"coherence.protocol=si", "l1.line_bytes=32", "l1.sector_bytes=32"},
    /* with on_miss a load that is not to be kept has pushed a line out, which the pass leaves */
    {"l1.bypass=agcb", "l1.agcb.lookup_first=false", "l1.alloc=on_fill"},
    {"l1.bypass=agcb", "l1.agcb.lookup_first=true", "l1.alloc=on_fill"},
    {"l3.kb=4", "l3.ways=8"},
    {"l3.kb=4", "l3.ways=8", "l2.write=through"},
    {"l3.kb=4", "l3.ways=8", "l3.write=back"},
};

/* 32 lines of each L1 over 32 of an L2. */
static struct machine tiny(size_t kind, const char *inclusion, const char *sms)
{
    enum { COMMON = 20 };
    char b[64];
    snprintf(b, sizeof b, "l2.inclusion=%s", inclusion);
    const char *sets[COMMON + KIND_SETS] = {sms,
                                            "sm.coalesce_bytes=32",
                                            "l1.kb=2",
                                            "l1.ways=8",
                                            "l1.line_bytes=64",
                                            "l1.sector_bytes=64",
                                            "l1.write=through",
                                            "l1.write_miss=no_allocate",
                                            "l1.mshr.entries=1",
                                            "l2.banks=1",
                                            "l2.bank_kb=2",
                                            "l2.ways=4",
                                            "l2.line_bytes=64",
                                            "l2.sector_bytes=64",
                                            "dram.channels=1",
                                            "sm.memory_wait=block",
                                            "sm.nonblocking_stores=false",
                                            "coherence.protocol=none",
                                            b};
    uint32_t n = 0;
    while (sets[n])
        n++;
    for (uint32_t i = 0; i < KIND_SETS && kinds[kind][i]; i++)
        sets[n++] = kinds[kind][i];
    return run_machine("rx540", sets, n);
}

static uint32_t same_tags(const struct cache *c, const struct cache_image *image)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < image->n; i++) {
        uint32_t line = cache_find(c, image->line[i].tag);
        same += line != LINE_NONE && c->line[line].valid == image->line[i].valid;
    }
    return same;
}

/* Under a protocol with a directory: states, and of the home who owns the block. */
static uint32_t same_states(const struct sim *s, const struct cache_image *image)
{
    const struct l1 *l1 = &s->sm[0].l1;
    uint32_t same = 0;
    for (uint32_t i = 0; i < image->n; i++) {
        uint32_t line = cache_find(&l1->c, image->line[i].tag);
        same += line != LINE_NONE && l1->owner_dir->state[line] == image->state[i];
    }
    return same;
}

/* Lines of which the slice's record says of the only SM what the pass says; *stale counts those on
 * record that its L1 does not have. */
static uint32_t same_record(const struct sim *s, const struct cache_image *image, uint32_t *stale)
{
    const struct l2_slice *slice = &s->slice[0];
    const struct cache *l1 = &s->sm[0].l1.c;
    uint32_t same = 0;
    for (uint32_t i = 0; i < image->n; i++) {
        uint64_t tag = image->line[i].tag, addr = tag << slice->c.line_shift, at = addr;
        const struct dir_entry *e = dir_entry_find(slice->copies, tag);
        bool served = e && dir_entry_count(slice->copies, e), here = false;
        same += served == (image->served[i] & 1);
        for (; at < addr + slice->c.p.line_bytes; at += l1->p.line_bytes)
            here = here || cache_find(l1, cache_tag(l1, at)) != LINE_NONE;
        *stale += served && !here;
    }
    return same;
}

/* Lines with data. */
static uint32_t resident(const struct cache *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_lines; i++)
        n += c->line[i].resident && (c->line[i].valid | c->line[i].partial);
    return n;
}

/* One warp that waits for each access: there is one order, so everything is the same. */
static void one_warp_leaves_the_very_same(void **state)
{
    static const char *const inclusion[] = {"inclusive", "non_inclusive"};
    uint32_t stale = 0;
    (void)state;
    for (uint32_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        struct machine m = tiny(i / 2, inclusion[i % 2], "sm.count=1");
        struct program *p = drawn(i / 2);
        struct error e = {0};
        struct snapshot pass;
        uint64_t moment = OPS;
        struct sim *s = sim_new(&m, p, &e);
        const struct sim_scope scope = {.max_instructions = OPS + TAIL - 1};
        assert_true(s && sim_run(s, &scope, NULL, NULL, &e) == SIM_LIMIT);
        if (!checkpoints_take_snapshots(&m, p, &moment, 1, true, &pass, &e)) fail_msg("%s", e.text);
        const struct cache_image *l1 = &pass.warm->l1[0], *l2 = &pass.warm->slice[0];
        uint32_t in_l2 = 0;
        for (uint32_t k = 0; k < l1->n; k++) {
            uint64_t addr = l1->line[k].tag << s->sm[0].l1.c.line_shift;
            in_l2 += cache_find(&s->slice[0].c, cache_tag(&s->slice[0].c, addr)) != LINE_NONE;
        }
        assert_true(l1->n == resident(&s->sm[0].l1.c) && l1->n == same_tags(&s->sm[0].l1.c, l1));
        if (l1->state) assert_int_equal(l1->n, same_states(s, l1));
        assert_true(l2->n == resident(&s->slice[0].c) && l2->n == same_tags(&s->slice[0].c, l2));
        assert_true((in_l2 == l1->n) == !(i % 2)); /* else nothing was tested */
        if (s->slice[0].copies) assert_int_equal(l2->n, same_record(s, l2, &stale));
        for (uint32_t k = 0; k < pass.warm->parts; k++) {
            const struct cache_image *l3 = &pass.warm->part[k];
            const struct memory_side *side = s->kind[KIND_memory_side].all;
            const struct cache *c = &side->part[k].c;
            assert_true(l3->n > 8 && l3->n == resident(c) && l3->n == same_tags(c, l3));
        }
        snapshot_fini(&pass);
        sim_free(s);
        program_close(p);
    }
    assert_true(stale > 0);
}

/* Loads, stores and atomics of all SMs in few lines. */
static struct program *quarrel(void)
{
    enum { ACCESSES = 150 };
    static struct hand_op op[ACCESSES + 1];
    static const uint8_t cls[] = {OP_LOAD, OP_LOAD, OP_LOAD, OP_STORE, OP_ATOMIC};
    struct rng r;
    rng_seed(&r, 7, 0);
    for (uint32_t i = 0; i < ACCESSES; i++)
        op[i] = (struct hand_op){.cls = cls[rng_below(&r, sizeof cls)],
                                 .space = SPACE_GLOBAL,
                                 .addr = FAR + rng_below(&r, 40) * UINT64_C(64),
                                 .after = true};
    op[ACCESSES] = (struct hand_op){.cls = OP_N};
    return hand_program(op, 24, 2, 64);
}

static bool in_l2(const struct warm_state *w, uint64_t tag)
{
    bool found = false;
    for (uint32_t i = 0; i < w->slice[0].n; i++)
        found = found || w->slice[0].line[i].tag == tag;
    return found;
}

/* How many L1s have a block in which state. */
static void count_states(const struct warm_state *w, uint64_t tag, uint32_t n[OWN_STATES])
{
    for (uint32_t i = 0; i < w->sms; i++)
        for (uint32_t k = 0; k < w->l1[i].n; k++)
            n[w->l1[i].state[k]] += w->l1[i].line[k].tag == tag;
}

/* Who may have a block beside whom, of all that L1s have; *seen: counts of all states. */
static void check_owners(const struct warm_state *w, bool inclusive, uint32_t seen[OWN_STATES])
{
    for (uint32_t i = 0; i < w->sms; i++)
        for (uint32_t k = 0; k < w->l1[i].n; k++) {
            uint32_t n[OWN_STATES] = {0};
            count_states(w, w->l1[i].line[k].tag, n);
            uint32_t alone = n[OWN_E] + n[OWN_M];
            uint32_t all = alone + n[OWN_S] + n[OWN_O] + n[OWN_N];
            assert_true(alone + n[OWN_O] <= 1 && (!alone || all == 1));
            assert_false(n[OWN_O] && n[OWN_N]);
            assert_true(w->l1[i].state[k] >= OWN_S && w->l1[i].state[k] <= OWN_N);
            assert_true(!inclusive || in_l2(w, w->l1[i].line[k].tag));
            seen[w->l1[i].state[k]]++;
        }
}

/* Copies of several L1s go together, at every moment; and an interval that begins with them runs
 * to the end (the cycle model's own checks are on). */
static void copies_of_several_sms_agree(void **state)
{
    enum { MOMENTS = 60 };
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        bool nmoesi = i / 2, inclusive = i % 2;
        struct machine m =
            tiny(WITH_DIRECTORY + i / 2, inclusive ? "inclusive" : "non_inclusive", "sm.count=4");
        struct program *p = quarrel();
        struct error e = {0};
        struct snapshot pass[MOMENTS];
        uint32_t seen[OWN_STATES] = {0};
        uint64_t total, moment[MOMENTS];
        struct sim *s = sim_new(&m, p, &e);
        assert_true(s && program_count(p, &total, &e));
        for (uint64_t k = 0; k < MOMENTS; k++)
            moment[k] = total * k / MOMENTS;
        assert_true(checkpoints_take_snapshots(&m, p, moment, MOMENTS, true, pass, &e));
        for (uint32_t k = 0; k < MOMENTS; k++) {
            struct metrics got;
            check_owners(pass[k].warm, inclusive, seen);
            pass[k].interval.measure_instructions = UINT64_MAX / 2;
            assert_int_equal(sim_interval(s, &pass[k].interval, pass[k].warm, &got, &e), SIM_DONE);
            snapshot_fini(&pass[k]);
        }
        assert_true(seen[OWN_S] && seen[OWN_E] && seen[OWN_M]);
        assert_true(seen[nmoesi ? OWN_N : OWN_O]); /* else nothing was tested */
        sim_free(s);
        program_close(p);
    }
}

/* Lines that the pass and the cycle model leave in all L1s, and how many are in both. */
struct left {
    double pass, run, both;
};

static struct left left_in_l1s(const char *inclusion)
{
    const char *text =
        "generator = \"pointer_chase\"; ctas = 32; warps_per_cta = 2; iterations = 600;"
        "footprint = \"96KB\"; stride = 64;";
    char set[64];
    snprintf(set, sizeof set, "l2.inclusion=%s", inclusion);
    const char *const sets[] = {set, "l2.bank_kb=16"};
    struct machine m = run_machine("rx540", sets, 2);
    struct program *p = run_program(text, m.sm.warp_width);
    struct error e = {0};
    struct snapshot pass;
    uint64_t middle;
    assert_true(program_count(p, &middle, &e));
    middle /= 2;
    const struct sim_scope scope = {.max_instructions = middle};
    struct sim *s = sim_new(&m, p, &e);
    assert_true(s && sim_run(s, &scope, NULL, NULL, &e) == SIM_LIMIT);
    assert_true(checkpoints_take_snapshots(&m, p, &middle, 1, true, &pass, &e));
    struct left n = {0};
    for (uint32_t i = 0; i < m.sm.count; i++) {
        n.pass += pass.warm->l1[i].n;
        n.run += resident(&s->sm[i].l1.c);
        n.both += same_tags(&s->sm[i].l1.c, &pass.warm->l1[i]);
    }
    print_message("%s: %.0f lines in L1s, %.0f after the pass, %.0f the same\n", inclusion, n.run,
                  n.pass, n.both);
    snapshot_fini(&pass);
    sim_free(s);
    program_close(p);
    return n;
}

/* An L2 a quarter as large as the L1s together: with it inclusive, these cannot be full.  The pass
 * has no lines on their way, the run one for each warp at most. */
static void many_warps_leave_nearly_the_same(void **state)
{
    enum { WARPS = 64 };
    (void)state;
    struct left with = left_in_l1s("inclusive"), without = left_in_l1s("non_inclusive");
    assert_true(with.run < 0.3 * without.run);
    assert_true(with.pass >= with.run && with.pass <= with.run + WARPS);
    assert_true(without.pass >= without.run && without.pass <= without.run + WARPS);
    assert_true(with.both > 0.55 * with.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_leaves_the_very_same),
        cmocka_unit_test(copies_of_several_sms_agree),
        cmocka_unit_test(many_warps_leave_nearly_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
