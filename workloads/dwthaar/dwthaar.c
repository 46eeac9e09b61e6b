/* dwthaar.c - Haar wavelet transform of N floats: nine levels of blocks of 512 in a launch, then
 * the same for the sums that the blocks leave, until one is left.
 *
 * Usage: dwthaar [N]     N a power of two
 * The result is compared with the transform level by level in double precision. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 256 };

static float *transformed(const float *in, size_t n)
{
    double *sum = data_new(n, sizeof *sum);
    float *out = data_new(n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        sum[i] = (double)in[i];
    for (size_t m = n / 2; m > 0; m /= 2)
        for (size_t i = 0; i < m; i++) {
            double left = sum[2 * i], right = sum[2 * i + 1];
            out[m + i] = (float)((left - right) / sqrt(2));
            sum[i] = (left + right) / sqrt(2);
        }
    out[0] = (float)sum[0];
    free(sum);
    return out;
}

/* One launch over `n` samples; returns how many sums it leaves in `rest`. */
static size_t launch(const struct host *h, cl_kernel kernel, const cl_mem buffer[3], size_t n)
{
    size_t group = n / 2 < GROUP ? n / 2 : GROUP;
    host_buffers(kernel, 3, buffer);
    host_word(kernel, 3, (uint32_t)n);
    host_arg(kernel, 4, 2 * group * sizeof(float), NULL);
    host_launch(h, kernel, n / 2, group);
    return n / (2 * group);
}

static float *run(const float *in, size_t n)
{
    struct host h = host_open("dwthaar/dwthaar.cl");
    cl_mem buffer[] = {host_buffer(&h, n * sizeof *in, in), host_buffer(&h, n * sizeof *in, NULL),
                       host_buffer(&h, n * sizeof *in, NULL)};
    cl_kernel kernel = host_kernel(&h, "dwt_haar");
    for (size_t left = n; left > 1;) {
        left = launch(&h, kernel, buffer, left);
        cl_mem samples = buffer[0];
        buffer[0] = buffer[2];
        buffer[2] = samples;
    }
    float *out = host_fetch(&h, buffer[1], n * sizeof *in);
    host_read(&h, buffer[0], out, sizeof *out);
    clReleaseKernel(kernel);
    host_release(3, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a power of two", 1 << 16, 512, 1ul << 28, 0}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value;
    float *in = data_floats(n, 1), *out = run(in, n), *want = transformed(in, n);
    /* The last differences are of sums near sqrt(N) / 2 and have their rounding errors. */
    size_t wrong = data_wrong_floats(out, want, n, 1e-7 * sqrt((double)n));
    free(in);
    free(out);
    free(want);
    return data_verdict("dwthaar", n, "samples", wrong);
}
