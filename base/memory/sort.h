/* sort.h - sorts numbers in ascending order; NaN is not allowed. */
#pragma once

#include <stdlib.h>

static inline int sort_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_doubles(double *v, size_t n)
{
    qsort(v, n, sizeof *v, sort_ascending);
}
