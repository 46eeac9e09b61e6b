/* By how much row `k` must be taken from each row below it: a column, a row's length apart. */
__kernel void gaussian_multipliers(__global const float *a, __global float *multiplier, uint k,
                                   uint n)
{
    uint i = get_global_id(0);
    if (i + k + 1 >= n) return;
    uint row = i + k + 1;
    multiplier[row * n + k] = a[row * n + k] / a[k * n + k];
}

/* Takes it, from the rows below and from the right-hand side. */
__kernel void gaussian_eliminate(__global float *a, __global float *b,
                                 __global const float *multiplier, uint k, uint n)
{
    uint x = get_global_id(0), row = get_global_id(1) + k + 1, column = x + k;
    if (row >= n || column >= n) return;
    float m = multiplier[row * n + k];
    a[row * n + column] -= m * a[k * n + column];
    if (x == 0) b[row] -= m * b[k];
}

/* The same as Rodinia's groups do it: neighbours in a group's first dimension are rows. */
__kernel void gaussian_eliminate_rows(__global float *a, __global float *b,
                                      __global const float *multiplier, uint k, uint n)
{
    uint y = get_global_id(1), row = get_global_id(0) + k + 1, column = y + k;
    if (row >= n || column >= n) return;
    float m = multiplier[row * n + k];
    a[row * n + column] -= m * a[k * n + column];
    if (y == 0) b[row] -= m * b[k];
}
