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
 * Memory: warp_admission_init and _enter allocate. */
#ifndef PLUMB_GPU_FUNCTIONAL_EXECUTION_WARP_ADMISSION_H
#define PLUMB_GPU_FUNCTIONAL_EXECUTION_WARP_ADMISSION_H

#include "base/error.h"
#include "gpu/policies/sched.h"
#include "gpu/policies/throttle.h"

struct functional;
struct serializer;

/* Of a sub-core's slots. */
struct admission_core {
    uint64_t resident, age[64], cta[64];
    uint32_t cta_slot[64];
    uint32_t warp[64]; /* number in walk.clock */
};

struct warp_admission {
    struct sched sched[THROTTLE_SUBCORES];
    struct admission_core core[THROTTLE_SUBCORES];
    uint64_t issued;
};

bool warp_admission_init(struct functional *w); /* false: no memory */
void warp_admission_fini(struct functional *w);
bool warp_admission_enter_launch(
    struct functional *w); /* room for a launch's names; false: no memory */
void warp_admission_begin_launch(struct functional *w);
/* Warps by their number in walk.clock. */
void warp_admission_add_warp(struct functional *w, uint32_t sm, size_t warp);
void warp_admission_end_warp(struct functional *w, size_t warp);
void warp_admission_invalidate(struct functional *w, uint32_t sm); /* at a barrier, or no more */
/* A warp that has come to this instruction may not issue it now. */
bool warp_admission_holds_back(const struct functional *w, uint32_t sm, size_t warp, uint8_t cls);
/* One quantum of a sub-core. */
bool warp_admission_step(struct functional *w, uint32_t sm, uint32_t k, struct error *e);
bool warp_admission_serialize(struct functional *w, struct serializer *t); /* false: no memory */
/* What the policies of all SMs know, as sim_interval.c reads it. */
bool warp_admission_save(const struct functional *w, struct serializer *t);

#endif
