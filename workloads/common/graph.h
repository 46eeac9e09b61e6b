/* graph.h - graphs in compressed sparse rows, and keys, made from a seed.
 *
 * Graphs are undirected (each edge stands in both rows), without loops or double edges; a row's
 * neighbours ascend.  Arrays belong to the program (program_array). */
#pragma once

#include "common/program.h"

struct graph {
    cl_uint n, m; /* vertices; entries of col, two per edge */
    cl_uint *row; /* [n + 1]: vertex v's neighbours are col[row[v]] .. col[row[v + 1] - 1] */
    cl_uint *col; /* [m] */
};

/* Kind "rmat": a power-law graph (R-MAT, Chakrabarti et al. 2004, with the probabilities of
 * Graph500: 0.57, 0.19, 0.19, 0.05) with about 8 edges per vertex, vertices shuffled; "grid":
 * road-like, a square grid with a tenth of the edges left out; "uniform": two to five edges from
 * every vertex to any other.  2^scale vertices.  false: another kind. */
bool graph_make(struct graph *g, struct program *p, const char *kind, cl_uint scale);

/* Of the edge between two vertices, 1..256, the same in both directions. */
cl_uint graph_weight(cl_uint u, cl_uint v);

/* Steps from `source`, -1 where there is no way. */
cl_int *graph_distances(struct program *p, const struct graph *g, cl_uint source);

/* Dijkstra's algorithm; weight[e] belongs to col[e].  The caller sets all distances beforehand to
 * what stands for no way, beyond any sum of weights. */
void graph_shortest(const struct graph *g, const cl_uint *weight, cl_uint source,
                    cl_uint *distance);

/* The vertex with the most neighbours. */
cl_uint graph_hub(const struct graph *g);

/* n numbers below `range`, r with a probability that goes with 1 / (1 + r) (Zipf's law); their
 * ranks are scattered over the range. */
cl_uint *zipf_keys(struct program *p, size_t n, cl_uint range, uint64_t seed);

/* The numbers 0 .. n - 1 in random order. */
cl_uint *random_order(struct program *p, cl_uint n, uint64_t seed);
