#define SIDE 16

/* Blocked LU decomposition in place, L with ones on its diagonal: step `k` decomposes tile (k, k),
 * then solves for the tiles right of it and below it, then updates what is left. */
__kernel void lud_diagonal(__global float *m, uint k, uint n)
{
    __local float t[SIDE][SIDE];
    uint i = get_local_id(0);
    __global float *tile = m + k * SIDE * (n + 1);
    for (uint j = 0; j < SIDE; j++)
        t[j][i] = tile[j * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = 0; c < SIDE - 1; c++) {
        if (i > c) {
            t[i][c] /= t[c][c];
            for (uint j = c + 1; j < SIDE; j++)
                t[i][j] -= t[i][c] * t[c][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint j = 0; j < SIDE; j++)
        tile[j * n + i] = t[j][i];
}

/* A group takes a tile to the right (its first half) and the one as far below (its second): in the
 * one an item solves a column with L, in the other a row with U. */
__kernel void lud_perimeter(__global float *m, uint k, uint n)
{
    __local float t[SIDE][SIDE], right[SIDE][SIDE], below[SIDE][SIDE];
    uint i = get_local_id(0) % SIDE, other = get_local_id(0) / SIDE;
    uint far = (get_group_id(0) + 1) * SIDE;
    __global float *tile = m + k * SIDE * (n + 1);
    for (uint j = other; j < SIDE; j += 2)
        t[j][i] = tile[j * n + i];
    __global float *mine = other ? tile + far * n : tile + far;
    __local float(*b)[SIDE] = other ? below : right;
    for (uint j = 0; j < SIDE; j++)
        b[j][i] = mine[j * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = 0; c < SIDE; c++) {
        float sum = other ? b[i][c] : b[c][i];
        for (uint j = 0; j < c; j++)
            sum -= other ? b[i][j] * t[j][c] : t[c][j] * b[j][i];
        if (other)
            b[i][c] = sum / t[c][c];
        else
            b[c][i] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < SIDE; j++)
        mine[j * n + i] = b[j][i];
}

__kernel void lud_internal(__global float *m, uint k, uint n)
{
    __local float left[SIDE][SIDE], above[SIDE][SIDE];
    uint i = get_local_id(0), j = get_local_id(1);
    uint x = (k + 1) * SIDE + get_global_id(0), y = (k + 1) * SIDE + get_global_id(1);
    left[j][i] = m[y * n + k * SIDE + i];
    above[j][i] = m[(k * SIDE + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint c = 0; c < SIDE; c++)
        sum += left[j][c] * above[c][i];
    m[y * n + x] -= sum;
}
