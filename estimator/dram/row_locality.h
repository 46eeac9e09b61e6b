/* row_locality.h - what a memory channel does with a stream: rows, banks, unequal load, time per
 * burst.
 *
 * Taken from the address samples, cut down to what misses in this machine's L1 and L2, under the
 * machine's own address map.  A channel that sees q requests serves those of one row together: new
 * rows among q consecutive requests, the rows left open by the q before counted as open.
 *
 * The first request that a block of the sample sends to a bank says nothing.  Write-backs stand
 * among the reads where reads and writes share a queue.
 *
 * Time per burst, with a full queue: the slowest of the data bus and column commands, of activates
 * (tRRD, tFAW), and of the busiest bank (its rows one after the other), softly joined; then
 * turn-arounds between reads and writes; over the share of time without refresh.  n rows that
 * choose among b banks are a closed network of b equal queues: its busiest server is busy (n + b -
 * 1) / n times as long as an even share.  Row hits and the latency without a queue are those at the
 * depth that the queue really has. Source: reference modelling notes D2 (FR-FCFS). */
#ifndef PLUMB_ESTIMATOR_DRAM_ROW_LOCALITY_H
#define PLUMB_ESTIMATOR_DRAM_ROW_LOCALITY_H

#include "estimator/profile/profile_data.h"
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/dram.h"

enum { ROW_DEPTHS = 3, LOAD_WINDOWS = 3 };

struct row_locality {
    /* at queue depths 2, 16, 128: row hits per burst; banks that new rows choose among, as often as
     * two of them meet in one */
    double hit[ROW_DEPTHS], banks[ROW_DEPTHS];
    double service[ROW_DEPTHS]; /* clocks per burst of a channel that never runs dry */
    double run;                 /* bursts of reads that come together, as neighbours */
    /* hottest channel over the mean among 32, 256, 2048 accesses one after the other; what chance
     * alone would give is taken out */
    double hottest[LOAD_WINDOWS];
    /* of the channels, the share among which as many accesses would choose at random to reach as
     * many different ones as they do */
    double among[LOAD_WINDOWS];
};
struct row_stream {            /* what of a sample goes to memory */
    double l1_lines, l2_lines; /* accesses with stack distances from these capacities on */
    double bursts_per_sector;
    double writebacks;            /* among what takes a line, each */
    bool stores_fetch, stores_go; /* that miss: read their lines; are written at once */
    bool hits_go;                 /* stores that hit are written at once, too */
    double again;      /* of them those that hit too soon to be in the sample, per store in it */
    uint64_t behind;   /* bytes: what a stream pushes out lies one L2 behind it */
    uint64_t together; /* bytes whose reads and write-backs go one after the other */
};
void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       const struct dram_params *d, const struct row_stream *f);
/* Blocks are few and short: a load that keeps to some channels for longer than a block lasts is
 * seen in the sample that is spread over the launch.  each: accesses that one of it stands for.  A
 * load is at least as uneven in a window as in the longer ones that the sample can tell. */
void row_locality_over_time(struct row_locality *r, const struct spread_sample *s, double each,
                            const struct map *map, const struct row_stream *f);
/* Queues that the load acts like: all when it is even, fewer when some are hot.  Over the whole
 * launch: loads that wander from queue to queue in step get out of step at the queues themselves.
 */
double row_locality_even_slices(const struct spread_sample *s, const struct map *map,
                                double l1_lines);
double row_locality_even_channels(const struct spread_sample *s, const struct map *map,
                                  double l1_lines, double l2_lines);

/* Both where so many accesses come together. */
double row_locality_hottest(const struct row_locality *r, double together);
double row_locality_among(const struct row_locality *r, double together);

/* What is known at the queue depths of struct row_locality, at any depth (by its logarithm). */
double row_locality_at(const double v[ROW_DEPTHS], double depth);

struct dram_load {
    double rate;   /* bursts per clock that a channel gets */
    double depth;  /* requests that its scheduler sees on average, */
    double most;   /* at most, by what the L2 lets through, */
    double room;   /* and by its queue; all >= 1 */
    double writes; /* share of bursts */
};
struct burst_time {     /* DRAM clocks */
    double service;     /* per burst with as many requests as there can be, all losses in */
    double data;        /* of them the data bus is busy */
    double latency;     /* read without a queue: command to last beat, mean */
    double column;      /* of it, what follows when the row is open */
    double open;        /* of it, what opening the row takes */
    double after_write; /* from a write command to a read's */
    double conflict;    /* mean wait for one's bank to finish another row */
    double c;           /* (1 + squared coefficient of variation of the service) / 2 */
    double row_hits;    /* per burst */
};
void burst_time_find(struct burst_time *b, const struct row_locality *r,
                     const struct dram_params *d, const struct dram_load *load);

#endif
