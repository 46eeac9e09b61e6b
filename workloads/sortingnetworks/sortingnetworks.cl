/* Bitonic sorting of keys with their values, in arrays of 2^k that lie one behind the other.  Pairs
 * less than a tile of 512 apart are compared in local memory, others in global memory. */
enum { GROUP = 256, TILE = 2 * GROUP };

/* The pair at `low` and `low` + stride, in order if `up`, else the other way round. */
void order_local(__local uint *key, __local uint *value, uint low, uint stride, bool up)
{
    uint high = low + stride, ka = key[low], kb = key[high], va = value[low], vb = value[high];
    bool swap = (ka > kb) == up;
    key[low] = swap ? kb : ka;
    key[high] = swap ? ka : kb;
    value[low] = swap ? vb : va;
    value[high] = swap ? va : vb;
}

/* All strides from `stride` down to 1 within a tile.  `up` goes with the run of `size` elements. */
void merge_tile(__local uint *key, __local uint *value, uint stride, uint size, uint n)
{
    uint item = get_local_id(0), first = TILE * get_group_id(0);
    for (; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * item - (item & (stride - 1));
        order_local(key, value, low, stride, ((first + low) & (n - 1) & size) == 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

void load_tile(__global const uint *key, __global const uint *value, __local uint *k,
               __local uint *v)
{
    for (uint i = get_local_id(0), at = TILE * get_group_id(0) + i; i < TILE; i += GROUP) {
        k[i] = key[at];
        v[i] = value[at];
        at += GROUP;
    }
}

void store_tile(__local const uint *k, __local const uint *v, __global uint *key,
                __global uint *value)
{
    for (uint i = get_local_id(0), at = TILE * get_group_id(0) + i; i < TILE; i += GROUP) {
        key[at] = k[i];
        value[at] = v[i];
        at += GROUP;
    }
}

/* Sorts each tile, upwards and downwards in turn. */
__kernel void sort_tiles(__global uint *key, __global uint *value, uint n)
{
    __local uint k[TILE], v[TILE];
    load_tile(key, value, k, v);
    for (uint size = 2; size <= TILE; size *= 2)
        merge_tile(k, v, size / 2, size, n);
    store_tile(k, v, key, value);
}

/* One stride of a merge to runs of `size`. */
__kernel void merge_far(__global uint *key, __global uint *value, uint n, uint size, uint stride)
{
    uint item = get_global_id(0), low = 2 * item - (item & (stride - 1)), high = low + stride;
    uint ka = key[low], kb = key[high], va = value[low], vb = value[high];
    bool swap = (ka > kb) == ((low & (n - 1) & size) == 0);
    key[low] = swap ? kb : ka;
    key[high] = swap ? ka : kb;
    value[low] = swap ? vb : va;
    value[high] = swap ? va : vb;
}

/* The strides of a merge that lie within a tile. */
__kernel void merge_near(__global uint *key, __global uint *value, uint n, uint size)
{
    __local uint k[TILE], v[TILE];
    load_tile(key, value, k, v);
    merge_tile(k, v, TILE / 2, size, n);
    store_tile(k, v, key, value);
}
