/* The sum of 512 uint4 per group of 256: two each, then a tree in local memory. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void reduction(__global const uint4 *in,
                                                                         __global uint4 *out)
{
    __local uint4 part[256];
    uint item = get_local_id(0), first = 512 * get_group_id(0) + item;
    part[item] = in[first] + in[first + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 128; n > 0; n /= 2) {
        if (item < n) part[item] += part[item + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) out[get_group_id(0)] = part[0];
}
