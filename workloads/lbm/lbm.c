/* lbm.c - flow around balls by the lattice-Boltzmann method, D3Q19, in a periodic box.
 *
 * Usage: lbm [NX [NY [NZ [STEPS]]]]      32 x 16 x 8 cells, 2 steps if not given
 * 156 bytes per cell.  Compared with the same steps on the host in double precision, written with
 * tables of directions, gathering instead of scattering; mass must stay. */
#include "common/program.h"

#include <math.h>

enum { Q = 19 };

static const int direction[Q][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                    {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                    {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                    {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

static const double rate = 0.9;

struct box {
    cl_uint size[3];
    size_t cells;
    cl_uint *solid;
};

static int length2(int q)
{
    const int *d = direction[q];
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static double weight(int q)
{
    static const double by_length[] = {1.0 / 3, 1.0 / 18, 1.0 / 36};
    return by_length[length2(q)];
}

static int opposite(int q)
{
    return q == 0 ? 0 : q % 2 ? q + 1 : q - 1;
}

static double equilibrium(int q, double density, const double u[3])
{
    double along = 0, square = 0;
    for (int i = 0; i < 3; i++)
        along += direction[q][i] * u[i], square += u[i] * u[i];
    return weight(q) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
}

static void collide(double f[Q])
{
    double density = 0, u[3] = {0, 0, 0};
    for (int q = 0; q < Q; q++) {
        density += f[q];
        for (int i = 0; i < 3; i++)
            u[i] += direction[q][i] * f[q];
    }
    for (int i = 0; i < 3; i++)
        u[i] /= density;
    for (int q = 0; q < Q; q++)
        f[q] += rate * (equilibrium(q, density, u) - f[q]);
}

static size_t upstream(const struct box *b, size_t cell, int q)
{
    size_t at[3] = {cell % b->size[0], cell / b->size[0] % b->size[1],
                    cell / b->size[0] / b->size[1]};
    for (int i = 0; i < 3; i++)
        at[i] = (size_t)((int)(at[i] + b->size[i]) - direction[q][i]) % b->size[i];
    return (at[2] * b->size[1] + at[1]) * b->size[0] + at[0];
}

static void reference_step(const struct box *b, double *f, double *next)
{
    for (size_t c = 0; c < b->cells; c++) {
        double mine[Q];
        for (int q = 0; q < Q; q++)
            mine[q] = f[(size_t)(b->solid[c] ? opposite(q) : q) * b->cells + c];
        if (!b->solid[c]) collide(mine);
        for (int q = 0; q < Q; q++)
            f[(size_t)q * b->cells + c] = mine[q];
    }
    for (int q = 0; q < Q; q++)
        for (size_t c = 0; c < b->cells; c++)
            next[(size_t)q * b->cells + c] = f[(size_t)q * b->cells + upstream(b, c, q)];
}

static const float *reference(struct program *p, const struct box *b, const float *start,
                              cl_uint steps)
{
    size_t n = Q * b->cells;
    double *f = program_array(p, n, sizeof *f), *next = program_array(p, n, sizeof *next);
    float *result = program_array(p, n, sizeof *result);
    for (size_t i = 0; i < n; i++)
        f[i] = start[i];
    for (cl_uint s = 0; s < steps; s++) {
        reference_step(b, f, next);
        double *spare = f;
        f = next, next = spare;
    }
    for (size_t i = 0; i < n; i++)
        result[i] = (float)f[i];
    return result;
}

static void put_ball(struct box *b, const cl_uint middle[3], float radius)
{
    for (int i = 0; i < 5 * 5 * 5; i++) {
        const int d[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
        size_t cell = 0;
        if ((float)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) >= radius * radius) continue;
        for (int k = 2; k >= 0; k--)
            cell = cell * b->size[k] + ((cl_uint)d[k] + middle[k] + b->size[k]) % b->size[k];
        b->solid[cell] = 1;
    }
}

/* One per 512 cells or so, of a radius from 1 to 2. */
static void put_balls(struct program *p, struct box *b)
{
    struct data_random r = {3};
    b->solid = program_array(p, b->cells, sizeof *b->solid);
    for (size_t i = 0; i <= b->cells / 512; i++) {
        cl_uint middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = data_next(&r) % b->size[k];
        put_ball(b, middle, 1.1f + 0.9f * data_uniform(&r));
    }
}

/* A gas that streams along x, with some noise. */
static float *first_densities(struct program *p, const struct box *b)
{
    static const double u[3] = {0.05, 0.01, 0};
    struct data_random r = {5};
    float *f = program_array(p, Q * b->cells, sizeof *f);
    for (size_t i = 0; i < Q * b->cells; i++)
        f[i] = (float)equilibrium((int)(i / b->cells), 1, u) * (0.95f + 0.1f * data_uniform(&r));
    return f;
}

static const float *run(struct program *p, const struct box *b, const float *start, cl_uint steps)
{
    size_t bytes = Q * b->cells * sizeof *start;
    cl_mem f[2] = {program_buffer(p, bytes, start), program_buffer(p, bytes, NULL)};
    cl_mem solid = program_buffer(p, b->cells * sizeof *b->solid, b->solid);
    const size_t items[2] = {b->size[0], (size_t)b->size[1] * b->size[2]};
    const size_t group[2] = {b->size[0] < 128 ? b->size[0] : 128, 1};
    cl_kernel step[2];
    for (int i = 0; i < 2; i++)
        step[i] = program_kernel(p, "lbm_step", "bbbfuu", f[i], f[1 - i], solid, rate, b->size[1],
                                 b->size[2]);
    for (cl_uint s = 0; s < steps; s++)
        host_launch_2d(&p->host, step[s % 2], items, group);
    return program_read(p, f[steps % 2], bytes);
}

static size_t mass_lost(const float *before, const float *after, size_t n)
{
    double mass = 0, change = 0;
    for (size_t i = 0; i < n; i++)
        mass += before[i], change += (double)after[i] - before[i];
    return !(fabs(change) <= 1e-6 * mass);
}

int main(int argc, char **argv)
{
    struct program p;
    struct box b;
    program_open(&p, "lbm",
                 "lbm [NX [NY [NZ [STEPS]]]], NX 16, 32, 64 or a multiple of 128 up to 1024, NY "
                 "and NZ from 2 to 512, STEPS up to 1000",
                 argc, argv);
    b.size[0] = program_number(&p, 32, 16, 1024);
    b.size[1] = program_number(&p, 16, 2, 512);
    b.size[2] = program_number(&p, 8, 2, 512);
    cl_uint steps = program_number(&p, 2, 1, 1000), nx = b.size[0];
    program_demand(&p, nx % 128 == 0 || nx == 16 || nx == 32 || nx == 64);
    b.cells = (size_t)nx * b.size[1] * b.size[2];
    program_demand(&p, b.cells <= 1 << 24);
    program_start(&p);
    put_balls(&p, &b);
    const float *start = first_densities(&p, &b);
    const float *got = run(&p, &b, start, steps);
    const float *want = reference(&p, &b, start, steps);
    size_t n = Q * b.cells;
    size_t wrong = data_wrong_floats(got, want, n, 1e-5) + mass_lost(start, got, n);
    return program_end(&p, wrong, "%u x %u x %u cells, %u steps", nx, b.size[1], b.size[2], steps);
}
