/* spmv.c - sparse matrix times vector; the matrix has the pattern of a graph.
 *
 * Usage: spmv [rmat|grid|uniform [SCALE]]      2^SCALE rows; rmat 12 if not given
 * The product is compared with the host's in double precision. */
#include "common/graph.h"

static const float *run(struct program *p, const struct graph *g, const float *value,
                        const float *x)
{
    cl_mem row = program_buffer(p, (g->n + 1) * sizeof *g->row, g->row);
    cl_mem col = program_buffer(p, g->m * sizeof *g->col, g->col);
    cl_mem values = program_buffer(p, g->m * sizeof *value, value);
    cl_mem in = program_buffer(p, g->n * sizeof *x, x);
    cl_mem out = program_buffer(p, g->n * sizeof *x, NULL);
    program_launch(p, program_kernel(p, "spmv_csr", "bbbbbu", row, col, values, in, out, g->n),
                   g->n);
    return program_read(p, out, g->n * sizeof *x);
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    program_open(&p, "spmv", "spmv [rmat|grid|uniform [SCALE]], SCALE from 4 to 24", argc, argv);
    const char *kind = program_word(&p, "rmat");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 12, 4, 24)));
    program_start(&p);
    const float *value = program_floats(&p, g.m, 3, 0, 1), *x = program_floats(&p, g.n, 4, 0, 1);
    const float *got = run(&p, &g, value, x);
    float *expected = program_array(&p, g.n, sizeof *expected);
    for (cl_uint i = 0; i < g.n; i++) {
        double sum = 0;
        for (cl_uint e = g.row[i]; e < g.row[i + 1]; e++)
            sum += (double)value[e] * x[g.col[e]];
        expected[i] = (float)sum;
    }
    return program_end(&p, data_wrong_floats(got, expected, g.n, 1e-4f), "%u rows, %u entries", g.n,
                       g.m);
}
