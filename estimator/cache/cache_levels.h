/* cache_levels.h - hit rates: the level at which the transactions of a launch end, for one machine.
 *
 * L1: the profile's curve under the L1's own geometry.  L2: its curves under its own geometry;
 * slices and sets together are one set index.  The L2's curves are interpolated between the two
 * profiled L1 capacities whose hits enclose this L1's, so that the accesses that reach the L2 are
 * those that missed the L1.  All counts are transactions (sectors) of the whole launch. */
#pragma once

#include "estimator/profile/profile_data.h"
#include "gpu/machine/params/coherence/l3.h"
#include "gpu/machine/params/l1.h"
#include "gpu/machine/params/l2.h"

struct level_hits {
    double reads, read_hits; /* hits by stack distance; merges count as hits */
    double writes, write_hits;
    double effective_lines;
};
struct level_merges { /* accesses that find their sector's fetch in flight */
    double n, left;   /* left: mean share of the fetch for which they still wait */
};
/* traffic of a protocol with a directory (directory_model.h), of the whole launch */
struct directory_traffic {
    double misses; /* stores and atomics that bring their block to the L1; part of the L2's reads */
    double puts;   /* dirty blocks that leave an L1; the L2's writes */
    double asked;  /* of the misses, those for which other L1s are asked for copies */
    double hottest;       /* ... of the line that has most of these */
    double hottest_loads; /* ... of loads alone */
    double notices;       /* clean blocks that leave an L1; one message each way */
};
struct memory_side_hits { /* of the memory-side cache (L3) */
    double fetched;       /* share of the L2's fetches that hit */
    double kept;          /* share of what the L2 writes that stays there */
    double lines;         /* its effective capacity */
};
struct partition_hits {        /* of an L2 in partitions with homes; 0 elsewhere */
    double hits, fetches;      /* reads that copies serve, and that fetch one */
    double writes;             /* stores and atomics that go to another partition */
    double partitions, active; /* all; those with work */
};
struct cache_levels {
    struct level_hits l1, l2; /* l2: an atomic is a read and a write */
    double l1_bypassed;       /* reads that did not look into the L1 */
    /* of the reads: see struct explanation */
    double l1_knee, l2_conflicts;
    /* atomics that pass an L2, where these are several: fetches and written through, and never
     * found there or in the L3, since each write follows its read before the line has come */
    double passing;
    double wait_misses;                          /* share of waits with at least one L1 miss */
    double fetches, writebacks, written_through; /* sectors between L2 and memory */
    struct memory_side_hits l3;                  /* 0 without one */
    struct directory_traffic directory;          /* 0 without one */
    struct partition_hits copies;
};

struct cached_machine { /* the caches that a launch meets */
    const struct profile_view *view;
    const struct l1_params *l1;
    const struct l2_params *l2;
    const struct l3_params *l3;
    double l1_lines; /* of each L1 */
    uint32_t all_sms;
    double sms; /* number of SMs with work */
};
void cache_levels_find(struct cache_levels *v, const struct launch_profile *p,
                       const struct cached_machine *c);
/* Sectors that the memory reads and writes. */
static inline double cache_levels_memory_reads(const struct cache_levels *v)
{
    return v->fetches * (1 - v->l3.fetched);
}
static inline double cache_levels_memory_writes(const struct cache_levels *v)
{
    return (v->writebacks + v->written_through - v->passing) * (1 - v->l3.kept) + v->passing;
}
/* The levels in a phase of the launch, as if all of the launch were like it. */
void cache_levels_in_phase(struct cache_levels *v, const struct phase *phase);
/* Of the hits of a level, whose ages since the fetch are `ages`: those that find their sector's
 * fetch in flight, if a fetch takes `age` in the unit of `ages`. */
struct level_merges cache_levels_merges(const struct curve *ages, double hits, double age);
