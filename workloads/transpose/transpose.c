/* transpose.c - the transpose of a square matrix of floats.
 *
 * Usage: transpose [N] [NAIVE]     N a multiple of 64; NAIVE 1: without local memory
 * The result must be the transpose bit by bit. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 16, BLOCK = 4 };

static float *transposed(const float *a, size_t n)
{
    float *t = data_new(n * n, sizeof *t);
    for (size_t i = 0; i < n * n; i++)
        t[i % n * n + i / n] = a[i];
    return t;
}

static float *run(const float *a, size_t n, bool naive)
{
    struct host h = host_open("transpose/transpose.cl");
    size_t bytes = n * n * sizeof *a, side = naive ? n : n / BLOCK;
    cl_mem buffer[] = {host_buffer(&h, bytes, a), host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, naive ? "transpose_naive" : "transpose_tiled");
    host_buffers(kernel, 2, buffer);
    host_word(kernel, 2, (uint32_t)side);
    host_launch_2d(&h, kernel, (size_t[]){side, side}, (size_t[]){GROUP, GROUP});
    float *t = host_fetch(&h, buffer[1], bytes);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return t;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 64", 512, 64, 16384, 64},
                             {"NAIVE", "without local memory", 0, 0, 1, 1}};
    data_args(argc, argv, arg, 2);
    size_t n = arg[0].value;
    float *a = data_floats(n * n, 1);
    float *t = run(a, n, arg[1].value), *want = transposed(a, n);
    size_t wrong = data_wrong_bytes(t, want, n * n, sizeof *t);
    free(a);
    free(t);
    free(want);
    return data_verdict("transpose", n * n, "elements", wrong);
}
