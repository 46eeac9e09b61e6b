#include "tests/support/estimator_support.h"

#include "base/error.h"
#include "estimator/model/estimate.h"

void bed_machine(struct bed *b, const char *name, const char *const *sets, size_t n)
{
    struct errors all = {0};
    *b = (struct bed){.f = NULL};
    if (!machine_load(&b->m, name, sets, n, &all)) fail_msg("%s", all.item[0].text);
}

void bed_program(struct bed *b, const char *text)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = b->m.sm.warp_width};
    b->p = program_open(folder_text("program.cfg", text), &o, &e);
    if (!b->p) fail_msg("%s", e.text);
}

void bed_profile(struct bed *b, unsigned threads, bool use_cache)
{
    struct error e = {0};
    struct profile_view v = est_view_of(&b->m);
    b->f = profile_get(b->p, &v, PROFILE_EXACT, threads, use_cache, NULL, &e);
    if (!b->f) fail_msg("%s", e.text);
}

void bed_init(struct bed *b, const char *machine, const char *program)
{
    bed_machine(b, machine, NULL, 0);
    bed_program(b, program);
    bed_profile(b, 2, false);
}

void bed_set(struct bed *b, const char *set)
{
    struct errors all = {0};
    struct profile_view was = est_view_of(&b->m);
    if (!machine_set(&b->m, &set, 1, &all)) fail_msg("%s", all.item[0].text);
    struct profile_view is = est_view_of(&b->m);
    if (!b->f || profile_view_equal(&was, &is)) return;
    profile_free(b->f);
    bed_profile(b, 2, false);
}

struct est_params bed_params(const struct bed *b)
{
    return est_params_of(&b->m);
}

void bed_estimate(const struct bed *b, struct metrics *m, struct explanation *x)
{
    struct error e = {0};
    struct est_params p = bed_params(b);
    if (!estimate(b->f, NULL, &p, m, x, &e)) fail_msg("%s", e.text);
}

double bed_cycles(const struct bed *b)
{
    struct metrics m;
    bed_estimate(b, &m, NULL);
    return m.v[M_cycles];
}

void bed_fini(struct bed *b)
{
    profile_free(b->f);
    program_close(b->p);
}
