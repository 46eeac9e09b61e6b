/* lud.c - LU decomposition of an N x N matrix by tiles of 16 x 16, three launches per step.
 *
 * Usage: lud [N]      96 if not given, a multiple of 16
 * Compared with an unblocked decomposition on the host in double precision. */
#include "common/program.h"

enum { SIDE = 16 };

static const float *reference(struct program *p, const float *a, size_t n)
{
    double *m = program_array(p, n * n, sizeof *m);
    float *result = program_array(p, n * n, sizeof *result);
    for (size_t i = 0; i < n * n; i++)
        m[i] = a[i];
    for (size_t k = 0; k < n; k++)
        for (size_t y = k + 1; y < n; y++) {
            m[y * n + k] /= m[k * n + k];
            for (size_t x = k + 1; x < n; x++)
                m[y * n + x] -= m[y * n + k] * m[k * n + x];
        }
    for (size_t i = 0; i < n * n; i++)
        result[i] = (float)m[i];
    return result;
}

static void run(struct program *p, cl_mem matrix, cl_uint n)
{
    cl_kernel diagonal = program_kernel(p, "lud_diagonal", "buu", matrix, 0, n);
    cl_kernel perimeter = program_kernel(p, "lud_perimeter", "buu", matrix, 0, n);
    cl_kernel internal = program_kernel(p, "lud_internal", "buu", matrix, 0, n);
    for (cl_uint k = 0, left = n / SIDE - 1;; k++, left--) {
        program_set_uint(diagonal, 1, k);
        host_launch(&p->host, diagonal, SIDE, SIDE);
        if (left == 0) return;
        program_set_uint(perimeter, 1, k);
        host_launch(&p->host, perimeter, (size_t)left * 2 * SIDE, 2 * SIDE);
        program_set_uint(internal, 1, k);
        program_launch_2d(p, internal, (size_t)left * SIDE, (size_t)left * SIDE, SIDE);
    }
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "lud", "lud [N], N a multiple of 16, up to 4096", argc, argv);
    cl_uint n = program_step(&p, 96, SIDE, 4096, SIDE);
    program_start(&p);
    size_t cells = (size_t)n * n;
    float *a = program_floats(&p, cells, 1, 0, 1);
    for (size_t i = 0; i < n; i++) /* no pivoting: the diagonal must weigh most */
        a[i * n + i] += (float)n;
    cl_mem matrix = program_buffer(&p, cells * sizeof *a, a);
    run(&p, matrix, n);
    const float *got = program_read(&p, matrix, cells * sizeof *got);
    return program_end(&p, data_wrong_floats(got, reference(&p, a, n), cells, 1e-4f), "%u x %u", n,
                       n);
}
