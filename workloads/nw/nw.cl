#define SIDE 16

/* An anti-diagonal of tiles of the alignment's scores, a tile per group: column by column along
 * the anti-diagonals of the tile, in shared memory.  `first` is the column of tiles of group 0. */
__kernel void nw_tiles(__global const int *similarity, __global int *score, uint diagonal,
                       uint first, uint n, int penalty)
{
    __local int s[SIDE + 1][SIDE + 1], alike[SIDE][SIDE];
    uint i = get_local_id(0), tile_x = first + get_group_id(0), tile_y = diagonal - tile_x;
    uint width = n + 1, x = tile_x * SIDE, y = tile_y * SIDE;
    for (uint j = 0; j < SIDE; j++)
        alike[j][i] = similarity[(y + j) * n + x + i];
    if (i == 0) s[0][0] = score[y * width + x];
    s[0][i + 1] = score[y * width + x + i + 1];
    s[i + 1][0] = score[(y + i + 1) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < 2 * SIDE - 1; step++) {
        uint j = step - i; /* wraps around where it is not this item's turn yet */
        if (j < SIDE)
            s[j + 1][i + 1] = max(s[j][i] + alike[j][i],
                                  max(s[j + 1][i], s[j][i + 1]) - penalty);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint j = 0; j < SIDE; j++)
        score[(y + j + 1) * width + x + i + 1] = s[j + 1][i + 1];
}
