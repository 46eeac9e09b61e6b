/* The highest priority among the neighbours that have no colour yet, of each such vertex. */
__kernel void color_highest(__global const uint *row, __global const uint *col,
                            __global const int *color, __global const uint *priority,
                            __global uint *highest, uint n)
{
    uint v = get_global_id(0);
    if (v >= n || color[v] >= 0) return;
    uint end = row[v + 1], most = 0;
    for (uint e = row[v]; e < end; e++) {
        uint neighbour = col[e];
        if (color[neighbour] < 0) most = max(most, priority[neighbour]);
    }
    highest[v] = most;
}

/* Who stands above all of them takes the colour of the round; the others leave a flag. */
__kernel void color_assign(__global int *color, __global const uint *priority,
                           __global const uint *highest, __global uint *left, int round, uint n)
{
    uint v = get_global_id(0);
    if (v >= n || color[v] >= 0) return;
    if (priority[v] > highest[v])
        color[v] = round;
    else
        *left = 1;
}
