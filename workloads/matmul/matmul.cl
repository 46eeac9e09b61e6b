/* C = A B for square matrices of n x n floats, row by row; a work-item computes a block of 4 x 4.
 * n4 is n / 4, the number of float4 in a row. */

/* Row r of the block gets a.x b0 + a.y b1 + a.z b2 + a.w b3. */
#define ADD(r, a, b0, b1, b2, b3) r += (a).x * b0 + (a).y * b1 + (a).z * b2 + (a).w * b3

__kernel void matmul(__global const float4 *a, __global const float4 *b, __global float4 *c,
                     uint n4)
{
    uint x = get_global_id(0), y = 4 * get_global_id(1);
    float4 r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    for (uint k = 0; k < n4; k++) {
        float4 b0 = b[(4 * k) * n4 + x], b1 = b[(4 * k + 1) * n4 + x];
        float4 b2 = b[(4 * k + 2) * n4 + x], b3 = b[(4 * k + 3) * n4 + x];
        ADD(r0, a[y * n4 + k], b0, b1, b2, b3);
        ADD(r1, a[(y + 1) * n4 + k], b0, b1, b2, b3);
        ADD(r2, a[(y + 2) * n4 + k], b0, b1, b2, b3);
        ADD(r3, a[(y + 3) * n4 + k], b0, b1, b2, b3);
    }
    c[y * n4 + x] = r0;
    c[(y + 1) * n4 + x] = r1;
    c[(y + 2) * n4 + x] = r2;
    c[(y + 3) * n4 + x] = r3;
}

/* The same with A by tiles of 32 x 32 floats in local memory, one tile for a group of 8 x 8. */
__kernel void matmul_tiled(__global const float4 *a, __global const float4 *b, __global float4 *c,
                           uint n4)
{
    __local float4 tile[32][8];
    uint x = get_global_id(0), y = 4 * get_global_id(1);
    uint lx = get_local_id(0), ly = 4 * get_local_id(1);
    float4 r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    for (uint first = 0; first < n4; first += 8) {
        for (uint i = 0; i < 4; i++)
            tile[ly + i][lx] = a[(y + i) * n4 + first + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 8; k++) {
            uint row = 4 * (first + k);
            float4 b0 = b[row * n4 + x], b1 = b[(row + 1) * n4 + x];
            float4 b2 = b[(row + 2) * n4 + x], b3 = b[(row + 3) * n4 + x];
            ADD(r0, tile[ly][k], b0, b1, b2, b3);
            ADD(r1, tile[ly + 1][k], b0, b1, b2, b3);
            ADD(r2, tile[ly + 2][k], b0, b1, b2, b3);
            ADD(r3, tile[ly + 3][k], b0, b1, b2, b3);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n4 + x] = r0;
    c[(y + 1) * n4 + x] = r1;
    c[(y + 2) * n4 + x] = r2;
    c[(y + 3) * n4 + x] = r3;
}
