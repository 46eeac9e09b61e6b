/* laplace3d.c - Jacobi steps of Laplace's equation in a box whose hull is given.
 *
 * Usage: laplace3d [NX [NY [NZ [STEPS]]]]      64, 32, 16, 2 if not given
 * Compared with the same steps on the host in double precision. */
#include "common/program.h"

enum { WORD = sizeof(float), WIDE = 32, HIGH = 4 };

struct box {
    cl_uint nx, ny, nz, steps;
    size_t cells;
};

static const float *reference(struct program *p, const struct box *b, const float *start)
{
    size_t row = b->nx, plane = row * b->ny;
    double *u = program_array(p, b->cells, sizeof *u),
           *next = program_array(p, b->cells, sizeof *u);
    float *result = program_array(p, b->cells, sizeof *result);
    for (size_t i = 0; i < b->cells; i++)
        u[i] = next[i] = start[i];
    for (cl_uint s = 0; s < b->steps; s++) {
        for (size_t z = 1; z + 1 < b->nz; z++)
            for (size_t y = 1; y + 1 < b->ny; y++)
                for (size_t i = z * plane + y * row + 1; i + 1 < z * plane + (y + 1) * row; i++)
                    next[i] = (u[i - 1] + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] +
                               u[i + plane]) /
                              6;
        double *spare = u;
        u = next, next = spare;
    }
    for (size_t i = 0; i < b->cells; i++)
        result[i] = (float)u[i];
    return result;
}

static const float *run(struct program *p, const struct box *b, const float *start)
{
    size_t bytes = b->cells * WORD;
    const size_t items[2] = {b->nx, b->ny}, group[2] = {WIDE, HIGH};
    cl_mem u[2] = {program_buffer(p, bytes, start), program_buffer(p, bytes, NULL)};
    cl_kernel step[2];
    for (int i = 0; i < 2; i++)
        step[i] = program_kernel(p, "laplace3d_step", "bbu", u[i], u[1 - i], b->nz);
    for (cl_uint s = 0; s < b->steps; s++)
        host_launch_2d(&p->host, step[s % 2], items, group);
    return program_read(p, u[b->steps % 2], bytes);
}

int main(int argc, char **argv)
{
    struct program p;
    struct box b;
    program_open(&p, "laplace3d",
                 "laplace3d [NX [NY [NZ [STEPS <= 100]]]], NX a multiple of 32, NY of 4, both up "
                 "to 1024, NZ from 3 to 512",
                 argc, argv);
    b.nx = program_step(&p, 64, WIDE, 1024, WIDE);
    b.ny = program_step(&p, 32, HIGH, 1024, HIGH);
    b.nz = program_number(&p, 16, 3, 512);
    b.steps = program_number(&p, 2, 1, 100);
    program_start(&p);
    b.cells = (size_t)b.nx * b.ny * b.nz;
    const float *start = program_floats(&p, b.cells, 1, 0, 1), *got = run(&p, &b, start);
    size_t wrong = data_wrong_floats(got, reference(&p, &b, start), b.cells, 1e-6);
    return program_end(&p, wrong, "%u x %u x %u, %u steps", b.nx, b.ny, b.nz, b.steps);
}
