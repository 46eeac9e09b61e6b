/* Exclusive prefix sums of blocks of 256 elements in local memory: up a tree of sums and down
 * again, two elements per work-item.  The sum of each block goes to sums[block]. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
scan_blocks(__global uint *data, __global uint *sums, uint n)
{
    __local uint tree[256];
    uint item = get_local_id(0), first = 256 * get_group_id(0);
    for (uint i = item; i < 256; i += 128)
        tree[i] = first + i < n ? data[first + i] : 0;
    uint distance = 1;
    for (uint active = 128; active > 0; active /= 2, distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active)
            tree[distance * (2 * item + 2) - 1] += tree[distance * (2 * item + 1) - 1];
    }
    if (item == 0) {
        sums[get_group_id(0)] = tree[255];
        tree[255] = 0;
    }
    for (uint active = 1; active <= 128; active *= 2) {
        distance /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active) {
            uint low = distance * (2 * item + 1) - 1, high = distance * (2 * item + 2) - 1;
            uint left = tree[low];
            tree[low] = tree[high];
            tree[high] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < 256; i += 128)
        if (first + i < n) data[first + i] = tree[i];
}

/* Adds to each element what lies before its block. */
__kernel void scan_add(__global uint *data, __global const uint *sums)
{
    uint item = get_global_id(0);
    data[item] += sums[item / 256];
}
