/* How often each value of a byte occurs: 256 bins per group in local memory, 16 words of four bytes
 * per work-item. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
histogram_groups(__global const uint *in, __global uint *part)
{
    __local uint bin[256];
    uint item = get_local_id(0), group = get_group_id(0);
    bin[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 16; i++) {
        uint word = in[4096 * group + 256 * i + item];
        atomic_inc(&bin[word & 255]);
        atomic_inc(&bin[word >> 8 & 255]);
        atomic_inc(&bin[word >> 16 & 255]);
        atomic_inc(&bin[word >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    part[256 * group + item] = bin[item];
}

/* Adds up what the groups found, a bin per work-item. */
__kernel void histogram_sum(__global const uint *part, __global uint *out, uint groups)
{
    uint item = get_global_id(0), sum = 0;
    for (uint group = 0; group < groups; group++)
        sum += part[256 * group + item];
    out[item] = sum;
}
