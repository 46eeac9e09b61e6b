/* term.h - a term of the estimate: one idea of how a machine serves a launch, which fills in parts
 * of struct launch_model.
 *
 * Terms are listed once, in the order in which they work (estimator/model/term_list.c). A term
 * reads parts that an earlier one has written; what it reads of a later one is the last solution's,
 * and its stage is then one of those of the fixed point. tests/unit/estimator/terms.c checks that
 * what a term says it reads and writes is so. */
#pragma once

#include "estimator/launch/launch_model.h"
#include "gpu/mechanisms/mechanisms.h"

enum term_stage {
    TERM_TRAFFIC,  /* once for a launch: from the profile */
    TERM_ROUND,    /* once for a phase of it */
    TERM_STATIONS, /* in each pass of the fixed point: the network */
    TERM_WAVE,     /* ... its solution: how long the CTAs side by side take */
    TERM_LOAD,     /* ... what the solution tells the next pass */
    TERM_LAUNCH    /* once: beginning and end of the launch */
};

/* Parts that terms read and write: X(ID, member of struct launch_model). The input is read by all.
 */
#define LAUNCH_PARTS(X)     \
    X(LEVELS, levels)       \
    X(SAMPLED, sampled)     \
    X(ROWS, rows)           \
    X(SPREAD, spread)       \
    X(HOT, hot)             \
    X(CROSSBAR, crossbar)   \
    X(LINES, lines)         \
    X(LINKS, links)         \
    X(ROUND, r)             \
    X(FIRST, first)         \
    X(LATENCY, latency)     \
    X(MEMORY, memory)       \
    X(SECOND, second)       \
    X(L2_MISS, l2_miss)     \
    X(INCLUSION, inclusion) \
    X(REGISTERS, registers) \
    X(TLB, tlb)             \
    X(CPU, cpu)             \
    X(MERGES, merges)       \
    X(NACKS, nacks)         \
    X(DELAYS, delays)       \
    X(WAVE, wave)           \
    X(STATIONS, net)        \
    X(RESULT, result)       \
    X(CYCLES, cycles)
#define LAUNCH_PART(id, member) LAUNCH_##id,
enum launch_part { LAUNCH_PARTS(LAUNCH_PART) LAUNCH_PART_N };
#undef LAUNCH_PART

/* What a pass of the fixed point hands on to the next: a term of one may read these parts before a
 * later term of the same pass writes them. */
#define LAUNCH_HANDED_ON                                                                     \
    (1u << LAUNCH_ROUND | 1u << LAUNCH_MERGES | 1u << LAUNCH_NACKS | 1u << LAUNCH_STATIONS | \
     1u << LAUNCH_RESULT)

enum { TERM_NEEDED = 1 << 8 }; /* no estimate without it, so that it cannot be left out */

struct term {
    const char *name;
    uint32_t stages;             /* bits of enum term_stage, and TERM_NEEDED */
    enum mechanism_id mechanism; /* MECHANISM_N: none that machines may lack */
    void (*find)(struct launch_model *m);
    uint32_t reads, writes; /* bits of enum launch_part */
};
