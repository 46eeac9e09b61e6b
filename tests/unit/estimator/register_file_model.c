/* register_file_model.c - are shifts, waits and what stays in front of the banks those of draws, of
 * queues and of buffers that are played? And does a profile count what the registers of its launch
 * are used for? */
#include "estimator/registers/register_file_model.h"

#include "base/memory/rng.h"
#include "estimator/reuse/register_observer.h"
#include "tests/support/check.h"

#include <stdlib.h>

static const struct register_file_params racetrack = {
    .cells = CELLS_RACETRACK, .banks = 16, .racetrack = {4, 1, 2, false}, .bank_entries = 64};

static struct register_use some_use(uint32_t registers)
{
    struct register_use u = {.registers = registers};
    for (uint32_t r = 0; r < registers; r++)
        u.accessed[r] = 1 + r * 7 % 5;
    return u;
}

/* The mean distance of two accesses to one bank, warp by warp and register by register. */
static double paired(const struct register_layout *l, const struct register_use *u, uint32_t warps)
{
    double sum = 0;
    for (uint32_t b = 0; b < 16; b++) {
        double all = 0, of = 0;
        for (uint32_t i = 0; i < warps * l->registers; i++) {
            struct register_place p =
                register_layout_place(l, i / l->registers, 0, i % l->registers);
            if (p.bank != b) continue;
            all += u->accessed[i % l->registers];
            for (uint32_t k = 0; k < warps * l->registers; k++) {
                struct register_place q =
                    register_layout_place(l, k / l->registers, 0, k % l->registers);
                if (q.bank != b) continue;
                of += u->accessed[i % l->registers] * u->accessed[k % l->registers] *
                      abs(p.bit - q.bit);
            }
        }
        sum += all > 0 ? of / all : 0;
    }
    double total = 0;
    for (uint32_t r = 0; r < l->registers; r++)
        total += warps * u->accessed[r];
    return sum / total;
}

static void shifts_are_those_of_all_pairs(void **state)
{
    (void)state;
    for (enum register_mapping how = REGISTERS_STACKED; how <= REGISTERS_REMAPPED; how++)
        for (uint32_t registers = 10; registers < 40; registers += 9) {
            struct register_file_params p = racetrack;
            const struct register_warps w = {registers, 24, 1};
            struct register_use u = some_use(registers);
            struct register_shifts s;
            struct register_spread spread;
            p.mapping = how;
            const struct register_layout l = register_layout(&p, &w);
            register_shifts_find(&s, &l, &u, 24, 24);
            register_spread_find(&spread, &l, &u, 16, 24);
            assert_near(s.mean, paired(&l, &u, 24), 1e-9);
            register_shifts_find(&s, &l, &u, 24, 1);
            assert_true(s.mean <= paired(&l, &u, 24));
            assert_true(spread.same >= 1.0 / 16 - 1e-12 && spread.same <= spread.most + 1e-12);
        }
}

static uint32_t drawn(const struct register_shifts *s, struct rng *r)
{
    double left = rng_unit(r);
    for (uint32_t d = 0; d < REGISTER_MAX_SEGMENT; d++) {
        left -= s->chance[d];
        if (left < 0) return d;
    }
    return 0;
}

/* The instruction whose farthest operand is nearest, of so many, and its core cycles. */
static void choices_are_those_of_draws(void **state)
{
    (void)state;
    enum { DRAWS = 100000, OPERANDS = 3, RATIO = 2 };
    static const uint32_t ready[] = {1, 2, 6};
    const struct register_warps w = {20, 24, 1};
    struct register_use u = some_use(20);
    struct register_shifts any, chosen;
    struct rng r;
    const struct register_layout l = register_layout(&racetrack, &w);
    rng_seed(&r, 3, 3);
    register_shifts_find(&any, &l, &u, 24, 24);
    for (size_t i = 0; i < sizeof ready / sizeof *ready; i++) {
        double sum = 0, whole = 0;
        for (uint32_t k = 0; k < DRAWS; k++) {
            uint32_t least = UINT32_MAX, moved = 0;
            for (uint32_t n = 0; n < ready[i]; n++) {
                uint32_t far = 0, all = 0;
                for (uint32_t o = 0; o < OPERANDS; o++) {
                    uint32_t d = drawn(&any, &r);
                    all += d;
                    far = d > far ? d : far;
                }
                if (n == 0) whole += (far + 1 + RATIO - 1) / RATIO;
                if (far >= least) continue;
                least = far;
                moved = all;
            }
            sum += (double)moved / OPERANDS;
        }
        register_shifts_chosen(&chosen, &any, OPERANDS, ready[i]);
        print_message("of %u: %.3f bits, drawn %.3f\n", ready[i], chosen.mean, sum / DRAWS);
        /* operands nearer than the farthest count as independent of how many are as far */
        assert_near(chosen.mean / (sum / DRAWS), 1, 0.12);
        assert_near(register_shifts_whole(&any, OPERANDS, 1, RATIO) / (whole / DRAWS), 1, 0.02);
    }
}

struct played {
    double read, write;
};

/* Banks that serve reads, then writes, both of which come by chance. */
static struct played play(struct rng *r, uint32_t banks, double reads, double writes,
                          uint32_t read_cycles, uint32_t write_cycles)
{
    enum { CYCLES = 60000, QUEUE = 4096, AT_ONCE = 4 };
    struct played out = {0};
    double n[2] = {0}, wait[2] = {0};
    for (uint32_t b = 0; b < banks; b++) {
        static uint32_t came[2][QUEUE];
        uint32_t head[2] = {0}, tail[2] = {0}, free_at = 0;
        for (uint32_t t = 0; t < CYCLES; t++) {
            for (uint32_t k = 0; k < AT_ONCE; k++) {
                if (rng_unit(r) * AT_ONCE < reads / banks) came[0][tail[0]++ % QUEUE] = t;
                if (rng_unit(r) * AT_ONCE < writes / banks) came[1][tail[1]++ % QUEUE] = t;
            }
            for (uint32_t k = 0; k < 2 && free_at <= t; k++) {
                if (head[k] == tail[k]) continue;
                wait[k] += t - came[k][head[k]++ % QUEUE];
                n[k]++;
                free_at = t + (k ? write_cycles : read_cycles);
            }
        }
    }
    out.read = wait[0] / n[0];
    out.write = wait[1] / n[1];
    return out;
}

static void waits_are_those_of_queues(void **state)
{
    (void)state;
    static const double loads[] = {0.3, 0.6, 0.8};
    struct register_spread s = {.same = 1.0 / 16, .most = 1.0 / 16};
    struct rng r;
    rng_seed(&r, 7, 7);
    for (uint32_t b = 0; b < 16; b++)
        s.bank[b] = 1.0 / 16;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        /* 4 cycles of a read, 7 of a write, twice as many reads */
        double writes = loads[i] * 16 / (2 * 4 + 7), reads = 2 * writes;
        const struct register_load l = {reads, writes, 4, 16, 7, 49, 1, 1e9};
        struct played want = play(&r, 16, reads, writes, 4, 7);
        struct register_waits w;
        register_waits_find(&w, &s, &l);
        print_message("%.1f: reads wait %.2f, played %.2f; writes %.2f, %.2f\n", loads[i], w.read,
                      want.read, w.write, want.write);
        assert_near(w.read, want.read, 0.1 + 0.15 * want.read);
        assert_near(w.write, want.write, 0.1 + 0.15 * want.write);
    }
}

/* Few accesses cannot wait long, whatever is asked of the banks. */
static void few_accesses_wait_for_few(void **state)
{
    (void)state;
    struct register_spread s = {.bank = {1}, .same = 1, .most = 1};
    const struct register_load l = {5, 0, 4, 16, 4, 16, 1, 6};
    struct register_waits w;
    register_waits_find(&w, &s, &l);
    assert_true(w.read > 0 && w.read < 300);
}

static void entries_are_lost_as_erlang_says(void **state)
{
    (void)state;
    assert_near(register_buffer_full(1, 1), 0.5, 1e-12);
    assert_near(register_buffer_full(2, 1), 0.2, 1e-12);
    assert_near(register_buffer_full(2, 2), 0.4, 1e-12);
    assert_near(register_buffer_full(0, 2), 1, 1e-12);
    assert_true(register_buffer_full(64, 1) < 1e-12);
}

static void what_is_near_stays_in_front(void **state)
{
    (void)state;
    struct register_use u = {0};
    for (uint32_t d = 1; d < REGISTER_APART; d++)
        u.made_before[d] = u.written_before[d] = u.loaded_before[d] = 1;
    struct register_front f = {.gap = 5, .latency = 6, .ways = 2};
    struct register_kept all, some;
    register_buffer_keeps(&all, &u, &f);
    assert_near(all.reads, 2 * (REGISTER_APART - 1), 1e-9);
    f.newer = 0.05;
    register_buffer_keeps(&some, &u, &f);
    assert_true(some.reads < 0.6 * all.reads && some.reads > 0.05 * all.reads);
    f.ways = 4;
    register_buffer_keeps(&all, &u, &f);
    assert_true(all.reads > some.reads && all.voided > some.voided);
    f.passes = 0.1;
    register_buffer_keeps(&some, &u, &f);
    assert_true(some.reads < all.reads);

    f = (struct register_front){.per_inst = 1, .ways = 6};
    register_cache_keeps(&all, &u, &f);
    assert_near(all.reads, 6, 1e-9); /* six results, of which each is read once */
    f.wait = 0.1;
    register_cache_keeps(&some, &u, &f);
    assert_true(some.reads < all.reads);
}

/* r2 = load r0; r3 = r2 + r1; r3 = r3 + r2; r2 = load r3 */
static void a_profile_counts_uses(void **state)
{
    (void)state;
    const struct static_inst code[] = {
        {.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .n_src = 1, .dst = 2, .src = {0}},
        {.cls = OP_INT, .n_src = 2, .dst = 3, .src = {2, 1}},
        {.cls = OP_INT, .n_src = 2, .dst = 3, .src = {3, 2}},
        {.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .n_src = 1, .dst = 2, .src = {3}},
    };
    const struct launch l = {
        .n_code = 4, .code = code, .n_registers = 4, .registers_per_lane = 8, .warps_per_cta = 1};
    struct register_observer o = {0};
    struct register_use u = {0}, twice = {0};
    assert_true(register_observer_launch(&o, &l, 2));
    register_observer_begins(&o, 1);
    for (uint32_t i = 0; i < 4; i++) {
        const struct warp_inst inst = {.si = &code[i], .code = i};
        register_observer_issues(&o, 1, &inst, i + 1, &u);
        register_observer_issued(&o, i, code[i].cls, 1, &u);
    }
    assert_near(u.registers, 8, 0);
    assert_near(u.reads[OP_INT], 4, 0);
    assert_near(u.reads[OP_LOAD], 2, 0);
    assert_near(u.writes[OP_LOAD], 2, 0);
    assert_near(u.readers[OP_INT], 2, 0);
    assert_near(u.accessed[3], 4, 0);
    assert_near(u.made_before[1], 2, 0);    /* r3, twice */
    assert_near(u.loaded_before[1], 1, 0);  /* r2 when it has come, */
    assert_near(u.loaded_before[2], 1, 0);  /* and again */
    assert_near(u.written_before[1], 1, 0); /* r3 */
    assert_near(u.written_before[3], 1, 0); /* r2, since its first use */
    register_use_add(&twice, &u);
    register_use_add(&twice, &u);
    register_use_scale(&twice, 0.5);
    assert_memory_equal(&twice, &u, sizeof u);
    register_observer_fini(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifts_are_those_of_all_pairs),
        cmocka_unit_test(choices_are_those_of_draws),
        cmocka_unit_test(waits_are_those_of_queues),
        cmocka_unit_test(few_accesses_wait_for_few),
        cmocka_unit_test(entries_are_lost_as_erlang_says),
        cmocka_unit_test(what_is_near_stays_in_front),
        cmocka_unit_test(a_profile_counts_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
