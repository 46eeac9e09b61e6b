/* register_use.h - what a profile says of a launch's registers: which are accessed, by whom, and
 * how soon after they were written. Nothing in it depends on a machine's register file; operands
 * are those of gpu/geometry/register_map.h.
 *
 * Distances are instructions of the same warp. A loaded value counts from its first use, before
 * which its warp has waited for it. Counts are over the whole launch. */
#pragma once

#include "trace/stream/inst.h"

enum { PROFILE_CLASSES = OP_N };

enum {
    REGISTER_NUMBERS = 256, /* registers are counted by their numbers modulo this */
    REGISTER_APART = 64     /* what is farther apart finds its value in a bank */
};

struct register_use {
    double registers; /* per lane */
    double accessed[REGISTER_NUMBERS];
    double reads[PROFILE_CLASSES], writes[PROFILE_CLASSES]; /* warp registers */
    double readers[PROFILE_CLASSES];                        /* instructions that read some */
    /* reads of a register that was written so many instructions before, by an arithmetic unit or
     * from shared memory; by a load */
    double made_before[REGISTER_APART], loaded_before[REGISTER_APART];
    double written_before[REGISTER_APART]; /* the same of writes, whoever wrote last */
};
