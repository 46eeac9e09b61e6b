/* matmul.c - product of two square matrices of floats, a block of 4 x 4 per work-item.
 *
 * Usage: matmul [N] [TILED]     N a multiple of 32; TILED 1: A by tiles in local memory
 * The result is compared with the product in double precision. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 8, BLOCK = 4 };

static float *product(const float *a, const float *b, size_t n)
{
    float *c = data_new(n * n, sizeof *c);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += (double)a[i * n + k] * (double)b[k * n + j];
            c[i * n + j] = (float)sum;
        }
    return c;
}

static float *run(const float *a, const float *b, size_t n, bool tiled)
{
    struct host h = host_open("matmul/matmul.cl");
    size_t bytes = n * n * sizeof *a;
    cl_mem buffer[] = {host_buffer(&h, bytes, a), host_buffer(&h, bytes, b),
                       host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, tiled ? "matmul_tiled" : "matmul");
    host_buffers(kernel, 3, buffer);
    host_word(kernel, 3, (uint32_t)(n / BLOCK));
    host_launch_2d(&h, kernel, (size_t[]){n / BLOCK, n / BLOCK}, (size_t[]){GROUP, GROUP});
    float *c = host_fetch(&h, buffer[2], bytes);
    clReleaseKernel(kernel);
    host_release(3, buffer);
    host_close(&h);
    return c;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 32", 128, 32, 16384, 32},
                             {"TILED", "A in local memory", 0, 0, 1, 1}};
    data_args(argc, argv, arg, 2);
    size_t n = arg[0].value;
    float *a = data_floats(n * n, 1), *b = data_floats(n * n, 2);
    float *c = run(a, b, n, arg[1].value), *want = product(a, b, n);
    size_t wrong = data_wrong_floats(c, want, n * n, 1e-5);
    free(a);
    free(b);
    free(c);
    free(want);
    return data_verdict("matmul", n * n, "elements", wrong);
}
