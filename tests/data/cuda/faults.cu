// faults.cu - kernels that do what they must not; the argument names one. Each line at fault says so.
#include <cstdio>
#include <cstring>

__global__ void beyond(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) p[i] = i; // line of fault beyond
}
__global__ void far(int *p)
{
    p[threadIdx.x + (1 << 28)] = 1; // line of fault far
}
__global__ void null(int *p)
{
    p[threadIdx.x] = 1; // line of fault null
}
__global__ void shared(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x]; // line of fault shared
    __syncthreads();
    p[threadIdx.x] = s[0];
}
__global__ void barriers(int *p)
{
    if (threadIdx.x < 32) {
        p[threadIdx.x] = 1;
        __syncthreads();
        p[threadIdx.x] += p[0];
    } else {
        __syncthreads(); // line of fault barriers
        p[threadIdx.x] *= 3;
    }
}
__global__ void warp(int *p)
{
    if (threadIdx.x < 16) p[threadIdx.x] = __shfl_sync(0xffffffff, p[0], 3); // line of fault warp
    __syncthreads();
}
__global__ void spin(volatile int *p)
{
    while (p[0] == 0) // line of fault spin
        ;
}
__global__ void other(int *p) // waits for a CTA that runs later
{
    if (blockIdx.x == 1) p[0] = 1;
    while (atomicAdd(p, 0) == 0) // line of fault other
        ;
}
__global__ void divide(int *p)
{
    p[0] = 7 / p[threadIdx.x]; // line of fault divide
}
__global__ void trap(int *p)
{
    if (p[0] == 0) __trap(); // line of fault trap
}
__global__ void fine(int *p)
{
    p[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    int *p;
    const char *what = argc > 1 ? argv[1] : "fine";
    cudaMalloc(&p, 100 * sizeof *p);
    cudaMemset(p, 0, 100 * sizeof *p);
    if (!strcmp(what, "beyond")) beyond<<<4, 32>>>(p, 100);
    if (!strcmp(what, "far")) far<<<1, 32>>>(p);
    if (!strcmp(what, "null")) null<<<1, 32>>>(nullptr);
    if (!strcmp(what, "shared")) shared<<<1, 64, 32 * sizeof(int)>>>(p);
    if (!strcmp(what, "barriers")) barriers<<<1, 64>>>(p);
    if (!strcmp(what, "warp")) warp<<<1, 32>>>(p);
    if (!strcmp(what, "spin")) spin<<<1, 32>>>(p);
    if (!strcmp(what, "other")) other<<<2, 32>>>(p);
    if (!strcmp(what, "divide")) divide<<<1, 32>>>(p);
    if (!strcmp(what, "trap")) trap<<<1, 32>>>(p);
    if (!strcmp(what, "fine")) fine<<<1, 32>>>(p);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
