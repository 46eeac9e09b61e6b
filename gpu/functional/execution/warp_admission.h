/* warp_admission.h - the warp schedulers and throttles of the SMs of a functional pass.
 *
 * The pass uses the cycle model's own policies (gpu/policies/admission.h) and reports to them the
 * same events as far as it knows them. Warps have the names of the cycle model (sub-core * 64 +
 * slot), so that an interval takes over the policies' state unchanged.
 *
 * Memory: warp_admission_new allocates. */
#pragma once

#include "base/error.h"
#include "gpu/policies/admission.h"

struct functional;
struct serializer;

/* Of one SM. */
struct warp_admission {
    struct admission policies;
    struct admission_subcore core[SM_MAX_SUBCORES];
    uint64_t issued;
};

/* For that many SMs; l1_blocks: lines of an L1. NULL: no memory. */
struct warp_admission *warp_admission_new(const struct sm_params *p, uint32_t l1_blocks,
                                          uint32_t sms);
void warp_admission_free(struct warp_admission *a, uint32_t sms);
bool warp_admission_restart(struct functional *w); /* as new; false: no memory */
/* Begins a launch that leaves each L1 that many lines. */
void warp_admission_launch(struct functional *w, uint32_t l1_blocks);
/* `warp` is an index into functional.clock. */
void warp_admission_add_warp(struct functional *w, size_t warp);
bool warp_admission_serialize(struct functional *w, struct serializer *t); /* false: no memory */
/* Saves the state of the policies of all SMs, as sim_interval.c reads it. */
bool warp_admission_save(const struct functional *w, struct serializer *t);
