/* hip_calls.c - HIP's functions of the warp, which have no masks: the lanes that are there take
 * part, of 32 or 64. Source: HIP C++ Kernel Language, "Warp Cross-Lane Functions". */
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/meet.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED uint64_t plumb_cuda_here(void);
EXPORTED uint32_t plumb_hip_shuffle(uint32_t mode, uint32_t value, uint32_t argument,
                                    uint32_t width);
EXPORTED uint32_t plumb_cuda_old_shuffle(uint32_t mode, uint32_t value, uint32_t argument,
                                         uint32_t bound);
EXPORTED uint64_t plumb_hip_vote(uint32_t kind, uint32_t value);

/* The lanes that come to where the running one is. */
uint64_t plumb_cuda_here(void)
{
    cta.running->kind = cta_now()->visit[-1];
    cta_wait(LANE_ACTIVE);
    return cta.running->result;
}

uint32_t plumb_cuda_old_shuffle(uint32_t mode, uint32_t value, uint32_t argument, uint32_t bound)
{
    uint64_t mask = plumb_cuda_here();
    cta.running->argument = argument;
    cta.running->bound = bound;
    return (uint32_t)meet_wait(MEET_SHUFFLE, mode, mask, value);
}

uint32_t plumb_hip_shuffle(uint32_t mode, uint32_t value, uint32_t argument, uint32_t width)
{
    bool up = mode == 1;
    return plumb_cuda_old_shuffle(mode, value, argument,
                                  (cta.width - width) << 8 | (up ? 0 : cta.width - 1));
}

uint64_t plumb_hip_vote(uint32_t kind, uint32_t value)
{
    return meet_wait(MEET_VOTE, kind, plumb_cuda_here(), value);
}
