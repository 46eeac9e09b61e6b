/* color.c - graph colouring by rounds (Jones and Plassmann 1993): the vertices with the highest
 * priority among their uncoloured neighbours take the round's colour.
 *
 * Usage: color [rmat|grid|uniform [SCALE]]      2^SCALE vertices; rmat 9 if not given
 * Neighbours must differ, and the colours be those of a host that goes by descending priority. */
#include "common/graph.h"

static cl_uint run(struct program *p, const struct graph *g, const cl_uint *priority, cl_mem color)
{
    cl_uint left = 1, round = 0;
    size_t bytes = g->n * sizeof *priority;
    cl_mem row = program_buffer(p, (g->n + 1) * sizeof *g->row, g->row);
    cl_mem col = program_buffer(p, g->m * sizeof *g->col, g->col);
    cl_mem priorities = program_buffer(p, bytes, priority),
           flag = program_buffer(p, sizeof left, 0);
    cl_mem most = program_buffer(p, bytes, NULL);
    cl_kernel highest =
        program_kernel(p, "color_highest", "bbbbbu", row, col, color, priorities, most, g->n);
    cl_kernel assign =
        program_kernel(p, "color_assign", "bbbbuu", color, priorities, most, flag, round, g->n);
    for (; left; round++) {
        left = 0;
        program_write(p, flag, &left, sizeof left);
        program_set_uint(assign, 4, round);
        program_launch(p, highest, g->n);
        program_launch(p, assign, g->n);
        host_read(&p->host, flag, &left, sizeof left);
    }
    return round;
}

/* A vertex waits for all neighbours of higher priority: its round is one more than their last. */
static cl_int *reference(struct program *p, const struct graph *g, const cl_uint *priority)
{
    cl_int *color = program_array(p, g->n, sizeof *color);
    cl_uint *by_rank = program_array(p, g->n, sizeof *by_rank);
    for (cl_uint v = 0; v < g->n; v++)
        by_rank[g->n - priority[v]] = v;
    for (cl_uint i = 0; i < g->n; i++) {
        cl_uint v = by_rank[i];
        for (cl_uint e = g->row[v]; e < g->row[v + 1]; e++)
            if (priority[g->col[e]] > priority[v] && color[g->col[e]] >= color[v])
                color[v] = color[g->col[e]] + 1;
    }
    return color;
}

/* Over all rounds: vertices without a colour, their entries, those of neighbours without one. */
struct visits {
    size_t vertices, entries, open;
};

static struct visits count_visits(const struct graph *g, const cl_int *color)
{
    struct visits s = {0, 0, 0};
    for (cl_uint v = 0; v < g->n; v++) {
        size_t rounds = (size_t)color[v] + 1;
        s.vertices += rounds;
        for (cl_uint e = g->row[v]; e < g->row[v + 1]; e++) {
            size_t of_other = (size_t)color[g->col[e]] + 1;
            s.entries += rounds;
            s.open += of_other < rounds ? of_other : rounds;
        }
    }
    return s;
}

int main(int argc, char **argv)
{
    struct program p;
    struct graph g;
    program_open(&p, "color", "color [rmat|grid|uniform [SCALE]], SCALE from 4 to 24", argc, argv);
    const char *kind = program_word(&p, "rmat");
    program_demand(&p, graph_make(&g, &p, kind, program_number(&p, 9, 4, 24)));
    program_start(&p);
    cl_uint *priority = random_order(&p, g.n, 11);
    cl_int *start = program_array(&p, g.n, sizeof *start);
    for (cl_uint v = 0; v < g.n; v++) {
        priority[v]++; /* 0 is no priority */
        start[v] = -1;
    }
    cl_mem color = program_buffer(&p, g.n * sizeof *start, start);
    cl_uint rounds = run(&p, &g, priority, color);
    const cl_int *got = program_read(&p, color, g.n * sizeof *got);
    const cl_int *expected = reference(&p, &g, priority);
    size_t wrong = 0;
    for (cl_uint v = 0; v < g.n; v++) {
        wrong += got[v] != expected[v];
        for (cl_uint e = g.row[v]; e < g.row[v + 1]; e++)
            wrong += got[v] == got[g.col[e]];
    }
    struct visits s = count_visits(&g, expected);
    return program_end(&p, wrong,
                       "%u vertices, %u entries, %u rounds, %zu visits of %zu entries, %zu of them "
                       "without a colour",
                       g.n, g.m, rounds, s.vertices, s.entries, s.open);
}
