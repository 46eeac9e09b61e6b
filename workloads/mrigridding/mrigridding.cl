/* Samples at irregular places spread over the cells of a cube.  The cube is cut in tiles of 4 x 4 x
 * 4 cells, and samples are sorted by the tile in which they lie (counted, then moved by atomics).
 * Then a group makes a tile, a work-item a cell: samples of the tile and its neighbours come
 * through local memory, and those within the radius are added with a weight that falls with the
 * distance.  Sorted tiles that follow each other along x lie one behind the other. */
enum { TILE = 4, GROUP = TILE * TILE * TILE };

uint tile_of(float x, float y, float z, uint tiles)
{
    return ((uint)z / TILE * tiles + (uint)y / TILE) * tiles + (uint)x / TILE;
}

__kernel void count_samples(__global const float *x, __global const float *y,
                            __global const float *z, volatile __global uint *count, uint samples,
                            uint tiles)
{
    uint i = get_global_id(0);
    if (i < samples) atomic_inc(&count[tile_of(x[i], y[i], z[i], tiles)]);
}

/* `next` is where the samples of each tile begin, and goes on. */
__kernel void sort_samples(__global const float *x, __global const float *y,
                           __global const float *z, __global const float *re,
                           __global const float *im, volatile __global uint *next,
                           __global float *sorted, uint samples, uint tiles)
{
    uint i = get_global_id(0);
    if (i >= samples) return;
    float px = x[i], py = y[i], pz = z[i];
    uint to = atomic_inc(&next[tile_of(px, py, pz, tiles)]);
    sorted[to] = px;
    sorted[samples + to] = py;
    sorted[2 * samples + to] = pz;
    sorted[3 * samples + to] = re[i];
    sorted[4 * samples + to] = im[i];
}

/* What n samples add to the cell at (x, y, z). */
float2 gather(__local const float *s, uint n, float x, float y, float z,
              __constant const float *window, float radius2, float scale)
{
    float re = 0, im = 0;
    for (uint i = 0; i < n; i++) {
        float dx = s[i] - x, dy = s[GROUP + i] - y, dz = s[2 * GROUP + i] - z;
        float d2 = dx * dx + dy * dy + dz * dz;
        if (d2 >= radius2) continue;
        float w = window[(uint)(d2 * scale)];
        re += w * s[3 * GROUP + i];
        im += w * s[4 * GROUP + i];
    }
    return (float2)(re, im);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
grid_tiles(__global const float *sorted, __global const uint *start, __constant const float *window,
           __global float *re, __global float *im, uint samples, uint tiles, float radius2,
           float scale)
{
    __local float s[5 * GROUP];
    uint tile = get_group_id(0), item = get_local_id(0), side = tiles * TILE;
    uint tx = tile % tiles, ty = tile / tiles % tiles, tz = tile / tiles / tiles;
    uint cx = tx * TILE + item % TILE, cy = ty * TILE + item / TILE % TILE;
    uint cz = tz * TILE + item / TILE / TILE;
    float2 sum = 0;
    for (uint z = max(tz, 1u) - 1; z < min(tz + 2, tiles); z++)
        for (uint y = max(ty, 1u) - 1; y < min(ty + 2, tiles); y++) {
            uint row = (z * tiles + y) * tiles;
            uint end = start[row + min(tx + 2, tiles)];
            for (uint at = start[row + max(tx, 1u) - 1]; at < end; at += GROUP) {
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint k = 0; k < 5 && at + item < end; k++)
                    s[k * GROUP + item] = sorted[k * samples + at + item];
                barrier(CLK_LOCAL_MEM_FENCE);
                sum += gather(s, min(end - at, (uint)GROUP), cx, cy, cz, window, radius2, scale);
            }
        }
    re[(cz * side + cy) * side + cx] = sum.x;
    im[(cz * side + cy) * side + cx] = sum.y;
}
