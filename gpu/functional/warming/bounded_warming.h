/* bounded_warming.h - functional warming of bounded length, for programs that are too long for a
 * whole functional pass.
 *
 * A pass that begins with empty caches shortly before a moment leaves there the same state as one
 * from the program's beginning, once it has filled the L2 or has loaded what the program keeps
 * there. The length that this takes is measured: from the middle of the launch, a pass runs until
 * the number of valid L2 lines has stopped growing (by less than WARMING_GROWTH of the L2 over the
 * second half of the way), and over at least WARMING_WAVES waves of CTAs, in which warps drift
 * apart as they do after a launch's beginning.
 *
 * A pass of bounded length cannot reproduce an order of events that takes long to develop. For
 * example, CTAs that hit in the L2 on what other CTAs have just stored fall into step with these
 * over dozens of waves; or SMs drift apart, so that their requests to memory fall into different
 * rows. The measuring pass therefore runs on for a while. If its rate of instructions still
 * changes, passes are lengthened up to the point where it is constant. If that is too long, or if
 * the L2's hit rate still changes from there on, the whole program is executed functionally.
 *
 * A pass can begin before a launch or, in launches of WARMING_INSIDE waves and more, before any
 * wave of CTAs: the CTAs before the wave count as executed, and the wave's CTAs begin together. The
 * state at a moment depends on the moment alone, so that threads can visit moments in any order, in
 * parallel.
 *
 * Units: warp instructions from the program's beginning. Source: bounded functional warming after
 * Haskins & Skadron 2003 (MRRL), Wood et al. 1991 (the unknown state of empty lines). */
#pragma once

#include "gpu/functional/warming/warming_pass.h"

#include <threads.h>

struct bounded_warming {
    const struct warming_pass *pass; /* gives the machine; the caller owns it */
    const struct program *p;
    uint64_t *before;  /* [launches + 1] instructions before each launch; the last entry: of the
                          whole program */
    uint32_t *command; /* [launches] first command after the preceding launch */
    uint64_t *length;  /* [launches] length of the pass before a moment in the launch; 0: not
                          measured yet */
    mtx_t lock;        /* guards length, settled, serves */
    bool settled;      /* serves is known */
    bool failed;       /* measuring failed; error says why */
    struct error error;
    bool serves; /* bounded warming is usable: every launch has beginnings inside or is a small part
                    of the program, and those with beginnings reach a steady state */
};

/* Call bounded_warming_fini even if it fails. w stays the caller's and must outlive s. */
bool bounded_warming_init(struct bounded_warming *s, const struct warming_pass *w, struct error *e);
void bounded_warming_fini(struct bounded_warming *s);
/* Finds out whether bounded warming is usable (`serves`), if that is not known yet; every thread
 * calls it before it reads `serves`. Executes a sixteenth to an eighth of the longest launch of
 * every kernel that has launches with beginnings inside; a failure is final. */
bool bounded_warming_settle(struct bounded_warming *s, struct error *e);
/* The mean length of the passes to all moments of the program, 0 in launches without beginnings
 * inside.  Call it after bounded_warming_settle. */
double bounded_warming_mean_length(const struct bounded_warming *s);
/* Where the pass to a moment begins; many moments share one beginning. */
struct beginning {
    uint32_t launch;
    uint64_t cta;
};
/* Brings the pass *w to the moment. *from: where *w began, if it has only moved forward since; it
 * then continues where possible instead of beginning again. from->launch = UINT32_MAX: unknown. */
bool bounded_warming_run_to(struct bounded_warming *s, struct warming_pass *w,
                            struct beginning *from, uint64_t moment, struct error *e);
