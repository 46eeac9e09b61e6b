/* stencil.c - steps of a seven-point stencil over a box of NX x NY x NZ cells; its faces stay.
 *
 * Usage: stencil [NX [NY [NZ [STEPS]]]]      64 64 16 2 if not given
 * Compared with the host. */
#include "common/program.h"

static void step(const float *in, float *out, size_t nx, size_t ny, size_t nz)
{
    size_t plane = nx * ny;
    for (size_t z = 1; z + 1 < nz; z++)
        for (size_t y = 1; y + 1 < ny; y++)
            for (size_t x = 1; x + 1 < nx; x++) {
                const float *c = in + z * plane + y * nx + x;
                float sum = c[-1] + c[1] + *(c - nx) + c[nx] + *(c - plane) + c[plane];
                out[z * plane + y * nx + x] = 0.4f * c[0] + 0.1f * sum;
            }
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "stencil", "stencil [NX [NY [NZ [STEPS]]]], from 3 to 1024", argc, argv);
    cl_uint nx = program_number(&p, 64, 3, 1024), ny = program_number(&p, 64, 3, 1024);
    cl_uint nz = program_number(&p, 16, 3, 1024), steps = program_number(&p, 2, 1, 30);
    program_start(&p);
    size_t cells = (size_t)nx * ny * nz, bytes = cells * sizeof(float);
    float *box[2] = {program_floats(&p, cells, 1, 0, 1), program_floats(&p, cells, 1, 0, 1)};
    cl_mem m[2] = {program_buffer(&p, bytes, box[0]), program_buffer(&p, bytes, box[1])};
    for (cl_uint s = 0; s < steps; s++) {
        cl_kernel kernel =
            program_kernel(&p, "stencil_step", "bbuuu", m[s & 1], m[~s & 1], nx, ny, nz);
        program_launch_2d(&p, kernel, nx, ny, 16);
        step(box[s & 1], box[~s & 1], nx, ny, nz);
    }
    const float *got = program_read(&p, m[steps & 1], bytes);
    size_t wrong = data_wrong_floats(got, box[steps & 1], cells, 1e-5f);
    return program_end(&p, wrong, "%u x %u x %u, %u steps", nx, ny, nz, steps);
}
