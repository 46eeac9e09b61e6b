/* How far from each of its places a query goes along in a genome: down a suffix tree from the root.
 * A node is eight words: the child per letter (0: none), where the letters of the edge to it begin
 * and end in the genome, the place of a suffix below it, and one that keeps nodes in 32 bytes. */
enum { CHILD = 0, EDGE = 4, PLACE = 6, NODE = 8 };

/* The longest match of query[from..end) and the place of one like it. */
uint2 walk(__global const uint *tree, __global const uchar *genome, __global const uchar *query,
           uint from, uint end)
{
    uint node = 0, q = from;
    while (q < end) {
        uint next = tree[node * NODE + CHILD + query[q]];
        if (next == 0) break;
        uint at = tree[next * NODE + EDGE] + 1, to = tree[next * NODE + EDGE + 1];
        for (q++; at < to && q < end && genome[at] == query[q]; q++)
            at++;
        node = next;
        if (at < to) break;
    }
    return (uint2)(q - from, tree[node * NODE + PLACE]);
}

__kernel void match_queries(__global const uint *tree, __global const uchar *genome,
                            __global const uchar *query, __global uint2 *match, uint queries,
                            uint length, uint starts)
{
    uint i = get_global_id(0);
    if (i >= queries) return;
    for (uint s = 0; s < starts; s++)
        match[i * starts + s] = walk(tree, genome, query, i * length + s, (i + 1) * length);
}
