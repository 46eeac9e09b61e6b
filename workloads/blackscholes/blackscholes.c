/* blackscholes.c - prices of N European options, a call and a put each.
 *
 * Usage: blackscholes [N]     N a multiple of 1,024
 * The result is compared with the formula in double precision, with erfc for the distribution. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 256, VECTOR = 4 };

static double normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static void price(double u, float *call, float *put)
{
    double s = 10 + 90 * u, k = 10 + 90 * (1 - u), t = 1 + 9 * u, r = 0.01 + 0.04 * u;
    double v = (0.1 - 0.05 * u) * sqrt(t), d = (log(s / k) + r * t) / v + v / 2;
    double later = k * exp(-r * t);
    *call = (float)(s * normal(d) - later * normal(d - v));
    *put = (float)(later * normal(v - d) - s * normal(-d));
}

/* The calls, then the puts. */
static float *run(const float *u, size_t n)
{
    struct host h = host_open("blackscholes/blackscholes.cl");
    size_t bytes = n * sizeof *u;
    cl_mem buffer[] = {host_buffer(&h, bytes, u), host_buffer(&h, bytes, NULL),
                       host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, "black_scholes");
    host_buffers(kernel, 3, buffer);
    host_launch(&h, kernel, n / VECTOR, GROUP);
    float *out = data_new(2 * n, sizeof *out);
    host_read(&h, buffer[1], out, bytes);
    host_read(&h, buffer[2], out + n, bytes);
    clReleaseKernel(kernel);
    host_release(3, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 1024", 1 << 16, 1024, 1ul << 28, 1024}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value;
    float *u = data_floats(n, 1), *out = run(u, n), *want = data_new(2 * n, sizeof *want);
    for (size_t i = 0; i < n; i++)
        price((double)u[i], &want[i], &want[n + i]);
    size_t wrong = data_wrong_floats(out, want, 2 * n, 1e-4);
    free(u);
    free(out);
    free(want);
    return data_verdict("blackscholes", 2 * n, "prices", wrong);
}
