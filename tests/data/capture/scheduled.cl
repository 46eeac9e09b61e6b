/* Kernels whose order of loads tests/behaviour/trace/unroll.c has by hand; 64 work-items. */

/* Loads on both sides of a store to the same memory, one of them at a place that another gives. */
__kernel void straight(__global int *out, __global const int *a, __global const int *b)
{
    int i = get_global_id(0);
    int x = a[i] * 3;
    int y = b[i] + x;
    out[i] = y;
    int z = b[y & 63] * 5;
    out[i + 64] = z + a[i + 64];
}

/* A load behind writes to local memory, one of them an atomic, then one behind a barrier. */
__kernel void apart(__global int *out, __global const int *a)
{
    __local int sum[64];
    int i = get_local_id(0);
    sum[i] = a[i];
    atomic_inc(&sum[(i + 1) & 63]);
    int x = a[i + 64];
    int y = sum[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = x + y + a[i + 128];
}

/* Ten rounds of a load and an addition, whose number is not known before. */
__kernel void looped(__global float *out, __global const float *a, uint n)
{
    uint i = get_global_id(0);
    float s = 0;
    for (uint k = i; k < n; k += 64)
        s += a[k];
    out[i] = s;
}

/* Each round's second load needs its first. */
__kernel void gathered(__global float *out, __global const uint *a, uint n)
{
    __local float from[64];
    uint i = get_local_id(0);
    from[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (uint k = i; k < n; k += 64)
        s += from[a[k] & 63];
    out[i] = s;
}
