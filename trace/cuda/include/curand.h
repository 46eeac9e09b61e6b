/* curand.h - random numbers in arrays. Source of names and meanings: cuRAND's documentation, "Host
 * API Overview". Every generator is Philox (curand_kernel.h). */
#pragma once

#include "curand_kernel.h"
#include "plumb/algorithms.hpp"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED,
    CURAND_STATUS_ALLOCATION_FAILED,
    CURAND_STATUS_TYPE_ERROR,
    CURAND_STATUS_OUT_OF_RANGE,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE,
    CURAND_STATUS_INITIALIZATION_FAILED,
    CURAND_STATUS_ARCH_MISMATCH,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
} curandRngType_t;
struct plumb_generator {
    unsigned long long seed, offset;
    bool host;
};
typedef plumb_generator *curandGenerator_t;

static inline curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t)
{
    *g = new plumb_generator{0, 0, false};
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t)
{
    *g = new plumb_generator{0, 0, true};
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    delete g;
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
static inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g,
                                                                unsigned long long seed)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->seed = seed;
    g->offset = 0;
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g,
                                                      unsigned long long offset)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->offset = offset;
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t)
{
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

/* Element i of an array, from generator states of its own. */
template <class T, class Draw> struct plumb_draw {
    T *out;
    unsigned long long seed, offset;
    T a, b;
    __device__ void operator()(size_t i) const
    {
        curandStatePhilox4_32_10 s;
        curand_init(seed, offset + i, 0, &s);
        out[i] = Draw::next(&s, a, b);
    }
};
struct plumb_draw_bits {
    static __device__ unsigned next(curandStatePhilox4_32_10 *s, unsigned, unsigned)
    {
        return curand(s);
    }
};
struct plumb_draw_uniform {
    static __device__ float next(curandStatePhilox4_32_10 *s, float, float)
    {
        return curand_uniform(s);
    }
    static __device__ double next(curandStatePhilox4_32_10 *s, double, double)
    {
        return curand_uniform_double(s);
    }
};
struct plumb_draw_normal {
    static __device__ float next(curandStatePhilox4_32_10 *s, float mean, float deviation)
    {
        return mean + deviation * curand_normal2(s).x;
    }
    static __device__ double next(curandStatePhilox4_32_10 *s, double mean, double deviation)
    {
        return mean + deviation * curand_normal2_double(s).x;
    }
};
template <class Draw, class T>
static inline curandStatus_t plumb_generate(curandGenerator_t g, T *out, size_t n, T a, T b)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    plumb::scratch<T> own(g->host ? n : 1);
    plumb::run_each(plumb_draw<T, Draw>{g->host ? own.p : out, g->seed, g->offset, a, b}, n);
    if (g->host) plumb::check(cudaMemcpy(out, own.p, n * sizeof(T), cudaMemcpyDeviceToHost));
    g->offset += n;
    return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                : CURAND_STATUS_LAUNCH_FAILURE;
}
static inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n)
{
    return plumb_generate<plumb_draw_bits, unsigned>(g, out, n, 0, 0);
}
static inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return plumb_generate<plumb_draw_uniform>(g, out, n, 0.0f, 0.0f);
}
static inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n)
{
    return plumb_generate<plumb_draw_uniform>(g, out, n, 0.0, 0.0);
}
static inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n,
                                                  float mean, float deviation)
{
    return plumb_generate<plumb_draw_normal>(g, out, n, mean, deviation);
}
static inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n,
                                                        double mean, double deviation)
{
    return plumb_generate<plumb_draw_normal>(g, out, n, mean, deviation);
}
