/* profile.h - what the estimator knows of a program: collected once, good for many machines.
 *
 * A profile is built for a *view*: the parameters that decide which transactions exist and how CTAs
 * interleave. Everything else (capacities, ways, MSHRs, latencies, clocks, DRAM organisation and
 * timing, policies) may vary without a new profile.  Per launch it holds: instruction mix,
 * dependence (loads in flight before a warp waits), transactions, L1 reuse (line stack distances
 * with the running-maximum chains that answer sectors), the same for the L2 behind L1s of several
 * capacities, per-set-count reuse for modulo indexing, an address sample for slice, channel and
 * bank load under any hash, row locality, partial writes.
 *
 * Profiles are cached on disk by program digest and view; a cached file that does not fit is
 * rebuilt. Threads: building uses up to `threads` threads; a finished profile is immutable and may
 * be shared. Source: reference modelling notes D1; Hill & Smith 1989 (all-associativity); Nugteren
 * 2014. */
#ifndef PLUMB_ESTIMATOR_PROFILE_PROFILE_H
#define PLUMB_ESTIMATOR_PROFILE_PROFILE_H

#include "base/error.h"
#include "base/run/progress.h"
#include "estimator/cache/set_view.h"
#include "estimator/functional/l1_store_lines.h"
#include "estimator/profile/bypass_view.h"
#include "estimator/profile/warp_view.h"
#include "gpu/machine/params/coherence.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"
#include "gpu/machine/params/sm.h"
#include "trace/program/program.h"

/* Changes whenever a profile's content or meaning does. */
enum { PROFILE_VERSION = 32 };

/* What empties an L1; the values stand in profiles' names. */
enum l1_emptied { L1_AT_ACQUIRES, L1_AT_LAUNCHES_TOO, L1_NEVER };

struct profile_view {
    uint32_t sms, warp_width, max_warps, max_ctas, registers; /* decide the interleaving */
    uint32_t shared_kb;                             /* with an adaptive L1: the largest option */
    uint32_t load_lanes, store_lanes, atomic_lanes; /* that join: coalesce_group */
    uint32_t coalesce_bytes;
    bool atomics_apart; /* lanes of an atomic that share bytes do not join */
    uint32_t l1_line, l1_sector, l2_line, l2_sector;
    enum write_miss_kind l1_write_miss, l2_write_miss;
    struct set_view l1_at, l2_at; /* collect distances inside these sets */
    uint32_t l1_sets, l1_ways;    /* the L1's own; adaptive: as large as it gets */
    uint32_t l1_class_bytes;      /* the L1's capacity, as a power of two: who keeps up with whom */
    uint32_t l2_class_bytes;      /* the L2's, at most PROFILE_L2_NOMINAL_BYTES */
    uint32_t l1_queue;            /* accesses before its look-up */
    bool l1_adaptive;             /* launches have L1s of their own capacities, up to that class */
    enum l1_emptied l1_emptied;
    bool fence_empties;  /* fences empty it, too */
    bool l1_keeps_own;   /* only lines that others have, too, and what was stored leave it then */
    bool l1_parts_leave; /* of stores sectors that are written whole stay in it, others leave */
    bool copy_warms,
        copy_soils;            /* copies to the device touch the L2, and are still to be written */
    struct keeper_view keeps;  /* of stores */
    struct bypass_view bypass; /* which loads go round the L1 */
    uint32_t subcores, shared_banks;
    enum cta_binding binding; /* whose turn it is under pressure */
    enum memory_wait wait;
    struct warp_view warps; /* who goes on */
};
struct profile_view profile_view_of(const struct sm_params *sm, const struct l1_params *l1,
                                    const struct l2_params *l2, const struct coherence_params *c);

bool profile_view_equal(const struct profile_view *a, const struct profile_view *b);
/* Equal but for the sizes of the caches: one's profile tells of the other's, with warps that keep
 * up as in its own caches, and with sets that it did not count taken as hashed. */
bool profile_view_near(const struct profile_view *a, const struct profile_view *b);

struct profile; /* opaque outside estimator/ */
/* From the disk cache if it is there (use_cache), else built and, if possible, cached. */
struct profile *profile_get(const struct program *p, const struct profile_view *view,
                            unsigned threads, bool use_cache, struct error *e);
/* Builds it anew, whatever the cache holds; progress: NULL, or counts CTAs. */
struct profile *profile_build(const struct program *p, const struct profile_view *view,
                              unsigned threads, struct progress *progress, struct error *e);
/* Where profile_get looks for it, mem_free it; NULL: there is no cache directory. */
char *profile_cache_path(const struct program *p, const struct profile_view *view);
bool profile_store(const struct profile *f, const struct program *p, const char *path,
                   struct error *e);
void profile_free(struct profile *p);
uint32_t profile_launches(const struct profile *p);
uint32_t profile_sections(const struct profile *p); /* in its file */
double profile_instructions(const struct profile *p, uint32_t launch);
uint64_t profile_accesses(const struct profile *p); /* L1 transactions of all launches */
/* Features for grouping launches by likeness (mix, transactions per instruction, hit rates at
 * reference capacities, CTA count ...). */
enum { PROFILE_FEATURES = 12 };
void profile_features(const struct profile *p, uint32_t launch, double out[PROFILE_FEATURES]);

#endif
