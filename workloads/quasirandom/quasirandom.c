/* quasirandom.c - N elements of Sobol's sequence in D dimensions.
 *
 * Usage: quasirandom [N] [D]     N a power of two from 256
 * Direction numbers: dimension 0 is van der Corput's; each other has a primitive polynomial of its
 * own (found here, by the order of x) and random odd first numbers (Bratley and Fox, TOMS 14(1),
 * 1988). The result must be what Antonov and Saleev's order of the same sequence gives, and in each
 * dimension every interval [k/N, (k+1)/N) must hold exactly one element. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 256, BITS = 32, MOST = 64 };

/* Whether the order of x modulo the polynomial of that degree is 2^degree - 1. */
static bool primitive(uint32_t polynomial, unsigned degree)
{
    uint32_t x = 1, all = (1u << degree) - 1;
    for (uint32_t n = 1; n <= all; n++) {
        x <<= 1;
        if (x >> degree & 1) x ^= polynomial;
        if (x == 1) return n == all;
    }
    return false;
}

static void recur(uint32_t v[BITS], uint32_t polynomial, unsigned degree, struct data_random *r)
{
    for (unsigned i = 0; i < BITS; i++) {
        if (i < degree) {
            v[i] = (data_next(r) | 1) << (BITS - 1 - i);
            continue;
        }
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned k = 1; k < degree; k++)
            if (polynomial >> (degree - k) & 1) v[i] ^= v[i - k];
    }
}

static uint32_t *directions(size_t dimensions)
{
    struct data_random r = {1};
    uint32_t *v = data_new(dimensions * BITS, sizeof *v);
    for (unsigned i = 0; i < BITS; i++)
        v[i] = 1u << (BITS - 1 - i);
    uint32_t polynomial = 1;
    unsigned degree = 1;
    for (size_t d = 1; d < dimensions; d++) {
        do {
            polynomial += 2;
            while (polynomial >> (degree + 1))
                degree++;
        } while (!primitive(polynomial, degree));
        recur(v + d * BITS, polynomial, degree, &r);
    }
    return v;
}

static float *run(const uint32_t *v, size_t n, size_t dimensions)
{
    struct host h = host_open("quasirandom/quasirandom.cl");
    size_t bytes = n * dimensions * sizeof(float);
    cl_mem buffer[] = {host_buffer(&h, dimensions * BITS * sizeof *v, v),
                       host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, "quasi_random");
    host_buffers(kernel, 2, buffer);
    host_word(kernel, 2, (uint32_t)(n / GROUP));
    host_launch(&h, kernel, n * dimensions, GROUP);
    float *out = host_fetch(&h, buffer[1], bytes);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return out;
}

/* By Gray code: the element after the i-th differs in the direction of i's lowest zero bit. */
static size_t wrong_elements(const float *x, const uint32_t v[BITS], size_t n)
{
    size_t wrong = 0;
    uint32_t element = 0;
    uint8_t *seen = data_new(n, 1);
    for (size_t i = 0; i < n; i++) {
        size_t at = i ^ i >> 1, interval = (size_t)(x[at] * (float)n);
        wrong += x[at] != (float)(element >> 8) * 0x1p-24f || interval >= n || seen[interval]++;
        element ^= v[__builtin_ctzll(~(unsigned long long)i)];
    }
    free(seen);
    return wrong;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a power of two", 4096, GROUP, 1 << 22, 0},
                             {"D", "dimensions", 16, 1, MOST, 1}};
    data_args(argc, argv, arg, 2);
    size_t n = arg[0].value, dimensions = arg[1].value, wrong = 0;
    uint32_t *v = directions(dimensions);
    float *out = run(v, n, dimensions);
    for (size_t d = 0; d < dimensions; d++)
        wrong += wrong_elements(out + d * n, v + d * BITS, n);
    free(v);
    free(out);
    return data_verdict("quasirandom", n * dimensions, "elements", wrong);
}
