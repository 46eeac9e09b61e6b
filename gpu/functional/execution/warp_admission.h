/* warp_admission.h - the warp schedulers and throttles of an SM in a functional pass.
 *
 * The pass uses the cycle model's own policies (gpu/policies/sched.h, throttle.h) and reports to
 * them the same events as far as it knows them. Warps have the numbers of the cycle model (sub-core
 * * 64 + slot), so that an interval takes over the policies' state unchanged. Machines whose
 * schedulers consider all warps (lrr, gto) and that throttle none need none of this.
 *
 * A warp is runnable unless its next instruction waits beyond the quantum, at a barrier, or for the
 * L1's input queue.
 *
 * Memory: warp_admission_init and _enter_launch allocate. */
#pragma once

#include "base/error.h"
#include "gpu/policies/sched.h"
#include "gpu/policies/throttle.h"

struct functional;
struct serializer;

/* The warp slots of a sub-core. */
struct admission_core {
    uint64_t resident, age[64], cta[64];
    uint32_t cta_slot[64];
    uint32_t warp[64]; /* index into functional.clock */
};

struct warp_admission {
    struct sched sched[THROTTLE_SUBCORES];
    struct admission_core core[THROTTLE_SUBCORES];
    uint64_t issued;
};

bool warp_admission_init(struct functional *w); /* false: no memory */
void warp_admission_fini(struct functional *w);
/* Allocates the warp names of a launch; false: no memory. */
bool warp_admission_enter_launch(struct functional *w);
void warp_admission_begin_launch(struct functional *w);
/* `warp` is an index into functional.clock. */
void warp_admission_add_warp(struct functional *w, uint32_t sm, size_t warp);
void warp_admission_end_warp(struct functional *w, size_t warp);
/* Makes the throttle choose its warps anew: one of them reached or left a barrier. */
void warp_admission_invalidate(struct functional *w, uint32_t sm);
/* Whether a policy keeps the warp from issuing an instruction of class `cls` now. */
bool warp_admission_holds_back(const struct functional *w, uint32_t sm, size_t warp, uint8_t cls);
/* Runs sub-core k of the SM for one quantum. */
bool warp_admission_step(struct functional *w, uint32_t sm, uint32_t k, struct error *e);
bool warp_admission_serialize(struct functional *w, struct serializer *t); /* false: no memory */
/* Saves the state of the policies of all SMs, as sim_interval.c reads it. */
bool warp_admission_save(const struct functional *w, struct serializer *t);
