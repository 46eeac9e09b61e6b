/* Inverted index by MapReduce: which pages have links to which address.  Map reads pages letter by
 * letter, twice: to count links, and, with the places that a scan gave, to emit (address, page).
 * Addresses are places in the text, up to a quotation mark.  Then sorted and grouped. */
enum { GROUP = 256 };
#define NOWHERE 0xffffffffu

__constant char link[9] = {'<', 'a', ' ', 'h', 'r', 'e', 'f', '=', '"'};

/* Letters of the start of a link seen, after one more. */
uint follow(uint seen, char letter)
{
    return letter == link[seen] ? seen + 1 : letter == '<';
}

__kernel void count_links(__global const char *text, __global const uint *page,
                          __global uint *count, uint pages)
{
    uint i = get_global_id(0);
    if (i >= pages) return;
    uint end = page[i + 1], links = 0, seen = 0;
    for (uint at = page[i]; at < end; at++) {
        seen = follow(seen, text[at]);
        links += seen == 9;
        seen = seen == 9 ? 0 : seen;
    }
    count[i] = links;
}

/* What lies before each of n numbers, and in place[n] their sum; one group. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan(__global const uint *count,
                                                                      __global uint *place, uint n)
{
    __local uint sum[GROUP];
    uint item = get_local_id(0), before = 0;
    for (uint first = 0; first < n; first += GROUP) {
        uint own = first + item < n ? count[first + item] : 0, all = own;
        for (uint step = 1; step < GROUP; step *= 2) {
            sum[item] = all;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item >= step) all += sum[item - step];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item == GROUP - 1) sum[item] = all;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first + item < n) place[first + item] = before + all - own;
        before += sum[GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) place[n] = before;
}

__kernel void emit_links(__global const char *text, __global const uint *page,
                         __global const uint *place, __global uint *emitted, uint pages)
{
    uint i = get_global_id(0);
    if (i >= pages) return;
    uint end = page[i + 1], to = place[i], seen = 0;
    for (uint at = page[i]; at < end; at++) {
        seen = follow(seen, text[at]);
        if (seen < 9) continue;
        emitted[2 * to] = at + 1;
        emitted[2 * to + 1] = i;
        to++;
        seen = 0;
    }
}

/* Addresses less, equal, greater: -1, 0, 1. */
int compare(__global const char *text, uint a, uint b)
{
    for (;; a++, b++) {
        char x = text[a], y = text[b];
        if (x != y) return x < y ? -1 : 1;
        if (x == '"') return 0;
    }
}

bool comes_before(__global const char *text, uint2 a, uint2 b)
{
    if (a.x == NOWHERE || b.x == NOWHERE) return a.x < b.x;
    int order = compare(text, a.x, b.x);
    return order < 0 || (order == 0 && a.y < b.y);
}

/* One stride of a bitonic merge to runs of `size`. */
__kernel void sort_links(__global const char *text, __global uint2 *emitted, uint size, uint stride)
{
    uint item = get_global_id(0), low = 2 * item - (item & (stride - 1)), high = low + stride;
    uint2 a = emitted[low], b = emitted[high];
    bool up = (low & size) == 0;
    if (!comes_before(text, up ? b : a, up ? a : b)) return;
    emitted[low] = b;
    emitted[high] = a;
}

/* 1 where an address is not the one before. */
__kernel void mark_groups(__global const char *text, __global const uint2 *emitted,
                          __global uint *mark, uint links)
{
    uint i = get_global_id(0);
    if (i >= links) return;
    mark[i] = i == 0 || compare(text, emitted[i - 1].x, emitted[i].x) != 0;
}

__kernel void write_groups(__global const uint *mark, __global const uint *place,
                           __global uint *group, uint links)
{
    uint i = get_global_id(0);
    if (i < links && mark[i]) group[place[i]] = i;
}
