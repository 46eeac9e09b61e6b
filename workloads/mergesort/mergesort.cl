/* Merge sort of keys with values.  An element's place in the merged run is its place in its own run
 * and its rank in the other, found by binary search; of equal keys the left run's come first. */
enum { GROUP = 256, TILE = 2 * GROUP };

/* How many of n ascending keys lie before `k`, equal ones counted if `equal`; `step` is a power of
 * two, at least n / 2, and the number of reads goes with it alone. */
uint rank(__local const uint *key, uint n, uint step, uint k, bool equal)
{
    uint place = 0;
    if (n == 0) return 0;
    for (; step > 0; step /= 2) {
        uint next = min(place + step, n), other = key[next - 1];
        if (equal ? other <= k : other < k) place = next;
    }
    return place;
}

/* Sorts each tile: runs of 1, 2, ... are merged in local memory. */
__kernel void sort_tiles(__global const uint *key_in, __global const uint *value_in,
                         __global uint *key_out, __global uint *value_out)
{
    __local uint key[TILE], value[TILE];
    uint item = get_local_id(0), first = TILE * get_group_id(0) + item;
    key[item] = key_in[first];
    key[item + GROUP] = key_in[first + GROUP];
    value[item] = value_in[first];
    value[item + GROUP] = value_in[first + GROUP];
    for (uint run = 1; run < TILE; run *= 2) {
        uint i = item & (run - 1), left = 2 * (item - i);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint ka = key[left + i], va = value[left + i];
        uint kb = key[left + run + i], vb = value[left + run + i];
        uint a = left + i + rank(key + left + run, run, run, ka, false);
        uint b = left + i + rank(key + left, run, run, kb, true);
        barrier(CLK_LOCAL_MEM_FENCE);
        key[a] = ka;
        value[a] = va;
        key[b] = kb;
        value[b] = vb;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key_out[first] = key[item];
    key_out[first + GROUP] = key[item + GROUP];
    value_out[first] = value[item];
    value_out[first + GROUP] = value[item + GROUP];
}

/* Two neighbouring runs make 2 x run / TILE tiles of output: how many elements of the left run lie
 * before each tile, a tile per work-item. */
__kernel void find_splits(__global const uint *key, __global uint *split, uint run, uint tiles)
{
    uint tile = get_global_id(0);
    if (tile >= tiles) return;
    uint before = (tile * TILE) & (2 * run - 1), left = tile * TILE - before;
    uint low = before < run ? 0 : before & (run - 1), high = min(before, run);
    while (low < high) {
        uint middle = (low + high) / 2;
        if (key[left + middle] <= key[left + run + before - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    split[tile] = low;
}

/* A tile of output per group: its pieces of both runs through local memory. */
__kernel void merge_tiles(__global const uint *key_in, __global const uint *value_in,
                          __global const uint *split, __global uint *key_out,
                          __global uint *value_out, uint run)
{
    __local uint key[TILE];
    uint tile = get_group_id(0), before = (tile * TILE) & (2 * run - 1);
    uint left = tile * TILE - before, from = split[tile];
    uint to = before + TILE == 2 * run ? run : split[tile + 1], na = to - from;
    uint a = left + from, b = left + run + before - from - na;
    for (uint i = get_local_id(0); i < TILE; i += GROUP)
        key[i] = key_in[i < na ? a + i : b + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < TILE; i += GROUP) {
        uint place = i < na ? i + rank(key + na, TILE - na, TILE, key[i], false)
                            : i - na + rank(key, na, TILE, key[i], true);
        key_out[tile * TILE + place] = key[i];
        value_out[tile * TILE + place] = value_in[i < na ? a + i : b + i];
    }
}
