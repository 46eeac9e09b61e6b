#include "tests/support/random_runs.h"

#include <math.h>

enum { CASE_SECONDS = 120 }; /* of the processor: others may be at work */

static bool totals_hold(const struct metrics *r, uint64_t instructions)
{
    double issued = run_value(r, "warp_instructions") / r->v[M_issue_slots];
    double stalls = run_value(r, "stalls.memory") + run_value(r, "stalls.compute") +
                    run_value(r, "stalls.barrier") + run_value(r, "stalls.mshr") +
                    run_value(r, "stalls.noc");
    double l1 = run_value(r, "l1.hits") + run_value(r, "l1.misses") + run_value(r, "l1.merges") +
                run_value(r, "l1.bypasses");
    double l2 = r->v[M_l2_hits] + r->v[M_l2_misses] + r->v[M_l2_merges];
    NEED(fabs(run_value(r, "warp_instructions") - (double)instructions) < 0.5, "instructions");
    NEED(fabs(run_value(r, "l1.accesses") - l1) < 0.5, "L1 accesses");
    NEED(fabs(run_value(r, "l2.reads") + run_value(r, "l2.writes") - l2) < 0.5, "L2 accesses");
    NEED(run_value(r, "l1.fills") <=
             r->v[M_l1_misses] + r->v[M_l1_bypasses] + r->v[M_l1_prefetches],
         "L1 fills");
    NEED(fabs(stalls + issued - 1) < 1e-6, "issue slots");
    return true;
}

/* Runs the case twice on one simulation: the same numbers must come out. */
static bool holds(struct sim *s, struct program *p, struct error *e)
{
    uint64_t count[4], total = 0;
    struct metrics first, again;
    if (sim_run(s, NULL, NULL, NULL, e) != SIM_DONE) return false;
    sim_metrics(s, &first);
    NEED(program_count(p, count, e), "count");
    for (uint32_t i = 0; i < program_launches(p); i++)
        total += count[i];
    if (!totals_hold(&first, total)) return false;
    if (sim_run(s, NULL, NULL, NULL, e) != SIM_DONE) return false;
    sim_metrics(s, &again);
    NEED(memcmp(first.v, again.v, sizeof first.v) == 0, "a second run differs");
    return true;
}

static int run_case(const struct random_case *c)
{
    struct error e = {0};
    struct machine m = build_machine(&c->machine);
    struct program *p = build_program(&c->program, m.sm.warp_width);
    struct sim *s = sim_new(&m, p, &e);
    bool ok = s && holds(s, p, &e);
    bool no_room = !ok && e.kind == ERROR_INPUT && strstr(e.text, "does not fit");
    if (!ok && !no_room) fprintf(stderr, "%s\n", e.text);
    sim_free(s);
    program_close(p);
    return ok ? RAN : no_room ? NO_ROOM : FAILED;
}

int run_apart(const struct random_case *c)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){CASE_SECONDS, CASE_SECONDS});
        _exit(run_case(c));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

bool really_fails(const struct random_case *c)
{
    return run_apart(c) == FAILED;
}

/* --- shrinking --- */

static bool drop_sets(struct random_case *c, fails_fn *fails)
{
    bool smaller = false;
    for (uint32_t i = 0; i < c->machine.n;) {
        struct random_case less = *c;
        less.machine.n--;
        memmove(less.machine.set[i], less.machine.set[i + 1],
                (less.machine.n - i) * sizeof less.machine.set[0]);
        if (!fails(&less)) {
            i++;
            continue;
        }
        *c = less;
        smaller = true;
    }
    return smaller;
}

/* Halves, then ones less. */
static bool shrink_program(struct random_case *c, fails_fn *fails)
{
    bool smaller = false;
    for (int i = 0; i < SHAPE_N; i++)
        for (int one = 0; one < 2; one++)
            while (c->program.size[i] > 1) {
                struct random_case less = *c;
                less.program.size[i] = one ? less.program.size[i] - 1 : less.program.size[i] / 2;
                if (!fails(&less)) break;
                *c = less;
                smaller = true;
            }
    return smaller;
}

void shrink_case(struct random_case *c, fails_fn *fails)
{
    for (bool again = true; again;) {
        again = drop_sets(c, fails);
        again = shrink_program(c, fails) || again;
    }
}

void print_case(const struct random_case *c, const char *what, uint64_t seed)
{
    char text[512];
    recipe_text(&c->program, text, sizeof text);
    print_error("seed %llu, %s: plumb simulate %s", (unsigned long long)seed, what,
                c->machine.preset);
    for (uint32_t i = 0; i < c->machine.n; i++)
        print_error(" --set %s", c->machine.set[i]);
    print_error("\n%s\n", text);
}

/* --- the tests --- */

void random_machines_run_random_programs(uint64_t from, uint64_t runs)
{
    static struct atlas a;
    unsigned failed = 0, no_room = 0;
    uint32_t pairs;
    atlas_init(&a);
    for (uint64_t seed = from; seed < from + runs && failed < 5; seed++) {
        struct random_case c;
        struct rng r;
        rng_seed(&r, 2026, seed);
        draw_machine(&a, &r, &c.machine);
        c.program = draw_recipe(&r);
        int end = run_apart(&c);
        no_room += end == NO_ROOM;
        if (end != FAILED) continue;
        failed++;
        print_case(&c, "as drawn", seed);
        shrink_case(&c, really_fails);
        print_case(&c, "shrunk", seed);
    }
    uint32_t met = count_pairs(&a, &pairs);
    print_message("seeds %llu to %llu, %u presets: %.1f %% of %llu overrides taken, %u programs did"
                  " not fit, %u of %u pairs of choices met (%.1f %%)\n",
                  (unsigned long long)from, (unsigned long long)(from + runs - 1),
                  a.names.n_presets, 100.0 * (double)(a.tried - a.refused) / (double)a.tried,
                  (unsigned long long)a.tried, no_room, met, pairs, 100.0 * met / pairs);
    assert_int_equal(failed, 0);
    assert_true(no_room < runs / 3 && a.refused < a.tried * 2 / 3);
    atlas_fini(&a);
}
