/* radixsort.c - sorts N keys of 32 bits, a byte per pass: count, places, move.
 *
 * Usage: radixsort [N]     N a multiple of 4,096
 * The result must be what qsort makes of the same keys. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 64, PER_GROUP = 4096, DIGITS = 256 };

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void pass(const struct host *h, const cl_kernel kernel[3], const cl_mem buffer[3], size_t n,
                 uint32_t shift)
{
    size_t groups = n / PER_GROUP;
    host_buffers(kernel[0], 2, (cl_mem[]){buffer[0], buffer[2]});
    host_word(kernel[0], 2, shift);
    host_launch(h, kernel[0], groups * GROUP, GROUP);
    host_buffers(kernel[1], 1, &buffer[2]);
    host_word(kernel[1], 1, (uint32_t)groups);
    host_launch(h, kernel[1], DIGITS, DIGITS);
    host_buffers(kernel[2], 3, buffer);
    host_word(kernel[2], 3, shift);
    host_launch(h, kernel[2], groups * GROUP, GROUP);
}

static uint32_t *run(const uint32_t *x, size_t n)
{
    struct host h = host_open("radixsort/radixsort.cl");
    size_t bytes = n * sizeof *x;
    cl_mem buffer[] = {host_buffer(&h, bytes, x), host_buffer(&h, bytes, NULL),
                       host_buffer(&h, n / PER_GROUP * DIGITS * sizeof *x, NULL)};
    cl_kernel kernel[] = {host_kernel(&h, "radix_count"), host_kernel(&h, "radix_places"),
                          host_kernel(&h, "radix_move")};
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        pass(&h, kernel, buffer, n, shift);
        cl_mem sorted = buffer[1];
        buffer[1] = buffer[0];
        buffer[0] = sorted;
    }
    uint32_t *out = host_fetch(&h, buffer[0], bytes);
    for (int i = 0; i < 3; i++)
        clReleaseKernel(kernel[i]);
    host_release(3, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 4096", 1 << 14, 4096, 1ul << 28, 4096}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value;
    uint32_t *x = data_words(n, 1), *out = run(x, n);
    qsort(x, n, sizeof *x, by_value);
    size_t wrong = data_wrong_bytes(out, x, n, sizeof *x);
    free(x);
    free(out);
    return data_verdict("radixsort", n, "keys", wrong);
}
