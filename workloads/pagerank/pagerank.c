/* pagerank.c - PageRank by repeated gathering, two launches per round; damping 0.85.
 *
 * Usage: pagerank [rmat|grid|uniform [SCALE [ROUNDS]]]      rmat 11 3 if not given
 * 2^SCALE vertices.  Ranks are compared with the same rounds on the host in double precision. */
#include "common/graph.h"

static float *reference(struct program *p, const struct graph *g, cl_uint rounds)
{
    double *rank = program_array(p, g->n, sizeof *rank), *sum = program_array(p, g->n, sizeof *sum);
    float *result = program_array(p, g->n, sizeof *result);
    for (cl_uint v = 0; v < g->n; v++)
        rank[v] = 1.0 / g->n;
    for (cl_uint r = 0; r < rounds; r++) {
        for (cl_uint v = 0; v < g->n; v++)
            sum[v] = 0;
        for (cl_uint u = 0; u < g->n; u++)
            for (cl_uint e = g->row[u]; e < g->row[u + 1]; e++)
                sum[g->col[e]] += rank[u] / (g->row[u + 1] - g->row[u]);
        for (cl_uint v = 0; v < g->n; v++)
            rank[v] = 0.15 / g->n + 0.85 * sum[v];
    }
    for (cl_uint v = 0; v < g->n; v++)
        result[v] = (float)rank[v];
    return result;
}

static const float *run(struct program *p, const struct graph *g, cl_uint rounds)
{
    float *start = program_array(p, g->n, sizeof *start);
    float *degree = program_array(p, g->n, sizeof *degree);
    size_t bytes = g->n * sizeof *start;
    for (cl_uint v = 0; v < g->n; v++) {
        start[v] = 1.0f / (float)g->n;
        degree[v] = (float)(g->row[v + 1] - g->row[v]);
    }
    cl_mem row = program_buffer(p, (g->n + 1) * sizeof *g->row, g->row);
    cl_mem col = program_buffer(p, g->m * sizeof *g->col, g->col);
    cl_mem degrees = program_buffer(p, bytes, degree), rank = program_buffer(p, bytes, start);
    cl_mem sum = program_buffer(p, bytes, NULL);
    cl_kernel gather =
        program_kernel(p, "pagerank_gather", "bbbbbu", row, col, degrees, rank, sum, g->n);
    cl_kernel damp = program_kernel(p, "pagerank_damp", "bbu", sum, rank, g->n);
    for (cl_uint r = 0; r < rounds; r++) {
        program_launch(p, gather, g->n);
        program_launch(p, damp, g->n);
    }
    return program_read(p, rank, bytes);
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    program_open(&p, "pagerank",
                 "pagerank [rmat|grid|uniform [SCALE [ROUNDS]]], SCALE from 4 to 24", argc, argv);
    const char *kind = program_word(&p, "rmat");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 11, 4, 24)));
    cl_uint rounds = program_number(&p, 3, 1, 1000);
    program_start(&p);
    const float *got = run(&p, &g, rounds), *expected = reference(&p, &g, rounds);
    size_t wrong = 0;
    for (cl_uint v = 0; v < g.n; v++) /* ranks are small: relative to themselves */
        wrong += !(got[v] <= expected[v] * 1.0001f && got[v] >= expected[v] * 0.9999f);
    return program_end(&p, wrong, "%u vertices, %u entries, %u rounds", g.n, g.m, rounds);
}
