/* mm3.c - three matrix products, (A B)(C D), a launch each; N x N, groups of 16 x 16.
 *
 * Usage: mm3 [N]      48 if not given
 * Compared with the products on the host in double precision. */
#include "common/program.h"

static void multiply(const double *a, const double *b, double *c, size_t n)
{
    for (size_t y = 0; y < n; y++)
        for (size_t k = 0; k < n; k++)
            for (size_t x = 0; x < n; x++)
                c[y * n + x] += a[y * n + k] * b[k * n + x];
}

static const float *reference(struct program *p, float *const in[4], size_t n)
{
    double *m[7];
    float *result = program_array(p, n * n, sizeof *result);
    for (size_t i = 0; i < 7; i++) {
        m[i] = program_array(p, n * n, sizeof **m);
        for (size_t j = 0; i < 4 && j < n * n; j++)
            m[i][j] = in[i][j];
    }
    multiply(m[0], m[1], m[4], n);
    multiply(m[2], m[3], m[5], n);
    multiply(m[4], m[5], m[6], n);
    for (size_t j = 0; j < n * n; j++)
        result[j] = (float)m[6][j];
    return result;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "mm3", "mm3 [N], N from 1 to 4096", argc, argv);
    cl_uint n = program_number(&p, 48, 1, 4096);
    program_start(&p);
    size_t cells = (size_t)n * n, bytes = cells * sizeof(float);
    float *in[4];
    cl_mem m[7];
    for (size_t i = 0; i < 7; i++) {
        if (i < 4) in[i] = program_floats(&p, cells, i + 1, 0, 1);
        m[i] = program_buffer(&p, bytes, i < 4 ? in[i] : NULL);
    }
    for (size_t i = 0; i < 3; i++)
        program_launch_2d(
            &p, program_kernel(&p, "mm3_product", "bbbu", m[2 * i], m[2 * i + 1], m[4 + i], n), n,
            n, 16);
    const float *got = program_read(&p, m[6], bytes);
    return program_end(&p, data_wrong_floats(got, reference(&p, in, n), cells, 1e-4f), "%u x %u", n,
                       n);
}
