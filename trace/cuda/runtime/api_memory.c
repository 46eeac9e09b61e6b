/* api_memory.c - the runtime's functions of memory (cuda_runtime_api.h). */
#include "trace/cuda/runtime/launch.h"
#include "trace/cuda/runtime/memory.h"
#include "trace/cuda/runtime/record.h"

#include <string.h>

#define EXPORTED __attribute__((visibility("default")))
#define DEVICE_BYTES (UINT64_C(80) << 30)
enum { PITCH = 512 };

static cudaError_t new_memory(void **p, size_t bytes)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    if (!p) return launch_result(cudaErrorInvalidValue);
    *p = NULL;
    if (bytes == 0) return cudaSuccess;
    if (bytes > DEVICE_BYTES - memory_used()) return launch_result(cudaErrorMemoryAllocation);
    *p = memory_new(bytes);
    return launch_result(*p ? cudaSuccess : cudaErrorMemoryAllocation);
}

static cudaError_t free_memory(void *p)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    return launch_result(!p || memory_free(p) ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return new_memory(p, bytes);
}

EXPORTED cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t s)
{
    (void)s;
    return new_memory(p, bytes);
}

EXPORTED cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned int flags)
{
    return bytes && flags <= 2 ? new_memory(p, bytes) : launch_result(cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return new_memory(p, bytes);
}

EXPORTED cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned int flags)
{
    return flags < 8 ? new_memory(p, bytes) : launch_result(cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    if (!pitch) return launch_result(cudaErrorInvalidValue);
    if (width > DEVICE_BYTES || height > DEVICE_BYTES / (width ? width : 1))
        return launch_result(cudaErrorMemoryAllocation);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return new_memory(p, *pitch * height);
}

EXPORTED cudaError_t cudaFree(void *p)
{
    return free_memory(p);
}

EXPORTED cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    (void)s;
    return free_memory(p);
}

EXPORTED cudaError_t cudaFreeHost(void *p)
{
    return free_memory(p);
}

EXPORTED cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    if (!device || flags || !memory_find((uint64_t)(uintptr_t)host))
        return launch_result(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

EXPORTED cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int flags)
{
    (void)flags;
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    if (!p || !bytes) return launch_result(cudaErrorInvalidValue);
    return launch_result(memory_add(p, bytes) ? cudaSuccess : cudaErrorMemoryAllocation);
}

EXPORTED cudaError_t cudaHostUnregister(void *p)
{
    return launch_result(memory_remove(p) ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    if (!left || !total) return launch_result(cudaErrorInvalidValue);
    *total = DEVICE_BYTES;
    *left = DEVICE_BYTES - memory_used();
    return launch_result(launch_broken());
}

/* --- copies --- */

static bool is_device(const void *p)
{
    const struct memory_range *r = memory_find((uint64_t)(uintptr_t)p);
    return r && r->device;
}

/* Whether device memory that is named is whole. */
static bool fits_range(const void *p, size_t n)
{
    uint64_t address = (uint64_t)(uintptr_t)p;
    const struct memory_range *r = memory_find(address);
    return r && n <= r->bytes - (address - r->host);
}

static cudaError_t check_copy(const void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return e;
    if (n == 0) return cudaSuccess;
    if (!to || !from) return cudaErrorInvalidValue;
    if ((unsigned)kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    bool any = kind == cudaMemcpyDefault;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                     (any && is_device(to));
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                       (any && is_device(from));
    if ((to_device && !fits_range(to, n)) || (from_device && !fits_range(from, n)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static void note_copy(const void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    bool device[2] = {is_device(to), is_device(from)};
    if (kind == cudaMemcpyHostToDevice || (kind == cudaMemcpyDefault && device[0] && !device[1]))
        record_copy(COMMAND_COPY_TO_DEVICE, to, n);
    if (kind == cudaMemcpyDeviceToHost || (kind == cudaMemcpyDefault && device[1] && !device[0]))
        record_copy(COMMAND_COPY_TO_HOST, from, n);
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, enum cudaMemcpyKind kind)
{
    for (size_t y = 0; y < height; y++) {
        char *t = (char *)to + y * to_pitch;
        const char *f = (const char *)from + y * from_pitch;
        cudaError_t e = check_copy(t, f, width, kind);
        if (e != cudaSuccess) return launch_result(e);
        if (width == 0) continue;
        memmove(t, f, width);
        note_copy(t, f, width, kind);
    }
    return cudaSuccess;
}

EXPORTED cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    return copy_rows(to, 0, from, 0, n, 1, kind);
}

EXPORTED cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                                     cudaStream_t s)
{
    (void)s;
    return copy_rows(to, 0, from, 0, n, 1, kind);
}

EXPORTED cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch) return launch_result(cudaErrorInvalidPitchValue);
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind);
}

EXPORTED cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t s)
{
    (void)s;
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

static cudaError_t set_rows(void *p, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    if (height > 1 && width > pitch) return launch_result(cudaErrorInvalidValue);
    for (size_t y = 0; width && y < height; y++) {
        char *row = (char *)p + y * pitch;
        if (!fits_range(row, width)) return launch_result(cudaErrorInvalidValue);
        memset(row, value, width);
    }
    return cudaSuccess;
}

EXPORTED cudaError_t cudaMemset(void *p, int value, size_t n)
{
    return set_rows(p, 0, value, n, 1);
}

EXPORTED cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s)
{
    (void)s;
    return set_rows(p, 0, value, n, 1);
}

EXPORTED cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    return set_rows(p, pitch, value, width, height);
}

EXPORTED cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t s)
{
    (void)device, (void)s;
    return launch_result(fits_range(p, n) ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORTED cudaError_t cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                                   int device)
{
    (void)advice, (void)device;
    return launch_result(fits_range(p, n) ? cudaSuccess : cudaErrorInvalidValue);
}

/* --- variables of the device --- */

static cudaError_t find_symbol(const void *symbol, size_t n, size_t offset, char **place)
{
    size_t bytes;
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return e;
    *place = launch_variable(symbol, &bytes);
    if (!*place) return cudaErrorInvalidSymbol;
    *place += offset;
    return offset > bytes || n > bytes - offset ? cudaErrorInvalidValue : cudaSuccess;
}

EXPORTED cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n,
                                        size_t offset, enum cudaMemcpyKind kind)
{
    char *place;
    cudaError_t e = find_symbol(symbol, n, offset, &place);
    if (e != cudaSuccess) return launch_result(e);
    return copy_rows(place, 0, from, 0, n, 1, kind);
}

EXPORTED cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset,
                                          enum cudaMemcpyKind kind)
{
    char *place;
    cudaError_t e = find_symbol(symbol, n, offset, &place);
    if (e != cudaSuccess) return launch_result(e);
    return copy_rows(to, 0, place, 0, n, 1, kind);
}

EXPORTED cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n,
                                             size_t offset, enum cudaMemcpyKind kind,
                                             cudaStream_t s)
{
    (void)s;
    return cudaMemcpyToSymbol(symbol, from, n, offset, kind);
}

EXPORTED cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n,
                                               size_t offset, enum cudaMemcpyKind kind,
                                               cudaStream_t s)
{
    (void)s;
    return cudaMemcpyFromSymbol(to, symbol, n, offset, kind);
}

EXPORTED cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
    char *place;
    cudaError_t e = p ? find_symbol(symbol, 0, 0, &place) : cudaErrorInvalidValue;
    if (e == cudaSuccess) *p = place;
    return launch_result(e);
}

EXPORTED cudaError_t cudaGetSymbolSize(size_t *n, const void *symbol)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    return launch_result(n && launch_variable(symbol, n) ? cudaSuccess : cudaErrorInvalidSymbol);
}
