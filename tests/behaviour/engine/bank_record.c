/* Does every whole simulation and sample leave what it answered in the bank, and nothing else does?
 */
#include "engine/bank_record.h"
#include "engine/engine.h"
#include "tests/support/folder.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdlib.h>

static const char *const PROGRAM = "configs/workloads/quick/bfs.plt";
static struct machine first, second;
static struct program *program;
static struct bank *bank;
static unsigned banks;

static int make_group(void **state)
{
    static const char *const slower[] = {"l2.latency=40"};
    if (folder_make(state)) return -1;
    first = run_machine("rx540", NULL, 0);
    second = run_machine("rx540", slower, 1);
    program = run_open(PROGRAM, first.sm.warp_width);
    return 0;
}

static int remove_group(void **state)
{
    program_close(program);
    return folder_remove(state);
}

static int open_bank(void **state)
{
    char name[32];
    const struct bank_versions versions = bank_record_versions();
    (void)state;
    snprintf(name, sizeof name, "bank%u", banks++);
    bank = bank_open(in_folder(name), BANK_MAKE, &versions, NULL);
    return bank ? 0 : -1;
}

static int close_bank(void **state)
{
    (void)state;
    bank_close(bank);
    return 0;
}

static struct run_opts make_opts(void)
{
    struct run_opts o;
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    o.bank = bank;
    return o;
}

static struct bank_runs find_runs(void)
{
    struct bank_runs r;
    assert_true(bank_find(bank, program_digest(program), NULL, BANK_MOST, &r, NULL));
    return r;
}

static size_t count_runs(void)
{
    struct bank_runs r = find_runs();
    size_t n = r.n;
    bank_runs_fini(&r);
    return n;
}

static void check_kept(const struct bank_run *run, const struct answer *a, const struct machine *m)
{
    double value[METRICS_KEYS_MAX];
    bank_values(&a->m, value);
    assert_true(digest_equal(run->machine, machine_digest(m)));
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        assert_true(run->simulated[i] == value[i] || (isnan(run->simulated[i]) && isnan(value[i])));
    if (!(run->log_sd > 0)) return;
    /* the half width at the answer's level, of a normal error of the logarithm */
    double z = log1p(a->half_width) / run->log_sd;
    assert_true(fabs(erf(z / sqrt(2)) - a->level) < 1e-9);
}

static void whole_runs_are_kept(void **state)
{
    (void)state;
    struct run_opts o = make_opts();
    struct error e;
    for (enum engine k = ENGINE_ESTIMATE; k < ENGINE_N; k++) {
        struct answer a;
        assert_true(engine_run(k, &first, program, NULL, NULL, &o, &a, &e));
        struct bank_runs r = find_runs();
        assert_int_equal(r.n, k);
        if (k > ENGINE_ESTIMATE) assert_int_equal(r.run[0].engine, k);
        if (k > ENGINE_ESTIMATE) check_kept(&r.run[0], &a, &first);
        bank_runs_fini(&r);
        answer_fini(&a);
    }
    assert_string_equal(bank_trouble(bank), "");
}

static void both_of_a_pair_are_kept(void **state)
{
    (void)state;
    struct run_opts o = make_opts();
    struct answer a, b;
    struct error e;
    for (uint32_t l = 0; l < program_launches(program); l++) /* or it is simulated whole */
        o.budget += program_launch(program, l)->warp_instructions / 2;
    assert_true(engine_sample_pair(&first, &second, program, &o, &a, &b, &e));
    struct bank_runs r = find_runs();
    assert_int_equal(r.n, 2);
    for (size_t i = 0; i < 2; i++) {
        bool is_first = digest_equal(r.run[i].machine, machine_digest(&first));
        assert_true(r.run[i].log_sd > 0);
        check_kept(&r.run[i], is_first ? &a : &b, is_first ? &first : &second);
    }
    bank_runs_fini(&r);
    answer_fini(&a);
    answer_fini(&b);
}

static void parts_are_not_kept(void **state)
{
    (void)state;
    struct answer a;
    struct error e;
    struct run_opts o = make_opts();
    assert_true(program_launches(program) > 1);
    o.launches = 1;
    assert_true(engine_run(ENGINE_SIMULATE, &first, program, NULL, NULL, &o, &a, &e));
    answer_fini(&a);
    o = make_opts();
    o.max_instructions = 1000;
    assert_true(engine_run(ENGINE_SIMULATE, &first, program, NULL, NULL, &o, &a, &e));
    answer_fini(&a);
    o = make_opts();
    o.cold = true;
    assert_true(engine_run(ENGINE_SAMPLE, &first, program, NULL, NULL, &o, &a, &e));
    answer_fini(&a);
    o = make_opts();
    plumb_interrupted = 1;
    assert_false(engine_run(ENGINE_SIMULATE, &first, program, NULL, NULL, &o, &a, &e));
    plumb_interrupted = 0;
    answer_fini(&a);
    assert_int_equal(count_runs(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_runs_are_kept, open_bank, close_bank),
        cmocka_unit_test_setup_teardown(both_of_a_pair_are_kept, open_bank, close_bank),
        cmocka_unit_test_setup_teardown(parts_are_not_kept, open_bank, close_bank),
    };
    return cmocka_run_group_tests(tests, make_group, remove_group);
}
