/* sampler_digests.c - do the engines still give the numbers of their model versions?
 *
 * A digest of every metric of small runs, kept here with the version that gave it.  Whoever changes
 * a number on purpose raises SIM_MODEL_VERSION or EST_MODEL_VERSION (stored results and
 * calibrations depend on it) and takes over the new digests, which a failing run prints.  Counts of
 * the cycle model are compared whole; the estimator's to nine digits, which leaves room for another
 * libm. */
#include "sampler/engine.h"
#include "tests/behaviour/run.h"

enum { OF_SIM_VERSION = 3, OF_EST_VERSION = 5 }; /* which the digests below were taken from */

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
    {ENGINE_SIMULATE, "qv100", NULL, STREAM, "44e26169c9a51db4e1921fde89cdebb5"},
    {ENGINE_SIMULATE, "qv100", NULL, GATHER, "e7fc1a5979bb2428db4e0f702c2df584"},
    {ENGINE_SIMULATE, "qv100", "sm.scheduler=gto", REDUCTION, "7f948597d2b9bceaabc62299be718a7e"},
    {ENGINE_SIMULATE, "qv100", "l2.mshr.entries=2", GATHER, "847e091f92d65a65e793569b0a1bd098"},
    {ENGINE_SIMULATE, "qv100", "l1.alloc=on_fill", GATHER, "f7f78532c269a40a724692b1eaa5d908"},
    {ENGINE_SIMULATE, "qv100", "l2.write=through", STREAM, "d25ca1c7a99862af534e08a382b6a4ae"},
    {ENGINE_SIMULATE, "rx540", NULL, STREAM, "2e8717afc9c88415dd3ef10f9c12492d"},
    {ENGINE_SIMULATE, "rx540", NULL, GATHER, "ee64013798b777ac9a7e788fac1f33ce"},
    {ENGINE_SIMULATE, "rx540", NULL, REDUCTION, "c07b554402ddb0d368cb1bc6cc30b5ba"},
    {ENGINE_SIMULATE, "rx540", NULL, CHASE, "adff7f3d4336b588b974e49dc8ab9431"},
    {ENGINE_SIMULATE, "rx540", "l2.bank_kb=16", STREAM, "cefbe65ad520a25b3d812c27ccb4168f"},
    {ENGINE_SIMULATE, "rx540", "l1.enabled=false", GATHER, "524a4e6b4c5c37fbb400c0033917b202"},
    {ENGINE_SIMULATE, "rx540", "noc.input_queue=1", GATHER, "269cffaef34c3752bcce93d1cf9aa1c7"},
    {ENGINE_ESTIMATE, "qv100", NULL, STREAM, "5cd4b124643f3eb324b0a2b010cebb53"},
    {ENGINE_ESTIMATE, "qv100", NULL, GATHER, "9cb03b29e2fd7df529becac86aabff2a"},
    {ENGINE_ESTIMATE, "rx540", NULL, REDUCTION, "ab7f37aaf20fc3142d6887310362b18f"},
    {ENGINE_ESTIMATE, "rx540", NULL, CHASE, "5deb9fa3c29e42981f047f80a994c4be"},
};
enum { N_CASES = sizeof CASES / sizeof CASES[0] };

/* Keys younger than the digests; they join when those are next taken anew. */
static bool is_younger(const char *key)
{
    static const char *const younger[] = {"l1.fails_per_kilocycle.",
                                          "l1.accesses_per_request",
                                          "lane_requests",
                                          "vmb.",
                                          "dram.energy",
                                          "energy_mj.",
                                          "l1.fills",
                                          "l1.energy",
                                          "l2.energy",
                                          "power_w.",
                                          "area_mm2.",
                                          "dram.channel_imbalance",
                                          "l2.set_",
                                          "l2.frc_",
                                          "l2.vc_hits",
                                          "l1.apki",
                                          "l1.reserved_apki",
                                          "l1.reuse.",
                                          "l2.reuse."};
    for (size_t i = 0; i < sizeof younger / sizeof *younger; i++)
        if (strncmp(key, younger[i], strlen(younger[i])) == 0) return true;
    return false;
}

static void digest_of(const struct metrics *m, enum engine engine, char out[33])
{
    struct text t = {0};
    for (uint32_t i = 0; metrics_key(i); i++) {
        double v;
        if (!metrics_value(m, metrics_key(i), &v) || is_younger(metrics_key(i))) continue;
        text_add(&t, "%s=%.*g\n", metrics_key(i), engine == ENGINE_SIMULATE ? 15 : 9, v);
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
    struct run_opts o;
    struct answer a;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (!engine_run(k->engine, &m, p, NULL, NULL, &o, &a, &e)) fail_msg("%s", e.text);
    digest_of(&a.m, k->engine, out);
    answer_fini(&a);
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

/* Every case must be worth having: no two give the same numbers. */
static void cases_differ(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < N_CASES; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(CASES[i].digest, CASES[k].digest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_go_with_their_numbers),
        cmocka_unit_test(cases_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
