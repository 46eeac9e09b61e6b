/* textures.hpp - texture references and typed forms of the functions of textures.h. */
#pragma once

template <class T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    texture(int is_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp)
    {
        normalized = is_normalized;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        plumb_mode = Mode;
    }
};

/* --- channels of a type --- */

#define PLUMB_CHANNELS(type, kind)                                             \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##1>()  \
    {                                                                          \
        return cudaCreateChannelDesc((int)sizeof(type##1) * 8, 0, 0, 0, kind); \
    }                                                                          \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##2>()  \
    {                                                                          \
        int n = (int)sizeof(type##1) * 8;                                      \
        return cudaCreateChannelDesc(n, n, 0, 0, kind);                        \
    }                                                                          \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##4>()  \
    {                                                                          \
        int n = (int)sizeof(type##1) * 8;                                      \
        return cudaCreateChannelDesc(n, n, n, n, kind);                        \
    }
#define PLUMB_CHANNEL(type, kind)                                           \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>()  \
    {                                                                       \
        return cudaCreateChannelDesc((int)sizeof(type) * 8, 0, 0, 0, kind); \
    }
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
PLUMB_CHANNELS(char, cudaChannelFormatKindSigned)
PLUMB_CHANNELS(uchar, cudaChannelFormatKindUnsigned)
PLUMB_CHANNELS(short, cudaChannelFormatKindSigned)
PLUMB_CHANNELS(ushort, cudaChannelFormatKindUnsigned)
PLUMB_CHANNELS(int, cudaChannelFormatKindSigned)
PLUMB_CHANNELS(uint, cudaChannelFormatKindUnsigned)
PLUMB_CHANNELS(float, cudaChannelFormatKindFloat)
PLUMB_CHANNEL(char, cudaChannelFormatKindSigned)
PLUMB_CHANNEL(signed char, cudaChannelFormatKindSigned)
PLUMB_CHANNEL(unsigned char, cudaChannelFormatKindUnsigned)
PLUMB_CHANNEL(short, cudaChannelFormatKindSigned)
PLUMB_CHANNEL(unsigned short, cudaChannelFormatKindUnsigned)
PLUMB_CHANNEL(int, cudaChannelFormatKindSigned)
PLUMB_CHANNEL(unsigned int, cudaChannelFormatKindUnsigned)
PLUMB_CHANNEL(float, cudaChannelFormatKindFloat)

/* --- typed forms --- */

#define PLUMB_ANY_TEXTURE template <class T, int Type, enum cudaTextureReadMode Mode>
#define PLUMB_REFERENCE texture<T, Type, Mode>
PLUMB_ANY_TEXTURE static inline const textureReference *plumb_reference(const PLUMB_REFERENCE &t)
{
    const_cast<PLUMB_REFERENCE &>(t).plumb_mode = Mode;
    return &t;
}
PLUMB_ANY_TEXTURE static inline cudaError_t cudaBindTexture(size_t *offset,
                                                            const PLUMB_REFERENCE &t, const void *p,
                                                            const cudaChannelFormatDesc &format,
                                                            size_t bytes = 0xffffffff)
{
    return cudaBindTexture(offset, plumb_reference(t), p, &format, bytes);
}
PLUMB_ANY_TEXTURE static inline cudaError_t
cudaBindTexture(size_t *offset, const PLUMB_REFERENCE &t, const void *p, size_t bytes = 0xffffffff)
{
    return cudaBindTexture(offset, t, p, cudaCreateChannelDesc<T>(), bytes);
}
PLUMB_ANY_TEXTURE static inline cudaError_t
cudaBindTexture2D(size_t *offset, const PLUMB_REFERENCE &t, const void *p,
                  const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, plumb_reference(t), p, &format, width, height, pitch);
}
PLUMB_ANY_TEXTURE static inline cudaError_t cudaBindTexture2D(size_t *offset,
                                                              const PLUMB_REFERENCE &t,
                                                              const void *p, size_t width,
                                                              size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, t, p, cudaCreateChannelDesc<T>(), width, height, pitch);
}
PLUMB_ANY_TEXTURE static inline cudaError_t
cudaBindTextureToArray(const PLUMB_REFERENCE &t, cudaArray_const_t a,
                       const cudaChannelFormatDesc &format)
{
    return cudaBindTextureToArray(plumb_reference(t), a, &format);
}
PLUMB_ANY_TEXTURE static inline cudaError_t cudaBindTextureToArray(const PLUMB_REFERENCE &t,
                                                                   cudaArray_const_t a)
{
    return cudaBindTextureToArray(t, a, cudaCreateChannelDesc<T>());
}
PLUMB_ANY_TEXTURE static inline cudaError_t cudaUnbindTexture(const PLUMB_REFERENCE &t)
{
    return cudaUnbindTexture(plumb_reference(t));
}
static inline cudaError_t cudaMallocArray(cudaArray_t *a, const cudaChannelFormatDesc *format,
                                          size_t width, size_t height = 0)
{
    return cudaMallocArray(a, format, width, height, 0);
}
static inline cudaError_t cudaMalloc3DArray(cudaArray_t *a, const cudaChannelFormatDesc *format,
                                            cudaExtent extent)
{
    return cudaMalloc3DArray(a, format, extent, 0);
}
