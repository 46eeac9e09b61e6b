/* Kernels whose work-items part on purpose; see tests/cli/capture_forms.sh and
 * tests/behaviour/trace/oracle.c. */

/* Work-items part by (i >> shift) & 1: at 0 in every warp, at 6 warp by warp. */
__kernel void parity(__global int *a, __global int *b, int shift)
{
    int i = get_global_id(0);
    if (i >> shift & 1)
        atomic_inc(&a[i]);
    else
        b[i] = i;
}

/* Work-item i has i % n rounds. */
__kernel void rounds(__global int *a, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < i % n; k++)
        atomic_inc(&a[i]);
}

/* i % 4 rounds of i / 4 % 8 rounds. */
__kernel void nested(__global int *a, __global int *b)
{
    int i = get_global_id(0);
    for (int k = 0; k < (i & 3); k++) {
        for (int j = 0; j < (i >> 2 & 7); j++)
            atomic_inc(&a[i]);
        b[i] = k;
    }
}

/* 1, 2, 4 or 8 atomics. */
__kernel void chosen(__global int *a, int shift)
{
    int i = get_global_id(0);
    switch ((i >> shift) % 4) {
    case 0: atomic_inc(&a[i]); break;
    case 1:
        atomic_inc(&a[i]);
        atomic_dec(&a[i]);
        break;
    case 2:
        for (int k = 0; k < 4; k++)
            atomic_add(&a[i], k);
        break;
    default:
        for (int k = 0; k < 8; k++)
            atomic_sub(&a[i], k);
    }
}

/* The same for a switch that LLVM makes on an integer of two bits. */
__kernel void narrowed(__global int *a)
{
    int i = get_global_id(0);
    switch (i & 3) {
    case 0: atomic_inc(&a[i]); break;
    case 1:
        atomic_inc(&a[i]);
        atomic_dec(&a[i]);
        break;
    case 2:
        for (int k = 0; k < 4; k++)
            atomic_add(&a[i], k);
        break;
    default:
        for (int k = 0; k < 8; k++)
            atomic_sub(&a[i], k);
    }
}

/* Rounds that are cut short by continue, loops that are left by break and by return. */
__kernel void left(__global int *a, __global const int *in)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 12; k++) {
        int v = in[(i * 31 + k * 17) % 1024];
        if (v % 3 == 0) continue;
        atomic_add(&a[v % 1024], k);
        if (v % 11 == 0) break;
        for (int j = 0; j < v % 5; j++) {
            sum += in[(v + j) % 1024];
            if (sum % 7 == 0) break;
        }
        if (sum % 64 == 63) return;
        a[(i + k) % 1024] = sum;
    }
    a[i] = sum;
}

__attribute__((noinline)) int halvings(__global const int *in, int v)
{
    int n = 0;
    for (; v > in[v % 1024] % 8; v /= 2)
        n++;
    return n;
}

/* Calls from diverged code, in a loop with a barrier. */
__kernel void called(__global int *a, __global const int *in)
{
    __local int sum;
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        if (get_local_id(0) == 0) sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int n = i & 1 << k ? halvings(in, i) : halvings(in, i * 3 + 1) + k;
        if (n % 3) atomic_add(&sum, n);
        barrier(CLK_LOCAL_MEM_FENCE);
        a[i] += sum;
    }
}

/* OpenCL 1.2's fences; of local memory alone they are no acquire and no release. */
__kernel void ordered(__global int *a, __global int *b)
{
    int i = get_global_id(0);
    a[i] = i;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    b[i] = 1;
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    a[i] = 2;
    write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    a[i] = 3;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    a[i] = 4;
    read_mem_fence(CLK_LOCAL_MEM_FENCE);
    write_mem_fence(CLK_LOCAL_MEM_FENCE);
    a[i] = 5;
}

/* Eight loads, each at the place that the one before found. */
__kernel void chain(__global int *a, __global const int *in)
{
    int i = get_global_id(0), at = i;
    for (int k = 0; k < 8; k++)
        at = in[(at + 64 * k) & 8191];
    a[i] = at;
}

/* Eight loads of places that are known. */
__kernel void apart(__global int *a, __global const int *in)
{
    int i = get_global_id(0), sum = 0;
    int v0 = in[i], v1 = in[i + 1024], v2 = in[i + 2048], v3 = in[i + 3072];
    int v4 = in[i + 4096], v5 = in[i + 5120], v6 = in[i + 6144], v7 = in[i + 7168];
    a[i] = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7;
}
