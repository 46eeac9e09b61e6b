/* rmws_circuit.h - the scheduling score of racetrack-aware warp scheduling as its circuit computes
 * it, beside which the cycle model's farthest distance is tested. A location in a port's segment
 * becomes a word whose highest bits are ones (equation 3.4); the exclusive or of two such words has
 * as many ones as the bits between them, which are moved to the bottom (the normalised bit
 * distance); and the or of the distances of an instruction's operands has those of the farthest
 * one, its score. Scores compare as numbers, which finds what the scan of columns finds: the row
 * with the fewest ones.
 *
 * Bits of a segment: 1 to 64. Source: Mao 3.3.2, figure 8. */
#pragma once

#include <stdint.h>

/* BML_pp: `bit` + 1 ones at the top of a word of `segment` bits. Precondition: bit < segment. */
static inline uint64_t rmws_preprocessed(uint32_t bit, uint32_t segment)
{
    uint64_t below = segment - bit - 1, all = UINT64_MAX >> (64 - segment);
    return all & ~((UINT64_C(1) << below) - 1);
}

/* The normalised bit distance of two preprocessed locations: as many ones as the bits between. */
static inline uint64_t rmws_distance(uint64_t a, uint64_t b)
{
    uint64_t between = a ^ b;
    return between ? between >> __builtin_ctzll(between) : 0;
}
