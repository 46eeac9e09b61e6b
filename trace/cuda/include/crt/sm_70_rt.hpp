/* sm_70_rt.hpp - the warp's match functions, which clang's headers expect here. Source: CUDA C++
 * Programming Guide, "Warp Match Functions". */
#pragma once

#define PLUMB_MATCH(type, bits, as)                                                                \
    static inline __device__ unsigned int __match_any_sync(unsigned mask, type v)                  \
    {                                                                                              \
        return (unsigned)__match##bits##_any_sync(mask, as);                                       \
    }                                                                                              \
    static inline __device__ unsigned int __match_all_sync(unsigned mask, type v, int *same)       \
    {                                                                                              \
        return (unsigned)__match##bits##_all_sync(mask, as, same);                                 \
    }
PLUMB_MATCH(unsigned, 32, v)
PLUMB_MATCH(int, 32, (unsigned)v)
PLUMB_MATCH(float, 32, (unsigned)__float_as_int(v))
PLUMB_MATCH(unsigned long, 64, v)
PLUMB_MATCH(long, 64, (unsigned long long)v)
PLUMB_MATCH(unsigned long long, 64, v)
PLUMB_MATCH(long long, 64, (unsigned long long)v)
PLUMB_MATCH(double, 64, (unsigned long long)__double_as_longlong(v))
#undef PLUMB_MATCH
