/* bc.c - betweenness centrality (Brandes 2001) from some sources: for each a launch per level
 * forwards, then one per level backwards.
 *
 * Usage: bc [rmat|grid|uniform [SCALE [SOURCES]]]      2^SCALE vertices; rmat 10 2 if not given
 * Compared with the host in double precision. */
#include "common/graph.h"

#include <stdlib.h>

enum { WORD = sizeof(float) };

struct search {
    const struct graph *g;
    cl_mem distance, ways, flag;
    cl_kernel forward, backward;
};

static void open_search(struct search *s, struct program *p, const struct graph *g, cl_mem sum)
{
    size_t bytes = g->n * (size_t)WORD;
    cl_mem row = program_buffer(p, bytes + WORD, g->row);
    cl_mem col = program_buffer(p, g->m * (size_t)WORD, g->col);
    cl_mem share = program_buffer(p, bytes, NULL);
    *s = (struct search){.g = g,
                         .distance = program_buffer(p, bytes, NULL),
                         .ways = program_buffer(p, bytes, NULL),
                         .flag = program_buffer(p, WORD, NULL)};
    s->forward = program_kernel(p, "bc_forward", "bbbbbuu", row, col, s->distance, s->ways, s->flag,
                                0, g->n);
    s->backward = program_kernel(p, "bc_backward", "bbbbbbuu", row, col, s->distance, s->ways,
                                 share, sum, 0, g->n);
}

static void start_from(struct program *p, const struct search *s, cl_uint source)
{
    cl_int *distance = data_new(s->g->n, WORD);
    float *ways = data_new(s->g->n, WORD);
    for (cl_uint v = 0; v < s->g->n; v++)
        distance[v] = v == source ? 0 : -1;
    ways[source] = 1;
    program_write(p, s->distance, distance, s->g->n * (size_t)WORD);
    program_write(p, s->ways, ways, s->g->n * (size_t)WORD);
    free(distance);
    free(ways);
}

static cl_uint run(struct program *p, const struct search *s, cl_uint source)
{
    cl_uint changed = 1, level = 0;
    start_from(p, s, source);
    for (; changed; level++) {
        changed = 0;
        program_write(p, s->flag, &changed, sizeof changed);
        program_set_uint(s->forward, 5, level);
        program_launch(p, s->forward, s->g->n);
        host_read(&p->host, s->flag, &changed, sizeof changed);
    }
    for (cl_uint l = level; l-- > 0;) {
        program_set_uint(s->backward, 6, l);
        program_launch(p, s->backward, s->g->n);
    }
    return level;
}

/* Adds the source's shares to sum[]. */
static void add_source(struct program *p, const struct graph *g, cl_uint source, double *sum)
{
    const cl_int *distance = graph_distances(p, g, source);
    double *ways = data_new(g->n, sizeof *ways), *share = data_new(g->n, sizeof *share);
    cl_int level = 0, more = 1;
    ways[source] = 1;
    for (; more; level++) {
        more = 0;
        for (cl_uint v = 0; v < g->n; v++)
            for (cl_uint e = g->row[v]; distance[v] == level && e < g->row[v + 1]; e++)
                if (distance[g->col[e]] == level + 1) ways[g->col[e]] += ways[v], more = 1;
    }
    for (; level >= 0; level--)
        for (cl_uint v = 0; v < g->n; v++) {
            if (distance[v] != level) continue;
            for (cl_uint e = g->row[v]; e < g->row[v + 1]; e++)
                if (distance[g->col[e]] == level + 1)
                    share[v] += ways[v] / ways[g->col[e]] * (1 + share[g->col[e]]);
            if (level > 0) sum[v] += share[v];
        }
    free(ways);
    free(share);
}

/* What follows from the levels alone, over the sources: forwards a vertex is looked at on each
 * level before its own (on all when it is never reached). */
struct visits {
    size_t levels, looks, look_entries; /* forwards */
    size_t reached, entries, pairs;     /* backwards; pairs: a vertex and one before it */
};

static void count_visits(struct program *p, const struct graph *g, cl_uint source, cl_uint levels,
                         struct visits *s)
{
    const cl_int *distance = graph_distances(p, g, source);
    s->levels += levels;
    for (cl_uint v = 0; v < g->n; v++) {
        size_t degree = g->row[v + 1] - g->row[v], reached = distance[v] >= 0;
        size_t looks = reached ? (size_t)distance[v] : levels;
        s->looks += looks;
        s->look_entries += looks * degree;
        s->reached += reached;
        s->entries += reached * degree;
        for (cl_uint e = g->row[v]; e < g->row[v + 1]; e++)
            s->pairs += distance[g->col[e]] > distance[v];
    }
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    struct search s;
    struct visits seen = {0};
    program_open(&p, "bc",
                 "bc [rmat|grid|uniform [SCALE [SOURCES]]], SCALE 4 to 24, SOURCES 1 to 16", argc,
                 argv);
    const char *kind = program_word(&p, "rmat");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 10, 4, 24)));
    cl_uint sources = program_number(&p, 2, 1, 16);
    program_start(&p);
    double *sum = program_array(&p, g.n, sizeof *sum);
    float *expected = program_array(&p, g.n, WORD);
    cl_mem centrality = program_buffer(&p, g.n * (size_t)WORD, expected);
    open_search(&s, &p, &g, centrality);
    for (cl_uint i = 0; i < sources; i++) {
        cl_uint source = (graph_hub(&g) + i) % g.n;
        count_visits(&p, &g, source, run(&p, &s, source), &seen);
        add_source(&p, &g, source, sum);
    }
    for (cl_uint v = 0; v < g.n; v++)
        expected[v] = (float)sum[v];
    const float *got = program_read(&p, centrality, g.n * (size_t)WORD);
    return program_end(&p, data_wrong_floats(got, expected, g.n, 1e-4f),
                       "%u vertices, %zu levels, %zu looks at %zu entries, %zu reached with %zu "
                       "entries, %zu pairs",
                       g.n, seen.levels, seen.looks, seen.look_entries, seen.reached, seen.entries,
                       seen.pairs);
}
