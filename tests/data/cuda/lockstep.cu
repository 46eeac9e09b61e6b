// lockstep.cu - code that relies on the lanes of a warp running in step: without volatile, with it, and
// with a lock between lanes that only lanes that take turns can open.
#include <cstdio>

__global__ void turn(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void sum(int *p)
{
    __shared__ int s[64];
    volatile int *v = s;
    v[threadIdx.x] = p[threadIdx.x];
    v[threadIdx.x + 32] = 0;
    for (int k = 16; k > 0; k /= 2)
        v[threadIdx.x] += v[threadIdx.x + k];
    if (threadIdx.x == 0) p[0] = v[0];
}
__global__ void lock(int *p)
{
    for (bool done = false; !done;) {
        if (atomicCAS(&p[1], 0, 1) != 0) continue;
        p[0]++;
        __threadfence();
        atomicExch(&p[1], 0);
        done = true;
    }
}

int main()
{
    int *p, bad = 0;
    cudaMallocManaged(&p, 32 * sizeof *p);
    for (int i = 0; i < 32; i++)
        p[i] = i;
    turn<<<1, 32>>>(p);
    for (int i = 0; i < 32; i++)
        bad += p[i] != 31 - i;
    sum<<<1, 32>>>(p);
    bad += p[0] != 496;
    p[0] = p[1] = 0;
    lock<<<4, 64>>>(p);
    bad += p[0] != 256;
    printf("lockstep%s\n", bad ? ": wrong" : ": right");
    return bad != 0;
}
