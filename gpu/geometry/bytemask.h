/* bytemask.h - masks of up to 128 bytes in two words: bit i of word i / 64 = byte i. */
#pragma once

#include <stdint.h>

/* Moves every byte `by` places up (to higher addresses); what passes byte 127 is lost. */
static inline void bytemask_up(const uint64_t in[2], uint32_t by, uint64_t out[2])
{
    uint64_t low = in[0], high = in[1];
    out[0] = by < 64 ? low << by : 0;
    out[1] = by >= 64 ? low << (by - 64) : high << by | (by ? low >> (64 - by) : 0);
}

/* Moves every byte `by` places down and keeps the first `n`. */
static inline void bytemask_part(const uint64_t in[2], uint32_t by, uint32_t n, uint64_t out[2])
{
    uint64_t low = in[0], high = in[1];
    out[0] = by >= 64 ? high >> (by - 64) : low >> by | (by ? high << (64 - by) : 0);
    out[1] = by >= 64 ? 0 : high >> by;
    if (n < 64) out[0] &= (UINT64_C(1) << n) - 1;
    if (n <= 64)
        out[1] = 0;
    else if (n < 128)
        out[1] &= (UINT64_C(1) << (n - 64)) - 1;
}

/* The first n bytes. */
static inline void bytemask_first(uint32_t n, uint64_t out[2])
{
    const uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
    bytemask_part(all, 0, n, out);
}
