/* Scalar products of many pairs of vectors: a group takes every so-manieth pair, adds up into 1,024
 * sums in local memory, then adds those in a tree. */
enum { SUMS = 1024 };

__kernel void scalar_products(__global const float *a, __global const float *b,
                              __global float *product, uint vectors, uint n)
{
    __local float sum[SUMS];
    uint item = get_local_id(0), group = get_local_size(0);
    for (uint v = get_group_id(0); v < vectors; v += get_num_groups(0)) {
        uint end = (v + 1) * n;
        for (uint i = item; i < SUMS; i += group) {
            float s = 0;
            for (uint at = v * n + i; at < end; at += SUMS)
                s += a[at] * b[at];
            sum[i] = s;
        }
        for (uint stride = SUMS / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = item; i < stride; i += group)
                sum[i] += sum[i + stride];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0) product[v] = sum[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
