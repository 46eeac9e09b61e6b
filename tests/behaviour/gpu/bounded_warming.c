/* bounded_warming.c - walks of bounded length leave about what one from the program's beginning
 * leaves: the lines of the L2, the CTAs under way; and always the same, in whatever order. */
#include "base/memory/alloc.h"
#include "gpu/functional/constants.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/functional/warming/checkpoint_track.h"
#include "tests/support/folder.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

#include <math.h>

#define GATHER "generator = \"gather\"; ctas = 1600; warps_per_cta = 8; iterations = 2; "
static const char *const programs[] = {
    "generator = \"stream\"; ctas = 2000; warps_per_cta = 8; iterations = 2;",
    GATHER "footprint = \"8MB\";",
    GATHER "footprint = \"256KB\";",
    "generator = \"stream\"; ctas = 160; warps_per_cta = 8; iterations = 2; launches = 12;",
};
/* Which of the programs the quick tier takes; the long one takes all. */
#ifndef EVERY
enum { EVERY = 2 };
#endif

enum { KEPT = 2, PROGRAMS = sizeof programs / sizeof *programs, MOMENTS = 6 };

static bool has_line(const struct cache_image *in, uint64_t tag)
{
    for (uint32_t i = 0; i < in->n; i++)
        if (in->line[i].tag == tag) return true;
    return false;
}

/* Share of the L2's lines that are in both. */
static double lines_shared(const struct warm_state *a, const struct warm_state *b)
{
    double both = 0, all = 0;
    for (uint32_t s = 0; s < a->slices; s++) {
        for (uint32_t i = 0; i < a->slice[s].n; i++)
            both += has_line(&b->slice[s], a->slice[s].line[i].tag);
        all += a->slice[s].n > b->slice[s].n ? a->slice[s].n : b->slice[s].n;
    }
    return all > 0 ? both / all : 1;
}

struct bed {
    struct machine m;
    struct program *p;
    struct bounded_warming s;
    struct warming_pass pass[2];
    struct beginning from[2];
    uint64_t all, moment[MOMENTS];
    struct snapshot whole[MOMENTS];
};

static void open_bed(struct bed *b, const char *program)
{
    struct error e = {0};
    *b = (struct bed){.m = run_machine("rx540", NULL, 0)};
    b->p = run_program(program, b->m.sm.warp_width);
    for (uint32_t k = 0; k < 2; k++) {
        assert_true(warming_pass_init(&b->pass[k], &b->m, b->p, true, &e));
        b->from[k].launch = UINT32_MAX;
    }
    assert_true(bounded_warming_init(&b->s, &b->pass[0], &e));
    assert_false(b->s.serves); /* so short a program is walked whole */
    b->all = b->s.before[program_launches(b->p)];
    for (uint32_t i = 0; i < MOMENTS; i++)
        b->moment[i] = b->all / 4 + b->all * i / 9;
    assert_true(checkpoints_take_snapshots(&b->m, b->p, b->moment, MOMENTS, true, b->whole, &e));
}

static void close_bed(struct bed *b)
{
    for (uint32_t i = 0; i < MOMENTS; i++)
        snapshot_fini(&b->whole[i]);
    bounded_warming_fini(&b->s);
    for (uint32_t k = 0; k < 2; k++)
        warming_pass_fini(&b->pass[k]);
    program_close(b->p);
}

static struct snapshot walk_to(struct bed *b, uint32_t k, uint32_t i)
{
    struct error e = {0};
    struct snapshot s;
    assert_true(bounded_warming_run_to(&b->s, &b->pass[k], &b->from[k], b->moment[i], &e));
    assert_true(warming_pass_snapshot(&b->pass[k], &s, &e));
    return s;
}

/* Cycles of an interval that begins there, after a short warm-up. */
static double cycles_from(const struct bed *b, const struct snapshot *s)
{
    struct error e = {0};
    struct metrics m = {0};
    uint32_t warps = program_launch(b->p, 0)->warps_per_cta * s->interval.n_residents;
    struct sim *sim = sim_new(&b->m, b->p, &e);
    struct interval w = s->interval;
    w.warmup_instructions = 24 * (uint64_t)warps;
    w.measure_instructions = 60 * (uint64_t)warps;
    assert_true(sim && sim_interval(sim, &w, s->warm, &m, &e) != SIM_FAILED);
    sim_free(sim);
    return m.v[M_cycles] / m.v[M_warp_instructions];
}

static uint64_t longest(const struct bed *b)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < program_launches(b->p); i++)
        if (b->s.length[i] > most) most = b->s.length[i];
    return most;
}

/* In the middle of launches: a window then runs as it runs after a whole pass.  What order of
 * events leaves in the L2 differs between the two; what the program keeps there does not. */
static void they_leave_what_a_whole_pass_leaves(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < PROGRAMS; n += EVERY) {
        struct bed b;
        double ratio = 0, shared = 0;
        open_bed(&b, programs[n]);
        for (uint32_t i = 0; i < MOMENTS; i++) {
            struct snapshot one = walk_to(&b, 0, i), *all = &b.whole[i];
            uint32_t warps = program_launch(b.p, 0)->warps_per_cta * (one.interval.n_residents + 1);
            assert_int_equal(one.interval.launch, all->interval.launch);
            assert_true(fabs((double)one.launch_done - (double)all->launch_done) <= warps);
            assert_true(fabs((double)one.interval.next_cta - (double)all->interval.next_cta) <= 16);
            ratio += cycles_from(&b, &one) / cycles_from(&b, all) / MOMENTS;
            shared += lines_shared(all->warm, one.warm) / MOMENTS;
            snapshot_fini(&one);
        }
        printf("program %u: cycles x %.3f, %.0f %% of the lines, length %llu\n", n, ratio,
               100 * shared, (unsigned long long)longest(&b));
        assert_true(fabs(ratio - 1) < 0.04);
        if (n == KEPT) assert_true(shared > 0.9);
        assert_true(longest(&b) > 0 && longest(&b) < b.all / 2);
        close_bed(&b);
    }
}

static void same_places(const struct bed *b, const struct snapshot *x, const struct snapshot *y)
{
    uint32_t warps = program_launch(b->p, 0)->warps_per_cta;
    assert_int_equal(x->interval.next_cta, y->interval.next_cta);
    assert_int_equal(x->interval.n_residents, y->interval.n_residents);
    for (uint32_t r = 0; r < x->interval.n_residents; r++)
        assert_memory_equal(x->residents[r].warp_done, y->residents[r].warp_done,
                            warps * sizeof *x->residents[r].warp_done);
    assert_true(lines_shared(x->warm, y->warm) == 1);
}

/* Ascending by one walker, which goes on where it can; descending by another, which never can. */
static void they_leave_the_same_in_any_order(void **state)
{
    (void)state;
    struct bed b;
    struct snapshot up[MOMENTS];
    open_bed(&b, programs[1]);
    for (uint32_t i = 0; i < MOMENTS; i++)
        b.moment[i] = b.all / 2 + i * (b.all / 200);
    for (uint32_t i = 0; i < MOMENTS; i++)
        up[i] = walk_to(&b, 0, i);
    for (uint32_t i = MOMENTS; i-- > 0;) {
        struct snapshot down = walk_to(&b, 1, i);
        same_places(&b, &up[i], &down);
        snapshot_fini(&down);
        snapshot_fini(&up[i]);
    }
    close_bed(&b);
}

/* A table that the L2 holds is brought in before it stops growing; one wave would leave most out.
 */
static void they_are_as_long_as_the_l2_wants(void **state)
{
    (void)state;
    struct bed b;
    struct error e = {0};
    open_bed(&b, "generator = \"stride\"; ctas = 4000; warps_per_cta = 8; iterations = 1; ");
    struct snapshot one = walk_to(&b, 0, MOMENTS - 1);
    uint64_t least = WARMING_WAVES * (b.all / (4000 / 40));
    uint64_t walked = b.s.length[0];
    snapshot_fini(&one);
    assert_true(walked >= least / 2);
    b.s.length[0] = 1; /* as if nothing had to be warmed */
    b.from[0].launch = UINT32_MAX;
    assert_true(bounded_warming_run_to(&b.s, &b.pass[0], &b.from[0], b.moment[2], &e) &&
                warming_pass_snapshot(&b.pass[0], &one, &e));
    assert_true(lines_shared(b.whole[2].warm, one.warm) < 0.8);
    snapshot_fini(&one);
    close_bed(&b);
}

/* Producers and consumers get out of step all the way, and what they find in the L2 changes with
 * that: no short walk leaves it.  In a stream all is said after a few waves. */
static void what_does_not_come_to_rest_is_walked_whole(void **state)
{
    (void)state;
    static const char *const text[] = {
        "generator = \"handoff\"; ctas = 8000; warps_per_cta = 8; iterations = 8; unroll = 4;",
        "generator = \"stream\"; ctas = 20000; warps_per_cta = 8; iterations = 4;",
    };
    for (uint32_t n = 0; n < 2; n++) {
        struct machine m = run_machine("rx540", NULL, 0);
        struct program *p = run_program(text[n], m.sm.warp_width);
        struct warming_pass w;
        struct bounded_warming s;
        struct error e = {0};
        assert_true(warming_pass_init(&w, &m, p, true, &e) && bounded_warming_init(&s, &w, &e));
        s.serves = true; /* as if it were long enough */
        s.settled = false;
        assert_true(bounded_warming_settle(&s, &e) && s.settled);
        printf("program %u: length %llu of %llu\n", n, (unsigned long long)s.length[0],
               (unsigned long long)s.before[1]);
        assert_int_equal(s.serves, n == 1);
        if (s.serves) assert_in_range(s.length[0], s.before[1] / 200, s.before[1] / 40);
        bounded_warming_fini(&s);
        warming_pass_fini(&w);
        program_close(p);
    }
}

/* On rx540 the warps of a stencil fall out of step over several waves, in which the clock goes from
 * 1.9 to 1.4 cycles an instruction.  Round robin keeps a reduction's in step from the beginning. */
static void walks_are_as_long_as_the_clock_changes(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *text;
        uint32_t waves;
    } row[] = {{"gtx480",
                "generator = \"reduction\"; ctas = 11200; warps_per_cta = 8; iterations = 64; "
                "element_bytes = 4; arithmetic = 1;",
                2},
               {"rx540", "generator = \"stencil\"; n = 1024; ctas = 20000; warps_per_cta = 8;", 8}};
    for (uint32_t n = 0; n < sizeof row / sizeof *row; n++) {
        struct machine m = run_machine(row[n].machine, NULL, 0);
        struct program *p = run_program(row[n].text, m.sm.warp_width);
        struct warming_pass w;
        struct bounded_warming s;
        struct error e = {0};
        assert_true(warming_pass_init(&w, &m, p, true, &e) && bounded_warming_init(&s, &w, &e));
        assert_true(s.serves && bounded_warming_settle(&s, &e));
        double wave = (double)functional_wave_ctas(&w.functional, program_launch(p, 0));
        double ctas = (double)program_launch(p, 0)->ctas;
        double waves = (double)s.length[0] / (double)s.before[1] * ctas / wave;
        print_message("program %u: walks of %.2f waves\n", n, waves);
        assert_true(s.serves && fabs(waves - row[n].waves) < 0.1);
        bounded_warming_fini(&s);
        warming_pass_fini(&w);
        program_close(p);
    }
}

static struct checkpoints *track_of(const struct bed *b)
{
    struct error e = {0};
    struct checkpoints *t = checkpoints_new(&b->m, b->p, b->all, (size_t)256 << 20, true, &e);
    assert_non_null(t);
    t->bounded.serves = true;
    return t;
}

/* What was left at all moments, with so many of them walked to anew. */
static void ask(const struct bed *b, struct checkpoints *t, struct snapshot *out, uint32_t anew)
{
    struct error e = {0};
    uint32_t kept = t->n;
    struct checkpoint_runner *w = checkpoint_runner_new(t, &e);
    assert_non_null(w);
    for (uint32_t i = 0; i < MOMENTS; i++)
        assert_true(checkpoint_runner_snapshot(w, b->moment[i], &out[i], &e));
    assert_int_equal(t->n, kept + anew);
    checkpoint_runner_free(w);
}

/* The same track, another from its file, and what it finds there is not walked to again. */
static void what_was_left_is_kept(void **state)
{
    (void)state;
    struct bed b;
    struct error e = {0};
    struct snapshot first[MOMENTS], again[MOMENTS];
    open_bed(&b, programs[KEPT]);
    remove(in_folder("stretch.track"));
    struct checkpoints *t = track_of(&b);
    bool known = true; /* nothing is walked whole, so nothing has a clock */
    assert_true(checkpoints_clock(t, b.moment, b.moment, 1, NULL, &known, &e) && !known);
    ask(&b, t, first, MOMENTS);
    assert_true(checkpoints_save(t, in_folder("stretch.track"), &e));
    checkpoints_free(t);
    t = track_of(&b);
    assert_true(checkpoints_load(t, in_folder("stretch.track")));
    assert_true(t->bounded.length[0] > 0); /* nor is its length measured again */
    ask(&b, t, again, 0);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        same_places(&b, &first[i], &again[i]);
        snapshot_fini(&first[i]);
        snapshot_fini(&again[i]);
    }
    checkpoints_free(t);
    close_bed(&b);
}

/* Of more than a file holds it keeps the newest, each of them. */
static void the_newest_moments_are_kept(void **state)
{
    (void)state;
    enum { ASKED = 140, HELD = 128, APART = 16 };
    struct bed b;
    struct error e = {0};
    open_bed(&b, programs[KEPT]);
    remove(in_folder("stretch.track"));
    struct checkpoints *t = track_of(&b);
    struct checkpoint_runner *w = checkpoint_runner_new(t, &e);
    assert_non_null(w);
    for (uint64_t i = 0; i < ASKED; i++) {
        struct snapshot s;
        assert_true(checkpoint_runner_snapshot(w, b.all / 2 + i * APART, &s, &e));
        snapshot_fini(&s);
    }
    checkpoint_runner_free(w);
    assert_int_equal(t->n, ASKED);
    assert_true(checkpoints_save(t, in_folder("stretch.track"), &e));
    checkpoints_free(t);
    t = track_of(&b);
    assert_true(checkpoints_load(t, in_folder("stretch.track")));
    assert_int_equal(t->n, HELD);
    for (uint64_t i = 0; i < HELD; i++)
        assert_int_equal(t->checkpoint[i].done, b.all / 2 + (ASKED - HELD + i) * APART);
    checkpoints_free(t);
    close_bed(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_leave_what_a_whole_pass_leaves),
        cmocka_unit_test(they_leave_the_same_in_any_order),
        cmocka_unit_test(they_are_as_long_as_the_l2_wants),
        cmocka_unit_test(what_does_not_come_to_rest_is_walked_whole),
        cmocka_unit_test(walks_are_as_long_as_the_clock_changes),
        cmocka_unit_test(what_was_left_is_kept),
        cmocka_unit_test(the_newest_moments_are_kept),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
