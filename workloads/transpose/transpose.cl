/* The transpose of a square matrix of n x n floats, row by row. */

/* By tiles of 64 x 64 in local memory: a work-item of the 16 x 16 of a group takes a block of
 * 4 x 4, read and written as four float4; n4 is n / 4.  Both reads and writes of 16 neighbours are
 * 256 bytes in a row; the writes of one group begin n * 4 bytes apart. */
__kernel void transpose_tiled(__global const float4 *in, __global float4 *out, uint n4)
{
    __local float4 tile[64][16];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint gx = get_group_id(0), gy = get_group_id(1);
    for (uint i = 0; i < 4; i++)
        tile[4 * ly + i][lx] = in[(64 * gy + 4 * ly + i) * n4 + 16 * gx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 r0 = tile[4 * lx][ly], r1 = tile[4 * lx + 1][ly];
    float4 r2 = tile[4 * lx + 2][ly], r3 = tile[4 * lx + 3][ly];
    uint first = (64 * gx + 4 * ly) * n4 + 16 * gy + lx;
    out[first] = (float4)(r0.x, r1.x, r2.x, r3.x);
    out[first + n4] = (float4)(r0.y, r1.y, r2.y, r3.y);
    out[first + 2 * n4] = (float4)(r0.z, r1.z, r2.z, r3.z);
    out[first + 3 * n4] = (float4)(r0.w, r1.w, r2.w, r3.w);
}

/* An element per work-item, straight from place to place: each store of a row of work-items goes to
 * as many lines. */
__kernel void transpose_naive(__global const float *in, __global float *out, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x];
}
