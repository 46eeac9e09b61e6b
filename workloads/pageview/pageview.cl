/* How often each page was viewed: a line of a log per work-item.  A page's slot in a hash table
 * with linear probing belongs to whoever puts the place of its line there first; others compare the
 * addresses of the pages.  Addresses end with a tab. */
bool same_page(__global const char *text, uint a, uint b)
{
    char x;
    do {
        x = text[a++];
        if (x != text[b++]) return false;
    } while (x != '\t');
    return true;
}

__kernel void count_views(__global const char *text, __global const uint *line,
                          volatile __global uint *slot, volatile __global uint *views, uint lines,
                          uint mask)
{
    uint i = get_global_id(0);
    if (i >= lines) return;
    uint from = line[i], at = 2166136261u;
    char c;
    for (uint k = from; (c = text[k]) != '\t'; k++)
        at = (at ^ (uchar)c) * 16777619u;
    for (at &= mask;; at = (at + 1) & mask) {
        uint held = atomic_cmpxchg(&slot[at], 0, from + 1);
        if (held == 0 || same_page(text, from, held - 1)) break;
    }
    atomic_inc(&views[at]);
}
