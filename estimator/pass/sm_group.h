/* sm_group.h - all SMs of the pass that makes profiles, and the stream of accesses that leaves
 * them.
 *
 * Some SMs are run in full (sm_pass.h), spread evenly over those that get most CTAs of a launch;
 * the others follow one of them (sm_replay.h). A plan says how many, and which lines of the L2 the
 * profile follows. If all SMs are run in full and all lines are followed, the profile is exact.
 *
 * Of a launch of many waves, only the first ones and some from its middle are run, and stand for
 * all (not where the profile is exact). The owner is told what is left out, as reuse goes over it.
 *
 * The group runs in windows of time, which bound the memory of the streams. In a window accesses
 * are ordered by time, then by SM, so that the number of threads does not change the result.
 *
 * Ownership: sm_group_free frees all of it; view, program, L2 and sharers outlive it. */
#pragma once

#include "base/run/team.h"
#include "estimator/pass/pass_plan.h"
#include "estimator/pass/sm_pass.h"
#include "estimator/pass/sm_replay.h"

struct sm_group;

/* Threads wait for each other at a window's beginning and end: one thread processes windows with
 * fewer accesses. */
enum { WORTH_THREADS = 4096 };

/* Pieces of work of a window, which the threads of a team share. */
enum group_work { GROUP_FULL, GROUP_REPLAYS, GROUP_WORKS };

/* The accesses of a window. */
struct group_window {
    const struct stream_op *const *order;
    const uint16_t *sm; /* of each */
    size_t n;
    const struct stream_op *const *first; /* all accesses of an SM that is run in full */
    size_t first_n;
    bool done; /* the launch has ended */
};

/* l2: what has gone to the L2, for the times of what misses; pages: see sm_pass_connect. NULL:
 * *e. */
struct sm_group *sm_group_new(const struct profile_view *v, const struct program *p,
                              const struct pass_plan *plan, unsigned threads,
                              const struct chain *l2, const struct page_table *pages,
                              struct sharers *sharers, struct error *e);
void sm_group_free(struct sm_group *g);
/* Fills work[GROUP_WORKS] for the team that does it from sm_group_join on, which outlives g's last
 * window. */
void sm_group_works(struct sm_group *g, struct team_work *work);
void sm_group_join(struct sm_group *g, struct team *team);
/* Begins a launch, by its number in the program; false: *e. */
bool sm_group_launch(struct sm_group *g, uint32_t launch, struct error *e);
/* Runs the window of cycles [from, until). *w holds until the next call; false: *e. view: which
 * accesses leave the SMs. */
bool sm_group_run(struct sm_group *g, uint64_t from, uint64_t until, enum stream_view view,
                  struct group_window *w, struct error *e);
/* Their sharers hear of the window; false: no memory. */
bool sm_group_tell_sharers(struct sm_group *g);
/* Of the launch's instructions, the share that is left out behind that part. */
enum group_part { GROUP_HEAD, GROUP_MIDDLE };
double sm_group_skipped(const struct sm_group *g, enum group_part part);
/* The part that is being run; GROUP_HEAD if all of the launch is. */
enum group_part sm_group_part(const struct sm_group *g);
/* How far the launch is, 0 to 1; CTAs that have begun. */
double sm_group_progress(const struct sm_group *g);
uint64_t sm_group_started(const struct sm_group *g);
/* Sectors of the launch that go on to the L2, whether their lines are followed or not. */
void sm_group_passed(const struct sm_group *g, double passed[STREAM_CLASSES]);
/* The launch's profile, but for the L2s; false: no memory. */
bool sm_group_profile(struct sm_group *g, struct launch_profile *p);
