/* binomial.c - prices of N European calls by binomial trees of STEPS steps, in local memory.
 *
 * Usage: binomial [N] [STEPS]     N a multiple of 4
 * The result is compared with the sum over the leaves, each with its binomial probability. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { VECTOR = 4 };

static double price(double u, size_t steps)
{
    double spot = 5 + 25 * u, strike = 1 + 99 * (1 - u), years = 0.25 + 9.75 * u;
    double n = (double)steps, rate = 0.02, jump = 0.3 * sqrt(years / n), sum = 0;
    double chance = (exp(rate * years / n) - exp(-jump)) / (exp(jump) - exp(-jump));
    for (size_t i = 0; i <= steps; i++) {
        double k = (double)i, ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
        double gain = spot * exp(jump * (2 * k - n)) - strike;
        if (gain > 0) sum += gain * exp(ways + k * log(chance) + (n - k) * log(1 - chance));
    }
    return sum * exp(-rate * years);
}

static float *run(const float *u, size_t n, size_t steps)
{
    struct host h = host_open("binomial/binomial.cl");
    size_t bytes = n * sizeof *u, leaves = steps + 1;
    cl_mem buffer[] = {host_buffer(&h, bytes, u), host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, "binomial");
    host_buffers(kernel, 2, buffer);
    host_arg(kernel, 2, leaves * VECTOR * sizeof *u, NULL);
    host_arg(kernel, 3, leaves * VECTOR * sizeof *u, NULL);
    host_word(kernel, 4, (uint32_t)steps);
    host_launch(&h, kernel, n / VECTOR * leaves, leaves);
    float *out = host_fetch(&h, buffer[1], bytes);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 4", 32, VECTOR, 1 << 22, VECTOR},
                             {"STEPS", "steps of a tree", 255, 8, 255, 1}};
    data_args(argc, argv, arg, 2);
    size_t n = arg[0].value;
    float *u = data_floats(n, 1), *out = run(u, n, arg[1].value), *want = data_new(n, sizeof *u);
    for (size_t i = 0; i < n; i++)
        want[i] = (float)price((double)u[i], arg[1].value);
    size_t wrong = data_wrong_floats(out, want, n, 5e-4);
    free(u);
    free(out);
    free(want);
    return data_verdict("binomial", n, "prices", wrong);
}
