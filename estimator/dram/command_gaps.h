/* command_gaps.h - clocks that must lie between the commands of a DRAM. */
#pragma once

#include "gpu/machine/params/dram/dram.h"

enum { READS, WRITES, DIRECTIONS };

struct command_gaps { /* clocks between two commands; s, l, o: same rank, same bank group, other
                         rank */
    uint32_t read_latency, write_latency, burst, act[DIRECTIONS], pre[DIRECTIONS];
    uint32_t same_s, same_l, same_o, to_write, to_read_s, to_read_l, to_read_o;
    uint32_t command, row_command; /* clocks that each takes on the command bus */
};

static inline uint32_t dram_later_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

struct command_gaps command_gaps_of(const struct dram_params *p);
