/* dram_reference.h - DRAMsim3's results (tests/data/dram/dramsim3.csv) row by row, and the same
 * requests through our model; shared by the comparison's test and bench. */
#pragma once

#include "base/io/file.h"
#include "detailed/dram/dram_driver.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <string.h>

#define DRAM_REFERENCE "tests/data/dram/dramsim3.csv"

/* DRAMsim3 needs two clocks more per request than the timing set: one from its queue to the bank's
 * and one to report. */
enum { REFERENCE_PIPELINE = 2, REFERENCE_COLUMNS = 24 };

/* A row. */
struct reference {
    char set[32], pattern[16];
    uint32_t gap, percycle;
    uint64_t requests, reads;
    double cycles, gbps, latency, read_hits, write_hits, activates, refreshes, pj_per_bit, rate;
};

/* Reads a row.  false: a comment or the head. */
bool reference_parse(const char *line, struct reference *r);

/* Row hits, in percent of reads and writes. */
double reference_hits(const struct reference *r);

/* Are requests taken as they come?  (Saturated queues fill to their depth, so that their latencies
 * compare only at equal depths.) */
bool reference_keeps_up(const struct reference *r);

/* Drives so many requests of the row's pattern through the set's channel; *p: its parameters. Exits
 * where it cannot. */
void reference_run(const struct reference *r, uint64_t requests, struct dram_params *p,
                   struct dram_result *out);
