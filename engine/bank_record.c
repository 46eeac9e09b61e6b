/* bank_record.c - see bank_record.h. */
#include "engine/bank_record.h"

struct bank_versions bank_record_versions(void)
{
    struct bank_versions v;
    for (enum engine e = 0; e < ENGINE_N; e++)
        v.of[e] = engine_version(e);
    return v;
}

static bool is_whole(const struct engine_job *job, const struct answer *a)
{
    const struct run_opts *o = job->o;
    if (o->max_instructions || o->cold || a->partial) return false;
    for (uint32_t l = 0; l < program_launches(job->p); l++)
        if (!job->selected[l]) return false;
    return true;
}

void bank_record(enum engine e, const struct engine_job *job, const struct answer *a)
{
#ifndef PLUMB_TUNING
    if (!job->o->bank || e == ENGINE_ESTIMATE || !is_whole(job, a)) return;
    bool exact = !a->has_confidence || !(a->half_width > 0);
    const struct bank_put run = {.machine = job->m,
                                 .program = program_digest(job->p),
                                 .program_name = program_name(job->p),
                                 .engine = e,
                                 .metrics = &a->m,
                                 .log_sd = exact ? 0 : bank_log_sd(a->half_width, a->level)};
    bank_put(job->o->bank, &run, NULL);
#else
    (void)e;
    (void)job;
    (void)a;
#endif
}
