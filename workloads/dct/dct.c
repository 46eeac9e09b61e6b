/* dct.c - discrete cosine transform (type II, orthonormal) of the 8 x 8 blocks of a picture.
 *
 * Usage: dct [N]     N x N elements, N a multiple of 8
 * The result is compared with the double sum of the definition. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { B = 8 };

static double coefficient(size_t i, size_t k)
{
    double scale = i == 0 ? sqrt(1.0 / B) : sqrt(2.0 / B);
    return scale * cos((2.0 * (double)k + 1) * (double)i * acos(-1) / (2 * B));
}

static float *coefficients(void)
{
    float *c = data_new(B * B, sizeof *c);
    for (size_t i = 0; i < B * B; i++)
        c[i] = (float)coefficient(i / B, i % B);
    return c;
}

/* Element (u, v) of the block whose corner is `in`. */
static double element(const float *in, const float *c, size_t n, size_t u, size_t v)
{
    double sum = 0;
    for (size_t y = 0; y < B; y++)
        for (size_t x = 0; x < B; x++)
            sum += (double)c[u * B + y] * (double)c[v * B + x] * (double)in[y * n + x];
    return sum;
}

static float *transformed(const float *in, const float *c, size_t n)
{
    float *out = data_new(n * n, sizeof *out);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            out[y * n + x] = (float)element(in + y / B * B * n + x / B * B, c, n, y % B, x % B);
    return out;
}

static float *run(const float *in, const float *c, size_t n)
{
    struct host h = host_open("dct/dct.cl");
    size_t bytes = n * n * sizeof *in;
    cl_mem buffer[] = {host_buffer(&h, bytes, in), host_buffer(&h, bytes, NULL),
                       host_buffer(&h, B * B * sizeof *c, c)};
    cl_kernel kernel = host_kernel(&h, "dct");
    host_buffers(kernel, 3, buffer);
    host_word(kernel, 3, (uint32_t)n);
    host_launch_2d(&h, kernel, (size_t[]){n, n}, (size_t[]){B, B});
    float *out = host_fetch(&h, buffer[1], bytes);
    clReleaseKernel(kernel);
    host_release(3, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 8", 256, 8, 16384, 8}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value;
    float *in = data_floats(n * n, 1), *c = coefficients();
    float *out = run(in, c, n), *want = transformed(in, c, n);
    size_t wrong = data_wrong_floats(out, want, n * n, 1e-5);
    free(in);
    free(c);
    free(out);
    free(want);
    return data_verdict("dct", n * n, "elements", wrong);
}
