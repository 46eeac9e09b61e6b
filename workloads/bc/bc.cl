/* Forwards: a vertex not yet reached gathers the numbers of shortest ways to its neighbours on the
 * level; if there are any it is on the next.  Others may be given a distance meanwhile, but not the
 * level's. */
__kernel void bc_forward(__global const uint *row, __global const uint *col, __global int *distance,
                         __global float *ways, __global uint *changed, int level, uint n)
{
    uint v = get_global_id(0);
    if (v >= n || distance[v] >= 0) return;
    uint end = row[v + 1];
    float sum = 0;
    for (uint e = row[v]; e < end; e++) {
        uint neighbour = col[e];
        if (distance[neighbour] == level) sum += ways[neighbour];
    }
    if (sum == 0) return;
    distance[v] = level + 1;
    ways[v] = sum;
    *changed = 1;
}

/* Backwards: how many shortest ways on go through the vertex, from those behind it. */
__kernel void bc_backward(__global const uint *row, __global const uint *col,
                          __global const int *distance, __global const float *ways,
                          __global float *share, __global float *centrality, int level, uint n)
{
    uint v = get_global_id(0);
    if (v >= n || distance[v] != level) return;
    uint end = row[v + 1];
    float sum = 0;
    for (uint e = row[v]; e < end; e++) {
        uint neighbour = col[e];
        if (distance[neighbour] == level + 1) sum += (1 + share[neighbour]) / ways[neighbour];
    }
    sum *= ways[v];
    share[v] = sum;
    if (level > 0) centrality[v] += sum;
}
