/* math_util.h - small functions that every formula here uses. */
#pragma once

#include "estimator/constants.h"

#include <math.h>

static inline double math_larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double math_smaller(double a, double b)
{
    return a < b ? a : b;
}
static inline double math_over(double a, double b) /* 0 if b is 0 */
{
    return b > 0 ? a / b : 0;
}
/* Near the smaller of both where they are far apart, below it where they are not. */
static inline double math_soft_smaller(double a, double b)
{
    double ratio = a / b, power = ratio;
    for (int i = 1; i < SOFT_POWER; i++)
        power *= ratio;
    return a / pow(1 + power, 1.0 / SOFT_POWER);
}
