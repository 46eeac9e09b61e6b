/* digests.c - do the engines still give the numbers of their model versions?
 *
 * A digest of every metric of small runs, kept here with the version that gave it.  Whoever changes
 * a number on purpose raises SIM_MODEL_VERSION or EST_MODEL_VERSION (stored results and
 * calibrations depend on it) and takes over the new digests, which a failing run prints.  Counts of
 * the cycle model are compared whole; what is computed from them, and all of the estimator's, to
 * nine digits, which leaves room for another libm. */
#include "tests/support/ask.h"

#include <math.h>

enum { OF_SIM_VERSION = 8, OF_EST_VERSION = 23 }; /* which the digests below were taken from */

#define STREAM                                                                  \
    "generator = \"stream\"; kernel = \"triad\"; ctas = 12; warps_per_cta = 4;" \
    "iterations = 3; unroll = 2; launches = 2;"
#define GATHER                                                                    \
    "generator = \"gather\"; distribution = \"zipf\"; exponent = 0.8; ctas = 16;" \
    "warps_per_cta = 4; iterations = 8; footprint = \"256KB\";"
#define REDUCTION "generator = \"reduction\"; ctas = 10; warps_per_cta = 8; iterations = 3;"
#define CHASE                                                                      \
    "generator = \"pointer_chase\"; footprint = \"64KB\"; stride = 128; ctas = 3;" \
    "warps_per_cta = 2; iterations = 24;"

static const struct run_case {
    enum engine engine;
    const char *machine, *set; /* one override or NULL; every machine has four SMs */
    const char *program;
    const char *digest;
} CASES[] = {
    {ENGINE_SIMULATE, "qv100", NULL, STREAM, "f9f1fc81136ab9de4bf68e95505ca3ac"},
    {ENGINE_SIMULATE, "qv100", NULL, GATHER, "55e915f6a97b1a0761cabd23265ee027"},
    {ENGINE_SIMULATE, "qv100", "sm.scheduler=gto", REDUCTION, "34feac5da377a0d2c506c9a41480f18b"},
    {ENGINE_SIMULATE, "qv100", "l2.mshr.entries=2", GATHER, "0a5becda9d3c4d72ef4a4e145941cc0d"},
    {ENGINE_SIMULATE, "qv100", "l1.alloc=on_fill", GATHER, "cf7dca944f36d4e4b708a3298a9cab3b"},
    {ENGINE_SIMULATE, "qv100", "l2.write=through", STREAM, "6451a29c95a06b192c214837c0f1f927"},
    {ENGINE_SIMULATE, "rx540", NULL, STREAM, "b5f44546e116949b8459f560f7244965"},
    {ENGINE_SIMULATE, "rx540", NULL, GATHER, "bfc9c00992abc09e24093308a631d9da"},
    {ENGINE_SIMULATE, "rx540", NULL, REDUCTION, "d2e590df9b9a8997c69382330daf49dc"},
    {ENGINE_SIMULATE, "rx540", NULL, CHASE, "30527404579dbd8665fa2a8541d55fb4"},
    {ENGINE_SIMULATE, "rx540", "l2.bank_kb=16", STREAM, "c43beb2d9d3572069e6b4c277c9dd391"},
    {ENGINE_SIMULATE, "rx540", "l1.enabled=false", GATHER, "545d3affbf97708b0eb4462039e7fd22"},
    {ENGINE_SIMULATE, "rx540", "noc.input_queue=1", GATHER, "03ef5e64643b0a4b3eadf0aaf9bc564b"},
    {ENGINE_ESTIMATE, "qv100", NULL, STREAM, "57a50f4789afec6b8d9123ef76b80630"},
    {ENGINE_ESTIMATE, "qv100", NULL, GATHER, "4724667805cfc4b97c643f5feabf8c73"},
    {ENGINE_ESTIMATE, "rx540", NULL, REDUCTION, "450fc5923b5379c86176d719d46a8f6a"},
    {ENGINE_ESTIMATE, "rx540", NULL, CHASE, "149c77f8b194571eab601e0538e4adcf"},
};
enum { N_CASES = sizeof CASES / sizeof CASES[0] };

static void digest_of(const struct metrics *m, enum engine engine, char out[33])
{
    struct text t = {0};
    for (uint32_t i = 0; metrics_key(i); i++) {
        double v;
        if (!metrics_value(m, metrics_key(i), &v)) continue;
        if (strstr(metrics_key(i), "_as_")) continue; /* follow from the others */
        if (strstr(metrics_key(i), "noc.re") && strstr(metrics_key(i), "_stall_cycles"))
            continue; /* parts of noc.stall_cycles */
        bool whole = engine == ENGINE_SIMULATE && v == floor(v);
        text_add(&t, "%s=%.*g\n", metrics_key(i), whole ? 15 : 9, v);
    }
    assert_true(t.len > 200); /* metrics are there at all */
    digest_hex(digest_text(text_str(&t)), out);
    text_fini(&t);
}

static void run_case(const struct run_case *k, char out[33])
{
    const char *sets[] = {"sm.count=4", k->set};
    struct machine m = run_machine(k->machine, sets, k->set ? 2 : 1);
    struct program *p = run_program(k->program, m.sm.warp_width);
    struct metrics got = ask(k->engine, &m, p);
    digest_of(&got, k->engine, out);
    program_close(p);
}

static void versions_go_with_their_numbers(void **state)
{
    (void)state;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < N_CASES; i++) {
        char digest[33];
        run_case(&CASES[i], digest);
        if (strcmp(digest, CASES[i].digest) == 0) continue;
        print_message("%s on %s%s%s, case %u: now \"%s\"\n", engine_name[CASES[i].engine],
                      CASES[i].machine, CASES[i].set ? " with " : "",
                      CASES[i].set ? CASES[i].set : "", i, digest);
        changed++;
    }
    if (changed)
        fail_msg("%u digests changed: raise the engine's model version and take them over here",
                 changed);
    assert_int_equal(SIM_MODEL_VERSION, OF_SIM_VERSION);
    assert_int_equal(EST_MODEL_VERSION, OF_EST_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_go_with_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
