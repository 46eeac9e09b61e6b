/* recursivegaussian.c - Gaussian blur of an RGBA picture by recursive filters: columns, transpose,
 * columns, transpose.
 *
 * Usage: recursivegaussian [WIDTH] [HEIGHT]     multiples of 64
 * The result is compared with the filter in double precision: each of the four roundings to a byte
 * moves a level by at most a half, and the second filter spreads what the first did. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 64, TILE = 16, RGBA = 4 };

struct filter {
    float a[4], b[2];
};

/* Deriche's coefficients for a blur of `sigma` pixels. */
static struct filter design(double sigma)
{
    double alpha = 1.695 / sigma, e = exp(-alpha);
    double k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e * e);
    return (struct filter){.a = {(float)k, (float)(k * (alpha - 1) * e),
                                 (float)(k * (alpha + 1) * e), (float)(-k * e * e)},
                           .b = {(float)(-2 * e), (float)(e * e)}};
}

/* n values, `step` apart, in place. */
static void blur_line(double *v, size_t n, size_t step, const struct filter *f)
{
    double *up = data_new(n + 2, sizeof *up), *in = data_new(n + 2, sizeof *in);
    for (size_t i = 0; i < n; i++)
        in[i] = v[i * step];
    for (size_t i = n; i-- > 0;)
        up[i] = (double)f->a[2] * in[i + 1] + (double)f->a[3] * in[i + 2] -
                (double)f->b[0] * up[i + 1] - (double)f->b[1] * up[i + 2];
    double in1 = 0, y1 = 0, y2 = 0;
    for (size_t i = 0; i < n; i++) {
        double y = (double)f->a[0] * in[i] + (double)f->a[1] * in1 - (double)f->b[0] * y1 -
                   (double)f->b[1] * y2;
        in1 = in[i];
        y2 = y1;
        y1 = y;
        v[i * step] = y + up[i];
    }
    free(up);
    free(in);
}

static size_t wrong_levels(const uint8_t *in, const uint8_t *out, size_t width, size_t height,
                           const struct filter *f)
{
    size_t n = width * height * RGBA, wrong = 0;
    double *v = data_new(n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = in[i];
    for (size_t i = 0; i < width * RGBA; i++)
        blur_line(v + i, height, width * RGBA, f);
    for (size_t i = 0; i < height * RGBA; i++)
        blur_line(v + i / RGBA * RGBA * width + i % RGBA, width, RGBA, f);
    for (size_t i = 0; i < n; i++)
        wrong += !(fabs(v[i] - out[i]) <= 2.5);
    free(v);
    return wrong;
}

static void pass(const struct host *h, const cl_kernel kernel[2], const cl_mem buffer[2],
                 const size_t size[2], const struct filter *f)
{
    for (int i = 0; i < 2; i++) {
        host_buffers(kernel[i], 2, (cl_mem[]){buffer[i], buffer[1 - i]});
        host_word(kernel[i], 2, (uint32_t)size[0]);
        host_word(kernel[i], 3, (uint32_t)size[1]);
    }
    host_arg(kernel[0], 4, sizeof f->a, f->a);
    host_arg(kernel[0], 5, sizeof f->b, f->b);
    host_launch(h, kernel[0], size[0], GROUP);
    host_launch_2d(h, kernel[1], size, (size_t[]){TILE, TILE});
}

static uint8_t *run(const uint8_t *in, size_t width, size_t height, const struct filter *f)
{
    struct host h = host_open("recursivegaussian/recursivegaussian.cl");
    size_t bytes = width * height * RGBA;
    cl_mem buffer[] = {host_buffer(&h, bytes, in), host_buffer(&h, bytes, NULL)};
    cl_kernel kernel[] = {host_kernel(&h, "blur_columns"), host_kernel(&h, "transpose")};
    pass(&h, kernel, buffer, (size_t[]){width, height}, f);
    pass(&h, kernel, buffer, (size_t[]){height, width}, f);
    uint8_t *out = host_fetch(&h, buffer[0], bytes);
    clReleaseKernel(kernel[0]);
    clReleaseKernel(kernel[1]);
    host_release(2, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"WIDTH", "a multiple of 64", 256, GROUP, 16384, GROUP},
                             {"HEIGHT", "a multiple of 64", 128, GROUP, 16384, GROUP}};
    data_args(argc, argv, arg, 2);
    size_t width = arg[0].value, height = arg[1].value;
    struct filter f = design(4);
    uint8_t *in = data_picture(width, height, 1), *out = run(in, width, height, &f);
    size_t wrong = wrong_levels(in, out, width, height, &f);
    free(in);
    free(out);
    return data_verdict("recursivegaussian", width * height * RGBA, "levels", wrong);
}
