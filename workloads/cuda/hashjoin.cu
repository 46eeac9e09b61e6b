// hashjoin.cu - joins two tables: rows of the smaller one go into a hash table by compare-and-swap, rows of
// the larger one look for their key. Argument: rows of the larger table.
#include "check.h"

#include <map>

constexpr unsigned EMPTY = 0xffffffffu;

__device__ unsigned place_of(unsigned key, unsigned mask)
{
    return (key * 2654435761u >> 7) & mask;
}

__global__ void build(const unsigned *key, const unsigned *value, int n, uint2 *table, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned at = place_of(key[i], mask);
    while (atomicCAS(&table[at].x, EMPTY, key[i]) != EMPTY)
        at = (at + 1) & mask;
    table[at].y = value[i];
}

__global__ void probe(const unsigned *key, const unsigned *value, int n, const uint2 *table,
                      unsigned mask, unsigned long long *sum, unsigned *matches)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned at = place_of(key[i], mask);; at = (at + 1) & mask) {
        uint2 row = table[at];
        if (row.x == EMPTY) return;
        if (row.x != key[i]) continue;
        atomicAdd(sum, (unsigned long long)row.y * value[i]);
        atomicAdd(matches, 1u);
        return;
    }
}

int main(int argc, char **argv)
{
    int large = size_argument(argc, argv, 8192), small = large / 4;
    unsigned mask = 1, seed = 1;
    while (mask < 2u * (unsigned)small)
        mask *= 2;
    std::vector<unsigned> key_a(small), a(small), key_b(large), b(large);
    std::map<unsigned, unsigned> table;
    for (int i = 0; i < small; i++)
        table[key_a[i] = 7u * (unsigned)i] = a[i] = (unsigned)i % 100;
    unsigned long long want = 0, got = 0;
    unsigned rows = 0, found = 0;
    for (int i = 0; i < large; i++) {
        seed = seed * 1664525u + 1013904223u;
        key_b[i] = seed >> 8 & (8u * (unsigned)small - 1);
        b[i] = (unsigned)i % 50;
        auto row = table.find(key_b[i]);
        if (row != table.end()) want += (unsigned long long)row->second * b[i], rows++;
    }
    uint2 *places = to_device(std::vector<uint2>(mask, uint2{EMPTY, 0}));
    unsigned long long *sum = to_device(std::vector<unsigned long long>(1));
    unsigned *matches = to_device(std::vector<unsigned>(1));
    build<<<(small + 127) / 128, 128>>>(to_device(key_a), to_device(a), small, places, mask - 1);
    probe<<<(large + 127) / 128, 128>>>(to_device(key_b), to_device(b), large, places, mask - 1, sum,
                                        matches);
    CUDA(cudaDeviceSynchronize());
    got = to_host(sum, 1)[0];
    found = to_host(matches, 1)[0];
    bool right = got == want && found == rows;
    printf("hashjoin: %s\n", right ? "right" : "wrong");
    return !right;
}
