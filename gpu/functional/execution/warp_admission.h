/* warp_admission.h - which warps of an SM a functional pass lets go on, by the policies of the
 * machine.
 *
 * The cycle model's own policies (gpu/policies/sched.h, throttle.h), told what they are told there
 * as far as a pass knows it, under the names that the cycle model gives warps (sub-core * 64 +
 * slot): what they have learned goes over into an interval as it is.  Machines whose schedulers
 * look at all warps (lrr, gto) and hold none back have nothing of this.
 *
 * A warp is runnable unless its next instruction waits beyond the quantum, at a barrier, or before
 * the L1's door.
 *
 * Memory: walk_govern_init and _enter allocate. */
#ifndef PLUMB_GPU_FUNCTIONAL_EXECUTION_WARP_ADMISSION_H
#define PLUMB_GPU_FUNCTIONAL_EXECUTION_WARP_ADMISSION_H

#include "base/error.h"
#include "gpu/policies/sched.h"
#include "gpu/policies/throttle.h"

struct walk;
struct tape;

/* Of a sub-core's slots. */
struct walk_core {
    uint64_t resident, age[64], cta[64];
    uint32_t cta_slot[64];
    uint32_t warp[64]; /* number in walk.clock */
};

struct walk_govern {
    struct sched sched[THROTTLE_SUBCORES];
    struct walk_core core[THROTTLE_SUBCORES];
    uint64_t issued;
};

bool walk_governs(const struct sm_params *p); /* whether a machine's pass has these */
bool walk_govern_init(struct walk *w);        /* false: no memory */
void walk_govern_fini(struct walk *w);
bool walk_govern_enter(struct walk *w); /* room for a launch's names; false: no memory */
void walk_govern_launch(struct walk *w);
/* Warps by their number in walk.clock. */
void walk_govern_born(struct walk *w, uint32_t sm, size_t warp);
void walk_govern_ended(struct walk *w, size_t warp);
void walk_govern_stale(struct walk *w, uint32_t sm); /* at a barrier, or no more */
/* A warp that has come to this instruction may not issue it now. */
bool walk_govern_keeps(const struct walk *w, uint32_t sm, size_t warp, uint8_t cls);
/* One quantum of a sub-core. */
bool walk_govern_step(struct walk *w, uint32_t sm, uint32_t k, struct error *e);
bool walk_govern_tape(struct walk *w, struct tape *t); /* false: no memory */
/* What the policies of all SMs know, as sim_interval.c reads it. */
bool walk_govern_save(const struct walk *w, struct tape *t);

#endif
