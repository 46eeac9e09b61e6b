/* libdevice.c - the functions that clang's CUDA headers expect of a device library (__nv_*).
 *
 * Compiled to LLVM's bitcode for NVPTX; clang links what a program uses into its device code. What
 * a GPU does in one or a few instructions is written out here. The others are calls of the host's
 * libm or of the runtime (plumb_*): costs.c says what each would cost a GPU. Functions that are not
 * here are refused by their name when the program is compiled.
 *
 * Source of names and meanings: NVIDIA, Libdevice User's Guide, section 3. */
#include "trace/cuda/libdevice/libm.h"

/* --- unary and binary functions of libm, double and float --- */

#define UNARY(name)               \
    double __nv_##name(double a)  \
    {                             \
        return name(a);           \
    }                             \
    float __nv_##name##f(float a) \
    {                             \
        return name##f(a);        \
    }
#define BINARY(name)                       \
    double __nv_##name(double a, double b) \
    {                                      \
        return name(a, b);                 \
    }                                      \
    float __nv_##name##f(float a, float b) \
    {                                      \
        return name##f(a, b);              \
    }
#define OURS(name)                 \
    double __nv_##name(double a)   \
    {                              \
        return plumb_##name(a);    \
    }                              \
    float __nv_##name##f(float a)  \
    {                              \
        return plumb_##name##f(a); \
    }
LIBM_UNARY(UNARY)
LIBM_BINARY(BINARY)
LIBM_OURS(OURS)

/* --- what is one instruction, or nearly --- */

#define BUILTIN1(name)                 \
    double __nv_##name(double a)       \
    {                                  \
        return __builtin_##name(a);    \
    }                                  \
    float __nv_##name##f(float a)      \
    {                                  \
        return __builtin_##name##f(a); \
    }
#define BUILTIN2(name)                     \
    double __nv_##name(double a, double b) \
    {                                      \
        return __builtin_##name(a, b);     \
    }                                      \
    float __nv_##name##f(float a, float b) \
    {                                      \
        return __builtin_##name##f(a, b);  \
    }
BUILTIN1(fabs)
BUILTIN1(floor)
BUILTIN1(ceil)
BUILTIN1(trunc)
BUILTIN1(rint)
BUILTIN1(nearbyint)
BUILTIN1(round)
BUILTIN1(sqrt)
BUILTIN2(fmin)
BUILTIN2(fmax)
BUILTIN2(copysign)

double __nv_fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
float __nv_fmaf(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
double __nv_fma_rn(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
float __nv_fmaf_rn(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
float __nv_fmaf_ieee_rn(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
double __nv_dadd_rn(double a, double b)
{
    return a + b;
}
double __nv_dsub_rn(double a, double b)
{
    return a - b;
}
double __nv_dmul_rn(double a, double b)
{
    return a * b;
}
double __nv_ddiv_rn(double a, double b)
{
    return a / b;
}
double __nv_drcp_rn(double a)
{
    return 1.0 / a;
}
double __nv_dsqrt_rn(double a)
{
    return __builtin_sqrt(a);
}
float __nv_fadd_rn(float a, float b)
{
    return a + b;
}
float __nv_fsub_rn(float a, float b)
{
    return a - b;
}
float __nv_fmul_rn(float a, float b)
{
    return a * b;
}
float __nv_fdiv_rn(float a, float b)
{
    return a / b;
}
float __nv_frcp_rn(float a)
{
    return 1.0f / a;
}
float __nv_fsqrt_rn(float a)
{
    return __builtin_sqrtf(a);
}
float __nv_frsqrt_rn(float a)
{
    return plumb_rsqrtf(a);
}
float __nv_saturatef(float a)
{
    return __builtin_fminf(__builtin_fmaxf(a, 0.0f), 1.0f);
}
double __nv_fdim(double a, double b)
{
    return a > b ? a - b : a <= b ? 0.0 : a + b;
}
float __nv_fdimf(float a, float b)
{
    return a > b ? a - b : a <= b ? 0.0f : a + b;
}
double __nv_hypot(double a, double b)
{
    return hypot(a, b);
}
float __nv_hypotf(float a, float b)
{
    return hypotf(a, b);
}
float __nv_norm3df(float a, float b, float c)
{
    return __builtin_sqrtf(a * a + b * b + c * c);
}
double __nv_norm3d(double a, double b, double c)
{
    return __builtin_sqrt(a * a + b * b + c * c);
}
float __nv_rnorm3df(float a, float b, float c)
{
    return plumb_rsqrtf(a * a + b * b + c * c);
}
float __nv_rhypotf(float a, float b)
{
    return plumb_rsqrtf(a * a + b * b);
}
double __nv_rhypot(double a, double b)
{
    return plumb_rsqrt(a * a + b * b);
}
double __nv_normcdf(double a)
{
    return 0.5 * erfc(-a * 0.70710678118654752440);
}
float __nv_normcdff(float a)
{
    return 0.5f * erfcf(-a * 0.70710678f);
}

/* --- the fast ones: the special function unit, with a factor --- */

#define LOG2_E 1.4426950408889634f
#define LOG2_10 3.3219280948873623f
#define LN_2 0.6931471805599453f
#define LOG10_2 0.3010299956639812f

float __nv_fast_sinf(float a)
{
    return plumb_fast_sinf(a);
}
float __nv_fast_cosf(float a)
{
    return plumb_fast_cosf(a);
}
float __nv_fast_tanf(float a)
{
    return plumb_fast_sinf(a) / plumb_fast_cosf(a);
}
float __nv_fast_log2f(float a)
{
    return plumb_fast_log2f(a);
}
float __nv_fast_logf(float a)
{
    return plumb_fast_log2f(a) * LN_2;
}
float __nv_fast_log10f(float a)
{
    return plumb_fast_log2f(a) * LOG10_2;
}
float __nv_fast_expf(float a)
{
    return plumb_fast_exp2f(a * LOG2_E);
}
float __nv_fast_exp10f(float a)
{
    return plumb_fast_exp2f(a * LOG2_10);
}
float __nv_fast_powf(float a, float b)
{
    return plumb_fast_exp2f(b * plumb_fast_log2f(a));
}
float __nv_fast_fdividef(float a, float b)
{
    return a * plumb_fast_rcpf(b);
}
void __nv_fast_sincosf(float a, float *s, float *c)
{
    *s = plumb_fast_sinf(a);
    *c = plumb_fast_cosf(a);
}

/* --- several results --- */

void __nv_sincos(double a, double *s, double *c)
{
    *s = sin(a), *c = cos(a);
}
void __nv_sincosf(float a, float *s, float *c)
{
    *s = sinf(a), *c = cosf(a);
}
void __nv_sincospi(double a, double *s, double *c)
{
    *s = plumb_sinpi(a), *c = plumb_cospi(a);
}
void __nv_sincospif(float a, float *s, float *c)
{
    *s = plumb_sinpif(a), *c = plumb_cospif(a);
}
double __nv_modf(double a, double *whole)
{
    *whole = __builtin_trunc(a);
    return __builtin_copysign(__builtin_isinf(a) ? 0.0 : a - *whole, a);
}
float __nv_modff(float a, float *whole)
{
    *whole = __builtin_truncf(a);
    return __builtin_copysignf(__builtin_isinf(a) ? 0.0f : a - *whole, a);
}
double __nv_frexp(double a, int *exponent)
{
    *exponent = a == 0.0 || !__builtin_isfinite(a) ? 0 : ilogb(a) + 1;
    return *exponent ? ldexp(a, -*exponent) : a;
}
float __nv_frexpf(float a, int *exponent)
{
    *exponent = a == 0.0f || !__builtin_isfinite(a) ? 0 : ilogbf(a) + 1;
    return *exponent ? ldexpf(a, -*exponent) : a;
}

/* --- exponents and powers --- */

double __nv_ldexp(double a, int n)
{
    return ldexp(a, n);
}
float __nv_ldexpf(float a, int n)
{
    return ldexpf(a, n);
}
double __nv_scalbn(double a, int n)
{
    return ldexp(a, n);
}
float __nv_scalbnf(float a, int n)
{
    return ldexpf(a, n);
}
int __nv_ilogb(double a)
{
    return ilogb(a);
}
int __nv_ilogbf(float a)
{
    return ilogbf(a);
}
double __nv_powi(double a, int n)
{
    return pow(a, n);
}
float __nv_powif(float a, int n)
{
    return powf(a, (float)n);
}
