/* integers.c - integers, conversions and bit patterns of the device library; see libdevice.c. */
typedef unsigned int uint;
typedef unsigned long long ull;

/* --- integers --- */

int __nv_abs(int a)
{
    return a < 0 ? -a : a;
}
long long __nv_llabs(long long a)
{
    return a < 0 ? -a : a;
}
int __nv_min(int a, int b)
{
    return a < b ? a : b;
}
int __nv_max(int a, int b)
{
    return a > b ? a : b;
}
uint __nv_umin(uint a, uint b)
{
    return a < b ? a : b;
}
uint __nv_umax(uint a, uint b)
{
    return a > b ? a : b;
}
long long __nv_llmin(long long a, long long b)
{
    return a < b ? a : b;
}
long long __nv_llmax(long long a, long long b)
{
    return a > b ? a : b;
}
ull __nv_ullmin(ull a, ull b)
{
    return a < b ? a : b;
}
ull __nv_ullmax(ull a, ull b)
{
    return a > b ? a : b;
}
int __nv_mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}
uint __nv_umulhi(uint a, uint b)
{
    return (uint)((ull)a * b >> 32);
}
long long __nv_mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
ull __nv_umul64hi(ull a, ull b)
{
    return (ull)((unsigned __int128)a * b >> 64);
}
int __nv_mul24(int a, int b)
{
    return (a << 8 >> 8) * (b << 8 >> 8);
}
uint __nv_umul24(uint a, uint b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
int __nv_sad(int a, int b, int c)
{
    return (a > b ? a - b : b - a) + c;
}
uint __nv_usad(uint a, uint b, uint c)
{
    return (a > b ? a - b : b - a) + c;
}
int __nv_hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
int __nv_rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
uint __nv_uhadd(uint a, uint b)
{
    return (uint)(((ull)a + b) >> 1);
}
uint __nv_urhadd(uint a, uint b)
{
    return (uint)(((ull)a + b + 1) >> 1);
}
int __nv_popc(int a)
{
    return __builtin_popcount((uint)a);
}
int __nv_popcll(long long a)
{
    return __builtin_popcountll((ull)a);
}
int __nv_clz(int a)
{
    return a ? __builtin_clz((uint)a) : 32;
}
int __nv_clzll(long long a)
{
    return a ? __builtin_clzll((ull)a) : 64;
}
int __nv_ffs(int a)
{
    return a ? __builtin_ctz((uint)a) + 1 : 0;
}
int __nv_ffsll(long long a)
{
    return a ? __builtin_ctzll((ull)a) + 1 : 0;
}
int __nv_brev(int a)
{
    return (int)__builtin_bitreverse32((uint)a);
}
long long __nv_brevll(long long a)
{
    return (long long)__builtin_bitreverse64((ull)a);
}
static uint byte_of(ull bytes, uint selector)
{
    uint byte = (uint)(bytes >> (selector & 7) * 8) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
int __nv_byte_perm(int a, int b, int c)
{
    ull bytes = (ull)(uint)b << 32 | (uint)a;
    uint s = (uint)c;
    return (int)(byte_of(bytes, s & 15) | byte_of(bytes, s >> 4 & 15) << 8 |
                 byte_of(bytes, s >> 8 & 15) << 16 | byte_of(bytes, s >> 12 & 15) << 24);
}

/* --- bit patterns --- */

#define SAME_BITS(name, to, from)           \
    to __nv_##name(from a)                  \
    {                                       \
        to b;                               \
        __builtin_memcpy(&b, &a, sizeof b); \
        return b;                           \
    }
SAME_BITS(float_as_int, int, float)
SAME_BITS(float_as_uint, uint, float)
SAME_BITS(int_as_float, float, int)
SAME_BITS(uint_as_float, float, uint)
SAME_BITS(double_as_longlong, ull, double)
SAME_BITS(longlong_as_double, double, long long)
int __nv_double2hiint(double a)
{
    return (int)(__nv_double_as_longlong(a) >> 32);
}
int __nv_double2loint(double a)
{
    return (int)__nv_double_as_longlong(a);
}
double __nv_hiloint2double(int high, int low)
{
    return __nv_longlong_as_double((long long)((ull)(uint)high << 32 | (uint)low));
}
int __nv_signbitd(double a)
{
    return __nv_double_as_longlong(a) >> 63 != 0;
}
int __nv_signbitf(float a)
{
    return __nv_float_as_uint(a) >> 31 != 0;
}
int __nv_isnand(double a)
{
    return a != a;
}
int __nv_isnanf(float a)
{
    return a != a;
}
int __nv_isinfd(double a)
{
    return __builtin_fabs(a) == __builtin_inf();
}
int __nv_isinff(float a)
{
    return __builtin_fabsf(a) == __builtin_inff();
}
int __nv_isfinited(double a)
{
    return __builtin_fabs(a) < __builtin_inf();
}
int __nv_finitef(float a)
{
    return __builtin_fabsf(a) < __builtin_inff();
}
double __nv_nan(const signed char *tag)
{
    return (void)tag, __builtin_nan("");
}
float __nv_nanf(const signed char *tag)
{
    return (void)tag, __builtin_nanf("");
}

/* --- from floating point to integers, which saturates; NaN becomes 0 --- */

#define TO_INTEGER(name, to, from, round, least, most)                                         \
    to __nv_##name(from a)                                                                     \
    {                                                                                          \
        a = round(a);                                                                          \
        return a != a ? 0 : a <= (from)(least) ? (least) : a >= (from)(most) ? (most) : (to)a; \
    }
#define TO_INTEGERS(prefix, to, least, most)                                   \
    TO_INTEGER(float2##prefix##_rz, to, float, __builtin_truncf, least, most)  \
    TO_INTEGER(float2##prefix##_rn, to, float, __builtin_rintf, least, most)   \
    TO_INTEGER(float2##prefix##_rd, to, float, __builtin_floorf, least, most)  \
    TO_INTEGER(float2##prefix##_ru, to, float, __builtin_ceilf, least, most)   \
    TO_INTEGER(double2##prefix##_rz, to, double, __builtin_trunc, least, most) \
    TO_INTEGER(double2##prefix##_rn, to, double, __builtin_rint, least, most)  \
    TO_INTEGER(double2##prefix##_rd, to, double, __builtin_floor, least, most) \
    TO_INTEGER(double2##prefix##_ru, to, double, __builtin_ceil, least, most)
TO_INTEGERS(int, int, -0x7fffffff - 1, 0x7fffffff)
TO_INTEGERS(uint, uint, 0u, 0xffffffffu)
TO_INTEGERS(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
TO_INTEGERS(ull, ull, 0ull, 0xffffffffffffffffull)

long long __nv_llrint(double a)
{
    return __nv_double2ll_rn(a);
}
long long __nv_llrintf(float a)
{
    return __nv_float2ll_rn(a);
}
long long __nv_llround(double a)
{
    return __nv_double2ll_rz(__builtin_round(a));
}
long long __nv_llroundf(float a)
{
    return __nv_float2ll_rz(__builtin_roundf(a));
}

/* --- from integers, and between floating point --- */

float __nv_int2float_rn(int a)
{
    return (float)a;
}
float __nv_uint2float_rn(uint a)
{
    return (float)a;
}
float __nv_ll2float_rn(long long a)
{
    return (float)a;
}
float __nv_ull2float_rn(ull a)
{
    return (float)a;
}
double __nv_int2double_rn(int a)
{
    return a;
}
double __nv_uint2double_rn(uint a)
{
    return a;
}
double __nv_ll2double_rn(long long a)
{
    return (double)a;
}
double __nv_ull2double_rn(ull a)
{
    return (double)a;
}
float __nv_double2float_rn(double a)
{
    return (float)a;
}
