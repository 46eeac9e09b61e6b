// features.cu - what programs use beside plain kernels; each function checks its results and says what is
// wrong.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

static int failed;
static void check(const char *what, bool right)
{
    if (!right) printf("%s: wrong\n", what);
    failed += !right;
}

// --- calls through pointers ---

typedef int (*function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ function table[2] = {twice, thrice};
__device__ function one = thrice;
__global__ void use_table(int *p) { p[threadIdx.x] = table[threadIdx.x % 2](threadIdx.x); }
__global__ void use_argument(int *p, function f) { p[threadIdx.x] = f(threadIdx.x); }

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};
__global__ void areas(float *p)
{
    float x = threadIdx.x;
    Shape *s = threadIdx.x % 2 ? (Shape *)new Square(x) : (Shape *)new Circle(x);
    p[threadIdx.x] = s->area();
    delete s;
}

static void pointers(int *p, float *f)
{
    int h[32], wrong = 0;
    float hf[32];
    function d;
    use_table<<<1, 32>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += h[i] != (i % 2 ? 3 * i : 2 * i);
    cudaMemcpyFromSymbol(&d, one, sizeof d);
    use_argument<<<1, 32>>>(p, d);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    areas<<<1, 32>>>(f);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += h[i] != 3 * i || hf[i] != (float)(i % 2 ? i * i : 3 * i * i);
    check("pointers", wrong == 0);
}

// --- managed variables ---

__managed__ int total = 5;
__device__ __managed__ float values[64];
__global__ void manage()
{
    atomicAdd(&total, 1);
    values[threadIdx.x] += threadIdx.x;
}
static void managed()
{
    values[3] = 10;
    manage<<<2, 32>>>();
    cudaDeviceSynchronize();
    check("managed", total == 69 && values[3] == 16);
}

// --- textures: a reference to linear memory, one that blends an array's texels, an object ---

texture<float, 1, cudaReadModeElementType> linear;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
__global__ void fetch(float *out, cudaTextureObject_t object, cudaSurfaceObject_t surface)
{
    int i = threadIdx.x, x = i % 8, y = i / 8;
    out[i] = tex1Dfetch(linear, i) + tex2D<float>(object, x + 0.5f, y + 0.5f) + tex2D(image, x, y);
    surf2Dwrite(out[i], surface, x * 4, y);
}
static void textures(float *out)
{
    float source[64], got[64], back[64];
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++)
        source[i] = (float)i, bytes[i] = (unsigned char)(255 * (i % 2));
    float *memory;
    cudaMalloc(&memory, sizeof source);
    cudaMemcpy(memory, source, sizeof source, cudaMemcpyHostToDevice);
    cudaBindTexture(0, linear, memory, sizeof source);
    cudaArray_t floats, gray;
    cudaChannelFormatDesc of_float = cudaCreateChannelDesc<float>();
    cudaChannelFormatDesc of_byte = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&floats, &of_float, 8, 8);
    cudaMallocArray(&gray, &of_byte, 8, 8);
    cudaMemcpy2DToArray(floats, 0, 0, source, 32, 32, 8, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(gray, 0, 0, bytes, 8, 8, 8, cudaMemcpyHostToDevice);
    image.filterMode = cudaFilterModeLinear;
    image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
    cudaBindTextureToArray(image, gray);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = floats;
    cudaTextureDesc how = {};
    cudaTextureObject_t object;
    cudaCreateTextureObject(&object, &what, &how, NULL);
    cudaArray_t result;
    cudaMallocArray(&result, &of_float, 8, 8);
    what.res.array.array = result;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &what);
    fetch<<<1, 64>>>(out, object, surface);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy2DFromArray(back, 32, result, 0, 0, 32, 8, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 64; i++) // between two columns, of which one is white; at the left edge clamped
        wrong += got[i] != 2.0f * i + (i % 8 ? 0.5f : 0.0f) || back[i] != got[i];
    check("textures", wrong == 0);
}

// --- a grid that waits for itself ---

__global__ void turn(int *p, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    p[i] = i;
    grid.sync();
    for (int k = 0; k < 3; k++) {
        int v = p[(i + 100) % n];
        grid.sync();
        p[i] = v;
        grid.sync();
    }
}
static void grids(int *p)
{
    int n = 1024, h[1024], wrong = 0;
    void *args[] = {&p, &n};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)turn, 8, 128, args);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += h[i] != (i + 300) % n;
    check("grids", e == cudaSuccess && wrong == 0);
    e = cudaLaunchCooperativeKernel((void *)turn, 1 << 20, 128, args);
    check("too many CTAs", e == cudaErrorCooperativeLaunchTooLarge && cudaGetLastError() == e);
}

int main(int argc, char **argv)
{
    int *p;
    float *f;
    cudaMalloc(&p, 4096);
    cudaMalloc(&f, 4096);
    pointers(p, f);
    managed();
    textures(f);
    grids(p);
    if (argc > 1) turn<<<1, 32>>>(p, 32); // not cooperative
    check("status", cudaGetLastError() == cudaSuccess);
    printf("features: %s\n", failed ? "wrong" : "right");
    return failed != 0;
}
