/* graph.c - see graph.h. */
#include "common/graph.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES_PER_VERTEX = 8, SEED = 7 };

struct edge {
    cl_uint from, to;
};

cl_uint *random_order(struct program *p, cl_uint n, uint64_t seed)
{
    struct data_random r = {seed};
    cl_uint *order = program_array(p, n, sizeof *order);
    for (cl_uint i = 0; i < n; i++) {
        cl_uint j = data_next(&r) % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

static struct edge rmat_edge(cl_uint scale, struct data_random *r)
{
    struct edge e = {0, 0};
    for (cl_uint bit = 0; bit < scale; bit++) {
        float x = data_uniform(r);
        e.from = 2 * e.from + (x >= 0.57f + 0.19f);
        e.to = 2 * e.to + ((x >= 0.57f && x < 0.57f + 0.19f) || x >= 1 - 0.05f);
    }
    return e;
}

static struct edge *rmat_edges(struct program *p, cl_uint scale, size_t *count)
{
    struct data_random r = {SEED};
    const cl_uint *name = random_order(p, 1u << scale, SEED);
    *count = (size_t)EDGES_PER_VERTEX << scale;
    struct edge *edge = program_array(p, *count, sizeof *edge);
    for (size_t i = 0; i < *count; i++) {
        struct edge e = rmat_edge(scale, &r);
        edge[i] = (struct edge){name[e.from], name[e.to]};
    }
    return edge;
}

static struct edge *grid_edges(struct program *p, cl_uint scale, size_t *count)
{
    struct data_random r = {SEED};
    cl_uint n = 1u << scale, width = 1u << (scale + 1) / 2;
    struct edge *edge = program_array(p, 2 * (size_t)n, sizeof *edge);
    *count = 0;
    for (cl_uint v = 0; v < n; v++) {
        if ((v + 1) % width && data_uniform(&r) < 0.9f) edge[(*count)++] = (struct edge){v, v + 1};
        if (v + width < n && data_uniform(&r) < 0.9f)
            edge[(*count)++] = (struct edge){v, v + width};
    }
    return edge;
}

/* Two to five edges per vertex, each to any vertex. */
static struct edge *uniform_edges(struct program *p, cl_uint scale, size_t *count)
{
    struct data_random r = {SEED};
    cl_uint n = 1u << scale;
    struct edge *edge = program_array(p, 5 * (size_t)n, sizeof *edge);
    *count = 0;
    for (cl_uint v = 0; v < n; v++)
        for (cl_uint left = 2 + data_next(&r) % 4; left; left--)
            edge[(*count)++] = (struct edge){v, data_next(&r) & (n - 1)};
    return edge;
}

static int ascending(const void *a, const void *b)
{
    cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

/* Sorts every row and drops what stands there twice. */
static void tidy(struct graph *g)
{
    cl_uint to = 0, first = 0;
    for (cl_uint v = 0; v < g->n; v++) {
        cl_uint end = g->row[v + 1], begin = to;
        qsort(g->col + first, end - first, sizeof *g->col, ascending);
        for (cl_uint i = first; i < end; i++)
            if (to == begin || g->col[to - 1] != g->col[i]) g->col[to++] = g->col[i];
        g->row[v + 1] = to;
        first = end;
    }
    g->m = to;
}

static void from_edges(struct graph *g, struct program *p, const struct edge *edge, size_t count)
{
    g->row = program_array(p, g->n + 2, sizeof *g->row);
    g->col = program_array(p, 2 * count, sizeof *g->col);
    for (size_t i = 0; i < count; i++) {
        if (edge[i].from == edge[i].to) continue;
        g->row[edge[i].from + 2]++;
        g->row[edge[i].to + 2]++;
    }
    for (cl_uint v = 2; v < g->n + 2; v++)
        g->row[v] += g->row[v - 1];
    for (size_t i = 0; i < count; i++) {
        if (edge[i].from == edge[i].to) continue;
        g->col[g->row[edge[i].from + 1]++] = edge[i].to;
        g->col[g->row[edge[i].to + 1]++] = edge[i].from;
    }
    tidy(g);
}

bool graph_make(struct graph *g, struct program *p, const char *kind, cl_uint scale)
{
    size_t count;
    const struct edge *edge;
    *g = (struct graph){.n = 1u << scale};
    if (strcmp(kind, "rmat") == 0)
        edge = rmat_edges(p, scale, &count);
    else if (strcmp(kind, "grid") == 0)
        edge = grid_edges(p, scale, &count);
    else if (strcmp(kind, "uniform") == 0)
        edge = uniform_edges(p, scale, &count);
    else
        return false;
    from_edges(g, p, edge, count);
    return true;
}

cl_uint graph_weight(cl_uint u, cl_uint v)
{
    struct data_random r = {u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u};
    return 1 + (data_next(&r) & 255);
}

cl_int *graph_distances(struct program *p, const struct graph *g, cl_uint source)
{
    cl_int *distance = program_array(p, g->n, sizeof *distance);
    cl_uint *queue = program_array(p, g->n, sizeof *queue), end = 1;
    for (cl_uint v = 0; v < g->n; v++)
        distance[v] = -1;
    distance[source] = 0;
    queue[0] = source;
    for (cl_uint i = 0; i < end; i++)
        for (cl_uint e = g->row[queue[i]]; e < g->row[queue[i] + 1]; e++) {
            cl_uint v = g->col[e];
            if (distance[v] >= 0) continue;
            distance[v] = distance[queue[i]] + 1;
            queue[end++] = v;
        }
    return distance;
}

/* A binary heap of (distance, vertex); old entries of a vertex stay and are passed over. */
struct heap {
    uint64_t *at;
    size_t n;
};

static void heap_put(struct heap *h, uint64_t value)
{
    size_t i = h->n++;
    for (; i > 0 && h->at[(i - 1) / 2] > value; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = value;
}

static uint64_t heap_take(struct heap *h)
{
    uint64_t least = h->at[0], value = h->at[--h->n];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < h->n) {
        if (child + 1 < h->n && h->at[child + 1] < h->at[child]) child++;
        if (h->at[child] >= value) break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = value;
    return least;
}

void graph_shortest(const struct graph *g, const cl_uint *weight, cl_uint source, cl_uint *distance)
{
    struct heap h = {.at = data_new((size_t)g->m + 1, sizeof *h.at)};
    distance[source] = 0;
    heap_put(&h, source);
    while (h.n > 0) {
        uint64_t top = heap_take(&h);
        cl_uint v = (cl_uint)top, here = (cl_uint)(top >> 32);
        for (cl_uint e = g->row[v]; here == distance[v] && e < g->row[v + 1]; e++) {
            cl_uint offer = here + weight[e];
            if (offer >= distance[g->col[e]]) continue;
            distance[g->col[e]] = offer;
            heap_put(&h, (uint64_t)offer << 32 | g->col[e]);
        }
    }
    free(h.at);
}

cl_uint graph_hub(const struct graph *g)
{
    cl_uint best = 0;
    for (cl_uint v = 0; v < g->n; v++)
        if (g->row[v + 1] - g->row[v] > g->row[best + 1] - g->row[best]) best = v;
    return best;
}

static cl_uint find(const double *sum, cl_uint range, double x)
{
    cl_uint low = 0, high = range - 1;
    while (low < high) {
        cl_uint middle = (low + high) / 2;
        if (sum[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cl_uint *zipf_keys(struct program *p, size_t n, cl_uint range, uint64_t seed)
{
    struct data_random r = {seed};
    double *sum = program_array(p, range, sizeof *sum), total = 0;
    const cl_uint *place = random_order(p, range, seed);
    cl_uint *key = program_array(p, n, sizeof *key);
    for (cl_uint k = 0; k < range; k++)
        sum[k] = total += 1.0 / (1 + k);
    for (size_t i = 0; i < n; i++)
        key[i] = place[find(sum, range, data_uniform(&r) * total)];
    return key;
}
