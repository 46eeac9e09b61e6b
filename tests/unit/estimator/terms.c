/* terms.c - what the terms of the estimate say that they read and write is what they do, and each
 * reads what earlier ones have written, but for what the fixed point carries. */
#include "estimator/model/launch_solve.h"
#include "estimator/model/term_list.h"
#include "tests/support/estimator_support.h"

#include <stdio.h>
#include <string.h>

#define PART_PLACE(id, member) \
    {#id, offsetof(struct launch_model, member), sizeof(((struct launch_model *)0)->member)},
static const struct part_place {
    const char *name;
    size_t at, bytes;
} parts[] = {LAUNCH_PARTS(PART_PLACE)};

static const char *const programs[] = {
    "generator = \"gather\"; ctas = 40; warps_per_cta = 4; iterations = 4; footprint = \"1MB\";"
    "distribution = \"zipf\";",
    "generator = \"stencil\"; n = 256; ctas = 90; warps_per_cta = 2; iterations = 2;",
};

struct case_of {
    const char *machine, *set;
};
static const struct case_of cases[] = {
    {"rx540", NULL},
    {"qv100", NULL},
    {"hd7770-fgcs18", NULL},
    {"rx540", "l2.inclusion=inclusive"},
    {"a100-80", NULL},
    {"mi300x", NULL},
    {"fermi-rf-rmws", NULL},
    {"gem5gpu-temp-batchbw", "cpu.programs=mcf"},
    {"apu-quickrelease", NULL},
    {"rx540", "sm.cta_rate=0.01"},
    {"hd7770-fgcs18", "coherence.protocol=moesi"},
    {"rx540", "noc.topology=mesh"},
};

/* A solved model of the first launch. */
static void solve_first(const struct bed *b, struct launch_solver *s, struct est_params *e,
                        struct launch_model *m)
{
    struct error err = {0};
    struct phase phase[PHASES];
    *e = bed_params(b);
    assert_true(launch_solver_init(s, b->f, e, &err));
    assert_true(launch_model_init(m, b->f, 0, e, &s->map, s->pages, &err));
    launch_model_phases(m, phase);
    launch_model_solve(m, phase);
}

static bool same_part(const struct launch_model *a, const struct launch_model *b, uint32_t part)
{
    const struct part_place *p = &parts[part];
    return memcmp((const char *)a + p->at, (const char *)b + p->at, p->bytes) == 0;
}

static uint32_t changed(const struct launch_model *a, const struct launch_model *b, uint32_t but)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < LAUNCH_PART_N; k++)
        if (k != but && !same_part(a, b, k)) found |= 1u << k;
    return found;
}

static void take_part(struct launch_model *to, const struct launch_model *from, uint32_t part)
{
    memcpy((char *)to + parts[part].at, (const char *)from + parts[part].at, parts[part].bytes);
}

/* Puts each part of another launch's model in place of the own one: a term writes it if it does not
 * stay, and reads it if the term then writes something else into other parts. */
static void watch(const struct term *t, const struct launch_model *m,
                  const struct launch_model *other, uint32_t *reads, uint32_t *writes)
{
    static struct launch_model as_is, odd;
    as_is = *m;
    t->find(&as_is);
    *writes |= changed(&as_is, m, LAUNCH_PART_N);
    for (uint32_t k = 0; k < LAUNCH_PART_N; k++) {
        odd = *m;
        take_part(&odd, other, k);
        t->find(&odd);
        if (!same_part(&odd, other, k)) *writes |= 1u << k;
        if (changed(&odd, &as_is, k)) *reads |= 1u << k;
    }
}

enum { TERMS_MOST = 128 };
static uint32_t seen_reads[TERMS_MOST], seen_writes[TERMS_MOST];

static void watch_case(const struct case_of *c)
{
    static struct launch_model m[2];
    struct bed b[2];
    struct est_params e[2];
    struct launch_solver s[2];
    for (uint32_t i = 0; i < 2; i++) {
        bed_init(&b[i], c->machine, programs[i]);
        if (c->set) bed_set(&b[i], c->set);
        solve_first(&b[i], &s[i], &e[i], &m[i]);
    }
    for (uint32_t t = 0; t < term_list_n; t++)
        watch(&term_list[t], &m[0], &m[1], &seen_reads[t], &seen_writes[t]);
    for (uint32_t i = 0; i < 2; i++) {
        launch_solver_fini(&s[i]);
        bed_fini(&b[i]);
    }
}

static void names_of(uint32_t set, char *out)
{
    *out = 0;
    for (uint32_t k = 0; k < LAUNCH_PART_N; k++)
        if (set >> k & 1) out += sprintf(out, "%s%s", parts[k].name, set >> k > 1 ? " " : "");
}

static bool within(const char *term, const char *does, uint32_t seen, uint32_t said)
{
    char names[512];
    if (!(seen & ~said)) return true;
    names_of(seen & ~said, names);
    print_error("%s %s and does not say so: %s\n", term, does, names);
    return false;
}

static void terms_do_what_they_say(void **state)
{
    bool ok = true;
    (void)state;
    assert_true(term_list_n <= TERMS_MOST);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        watch_case(&cases[i]);
    for (uint32_t t = 0; t < term_list_n; t++) {
        const struct term *term = &term_list[t];
        ok &= within(term->name, "writes", seen_writes[t], term->writes);
        ok &= within(term->name, "reads", seen_reads[t], term->reads | term->writes);
    }
    assert_true(ok);
}

/* A term reads what an earlier one has written; the passes of the fixed point hand on the rest. */
static void terms_read_what_is_there(void **state)
{
    uint32_t there = 0;
    bool ok = true;
    (void)state;
    for (uint32_t stage = TERM_TRAFFIC; stage <= TERM_LAUNCH; stage++) {
        if (stage == TERM_WAVE) there |= 1u << LAUNCH_RESULT; /* the network is solved */
        for (uint32_t t = 0; t < term_list_n; t++) {
            const struct term *term = &term_list[t];
            bool passes = stage != TERM_TRAFFIC && stage != TERM_LAUNCH;
            if (!(term->stages >> stage & 1)) continue;
            ok &= within(term->name, "reads too early", term->reads,
                         there | (passes ? LAUNCH_HANDED_ON : 0));
            there |= term->writes;
        }
    }
    assert_true(ok);
}

static bool is_listed(const char *name)
{
    for (uint32_t t = 0; t < term_list_n; t++)
        if (strcmp(term_list[t].name, name) == 0) return true;
    return false;
}

/* An explanation leads to the terms: they add up to the cycles, and each station has one. */
static void answers_lead_to_terms(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bed b;
        struct metrics m;
        struct explanation x;
        double sum = 0;
        bed_init(&b, cases[i].machine, programs[i % 2]);
        if (cases[i].set) bed_set(&b, cases[i].set);
        bed_estimate(&b, &m, &x);
        for (uint32_t t = 0; t < x.terms; t++) {
            assert_true(is_listed(x.term[t].name));
            sum += x.term[t].cycles;
        }
        assert_near(sum, m.v[M_cycles], 1e-9 * m.v[M_cycles]);
        for (uint32_t k = 0; k < x.n; k++)
            assert_true(is_listed(estimate_station_term(x.station[k].name)));
        bed_fini(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_do_what_they_say),
        cmocka_unit_test(terms_read_what_is_there),
        cmocka_unit_test(answers_lead_to_terms),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
