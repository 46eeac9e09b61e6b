/* fwt.c - fast Walsh transform of N floats: log2(N) launches of one butterfly per work-item.
 *
 * Usage: fwt [N]      N a power of two, at least 512; 262144 if not given
 * The result is compared with the transform computed on the host. */
#include "common/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256 };

/* Small integers, so that sums are exact and the comparison can be too. */
static float *make_input(size_t n)
{
    float *x = malloc(n * sizeof *x);
    if (!x) host_fail("out of memory");
    unsigned long state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        x[i] = (float)(state >> 60) - 8.0f;
    }
    return x;
}

/* By recursion over halves: the definition H(2n) = ((H, H), (H, -H)). */
static void transform(float *x, size_t n)
{
    if (n == 1) return;
    for (size_t i = 0; i < n / 2; i++) {
        float a = x[i], b = x[i + n / 2];
        x[i] = a + b;
        x[i + n / 2] = a - b;
    }
    transform(x, n / 2);
    transform(x + n / 2, n / 2);
}

static void run(const struct host *h, cl_mem data, size_t n)
{
    cl_kernel kernel = host_kernel(h, "fwt_stage");
    host_arg(kernel, 0, sizeof data, &data);
    for (size_t distance = 1; distance < n; distance *= 2) {
        cl_uint d = (cl_uint)distance;
        host_arg(kernel, 1, sizeof d, &d);
        host_launch(h, kernel, n / 2, GROUP);
    }
    clReleaseKernel(kernel);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 262144;
    if (argc > 2 || n < 2 * GROUP || n > 1ul << 30 || n & (n - 1))
        host_fail("usage: fwt [N], N a power of two from 512 to 2^30");
    float *x = make_input(n), *y = malloc(n * sizeof *y);
    if (!y) host_fail("out of memory");
    struct host h = host_open("fwt/fwt.cl");
    cl_mem data = host_buffer(&h, n * sizeof *x, x);
    run(&h, data, n);
    host_read(&h, data, y, n * sizeof *y);
    clReleaseMemObject(data);
    host_close(&h);
    transform(x, n);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += fabsf(x[i] - y[i]) > 0;
    printf("fwt: %zu floats, %zu wrong\n", n, wrong);
    free(x);
    free(y);
    return wrong != 0;
}
