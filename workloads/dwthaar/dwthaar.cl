/* Haar wavelet transform of blocks of 2 * group size samples, all levels of a block in local
 * memory. Of n samples, level l = 1, 2, ... leaves n / 2^l differences from out[n / 2^l] on; the
 * last sum of each block goes to `rest`. */
__kernel void dwt_haar(__global const float *in, __global float *out, __global float *rest, uint n,
                       __local float *block)
{
    uint item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);
    uint first = 2 * items * group;
    block[item] = in[first + item];
    block[item + items] = in[first + item + items];
    for (uint active = items, level = n / 2; active > 0; active /= 2, level /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float left = 0, right = 0;
        if (item < active) {
            left = block[2 * item];
            right = block[2 * item + 1];
            out[level + group * active + item] = (left - right) * M_SQRT1_2_F;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active) block[item] = (left + right) * M_SQRT1_2_F;
    }
    if (item == 0) rest[group] = block[0];
}
