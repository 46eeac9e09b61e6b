/* check.h - what the CUDA programs share: calls that must succeed, results that must be near, and
 * input that is the same on every run. */
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call)                                                                          \
    do {                                                                                    \
        cudaError_t status = (call);                                                        \
        if (status != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

/* Numbers from 0 to 1, by a linear congruence. */
static inline std::vector<float> random_floats(size_t n, unsigned seed)
{
    std::vector<float> v(n);
    for (float &x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = (float)(seed >> 8) / 16777216.0f;
    }
    return v;
}

template <class T> static inline T *to_device(const std::vector<T> &v)
{
    T *p;
    CUDA(cudaMalloc(&p, v.size() * sizeof(T)));
    CUDA(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T> static inline T *new_device(size_t n)
{
    T *p;
    CUDA(cudaMalloc(&p, n * sizeof(T)));
    return p;
}

template <class T> static inline std::vector<T> to_host(const T *p, size_t n)
{
    std::vector<T> v(n);
    CUDA(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

/* Ends the program: 0 if all of `got` is near `want`. */
static inline int compare(const char *name, const std::vector<float> &got,
                          const std::vector<float> &want, float tolerance)
{
    CUDA(cudaDeviceSynchronize());
    for (size_t i = 0; i < want.size(); i++) {
        if (std::fabs(got[i] - want[i]) <= tolerance * (1.0f + std::fabs(want[i]))) continue;
        printf("%s: element %zu is %g, expected %g\n", name, i, got[i], want[i]);
        return 1;
    }
    printf("%s: right\n", name);
    return 0;
}

static inline int size_argument(int argc, char **argv, int standard)
{
    return argc > 1 ? atoi(argv[1]) : standard;
}
