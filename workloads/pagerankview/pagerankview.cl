/* Pages by how often they were viewed.  Map: a work-item reads a line "address TAB views NEWLINE"
 * and emits one number: views, then the line's, inverted.  Then a bitonic sort, the largest first:
 * the most viewed, of equal ones the first line. */
__kernel void read_views(__global const char *text, __global const uint *line,
                         __global ulong *emitted, uint lines)
{
    uint i = get_global_id(0), views = 0;
    if (i >= lines) return;
    uint at = line[i];
    while (text[at++] != '\t')
        ;
    for (char c = text[at]; c != '\n'; c = text[++at])
        views = 10 * views + (uint)(c - '0');
    emitted[i] = (ulong)views << 32 | ~i;
}

/* One stride of a merge to runs of `size`. */
__kernel void rank_pages(__global ulong *emitted, uint size, uint stride)
{
    uint item = get_global_id(0), low = 2 * item - (item & (stride - 1)), high = low + stride;
    ulong a = emitted[low], b = emitted[high];
    bool stay = (a > b) == ((low & size) == 0);
    emitted[low] = stay ? a : b;
    emitted[high] = stay ? b : a;
}
