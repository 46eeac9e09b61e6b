/* texture.c - where a fetch reads; see texture.h. The device's headers (plumb/texture_fetch.hpp)
 * load what is there, so that the trace has a load for each texel, and blend what they loaded. */
#include "trace/cuda/runtime/texture.h"

#include "trace/cuda/runtime/cta.h"

#include <math.h>

#define EXPORTED __attribute__((visibility("default")))

uint32_t texture_texel_bytes(const struct cudaChannelFormatDesc *f)
{
    return (uint32_t)(f->x + f->y + f->z + f->w) / 8;
}

static const struct texture *find(uint64_t object)
{
    if (!object) cta_fail(cta.running, 0, "a thread reads through a texture that is not bound");
    return (const struct texture *)(uintptr_t)object;
}

/* The index of a texel along an axis; -1: beyond the border. */
static long place(const struct texture *t, int axis, long i, size_t size)
{
    long n = (long)size;
    switch (t->how.addressMode[axis]) {
    case cudaAddressModeWrap: return ((i % n) + n) % n;
    case cudaAddressModeMirror: {
        long twice = ((i % (2 * n)) + 2 * n) % (2 * n);
        return twice < n ? twice : 2 * n - 1 - twice;
    }
    case cudaAddressModeBorder: return i >= 0 && i < n ? i : -1;
    case cudaAddressModeClamp:
    default: return i < 0 ? 0 : i < n ? i : n - 1;
    }
}

/* A coordinate in texels; `low`: its whole part. */
static double in_texels(const struct texture *t, float x, size_t size, double *low)
{
    double at = t->how.normalizedCoords ? (double)x * (double)size : (double)x;
    if (t->how.filterMode == cudaFilterModeLinear) at -= 0.5;
    *low = floor(at);
    return at;
}

static const void *address(const struct texture *t, const long i[3])
{
    size_t bytes = texture_texel_bytes(&t->format), rows = t->height ? t->height : 1;
    if (i[0] < 0 || i[1] < 0 || i[2] < 0) return t->border;
    return t->data + ((size_t)i[2] * rows + (size_t)i[1]) * t->pitch + (size_t)i[0] * bytes;
}

/* Corner k of the texels around a place: bit a of k is 1 for the upper one along axis a. `layer`:
 * of a layered texture; -1: the third axis is a coordinate. */
EXPORTED const void *plumb_cuda_texel(uint64_t object, float x, float y, float z, int layer,
                                      uint32_t corner);
const void *plumb_cuda_texel(uint64_t object, float x, float y, float z, int layer, uint32_t corner)
{
    const struct texture *t = find(object);
    const float at[3] = {x, y, z};
    const size_t size[3] = {t->width, t->height, t->depth};
    long i[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        double low;
        if (!size[a]) continue;
        in_texels(t, at[a], size[a], &low);
        i[a] = place(t, a, (long)low + (corner >> a & 1), size[a]);
    }
    if (layer >= 0) i[2] = layer < (int)t->depth ? layer : (long)t->depth - 1;
    return address(t, i);
}

/* Texel i of linear memory. */
EXPORTED const void *plumb_cuda_texel_at(uint64_t object, int i);
const void *plumb_cuda_texel_at(uint64_t object, int i)
{
    const struct texture *t = find(object);
    if (i < 0 || (size_t)i >= t->width) return t->border;
    return t->data + (size_t)i * texture_texel_bytes(&t->format);
}

/* The share of a corner's texel in a fetch: the fraction has 8 bits. */
EXPORTED float plumb_cuda_texture_weight(uint64_t object, float x, float y, float z, int layer,
                                         uint32_t corner);
float plumb_cuda_texture_weight(uint64_t object, float x, float y, float z, int layer,
                                uint32_t corner)
{
    const struct texture *t = find(object);
    const float at[3] = {x, y, z};
    const size_t size[3] = {t->width, t->height, layer >= 0 ? 0 : t->depth};
    double share = 1.0;
    for (int a = 0; a < 3; a++) {
        double low;
        if (!size[a]) continue;
        double part = rint((in_texels(t, at[a], size[a], &low) - low) * 256.0) / 256.0;
        share *= corner >> a & 1 ? part : 1.0 - part;
    }
    return (float)share;
}

/* How many texels a fetch reads: one, or two for each axis. */
EXPORTED uint32_t plumb_cuda_texture_corners(uint64_t object, int layer);
uint32_t plumb_cuda_texture_corners(uint64_t object, int layer)
{
    const struct texture *t = find(object);
    uint32_t n = 1;
    if (t->how.filterMode != cudaFilterModeLinear) return 1;
    n *= t->width ? 2 : 1;
    n *= t->height ? 2 : 1;
    return t->depth && layer < 0 ? 2 * n : n;
}

/* How a channel becomes a float: 0: it is one; else its bits, negative: signed. */
EXPORTED int plumb_cuda_texture_form(uint64_t object);
int plumb_cuda_texture_form(uint64_t object)
{
    const struct texture *t = find(object);
    if (t->how.readMode != cudaReadModeNormalizedFloat) return 0;
    if (t->format.f == cudaChannelFormatKindFloat) return 0;
    return t->format.f == cudaChannelFormatKindSigned ? -t->format.x : t->format.x;
}

/* The place of a surface's element; x in bytes. NULL never: outside, the border. */
EXPORTED void *plumb_cuda_texture_place(uint64_t object, int x, int y, int z);
void *plumb_cuda_texture_place(uint64_t object, int x, int y, int z)
{
    const struct texture *t = find(object);
    size_t rows = t->height ? t->height : 1, layers = t->depth ? t->depth : 1;
    bool in = x >= 0 && (size_t)x < t->pitch && y >= 0 && (size_t)y < rows && z >= 0 &&
              (size_t)z < layers;
    if (!in)
        cta_fail(cta.running, 0,
                 "a thread accesses a surface at %d bytes, row %d, layer %d, outside it", x, y, z);
    return t->data + ((size_t)z * rows + (size_t)y) * t->pitch + (size_t)x;
}
