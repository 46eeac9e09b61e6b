/* follows.h - is what the estimate says of a change worth having?
 *
 * Both engines say by what factor a change moves a figure.  The estimate follows the cycle model if
 * it is nearer to that factor than a model that leaves the change out, which says 1: less than
 * twice as much and in the same direction, on the scale of logarithms, on which it does not matter
 * which of the two machines comes first. */
#pragma once

#include <math.h>
#include <stdbool.h>

static inline bool follows(double simulated, double estimated)
{
    return fabs(log(estimated / simulated)) < fabs(log(simulated));
}
