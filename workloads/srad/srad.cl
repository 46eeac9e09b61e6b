#define GROUP 256

/* Sums of the picture and of its squares, one of each per group. */
__kernel void srad_sums(__global const float *picture, __global float *sums, uint cells)
{
    __local float sum[GROUP], squares[GROUP];
    uint cell = get_global_id(0), i = get_local_id(0);
    float value = cell < cells ? picture[cell] : 0;
    sum[i] = value;
    squares[i] = value * value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        if (i < half_way) {
            sum[i] += sum[i + half_way];
            squares[i] += squares[i + half_way];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i != 0) return;
    sums[2 * get_group_id(0)] = sum[0];
    sums[2 * get_group_id(0) + 1] = squares[0];
}

/* Differences to the four neighbours, whose rows and columns stand in tables, and how readily the
 * cell diffuses.  `speckle` is the picture's variance by its squared mean. */
__kernel void srad_coefficients(__global const float *picture, __global const uint *row_above,
                                __global const uint *row_below, __global const uint *left,
                                __global const uint *right, __global float *slope,
                                __global float *readiness, float speckle, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1), cells = n * n, cell = y * n + x;
    if (x >= n || y >= n) return;
    float here = picture[cell];
    float north = picture[row_above[y] * n + x] - here;
    float south = picture[row_below[y] * n + x] - here;
    float west = picture[y * n + left[x]] - here, east = picture[y * n + right[x]] - here;
    float gradient = (north * north + south * south + west * west + east * east) / (here * here);
    float laplacian = (north + south + west + east) / here;
    float numerator = 0.5f * gradient - laplacian * laplacian / 16;
    float denominator = 1 + 0.25f * laplacian;
    float q = numerator / (denominator * denominator);
    slope[cell] = north;
    slope[cells + cell] = south;
    slope[2 * cells + cell] = west;
    slope[3 * cells + cell] = east;
    readiness[cell] = clamp(1 / (1 + (q - speckle) / (speckle * (1 + speckle))), 0.0f, 1.0f);
}

__kernel void srad_update(__global float *picture, __global const uint *row_below,
                          __global const uint *right, __global const float *slope,
                          __global const float *readiness, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1), cells = n * n, cell = y * n + x;
    if (x >= n || y >= n) return;
    float here = readiness[cell], south = readiness[row_below[y] * n + x];
    float east = readiness[y * n + right[x]];
    float flow = here * slope[cell] + south * slope[cells + cell] + here * slope[2 * cells + cell] +
                 east * slope[3 * cells + cell];
    picture[cell] += 0.125f * flow;
}
