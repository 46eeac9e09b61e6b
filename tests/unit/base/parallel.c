/* The parallel map and progress counting. */
#include "tests/support/check.h"

#include "base/memory/rng.h"
#include "base/run/parallel.h"
#include "base/run/progress.h"

#include <time.h>

enum { JOBS = 5000 };

struct work {
    uint64_t result[JOBS];
    _Atomic unsigned busy[64]; /* per worker */
    _Atomic unsigned ran;
    size_t fails_at;
};

static bool hash_job(size_t i, unsigned worker, void *ctx)
{
    struct work *w = ctx;
    if (worker >= 64 || atomic_fetch_add(&w->busy[worker], 1)) return false; /* worker shared */
    w->result[i] += rng_splitmix64(i);
    atomic_fetch_add(&w->ran, 1);
    atomic_fetch_sub(&w->busy[worker], 1);
    return i != w->fails_at;
}

static void every_job_runs_once_whatever_the_threads(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads++) {
        static struct work w;
        w = (struct work){.fails_at = SIZE_MAX};
        assert_true(parallel_map(threads, JOBS, hash_job, &w));
        assert_int_equal(w.ran, JOBS);
        for (size_t i = 0; i < JOBS; i++)
            assert_true(w.result[i] == rng_splitmix64(i));
    }
    assert_true(parallel_map(2, 0, hash_job, NULL));
    assert_true(parallel_threads(0) >= 1);
    assert_int_equal(parallel_threads(3), 3);
}

static void a_failed_job_stops_the_rest(void **state)
{
    (void)state;
    static struct work w;
    w = (struct work){.fails_at = 10};
    assert_false(parallel_map(1, JOBS, hash_job, &w));
    assert_int_equal(w.ran, 11);
    w = (struct work){.fails_at = 10};
    assert_false(parallel_map(4, JOBS, hash_job, &w));
    assert_true(w.ran < JOBS);
}

struct shown {
    unsigned times, last;
    uint64_t done;
};

static void note(const struct progress *p, double seconds, bool last, void *ctx)
{
    struct shown *s = ctx;
    assert_true(seconds >= 0);
    s->times++;
    s->last += last;
    s->done = atomic_load(&p->done);
}

static bool progress_job(size_t i, unsigned worker, void *ctx)
{
    (void)i;
    (void)worker;
    progress_add(ctx, 2);
    return true;
}

static void progress_counts_from_all_threads(void **state)
{
    (void)state;
    struct shown s = {0};
    struct progress p = {.show = note, .ctx = &s};
    progress_start(&p, "points", 2 * JOBS);
    assert_true(parallel_map(4, JOBS, progress_job, &p));
    progress_finish(&p);
    assert_int_equal(atomic_load(&p.done), 2 * JOBS);
    assert_int_equal(s.last, 1);
    assert_int_equal(s.done, 2 * JOBS);
}

static void progress_shows_at_most_five_times_a_second(void **state)
{
    (void)state;
    struct shown s = {0};
    struct progress p = {.show = note, .ctx = &s};
    progress_start(&p, "points", 0);
    double start = progress_clock_seconds();
    while (progress_clock_seconds() - start < 0.5)
        progress_add(&p, 1);
    assert_in_range(s.times, 2, 3); /* one at the start */
    progress_finish(&p);
    assert_int_equal(s.last, 1);
}

static void time_left_is_proportional(void **state)
{
    (void)state;
    struct progress p = {0};
    progress_start(&p, "points", 100);
    assert_true(progress_seconds_left(&p, 5) < 0);
    progress_add(&p, 20);
    assert_near(progress_seconds_left(&p, 5), 20, 1e-9);
    progress_add(&p, 80);
    assert_near(progress_seconds_left(&p, 25), 0, 0);
    p.total = 0;
    assert_true(progress_seconds_left(&p, 5) < 0);
}

/* Two profiles of size 30 take 6 s each; then of three small runs of size 1 each takes 1 s, and a
 * large one of size 10 ten. */
static void unlike_items_have_their_own_time(void **state)
{
    (void)state;
    struct progress p = {0};
    progress_start(&p, "runs", 4);
    p.items.all = 13;
    p.ahead.all = 60;
    assert_true(progress_seconds_left(&p, 6) < 0);
    p.ahead.done = 30;
    p.ahead.seconds = 6;
    assert_true(progress_seconds_left(&p, 6) < 0);
    p.items.done = 2;
    progress_add(&p, 2);
    assert_near(progress_seconds_left(&p, 8), 6 + 11, 1e-9);
    p.ahead.done = 60;
    p.ahead.seconds = 12;
    assert_near(progress_seconds_left(&p, 14), 11, 1e-9);
    p.items.done = 13;
    progress_add(&p, 2);
    assert_near(progress_seconds_left(&p, 25), 0, 0);
}

static void the_clock_is_in_seconds(void **state)
{
    (void)state;
    double a = progress_clock_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    double d = progress_clock_seconds() - a;
    assert_true(d >= 0.02 && d < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once_whatever_the_threads),
        cmocka_unit_test(a_failed_job_stops_the_rest),
        cmocka_unit_test(unlike_items_have_their_own_time),
        cmocka_unit_test(progress_counts_from_all_threads),
        cmocka_unit_test(progress_shows_at_most_five_times_a_second),
        cmocka_unit_test(time_left_is_proportional),
        cmocka_unit_test(the_clock_is_in_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
