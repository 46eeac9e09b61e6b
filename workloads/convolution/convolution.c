/* convolution.c - N x N integers under a square mask of SIDE x SIDE.
 *
 * Usage: convolution [N] [SIDE]     N a multiple of 16, SIDE odd
 * The result must be what spreading each input over the outputs that it reaches gives. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 16 };

static uint32_t *spread(const uint32_t *in, const uint32_t *mask, size_t n, size_t side)
{
    uint32_t *out = data_new(n * n, sizeof *out);
    size_t r = side / 2;
    for (size_t at = 0; at < n * n; at++)
        for (size_t m = 0; m < side * side; m++) {
            size_t x = at % n + r - m % side, y = at / n + r - m / side;
            if (x < n && y < n) out[y * n + x] += in[at] * mask[m];
        }
    return out;
}

static uint32_t *run(const uint32_t *in, const uint32_t *mask, size_t n, size_t side)
{
    struct host h = host_open("convolution/convolution.cl");
    size_t bytes = n * n * sizeof *in;
    cl_mem buffer[] = {host_buffer(&h, bytes, in),
                       host_buffer(&h, side * side * sizeof *mask, mask),
                       host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, "convolution");
    host_buffers(kernel, 3, buffer);
    host_word(kernel, 3, (uint32_t)side);
    host_launch_2d(&h, kernel, (size_t[]){n, n}, (size_t[]){GROUP, GROUP});
    uint32_t *out = host_fetch(&h, buffer[2], bytes);
    clReleaseKernel(kernel);
    host_release(3, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 16", 128, GROUP, 16384, GROUP},
                             {"SIDE", "odd", 5, 1, 15, 1}};
    data_args(argc, argv, arg, 2);
    if (arg[1].value % 2 == 0) host_fail("SIDE is even");
    size_t n = arg[0].value, side = arg[1].value;
    uint32_t *in = data_words(n * n, 1), *mask = data_words(side * side, 2);
    uint32_t *out = run(in, mask, n, side), *want = spread(in, mask, n, side);
    size_t wrong = data_wrong_bytes(out, want, n * n, sizeof *out);
    free(in);
    free(mask);
    free(out);
    free(want);
    return data_verdict("convolution", n * n, "elements", wrong);
}
