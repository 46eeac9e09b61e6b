/* atax.c - y = transposed(A) (A x): the same matrix by rows, then by columns.
 *
 * Usage: atax [ROWS [COLUMNS]]      256 320 if not given
 * Compared with the host in double precision. */
#include "common/program.h"

static const float *reference(struct program *p, const float *a, const float *x, size_t rows,
                              size_t columns)
{
    double *y = program_array(p, columns, sizeof *y);
    float *result = program_array(p, columns, sizeof *result);
    for (size_t i = 0; i < rows; i++) {
        double ax = 0;
        for (size_t j = 0; j < columns; j++)
            ax += (double)a[i * columns + j] * x[j];
        for (size_t j = 0; j < columns; j++)
            y[j] += a[i * columns + j] * ax;
    }
    for (size_t j = 0; j < columns; j++)
        result[j] = (float)y[j];
    return result;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "atax", "atax [ROWS [COLUMNS]], from 1 to 16384", argc, argv);
    cl_uint rows = program_number(&p, 256, 1, 16384), columns = program_number(&p, 320, 1, 16384);
    program_start(&p);
    size_t cells = (size_t)rows * columns, out = columns * sizeof(float);
    const float *a = program_floats(&p, cells, 1, 0, 1), *x = program_floats(&p, columns, 2, 0, 1);
    cl_mem matrix = program_buffer(&p, cells * sizeof *a, a), in = program_buffer(&p, out, x);
    cl_mem ax = program_buffer(&p, rows * sizeof(float), NULL), y = program_buffer(&p, out, NULL);
    program_launch(&p, program_kernel(&p, "atax_forward", "bbbuu", matrix, in, ax, rows, columns),
                   rows);
    program_launch(&p, program_kernel(&p, "atax_back", "bbbuu", matrix, ax, y, rows, columns),
                   columns);
    const float *got = program_read(&p, y, out);
    size_t wrong = data_wrong_floats(got, reference(&p, a, x, rows, columns), columns, 1e-4f);
    return program_end(&p, wrong, "%u x %u", rows, columns);
}
