/* A pass of radix sort by one byte, stable.  A group of 64 sorts 4,096 keys, each work-item 64 that
 * lie one behind the other, with 256 counters of its own in local memory. */
#define ITEMS 64
#define KEYS 64

/* counter[digit][item] becomes how many keys of the digit the work-item has. */
void count_keys(__global const uint *key, __local ushort *counter, uint shift)
{
    uint item = get_local_id(0), first = KEYS * get_global_id(0);
    for (uint digit = 0; digit < 256; digit++)
        counter[ITEMS * digit + item] = 0;
    for (uint i = 0; i < KEYS; i++)
        counter[ITEMS * (key[first + i] >> shift & 255) + item]++;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* totals[digit][group]: the keys of the digit in the group. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
radix_count(__global const uint *key, __global uint *totals, uint shift)
{
    __local ushort counter[256 * ITEMS];
    count_keys(key, counter, shift);
    for (uint digit = get_local_id(0); digit < 256; digit += ITEMS) {
        uint total = 0;
        for (uint i = 0; i < ITEMS; i++)
            total += counter[ITEMS * digit + i];
        totals[digit * get_num_groups(0) + get_group_id(0)] = total;
    }
}

/* Turns the totals into places: what lies before the keys of the digit in the group.  One group of
 * 256, a digit per work-item. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void radix_places(__global uint *totals,
                                                                            uint groups)
{
    __local uint sum[256];
    uint digit = get_local_id(0), own = 0;
    for (uint g = 0; g < groups; g++)
        own += totals[digit * groups + g];
    sum[digit] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < 256; distance *= 2) {
        uint before = digit >= distance ? sum[digit - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum[digit] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint place = sum[digit] - own;
    for (uint g = 0; g < groups; g++) {
        uint total = totals[digit * groups + g];
        totals[digit * groups + g] = place;
        place += total;
    }
}

/* Moves each key to its place. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
radix_move(__global const uint *key, __global uint *out, __global const uint *places, uint shift)
{
    __local ushort counter[256 * ITEMS];
    uint item = get_local_id(0), first = KEYS * get_global_id(0);
    count_keys(key, counter, shift);
    for (uint digit = item; digit < 256; digit += ITEMS) {
        ushort before = 0;
        for (uint i = 0; i < ITEMS; i++) {
            ushort own = counter[ITEMS * digit + i];
            counter[ITEMS * digit + i] = before;
            before += own;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < KEYS; i++) {
        uint k = key[first + i], digit = k >> shift & 255;
        uint place = places[digit * get_num_groups(0) + get_group_id(0)];
        out[place + counter[ITEMS * digit + item]++] = k;
    }
}
