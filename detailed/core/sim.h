/* sim.h - the interface of the cycle model: build a simulation from a machine and a program, run
 * it, read its metrics.
 *
 * A simulation is deterministic, on one thread or several (sim_use_threads). Many may run in
 * parallel on one struct program. Time is counted in ticks (gpu/machine/params/clock.h); every
 * component's step returns its next wake-up, and when all sleep, time skips to the earliest. */
#pragma once

#include "base/error.h"
#include "gpu/functional/state/interval.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_version.h"
#include "trace/program/program.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct sim;

struct sim *sim_new(const struct machine *m, const struct program *p, struct error *e);
void sim_free(struct sim *s);
/* Steps the machine on so many threads from now on, before its first run, with sites counted or
 * not. The answer is the same for any number of them. Returns how many it can use, 0: *e. */
uint32_t sim_use_threads(struct sim *s, uint32_t threads, struct error *e);

enum sim_end { SIM_DONE, SIM_LIMIT, SIM_INTERRUPTED, SIM_FAILED };

/* What to run and when to stop.  All zero = the whole program. */
struct sim_scope {
    /* Inclusive; last = UINT32_MAX, or 0 with first = 0: to the end. */
    uint32_t first_launch, last_launch;
    bool launch_range;         /* the two fields above are valid */
    uint64_t max_instructions; /* warp instructions issued; 0 = no limit */
};

/* Called after every launch with the metrics of that launch alone (NULL = none). */
typedef void sim_launch_fn(uint32_t launch, const struct metrics *m, void *ctx);

enum sim_end sim_run(struct sim *s, const struct sim_scope *scope, sim_launch_fn *each, void *ctx,
                     struct error *e);
/* Calls `each` during sim_run about every `cycles` core cycles (above 0), with all metrics since
 * the run began. Observers do not change the run. There are at most SIM_WATCHERS. */
enum { SIM_WATCHERS = 2 };
typedef void sim_watch_fn(const struct metrics *now, void *ctx);
void sim_watch(struct sim *s, uint64_t cycles, sim_watch_fn *each, void *ctx);
/* Calls `each` now and then during sim_run, from its thread, with the CTAs of the launch that have
 * ended. NULL: no more. */
typedef void sim_ctas_fn(uint64_t ended, void *ctx);
void sim_tell_ctas(struct sim *s, sim_ctas_fn *each, void *ctx);
/* From now on, counts into *x by instruction and buffer (site_counters.h), which does not change
 * the run. */
struct site_counters;
void sim_count_sites(struct sim *s, struct site_counters *x);
/* All metrics since sim_new or the beginning of the last sim_run or sim_interval. */
void sim_metrics(struct sim *s, struct metrics *out);

/* --- intervals: time slices of the full machine (sampler)
 * ---------------------------------------------------- */

/* Runs one interval from its placed and warmed state; *out has the measured part only. An interval
 * at a launch's very beginning has no residents and next_cta = 0, and its launch latency is in the
 * measured part. */
enum sim_end sim_interval(struct sim *s, const struct interval *w, const struct warm_state *warm,
                          struct metrics *out, struct error *e);
