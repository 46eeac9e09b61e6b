/* correction.c - see correction.h.
 *
 * Times go with the cycles; counts of events stay as they are here, and each has its own correction
 * where its range is found (ranges.c). */
#include "engine/correction.h"

#include "engine/constants.h"
#include "engine/ranges.h"
#include "gpu/energy/account.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum metric times[] = {M_cycles, M_time_us, M_dram_channel_us, M_dram_refresh_mj,
                                    M_dram_background_mj};

static bool is_time(enum metric id)
{
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        if (times[i] == id) return true;
    return false;
}

/* The estimate may count more work than the runs had that correct its time: no resource is busy for
 * longer than that. */
static void cap_busy_times(struct metrics *m)
{
    for (uint32_t i = 0; i < METRIC_N; i++) {
        const struct metric_info *info = &metric_info[i];
        if (m->has[i] && info->ratio && is_time(info->den) && metrics_is_share(info->path))
            m->v[info->num] = fmin(m->v[info->num], m->v[info->den] / info->factor);
    }
}

/* Scales times and the memory's standby energy with the cycles; event counts stay as they are.  The
 * other energies are computed afterwards. */
static void stretch_time(struct metrics *m, double factor)
{
    if (m->has[M_energy_dram])
        m->v[M_energy_dram] +=
            (factor - 1) * (m->v[M_dram_refresh_mj] + m->v[M_dram_background_mj]);
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        if (m->has[times[i]]) m->v[times[i]] *= factor;
    cap_busy_times(m);
    metrics_finish(m);
}

static bool selects_all(const struct engine_job *job)
{
    for (uint32_t i = 0; i < program_launches(job->p); i++)
        if (!job->selected[i]) return false;
    return true;
}

static const double RANGE_MOST = 20; /* a logarithm: such a range says nothing */

static void note_correction(const struct calibrated *c, const struct calibration *cal,
                            struct answer *a)
{
    struct answer_correction *n = &a->correction;
    snprintf(n->file, sizeof n->file, "%s", cal->file);
    n->runs = c->runs;
    n->banked = c->banked;
    n->digest = c->digest;
    n->log_sd = c->log_sd;
    n->half_width_with_run = sinh(c->range_with_run);
    memcpy(n->beyond, c->beyond, sizeof n->beyond);
    n->apart = c->apart;
}

static void note_place(const struct calibrated *c, struct answer_place *out)
{
    _Static_assert((int)PLACE_FEATURES <= ANSWER_USE && (int)RANGE_FEATURES <= ANSWER_FEATURES,
                   "room for a place");
    memcpy(out->use, c->place.feature, sizeof c->place.feature);
    memcpy(out->feature, c->feature, sizeof c->feature);
    out->log_cycles = c->place.estimate;
}

static void warn_of_no_range(const struct machine *m, const char *path, struct answer *a)
{
    struct text value = {0};
    machine_get_bare(m, path, &value);
    answer_warn(
        a,
        "no range: the estimate has no term for %s = %s, and no case that ranges were learned "
        "from had it; 'plumb simulate' answers",
        path, text_str(&value));
    text_fini(&value);
}

void engine_job_calibrate(const struct engine_job *job, const struct metrics *m,
                          const struct explanation *x, struct calibrated *c)
{
    struct digest program = program_digest(job->p);
    calibrate_apply(job->cal, job->m, selects_all(job) ? &program : NULL, m, x, job->o->confidence,
                    c);
}

/* Whether the profile is sampled, and what the calibration learned is of estimates with exact ones:
 * those of strangers were, and those of a known program are as its sweep made them. */
static bool learned_with_exact_profile(const struct engine_job *job, uint32_t runs)
{
    const struct profile_view view = est_view_of(job->m);
    if (profile_detail_had(job->profile) == PROFILE_EXACT) return false;
    return !runs || profile_detail_for(job->p, &view, PROFILE_TIMES_SWEEP) == PROFILE_EXACT;
}

/* The range of the cycles of an estimate that so many runs correct. */
static double range_of_cycles(const struct engine_job *job, double range, uint32_t runs)
{
    if (!learned_with_exact_profile(job, runs)) return range;
    return engine_sampled_range(job, range, SAMPLED_CYCLES);
}

static void keep_bare(const struct engine_job *job, const struct answer *a)
{
    struct metrics *bare = &job->said->bare;
    *bare = a->m;
    energy_account(&job->costs, bare);
    metrics_finish(bare);
}

void correction_apply(const struct engine_job *job, struct answer *a)
{
    if (!job->said) return;
    struct calibrated *c = &job->said->c;
    keep_bare(job, a);
    engine_job_calibrate(job, &a->m, &a->x, c);
    c->range = range_of_cycles(job, c->range, c->runs);
    if (c->range_with_run > 0) c->range_with_run = range_of_cycles(job, c->range_with_run, 1);
    stretch_time(&a->m, c->factor);
    for (uint32_t i = 0; i < a->n_kernels; i++)
        stretch_time(&a->kernel[i].m, c->factor);
    note_correction(c, job->cal, a);
    note_place(c, &a->place);
    if (c->no_term) warn_of_no_range(job->m, c->no_term, a);
    a->has_confidence = c->range <= RANGE_MOST;
    if (!a->has_confidence && !c->no_term)
        answer_warn(a, "no range: so near to a confidence of 1 it says nothing");
    a->level = job->o->confidence;
    a->half_width = a->has_confidence ? sinh(c->range) : 0;
}
