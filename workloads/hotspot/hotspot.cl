#define SIDE 16

/* Some time steps of a heated chip in shared memory.  A group's tile overlaps its neighbours' by
 * `steps` cells on each side: with each step a rim of the tile goes stale, and what is left is
 * written.  Beyond the chip's edge lies what lies at the edge. */
__kernel void hotspot_steps(__global const float *power, __global const float *before,
                            __global float *after, uint steps, int n)
{
    __local float hot[2][SIDE][SIDE];
    int i = get_local_id(0), j = get_local_id(1), rim = (int)steps, small = SIDE - 2 * rim;
    int x = get_group_id(0) * small + i - rim, y = get_group_id(1) * small + j - rim;
    int cell = clamp(y, 0, n - 1) * n + clamp(x, 0, n - 1);
    float watt = power[cell];
    hot[0][j][i] = hot[1][j][i] = before[cell];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool on_chip = x >= 0 && y >= 0 && x < n && y < n;
    bool inside = i > 0 && j > 0 && i < SIDE - 1 && j < SIDE - 1;
    for (uint s = 0; s < steps; s++) {
        __local float(*t)[SIDE] = hot[s & 1];
        if (on_chip && inside) {
            float here = t[j][i];
            float east = t[j][x < n - 1 ? i + 1 : i], west = t[j][x > 0 ? i - 1 : i];
            float south = t[y < n - 1 ? j + 1 : j][i], north = t[y > 0 ? j - 1 : j][i];
            hot[~s & 1][j][i] = here + 0.1f * (east + west - 2 * here) +
                                0.1f * (north + south - 2 * here) + 0.05f * (80.0f - here) +
                                0.5f * watt;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    bool fresh = i >= rim && j >= rim && i < SIDE - rim && j < SIDE - rim;
    if (on_chip && fresh) after[cell] = hot[steps & 1][j][i];
}
