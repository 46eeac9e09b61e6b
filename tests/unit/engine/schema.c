/* schema.c - does every answer keep the contract that `plumb metrics --schema` prints? */
#include "base/memory/alloc.h"
#include "detailed/counters/site_counters.h"
#include "engine/answer_schema.h"
#include "engine/engine.h"
#include "sampler/extrapolation/extrapolate.h"
#include "tests/support/check.h"
#include "tests/support/json_check.h"
#include "trace/program/summary.h"

struct fixture {
    struct json_reader reader;
    const struct node *schema;
};

static int setup(void **state)
{
    static struct fixture f;
    struct text text = {0};
    f = (struct fixture){0};
    answer_schema(&text);
    f.schema = json_read(&f.reader, text_str(&text));
    text_fini(&text);
    *state = &f;
    return f.schema ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    arena_fini(&f->reader.arena);
    return 0;
}

/* true: valid; the fault stands in why. */
static bool valid(const struct fixture *f, const char *document, char *why, size_t n)
{
    struct json_reader r = {0};
    const struct node *v = json_read(&r, document);
    bool ok = v && schema_valid(f->schema, f->schema, v, why, n);
    arena_fini(&r.arena);
    return ok;
}

/* Every metric present, each with a value of its own that suits a share, too. */
static void fill(struct metrics *m)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        m->v[i] = (i + 1) / 1024.0;
        m->has[i] = true;
    }
    histogram_add(&m->load_latency, 100, 1);
    histogram_add(&m->max_latency, 200, 1);
    m->has_load_latency = m->has_max_latency = true;
}

static void fill_sites(struct answer *a)
{
    const struct static_inst load = {.pc = 16, .cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4};
    const struct launch l = {.name = "k", .code = &load, .n_code = 1};
    const struct region region = {.first = 4096, .end = 8192};
    a->sites = mem_new(1, sizeof *a->sites);
    assert_true(site_counters_init(a->sites, &region, 1));
    assert_true(site_counters_launch(a->sites, &l));
    a->sites->now[0].executions = 1;
}

static void full_answer(struct answer *a, enum engine e)
{
    *a = (struct answer){
        .engine = e, .machine = "m", .program = "p \"quoted\"", .threads = 2, .seconds = 1};
    fill(&a->m);
    a->has_confidence = true;
    a->level = 0.95;
    a->half_width = 0.02;
    a->parts = (struct answer_parts){
        .sampling = 0.01, .warming = 0.017, .drain = 0.002, .accesses = 0.003};
    if (e == ENGINE_SAMPLE) a->intervals = 12;
    if (e == ENGINE_SAMPLE) fill(&a->full);
    fill(&a->half_widths);
    a->x.n = 1;
    a->x.station[0] = (struct station){.name = "dram", .utilization = 0.9, .gain = 0.5};
    a->x.bottleneck = "dram";
    a->difference = (struct difference){.known = true, .time = 0.5, .part = {-0.4, -0.1, 0}};
    a->helps.n = 1;
    a->helps.at[0] = (struct cause){
        .words = "twice the DRAM channels", .set = {"dram.channels=8"}, .n = 1, .saves = 0.4};
    a->x.not_modelled[a->x.n_not_modelled++] = "l2.ports";
    answer_warn(a, "a warning of %d", 1);
    a->kernel = mem_new(2, sizeof(*a->kernel));
    a->n_kernels = 2;
    fill(&a->kernel[0].m);
    if (e == ENGINE_SIMULATE) fill_sites(a);
}

static void to_text(const struct answer *a, struct text *t)
{
    struct json j;
    json_init(&j, t);
    answer_json(a, &j);
}

static void every_key_has_its_place(void **state)
{
    for (enum engine e = 0; e < ENGINE_N; e++) {
        struct answer a;
        struct text t = {0};
        char why[256] = "";
        full_answer(&a, e);
        to_text(&a, &t);
        if (!valid(*state, text_str(&t), why, sizeof(why))) fail_msg("%s: %s", engine_name[e], why);
        struct json_reader r = {0};
        const struct node *v = json_read(&r, text_str(&t));
        const char *key;
        for (uint32_t i = 0; (key = metrics_key(i)); i++) {
            double value;
            assert_true(metrics_value(&a.m, key, &value));
            const struct node *at = node_path(v, key, '.');
            if (!at) fail_msg("no %s", key);
            assert_true(at->number == value);
        }
        arena_fini(&r.arena);
        text_fini(&t);
        answer_fini(&a);
    }
}

/* What is not known is left out; nothing becomes 0 or null. */
static void absent_stays_absent(void **state)
{
    struct answer a = {.machine = "m", .program = "p", .threads = 1};
    struct text t = {0};
    char why[256] = "";
    metrics_set(&a.m, M_cycles, 10);
    metrics_set(&a.m, M_warp_instructions, 20);
    metrics_finish(&a.m);
    to_text(&a, &t);
    assert_true(valid(*state, text_str(&t), why, sizeof(why)));
    assert_non_null(strstr(text_str(&t), "\"ipc\": 2"));
    assert_null(strstr(text_str(&t), "\"l1\""));
    assert_null(strstr(text_str(&t), "confidence"));
    assert_null(strstr(text_str(&t), "stations"));
    assert_null(strstr(text_str(&t), "null"));
    text_fini(&t);
}

/* Whatever served as the control variate; and beside another machine's sample. */
static void every_control_variate_is_known(void **state)
{
    for (enum control c = 0; c < CONTROL_N; c++) {
        struct answer a;
        struct text t = {0};
        char why[256] = "";
        full_answer(&a, ENGINE_SAMPLE);
        a.control = (struct answer_control){control_name[c], 0.5, 10, 20};
        a.paired = (struct answer_paired){.known = true, .ratio = 1, .apart = 0.1};
        to_text(&a, &t);
        assert_non_null(strstr(text_str(&t), control_name[c]));
        if (!valid(*state, text_str(&t), why, sizeof why)) fail_msg("%s: %s", control_name[c], why);
        text_fini(&t);
        answer_fini(&a);
    }
}

#define HOST "\"host\":{\"seconds\":1,\"threads\":1,\"peak_rss_mb\":1}"
#define GOOD                                                                                  \
    "\"plumb\":\"0\",\"engine\":\"sample\",\"machine\":\"m\",\"program\":\"p\",\"cycles\":1," \
    "\"warp_instructions\":1,\"not_modelled\":[],\"warnings\":[]"

/* The validator must refuse, or the tests above mean nothing. */
static void validator_refuses(void **state)
{
    static const struct {
        bool ok;
        const char *text;
    } cases[] = {
        {true, "{" GOOD "," HOST "}"},
        {true, "[{" GOOD "," HOST "}, {\"program\":\"q\",\"error\":\"no such file\"}]"},
        {true, "{\"program\":\"q\",\"error\":\"no such file\"}"},
        {false, "{" GOOD "}"},
        {false, "{" GOOD "," HOST ",\"surprise\":1}"},
        {false, "{" GOOD "," HOST ",\"l1\":{\"hit_rate\":1.5}}"},
        {false, "{" GOOD "," HOST ",\"l1\":{\"hits\":\"many\"}}"},
        {false, "{" GOOD "," HOST ",\"l1\":{\"hits\":-1}}"},
        {false, "{" GOOD "," HOST ",\"l1\":{\"hits\":1,\"hits\":1}}"},
        {false, "{" GOOD "," HOST ",\"stations\":[{\"name\":\"dram\"}]}"},
        {false,
         "{" GOOD "," HOST ",\"confidence\":{\"level\":1,\"half_width\":0,\"intervals\":1.5}}"},
        {false, "{" GOOD "," HOST "} trailing"},
        {false, "[1]"},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char why[256] = "";
        if (valid(*state, cases[i].text, why, sizeof(why)) != cases[i].ok)
            fail_msg("case %u: %s", i, why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_its_place),
        cmocka_unit_test(absent_stays_absent),
        cmocka_unit_test(every_control_variate_is_known),
        cmocka_unit_test(validator_refuses),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
