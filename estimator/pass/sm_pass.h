/* sm_pass.h - one SM of the pass that makes profiles: the functional machine
 * (gpu/functional/execution/functional.h) with a reuse observer behind it (reuse_observer.h), at
 * nominal times.
 *
 * An SM runs a share of a launch's CTAs (cta_dispatch.h). SMs with different readers may run side
 * by side, and what one yields depends on nothing else. */
#pragma once

#include "estimator/reuse/reuse_observer.h"
#include "gpu/functional/execution/functional.h"

struct sm_pass {
    struct profile_view v;
    struct sm_params sm; /* nominal: by the view */
    struct l1_params l1;
    struct functional functional;
    struct reuse_observer observer;
    struct warp_admission *admission; /* of the one SM */
    size_t kept;                      /* accesses of earlier windows that are still in the stream */
};

/* So many times what the SMs that were run in full counted are the whole launch's counts. longest:
 * instructions of the longest warp of the other SMs. */
struct pass_scale {
    double instructions, kind[STREAM_KINDS]; /* kind: memory instructions of each kind */
    /* The transactions of each kind that the SMs which follow made in the CTAs that were run; and
     * the launch's instructions over those of these CTAs. */
    double followed[STREAM_KINDS], launch;
    double longest;
};

/* NULL: *e. reader and followed outlive it. Without a reader it opens its own. */
struct sm_pass *sm_pass_new(const struct profile_view *v, const struct program *p,
                            struct reader *reader, const struct followed_lines *followed,
                            struct error *e);
void sm_pass_free(struct sm_pass *s);
/* What has gone to the L2, of all SMs, by physical addresses if there are pages, else NULL; and
 * which lines others have, too: all are read by sm_pass_run, so that nothing may change them
 * meanwhile. sharers: wanted where the view's L1s keep
 * their own. */
void sm_pass_connect(struct sm_pass *s, const struct chain *l2, const struct page_table *pages,
                     struct sharers *sharers);
/* From now on sm_pass_schedule has what happens, for the SMs that follow this one. */
void sm_pass_log(struct sm_pass *s);
/* Begins a launch at time 0 as that SM, with these CTAs. Empties the L1 if the view says so. */
bool sm_pass_launch(struct sm_pass *s, uint32_t launch, uint32_t sm, const struct cta_share *share,
                    struct error *e);
/* Runs until the SM's time reaches `until`; appends to sm_pass_stream and sm_pass_schedule. *done:
 * the launch has ended here. */
bool sm_pass_run(struct sm_pass *s, double until, bool *done, struct error *e);
struct stream *sm_pass_stream(struct sm_pass *s);
struct schedule_log *sm_pass_schedule(struct sm_pass *s);
/* Begins a window of time: earlier accesses leave the stream, the schedule begins anew. */
void sm_pass_begin_window(struct sm_pass *s, uint64_t from);
uint64_t sm_pass_started(const struct sm_pass *s); /* CTAs of the launch so far */
uint64_t sm_pass_done(const struct sm_pass *s);    /* warp instructions of the launch so far */
double sm_pass_accesses(const struct sm_pass *s, enum stream_kind kind); /* instructions, too */
uint32_t sm_pass_fits(const struct sm_pass *s, const struct launch *l);  /* CTAs at once */
/* Adds up the launch's profile, that of its L1s included, into *p; false: no memory. */
bool sm_pass_profile(struct sm_pass *const *sm, uint32_t sms, const struct pass_scale *by,
                     struct launch_profile *p);
/* Their sharers hear of the streams; false: no memory. */
bool sm_pass_tell_sharers(struct sm_pass *const *sm, uint32_t sms);
