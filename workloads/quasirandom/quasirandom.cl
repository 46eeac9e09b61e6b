/* Sobol's sequence: element i of a dimension is the exclusive or of the direction numbers that the
 * bits of i select.  A group per 256 elements of a dimension. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
quasi_random(__global const uint *direction, __global float *out, uint groups_per_dimension)
{
    __local uint v[32];
    uint item = get_local_id(0), group = get_group_id(0);
    if (item < 32) v[item] = direction[32 * (group / groups_per_dimension) + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint i = 256 * (group % groups_per_dimension) + item, x = 0;
    for (uint bit = 0; bit < 32; bit++)
        if (i >> bit & 1) x ^= v[bit];
    out[256 * group + item] = (float)(x >> 8) * 0x1p-24f;
}
