/* One level of a breadth-first search: a vertex per work-item, those on the level look at their
 * neighbours.  Several may find the same vertex; they write the same value. */
__kernel void bfs_level(__global const uint *row, __global const uint *col, __global int *distance,
                        __global uint *changed, int level, uint n)
{
    uint v = get_global_id(0);
    if (v >= n || distance[v] != level) return;
    uint end = row[v + 1];
    for (uint e = row[v]; e < end; e++) {
        uint neighbour = col[e];
        if (distance[neighbour] >= 0) continue;
        distance[neighbour] = level + 1;
        *changed = 1;
    }
}
