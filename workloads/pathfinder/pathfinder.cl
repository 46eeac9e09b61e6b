#define GROUP 256

/* Some rows of the cheapest way down a field: each cell costs its own and the least of the three
 * above it.  A group's strip overlaps its neighbours' by `rows` cells on each side; with each row
 * a rim goes stale, and what is left is written. */
__kernel void pathfinder_rows(__global const int *cost, __global const int *before,
                              __global int *after, uint first, uint rows, int width)
{
    __local int sum[2][GROUP];
    int i = get_local_id(0), rim = (int)rows;
    int x = (int)get_group_id(0) * (GROUP - 2 * rim) + i - rim;
    bool on_field = x >= 0 && x < width;
    sum[0][i] = on_field ? before[x] : INT_MAX;
    sum[1][i] = INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < rows; r++) {
        __local const int *above = sum[r & 1];
        if (on_field) {
            int least = min(above[i], min(above[max(i - 1, 0)], above[min(i + 1, GROUP - 1)]));
            sum[~r & 1][i] = least + cost[(first + r) * width + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (on_field && i >= rim && i < GROUP - rim) after[x] = sum[rows & 1][i];
}
