/* sssp.c - shortest ways from the vertex with the most neighbours (Bellman-Ford, only vertices
 * whose distance fell take part), two launches per round.
 *
 * Usage: sssp [rmat|grid|uniform [SCALE]]      2^SCALE vertices; grid 10 if not given
 * Compared with Dijkstra's algorithm on the host. */
#include "common/graph.h"

enum { WORD = sizeof(cl_uint) };
static const cl_uint far_away = 1u << 30;

static cl_uint run(struct program *p, const struct graph *g, const cl_uint *weight, cl_uint source,
                   cl_mem distance)
{
    cl_uint *start = program_array(p, g->n, WORD), changed = 1, rounds = 0;
    size_t bytes = g->n * (size_t)WORD;
    cl_mem next = program_buffer(p, bytes, start);
    start[source] = 1;
    cl_mem active = program_buffer(p, bytes, start), flag = program_buffer(p, WORD, NULL);
    cl_mem row = program_buffer(p, bytes + WORD, g->row);
    cl_mem col = program_buffer(p, g->m * (size_t)WORD, g->col);
    cl_mem weights = program_buffer(p, g->m * (size_t)WORD, weight);
    cl_kernel relax =
        program_kernel(p, "sssp_relax", "bbbbbbu", row, col, weights, active, next, distance, g->n);
    cl_kernel advance = program_kernel(p, "sssp_advance", "bbbu", active, next, flag, g->n);
    for (; changed; rounds++) {
        changed = 0;
        program_write(p, flag, &changed, sizeof changed);
        program_launch(p, relax, g->n);
        program_launch(p, advance, g->n);
        host_read(&p->host, flag, &changed, sizeof changed);
    }
    return rounds;
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    program_open(&p, "sssp", "sssp [rmat|grid|uniform [SCALE]], SCALE from 4 to 24", argc, argv);
    const char *kind = program_word(&p, "grid");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 10, 4, 24)));
    program_start(&p);
    cl_uint *weight = program_array(&p, g.m, WORD), *expected = program_array(&p, g.n, WORD);
    cl_uint source = graph_hub(&g);
    for (cl_uint v = 0; v < g.n; v++) {
        expected[v] = v == source ? 0 : far_away;
        for (cl_uint e = g.row[v]; e < g.row[v + 1]; e++)
            weight[e] = graph_weight(v, g.col[e]);
    }
    cl_mem distance = program_buffer(&p, g.n * (size_t)WORD, expected);
    cl_uint rounds = run(&p, &g, weight, source, distance);
    graph_shortest(&g, weight, source, expected);
    const cl_uint *got = program_read(&p, distance, g.n * (size_t)WORD);
    return program_end(&p, data_wrong_bytes(got, expected, g.n, WORD),
                       "%u vertices, %u entries, %u rounds", g.n, g.m, rounds);
}
