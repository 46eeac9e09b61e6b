/* A x, a row per work-item: neighbours read a whole row apart. */
__kernel void atax_forward(__global const float *a, __global const float *x, __global float *ax,
                           uint rows, uint columns)
{
    uint i = get_global_id(0);
    if (i >= rows) return;
    float sum = 0;
    for (uint j = 0; j < columns; j++)
        sum += a[i * columns + j] * x[j];
    ax[i] = sum;
}

/* The transposed of A times that, a column per work-item: neighbours read neighbours. */
__kernel void atax_back(__global const float *a, __global const float *ax, __global float *y,
                        uint rows, uint columns)
{
    uint j = get_global_id(0);
    if (j >= columns) return;
    float sum = 0;
    for (uint i = 0; i < rows; i++)
        sum += a[i * columns + j] * ax[i];
    y[j] = sum;
}
