/* row_locality.h - how a memory channel serves a stream: row hits, banks, unequal load, time per
 * burst.
 *
 * It uses the address samples, reduced to the accesses that miss in this machine's L1 and L2, under
 * the machine's own address map.  A channel that sees q requests serves those of one row together:
 * a row counts once among q consecutive requests, and the rows that the q requests before left open
 * count as open.
 *
 * The first request of a sample's block to a bank is not counted.  Write-backs lie among the reads
 * if reads and writes share a queue.
 *
 * Time per burst, with a full queue: the slowest of the data bus and column commands, of activates
 * (tRRD, tFAW), and of the busiest bank (its rows one after the other), joined smoothly; plus
 * turn-arounds between reads and writes; divided by the share of time without refresh.  n rows that
 * choose among b banks are a closed network of b equal queues: its busiest server is busy (n + b -
 * 1) / n times as long as an even share.  Row hits and the latency without a queue are those at the
 * depth that the queue really has.  Source: docs/models/estimator.md (FR-FCFS). */
#pragma once

#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/dram/dram.h"

enum { ROW_DEPTHS = 3, BLOCK_WINDOWS = 3, LOAD_WINDOWS = 5 };

struct row_locality {
    /* at queue depths 2, 16, 128: row hits per burst; number of banks among which random new rows
     * would collide as often as these do */
    double hit[ROW_DEPTHS], banks[ROW_DEPTHS];
    double service[ROW_DEPTHS]; /* clocks per burst of a channel whose queue never runs dry */
    double replayed; /* bursts in blocks that these rest on; INFINITY: they rest on none */
    double run;      /* bursts of reads to neighbouring addresses that arrive together */
    /* hottest channel over the mean among 32, 256, 2048 consecutive accesses of blocks, and among
     * 16,384 and 131,072 where the sample that is spread over the launch shows them; the part that
     * random choice would give is subtracted */
    double hottest[LOAD_WINDOWS];
    /* the share of the channels among which as many accesses, choosing at random, would reach as
     * many different channels as these do */
    double among[LOAD_WINDOWS];
    /* among 2048 consecutive accesses: the variance of a channel's load that random choice gives,
     * relative to the square of its mean */
    double chance;
};
struct row_stream {            /* how the samples are reduced to memory traffic */
    double l1_lines, l2_lines; /* accesses with stack distances of at least these capacities miss */
    double bursts_per_sector;
    double writebacks;            /* write-backs per access that takes a line */
    bool stores_fetch, stores_go; /* stores that miss: fetch their lines; are written through */
    bool hits_go;                 /* stores that hit are written through, too */
    bool hits_load;               /* ... and count among the loads of channels */
    bool atomics_go;              /* atomics pass the L2: each reads from memory and writes to it */
    double again;                 /* stores that hit too soon to be sampled, per sampled store */
    uint64_t behind;              /* bytes: a stream's evictions lie one L2 capacity behind it */
    uint64_t together;            /* bytes whose reads and write-backs alternate */
    uint32_t block;               /* accesses of a block that are looked at */
};
void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       const struct dram_params *d, const struct row_stream *f);
/* Adjusts the unevenness by the sample that is spread over the launch, because blocks are few and
 * short: a load may keep to some channels for longer than a block.  each: accesses from one entry
 * to the next, in the parts of the launch that the sample is from.  A load is at least as uneven in
 * a window as in the longer windows that the sample resolves.  It is no more uneven in a longer
 * window than the sample shows, or than what the sample is too small to show; a sample too thin for
 * two windows is one window. */
void row_locality_over_time(struct row_locality *r, const struct spread_sample *s, double each,
                            const struct map *map, const struct row_stream *f);
/* Queues of the slices by all that comes there; of home slices by stores, atomics and missing
 * reads, among all slices; of the slices' MSHRs by the accesses that take one; of the channels. */
enum even_queues { EVEN_SLICES, EVEN_HOMES, EVEN_FETCHES, EVEN_CHANNELS };
/* The effective number of queues: all if the load is even, fewer if some are hot.  It is taken over
 * the whole launch, because requests that move from queue to queue in step get out of step at the
 * queues themselves. */
double row_locality_even(const struct spread_sample *s, const struct map *map,
                         const struct row_stream *f, enum even_queues of);

/* Both for so many accesses at once. */
double row_locality_hottest(const struct row_locality *r, double together);
double row_locality_among(const struct row_locality *r, double together);
/* How much longer than for an even load a run of consecutive accesses takes for its hottest
 * channel, where `together` are under way and the channels' own queues hold `queued` of these.  At
 * the run's end the hottest channel may have its part of `queued` left, while the others go on;
 * what is beyond that holds up all.  Of the runs of at least `together` accesses that which takes
 * longest. */
double row_locality_late(const struct row_locality *r, double together, double queued);

/* The relative standard deviation of the time per burst that comes from replaying less than a full
 * block; otherwise 0. */
double row_locality_doubt(const struct row_locality *r);

/* Interpolates a value, known at the queue depths of struct row_locality, by the depth's
 * logarithm. */
double row_locality_at(const double v[ROW_DEPTHS], double depth);

struct dram_load {
    double rate;   /* bursts per clock to a channel */
    double depth;  /* mean number of requests that its scheduler sees, */
    double most;   /* the most that the L2 lets through, */
    double room;   /* and the most in its queue; all >= 1 */
    double writes; /* share of bursts */
    /* clocks from a warp's wait for this memory to its next one; 0: reads come at random */
    double between;
    double length; /* clocks of the launch; 0: without end */
};
struct burst_time {     /* DRAM clocks */
    double service;     /* per burst with the deepest queue, all losses included */
    double data;        /* of it, the time that the data bus is busy */
    double latency;     /* mean latency of a read without a queue: command to last beat */
    double column;      /* of it, the part after the row is open */
    double open;        /* of it, the time to open the row */
    double after_write; /* from a write command to a read command */
    double conflict;    /* mean wait for the bank to finish another row */
    double c;           /* (1 + squared coefficient of variation of the service) / 2 */
    double row_hits;    /* per burst */
};
void burst_time_find(struct burst_time *b, const struct row_locality *r,
                     const struct dram_params *d, const struct dram_load *load);
