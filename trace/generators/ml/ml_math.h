/* ml_math.h - what the functions of machine-learning operators cost in instructions, and code for
 * them. The counts are those of the fast path of each function as nvcc 13.0 compiles it for compute
 * capability 8.0 without fast-math options, per element, read off the binary code of kernels that
 * apply it to a float4 (7.5 differs by moves only). */
#pragma once

#include "trace/generators/nest.h"

/* Instructions by unit: floats, whole numbers and moves, special functions and conversions,
 * branches with the synchronization around them. */
struct ml_cost {
    uint32_t fp32, int32, sfu, branch;
};

extern const struct ml_cost ml_exp, /* of a difference */
    ml_divide, ml_reciprocal_root,  /* of a sum */
    ml_welford, ml_combine;         /* a value into a mean and variance; two of these into one */

static inline uint32_t ml_cost_sum(const struct ml_cost *c)
{
    return c->fp32 + c->int32 + c->sfu + c->branch;
}
/* What is added for each element that is read or written as 16 bits: a conversion. */
struct ml_cost ml_cost_with(struct ml_cost c, uint32_t fp32);

/* Adds the function of `elements` elements whose results are the registers from dst on: its
 * instructions by turns for each element, each on the one before; the first also reads a and,
 * unless it is REG_NONE, b. */
void ml_add_function(struct generator *g, const struct ml_cost *c, uint32_t elements, uint16_t dst,
                     uint16_t a, uint16_t b);

/* The types of elements. */
enum ml_type { ML_FP32, ML_FP16, ML_BF16 };
extern const char *const ml_type_names[];
uint32_t ml_type_bytes(int64_t type);
