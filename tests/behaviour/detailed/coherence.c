/* coherence.c - do values travel as the protocol promises?  Litmus programs at many
 * offsets of their two warps, watched through the shadow memory; then the same with one row of the
 * tables taken out at a time, which must not go unnoticed. */
#include "base/memory/rng.h"
#include "tests/support/litmus.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { OFFSETS = 24, STEP = 6, WARM = 80, CHILD_SECONDS = 60, RANDOM_RUNS = 240 };

#define DELAYED DELAY(UINT32_MAX) /* as long as the run's offset */

static bool older_or_equal(uint32_t a, uint32_t b)
{
    return b != UINT32_MAX && a <= b;
}

/* Who sees the flag set sees what was stored before it. */
static bool message_passed(const struct seen *s)
{
    uint32_t flag = litmus_version(s, 1, VAR_FLAG, 0), x = litmus_version(s, 1, VAR_X, 1);
    return flag != UINT32_MAX && x != UINT32_MAX && (!flag || x);
}

/* Both warps' later loads of x see nothing older than the earlier ones did. */
static bool loads_in_order(const struct seen *s)
{
    for (uint32_t w = 0; w < LITMUS_WARPS; w++)
        for (uint32_t k = 1; k < s->n[w]; k++)
            if (!older_or_equal(litmus_version(s, w, VAR_X, k - 1), litmus_version(s, w, VAR_X, k)))
                return false;
    return true;
}

/* Warp 1's last loads see its own store. */
static bool own_store_seen(const struct seen *s)
{
    return s->n[1] > 1 && s->load[1][s->n[1] - 1].version != 0 && loads_in_order(s);
}

/* Warp 1's k-th load comes behind k + 1 of its stores: it sees no older one. */
static bool each_store_seen(const struct seen *s)
{
    for (uint32_t k = 0; k < 4; k++)
        if (!older_or_equal(k + 1, litmus_version(s, 1, VAR_X, k))) return false;
    return loads_in_order(s);
}

static const struct litmus_case {
    const char *name;
    struct litmus t;
    bool (*holds)(const struct seen *s);
} CASES[] = {
    {"message, part of a block",
     {{{LD(VAR_X), LD(VAR_FLAG), DELAY(WARM), ST(VAR_X), SYNC(OP_RELEASE), ST_HINT(VAR_FLAG, GLC)},
       {LD(VAR_X), DELAYED, LD_HINT(VAR_FLAG, GLC), SYNC(OP_ACQUIRE), LD(VAR_X)}}},
     message_passed},
    {"message, whole blocks",
     {{{LD(VAR_X), LD(VAR_FLAG), DELAY(WARM), ST_WHOLE(VAR_X), SYNC(OP_RELEASE),
        ST_HINT(VAR_FLAG, GLC)},
       {LD(VAR_X), DELAYED, LD_HINT(VAR_FLAG, GLC), SYNC(OP_ACQUIRE), LD(VAR_X)}}},
     message_passed},
    {"message round both caches",
     {{{DELAY(WARM), ST(VAR_X), SYNC(OP_RELEASE), ST_HINT(VAR_FLAG, SLC)},
       {LD(VAR_X), DELAYED, LD_HINT(VAR_FLAG, SLC), SYNC(OP_ACQUIRE), LD(VAR_X)}}},
     message_passed},
    {"own store of a part",
     {{{DELAY(1)}, {LD(VAR_X), DELAYED, ST(VAR_X), LD(VAR_X), LD(VAR_X)}}},
     own_store_seen},
    {"own store of the whole",
     {{{DELAY(1)}, {LD(VAR_X), DELAYED, ST_WHOLE(VAR_X), LD(VAR_X), LD(VAR_X)}}},
     own_store_seen},
    {"own store, nothing there before",
     {{{DELAY(1)},
       {ST_WHOLE(VAR_X), LD(VAR_X), ST(VAR_X), LD(VAR_X), ST_WHOLE(VAR_X), SYNC(OP_RELEASE),
        LD(VAR_X)}}},
     own_store_seen},
    {"own stores and atomics behind a fill that is not kept",
     {{{DELAY(1)},
       {LD(VAR_X), DELAYED, ST(VAR_X), ST_WHOLE(VAR_X), ATOMIC(VAR_X), LD_HINT(VAR_X, GLC),
        LD(VAR_X)}}},
     own_store_seen},
    {"loads with GLC among others",
     {{{DELAY(40), ST(VAR_X)},
       {LD(VAR_X), DELAYED, LD_HINT(VAR_X, GLC), LD(VAR_X), LD_HINT(VAR_X, GLC), LD(VAR_X)}}},
     loads_in_order},
    {"own atomic",
     {{{DELAY(1)}, {LD(VAR_X), DELAYED, ATOMIC(VAR_X), LD(VAR_X), ATOMIC(VAR_X), LD(VAR_X)}}},
     own_store_seen},
    {"round both caches",
     {{{DELAY(1)},
       {ST_WHOLE(VAR_X), LD_HINT(VAR_X, SLC), ST_HINT(VAR_X, SLC), LD(VAR_X), ST_HINT(VAR_X, SLC),
        DELAYED, LD_HINT(VAR_X, SLC), ST(VAR_X), LD_HINT(VAR_X, SLC)}}},
     each_store_seen},
    {"round both caches, stores over dirty data",
     {{{DELAY(1)},
       {ST(VAR_X), LD(VAR_X), ST_HINT(VAR_X, SLC), LD_HINT(VAR_X, SLC), ST(VAR_X), DELAYED,
        LD(VAR_X), ST(VAR_X), LD_HINT(VAR_X, GLC)}}},
     each_store_seen},
    {"reads round the L2 in flight",
     {{{LD_HINT(VAR_X, SLC), LD_HINT(VAR_X, SLC), LD_HINT(VAR_X, SLC)},
       {DELAYED, ATOMIC(VAR_X), ST(VAR_X), LD(VAR_X), ATOMIC(VAR_X), LD_HINT(VAR_X, SLC),
        ST_HINT(VAR_X, SLC), LD(VAR_X)}}},
     own_store_seen},
    {"reads round the L2 under a read",
     {{{LD_HINT(VAR_X, SLC), LD_HINT(VAR_X, GLC)}, {DELAYED, LD(VAR_X), ATOMIC(VAR_X), LD(VAR_X)}}},
     own_store_seen},
    {"stores round the L2 under a read",
     {{{LD(VAR_X), LD_HINT(VAR_X, SLC)},
       {DELAYED, ST_HINT(VAR_X, SLC), LD_HINT(VAR_X, GLC), LD(VAR_X)}}},
     own_store_seen},
};
enum { N_CASES = sizeof CASES / sizeof CASES[0] };

static struct litmus at_offset(const struct litmus *t, uint32_t offset)
{
    struct litmus out = *t;
    for (uint32_t w = 0; w < LITMUS_WARPS; w++)
        for (uint32_t i = 0; i < LITMUS_OPS; i++)
            if (out.warp[w][i].times == UINT32_MAX) out.warp[w][i].times = offset * STEP;
    return out;
}

/* Made once, ahead of any child process. */
static struct program *program_of(uint32_t i, uint32_t offset)
{
    static struct program *made[N_CASES][OFFSETS];
    if (!made[i][offset]) {
        struct litmus t = at_offset(&CASES[i].t, offset);
        made[i][offset] = litmus_program(&t);
    }
    return made[i][offset];
}

static struct machine machine_of(const char *protocol, const char *miss, const char *write_miss)
{
    char a[64], b[64], c[64];
    snprintf(a, sizeof a, "coherence.protocol=%s", protocol);
    snprintf(b, sizeof b, "l2.miss_management=%s", miss);
    snprintf(c, sizeof c, "l2.write_miss=%s", write_miss);
    const char *const sets[] = {a, b, c, "sm.count=2"};
    return run_machine("rx540", sets, 4);
}

static const char *const protocols[] = {"si", "nmoesi", "moesi"};

/* Every case at every offset; false: the first that does not hold. */
static bool all_hold(const struct machine *m, litmus_change *change, const void *how)
{
    struct seen s;
    for (uint32_t i = 0; i < N_CASES; i++)
        for (uint32_t k = 0; k < OFFSETS; k++) {
            if (!litmus_run(m, program_of(i, k), change, how, &s)) return false;
            if (CASES[i].holds(&s)) continue;
            fprintf(stderr, "%s, offset %u:", CASES[i].name, k * STEP);
            litmus_print(&s);
            return false;
        }
    return true;
}

static void values_travel_as_promised(void **state)
{
    static const char *const miss[] = {"conventional", "replace_at_once"};
    static const char *const write_miss[] = {"fetch", "lazy_fetch", "validate"};
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t i = 0; i < 18; i++) {
        const char *const how[] = {protocols[i / 6], miss[i / 3 % 2], write_miss[i % 3]};
        struct machine m = machine_of(how[0], how[1], how[2]);
        if (!all_hold(&m, NULL, NULL)) fail_msg("%s, %s, %s", how[0], how[1], how[2]);
    }
}

/* The variables share a set of one line, beside which an FRC fetches; swaps that take long meet
 * what the other SM does to either block. */
static void values_travel_beside_an_frc(void **state)
{
    static const char *const inclusion[] = {"l2.inclusion=inclusive", "l2.inclusion=non_inclusive"};
    static const char *const swap[] = {"l2.frc.swap_cycles=0", "l2.frc.swap_cycles=40"};
    (void)state;
    if (!SHADOW_ON) skip();
    for (uint32_t i = 0; i < 12; i++) {
        char a[64];
        snprintf(a, sizeof a, "coherence.protocol=%s", protocols[i / 4]);
        const char *const sets[] = {"sm.count=2",       "l2.banks=1",
                                    "l2.bank_kb=1",     "l2.ways=1",
                                    "dram.channels=1",  "l2.miss_management=conventional",
                                    "l2.frc.entries=2", inclusion[i / 2 % 2],
                                    swap[i % 2],        a};
        struct machine m = run_machine("rx540", sets, 10);
        if (!all_hold(&m, NULL, NULL)) fail_msg("%s, %s, %s", a, sets[7], sets[8]);
    }
}

/* A store behind a load or an atomic of its warp that waits at the L2 for its fetch: the load sees
 * what was there before, and the atomic does not undo the store. */
static void a_store_does_not_pass_what_waits(void **state)
{
    static const struct litmus load_first = {{{DELAY(1)}, {LD(VAR_X), ST(VAR_X)}}};
    static const struct litmus atomic_first = {
        {{DELAY(1)}, {ATOMIC(VAR_X), ST(VAR_X), SYNC(OP_RELEASE), LD_HINT(VAR_X, GLC)}}};
    static const char *const write_miss[] = {"fetch", "lazy_fetch", "validate"};
    (void)state;
    if (!SHADOW_ON) skip();
    struct program *load = litmus_program(&load_first), *atomic = litmus_program(&atomic_first);
    for (uint32_t i = 0; i < 12; i++) {
        const char *miss = i % 2 ? "replace_at_once" : "conventional";
        struct machine m = machine_of(i / 2 % 2 ? "si" : "none", miss, write_miss[i / 4]);
        struct seen s;
        assert_true(litmus_run(&m, load, NULL, NULL, &s));
        assert_int_equal(litmus_version(&s, 1, VAR_X, 0), 0);
        assert_true(litmus_run(&m, atomic, NULL, NULL, &s));
        assert_int_equal(litmus_version(&s, 1, VAR_X, 0), 2);
    }
    program_close(load);
    program_close(atomic);
}

struct outcomes {
    uint32_t before, after, stale; /* the flag not seen; seen with the message; without it */
};

static struct outcomes count_outcomes(const struct litmus *t, const char *protocol,
                                      bool fence_invalidates)
{
    struct machine m = machine_of(protocol, "conventional", "fetch");
    m.coherence.fence_invalidates = fence_invalidates;
    struct outcomes o = {0};
    struct seen s;
    for (uint32_t k = 0; k < OFFSETS; k++) {
        struct litmus moved = at_offset(t, k);
        struct program *p = litmus_program(&moved);
        assert_true(litmus_run(&m, p, NULL, NULL, &s));
        program_close(p);
        if (!litmus_version(&s, 1, VAR_FLAG, 0))
            o.before++;
        else if (message_passed(&s))
            o.after++;
        else
            o.stale++;
    }
    return o;
}

/* The offsets reach both sides of the race; without the acquire the old copy is what is read. */
static void only_the_acquire_makes_the_message_arrive(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct litmus t = CASES[0].t;
    struct outcomes with = count_outcomes(&t, "si", false);
    assert_true(with.before > 2 && with.after > 2);
    assert_int_equal(with.stale, 0);
    t.warp[1][3].cls = OP_INT; /* in the acquire's place */
    t.warp[1][3].times = 1;
    struct outcomes without = count_outcomes(&t, "si", false);
    assert_true(without.stale > 2 && without.after == 0);
    t.warp[1][3].cls = OP_FENCE;
    without = count_outcomes(&t, "si", false);
    with = count_outcomes(&t, "si", true);
    assert_true(without.stale > 2 && without.after == 0);
    assert_true(with.before > 2 && with.after > 2 && with.stale == 0);
}

static struct litmus random_litmus(struct rng *r)
{
    static const struct op kinds[] = {LD(VAR_X),
                                      LD(VAR_X),
                                      ST(VAR_X),
                                      ST_WHOLE(VAR_X),
                                      ST_WHOLE(VAR_X),
                                      ATOMIC(VAR_X),
                                      SYNC(OP_ACQUIRE),
                                      SYNC(OP_RELEASE),
                                      SYNC(OP_FENCE),
                                      LD_HINT(VAR_X, GLC),
                                      LD_HINT(VAR_X, SLC),
                                      ST_HINT(VAR_X, GLC),
                                      DELAY(9),
                                      LD_HINT(VAR_X, SLC | GLC)};
    struct litmus t = {0};
    for (uint32_t w = 0; w < LITMUS_WARPS; w++)
        for (uint32_t i = 0; i < LITMUS_OPS; i++) {
            struct op *o = &t.warp[w][i];
            *o = kinds[rng_below(r, sizeof kinds / sizeof *kinds)];
            o->var = (enum var)rng_below(r, VAR_N);
            if (o->cls == OP_STORE && rng_below(r, 4) == 0) o->hint |= SLC;
            if (inst_op_is_global((uint8_t)o->cls)) o->whole = rng_below(r, 2);
        }
    return t;
}

/* Two warps at the same few blocks, every hint: nothing hangs, and the checks of the run hold. */
static void any_mixture_of_hints_runs(void **state)
{
    static const char *const miss[] = {"conventional", "replace_at_once"};
    static const char *const write_miss[] = {"fetch", "lazy_fetch", "validate"};
    struct rng r;
    (void)state;
    rng_seed(&r, 11, 0);
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        struct machine m = machine_of(protocols[i / 6 % 3], miss[i % 2], write_miss[i / 2 % 3]);
        if (rng_below(&r, 2)) m.l1.cache.mshr.entries = 1 + (uint32_t)rng_below(&r, 3);
        if (rng_below(&r, 2)) m.l2.cache.mshr.entries = 1 + (uint32_t)rng_below(&r, 3);
        if (rng_below(&r, 2)) m.l1.miss_queue = 1, m.noc.input_queue = 1;
        m.coherence.fence_invalidates = rng_below(&r, 2);
        struct litmus t = random_litmus(&r);
        struct program *p = litmus_program(&t);
        struct seen s;
        assert_true(litmus_run(&m, p, NULL, NULL, &s));
        assert_true(!SHADOW_ON || s.n[0] + s.n[1] > 0);
        program_close(p);
    }
}

/* --- mutants --- */

struct mutant {
    bool home;
    uint32_t row;
    uint32_t less; /* actions taken out */
    bool stays;    /* the state does not change either: the row is not there */
};

static void mutate(struct coherence *c, const void *how)
{
    const struct mutant *x = how;
    const struct table *t = x->home ? &c->protocol->home : &c->protocol->agent;
    const struct row *r = &t->row[x->row];
    struct row *at = &(x->home ? &c->home : &c->agent)->at[r->state][r->event];
    at->action &= ~x->less;
    if (x->stays) at->next = r->state;
}

/* Runs the cases on the mutant in a process of its own: is anything noticed? */
static bool noticed(const struct machine *m, const struct mutant *x)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int quiet = open("/dev/null", O_WRONLY);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(quiet, STDERR_FILENO);
        alarm(CHILD_SECONDS);
        _exit(!all_hold(m, mutate, x));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* A fill that another warp's acquire finds in flight would have to be slower than the message that
 * the acquire is about; no program of two warps gets there. */
static bool too_late(bool home, const struct row *r)
{
    return !home && r->state == BLOCK_IV && r->event == AGENT_ACQUIRE;
}

/* Without its row a block stays as it is and nothing is done. */
static void every_row_is_needed(void **state)
{
    (void)state;
    if (!SHADOW_ON) skip();
    struct machine m = machine_of("si", "conventional", "fetch");
    uint32_t unnoticed = 0;
    assert_true(all_hold(&m, NULL, NULL));
    for (int home = 0; home < 2; home++) {
        const struct table *t = home ? &protocol_si.home : &protocol_si.agent;
        for (uint32_t i = 0; i < t->n; i++) {
            const struct row *r = &t->row[i];
            struct mutant x = {home, i, UINT32_MAX, true};
            if (r->action & DO_NEVER || r->action == DO_NOTHING || too_late(home, r)) continue;
            if (noticed(&m, &x)) continue;
            unnoticed++;
            print_error("no one misses the %s's row for %s at %s\n", home ? "home" : "agent",
                        t->state[r->state], t->event[r->event]);
        }
    }
    assert_int_equal(unnoticed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_travel_as_promised),
        cmocka_unit_test(values_travel_beside_an_frc),
        cmocka_unit_test(a_store_does_not_pass_what_waits),
        cmocka_unit_test(only_the_acquire_makes_the_message_arrive),
        cmocka_unit_test(any_mixture_of_hints_runs),
        cmocka_unit_test(every_row_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
