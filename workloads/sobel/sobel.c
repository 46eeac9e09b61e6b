/* sobel.c - Sobel's edge filter on an RGBA picture.
 *
 * Usage: sobel [WIDTH] [HEIGHT]     multiples of 16
 * The result must be the gradient computed in integers and one square root, to the last level. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 16, RGBA = 4 };

/* A channel of the pixel whose first byte is `p`. */
static uint8_t gradient(const uint8_t *p, size_t width)
{
    static const int weight[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    int gx = 0, gy = 0;
    const uint8_t *corner = p - RGBA * (width + 1);
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < 3; i++) {
            int v = corner[RGBA * (j * width + i)];
            gx += weight[j][i] * v;
            gy += weight[i][j] * v;
        }
    double level = sqrt(gx * gx + gy * gy) / 2;
    return level > 255 ? 255 : (uint8_t)level;
}

static uint8_t *filtered(const uint8_t *in, size_t width, size_t height)
{
    uint8_t *out = data_new(width * height, RGBA);
    for (size_t y = 1; y + 1 < height; y++)
        for (size_t i = RGBA; i < RGBA * (width - 1); i++)
            out[RGBA * width * y + i] = gradient(in + RGBA * width * y + i, width);
    return out;
}

static uint8_t *run(const uint8_t *in, size_t width, size_t height)
{
    struct host h = host_open("sobel/sobel.cl");
    size_t bytes = width * height * RGBA;
    uint8_t *zero = data_new(bytes, 1);
    cl_mem buffer[] = {host_buffer(&h, bytes, in), host_buffer(&h, bytes, zero)};
    cl_kernel kernel = host_kernel(&h, "sobel");
    host_buffers(kernel, 2, buffer);
    host_launch_2d(&h, kernel, (size_t[]){width, height}, (size_t[]){GROUP, GROUP});
    uint8_t *out = host_fetch(&h, buffer[1], bytes);
    free(zero);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"WIDTH", "a multiple of 16", 256, GROUP, 16384, GROUP},
                             {"HEIGHT", "a multiple of 16", 256, GROUP, 16384, GROUP}};
    data_args(argc, argv, arg, 2);
    size_t width = arg[0].value, height = arg[1].value;
    uint8_t *in = data_picture(width, height, 1), *out = run(in, width, height);
    uint8_t *want = filtered(in, width, height);
    size_t wrong = data_wrong_bytes(out, want, width * height, RGBA);
    free(in);
    free(out);
    free(want);
    return data_verdict("sobel", width * height, "pixels", wrong);
}
