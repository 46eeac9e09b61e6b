/* sheet.h - a machine file for a card that nobody has measured, from its data sheet and a card that
 * is like it.
 *
 * What the data sheet says is set; what follows from it is derived by stated rules: the clocks of
 * network and L2 keep their ratio to the core's, the memory's times stay what they are in ns, the
 * slices of an L2 keep their number per channel as nearly as its capacity allows, within a factor
 * of two, and a number that is no power of two has a rule that deals to any.  Of a base and a boost
 * clock the geometric mean is taken: it is equally far from both.  What streams reach, which no
 * data sheet says, sets the share of its peak that the memory delivers.  All else is that of the
 * other card, with its grade of evidence.  What the data sheet says besides (bandwidth, FLOP/s,
 * capacity) is compared with what follows, and what looks like a mistake is named. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"

/* Numbers: 0: not said, the other card's. */
struct card_sheet {
    const char *name, *like; /* like: a preset or a machine file */
    double sms, core_mhz;    /* core_mhz: the boost clock */
    double base_mhz;         /* the clock that is held within the power limit, whatever runs */
    double l2_mb;
    double l1_kb;       /* of an SM: with shared_kb the L1 alone, else L1 and shared memory */
    double shared_kb;   /* of an SM, apart from the L1 */
    const char *memory; /* "gddr6:12x16gbit@18": kind, channels of so many Gbit, Gb/s of a pin;
                           NULL: not said */
    double stream_gbps; /* what streams were measured to reach of the memory */
    /* To compare; of tflops and matrix_tflops (dense), half or twice the other card's rate of an SM
     * is set, too. */
    double gbps, tflops, matrix_tflops, memory_gb;
};

struct card_made {
    struct text file;   /* the machine file */
    struct text report; /* what follows from the data sheet, beside what it says; what is inherited;
                           lines that begin with "warning: " name what looks wrong */
};
/* false: *all says what is wrong.  The caller calls card_made_fini in either case. */
bool card_sheet_make(const struct card_sheet *s, struct card_made *out, struct errors *all);
void card_made_fini(struct card_made *m);
