/* estimator_support.h - a machine, a generated program, its profile and its estimate, in one place.
 */
#pragma once

#include "sampler/design/est_params.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include "base/error.h"
#include "estimator/model/estimate.h"
#include "gpu/machine/machine.h"

struct bed {
    struct machine m;
    struct program *p;
    struct profile *f;
};

static inline void bed_machine(struct bed *b, const char *name, const char *const *sets, size_t n)
{
    struct errors all = {0};
    *b = (struct bed){.f = NULL};
    if (!machine_load(&b->m, name, sets, n, &all)) fail_msg("%s", all.item[0].text);
}

static inline void bed_program(struct bed *b, const char *text)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = b->m.sm.warp_width};
    b->p = program_open(folder_text("program.cfg", text), &o, &e);
    if (!b->p) fail_msg("%s", e.text);
}

static inline void bed_profile(struct bed *b, unsigned threads, bool use_cache)
{
    struct error e = {0};
    struct profile_view v = est_view_of(&b->m);
    b->f = profile_get(b->p, &v, PROFILE_EXACT, threads, use_cache, NULL, &e);
    if (!b->f) fail_msg("%s", e.text);
}

static inline void bed_init(struct bed *b, const char *machine, const char *program)
{
    bed_machine(b, machine, NULL, 0);
    bed_program(b, program);
    bed_profile(b, 2, false);
}

/* With the profile of the machine's view, where that is another one now. */
static inline void bed_set(struct bed *b, const char *set)
{
    struct errors all = {0};
    struct profile_view was = est_view_of(&b->m);
    if (!machine_set(&b->m, &set, 1, &all)) fail_msg("%s", all.item[0].text);
    struct profile_view is = est_view_of(&b->m);
    if (!b->f || profile_view_equal(&was, &is)) return;
    profile_free(b->f);
    bed_profile(b, 2, false);
}

static inline struct est_params bed_params(const struct bed *b)
{
    struct est_params e = {.sm = &b->m.sm,
                           .l1 = &b->m.l1,
                           .l2 = &b->m.l2,
                           .l3 = &b->m.l3,
                           .cpu = &b->m.cpu,
                           .coherence = &b->m.coherence,
                           .registers = &b->m.register_file,
                           .scalar = &b->m.scalar,
                           .tlb = &b->m.tlb,
                           .noc = &b->m.noc,
                           .pages = &b->m.pages,
                           .dram = &b->m.dram,
                           .second_dram = &b->m.second_dram};
    assert_true(machine_clocks(&b->m, &e.clocks));
    return e;
}

static inline void bed_estimate(const struct bed *b, struct metrics *m, struct explanation *x)
{
    struct error e = {0};
    struct est_params p = bed_params(b);
    if (!estimate(b->f, NULL, &p, m, x, &e)) fail_msg("%s", e.text);
}

static inline double bed_cycles(const struct bed *b)
{
    struct metrics m;
    bed_estimate(b, &m, NULL);
    return m.v[M_cycles];
}

static inline void bed_fini(struct bed *b)
{
    profile_free(b->f);
    program_close(b->p);
}
