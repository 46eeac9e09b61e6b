/* l2_handle.h - names what waits in an L2 slice for the memory, for L1s or for time: an MSHR entry
 * (whose victim leaves its line, or whose block is fetched), or a part of a side structure.
 *
 * Memory, directories and queues carry a handle as one number; l2_handle_pack and l2_handle_unpack
 * are the only two places that know how. MSHR_NONE is the handle of nobody. */
#pragma once

#include "gpu/mechanisms/l2_mechanisms.h"

#include <stdbool.h>
#include <stdint.h>

#define L2_SIDE_ID(name, ...) L2_OF_##name,
/* Whose the number of a handle is. */
enum l2_holder {
    L2_OF_MSHR,
    L2_MECHANISMS(L2_SIDE_ID, ) L2_HOLDERS,
    L2_OF_REQUEST = L2_HOLDERS /* a request that waits for the level below: no structure's */
};

struct l2_handle {
    enum l2_holder holder;
    uint32_t i; /* the MSHR entry, the request, or a number of the structure's own */
};

enum { L2_HANDLE_BITS = 28 }; /* of the number */
_Static_assert(L2_OF_REQUEST < 15, "MSHR_NONE is no holder's");

static inline uint32_t l2_handle_pack(struct l2_handle h)
{
    return (uint32_t)h.holder << L2_HANDLE_BITS | h.i;
}
static inline struct l2_handle l2_handle_unpack(uint32_t packed)
{
    return (struct l2_handle){(enum l2_holder)(packed >> L2_HANDLE_BITS),
                              packed & ((1u << L2_HANDLE_BITS) - 1)};
}
static inline bool l2_handle_is_mshr(uint32_t packed)
{
    return packed >> L2_HANDLE_BITS == L2_OF_MSHR;
}
static inline struct l2_handle l2_handle_mshr(uint32_t entry)
{
    return (struct l2_handle){L2_OF_MSHR, entry};
}
