/* dwt2d.c - two-dimensional wavelet transform (reversible 5/3, as in JPEG 2000) of the three
 * components of a picture, over several levels.
 *
 * Usage: dwt2d [WIDTH [HEIGHT [LEVELS]]]      256 x 128, 2 levels if not given
 * 1 + 3 LEVELS launches.  Every coefficient must be what lifting whole rows and columns gives. */
#include "common/program.h"

#include <stdlib.h>

enum { WIDE = 64, ROWS = 8, SLIDES = 4, MOST_LEVELS = 6, WORD = sizeof(cl_int) };

struct picture {
    cl_uint width, height, levels;
    cl_uchar *rgb;
};

/* The same picture as for other programs, without alpha. */
static cl_uchar *colours(struct program *p, size_t width, size_t height)
{
    cl_uchar *rgb = program_array(p, width * height, 3);
    uint8_t *rgba = data_picture(width, height, 1);
    for (size_t i = 0; i < width * height * 3; i++)
        rgb[i] = rgba[i / 3 * 4 + i % 3];
    free(rgba);
    return rgb;
}

static int quarter(int x)
{
    return (x + 4096) / 4 - 1024; /* rounded down */
}

static int half(int x)
{
    return (x + 4096) / 2 - 2048;
}

/* n values, `stride` apart: low ones first. */
static void lift(cl_int *x, size_t n, size_t stride, cl_int *spare)
{
    cl_int *low = spare, *high = spare + n / 2;
    for (size_t i = 0; i < n / 2; i++) {
        size_t next = 2 * i + 2 < n ? 2 * i + 2 : n - 2;
        high[i] = x[(2 * i + 1) * stride] - half(x[2 * i * stride] + x[next * stride]);
    }
    for (size_t i = 0; i < n / 2; i++)
        low[i] = x[2 * i * stride] + quarter(high[i ? i - 1 : 0] + high[i] + 2);
    for (size_t i = 0; i < n; i++)
        x[i * stride] = spare[i];
}

static void reference_level(cl_int *x, size_t stride, size_t width, size_t height, cl_int *spare)
{
    for (size_t r = 0; r < height; r++)
        lift(x + r * stride, width, 1, spare);
    for (size_t c = 0; c < width; c++)
        lift(x + c, height, stride, spare);
}

/* How many of a band's coefficients differ from those of the reference at (x, y). */
static size_t band_wrong(const cl_int *band, const cl_int *want, size_t stride, size_t width,
                         size_t height)
{
    size_t wrong = 0;
    for (size_t i = 0; i < width * height; i++)
        wrong += band[i] != want[i / width * stride + i % width];
    return wrong;
}

static cl_mem run_level(struct program *p, cl_mem plane, cl_mem detail, size_t w, size_t h)
{
    cl_mem low = program_buffer(p, w * h / 4 * WORD, NULL);
    cl_kernel level = program_kernel(p, "dwt2d_level", "bbbuuu", plane, low, detail, (cl_uint)w,
                                     (cl_uint)h, SLIDES);
    const size_t items[2] = {w, (h + ROWS * SLIDES - 1) / (ROWS * SLIDES)};
    const size_t group[2] = {WIDE, 1};
    host_launch_2d(&p->host, level, items, group);
    return low;
}

/* All levels of a component, each compared with the reference in `want`. */
static size_t run_component(struct program *p, const struct picture *s, cl_mem plane, cl_int *want)
{
    size_t stride = s->width, wrong = 0;
    cl_int *spare = program_array(p, s->width + s->height, WORD);
    for (cl_uint l = 0; l < s->levels; l++) {
        size_t w = s->width >> l, h = s->height >> l, band = w * h / 4;
        cl_mem detail = program_buffer(p, 3 * band * WORD, NULL);
        plane = run_level(p, plane, detail, w, h);
        reference_level(want, stride, w, h, spare);
        const cl_int *got = program_read(p, detail, 3 * band * WORD);
        const cl_int *below = want + h / 2 * stride;
        wrong += band_wrong(got, want + w / 2, stride, w / 2, h / 2);
        wrong += band_wrong(got + band, below, stride, w / 2, h / 2);
        wrong += band_wrong(got + 2 * band, below + w / 2, stride, w / 2, h / 2);
        if (l + 1 == s->levels)
            wrong += band_wrong(program_read(p, plane, band * WORD), want, stride, w / 2, h / 2);
    }
    return wrong;
}

static size_t run(struct program *p, const struct picture *s)
{
    size_t pixels = (size_t)s->width * s->height, wrong = 0;
    cl_mem rgb = program_buffer(p, 3 * pixels, s->rgb), plane[3];
    cl_int *want = program_array(p, pixels, WORD);
    for (int c = 0; c < 3; c++)
        plane[c] = program_buffer(p, pixels * WORD, NULL);
    program_launch(p, program_kernel(p, "dwt2d_split", "bbbb", rgb, plane[0], plane[1], plane[2]),
                   pixels);
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < pixels; i++)
            want[i] = s->rgb[3 * i + c] - 128;
        wrong += run_component(p, s, plane[c], want);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    struct program p;
    struct picture s;
    program_open(&p, "dwt2d",
                 "dwt2d [WIDTH [HEIGHT [LEVELS]]], LEVELS up to 6, WIDTH a multiple of 32 x "
                 "2^LEVELS, HEIGHT of 4 x 2^LEVELS, both up to 8192",
                 argc, argv);
    s.width = program_number(&p, 256, WIDE, 8192);
    s.height = program_number(&p, 128, ROWS, 8192);
    s.levels = program_number(&p, 2, 1, MOST_LEVELS);
    cl_uint last = s.levels - 1;
    program_demand(&p, s.width % ((cl_uint)WIDE << last) == 0);
    program_demand(&p, s.height % ((cl_uint)ROWS << last) == 0);
    program_start(&p);
    s.rgb = colours(&p, s.width, s.height);
    return program_end(&p, run(&p, &s), "%u x %u, %u levels", s.width, s.height, s.levels);
}
