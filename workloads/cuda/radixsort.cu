// radixsort.cu - keys sorted by four bits at a time: CTAs count their digits, one CTA scans the counts, and
// each CTA moves its keys in order. Argument: keys.
#include "check.h"

#include <algorithm>

constexpr int BITS = 4, DIGITS = 1 << BITS, THREADS = 128;

__global__ void count(const unsigned *key, unsigned *counts, int n, int shift)
{
    __shared__ unsigned mine[DIGITS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x < DIGITS) mine[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&mine[key[i] >> shift & (DIGITS - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

__global__ void scan_counts(unsigned *counts, int n)
{
    __shared__ unsigned sum[THREADS];
    int each = (n + THREADS - 1) / THREADS, first = threadIdx.x * each, last = min(n, first + each);
    unsigned total = 0;
    for (int i = first; i < last; i++)
        total += counts[i];
    sum[threadIdx.x] = total;
    __syncthreads();
    for (int by = 1; by < THREADS; by *= 2) {
        unsigned other = threadIdx.x >= by ? sum[threadIdx.x - by] : 0;
        __syncthreads();
        sum[threadIdx.x] += other;
        __syncthreads();
    }
    unsigned before = sum[threadIdx.x] - total;
    for (int i = first; i < last; i++) {
        unsigned c = counts[i];
        counts[i] = before;
        before += c;
    }
}

__global__ void move_keys(const unsigned *key, unsigned *out, const unsigned *places, int n, int shift)
{
    __shared__ unsigned digit[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    unsigned k = i < n ? key[i] : 0, d = k >> shift & (DIGITS - 1), rank = 0;
    digit[threadIdx.x] = i < n ? d : DIGITS;
    __syncthreads();
    for (int t = 0; t < (int)threadIdx.x; t++)
        rank += digit[t] == d;
    if (i < n) out[places[d * gridDim.x + blockIdx.x] + rank] = k;
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 4000), ctas = (n + THREADS - 1) / THREADS;
    std::vector<unsigned> key(n);
    unsigned seed = 1;
    for (unsigned &k : key)
        k = seed = seed * 1664525u + 1013904223u;
    unsigned *from = to_device(key), *to = new_device<unsigned>(n);
    unsigned *counts = new_device<unsigned>(DIGITS * ctas);
    for (int shift = 0; shift < 32; shift += BITS) {
        count<<<ctas, THREADS>>>(from, counts, n, shift);
        scan_counts<<<1, THREADS>>>(counts, DIGITS * ctas);
        move_keys<<<ctas, THREADS>>>(from, to, counts, n, shift);
        std::swap(from, to);
    }
    CUDA(cudaDeviceSynchronize());
    std::sort(key.begin(), key.end());
    bool right = to_host(from, n) == key;
    printf("radixsort: %s\n", right ? "right" : "wrong");
    return !right;
}
