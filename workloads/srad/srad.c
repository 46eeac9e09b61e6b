/* srad.c - speckle-reducing anisotropic diffusion (Yu and Acton 2002) of an N x N picture: a sum
 * over the picture and two stencils per round.
 *
 * Usage: srad [N [ROUNDS]]      128 2 if not given
 * Compared with the same rounds on the host. */
#include "common/program.h"

enum { WORD = sizeof(float) };

struct diffusion {
    cl_uint n;
    cl_uint *above, *below; /* neighbours of a row or column; at the edge, itself */
    cl_mem picture, sums, above_of, below_of, slope, readiness;
};

static float speckle_of(double sum, double squares, double cells)
{
    double mean = sum / cells;
    return (float)((squares / cells - mean * mean) / (mean * mean));
}

static float coefficient(const float *j, const struct diffusion *d, size_t x, size_t y,
                         float *slope, float speckle)
{
    size_t n = d->n;
    float here = j[y * n + x], g = 0, l = 0;
    slope[0] = j[d->above[y] * n + x] - here, slope[1] = j[d->below[y] * n + x] - here;
    slope[2] = j[y * n + d->above[x]] - here, slope[3] = j[y * n + d->below[x]] - here;
    for (int i = 0; i < 4; i++)
        g += slope[i] * slope[i], l += slope[i];
    g /= here * here, l /= here;
    float q = (0.5f * g - l * l / 16) / ((1 + 0.25f * l) * (1 + 0.25f * l));
    float c = 1 / (1 + (q - speckle) / (speckle * (1 + speckle)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void reference(struct program *p, const struct diffusion *d, float *j, cl_uint rounds)
{
    size_t n = d->n;
    float *c = program_array(p, n * n, sizeof *c);
    float(*slope)[4] = program_array(p, n * n, sizeof *slope);
    for (cl_uint r = 0; r < rounds; r++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < n * n; i++)
            sum += j[i], squares += j[i] * j[i];
        float speckle = speckle_of(sum, squares, (double)(n * n));
        for (size_t i = 0; i < n * n; i++)
            c[i] = coefficient(j, d, i % n, i / n, slope[i], speckle);
        for (size_t i = 0; i < n * n; i++) {
            size_t x = i % n, y = i / n;
            j[i] += 0.125f * (c[i] * slope[i][0] + c[d->below[y] * n + x] * slope[i][1] +
                              c[i] * slope[i][2] + c[y * n + d->below[x]] * slope[i][3]);
        }
    }
}

static void set_up(struct program *p, struct diffusion *d, const float *picture)
{
    size_t bytes = (size_t)d->n * d->n * WORD;
    d->above = program_array(p, d->n, WORD), d->below = program_array(p, d->n, WORD);
    for (cl_uint i = 0; i < d->n; i++) {
        d->above[i] = i > 0 ? i - 1 : i;
        d->below[i] = i + 1 < d->n ? i + 1 : i;
    }
    d->picture = program_buffer(p, bytes, picture);
    d->sums = program_buffer(p, bytes, NULL);
    d->above_of = program_buffer(p, d->n * (size_t)WORD, d->above);
    d->below_of = program_buffer(p, d->n * (size_t)WORD, d->below);
    d->slope = program_buffer(p, 4 * bytes, NULL);
    d->readiness = program_buffer(p, bytes, NULL);
}

static float measure(struct program *p, const struct diffusion *d, cl_kernel sums)
{
    size_t cells = (size_t)d->n * d->n, groups = (cells + PROGRAM_GROUP - 1) / PROGRAM_GROUP;
    double sum = 0, squares = 0;
    program_launch(p, sums, cells);
    const float *part = program_read(p, d->sums, groups * 2 * WORD);
    for (size_t i = 0; i < groups; i++)
        sum += part[2 * i], squares += part[2 * i + 1];
    return speckle_of(sum, squares, (double)cells);
}

static void run(struct program *p, const struct diffusion *d, cl_uint rounds)
{
    cl_kernel sums = program_kernel(p, "srad_sums", "bbu", d->picture, d->sums, d->n * d->n);
    cl_kernel update = program_kernel(p, "srad_update", "bbbbbu", d->picture, d->below_of,
                                      d->below_of, d->slope, d->readiness, d->n);
    for (cl_uint r = 0; r < rounds; r++) {
        cl_kernel coefficients = program_kernel(
            p, "srad_coefficients", "bbbbbbbfu", d->picture, d->above_of, d->below_of, d->above_of,
            d->below_of, d->slope, d->readiness, (double)measure(p, d, sums), d->n);
        program_launch_2d(p, coefficients, d->n, d->n, 16);
        program_launch_2d(p, update, d->n, d->n, 16);
    }
}

int main(int argc, char **argv)
{
    struct program p;
    struct diffusion d;
    program_open(&p, "srad", "srad [N [ROUNDS]], N from 16 to 4096, ROUNDS up to 32", argc, argv);
    d.n = program_number(&p, 128, 16, 4096);
    cl_uint rounds = program_number(&p, 2, 1, 32);
    program_start(&p);
    size_t cells = (size_t)d.n * d.n;
    float *picture = program_floats(&p, cells, 1, 1, 2.7f);
    set_up(&p, &d, picture);
    run(&p, &d, rounds);
    const float *got = program_read(&p, d.picture, cells * WORD);
    reference(&p, &d, picture, rounds);
    size_t wrong = data_wrong_floats(got, picture, cells, 1e-4f);
    return program_end(&p, wrong, "%u x %u, %u rounds", d.n, d.n, rounds);
}
