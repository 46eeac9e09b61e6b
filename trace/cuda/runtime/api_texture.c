/* api_texture.c - the runtime's functions of arrays, textures and surfaces (plumb/textures.h). */
#include "trace/cuda/runtime/launch.h"
#include "trace/cuda/runtime/memory.h"
#include "trace/cuda/runtime/record.h"
#include "trace/cuda/runtime/texture.h"

#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* --- arrays --- */

EXPORTED struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                            enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static size_t row_bytes(const struct cudaArray *a)
{
    return a->width * texture_texel_bytes(&a->format);
}

static size_t rows_of(const struct cudaArray *a)
{
    return a->height ? a->height : 1;
}

EXPORTED cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                                       struct cudaExtent extent, unsigned int flags)
{
    (void)flags;
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    if (!out || !format || !extent.width) return launch_result(cudaErrorInvalidValue);
    struct cudaArray *a = calloc(1, sizeof *a);
    if (!a) return launch_result(cudaErrorMemoryAllocation);
    *a = (struct cudaArray){NULL, *format, extent.width, extent.height, extent.depth};
    size_t layers = extent.depth ? extent.depth : 1;
    a->data = memory_new(row_bytes(a) * rows_of(a) * layers);
    *out = a->data ? a : NULL;
    if (!*out) free(a);
    return launch_result(*out ? cudaSuccess : cudaErrorMemoryAllocation);
}

EXPORTED cudaError_t cudaMallocArray(cudaArray_t *a, const struct cudaChannelFormatDesc *format,
                                     size_t width, size_t height, unsigned int flags)
{
    return cudaMalloc3DArray(a, format, make_cudaExtent(width, height, 0), flags);
}

EXPORTED cudaError_t cudaFreeArray(cudaArray_t a)
{
    if (!a) return cudaSuccess;
    memory_free(a->data);
    free(a);
    return launch_result(launch_broken());
}

EXPORTED cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
    if (!p) return launch_result(cudaErrorInvalidValue);
    p->xsize = extent.width;
    p->ysize = extent.height;
    return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

/* --- copies --- */

/* A box of bytes in memory that lies in rows and layers. */
struct box {
    unsigned char *at;
    size_t pitch, rows; /* from a row, and from a layer, to the next */
    bool device;
};

static struct box box_of(unsigned char *p, size_t pitch, size_t rows)
{
    const struct memory_range *r = memory_find((uint64_t)(uintptr_t)p);
    return (struct box){p, pitch, rows, r && r->device};
}

static struct box box_in(const struct cudaArray *a, size_t x, size_t y, size_t z)
{
    size_t pitch = row_bytes(a), rows = rows_of(a);
    return box_of(a->data + (z * rows + y) * pitch + x, pitch, rows);
}

static cudaError_t copy_box(struct box to, struct box from, struct cudaExtent bytes)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    for (size_t z = 0; z < bytes.depth; z++)
        for (size_t y = 0; y < bytes.height; y++)
            memcpy(to.at + (z * to.rows + y) * to.pitch, from.at + (z * from.rows + y) * from.pitch,
                   bytes.width);
    size_t span = ((bytes.depth - 1) * to.rows + bytes.height - 1) * to.pitch + bytes.width;
    if (to.device && !from.device) record_copy(COMMAND_COPY_TO_DEVICE, to.at, span);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                         size_t pitch, size_t width, size_t height,
                                         enum cudaMemcpyKind kind)
{
    (void)kind;
    if (!to || !from || x + width > row_bytes(to) || y + height > rows_of(to) || !height)
        return launch_result(cudaErrorInvalidValue);
    return copy_box(box_in(to, x, y, 0), box_of((unsigned char *)(uintptr_t)from, pitch, height),
                    make_cudaExtent(width, height, 1));
}

EXPORTED cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                           size_t y, size_t width, size_t height,
                                           enum cudaMemcpyKind kind)
{
    (void)kind;
    if (!to || !from || x + width > row_bytes(from) || y + height > rows_of(from) || !height)
        return launch_result(cudaErrorInvalidValue);
    return copy_box(box_of(to, pitch, height), box_in(from, x, y, 0),
                    make_cudaExtent(width, height, 1));
}

EXPORTED cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                       size_t n, enum cudaMemcpyKind kind)
{
    (void)kind;
    if (!to || !from || !n || x + y * row_bytes(to) + n > row_bytes(to) * rows_of(to))
        return launch_result(cudaErrorInvalidValue);
    return copy_box(box_in(to, x, y, 0), box_of((unsigned char *)(uintptr_t)from, n, 1),
                    make_cudaExtent(n, 1, 1));
}

EXPORTED cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                         size_t n, enum cudaMemcpyKind kind)
{
    (void)kind;
    if (!to || !from || !n || x + y * row_bytes(from) + n > row_bytes(from) * rows_of(from))
        return launch_result(cudaErrorInvalidValue);
    return copy_box(box_of(to, n, 1), box_in(from, x, y, 0), make_cudaExtent(n, 1, 1));
}

EXPORTED cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    if (!p || !(p->srcArray || p->srcPtr.ptr) || !(p->dstArray || p->dstPtr.ptr))
        return launch_result(cudaErrorInvalidValue);
    const struct cudaArray *a = p->srcArray ? p->srcArray : p->dstArray;
    size_t texel = a ? texture_texel_bytes(&a->format) : 1;
    const struct cudaPitchedPtr *s = &p->srcPtr, *d = &p->dstPtr;
    struct box from, to;
    if (p->srcArray)
        from = box_in(p->srcArray, p->srcPos.x * texel, p->srcPos.y, p->srcPos.z);
    else
        from = box_of((unsigned char *)s->ptr + (p->srcPos.z * s->ysize + p->srcPos.y) * s->pitch +
                          p->srcPos.x,
                      s->pitch, s->ysize);
    if (p->dstArray)
        to = box_in(p->dstArray, p->dstPos.x * texel, p->dstPos.y, p->dstPos.z);
    else
        to = box_of((unsigned char *)d->ptr + (p->dstPos.z * d->ysize + p->dstPos.y) * d->pitch +
                        p->dstPos.x,
                    d->pitch, d->ysize);
    struct cudaExtent n = p->extent;
    if (!n.width || !n.height || !n.depth) return cudaSuccess;
    return copy_box(to, from, make_cudaExtent(n.width * texel, n.height, n.depth));
}

EXPORTED cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    return cudaMemset2D(p.ptr, p.pitch, value, extent.width, p.ysize * extent.depth);
}

/* --- objects --- */

static struct texture *new_texture(const struct cudaTextureDesc *how)
{
    struct texture *t = calloc(1, sizeof *t);
    if (t) t->border = memory_new(16);
    if (t && t->border) return t->how = *how, memset(t->border, 0, 16), t;
    free(t);
    return NULL;
}

static void set_linear(struct texture *t, void *p, const struct cudaChannelFormatDesc *f, size_t n)
{
    t->data = p;
    t->format = *f;
    t->width = n / texture_texel_bytes(f);
    t->pitch = n;
}

static void set_array(struct texture *t, const struct cudaArray *a)
{
    t->data = a->data;
    t->format = a->format;
    t->width = a->width;
    t->height = a->height;
    t->depth = a->depth;
    t->pitch = row_bytes(a);
}

static void set_pitch(struct texture *t, void *p, const struct cudaChannelFormatDesc *f,
                      struct cudaExtent size, size_t pitch)
{
    t->data = p;
    t->format = *f;
    t->width = size.width;
    t->height = size.height;
    t->pitch = pitch;
}

static cudaError_t make_object(unsigned long long *out, const struct cudaResourceDesc *r,
                               const struct cudaTextureDesc *how)
{
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    if (!out || !r || !how || r->resType == cudaResourceTypeMipmappedArray)
        return launch_result(cudaErrorInvalidValue);
    struct texture *t = new_texture(how);
    if (!t) return launch_result(cudaErrorMemoryAllocation);
    if (r->resType == cudaResourceTypeArray)
        set_array(t, r->res.array.array);
    else if (r->resType == cudaResourceTypeLinear)
        set_linear(t, r->res.linear.devPtr, &r->res.linear.desc, r->res.linear.sizeInBytes);
    else
        set_pitch(t, r->res.pitch2D.devPtr, &r->res.pitch2D.desc,
                  make_cudaExtent(r->res.pitch2D.width, r->res.pitch2D.height, 0),
                  r->res.pitch2D.pitchInBytes);
    *out = (unsigned long long)(uintptr_t)t;
    return cudaSuccess;
}

static cudaError_t free_object(unsigned long long object)
{
    struct texture *t = (struct texture *)(uintptr_t)object;
    if (!t) return cudaSuccess;
    memory_free(t->border);
    free(t);
    return launch_result(launch_broken());
}

EXPORTED cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t,
                                             const struct cudaResourceDesc *what,
                                             const struct cudaTextureDesc *how,
                                             const struct cudaResourceViewDesc *view)
{
    if (view) return launch_result(cudaErrorNotSupported);
    return make_object(t, what, how);
}

EXPORTED cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t)
{
    return free_object(t);
}

EXPORTED cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s,
                                             const struct cudaResourceDesc *what)
{
    return make_object(s, what, &(struct cudaTextureDesc){.filterMode = cudaFilterModePoint});
}

EXPORTED cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s)
{
    return free_object(s);
}

/* --- references --- */

/* Makes an object for a reference and writes it where the device's code reads it. */
static struct texture *bind(const struct textureReference *r)
{
    size_t bytes;
    unsigned long long *cell = launch_variable(r, &bytes);
    if (!cell || launch_broken() != cudaSuccess) return NULL;
    struct cudaTextureDesc how = {.filterMode = r->filterMode, .normalizedCoords = r->normalized};
    memcpy(how.addressMode, r->addressMode, sizeof how.addressMode);
    how.readMode = r->plumb_mode;
    struct texture *t = new_texture(&how);
    if (t) free_object(*cell);
    if (t) *cell = (unsigned long long)(uintptr_t)t;
    return t;
}

EXPORTED cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *r,
                                     const void *p, const struct cudaChannelFormatDesc *format,
                                     size_t bytes)
{
    const struct memory_range *m = memory_find((uint64_t)(uintptr_t)p);
    if (offset) *offset = 0;
    struct texture *t = r && format && m ? bind(r) : NULL;
    if (!t) return launch_result(cudaErrorInvalidValue);
    uint64_t left = m->bytes - ((uint64_t)(uintptr_t)p - m->host);
    set_linear(t, (void *)(uintptr_t)p, format, bytes < left ? bytes : left);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *r,
                                       const void *p, const struct cudaChannelFormatDesc *format,
                                       size_t width, size_t height, size_t pitch)
{
    if (offset) *offset = 0;
    struct texture *t = r && format && p ? bind(r) : NULL;
    if (!t) return launch_result(cudaErrorInvalidValue);
    set_pitch(t, (void *)(uintptr_t)p, format, make_cudaExtent(width, height, 0), pitch);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaBindTextureToArray(const struct textureReference *r, cudaArray_const_t a,
                                            const struct cudaChannelFormatDesc *format)
{
    struct texture *t = r && a && format ? bind(r) : NULL;
    if (!t) return launch_result(cudaErrorInvalidValue);
    set_array(t, a);
    return cudaSuccess;
}

EXPORTED cudaError_t cudaUnbindTexture(const struct textureReference *r)
{
    return launch_result(r ? launch_broken() : cudaErrorInvalidValue);
}
