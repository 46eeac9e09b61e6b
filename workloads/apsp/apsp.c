/* apsp.c - shortest ways from several sources to all vertices, relaxed until convergence: launches
 * go on as long as the host reads a flag that one of them set.
 *
 * Usage: apsp [rmat|grid|uniform [SCALE [SOURCES]]]      2^SCALE vertices; grid 8 16 if not given
 * Compared with Dijkstra's algorithm on the host. */
#include "common/graph.h"

enum { WORD = sizeof(cl_uint) };
static const cl_uint far_away = 1u << 30;

static cl_uint run(struct program *p, const struct graph *g, const cl_uint *weight, cl_uint pairs,
                   cl_mem distance)
{
    cl_uint changed = 1, rounds = 0;
    cl_mem row = program_buffer(p, (g->n + 1) * (size_t)WORD, g->row);
    cl_mem col = program_buffer(p, g->m * (size_t)WORD, g->col);
    cl_mem weights = program_buffer(p, g->m * (size_t)WORD, weight);
    cl_mem flag = program_buffer(p, WORD, NULL);
    cl_kernel relax =
        program_kernel(p, "apsp_relax", "bbbbbuu", row, col, weights, distance, flag, g->n, pairs);
    for (; changed; rounds++) {
        changed = 0;
        program_write(p, flag, &changed, sizeof changed);
        program_launch(p, relax, pairs);
        host_read(&p->host, flag, &changed, sizeof changed);
    }
    return rounds;
}

/* Pairs with a way between two places. */
static size_t reached(const cl_uint *distance, size_t pairs)
{
    size_t n = 0;
    for (size_t i = 0; i < pairs; i++)
        n += distance[i] > 0 && distance[i] < far_away;
    return n;
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    program_open(&p, "apsp", "apsp [rmat|grid|uniform [SCALE [SOURCES]]], SCALE from 4 to 24", argc,
                 argv);
    const char *kind = program_word(&p, "grid");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 8, 4, 24)));
    cl_uint sources = program_number(&p, g.n < 16 ? g.n : 16, 1, g.n), pairs = sources * g.n;
    program_demand(&p, (size_t)sources * g.n <= 1u << 28);
    program_start(&p);
    cl_uint *weight = program_array(&p, g.m, WORD), *want = program_array(&p, pairs, WORD);
    const cl_uint *source = random_order(&p, g.n, 5);
    for (cl_uint v = 0; v < g.n; v++)
        for (cl_uint e = g.row[v]; e < g.row[v + 1]; e++)
            weight[e] = graph_weight(v, g.col[e]);
    for (cl_uint i = 0; i < pairs; i++)
        want[i] = i % g.n == source[i / g.n] ? 0 : far_away;
    cl_mem distance = program_buffer(&p, pairs * (size_t)WORD, want);
    cl_uint rounds = run(&p, &g, weight, pairs, distance);
    for (cl_uint s = 0; s < sources; s++)
        graph_shortest(&g, weight, source[s], want + (size_t)s * g.n);
    const cl_uint *got = program_read(&p, distance, pairs * (size_t)WORD);
    return program_end(&p, data_wrong_bytes(got, want, pairs, WORD),
                       "%u vertices, %u entries, %u rounds, %zu ways", g.n, g.m, rounds,
                       reached(want, pairs));
}
