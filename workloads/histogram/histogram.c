/* histogram.c - how often each value of a byte occurs among the N of a picture.
 *
 * Usage: histogram [N]     N bytes, a multiple of 16,384
 * The result must be what a loop over the bytes counts. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 256, BINS = 256, PER_GROUP = 16 * GROUP * 4, ROW = 512 };

static uint32_t *run(const uint8_t *x, size_t n)
{
    struct host h = host_open("histogram/histogram.cl");
    size_t groups = n / PER_GROUP, bytes = BINS * sizeof(uint32_t);
    cl_mem buffer[] = {host_buffer(&h, n, x), host_buffer(&h, groups * bytes, NULL),
                       host_buffer(&h, bytes, NULL)};
    cl_kernel count = host_kernel(&h, "histogram_groups"), sum = host_kernel(&h, "histogram_sum");
    host_buffers(count, 2, buffer);
    host_launch(&h, count, groups * GROUP, GROUP);
    host_buffers(sum, 2, buffer + 1);
    host_word(sum, 2, (uint32_t)groups);
    host_launch(&h, sum, BINS, GROUP);
    uint32_t *out = host_fetch(&h, buffer[2], bytes);
    clReleaseKernel(count);
    clReleaseKernel(sum);
    host_release(3, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 16384", 1 << 18, 16384, 1ul << 28, 16384}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value;
    uint8_t *x = data_picture(ROW, n / (4 * ROW), 1);
    uint32_t *out = run(x, n), want[BINS] = {0};
    for (size_t i = 0; i < n; i++)
        want[x[i]]++;
    size_t wrong = data_wrong_bytes(out, want, BINS, sizeof *out);
    free(x);
    free(out);
    return data_verdict("histogram", n, "bytes", wrong);
}
