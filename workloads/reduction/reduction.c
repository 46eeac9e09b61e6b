/* reduction.c - the sum of N integers modulo 2^32; the host adds what the groups leave.
 *
 * Usage: reduction [N [ROUNDS]]     N a multiple of 2,048; each round is the same launch again
 * The sum must be the one that a loop over the input gives. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 256, VECTOR = 4, PER_GROUP = 2 * GROUP * VECTOR };

static uint32_t sum(const uint32_t *x, size_t n)
{
    uint32_t s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

static uint32_t run(const uint32_t *x, size_t n, size_t rounds)
{
    struct host h = host_open("reduction/reduction.cl");
    size_t groups = n / PER_GROUP, left = groups * VECTOR;
    cl_mem buffer[] = {host_buffer(&h, n * sizeof *x, x), host_buffer(&h, left * sizeof *x, NULL)};
    cl_kernel kernel = host_kernel(&h, "reduction");
    host_buffers(kernel, 2, buffer);
    for (size_t r = 0; r < rounds; r++)
        host_launch(&h, kernel, groups * GROUP, GROUP);
    uint32_t *part = host_fetch(&h, buffer[1], left * sizeof *x), s = sum(part, left);
    free(part);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return s;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 2048", 1 << 20, 2048, 1ul << 28, 2048},
                             {"ROUNDS", "up to 10000", 1, 1, 10000, 1}};
    data_args(argc, argv, arg, 2);
    size_t n = arg[0].value;
    uint32_t *x = data_words(n, 1);
    bool wrong = run(x, n, arg[1].value) != sum(x, n);
    free(x);
    return data_verdict("reduction", n, "integers", wrong);
}
