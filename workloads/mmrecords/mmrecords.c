/* mmrecords.c - matrix product by MapReduce: only a map, a record per element of the product.
 *
 * Usage: mmrecords [N [K]]      N x K times K x N; K is N, and N 48, if not given
 * Compared with the product on the host in double precision. */
#include "common/program.h"

static const float *reference(struct program *p, const float *a, const float *columns, size_t n,
                              size_t depth)
{
    float *c = program_array(p, n * n, sizeof *c);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += (double)a[y * depth + k] * (double)columns[x * depth + k];
            c[y * n + x] = (float)sum;
        }
    return c;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "mmrecords", "mmrecords [N [K]], both from 1 to 4096", argc, argv);
    cl_uint n = program_number(&p, 48, 1, 4096), depth = program_number(&p, n, 1, 4096);
    program_start(&p);
    size_t cells = (size_t)n * n, bytes = (size_t)n * depth * sizeof(float);
    const float *a = program_floats(&p, (size_t)n * depth, 1, 0, 1);
    const float *columns = program_floats(&p, (size_t)n * depth, 2, 0, 1);
    cl_mem c = program_buffer(&p, cells * sizeof(float), NULL);
    program_launch(&p,
                   program_kernel(&p, "mmrecords_map", "bbbuu", program_buffer(&p, bytes, a),
                                  program_buffer(&p, bytes, columns), c, n, depth),
                   cells);
    const float *got = program_read(&p, c, cells * sizeof *got);
    return program_end(&p,
                       data_wrong_floats(got, reference(&p, a, columns, n, depth), cells, 1e-4f),
                       "%u x %u, %u deep", n, n, depth);
}
