/* An element of a * b per work-item, straight from global memory. */
__kernel void mm3_product(__global const float *a, __global const float *b, __global float *c,
                          uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n) return;
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
