// waits.cu - kernels that do not end, or that a GPU would not run to their end; the argument names one. Each line
// at fault says so.
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void counter(unsigned *p) // a loop of numbers alone, whose condition always holds
{
    unsigned x = p[threadIdx.x] + 1, n = 0;
    for (; x != 0; n++)
        x ^= x << 13, x ^= x >> 17, x ^= x << 5; // line of fault counter
    p[0] = n;
}
__global__ void writer(int *p, int *end)
{
    int i = 0;
    while (p[32] == 0)
        p[threadIdx.x] = ++i; // line of fault writer
    *end = i;
}
__global__ void rounds(int *p)
{
    for (int i = 0; p[70] == 0; i++) {
        p[threadIdx.x] = i;
        __syncthreads(); // line of fault rounds
    }
}
__global__ void shuffles(int *p)
{
    int v = p[threadIdx.x];
    do
        v = __shfl_xor_sync(0xffffffff, v, 1); // line of fault shuffles
    while (v == 0);
    p[threadIdx.x] = v;
}
__global__ void sleeps(volatile int *p)
{
    while (p[0] == 0) // line of fault sleeps
        __nanosleep(100);
}
__global__ void locked(int *lock, int *p) // the lane that has the lock waits for the others
{
    while (atomicCAS(lock, 0, 1) != 0) // line of fault locked
        ;
    p[threadIdx.x]++;
    __syncwarp();
    atomicExch(lock, 0);
}
__global__ void some(int *p) // half of the CTA waits at a barrier, the other half in its warp
{
    if (threadIdx.x < 32)
        __syncthreads();
    else if (threadIdx.x < 48)
        __syncwarp(0xffffffff); // line of fault some
    else
        __syncthreads();
    p[threadIdx.x] = 1;
}
__global__ void half(int *p) // threads of a warp are divided at the barrier
{
    p[threadIdx.x] = 1;
    if (threadIdx.x % 2) __syncthreads(); // line of fault half
    p[threadIdx.x] = 2;
    __syncthreads();
    p[threadIdx.x] = 3;
}
__device__ int deep(int *p, int n)
{
    volatile int here[64];
    here[n % 64] = p[n % 32]; // line of fault stack
    return n < 0 ? 0 : deep(p, n + 1) + here[n % 64];
}
__global__ void stack(int *p)
{
    p[threadIdx.x] = deep(p, 0);
}
__global__ void asserts(int *p)
{
    assert(p[threadIdx.x] == 1); // line of fault asserts
}
__global__ void host(int *p)
{
    p[threadIdx.x] = 1; // line of fault host
}
__global__ void freed(int *p)
{
    p[threadIdx.x] = 1; // line of fault freed
}
__global__ void crooked(float4 *p)
{
    p[threadIdx.x] = make_float4(1, 2, 3, 4); // line of fault crooked
}
__global__ void atomics(int *p)
{
    atomicAdd(&p[1000], 1); // line of fault atomics
}
__global__ void own(int *p) // an array of the thread's own
{
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = p[i];
    p[0] = a[p[threadIdx.x] + 100000]; // line of fault own
}

int main(int argc, char **argv)
{
    int *p, *end;
    const char *what = argc > 1 ? argv[1] : "";
    cudaMalloc(&p, 100 * sizeof *p);
    cudaMalloc(&end, sizeof *end);
    cudaMemset(p, 0, 100 * sizeof *p);
    cudaMemset(end, 0, sizeof *end);
    if (!strcmp(what, "counter")) counter<<<1, 32>>>((unsigned *)p);
    if (!strcmp(what, "writer")) writer<<<1, 32>>>(p, end);
    if (!strcmp(what, "rounds")) rounds<<<1, 64>>>(p);
    if (!strcmp(what, "shuffles")) shuffles<<<1, 32>>>(p);
    if (!strcmp(what, "sleeps")) sleeps<<<1, 32>>>(p);
    if (!strcmp(what, "locked")) locked<<<1, 32>>>(end, p);
    if (!strcmp(what, "some")) some<<<1, 64>>>(p);
    if (!strcmp(what, "half")) half<<<1, 64>>>(p);
    if (!strcmp(what, "stack")) stack<<<1, 32>>>(p);
    if (!strcmp(what, "asserts")) asserts<<<1, 32>>>(p);
    if (!strcmp(what, "host")) host<<<1, 32>>>((int *)argv[0]);
    if (!strcmp(what, "freed")) cudaFree(p), freed<<<1, 32>>>(p);
    if (!strcmp(what, "crooked")) crooked<<<1, 4>>>((float4 *)(p + 1));
    if (!strcmp(what, "atomics")) atomics<<<1, 32>>>(p);
    if (!strcmp(what, "own")) own<<<1, 32>>>(p);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
