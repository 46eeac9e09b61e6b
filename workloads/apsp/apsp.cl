/* All shortest ways by relaxing until nothing changes: a work-item per source and vertex, the only
 * one that stores that pair's distance.  Distances are read and written by work-items that run at
 * the same time: loads acquire, stores release, so that what one launch finds may be used in the
 * same launch. */
uint load_acquire(volatile __global const uint *at)
{
    uint value = *at;
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    return value;
}

void store_release(volatile __global uint *at, uint value)
{
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    *at = value;
}

__kernel void apsp_relax(__global const uint *row, __global const uint *col,
                         __global const uint *weight, volatile __global uint *distance,
                         volatile __global uint *changed, uint n, uint pairs)
{
    uint pair = get_global_id(0);
    if (pair >= pairs) return;
    uint v = pair % n, end = row[v + 1];
    volatile __global uint *from_source = distance + (pair - v);
    uint before = from_source[v], here = before;
    for (uint e = row[v]; e < end; e++)
        here = min(here, load_acquire(&from_source[col[e]]) + weight[e]);
    if (here >= before) return;
    store_release(&from_source[v], here);
    *changed = 1;
}
