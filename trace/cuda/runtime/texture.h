/* texture.h - texture and surface objects: what they read, and how. Source: CUDA C++ Programming
 * Guide, "Texture Fetching". */
#pragma once

#include "cuda_runtime_api.h"

#include <stdint.h>

struct cudaArray {
    unsigned char *data;
    struct cudaChannelFormatDesc format;
    size_t width, height, depth; /* of texels; 0: it has not that dimension */
};

/* Texels lie in rows, and rows in layers, one behind the other. */
struct texture {
    unsigned char *data;
    struct cudaChannelFormatDesc format;
    size_t width, height, depth, pitch; /* pitch: bytes of a row */
    struct cudaTextureDesc how;
    unsigned char *border; /* a texel of zeros in device memory */
};

uint32_t texture_texel_bytes(const struct cudaChannelFormatDesc *f);
