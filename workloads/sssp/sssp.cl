/* A vertex whose distance fell offers its neighbours a way through itself. */
__kernel void sssp_relax(__global const uint *row, __global const uint *col,
                         __global const uint *weight, __global const uint *active,
                         __global uint *next, __global uint *distance, uint n)
{
    uint v = get_global_id(0);
    if (v >= n || !active[v]) return;
    uint end = row[v + 1], here = distance[v];
    for (uint e = row[v]; e < end; e++) {
        uint neighbour = col[e], offer = here + weight[e];
        if (offer < atomic_min(&distance[neighbour], offer)) next[neighbour] = 1;
    }
}

/* The vertices of the next round become active. */
__kernel void sssp_advance(__global uint *active, __global uint *next, __global uint *changed,
                           uint n)
{
    uint v = get_global_id(0);
    if (v >= n) return;
    uint fell = next[v];
    active[v] = fell;
    if (!fell) return;
    next[v] = 0;
    *changed = 1;
}
