/* mersenne.c - normal deviates: a Mersenne twister per work-item, then Box-Muller.
 *
 * Usage: mersenne [N] [FACTOR]     N work-items, FACTOR vectors of four deviates each
 * The result is compared with the generator by its definition on numbers of 128 bits. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 256, STATE = 5 };
__extension__ typedef unsigned __int128 wide;

static wide pack(const uint32_t w[4])
{
    wide v = 0;
    for (int i = 3; i >= 0; i--)
        v = v << 32 | w[i];
    return v;
}

static uint32_t word(wide v, int i)
{
    return (uint32_t)(v >> 32 * i);
}

/* SFMT-607: x_n from x_(n-5), x_(n-3), x_(n-2), x_(n-1). */
static wide next(wide x[STATE])
{
    static const uint32_t mask[] = {0xfdff37ff, 0xef7f3f7d, 0xff777b7d, 0x7ff7fb2f};
    wide v = x[0] ^ x[0] << 24 ^ x[3] >> 24;
    uint32_t w[4];
    for (int i = 0; i < 4; i++)
        w[i] = word(v, i) ^ (word(x[2], i) >> 13 & mask[i]) ^ word(x[4], i) << 15;
    for (int i = 0; i + 1 < STATE; i++)
        x[i] = x[i + 1];
    return x[STATE - 1] = pack(w);
}

static double uniform(wide v, int i)
{
    return ((double)(word(v, i) >> 8) + 1) * 0x1p-24;
}

static void deviates(const uint32_t seed[4], float *out, size_t factor)
{
    uint32_t w[STATE][4];
    wide x[STATE];
    for (uint32_t s = 0; s < STATE; s++) {
        for (int i = 0; i < 4; i++)
            w[s][i] = s ? 1812433253u * (w[s - 1][i] ^ w[s - 1][i] >> 30) + s : seed[i];
        x[s] = pack(w[s]);
    }
    for (size_t n = 0; n < factor; n += 2) {
        wide u = next(x), v = next(x);
        for (int i = 0; i < 4; i++) {
            double radius = sqrt(-2 * log(uniform(u, i))), angle = 2 * acos(-1) * uniform(v, i);
            out[4 * n + (size_t)i] = (float)(radius * cos(angle));
            out[4 * n + 4 + (size_t)i] = (float)(radius * sin(angle));
        }
    }
}

static float *run(const uint32_t *seed, size_t n, size_t factor)
{
    struct host h = host_open("mersenne/mersenne.cl");
    size_t bytes = n * factor * 4 * sizeof(float);
    cl_mem buffer[] = {host_buffer(&h, n * 4 * sizeof *seed, seed), host_buffer(&h, bytes, NULL)};
    cl_kernel kernel = host_kernel(&h, "mersenne");
    host_buffers(kernel, 2, buffer);
    host_word(kernel, 2, (uint32_t)factor);
    host_launch(&h, kernel, n, GROUP);
    float *out = host_fetch(&h, buffer[1], bytes);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 256", 4096, GROUP, 1 << 24, GROUP},
                             {"FACTOR", "even", 16, 2, 64, 2}};
    data_args(argc, argv, arg, 2);
    size_t n = arg[0].value, factor = arg[1].value;
    uint32_t *seed = data_words(4 * n, 1);
    float *out = run(seed, n, factor), *want = data_new(n * factor * 4, sizeof *want);
    for (size_t i = 0; i < n; i++)
        deviates(seed + 4 * i, want + 4 * factor * i, factor);
    size_t wrong = data_wrong_floats(out, want, n * factor * 4, 1e-4);
    free(seed);
    free(out);
    free(want);
    return data_verdict("mersenne", n * factor * 4, "deviates", wrong);
}
