/* Threads that do pieces of work together: every part once, in every round, and seen by the next.
 */
#include "tests/support/check.h"

#include "base/run/team.h"

#include <sched.h>

enum { PARTS = 37, ROUNDS = 200 };

struct sums {
    uint64_t of[PARTS];
    uint32_t pieces;
};

/* Adds what the neighbour had after the last piece, so that a part that is lost, done twice or seen
 * too late changes all that follow. */
struct piece {
    struct sums *from, *to;
};

static void add_neighbour(void *ctx, uint32_t part)
{
    const struct piece *p = ctx;
    p->to->of[part] += p->from->of[(part + 1) % PARTS] * 3 + part;
    if (part % 16 == 0) sched_yield();
}

static void run_alone(struct sums *a, struct sums *b)
{
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t part = 0; part < PARTS; part++)
            add_neighbour(&(struct piece){round & 1 ? b : a, round & 1 ? a : b}, part);
}

static void any_number_of_threads_does_the_same(void **state)
{
    struct sums a = {.of = {1}}, b = {0};
    (void)state;
    run_alone(&a, &b);
    for (uint32_t threads = 1; threads <= 9; threads++) {
        struct sums c = {.of = {1}}, d = {0};
        struct piece there = {&c, &d}, back = {&d, &c};
        const struct team_work work[] = {{add_neighbour, &there, PARTS},
                                         {add_neighbour, &back, PARTS}};
        struct team *t = team_new(threads, work, 2);
        assert_non_null(t);
        for (uint32_t round = 0; round < ROUNDS; round++)
            team_do(t, round & 1);
        team_free(t);
        assert_memory_equal(c.of, a.of, sizeof a.of);
        assert_memory_equal(d.of, b.of, sizeof b.of);
    }
}

static void count_piece(void *ctx, uint32_t part)
{
    (void)part;
    ((struct sums *)ctx)->pieces++;
}

static void fewer_parts_than_threads_and_none(void **state)
{
    struct sums s = {0};
    const struct team_work work[] = {{count_piece, &s, 1}, {count_piece, &s, 0}};
    (void)state;
    struct team *t = team_new(5, work, 2);
    assert_non_null(t);
    for (uint32_t round = 0; round < ROUNDS; round++)
        team_do(t, round & 1);
    team_free(t);
    assert_int_equal(s.pieces, ROUNDS / 2);
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_does_the_same),
        cmocka_unit_test(fewer_parts_than_threads_and_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
