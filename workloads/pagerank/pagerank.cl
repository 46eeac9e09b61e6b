/* What flows into each vertex from its neighbours. */
__kernel void pagerank_gather(__global const uint *row, __global const uint *col,
                              __global const float *degree, __global const float *rank,
                              __global float *sum, uint n)
{
    uint v = get_global_id(0);
    if (v >= n) return;
    uint end = row[v + 1];
    float s = 0;
    for (uint e = row[v]; e < end; e++) {
        uint neighbour = col[e];
        s += rank[neighbour] / degree[neighbour];
    }
    sum[v] = s;
}

__kernel void pagerank_damp(__global const float *sum, __global float *rank, uint n)
{
    uint v = get_global_id(0);
    if (v < n) rank[v] = 0.15f / n + 0.85f * sum[v];
}
