/* popcount.h - counting bits without a call: plain x86-64 has no instruction for it. */
#pragma once

#include <stdint.h>

static inline uint32_t popcount(uint64_t v)
{
    v -= v >> 1 & 0x5555555555555555u; /* in pairs, then fours, then bytes, then all */
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)(v * 0x0101010101010101u >> 56);
}
