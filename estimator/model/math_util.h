/* math_util.h - three small functions that all formulas of the estimator use. */
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
static inline double math_over(double a, double b) /* 0 if b is 0 */
{
    return b > 0 ? a / b : 0;
}

#endif
