/* bfs.c - breadth-first search from the vertex with the most neighbours, a launch per level.
 *
 * Usage: bfs [rmat|grid|uniform [SCALE]]      2^SCALE vertices; rmat 12 if not given
 * The distances are compared with a search on the host. */
#include "common/graph.h"

static cl_uint run(struct program *p, const struct graph *g, cl_mem distance)
{
    cl_mem row = program_buffer(p, (g->n + 1) * sizeof *g->row, g->row);
    cl_mem col = program_buffer(p, g->m * sizeof *g->col, g->col);
    cl_uint changed = 1, level = 0;
    cl_mem flag = program_buffer(p, sizeof changed, NULL);
    cl_kernel kernel =
        program_kernel(p, "bfs_level", "bbbbuu", row, col, distance, flag, level, g->n);
    for (; changed; level++) {
        changed = 0;
        program_write(p, flag, &changed, sizeof changed);
        program_set_uint(kernel, 4, level);
        program_launch(p, kernel, g->n);
        host_read(&p->host, flag, &changed, sizeof changed);
    }
    return level;
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    program_open(&p, "bfs", "bfs [rmat|grid|uniform [SCALE]], SCALE from 4 to 24", argc, argv);
    const char *kind = program_word(&p, "rmat");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 12, 4, 24)));
    program_start(&p);
    cl_uint source = graph_hub(&g);
    cl_int *start = program_array(&p, g.n, sizeof *start);
    for (cl_uint v = 0; v < g.n; v++)
        start[v] = v == source ? 0 : -1;
    cl_mem distance = program_buffer(&p, g.n * sizeof *start, start);
    cl_uint launches = run(&p, &g, distance);
    const cl_int *got = program_read(&p, distance, g.n * sizeof *got);
    const cl_int *expected = graph_distances(&p, &g, source);
    size_t wrong = 0, reached = 0, edges = 0;
    for (cl_uint v = 0; v < g.n; v++) {
        wrong += got[v] != expected[v];
        reached += expected[v] >= 0;
        edges += expected[v] >= 0 ? g.row[v + 1] - g.row[v] : 0;
    }
    return program_end(&p, wrong, "%u vertices, %zu reached, %zu edges, %u launches", g.n, reached,
                       edges, launches);
}
