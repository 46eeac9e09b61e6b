/* gaussian.c - N linear equations by Gaussian elimination, two launches per unknown; the host
 * substitutes back.
 *
 * Usage: gaussian [N [ROWS]]      64 if not given; ROWS 1: in groups of 4 x 4 whose neighbours are
 * rows, as many in every launch, like Rodinia's; 0: of 16 x 16 whose neighbours share a row
 * The right-hand side is made from a known solution, which must come out. */
#include "common/program.h"

enum { WORD = sizeof(float), ROWS_GROUP = 4, COLUMNS_GROUP = 16 };

static void run(struct program *p, cl_mem a, cl_mem b, cl_uint n, bool rows)
{
    cl_mem multiplier = program_buffer(p, (size_t)n * n * WORD, NULL);
    cl_kernel first = program_kernel(p, "gaussian_multipliers", "bbuu", a, multiplier, 0, n);
    const char *name = rows ? "gaussian_eliminate_rows" : "gaussian_eliminate";
    cl_kernel second = program_kernel(p, name, "bbbuu", a, b, multiplier, 0, n);
    for (cl_uint k = 0; k + 1 < n; k++) {
        program_set_uint(first, 2, k);
        program_launch(p, first, n - 1 - k);
        program_set_uint(second, 3, k);
        if (rows)
            program_launch_2d(p, second, n, n, ROWS_GROUP);
        else
            program_launch_2d(p, second, n - k, n - 1 - k, COLUMNS_GROUP);
    }
}

static const float *substitute(struct program *p, const float *a, const float *b, size_t n)
{
    float *x = program_array(p, n, WORD);
    for (size_t i = n; i-- > 0;) {
        double sum = b[i];
        for (size_t j = i + 1; j < n; j++)
            sum -= (double)a[i * n + j] * x[j];
        x[i] = (float)(sum / a[i * n + i]);
    }
    return x;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "gaussian", "gaussian [N [ROWS]], N from 2 to 2048, ROWS 0 or 1", argc, argv);
    cl_uint n = program_number(&p, 64, 2, 2048);
    bool rows = program_number(&p, 0, 0, 1);
    program_start(&p);
    size_t bytes = (size_t)n * n * WORD;
    float *a = program_floats(&p, (size_t)n * n, 1, -1, 1), *b = program_array(&p, n, WORD);
    const float *solution = program_floats(&p, n, 2, -1, 1);
    for (size_t i = 0; i < n; i++) {
        a[i * n + i] += (float)n; /* no pivoting: the diagonal must weigh most */
        for (size_t j = 0; j < n; j++)
            b[i] += a[i * n + j] * solution[j];
    }
    cl_mem matrix = program_buffer(&p, bytes, a), side = program_buffer(&p, n * (size_t)WORD, b);
    run(&p, matrix, side, n, rows);
    const float *left = program_read(&p, matrix, bytes);
    const float *x = substitute(&p, left, program_read(&p, side, n * (size_t)WORD), n);
    return program_end(&p, data_wrong_floats(x, solution, n, 1e-4f), "%u unknowns", n);
}
