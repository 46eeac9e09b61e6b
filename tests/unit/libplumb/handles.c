/* handles.c - libplumb answers as the engines do, from several threads, and says what is wrong. */
#include "libplumb/handles.h"

#include "detailed/dram/dram.h"
#include "libplumb/plumb_dram.h"
#include "tests/support/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const PROGRAM = "configs/workloads/quick/bfs.plt";

static void estimate_is_that_of_the_engine(void **state)
{
    (void)state;
    plumb_machine *m = plumb_machine_open("rx540", NULL, 0);
    plumb_program *p = plumb_program_open(PROGRAM, m);
    struct plumb_options none = {.size = sizeof none, .cal = "none", .threads = 1};
    plumb_answer *a = plumb_estimate(m, p, &none);
    assert_non_null(a);
    struct run_opts o;
    struct answer direct;
    struct error e = {0};
    run_opts_default(&o);
    o.threads = 1;
    assert_true(engine_run(ENGINE_ESTIMATE, &m->m, p->p, NULL, NULL, &o, &direct, &e));
    double cycles = 0;
    assert_true(plumb_answer_metric(a, "cycles", &cycles));
    assert_true(cycles == direct.m.v[M_cycles]);
    assert_non_null(strstr(plumb_answer_json(a), "\"engine\": \"estimate\""));
    assert_false(plumb_answer_metric(a, "no_such_metric", &cycles));
    answer_fini(&direct);
    plumb_answer_close(a);
    plumb_program_close(p);
    plumb_machine_close(m);
}

static void a_change_moves_the_answer_and_not_the_machine(void **state)
{
    (void)state;
    const char *set[] = {"dram.channels=1"};
    plumb_machine *m = plumb_machine_open("rx540", NULL, 0);
    plumb_machine *narrow = plumb_machine_change(m, set, 1);
    plumb_program *p = plumb_program_open("configs/workloads/rx540-stream.cfg", m);
    plumb_answer *before = plumb_estimate(m, p, NULL), *a = plumb_estimate(narrow, p, NULL);
    plumb_answer *after = plumb_estimate(m, p, NULL), *both = plumb_compare(m, narrow, p, NULL);
    double t0, t1, t2;
    assert_true(plumb_answer_metric(before, "time_us", &t0));
    assert_true(plumb_answer_metric(a, "time_us", &t1));
    assert_true(plumb_answer_metric(after, "time_us", &t2));
    assert_true(t0 == t2);
    assert_non_null(strstr(plumb_answer_json(a), "dram.channels=1"));
    assert_null(strstr(plumb_answer_json(after), "dram.channels=1"));
    assert_true(t1 > 1.2 * t0);
    assert_non_null(strstr(plumb_answer_json(both), "\"ratio\""));
    assert_non_null(strstr(plumb_answer_json(both), "\"difference\""));
    plumb_answer_close(before);
    plumb_answer_close(a);
    plumb_answer_close(after);
    plumb_answer_close(both);
    plumb_machine_close(m);
    plumb_answer *late = plumb_estimate(narrow, p, NULL); /* copies outlive their original */
    assert_non_null(late);
    plumb_answer_close(late);
    plumb_program_close(p);
    plumb_machine_close(narrow);
}

struct worker {
    plumb_machine *m;
    plumb_program *p;
    char *json;
};

static void *simulate_and_estimate(void *ctx)
{
    struct worker *w = ctx;
    const struct plumb_options one = {.size = sizeof one, .threads = 1};
    plumb_answer *s = plumb_simulate(w->m, w->p, &one), *a = plumb_estimate(w->m, w->p, &one);
    double cycles = 0;
    if (s && a && plumb_answer_metric(s, "cycles", &cycles)) {
        w->json = strdup(plumb_answer_json(a));
    }
    plumb_answer_close(s);
    plumb_answer_close(a);
    return NULL;
}

static void threads_share_machines_and_programs(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    plumb_machine *m = plumb_machine_open("rx540", NULL, 0);
    plumb_program *p = plumb_program_open(PROGRAM, m);
    struct worker w[THREADS];
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){m, p, NULL};
        assert_int_equal(pthread_create(&t[i], NULL, simulate_and_estimate, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_non_null(w[i].json);
        const char *host = strstr(w[0].json, "\"host\""); /* what follows has times of the run */
        size_t n = host ? (size_t)(host - w[0].json) : 0;
        assert_true(n > 100);
        assert_memory_equal(w[0].json, w[i].json, n);
    }
    for (int i = 0; i < THREADS; i++)
        free(w[i].json);
    plumb_program_close(p);
    plumb_machine_close(m);
}

/* What an answer says of its calibration is its own, too. */
static void answers_outlive_machines_and_programs(void **state)
{
    (void)state;
    const char *far[] = {"l2.bank_kb=4096", "dram.channels=32"};
    plumb_machine *m = plumb_machine_open("rx540", far, 2);
    plumb_program *p = plumb_program_open("fwt", m);
    plumb_answer *early = plumb_estimate(m, p, NULL), *late = plumb_estimate(m, p, NULL);
    char *before = strdup(plumb_answer_json(early));
    plumb_machine_close(m);
    plumb_program_close(p);
    const char *after = plumb_answer_json(late), *host = strstr(before, "\"host\"");
    assert_non_null(strstr(before, "\"beyond\""));
    assert_memory_equal(before, after, (size_t)(host - before));
    free(before);
    plumb_answer_close(early);
    plumb_answer_close(late);
}

static void errors_say_what_is_wrong(void **state)
{
    (void)state;
    const char *bad[] = {"l2.bank_kb=-1", "no.such=2"};
    assert_null(plumb_machine_open("no-such-card", NULL, 0));
    assert_non_null(strstr(plumb_error(), "no-such-card"));
    assert_null(plumb_machine_open("rx540", bad, 2));
    assert_non_null(strstr(plumb_error(), "l2.bank_kb"));
    assert_non_null(strstr(plumb_error(), "no.such=2: no.such: unknown"));
    assert_null(strstr(plumb_error(), "--set"));
    plumb_machine *m = plumb_machine_open("rx540", NULL, 0),
                  *q = plumb_machine_open("qv100", NULL, 0);
    assert_string_equal(plumb_error(), "");
    assert_null(plumb_program_open("nowhere.plt", m));
    assert_non_null(strstr(plumb_error(), "nowhere.plt"));
    plumb_program *p = plumb_program_open(PROGRAM, m);
    assert_null(plumb_simulate(q, p, NULL));
    assert_non_null(strstr(plumb_error(), "lanes"));
    const struct plumb_options no_cal = {.size = sizeof no_cal, .cal = "nowhere.cal"};
    assert_null(plumb_estimate(m, p, &no_cal));
    assert_non_null(strstr(plumb_error(), "nowhere.cal"));
    const struct plumb_options no_size = {.max_instructions = 5};
    assert_null(plumb_simulate(m, p, &no_size));
    assert_non_null(strstr(plumb_error(), "sizeof"));
    plumb_stop(1);
    assert_null(plumb_simulate(m, p, NULL));
    plumb_stop(0);
    plumb_program_close(p);
    plumb_machine_close(m);
    plumb_machine_close(q);
    plumb_machine_close(NULL);
    plumb_program_close(NULL);
    plumb_answer_close(NULL);
}

/* --- the memory alone --- */

struct caller {
    uint64_t done, last, sum;
};

static void note_done(uint64_t id, int write, uint64_t clock, void *context)
{
    struct caller *c = context;
    (void)write;
    assert_true(clock >= c->last);
    c->last = clock;
    c->done++;
    c->sum += id;
}

/* Reads `n` bursts one after the other, in ticks of that many clocks. */
static uint64_t stream(uint64_t n, uint64_t clocks, struct caller *c, double *latency)
{
    plumb_dram *d = plumb_dram_open("gddr5", NULL, 0, note_done, c);
    assert_non_null(d);
    for (uint64_t i = 0; i < n;) {
        i += plumb_dram_request(d, i * plumb_dram_burst(d), 0, i) != 0;
        if (latency) { /* one at a time */
            uint64_t from = plumb_dram_tick(d, 0);
            while (plumb_dram_pending(d))
                plumb_dram_tick(d, 1);
            *latency = (double)(c->last - from);
        } else if (plumb_dram_pending(d) > 16) {
            plumb_dram_tick(d, clocks);
        }
    }
    while (plumb_dram_pending(d))
        plumb_dram_tick(d, clocks);
    struct plumb_dram_counts counts;
    plumb_dram_count(d, &counts);
    assert_int_equal(counts.reads, n);
    plumb_dram_close(d);
    return c->last;
}

static void memory_reports_every_request_once(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct caller one = {0};
    stream(N, 1, &one, NULL);
    assert_int_equal(one.done, N);
    assert_int_equal(one.sum, (uint64_t)N * (N - 1) / 2);
}

/* A read alone takes the closed form of the timing set: row closed, then hits of the same row. */
static void memory_latency_is_the_closed_form(void **state)
{
    (void)state;
    struct dram_params p;
    struct errors all = {0};
    assert_true(libplumb_memory(&p, "gddr5", NULL, 0, &all));
    struct dram_idle idle = dram_idle_latency(&p);
    struct caller c = {0};
    double latency = 0;
    stream(1, 1, &c, &latency);
    assert_true(latency == idle.closed);
    c = (struct caller){0};
    stream(2, 1, &c, &latency);
    assert_true(latency == idle.hit);
}

/* Of what was passed: no option of the command line, no parameter that stands for the name. */
static void memory_says_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *memory, *set, *says;
    } wrong[] = {
        {"no-such-set", NULL, "no-such-set: no such timing set; "},
        {"gdr5", NULL, "gdr5: no such timing set; the closest is gddr5, "},
        {"README.md", NULL, "README.md: no such timing set; "},
        {"./nowhere.cfg", NULL, "./nowhere.cfg: no such timing set; "},
        {"gddr5", "l2.banks=2", "l2.banks=2: not of the memory; "},
        {"gddr5", "dram.channels=0", "dram.channels=0: dram.channels: 0 is out of range; "},
        {"gddr5", "dram.rowz=2", "dram.rowz=2: dram.rowz: unknown parameter; "},
        {"gddr5", "dram.channels", "dram.channels: no value; "},
        {"gddr5", "dram.set=nowhere", "dram.set=nowhere: dram.set: \"nowhere\" is not there; "},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *set = wrong[i].set;
        assert_null(plumb_dram_open(wrong[i].memory, &set, set != NULL, NULL, NULL));
        if (strncmp(plumb_error(), wrong[i].says, strlen(wrong[i].says)) != 0)
            fail_msg("%s, %s: %s", wrong[i].memory, set ? set : "", plumb_error());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_is_that_of_the_engine),
        cmocka_unit_test(a_change_moves_the_answer_and_not_the_machine),
        cmocka_unit_test(threads_share_machines_and_programs),
        cmocka_unit_test(answers_outlive_machines_and_programs),
        cmocka_unit_test(errors_say_what_is_wrong),
        cmocka_unit_test(memory_reports_every_request_once),
        cmocka_unit_test(memory_latency_is_the_closed_form),
        cmocka_unit_test(memory_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
