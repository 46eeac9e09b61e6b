/* heartwall.c - follows points on two ellipses, as on the inner and outer wall of a heart, from
 * frame to frame by template matching, a CTA per point.
 *
 * Usage: heartwall [POINTS [FRAMES [RADIUS [REACH]]]]      12, 2, 6, 5 if not given
 * Templates have 2 RADIUS + 1 pixels a side, points are looked for up to REACH pixels away.  The
 * frames are a speckled picture that is moved by known steps, with noise: every point must be found
 * where it was moved to; the last map of correlations and the templates are compared with the
 * host's, which computes means and spreads directly in double precision. */
#include "common/program.h"

#include <math.h>

enum { WORD = sizeof(float) };

struct film {
    cl_uint points, frames, radius, reach, side, wide, places, width;
    float *speckle, *frame; /* width x width */
    float *model;           /* the templates as they should be */
    cl_uint *start;         /* upper left corners of the windows, x and y of each point */
    cl_uint *corner;        /* as they should be now */
};

struct device {
    cl_kernel track;
    cl_mem frame, corner, model, map;
};

static const double kept = 0.9;

static float *speckles(struct program *p, cl_uint width)
{
    size_t n = (size_t)width * width;
    const float *noise = program_floats(p, n, 21, 0, 1);
    float *smooth = program_array(p, n, WORD);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 9; k++)
            smooth[i] += noise[(i + k % 3 + k / 3 * width) % n] / 9;
    return smooth;
}

/* Of frame k against the first. */
static int moved(const struct film *f, cl_uint k, int axis)
{
    return (int)lrint(f->reach * sin(0.7 * k + axis) - f->reach * sin(axis));
}

static void show_frame(struct film *f, cl_uint k)
{
    struct data_random r = {100 + k};
    cl_uint w = f->width, dx = w - (cl_uint)moved(f, k, 0), dy = w - (cl_uint)moved(f, k, 1);
    for (cl_uint i = 0; i < w * w; i++)
        f->frame[i] =
            f->speckle[(i / w + dy) % w * w + (i % w + dx) % w] + 0.02f * (data_uniform(&r) - 0.5f);
    for (cl_uint i = 0; i < 2 * f->points; i++)
        f->corner[i] = f->start[i] + (cl_uint)moved(f, k, (int)(i % 2));
}

static double window_pixel(const struct film *f, cl_uint point, cl_uint x, cl_uint y)
{
    return f->frame[(f->corner[2 * point + 1] + y) * f->width + f->corner[2 * point] + x];
}

/* Takes the pixels around where the point now is into its template, `share` of the old one kept. */
static void learn(const struct film *f, cl_uint point, double share)
{
    for (cl_uint i = 0; i < f->side * f->side; i++) {
        float *m = &f->model[point * f->side * f->side + i];
        *m = (float)(share * *m + (1 - share) * window_pixel(f, point, f->reach + i % f->side,
                                                             f->reach + i / f->side));
    }
}

static void set_up(struct program *p, struct film *f)
{
    f->side = 2 * f->radius + 1, f->places = 2 * f->reach + 1, f->wide = f->side + 2 * f->reach;
    f->width = 4 * f->wide + 8 * f->reach;
    f->speckle = speckles(p, f->width);
    f->frame = program_array(p, (size_t)f->width * f->width, WORD);
    f->model = program_array(p, (size_t)f->points * f->side * f->side, WORD);
    f->start = program_array(p, 2 * (size_t)f->points, WORD);
    f->corner = program_array(p, 2 * (size_t)f->points, WORD);
    for (cl_uint i = 0; i < 2 * f->points; i++) {
        double turn = 6.2831853 * (i / 2) / f->points, radius = i / 2 % 2 ? 0.24 : 0.14;
        double at = i % 2 ? 0.8 * sin(turn) : cos(turn);
        f->start[i] = (cl_uint)(f->width * (0.5 + radius * at)) - f->wide / 2;
    }
    show_frame(f, 0);
    for (cl_uint i = 0; i < f->points; i++)
        learn(f, i, 0);
}

static void open_device(struct program *p, const struct film *f, struct device *d)
{
    size_t n = f->points * (size_t)WORD, window = n * f->wide * f->wide;
    size_t table = n * (f->wide + 1) * (f->wide + 1), side = f->side, places = f->places;
    const void *zero = program_array(p, table, 1);
    d->frame = program_buffer(p, (size_t)f->width * f->width * WORD, NULL);
    d->corner = program_buffer(p, 2 * n, f->start);
    d->model = program_buffer(p, n * side * side, f->model);
    cl_mem windows = program_buffer(p, window, NULL);
    cl_mem sums = program_buffer(p, table, zero), squares = program_buffer(p, table, zero);
    d->map = program_buffer(p, n * places * places, NULL);
    d->track = program_kernel(p, "heartwall_track", "bbbbbbbuuu", d->frame, d->corner, d->model,
                              windows, sums, squares, d->map, f->width, f->side, f->wide);
}

/* The point's window of this frame at offset (x, y) against its template. */
static double correlation(const struct film *f, cl_uint point, cl_uint x, cl_uint y)
{
    const float *m = f->model + point * f->side * f->side;
    cl_uint n = f->side * f->side;
    double mean_m = 0, mean_w = 0, spread_m = 0, spread_w = 0, both = 0;
    for (cl_uint i = 0; i < n; i++) {
        mean_m += (double)m[i] / n;
        mean_w += window_pixel(f, point, x + i % f->side, y + i / f->side) / n;
    }
    for (cl_uint i = 0; i < n; i++) {
        double a = m[i] - mean_m;
        double b = window_pixel(f, point, x + i % f->side, y + i / f->side) - mean_w;
        spread_m += a * a, spread_w += b * b, both += a * b;
    }
    return both / sqrt(spread_m * spread_w);
}

/* The last frame's map is of the windows around the places in the frame before it. */
static size_t maps_wrong(const struct film *f, const float *map)
{
    size_t wrong = 0;
    cl_uint n = f->places * f->places;
    for (cl_uint point = 0; point < f->points; point++) {
        int dx = moved(f, f->frames, 0) - moved(f, f->frames - 1, 0);
        int dy = moved(f, f->frames, 1) - moved(f, f->frames - 1, 1);
        for (cl_uint i = 0; i < n; i++) {
            cl_uint x = i % f->places - (cl_uint)dx, y = i / f->places - (cl_uint)dy;
            wrong += !(fabs(map[point * n + i] - correlation(f, point, x, y)) < 1e-3);
        }
    }
    return wrong;
}

static size_t run(struct program *p, struct film *f, const struct device *d)
{
    size_t wrong = 0, n = (size_t)f->points * f->side * f->side;
    for (cl_uint k = 1; k <= f->frames; k++) {
        show_frame(f, k);
        program_write(p, d->frame, f->frame, (size_t)f->width * f->width * WORD);
        host_launch(&p->host, d->track, (size_t)f->points * PROGRAM_GROUP, PROGRAM_GROUP);
        const cl_uint *corner = program_read(p, d->corner, 2 * f->points * (size_t)WORD);
        wrong += data_wrong_bytes(corner, f->corner, f->points, 2 * WORD);
        if (k == f->frames)
            wrong += maps_wrong(
                f, program_read(p, d->map, (size_t)f->points * f->places * f->places * WORD));
        for (cl_uint i = 0; i < f->points; i++)
            learn(f, i, kept);
    }
    return wrong + data_wrong_floats(program_read(p, d->model, n * WORD), f->model, n, 1e-4);
}

int main(int argc, char **argv)
{
    struct program p;
    struct film f;
    struct device d;
    program_open(&p, "heartwall",
                 "heartwall [POINTS <= 256 [FRAMES <= 100 [RADIUS [REACH]]]], RADIUS and REACH "
                 "from 2 to 40",
                 argc, argv);
    f.points = program_number(&p, 12, 1, 256);
    f.frames = program_number(&p, 2, 1, 100);
    f.radius = program_number(&p, 6, 2, 40);
    f.reach = program_number(&p, 5, 2, 40);
    program_start(&p);
    set_up(&p, &f);
    open_device(&p, &f, &d);
    size_t wrong = run(&p, &f, &d);
    return program_end(&p, wrong, "%u points, %u frames", f.points, f.frames);
}
