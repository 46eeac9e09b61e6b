/* libm.h - which functions of the device library are calls of libm, and which of the runtime. */
#pragma once

#define LIBM_UNARY(F)                                                                          \
    F(acos)                                                                                    \
    F(acosh)                                                                                   \
    F(asin) F(asinh) F(atan) F(atanh) F(cbrt) F(cos) F(cosh) F(erf) F(erfc) F(exp) F(exp2)     \
        F(expm1) F(j0) F(j1) F(lgamma) F(log) F(log10) F(log1p) F(log2) F(logb) F(sin) F(sinh) \
            F(tan) F(tanh) F(tgamma) F(y0) F(y1)
#define LIBM_BINARY(F) F(atan2) F(fmod) F(nextafter) F(pow) F(remainder)
#define LIBM_OURS(F) F(rsqrt) F(rcbrt) F(sinpi) F(cospi) F(exp10)

#define DECLARE1(name)                          \
    __attribute__((const)) double name(double); \
    __attribute__((const)) float name##f(float);
#define DECLARE2(name)                                  \
    __attribute__((const)) double name(double, double); \
    __attribute__((const)) float name##f(float, float);
#define DECLARE_OURS(name) DECLARE1(plumb_##name)
LIBM_UNARY(DECLARE1)
LIBM_BINARY(DECLARE2)
LIBM_OURS(DECLARE_OURS)
DECLARE2(hypot)
__attribute__((const)) double ldexp(double, int);
__attribute__((const)) float ldexpf(float, int);
__attribute__((const)) int ilogb(double);
__attribute__((const)) int ilogbf(float);
__attribute__((const)) float plumb_fast_sinf(float);
__attribute__((const)) float plumb_fast_cosf(float);
__attribute__((const)) float plumb_fast_log2f(float);
__attribute__((const)) float plumb_fast_exp2f(float);
__attribute__((const)) float plumb_fast_rcpf(float);
