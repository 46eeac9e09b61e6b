/* Discrete cosine transform of blocks of 8 x 8 floats: C X C^T, a group per block and an element
 * per work-item.  `c` are the 8 x 8 coefficients. */
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void
dct(__global const float *in, __global float *out, __global const float *c, uint width)
{
    __local float half_way[8][8];
    uint j = get_local_id(0), i = get_local_id(1);
    uint corner = 8 * get_group_id(1) * width + 8 * get_group_id(0);
    float sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += c[8 * i + k] * in[corner + k * width + j];
    half_way[i][j] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += half_way[i][k] * c[8 * j + k];
    out[corner + i * width + j] = sum;
}
