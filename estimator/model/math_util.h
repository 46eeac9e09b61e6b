/* math_util.h - three small functions that every formula here uses. */
#ifndef PLUMB_ESTIMATOR_MODEL_MATH_UTIL_H
#define PLUMB_ESTIMATOR_MODEL_MATH_UTIL_H

static inline double math_larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double math_smaller(double a, double b)
{
    return a < b ? a : b;
}
static inline double math_over(double a, double b) /* 0 where b is */
{
    return b > 0 ? a / b : 0;
}

#endif
