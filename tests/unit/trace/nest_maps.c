/* Are the lanes and addresses of random conditions and index maps those that a direct evaluation
 * gives, at every step of every warp? */
#include "base/memory/rng.h"
#include "tests/support/trace_support.h"
#include "trace/generators/kit.h"
#include "trace/program/source.h"

#include <stdio.h>

enum { CTAS = 3, WARPS = 2, LANES = 32, CASES = 300, FAR = 1 << 20 };

struct linear {
    int64_t constant, cta, warp, step, lane;
};

static uint64_t seed = 7;

static int64_t draw(int64_t lo, int64_t hi)
{
    seed = rng_splitmix64(seed);
    return lo + (int64_t)(seed % (uint64_t)(hi - lo + 1));
}

/* A half of the coefficients are 0. */
static int64_t coefficient(int64_t most)
{
    return draw(0, 1) ? draw(-most, most) : 0;
}

static struct linear draw_linear(void)
{
    return (struct linear){coefficient(200), coefficient(50), coefficient(30), coefficient(9),
                           coefficient(5)};
}

static int64_t value_of(const struct linear *l, int64_t cta, int64_t warp, int64_t step,
                        int64_t lane)
{
    return l->constant + l->cta * cta + l->warp * warp + l->step * step + l->lane * lane;
}

static void show(const struct linear *l, char *out, size_t n)
{
    snprintf(out, n, "(%lld + (%lld) * cta + (%lld) * warp + (%lld) * step + (%lld) * lane)",
             (long long)l->constant, (long long)l->cta, (long long)l->warp, (long long)l->step,
             (long long)l->lane);
}

static int64_t floor_divide(int64_t a, int64_t d)
{
    return a / d - (a % d < 0);
}

/* An access to element at / d + at % d, where a >= 0 and b % e < f. */
struct random_case {
    struct linear at, a, b;
    int64_t d, e, f;
    int steps;
};

static struct program *open_case(const struct random_case *c)
{
    char text[2000], at[200], a[200], b[200];
    struct error e = {0};
    show(&c->at, at, sizeof at);
    show(&c->a, a, sizeof a);
    show(&c->b, b, sizeof b);
    snprintf(
        text, sizeof text,
        "grid = { ctas = %d; threads = %d; most_steps = %d; };\n"
        "arrays = ( { name = \"x\"; bytes = 0; } );\n"
        "loop = ( { load = \"r_data\"; from = \"x\"; bytes = 1;\n"
        "    at = \"%d + %s / %lld + %s %% %lld\"; if = \"%s >= 0 && %s %% %lld < %lld\"; } );",
        CTAS, WARPS * LANES, c->steps, FAR, at, (long long)c->d, at, (long long)c->d, a, b,
        (long long)c->e, (long long)c->f);
    struct program *p =
        program_generate("maps", text, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    return p;
}

static void check_access(const struct random_case *c, const struct warp_inst *w, int64_t cta,
                         int64_t warp, int64_t step)
{
    uint32_t k = 0;
    for (int64_t lane = 0; lane < LANES; lane++) {
        int64_t at = value_of(&c->at, cta, warp, step, lane),
                b = value_of(&c->b, cta, warp, step, lane);
        bool on =
            value_of(&c->a, cta, warp, step, lane) >= 0 && b - c->e * floor_divide(b, c->e) < c->f;
        int64_t whole = floor_divide(at, c->d), index = FAR + whole + (at - c->d * whole);
        assert_int_equal(w->mask >> lane & 1, on);
        if (on) assert_int_equal(warp_inst_addr(w, k++), GEN_BASE + (uint64_t)index);
    }
}

static void maps_are_as_evaluated(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        struct random_case c = {
            draw_linear(), draw_linear(), draw_linear(), draw(1, 40), draw(1, 40), 0, 0};
        c.f = draw(0, c.e);
        c.steps = i % 20 ? 40 : 3000; /* several segments */
        struct error e = {0};
        struct program *p = open_case(&c);
        struct reader *r = reader_new(p, &e);
        struct cursor at = {0};
        struct warp_inst w;
        for (uint64_t cta = 0; cta < CTAS; cta++)
            for (uint32_t warp = 0; warp < WARPS; warp++) {
                int64_t step = 0;
                check_ok(cursor_seek(&at, r, 0, cta, warp, 0, &e), &e);
                while (cursor_next(&at, &w, &e) == GOT_INST)
                    if (w.si->cls == OP_LOAD) check_access(&c, &w, (int64_t)cta, warp, step++);
                assert_int_equal(step, c.steps);
            }
        cursor_release(&at);
        reader_free(r);
        program_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_are_as_evaluated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
