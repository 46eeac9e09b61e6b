/* opencl_c.h - OpenCL C's words in CUDA, as far as workloads/ uses them: a kernel of workloads/
 * becomes a CUDA kernel with the same text, but for what scripts/twin.sh rewrites. Source: The
 * OpenCL C 1.2 Specification, chapters 6.1, 6.4 and 6.12. */
#pragma once

typedef unsigned char uchar;

#define TWIN_VECTORS(type)                                           \
    typedef type twin_##type##2 __attribute__((ext_vector_type(2))); \
    typedef type twin_##type##3 __attribute__((ext_vector_type(3))); \
    typedef type twin_##type##4 __attribute__((ext_vector_type(4))); \
    typedef type twin_##type##8 __attribute__((ext_vector_type(8))); \
    typedef type twin_##type##16 __attribute__((ext_vector_type(16)));
TWIN_VECTORS(char)
TWIN_VECTORS(uchar)
TWIN_VECTORS(short)
TWIN_VECTORS(ushort)
TWIN_VECTORS(int)
TWIN_VECTORS(uint)
TWIN_VECTORS(float)
#define char4 twin_char4
#define uchar4 twin_uchar4
#define uchar16 twin_uchar16
#define short4 twin_short4
#define ushort4 twin_ushort4
#define int2 twin_int2
#define int4 twin_int4
#define uint2 twin_uint2
#define uint3 twin_uint3
#define uint4 twin_uint4
#define uint8 twin_uint8
#define float2 twin_float2
#define float3 twin_float3
#define float4 twin_float4
#define float8 twin_float8
#define float16 twin_float16

/* scripts/twin.sh writes TWIN_MAKE(float4, a, b) for (float4)(a, b). */
#define TWIN_MAKE(type, ...) twin_make<type>(__VA_ARGS__)

#define TWIN static __device__ __forceinline__
template <class V, class A> TWIN V twin_make(A a)
{
    return (V)a;
}
template <class V, class A, class... B> TWIN V twin_make(A a, B... b)
{
    using element = __typeof__(V{}[0]);
    return V{(element)a, (element)b...};
}
template <> __device__ __forceinline__ float4 twin_make<float4, float3, float>(float3 a, float b)
{
    return float4{a.x, a.y, a.z, b};
}

/* --- work-items --- */

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fence) __syncthreads()
#define mem_fence(fence) __threadfence()
#define read_mem_fence(fence) __threadfence()
#define write_mem_fence(fence) __threadfence()

#define TWIN_INDEX(name, of)                            \
    TWIN size_t name(unsigned d)                        \
    {                                                   \
        return d == 0 ? of(x) : d == 1 ? of(y) : of(z); \
    }
#define TWIN_GLOBAL(d) (blockIdx.d * blockDim.d + threadIdx.d)
#define TWIN_ITEMS(d) (gridDim.d * blockDim.d)
#define TWIN_LOCAL(d) threadIdx.d
#define TWIN_GROUP(d) blockIdx.d
#define TWIN_SIDE(d) blockDim.d
#define TWIN_GROUPS(d) gridDim.d
TWIN_INDEX(get_global_id, TWIN_GLOBAL)
TWIN_INDEX(get_global_size, TWIN_ITEMS)
TWIN_INDEX(get_local_id, TWIN_LOCAL)
TWIN_INDEX(get_group_id, TWIN_GROUP)
TWIN_INDEX(get_local_size, TWIN_SIDE)
TWIN_INDEX(get_num_groups, TWIN_GROUPS)

/* --- atomics --- */

template <class T> TWIN T atomic_inc(volatile T *p)
{
    return atomicAdd((T *)p, (T)1);
}
#define TWIN_ATOMIC(name, of)                                   \
    template <class T, class V> TWIN T name(volatile T *p, V v) \
    {                                                           \
        return of((T *)p, (T)v);                                \
    }
TWIN_ATOMIC(atomic_add, atomicAdd)
TWIN_ATOMIC(atomic_min, atomicMin)
TWIN_ATOMIC(atomic_max, atomicMax)
TWIN_ATOMIC(atomic_or, atomicOr)
template <class T, class V, class W> TWIN T atomic_cmpxchg(volatile T *p, V old, W v)
{
    return atomicCAS((T *)p, (T)old, (T)v);
}

/* --- numbers --- */

#define M_PI_F 3.14159265358979323846f
#define M_SQRT1_2_F 0.70710678118654752440f

template <class T> TWIN T clamp(T v, T low, T high)
{
    return min(max(v, low), high);
}
TWIN uint rotate(uint v, uint n)
{
    return __funnelshift_l(v, v, n);
}
TWIN float native_sin(float v)
{
    return __sinf(v);
}
TWIN float native_cos(float v)
{
    return __cosf(v);
}
TWIN float native_exp(float v)
{
    return __expf(v);
}
TWIN float dot(float2 a, float2 b)
{
    return a.x * b.x + a.y * b.y;
}
TWIN float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TWIN float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

TWIN float rsqrt(float v)
{
    return rsqrtf(v);
}
/* Functions of numbers, of vectors element by element. */
#define TWIN_OF_VECTORS(name)                                       \
    template <class V, class = __typeof__(V{}[3])> TWIN V name(V v) \
    {                                                               \
        for (unsigned i = 0; i < sizeof v / sizeof v[0]; i++)       \
            v[i] = name(v[i]);                                      \
        return v;                                                   \
    }
TWIN_OF_VECTORS(sqrt)
TWIN_OF_VECTORS(rsqrt)
TWIN_OF_VECTORS(exp)
TWIN_OF_VECTORS(log)
TWIN_OF_VECTORS(fabs)
TWIN_OF_VECTORS(sin)
TWIN_OF_VECTORS(cos)
template <class V, class M> TWIN V select(V no, V yes, M mask)
{
    for (unsigned i = 0; i < sizeof no / sizeof no[0]; i++)
        no[i] = mask[i] < 0 ? yes[i] : no[i];
    return no;
}
TWIN float4 max(float4 a, float4 b)
{
    return float4{fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
TWIN float4 fmax(float4 a, float4 b)
{
    return max(a, b);
}
TWIN float4 max(float4 a, float b)
{
    return max(a, (float4)b);
}
TWIN float4 fmax(float4 a, float b)
{
    return max(a, (float4)b);
}
template <class V> TWIN float4 convert_float4(V v)
{
    return __builtin_convertvector(v, float4);
}
template <class V> TWIN int4 convert_int4(V v)
{
    return __builtin_convertvector(v, int4);
}
TWIN uchar twin_byte(float v)
{
    return (uchar)fminf(fmaxf(v, 0.0f), 255.0f);
}
TWIN uchar4 convert_uchar4_sat(int4 v)
{
    return uchar4{(uchar)clamp(v.x, 0, 255), (uchar)clamp(v.y, 0, 255), (uchar)clamp(v.z, 0, 255),
                  (uchar)clamp(v.w, 0, 255)};
}
TWIN uchar4 convert_uchar4_sat(float4 v)
{
    return uchar4{twin_byte(v.x), twin_byte(v.y), twin_byte(v.z), twin_byte(v.w)};
}
TWIN uchar4 convert_uchar4_sat_rte(float4 v)
{
    return uchar4{twin_byte(rintf(v.x)), twin_byte(rintf(v.y)), twin_byte(rintf(v.z)),
                  twin_byte(rintf(v.w))};
}
