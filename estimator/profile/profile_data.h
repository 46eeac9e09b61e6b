/* profile_data.h - the content of a profile, for the files of estimator/ only.
 *
 * A profile is one struct launch_profile per launch, all plain data, and its address samples; equal
 * ones are stored once.  Counts are over the whole launch.  The L2 is profiled behind the view's
 * own L1, an adaptive one as large as it gets. */
#pragma once

#include "base/memory/histogram.h"
#include "base/text/digest.h"
#include "estimator/profile/hit_curve.h"
#include "estimator/profile/launch_parts.h"
#include "estimator/profile/phase.h"
#include "estimator/profile/profile.h"
#include "estimator/profile/register_use.h"
#include "estimator/profile/shared_counts.h"

enum {
    PROFILE_DEP = 32,    /* larger dependence distances never stall */
    SAMPLE_BLOCK = 8192, /* consecutive accesses in a block of an address sample, at most */
    SAMPLE_BLOCKS = 2,
    REPLAY_DEPTH = 128, /* requests in the deepest queue of a channel that is replayed */
    SAMPLE_SPREAD = 2048,
    SAMPLE_CLASSES = 2,
    SAMPLE_ASKED =
        SAMPLE_CLASSES, /* an index past the classes: all that would reach an L2 without an L1 */
    SAMPLE_STREAMS,
    SAMPLE_BUCKETS = (HISTOGRAM_BUCKETS + 63) / 64 * 64,
    LINE_RUNS = 4,
    LINE_RUN = 512,
    PROFILE_JOINS = 64 /* accesses that join one fetch are counted separately up to here */
};
/* Reuse is tracked in caches of up to so many bytes; reuse at larger distances is a miss for every
 * capacity. */
enum { PROFILE_L1_BOUND_BYTES = 2 * 131072, PROFILE_L2_BOUND_BYTES = 128 << 20 };
enum { PROFILE_L1_LEAST_BYTES = 16384 };
/* The functional pass has an L2 of the machine's capacity class; it treats larger ones as the
 * largest. */
enum { PROFILE_L2_LEAST_BYTES = 128 << 10, PROFILE_L2_NOMINAL_BYTES = 512 << 10 };
/* A sample of memory traffic has the accesses that miss in an L2 of this capacity. */
extern const uint32_t profile_sample_bytes[SAMPLE_CLASSES];

enum sampled_kind { SAMPLED_READ, SAMPLED_WRITE, SAMPLED_ATOMIC };
struct sampled {
    uint64_t addr; /* where pages are placed, the physical one */
    uint16_t l1,
        l2; /* buckets of the smallest capacities (in lines) at which it hits; UINT16_MAX = never */
    uint8_t kind, sectors; /* enum sampled_kind */
    uint16_t sm;           /* the SM that issued it */
};
static inline uint16_t profile_sample_bucket(double lines)
{
    return lines < 1 ? 0 : (uint16_t)histogram_bucket((uint64_t)lines);
}
/* Whether it misses in caches of at least the capacities of those buckets. */
static inline bool sampled_misses(const struct sampled *s, uint16_t l1, uint16_t l2)
{
    return (s->kind != SAMPLED_READ || s->l1 >= l1) && s->l2 >= l2;
}
/* Blocks of consecutive accesses, which show conflicts between accesses: the launch's first ones,
 * then others at even steps of its progress.  A block of those that miss in an L2 has as many
 * accesses as fill the queues of the memory's channels several times (profile_block_accesses); one
 * of all that are asked has up to SAMPLE_BLOCK, so that each SM has more of them than the queues of
 * a network hold. */
struct block_sample {
    uint32_t blocks;            /* number of blocks in use */
    uint32_t n[SAMPLE_BLOCKS];  /* entries in each */
    double each[SAMPLE_BLOCKS]; /* accesses that an entry of each stands for */
    struct sampled at[SAMPLE_BLOCKS][SAMPLE_BLOCK];
};
/* Single accesses, spread evenly over the launch, which show its overall load. */
struct spread_sample {
    uint32_t n;
    double apart; /* accesses in the parts that were run, from one entry to the next */
    struct sampled at[SAMPLE_SPREAD];
};

/* Runs of consecutive accesses of one SM that miss in an L1 of half the class's capacity. */
struct sampled_line {
    uint64_t line;
    uint16_t l1; /* as in struct sampled */
    uint8_t sectors;
    bool store;
    /* always 0: samples are written and digested as they lie in memory, so there must be no
     * padding */
    uint32_t none;
};
_Static_assert(sizeof(struct sampled) == 16 && sizeof(struct sampled_line) == 16, "no gaps");
struct line_sample {
    uint32_t runs, n[LINE_RUNS];
    struct sampled_line at[LINE_RUNS][LINE_RUN];
};

struct launch_profile {
    double cls[PROFILE_CLASSES]; /* warp instructions by class */
    /* of these: arithmetic instructions that follow one of another class without a barrier in
     * between, so that the warp changes units; and all instructions that are not arithmetic */
    double runs[PROFILE_CLASSES];
    double lane_operations, masked_operations;
    double ctas, warps, warps_per_cta;
    double balance;  /* mean over CTAs of a CTA's mean warp over its longest warp */
    double barriers; /* number of barrier instructions */
    /* mean number of warps per SM that a throttle lets run; 0: there is no throttle */
    double beside;
    /* serial dispatch: the largest work of an SM over the mean, beyond what the numbers of CTAs
     * explain; otherwise 1 */
    double uneven;
    /* of the warp that takes longest alone at nominal latencies: its instructions, its waits, their
     * misses over the mean, and its start, as a share of the launch */
    double longest_instructions, longest_waits, longest_misses, longest_start;
    double shared_cycles; /* bank cycles of shared accesses */
    double l1_cycles;     /* cycles of memory instructions on the way into the L1; 0: no limits */
    double l1_squares;    /* over memory instructions: of the square of these cycles */
    double bank_cycles;   /* in which all accesses enter the banks of the L1s; 0: they have none */
    /* instructions whose youngest arithmetic source was of that class and so many instructions
     * before */
    double dep[PROFILE_CLASSES][PROFILE_DEP];
    double waits;       /* number of times that a warp waited for loads */
    double loose_waits; /* of these, the ones that no barrier follows at once */
    /* ordered pairs of warps of a CTA that waited for loads between the same two barriers */
    double wait_pairs;
    double before_waits; /* instructions before their warp's first wait for loads, if it has any */
    double overlap;      /* instructions issued between the load and its wait, summed over waits */
    double load_instructions, store_instructions, atomic_instructions;
    /* L1 transactions (sectors); bypasses are also loads */
    double loads, stores, atomics, bypasses;
    double load_squares; /* over load instructions: of the square of their transactions */
    /* atomics: of those that return a value; of those whose sector nothing has touched before */
    double atomics_back, atomics_new;
    double sent;        /* sectors of stores that go on to the L2 */
    double store_waits; /* number of warps that end with only a store outstanding */
    /* instructions that release what their warp has stored: releases and fences, and barriers of
     * warps that have stored since */
    double releases;
    double waited_loads;           /* transactions of loads and atomics that waits depend on */
    double dropped;                /* lines dropped at acquires by L1s that keep unshared lines */
    double load_miss_instructions; /* load instructions with a miss at the nominal L1 */
    /* voided: loads of a line whose fetch in flight was invalidated by an acquire or a store;
     * joined: loads that join a fetch; joins[k]: of these the k-th to join one instruction's fetch;
     * *_left: the sum of the parts of the fetch that remained then, in fetches */
    double voided, voided_left, joined, joins[PROFILE_JOINS], joins_left[PROFILE_JOINS];
    /* loads of a line that another warp is fetching, or that must be fetched again after an
     * acquire; the most for one line on one SM */
    double wanted, wanted_most;
    double pass_cycles; /* from the first access of the L2 to the last, of the pass; l1_age, l2_age
                         * and l2_write_age are in such cycles */
    struct curve l1_read, l1_write, l1_age;
    struct curve wait_far; /* per wait: the farthest stack distance among its sectors */
    /* l2_written: the reads of l2_read that follow a write to their sector; l2_old, l2_write_old:
     * the reads and stores whose sector was last touched before the launch, where L2s begin it
     * empty */
    struct curve l2_read, l2_written, l2_old, l2_write_old;
    struct curve l2_write, l2_writeback, l2_age, l2_write_age;
    struct shared_counts shared; /* sharing of lines, for MOESI */
    struct phase_curve phase;    /* of the accesses that would reach an L2 without an L1 */
    struct register_use use;     /* of registers */
    /* Where addresses are translated: distances in pages, of an SM's accesses to lines and of the
     * farthest of each wait; among the accesses of all SMs, of those that are far in their own;
     * pages that none has accessed before; 1 where no earlier launch has accessed memory, else 0.
     */
    struct curve page_reuse, page_waits, page_shared;
    double new_pages, pages_are_first;
};

/* The samples of a launch, or of several with the same requests. */
struct address_samples {
    struct spread_sample spread; /* all that would reach an L2 without an L1 */
    /* of these, the accesses that reach memory, and SAMPLE_ASKED */
    struct block_sample rows[SAMPLE_STREAMS];
    struct line_sample lines;
};
/* The indices of a launch's parts, and the values of its own. */
struct launch_place {
    uint32_t profile, samples;
    /* lines that have reached an L2 without an L1 before the launch, those of copies included, and
     * until its end (counted again if they had been forgotten, beyond PROFILE_L2_BOUND_BYTES);
     * excluded from the launch's likeness */
    double lines_before, lines_after;
    /* launches with equal likeness have the same estimate, apart from address samples */
    struct digest likeness;
};

/* Identifies a launch's samples, and the part of them that a machine's caches let through. */
struct sample_content {
    struct digest digest;
    /* bits: buckets of capacities that occur; capacities between two of them select the same
     * accesses */
    uint64_t l1[SAMPLE_CLASSES][SAMPLE_BUCKETS / 64], l2[SAMPLE_CLASSES][SAMPLE_BUCKETS / 64];
};

/* Launches of the same shape: the first one, and the next one or LIKE_NONE. */
enum { LIKE_NONE = UINT32_MAX, LIKE_MOST = 8 };
struct like_launch {
    uint32_t first, next;
};

/* A power of two, so that a sweep's machines share profiles.  line_bytes: of the L2. */
uint32_t profile_block_accesses(const struct dram_params *d, uint32_t line_bytes);

double launch_instructions(const struct launch_profile *l); /* warp instructions of all classes */

struct profile {
    struct profile_view view;
    enum profile_detail detail;
    uint32_t launches;
    struct launch_place *place;     /* [launches] */
    struct launch *shape;           /* [launches]; without texts and code */
    struct parts profiles, samples; /* struct launch_profile, struct address_samples */
    /* set by profile_seal, not stored in the file */
    struct sample_content *sampled; /* [samples.n] */
    struct like_launch *like;       /* [launches] */
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
                            enum profile_detail detail, struct error *e);
/* Fills a new profile: the functional pass over all launches.  progress: NULL, or counts CTAs. */
bool profile_collect(struct profile *f, const struct program *p, unsigned threads,
                     struct progress *progress, struct error *e);

/* Call when everything else is set; false: no memory. */
bool profile_seal(struct profile *f);

struct digest profile_view_digest(const struct profile_view *v);
struct digest profile_key(const struct program *p, const struct profile_view *view,
                          enum profile_detail detail);
bool profile_save(const struct profile *f, const char *path, struct digest key, struct error *e);
/* NULL without an error: the file does not exist, is stale or corrupt. */
struct profile *profile_restore(const struct program *p, const struct profile_view *view,
                                enum profile_detail detail, const char *path, struct digest key);
