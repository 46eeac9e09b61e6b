#define GROUP 256
#define BINS 32
#define COPIES 8 /* of the histogram: one per 32 work-items */

/* How often pairs of points on the sphere lie at which angles, a group per pair of sets: group 0
 * set 0 with itself, groups 1 .. sets - 1 set 0 with another, the rest each of those with itself.
 * Set s holds points s * n .. s * n + n - 1; bound[k] is the cosine of the angle between bins k and
 * k + 1. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
tpacf_count(__global const float *x, __global const float *y, __global const float *z,
            __constant const float *bound, __global uint *histogram, uint n, uint sets)
{
    __local float tile_x[GROUP], tile_y[GROUP], tile_z[GROUP];
    __local uint count[COPIES][BINS];
    uint i = get_local_id(0), group = get_group_id(0);
    bool itself = group == 0 || group >= sets;
    uint first = group < sets ? 0 : (group - sets + 1) * n;
    uint second = group < sets ? group * n : first;
    count[i / BINS][i % BINS] = 0;
    for (uint start = 0; start < n; start += GROUP) {
        uint points = min((uint)GROUP, n - start);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < points) {
            tile_x[i] = x[first + start + i];
            tile_y[i] = y[first + start + i];
            tile_z[i] = z[first + start + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = i; j < n; j += GROUP) {
            float at_x = x[second + j], at_y = y[second + j], at_z = z[second + j];
            uint end = points;
            if (itself) end = j > start ? min(points, j - start) : 0;
            for (uint k = 0; k < end; k++) {
                float cosine = at_x * tile_x[k] + at_y * tile_y[k] + at_z * tile_z[k];
                uint bin = 0;
                for (uint half_way = BINS / 2; half_way > 0; half_way /= 2)
                    if (cosine < bound[bin + half_way - 1]) bin += half_way;
                atomic_inc(&count[i / 32][bin]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= BINS) return;
    uint sum = 0;
    for (uint c = 0; c < COPIES; c++)
        sum += count[c][i];
    histogram[group * BINS + i] = sum;
}
