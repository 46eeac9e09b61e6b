/* profile_data.h - what a profile holds, for the files of estimator/ only.
 *
 * A profile is one struct launch_profile per launch, all plain data, with the address samples
 * beside it; equal ones are kept once.  Counts are over the whole launch.  The L2 stands behind L1s
 * of several capacities: PROFILE_L1S variants, variant 0 = no L1. */
#ifndef PLUMB_ESTIMATOR_PROFILE_PROFILE_DATA_H
#define PLUMB_ESTIMATOR_PROFILE_PROFILE_DATA_H

#include "base/memory/histogram.h"
#include "base/text/digest.h"
#include "estimator/functional/moesi_write_sharing.h"
#include "estimator/profile/hit_curve.h"
#include "estimator/profile/launch_parts.h"
#include "estimator/profile/phase.h"
#include "estimator/profile/profile.h"

enum {
    PROFILE_L1S = 5,
    PROFILE_DEP = 32,    /* dependence distances from here on never stall */
    SAMPLE_BLOCK = 2048, /* consecutive accesses in a block of an address sample */
    SAMPLE_BLOCKS = 3,
    SAMPLE_SPREAD = 2048,
    SAMPLE_CLASSES = 2,
    SAMPLE_ASKED =
        SAMPLE_CLASSES, /* behind the classes: all that would reach an L2 without an L1 */
    SAMPLE_STREAMS,
    SAMPLE_BUCKETS = (HISTOGRAM_BUCKETS + 63) / 64 * 64,
    LINE_RUNS = 4,
    LINE_RUN = 512,
    PROFILE_JOINS = 64 /* accesses that wait for one fetch are told apart up to here */
};
/* Reuse is counted in caches of up to so many bytes; farther ones are misses for every capacity. */
enum { PROFILE_L1_BOUND_BYTES = 2 * 131072, PROFILE_L2_BOUND_BYTES = 128 << 20 };
/* The functional pass has an L2 of the machine's class of capacity; larger ones are alike to it. */
enum { PROFILE_L2_LEAST_BYTES = 128 << 10, PROFILE_L2_NOMINAL_BYTES = 512 << 10 };
extern const uint32_t profile_l1_bytes[PROFILE_L1S];
/* A sample of what goes to memory keeps accesses that miss in an L2 of this capacity. */
extern const uint32_t profile_sample_bytes[SAMPLE_CLASSES];

enum sampled_kind { SAMPLED_READ, SAMPLED_WRITE, SAMPLED_ATOMIC };
struct sampled {
    uint64_t addr;
    uint16_t l1,
        l2; /* buckets of the least capacities (in lines) at which it hits; UINT16_MAX = never */
    uint8_t kind, sectors; /* enum sampled_kind */
    uint16_t sm;           /* that asked */
};
static inline uint16_t profile_sample_bucket(double lines)
{
    return lines < 1 ? 0 : (uint16_t)histogram_bucket((uint64_t)lines);
}
/* Blocks of consecutive accesses: who meets whom.  The launch's first ones, then others spread
 * evenly over it. */
struct block_sample {
    uint32_t blocks;           /* in use */
    double stride;             /* accesses for which each stands, but the first only for its own */
    uint32_t n[SAMPLE_BLOCKS]; /* entries in each */
    struct sampled at[SAMPLE_BLOCKS][SAMPLE_BLOCK];
};
/* Single accesses, spread evenly over the launch: who is there at all. */
struct spread_sample {
    uint32_t n;
    struct sampled at[SAMPLE_SPREAD];
};

/* Runs of consecutive accesses of one SM to lines that an L1 of half the class misses. */
struct sampled_line {
    uint64_t line;
    uint16_t l1; /* as struct sampled */
    uint8_t sectors;
    bool store;
    uint32_t none; /* 0: samples are written and digested as they lie in memory, gaps too */
};
_Static_assert(sizeof(struct sampled) == 16 && sizeof(struct sampled_line) == 16, "no gaps");
struct line_sample {
    uint32_t runs, n[LINE_RUNS];
    struct sampled_line at[LINE_RUNS][LINE_RUN];
};

struct launch_profile {
    double cls[OP_N]; /* warp instructions by class */
    /* of them, those that leave a unit for another one: arithmetic behind arithmetic of another
     * class without a barrier between; all of the rest */
    double runs[OP_N];
    double lane_operations, masked_operations;
    double ctas, warps, warps_per_cta;
    double balance;  /* mean over CTAs of mean / longest warp */
    double barriers; /* barrier instructions */
    double beside; /* warps per SM that a throttle lets run side by side, mean; 0: it holds none */
    /* serial dispatch: the work of the SM that has most over the mean, beyond what the numbers of
     * CTAs say; else 1 */
    double uneven;
    /* of the warp that takes longest alone at nominal latencies: its instructions, its waits, their
     * misses over the mean, and when it starts, as a share of the launch */
    double longest_instructions, longest_waits, longest_misses, longest_start;
    double shared_cycles;          /* bank cycles of shared accesses */
    double dep[OP_N][PROFILE_DEP]; /* instructions whose youngest arithmetic source was made by that
                                      class at that many instructions before */
    double waits;                  /* times a warp had to wait for loads */
    double overlap; /* instructions issued between the load and its wait, summed over waits */
    double load_instructions, store_instructions, atomic_instructions;
    double loads, stores, atomics, bypasses; /* L1 transactions (sectors); bypasses are loads too */
    double sent;                             /* sectors of stores that go on to the L2 */
    double store_waits;            /* warps that end with a store and nothing else outstanding */
    double waited_loads;           /* transactions of loads and atomics before waits */
    double dropped;                /* lines of L1s that keep their own, at acquires */
    double load_miss_instructions; /* load instructions with a miss at the nominal L1 */
    /* loads of a line whose fetch is under way but void, by an acquire or a store since; those that
     * join one; of them the k-th to wait for what an instruction fetched; and what was left of the
     * fetch then, in fetches, summed */
    double voided, voided_left, joined, joins[PROFILE_JOINS], joins_left[PROFILE_JOINS];
    /* loads that want a line of another warp's that is to come, or has to come again after an
     * acquire; most of one line on one SM */
    double wanted, wanted_most;
    double l1_ops, l2_ops[PROFILE_L1S]; /* the units of the age curves */
    struct curve l1_read, l1_write, l1_age;
    struct curve wait_far; /* per wait: the farthest sector it waited for */
    struct curve l2_read[PROFILE_L1S], l2_write[PROFILE_L1S], l2_writeback[PROFILE_L1S],
        l2_age[PROFILE_L1S];
    struct shared_counts shared; /* of lines; MOESI */
    struct phase_curve phase;    /* of what would reach an L2 without an L1 */
    /* lines that have come to an L2 without an L1 before it, copies' too, and until its end (again,
     * if they had been forgotten: those behind PROFILE_L2_BOUND_BYTES); no part of the launch's
     * likeness, and 0 in the part that equal launches share (struct launch_place) */
    double lines_before, lines_after;
};

/* Of a launch, or of several that ask for the same. */
struct address_samples {
    struct spread_sample spread;              /* all that would reach an L2 without an L1 */
    struct block_sample rows[SAMPLE_STREAMS]; /* of these what reaches memory, and SAMPLE_ASKED */
    struct line_sample lines;
};
/* Where a launch's parts are, and what is its own. */
struct launch_place {
    uint32_t profile, samples;
    double lines_before, lines_after;
    struct digest likeness; /* equal = the same estimate but for the address samples */
};

/* What tells the samples of a launch, and what of them a machine sees, apart. */
struct sample_content {
    struct digest digest; /* of all but lines */
    struct digest lines;
    /* bits: buckets of capacities that occur; between two of them capacities keep the same */
    uint64_t l1[SAMPLE_CLASSES][SAMPLE_BUCKETS / 64], l2[SAMPLE_CLASSES][SAMPLE_BUCKETS / 64];
};

double launch_instructions(const struct launch_profile *l); /* of warps, all classes */

struct profile {
    struct profile_view view;
    uint32_t launches;
    struct launch_place *place; /* [launches] */
    struct launch *shape; /* [launches] only grid, block, registers, shared, ctas, warps are set */
    struct parts profiles, samples; /* struct launch_profile, struct address_samples */
    struct sample_content *sampled; /* [samples.n] profile_seal, not in the file */
};

static inline const struct launch_profile *profile_launch(const struct profile *f, uint32_t launch)
{
    return f->profiles.item[f->place[launch].profile];
}
static inline const struct address_samples *profile_samples(const struct profile *f,
                                                            uint32_t launch)
{
    return f->samples.item[f->place[launch].samples];
}

struct profile *profile_new(const struct program *p, const struct profile_view *view,
                            struct error *e);
/* Fills a new profile: the functional pass over all launches.  progress: NULL, or counts CTAs. */
bool profile_collect(struct profile *f, const struct program *p, unsigned threads,
                     struct progress *progress, struct error *e);

/* Of a launch on one SM, as the pass has them. */
uint32_t profile_resident_ctas(const struct profile_view *v, const struct launch *l);
/* When all else is there; false: no memory. */
bool profile_seal(struct profile *f);

struct digest profile_key(const struct program *p, const struct profile_view *view);
bool profile_save(const struct profile *f, const char *path, struct digest key, struct error *e);
/* NULL without an error: not there, stale or corrupt. */
struct profile *profile_restore(const struct program *p, const struct profile_view *view,
                                const char *path, struct digest key);

#endif
