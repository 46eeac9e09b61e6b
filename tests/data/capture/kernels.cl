/* Kernels whose warp instructions can be counted by hand; see tests/cli/capture.sh. */

/* 1,000 of 1,024 work-items: one load, one store each. */
__kernel void guarded(__global float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n) b[i] = a[i] * 2.0f;
}

/* 16 x 16 tiles through local memory, one barrier. */
__kernel void transposed(__global float *out, __global const float *in, int n)
{
    __local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
    tile[y][x] = in[(gy + y) * n + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + y) * n + gy + x] = tile[x][y];
}

/* Work-item i loads i % 7 times, in an inner loop that runs once more each round. */
__kernel void triangular(__global float *out, __global const float *in)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 1; k <= i % 7; k++)
        for (int j = 0; j < k; j++)
            s += in[(i * 31 + k * 17 + j) % 1024];
    out[i] = s;
}

/* An atomic in global memory for odd work-items, one in local memory for all. */
__kernel void counted(__global int *count)
{
    __local int c;
    int i = get_global_id(0), l = get_local_id(0);
    if (l == 0) c = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&c, 1);
    if (i & 1) atomic_inc(&count[i & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) atomic_add(&count[16], c);
}

__constant float weight[4] = {1, 2, 3, 4};

/* Vectors of 16 and 32 bytes, constant memory, a private array, a call. */
float weighted(float8 v, int i)
{
    return v.s0 * weight[i & 3] + v.s7;
}

__kernel void mixed(__global float4 *out, __global const float *in)
{
    int i = get_global_id(0);
    int own[16];
    for (int k = 0; k < 16; k++)
        own[k] = i ^ k;
    float8 v = vload8(i, in);
    float s = native_sin(weighted(v, own[(i * 5) & 15]));
    out[i] = v.lo * s;
}

/* What cannot be captured. */
__kernel void copied(__global float *a)
{
    __local float t[64];
    event_t e = async_work_group_copy(t, a, 64, 0);
    wait_group_events(1, &e);
    a[get_global_id(0)] = t[63 - get_local_id(0)];
}

/* A private array of 8-byte elements. */
__kernel void privately(__global ulong *out)
{
    ulong own[8];
    size_t i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        own[k] = i * k;
    out[i] = own[i & 7];
}
