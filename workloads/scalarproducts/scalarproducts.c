/* scalarproducts.c - scalar products of pairs of vectors.
 *
 * Usage: scalarproducts [VECTORS [N [GROUPS [ROUNDS]]]]      64 4096 16 1 if not given; each round
 * is the same launch again Compared with the sums in double precision. */
#include "common/program.h"

#include <math.h>

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "scalarproducts", "scalarproducts [VECTORS [N [GROUPS [ROUNDS]]]]", argc,
                 argv);
    cl_uint vectors = program_number(&p, 64, 1, 1 << 20), n = program_number(&p, 4096, 1, 1 << 24);
    cl_uint groups = program_number(&p, 16, 1, 1 << 16);
    cl_uint rounds = program_number(&p, 1, 1, 10000);
    size_t all = (size_t)vectors * n;
    program_demand(&p, all <= 1u << 28);
    program_start(&p);
    const float *a = program_floats(&p, all, 1, -1, 1), *b = program_floats(&p, all, 2, -1, 1);
    cl_mem left = program_buffer(&p, all * sizeof *a, a);
    cl_mem right = program_buffer(&p, all * sizeof *b, b);
    cl_mem product = program_buffer(&p, vectors * sizeof *a, NULL);
    cl_kernel kernel =
        program_kernel(&p, "scalar_products", "bbbuu", left, right, product, vectors, n);
    for (cl_uint r = 0; r < rounds; r++)
        program_launch(&p, kernel, (size_t)groups * PROGRAM_GROUP);
    float *want = program_array(&p, vectors, sizeof *want);
    for (size_t v = 0; v < vectors; v++) {
        double sum = 0;
        for (size_t i = v * n; i < (v + 1) * n; i++)
            sum += (double)a[i] * (double)b[i];
        want[v] = (float)sum;
    }
    const float *got = program_read(&p, product, vectors * sizeof *got);
    return program_end(&p, data_wrong_floats(got, want, vectors, 1e-6 * sqrt(n)),
                       "%u pairs of vectors of %u", vectors, n);
}
