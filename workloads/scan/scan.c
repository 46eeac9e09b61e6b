/* scan.c - exclusive prefix sums of N integers modulo 2^32: blocks of 256, the same for the sums of
 * the blocks, and so on, then back.
 *
 * Usage: scan [N]     N a power of two from 256
 * The result must be the one of a loop over the input. */
#include "common/data.h"

#include <stdlib.h>

enum { BLOCK = 256, GROUP = 128 };

struct scan {
    struct host h;
    cl_kernel blocks, add;
};

/* Scans n elements of `data` in place. */
static void scan(const struct scan *s, cl_mem data, size_t n)
{
    size_t blocks = (n + BLOCK - 1) / BLOCK;
    cl_mem sums = host_buffer(&s->h, blocks * sizeof(uint32_t), NULL);
    host_buffers(s->blocks, 2, (cl_mem[]){data, sums});
    host_word(s->blocks, 2, (uint32_t)n);
    host_launch(&s->h, s->blocks, blocks * GROUP, GROUP);
    if (blocks > 1) {
        scan(s, sums, blocks);
        host_buffers(s->add, 2, (cl_mem[]){data, sums});
        host_launch(&s->h, s->add, n, BLOCK);
    }
    host_release(1, &sums);
}

static uint32_t *run(const uint32_t *x, size_t n)
{
    struct scan s = {.h = host_open("scan/scan.cl")};
    s.blocks = host_kernel(&s.h, "scan_blocks");
    s.add = host_kernel(&s.h, "scan_add");
    cl_mem data = host_buffer(&s.h, n * sizeof *x, x);
    scan(&s, data, n);
    uint32_t *out = host_fetch(&s.h, data, n * sizeof *x);
    host_release(1, &data);
    clReleaseKernel(s.blocks);
    clReleaseKernel(s.add);
    host_close(&s.h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a power of two", 1 << 16, 256, 1ul << 28, 0}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value, wrong = 0;
    uint32_t *x = data_words(n, 1), *y = run(x, n), before = 0;
    for (size_t i = 0; i < n; before += x[i++])
        wrong += y[i] != before;
    free(x);
    free(y);
    return data_verdict("scan", n, "integers", wrong);
}
