/* urng.c - uniform noise on an RGBA picture.
 *
 * Usage: urng [WIDTH] [HEIGHT] [FACTOR]     WIDTH a multiple of 64; FACTOR the span of the noise
 * The result must be what the generator computed in 64 bits, with a remainder, gives. */
#include "common/data.h"

#include <stdlib.h>

enum { GROUP = 64, RGBA = 4, WARM_UP = 8, TABLE = 16 };

static uint64_t next(uint64_t seed)
{
    return 16807 * seed % 2147483647;
}

static void add_noise(const uint8_t *in, uint8_t *out, uint64_t factor)
{
    uint64_t seed = 1ul + in[0] + in[1] + in[2] + in[3], table[TABLE];
    for (int i = 0; i < WARM_UP; i++)
        seed = next(seed);
    for (int i = 0; i < TABLE; i++)
        table[i] = seed = next(seed);
    uint64_t noise = (table[seed >> 27] >> 15) * factor >> 16;
    for (int i = 0; i < RGBA; i++)
        out[i] = in[i] + noise > 255 ? 255 : (uint8_t)(in[i] + noise);
}

static uint8_t *run(const uint8_t *in, size_t n, size_t factor)
{
    struct host h = host_open("urng/urng.cl");
    cl_mem buffer[] = {host_buffer(&h, n * RGBA, in), host_buffer(&h, n * RGBA, NULL)};
    cl_kernel kernel = host_kernel(&h, "urng");
    host_buffers(kernel, 2, buffer);
    host_word(kernel, 2, (uint32_t)factor);
    host_launch(&h, kernel, n, GROUP);
    uint8_t *out = host_fetch(&h, buffer[1], n * RGBA);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"WIDTH", "a multiple of 64", 128, GROUP, 16384, GROUP},
                             {"HEIGHT", "rows", 128, 1, 16384, 1},
                             {"FACTOR", "the span of the noise", 25, 1, 255, 1}};
    data_args(argc, argv, arg, 3);
    size_t n = arg[0].value * arg[1].value;
    uint8_t *in = data_picture(arg[0].value, arg[1].value, 1), *want = data_new(n, RGBA);
    uint8_t *out = run(in, n, arg[2].value);
    for (size_t i = 0; i < n; i++)
        add_noise(in + RGBA * i, want + RGBA * i, arg[2].value);
    size_t wrong = data_wrong_bytes(out, want, n, RGBA);
    free(in);
    free(out);
    free(want);
    return data_verdict("urng", n, "pixels", wrong);
}
