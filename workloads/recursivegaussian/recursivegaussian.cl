/* Gaussian blur by a recursive filter of second order down the columns of an RGBA picture and up
 * again (Deriche, INRIA 1893, 1993), and a transpose, so that the same does the rows. */

/* A column per work-item: out[y] = down[y] + up[y], where
 *   down[y] = a.x in[y] + a.y in[y-1] - b.x down[y-1] - b.y down[y-2]
 *   up[y] = a.z in[y+1] + a.w in[y+2] - b.x up[y+1] - b.y up[y+2]
 * and outside the picture is zero.  Between the two passes `out` holds `down`, rounded. */
__kernel void blur_columns(__global const uchar4 *in, __global uchar4 *out, uint width, uint height,
                           float4 a, float2 b)
{
    uint x = get_global_id(0);
    float4 in1 = 0, in2 = 0, y1 = 0, y2 = 0;
    for (uint y = 0; y < height; y++) {
        float4 v = convert_float4(in[y * width + x]);
        float4 down = a.x * v + a.y * in1 - b.x * y1 - b.y * y2;
        out[y * width + x] = convert_uchar4_sat_rte(down);
        in1 = v;
        y2 = y1;
        y1 = down;
    }
    in1 = y1 = y2 = 0;
    for (uint y = height; y-- > 0;) {
        float4 v = convert_float4(in[y * width + x]);
        float4 up = a.z * in1 + a.w * in2 - b.x * y1 - b.y * y2;
        out[y * width + x] = convert_uchar4_sat_rte(convert_float4(out[y * width + x]) + up);
        in2 = in1;
        in1 = v;
        y2 = y1;
        y1 = up;
    }
}

/* By tiles of 16 x 16 in local memory.  A work-item puts back the pixel that it took: a row of
 * work-items stores down a column, as in the program of AMD's SDK that the papers measure, and its
 * stores reach as many lines; only the rows of one tile below each other share them. */
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
transpose(__global const uchar4 *in, __global uchar4 *out, uint width, uint height)
{
    __local uchar4 tile[16][16];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint x = 16 * get_group_id(0) + lx, y = 16 * get_group_id(1) + ly;
    tile[ly][lx] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x * height + y] = tile[ly][lx];
}
