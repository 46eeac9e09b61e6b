/* Step k of Floyd and Warshall: is the way over k shorter?  A pair per work-item, in place: row and
 * column k do not change in step k. */
__kernel void floyd_warshall(__global uint *distance, __global uint *over, uint k)
{
    uint x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
    uint detour = distance[y * n + k] + distance[k * n + x];
    if (detour < distance[y * n + x]) {
        distance[y * n + x] = detour;
        over[y * n + x] = k;
    }
}
