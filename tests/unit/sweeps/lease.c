/* Do leases admit one holder at a time, whoever claims, dies, is late or gives back, and is their
 * age that of their files alone? */
#include "sweeps/workers/lease.h"
#include "base/memory/alloc.h"
#include "sweeps/constants.h"
#include "tests/support/folder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void opened(struct leases *l, const char *holder, double seconds)
{
    struct error e = {0};
    if (!leases_open(l, folder_path, holder, seconds, &e)) fail_msg("%s", e.text);
}

static struct lease *claimed(struct leases *l, const char *what, uint32_t generation)
{
    struct error e = {0};
    struct lease *x;
    if (!lease_claim(l, what, generation, &x, &e)) fail_msg("%s", e.text);
    return x;
}

static shared_time now_of(struct leases *l)
{
    struct error e = {0};
    shared_time now;
    if (!lease_clock(l, &now, &e)) fail_msg("%s", e.text);
    return now;
}

static void set_time(const char *name, shared_time t)
{
    struct timespec at[2] = {{.tv_sec = t / 1000000000, .tv_nsec = t % 1000000000}};
    at[1] = at[0];
    assert_int_equal(utimensat(AT_FDCWD, in_folder(name), at, 0), 0);
}

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* Eight processes claim the same; how many of them got it. */
static int winners(const char *what, uint32_t generation)
{
    enum { PROCESSES = 8 };
    int won = 0;
    pid_t child[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        child[i] = fork();
        if (child[i]) continue;
        char name[32];
        struct leases l;
        struct error e = {0};
        struct lease *x = NULL;
        snprintf(name, sizeof name, "p%d", i);
        bool ok =
            leases_open(&l, folder_path, name, 60, &e) && lease_claim(&l, what, generation, &x, &e);
        _exit(!ok ? 2 : x != NULL); /* it dies with its claim */
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(child[i], &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
        won += WEXITSTATUS(status);
    }
    return won;
}

static void one_of_many_claims(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        char what[LEASE_WHAT_MAX];
        snprintf(what, sizeof what, "0-%d", i);
        assert_int_equal(winners(what, 0), 1);
        assert_int_equal(winners(what, 1), 1); /* takers of a stale one */
        assert_int_equal(lease_generations(folder_path, what), 2);
    }
}

static void age_is_the_files(void **state)
{
    (void)state;
    struct leases a, b;
    opened(&a, "a", 3600);
    opened(&b, "b", 3600);
    assert_non_null(claimed(&a, "0-1", 0));
    assert_null(claimed(&b, "0-1", 0));
    shared_time now = now_of(&b);
    assert_false(lease_is_stale(folder_path, "0-1", 0, 3600, now));
    /* a day ahead of this host's clock, as a server's may be: only the difference counts */
    const shared_time day = (shared_time)86400 * 1000000000, second = 1000000000;
    set_time("0-1.0", now + day);
    assert_false(lease_is_stale(folder_path, "0-1", 0, 3600, now + day + 3600 * second));
    assert_true(lease_is_stale(folder_path, "0-1", 0, 3600, now + day + 3601 * second));
    assert_false(
        lease_is_stale(folder_path, "0-1", 1, 3600, now + 2 * day)); /* nobody took it over */
    leases_close(&a);
    leases_close(&b);
}

static void renewed_while_held(void **state)
{
    (void)state;
    struct leases a;
    const double seconds = 0.8;
    opened(&a, "a", seconds);
    struct lease *x = claimed(&a, "0-1", 0);
    for (int i = 0; i < 20; i++) {
        pause_for(0.1);
        assert_false(lease_is_stale(folder_path, "0-1", 0, seconds, now_of(&a)));
    }
    assert_false(atomic_load(&x->lost));
    leases_close(&a); /* gives it back */
    struct leases b;
    opened(&b, "b", 3600);
    assert_true(lease_is_stale(folder_path, "0-1", 0, 3600, now_of(&b)));
    leases_close(&b);
}

static void loser_notices(void **state)
{
    (void)state;
    bool lost;
    struct error e = {0};
    struct leases a, b;
    opened(&a, "a", 0.4);
    opened(&b, "b", 3600);
    struct lease *x = claimed(&a, "0-1", 0);
    struct lease *y = claimed(&b, "0-1", 1);
    assert_non_null(y);
    pause_for(0.5); /* the thread that renews notices, too */
    assert_true(atomic_load(&x->lost));
    shared_time before, after;
    assert_true(shared_file_time(in_folder("0-1.0"), &before));
    pause_for(0.3);
    assert_true(shared_file_time(in_folder("0-1.0"), &after));
    assert_true(before == after); /* and renews no more */
    assert_true(lease_finish(&a, x, &lost, &e));
    assert_true(lost);
    assert_false(lease_is_done(folder_path, "0-1"));
    assert_true(lease_finish(&b, y, &lost, &e));
    assert_false(lost);
    assert_true(lease_is_done(folder_path, "0-1"));
    leases_close(&a);
    leases_close(&b);
}

static void given_back_is_no_death(void **state)
{
    (void)state;
    struct leases a;
    char holder[LEASE_HOLDER_MAX];
    opened(&a, "host-1-2", 3600);
    for (uint32_t g = 0; g < 3; g++)
        lease_give_back(&a, claimed(&a, "0-1", g));
    assert_int_equal(lease_deaths(folder_path, "0-1", 3), 0);
    assert_true(lease_is_stale(folder_path, "0-1", 2, 3600, now_of(&a)));
    assert_int_equal(winners("0-1", 3), 1);
    assert_int_equal(lease_deaths(folder_path, "0-1", 4), 1);
    lease_holder(folder_path, "0-1", 2, holder);
    assert_string_equal(holder, "host-1-2");
    lease_holder(folder_path, "0-1", 9, holder);
    assert_string_equal(holder, "");
    leases_close(&a);
}

static void the_forgiven_are_no_deaths(void **state)
{
    (void)state;
    struct leases a;
    opened(&a, "a", 3600);
    for (uint32_t g = 0; g < WORK_DEATHS; g++) {
        assert_false(lease_is_deadly(folder_path, "0-1", g));
        assert_int_equal(winners("0-1", g), 1);
    }
    assert_true(lease_is_deadly(folder_path, "0-1", WORK_DEATHS));
    assert_false(lease_is_stale(folder_path, "0-1", WORK_DEATHS - 1, 3600, now_of(&a)));
    assert_true(lease_forgive(folder_path, "0-1", WORK_DEATHS));
    assert_true(lease_is_stale(folder_path, "0-1", WORK_DEATHS - 1, 3600, now_of(&a)));
    assert_int_equal(lease_deaths(folder_path, "0-1", WORK_DEATHS), 0);
    for (uint32_t g = WORK_DEATHS; g < 2 * WORK_DEATHS; g++) {
        assert_false(lease_is_deadly(folder_path, "0-1", g));
        assert_int_equal(winners("0-1", g), 1);
    }
    assert_true(lease_is_deadly(folder_path, "0-1", 2 * WORK_DEATHS));
    leases_close(&a);
}

static void published_whole(void **state)
{
    (void)state;
    struct error e = {0};
    const char *path = in_folder("list");
    assert_int_equal(shared_file_publish(path, "one\n", &e), SHARED_MADE);
    assert_int_equal(shared_file_publish(path, "two\n", &e), SHARED_EXISTS);
    char text[8] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "one\n");
    assert_int_equal(folder_entries(), 1); /* nothing temporary stays */
    shim_fail_after(SHIM_RENAME, 1);
    assert_int_equal(shared_file_publish(in_folder("other"), "x", &e), SHARED_ERROR);
    assert_int_equal(folder_entries(), 1);
    shim_fail_after(SHIM_OPEN, 1);
    assert_int_equal(shared_file_create(in_folder("other"), "x", &e), SHARED_ERROR);
    assert_int_equal(shared_file_create("/nonexistent/x", "x", &e), SHARED_ERROR);
    assert_non_null(strstr(e.text, "/nonexistent/x"));
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(one_of_many_claims),     IN_A_FOLDER(age_is_the_files),
        IN_A_FOLDER(renewed_while_held),     IN_A_FOLDER(loser_notices),
        IN_A_FOLDER(given_back_is_no_death), IN_A_FOLDER(the_forgiven_are_no_deaths),
        IN_A_FOLDER(published_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
