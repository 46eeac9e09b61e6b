/* private_memory.h - where a lane's private memory lies (OpenCL's private arrays, CUDA's local
 * memory), the same in captures and in traces.
 *
 * Words of 4 bytes of the lanes of a warp lie side by side, so that lanes that access the same
 * place of theirs access neighbours. An aligned access of 8 or 16 bytes takes as many bytes of as
 * many lanes side by side, which are the same ones where all lanes access the same place. A warp's
 * words lie one behind the other, and the warps' frames likewise; those of PRIVATE_WARPS warps have
 * places of their own, which later warps use again as they do on a GPU, whose local memory belongs
 * to resident warps. Source: CUDA C++ Programming Guide, "Local Memory". */
#pragma once

#include <stdint.h>

enum { PRIVATE_WORD = 4, PRIVATE_WARPS = 2048, PRIVATE_ALIGN = 16 };
#define PRIVATE_START (UINT64_C(1) << 40)

/* The piece of a lane that lies beside the other lanes'. The part of an access that begins n
 * bytes into it, a multiple of 16, lies n times the lanes behind its beginning. */
static inline uint64_t private_step(uint64_t offset, uint64_t width)
{
    if (width > 8 && offset % 16 == 0) return 16;
    return width > 4 && offset % 8 == 0 ? 8 : PRIVATE_WORD;
}

/* The address of byte `offset` of a lane. bytes: a lane's memory, a multiple of PRIVATE_ALIGN above
 * offset; warp: counted over the launch. */
static inline uint64_t private_address(uint64_t bytes, uint32_t lanes, uint64_t warp, uint32_t lane,
                                       uint64_t offset, uint64_t width)
{
    uint64_t step = private_step(offset, width), frame = warp % PRIVATE_WARPS * bytes * lanes;
    return PRIVATE_START + frame + (offset / step * lanes + lane) * step + offset % step;
}

/* The offset to which such an address belongs, of an access that is aligned to its width. */
static inline uint64_t private_offset(uint64_t bytes, uint32_t lanes, uint64_t address,
                                      uint64_t width)
{
    uint64_t step = private_step(0, width), at = (address - PRIVATE_START) % (bytes * lanes);
    return at / (step * lanes) * step + at % step;
}
