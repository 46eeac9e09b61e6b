/* bounded_warming.h - functional warming of bounded length, for programs too long to be walked
 * whole.
 *
 * A walk that begins with empty caches not far before a moment leaves there what one from the
 * program's beginning leaves, once it has filled the L2, or has brought in what the program keeps
 * there.  How far before is measured: from the middle of the launch a walk goes on until the number
 * of the L2's lines in use has stopped growing (by less than WARMING_GROWTH of the L2 over the
 * second half of the way), and over WARMING_WAVES waves of CTAs at least, in which warps fall out
 * of step as they do from a launch's beginning on.
 *
 * What no walk of bounded length leaves is an order of events that takes long to come about: CTAs
 * of a transposition that find in the L2 what others have just stored fall into step with them,
 * over dozens of waves, or SMs that fall out of step, so that what each asks of the memory lies in
 * other rows.  So the walk goes on for a while.  Where its clock does not stay as fast as it is,
 * walks are longer, up to where it does; where that is too long, or the share of hits in the L2
 * does not stay, the program is walked whole.
 *
 * Where a walk can begin: before a launch, or, in launches of WARMING_INSIDE waves and more, before
 * any wave of CTAs: those before it count as done, and its CTAs begin together.  What a walk leaves
 * depends on the moment alone, so that moments can be walked to in any order, side by side.
 *
 * Units: warp instructions from the program's beginning.
 * Source: bounded functional warming after Haskins & Skadron 2003 (MRRL), Wood et al. 1991 (what
 * empty lines leave unknown). */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_BOUNDED_WARMING_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_BOUNDED_WARMING_H

#include "gpu/functional/execution/functional.h"

#include <threads.h>

struct bounded_warming {
    const struct functional *functional; /* whose machine it is */
    const struct program *p;
    uint64_t *before;  /* [launches + 1] instructions before each launch, and of all */
    uint32_t *command; /* [launches] the first command behind the launch before it */
    uint64_t *length;  /* [launches] of the walk before moments in it; 0: not known yet */
    mtx_t lock;        /* of length, settled, serves */
    bool settled;      /* serves is known, */
    bool failed;       /* or cannot be: error says why */
    struct error error;
    bool serves; /* no launch without a beginning inside is a large part of the program, and the
                    others come to rest */
};

/* To be undone with bounded_warming_fini even if it fails; w stays the caller's, and must outlive
 * s. */
bool bounded_warming_init(struct bounded_warming *s, const struct functional *w, struct error *e);
void bounded_warming_fini(struct bounded_warming *s);
/* Finds out whether they serve, if that is not known yet; for each thread before it asks.  Walks a
 * sixteenth of the launches that can be begun inside, to twice that; a failure stays. */
bool bounded_warming_settle(struct bounded_warming *s, struct error *e);
/* Where the walk to a moment begins: many moments have one beginning. */
struct beginning {
    uint32_t launch;
    uint64_t cta;
};
/* Puts a walk at the moment.  *from: where it last began, if it did and has only gone on since; it
 * then goes on again where it can.  launch = UINT32_MAX: nowhere. */
bool bounded_warming_run_to(struct bounded_warming *s, struct functional *w, struct beginning *from,
                            uint64_t moment, struct error *e);

#endif
