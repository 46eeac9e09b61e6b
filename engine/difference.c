/* difference.c - see difference.h. */
#include "engine/difference.h"

#include "answer/launch_selection.h"
#include "base/memory/alloc.h"
#include "engine/engine_job.h"
#include "estimator/model/launch_picks.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <stdio.h>
#include <string.h>

const char *const difference_name[DIFFERENCE_N] = {[DIFFERENCE_TRAFFIC] = "traffic",
                                                   [DIFFERENCE_SERVICE] = "service",
                                                   [DIFFERENCE_ENTRIES] = "entries"};

/* Parameters that limit how many requests may be in flight. */
static const char *const entries[] = {
    "sm.vmb_entries",       "sm.vmb_scope",    "sm.vmb_release",      "l1.access_queue",
    "l1.miss_queue",        "l1.mshr.entries", "l1.mshr.max_merge",   "l1.mshr.wait_aside",
    "l1.mshr.wait_entries", "l2.mshr.entries", "l2.mshr.max_merge",   "l2.input_queue",
    "l2.miss_queue",        "l2.reply_queue",  "l2.writeback_buffer", "l2.frc.entries",
    "l2.frc.ways",          "l2.vc.entries",   "noc.input_queue",     "noc.output_queue",
    "noc.buffer_flits",     "dram.queue",      "dram.per_bank_queue", "dram.write_queue",
    "dram.write_high",      "dram.write_low",
};
enum { ENTRIES = sizeof entries / sizeof *entries, WAYS = 1 << DIFFERENCE_N, SET_MAX = 96 };

/* Machines with the service of A or B and the entries of A or B; the index bits are those of enum
 * difference_kind without traffic. */
struct mixture {
    struct machine of[2][2]; /* [service of B][entries of B] */
    char text[ENTRIES][SET_MAX];
    const char *set[ENTRIES];
};

/* false: the checks in gpu/machine/check refuse the combination. */
static bool take_entries(struct mixture *x, struct machine *to, const struct machine *from)
{
    uint32_t n = 0;
    struct errors all = {0};
    for (uint32_t i = 0; i < ENTRIES; i++) {
        struct text has = {0}, wants = {0};
        bool ok =
            machine_get_bare(to, entries[i], &has) && machine_get_bare(from, entries[i], &wants);
        if (ok && strcmp(text_str(&has), text_str(&wants)) != 0) {
            snprintf(x->text[n], SET_MAX, "%s=%s", entries[i], text_str(&wants));
            x->set[n] = x->text[n];
            n++;
        }
        text_fini(&has);
        text_fini(&wants);
    }
    bool ok = machine_set(to, x->set, n, &all);
    errors_fini(&all);
    return ok;
}

static bool mix_machines(struct mixture *x, const struct machine *a, const struct machine *b)
{
    for (uint32_t service = 0; service < 2; service++)
        for (uint32_t kept = 0; kept < 2; kept++)
            x->of[service][kept] = service ? *b : *a;
    return take_entries(x, &x->of[0][1], b) && take_entries(x, &x->of[1][0], a);
}

static bool time_of(const struct engine_job *job, const struct launch_picks *picks, double *us)
{
    struct est_params caches, e = engine_job_params(job, &caches);
    return engine_job_fits(job, NULL) && launch_picks_time(picks, job->profile, &e, us, NULL) &&
           *us > 0;
}

/* All launches of the job that differ. */
static bool find_picks(struct engine_job *job, const struct machine *m, struct launch_picks *picks)
{
    struct est_params caches, e;
    job->m = m;
    job->caches = NULL;
    e = engine_job_params(job, &caches);
    return launch_picks_find(picks, job->profile, job->selected, 0, &e, NULL);
}

/* us[]: indexed by the bits of the kinds that B provides. */
static bool solve_all(struct engine_job *job, const struct machine *a, const struct machine *b,
                      double us[WAYS])
{
    struct mixture *x = mem_new(1, sizeof *x);
    struct launch_picks picks = {0};
    bool ok = x && mix_machines(x, a, b) && find_picks(job, a, &picks);
    for (uint32_t way = 0; ok && way < WAYS; way++) {
        job->m = &x->of[way >> DIFFERENCE_SERVICE & 1][way >> DIFFERENCE_ENTRIES & 1];
        job->caches = way >> DIFFERENCE_TRAFFIC & 1 ? b : a;
        ok = time_of(job, &picks, &us[way]);
    }
    launch_picks_fini(&picks);
    mem_free(x);
    return ok;
}

/* Shapley's weights for three: in a third of the orders each the kind changes first or last; in a
 * sixth each it changes second, after either of the other two. */
static double part_of(const double us[WAYS], enum difference_kind kind)
{
    const uint32_t own = 1u << kind;
    double sum = 0;
    for (uint32_t before = 0; before < WAYS; before++) {
        if (before & own) continue;
        int n = __builtin_popcount(before);
        sum += (us[before | own] - us[before]) / (n == 1 ? 6 : 3);
    }
    return sum;
}

static bool same_profile(const struct machine *a, const struct machine *b, bool *same)
{
    struct profile_view v = est_view_of(a), w = est_view_of(b);
    *same = profile_view_equal(&v, &w);
    return profile_view_near(&v, &w);
}

/* B's time with B's own profile. */
static bool own_time(struct engine_job *job, const struct machine *b, double *us, struct error *e)
{
    struct profile *own = engine_job_profile(b, job->p, job->o, e);
    if (!own) return false;
    struct launch_picks picks = {0};
    job->profile = own;
    *us = 0;
    if (find_picks(job, b, &picks)) time_of(job, &picks, us);
    launch_picks_fini(&picks);
    profile_free(own);
    return true;
}

bool difference_find(const struct machine *a, const struct machine *b, const struct program *p,
                     const struct run_opts *o, struct difference *d, struct error *e)
{
    double us[WAYS], whole;
    bool same;
    *d = (struct difference){.known = false};
    if (!same_profile(a, b, &same)) return true;
    struct profile *profile = engine_job_profile(a, p, o, e);
    bool *selected = profile ? launch_selection_find(p, o, e) : NULL;
    struct engine_job job = {
        .p = p, .profile = profile, .selected = selected, .near = true, .o = o};
    bool ok = selected != NULL, solved = ok && solve_all(&job, a, b, us);
    whole = solved ? us[WAYS - 1] : 0;
    if (solved && !same) ok = own_time(&job, b, &whole, e);
    if (solved && ok && whole > 0) {
        d->known = true;
        d->time = whole / us[0];
        for (uint32_t k = 0; k < DIFFERENCE_N; k++)
            d->part[k] = part_of(us, k) / us[0];
        d->part[DIFFERENCE_TRAFFIC] += (whole - us[WAYS - 1]) / us[0];
    }
    mem_free(selected);
    if (profile) profile_free(profile);
    return ok;
}

void difference_json(const struct difference *d, struct json *j)
{
    if (!d->known) return;
    json_object(json_key(j, "difference"));
    json_number(json_key(j, "time"), d->time);
    for (uint32_t k = 0; k < DIFFERENCE_N; k++)
        json_number(json_key(j, difference_name[k]), d->part[k]);
    json_end(j);
}
