/* texture_fetch.hpp - tex1Dfetch, tex1D, tex2D, tex3D, layers, and surfaces. Source: CUDA C++
 * Programming Guide, "Texture Functions", "Surface Functions".
 *
 * The runtime says where a texel lies, which costs nothing; it is loaded here. Filtering loads all
 * texels that it blends. */
#pragma once

extern "C" {
__device__ const void *plumb_cuda_texel(unsigned long long, float x, float y, float z, int layer,
                                        unsigned corner);
__device__ const void *plumb_cuda_texel_at(unsigned long long, int i);
__device__ float plumb_cuda_texture_weight(unsigned long long, float x, float y, float z, int layer,
                                           unsigned corner);
__device__ unsigned plumb_cuda_texture_corners(unsigned long long, int layer);
__device__ int plumb_cuda_texture_form(unsigned long long);
__device__ void *plumb_cuda_texture_place(unsigned long long, int x, int y, int z);
}

/* --- values --- */

/* A channel of integers as a share of its greatest value. */
template <class I> PLUMB_DEVICE float plumb_share(const void *p, int k, float most)
{
    float v = (float)((const I *)p)[k] / most;
    return v < -1.0f ? -1.0f : v;
}
PLUMB_DEVICE float plumb_channel(const void *p, int form, int k)
{
    switch (form) {
    case 8: return plumb_share<unsigned char>(p, k, 255.0f);
    case -8: return plumb_share<signed char>(p, k, 127.0f);
    case 16: return plumb_share<unsigned short>(p, k, 65535.0f);
    case -16: return plumb_share<short>(p, k, 32767.0f);
    default: return ((const float *)p)[k];
    }
}

/* What a texel is as a T, and T's that are blended; only floats are. */
template <class T> struct plumb_texel {
    static __device__ __forceinline__ T read(unsigned long long, const void *p)
    {
        return *(const T *)p;
    }
    static __device__ __forceinline__ T blend(T sum, float, T) { return sum; }
    static __device__ __forceinline__ T scale(T v, float) { return v; }
    static constexpr bool blends = false;
};
template <> struct plumb_texel<float> {
    static __device__ __forceinline__ float read(unsigned long long t, const void *p)
    {
        int form = plumb_cuda_texture_form(t);
        return form ? plumb_channel(p, form, 0) : *(const float *)p;
    }
    static __device__ __forceinline__ float blend(float sum, float w, float v)
    {
        return sum + w * v;
    }
    static __device__ __forceinline__ float scale(float v, float w) { return v * w; }
    static constexpr bool blends = true;
};
template <> struct plumb_texel<float2> {
    static __device__ __forceinline__ float2 read(unsigned long long t, const void *p)
    {
        int f = plumb_cuda_texture_form(t);
        if (!f) return *(const float2 *)p;
        return make_float2(plumb_channel(p, f, 0), plumb_channel(p, f, 1));
    }
    static __device__ __forceinline__ float2 blend(float2 s, float w, float2 v)
    {
        return make_float2(s.x + w * v.x, s.y + w * v.y);
    }
    static __device__ __forceinline__ float2 scale(float2 v, float w)
    {
        return make_float2(v.x * w, v.y * w);
    }
    static constexpr bool blends = true;
};
template <> struct plumb_texel<float4> {
    static __device__ __forceinline__ float4 read(unsigned long long t, const void *p)
    {
        int f = plumb_cuda_texture_form(t);
        if (!f) return *(const float4 *)p;
        return make_float4(plumb_channel(p, f, 0), plumb_channel(p, f, 1), plumb_channel(p, f, 2),
                           plumb_channel(p, f, 3));
    }
    static __device__ __forceinline__ float4 blend(float4 s, float w, float4 v)
    {
        return make_float4(s.x + w * v.x, s.y + w * v.y, s.z + w * v.z, s.w + w * v.w);
    }
    static __device__ __forceinline__ float4 scale(float4 v, float w)
    {
        return make_float4(v.x * w, v.y * w, v.z * w, v.w * w);
    }
    static constexpr bool blends = true;
};

template <class T>
PLUMB_DEVICE T plumb_fetch(unsigned long long t, float x, float y, float z, int layer)
{
    T v = plumb_texel<T>::read(t, plumb_cuda_texel(t, x, y, z, layer, 0));
    if (!plumb_texel<T>::blends) return v;
    unsigned n = plumb_cuda_texture_corners(t, layer);
    if (n == 1) return v;
    v = plumb_texel<T>::scale(v, plumb_cuda_texture_weight(t, x, y, z, layer, 0));
    for (unsigned k = 1; k < n; k++) {
        T w = plumb_texel<T>::read(t, plumb_cuda_texel(t, x, y, z, layer, k));
        v = plumb_texel<T>::blend(v, plumb_cuda_texture_weight(t, x, y, z, layer, k), w);
    }
    return v;
}

/* --- texture objects --- */

template <class T> PLUMB_DEVICE T tex1Dfetch(cudaTextureObject_t t, int i)
{
    return plumb_texel<T>::read(t, plumb_cuda_texel_at(t, i));
}
template <class T> PLUMB_DEVICE T tex1D(cudaTextureObject_t t, float x)
{
    return plumb_fetch<T>(t, x, 0.0f, 0.0f, -1);
}
template <class T> PLUMB_DEVICE T tex2D(cudaTextureObject_t t, float x, float y)
{
    return plumb_fetch<T>(t, x, y, 0.0f, -1);
}
template <class T> PLUMB_DEVICE T tex3D(cudaTextureObject_t t, float x, float y, float z)
{
    return plumb_fetch<T>(t, x, y, z, -1);
}
template <class T> PLUMB_DEVICE T tex1DLayered(cudaTextureObject_t t, float x, int layer)
{
    return plumb_fetch<T>(t, x, 0.0f, 0.0f, layer);
}
template <class T> PLUMB_DEVICE T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer)
{
    return plumb_fetch<T>(t, x, y, 0.0f, layer);
}
#define PLUMB_TEX_OUT(name, parameters, arguments)       \
    template <class T> PLUMB_DEVICE void name parameters \
    {                                                    \
        *out = name<T> arguments;                        \
    }
PLUMB_TEX_OUT(tex1Dfetch, (T * out, cudaTextureObject_t t, int i), (t, i))
PLUMB_TEX_OUT(tex1D, (T * out, cudaTextureObject_t t, float x), (t, x))
PLUMB_TEX_OUT(tex2D, (T * out, cudaTextureObject_t t, float x, float y), (t, x, y))
PLUMB_TEX_OUT(tex3D, (T * out, cudaTextureObject_t t, float x, float y, float z), (t, x, y, z))

/* --- texture references --- */

template <class T, enum cudaTextureReadMode Mode> struct plumb_fetched { typedef T type; };
#define PLUMB_FETCHED(base, n)                                               \
    template <> struct plumb_fetched<base##n, cudaReadModeNormalizedFloat> { \
        typedef float##n type;                                               \
    };
PLUMB_FETCHED(uchar, 2)
PLUMB_FETCHED(uchar, 4)
PLUMB_FETCHED(char, 2)
PLUMB_FETCHED(char, 4)
PLUMB_FETCHED(ushort, 2)
PLUMB_FETCHED(ushort, 4)
PLUMB_FETCHED(short, 2)
PLUMB_FETCHED(short, 4)
#define PLUMB_FETCHED_ONE(base)                                           \
    template <> struct plumb_fetched<base, cudaReadModeNormalizedFloat> { \
        typedef float type;                                               \
    };
PLUMB_FETCHED_ONE(unsigned char)
PLUMB_FETCHED_ONE(signed char)
PLUMB_FETCHED_ONE(char)
PLUMB_FETCHED_ONE(unsigned short)
PLUMB_FETCHED_ONE(short)

/* In device code a reference is the handle of what is bound to it. */
template <class Texture> PLUMB_DEVICE unsigned long long plumb_handle(const Texture &t)
{
    return *(const unsigned long long *)&t;
}
#define PLUMB_TEX_REFERENCE(name, parameters, arguments)              \
    template <class T, enum cudaTextureReadMode Mode>                 \
    static __inline__ __device__ __attribute__((always_inline))       \
    typename plumb_fetched<T, Mode>::type name parameters             \
    {                                                                 \
        return name<typename plumb_fetched<T, Mode>::type> arguments; \
    }
#define PLUMB_TEXTURE(type) texture<T, type, Mode> t
#define PLUMB_OBJECT plumb_handle(t)
PLUMB_TEX_REFERENCE(tex1Dfetch, (PLUMB_TEXTURE(1), int i), (PLUMB_OBJECT, i))
PLUMB_TEX_REFERENCE(tex1D, (PLUMB_TEXTURE(1), float x), (PLUMB_OBJECT, x))
PLUMB_TEX_REFERENCE(tex2D, (PLUMB_TEXTURE(2), float x, float y), (PLUMB_OBJECT, x, y))
PLUMB_TEX_REFERENCE(tex3D, (PLUMB_TEXTURE(3), float x, float y, float z), (PLUMB_OBJECT, x, y, z))
PLUMB_TEX_REFERENCE(tex2DLayered, (PLUMB_TEXTURE(0xF2), float x, float y, int layer),
                    (PLUMB_OBJECT, x, y, layer))

/* --- surfaces; x in bytes --- */

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define PLUMB_MODE enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
template <class T> PLUMB_DEVICE T surf1Dread(cudaSurfaceObject_t s, int x, PLUMB_MODE)
{
    return *(const T *)plumb_cuda_texture_place(s, x, 0, 0);
}
template <class T> PLUMB_DEVICE T surf2Dread(cudaSurfaceObject_t s, int x, int y, PLUMB_MODE)
{
    return *(const T *)plumb_cuda_texture_place(s, x, y, 0);
}
template <class T>
PLUMB_DEVICE void surf2Dread(T *out, cudaSurfaceObject_t s, int x, int y, PLUMB_MODE)
{
    *out = *(const T *)plumb_cuda_texture_place(s, x, y, 0);
}
template <class T> PLUMB_DEVICE void surf1Dwrite(T v, cudaSurfaceObject_t s, int x, PLUMB_MODE)
{
    *(T *)plumb_cuda_texture_place(s, x, 0, 0) = v;
}
template <class T>
PLUMB_DEVICE void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y, PLUMB_MODE)
{
    *(T *)plumb_cuda_texture_place(s, x, y, 0) = v;
}
template <class T>
PLUMB_DEVICE void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z, PLUMB_MODE)
{
    *(T *)plumb_cuda_texture_place(s, x, y, z) = v;
}
template <class T> PLUMB_DEVICE T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z, PLUMB_MODE)
{
    return *(const T *)plumb_cuda_texture_place(s, x, y, z);
}
