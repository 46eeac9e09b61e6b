/* dram_service.h - what a memory channel does with a stream: rows, banks, unequal load, time per
 * burst.
 *
 * Taken from the address samples, cut down to what misses in this machine's L1 and L2, under the
 * machine's own address map.  A channel that sees q requests serves those of one row together: new
 * rows among q consecutive requests, the rows left open by the q before counted as open.
 *
 * Time per burst, with a full queue: the slowest of the data bus and column commands, of activates
 * (tRRD, tFAW), and of the busiest bank (its rows one after the other), softly joined; then
 * turn-arounds between reads and writes; over the share of time without refresh.  Row hits and the
 * unloaded latency are those at the depth that the queue really has. Source: reference modelling
 * notes D2 (FR-FCFS). */
#ifndef PLUMB_ESTIMATOR_DRAM_SERVICE_H
#define PLUMB_ESTIMATOR_DRAM_SERVICE_H

#include "estimator/profile_data.h"
#include "geometry/map.h"
#include "machine/dram.h"

enum { ROW_DEPTHS = 3 };

struct row_locality {
    /* at queue depths 1, 8, 64: row hits per burst; busy banks; rows of the busiest bank per burst
     */
    double hit[ROW_DEPTHS], banks[ROW_DEPTHS], serial[ROW_DEPTHS];
};
/* Accesses with stack distances from these capacities on (lines). */
void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       double l1_lines, double l2_lines, uint32_t bursts_per_sector, bool in_order);
/* Queues that the load acts like: all when it is even, fewer when some are hot.  Over the whole
 * launch: loads that wander from queue to queue in step get out of step at the queues themselves.
 */
double even_slices(const struct spread_sample *s, const struct map *map, double l1_lines);
double even_channels(const struct spread_sample *s, const struct map *map, double l1_lines,
                     double l2_lines);

struct burst_time {  /* DRAM clocks */
    double service;  /* per burst, all losses in */
    double data;     /* of them the data bus is busy */
    double latency;  /* unloaded read: command to last beat, mean */
    double open;     /* of it, what opening the row takes */
    double c;        /* (1 + squared coefficient of variation of the service) / 2 */
    double row_hits; /* per burst */
    double banks;    /* busy */
};
/* depth: requests that the scheduler sees on average, full: at most, both >= 1; writes: share of
 * bursts. */
void burst_time_find(struct burst_time *b, const struct row_locality *r,
                     const struct dram_params *d, double depth, double full, double writes);

#endif
