/* A query per group: on each level of the tree every work-item compares the query with a key of
 * the node, and the one between whose key and the next it lies knows the child.  A node is ORDER
 * keys and the first of the next node, as numbers that ascend; levels lie one behind the other. */
__kernel void btree_find(__global const uint *key, __global const uint *child,
                         __global const uint *query, __global uint *answer, uint levels, uint order)
{
    __local uint node;
    uint i = get_local_id(0), wanted = query[get_group_id(0)];
    if (i == 0) node = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint level = 0; level < levels; level++) {
        uint here = node;
        uint low = key[here * (order + 1) + i], high = key[here * (order + 1) + i + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((low <= wanted) & (wanted < high)) node = child[here * order + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) answer[get_group_id(0)] = node;
}
