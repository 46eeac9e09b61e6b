/* Sparse matrix times vector, compressed sparse rows, a row per work-item. */
__kernel void spmv_csr(__global const uint *row, __global const uint *col,
                       __global const float *value, __global const float *x, __global float *y,
                       uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    uint end = row[i + 1];
    float sum = 0;
    for (uint e = row[i]; e < end; e++)
        sum += value[e] * x[col[e]];
    y[i] = sum;
}
