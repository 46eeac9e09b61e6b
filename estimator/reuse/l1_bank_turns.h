/* l1_bank_turns.h - the cycles in which the accesses of an SM enter an L1 whose data lie in banks.
 *
 * Accesses enter in order, `ports` sectors a cycle, until one finds its bank taken; it is the first
 * of the next cycle (as in detailed/l1/l1.c).  Which bank an address lies in is the L1's own
 * function, so that lanes a multiple of the banks apart take a cycle each. */
#pragma once

#include "estimator/profile/profile.h"

enum { BANK_TURNS_MOST = 64 }; /* banks */

struct l1_bank_turns {
    double cycles;                 /* so far */
    uint32_t taken;                /* ports of the present cycle */
    uint8_t used[BANK_TURNS_MOST]; /* ports of each bank in it */
};

/* Enters the sectors of mask in that line of the view's L1, whose banks are more than one. */
void l1_bank_turns_enter(struct l1_bank_turns *t, const struct profile_view *v, uint64_t line,
                         uint32_t mask);
