/* no_jumps_long.c - along every number of the parameter tables, from half to twice its value in
 * small steps, the estimate does not jump where the cycle model does not move: a step of the
 * estimate beyond 3 % (5 % where each value has a profile of its own) must be a step of the cycle
 * model, too, of a third of it at least. */
#include "sampler/strata/est_params.h"
#include "tests/support/knobs.h"

#include <math.h>

enum { STEPS = 12 };

/* Where the profile is the same, the estimate is smooth; SMs, throttles and the like have another
 * functional pass for each value, whose samples of rows and slices scatter besides. */
static const double SMOOTH = 0.03, SAMPLED = 0.05;

/* Numbers that have values of their own (a power of two, a divisor) are no scale to walk along: the
 * machine refuses most steps, and those that are left are far apart. */
static const double CLOSE = 0.13; /* of two neighbours, relative */

static bool is_number(const struct param *p)
{
    return p->type == PARAM_INT || p->type == PARAM_REAL;
}

static bool same_view(const struct machine *a, const struct machine *b)
{
    struct profile_view va = est_view_of(a), vb = est_view_of(b);
    return profile_view_equal(&va, &vb);
}

struct scale { /* the values of one number around a machine */
    const struct machine *base;
    const char *path;
    const struct param *p;
    double now;
};

static bool at_value(const struct scale *s, double v, struct machine *m)
{
    struct variants one = {0};
    *m = *s->base;
    if (v == s->now) return true;
    try_number(&one, s->base, s->path, s->p, v);
    if (one.n) *m = one.m[0];
    return one.n > 0;
}

/* A jump stays whole when its step is halved, a slope does not (and what the cycle model says of a
 * single machine scatters by a per cent). */
static bool is_slope(struct bench *b, const struct scale *s, double from, double to, double limit)
{
    double mid = s->p->type == PARAM_INT ? round(sqrt(from * to)) : sqrt(from * to), last = 0;
    const double at[] = {from, mid, to};
    for (uint32_t i = 0; i < 3; i++) {
        struct machine m;
        if (!at_value(s, at[i], &m)) return false;
        double e = said_by(b, ENGINE_ESTIMATE, &m)->cycles;
        if (i && fabs(e / last - 1) > limit) return false;
        last = e;
    }
    return true;
}

static uint32_t step(struct bench *b, const struct scale *s, double from, double to)
{
    struct machine m0, m1;
    if (!at_value(s, from, &m0) || !at_value(s, to, &m1)) return 0;
    double e0 = said_by(b, ENGINE_ESTIMATE, &m0)->cycles,
           e1 = said_by(b, ENGINE_ESTIMATE, &m1)->cycles;
    double limit = same_view(&m0, &m1) ? SMOOTH : SAMPLED;
    if (e0 <= 0 || e1 <= 0 || fabs(e1 / e0 - 1) <= limit) return 0;
    double s0 = said_by(b, ENGINE_SIMULATE, &m0)->cycles,
           s1 = said_by(b, ENGINE_SIMULATE, &m1)->cycles;
    if (fabs(s1 / s0 - 1) >= fmax(0.01, fabs(e1 / e0 - 1) / 3)) return 0;
    bool slope = is_slope(b, s, from, to, limit);
    printf("%s up to %.4g: estimate %+.1f %%, simulation %+.1f %%%s\n", s->path, to,
           100 * (e1 / e0 - 1), 100 * (s1 / s0 - 1), slope ? ": a slope" : "");
    return !slope;
}

/* Steps taken are added to *steps. */
static uint32_t scan(struct bench *b, const char *path, uint32_t *steps)
{
    const struct part *part;
    struct machine base = b->base, m;
    struct scale s = {&base, path, machine_find_param(path, &part, NULL), 0};
    double before = 0;
    uint32_t jumps = 0;
    if (!is_number(s.p) || !make_apply(&base, s.p)) return 0;
    if (!param_number(s.p, (const char *)&base + part->offset, &s.now) || s.now <= 0) return 0;
    for (uint32_t i = 0; i <= STEPS; i++) {
        double v = s.now * exp2(2.0 * i / STEPS - 1);
        if (s.p->type == PARAM_INT) v = round(v);
        if (v == before || v < s.p->lo || v > s.p->hi || !at_value(&s, v, &m)) continue;
        if (before > 0 && v / before - 1 <= CLOSE) {
            jumps += step(b, &s, before, v);
            ++*steps;
        }
        before = v;
    }
    return jumps;
}

/* Each limit and predictor of an SM (sm.active_warps, sm.iwl.beta, l1.agcb.initial) has a profile
 * of its own, in which other warps get ahead: the estimate moves by 5 to 16 % where the cycle model
 * moves by 1 %. */
enum { KNOWN_JUMPS = 6 };

static void no_number_makes_the_estimate_jump(void **state)
{
    (void)state;
    static const char *const places[] = {"qv100 stream", "rx540 gather", "qv100 partial"};
    uint32_t jumps = 0, steps = 0, n;
    char **paths = machine_paths(&n);
    for (uint32_t i = 0; i < KNOB_PLACES_N; i++)
        for (uint32_t k = 0; k < sizeof places / sizeof *places; k++) {
            struct bench b;
            if (strcmp(knob_places[i].name, places[k]) != 0) continue;
            bench_init(&b, &knob_places[i]);
            for (uint32_t j = 0; j < n; j++)
                jumps += scan(&b, paths[j], &steps);
            bench_fini(&b);
        }
    mem_free(paths);
    printf("%u jumps in %u steps\n", jumps, steps);
    assert_true(steps > 500);
    assert_int_equal(jumps, KNOWN_JUMPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_makes_the_estimate_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
