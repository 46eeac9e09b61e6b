/* kernels.c - the generators that are written as text: those of the folder kernels, which the build
 * embeds. */
#include "trace/generators/kit.h"

#define KERNEL(name_, ...)                           \
    extern const char kernel_##name_[];              \
    const struct generator_ops generator_##name_ = { \
        .name = #name_, .text = kernel_##name_, __VA_ARGS__}

static const char *const products[] = {"a", "b", "c", NULL};

KERNEL(block_read);
KERNEL(handoff);
KERNEL(matmul);
KERNEL(offset_read);
KERNEL(partial);
KERNEL(reduction);
KERNEL(stencil);
KERNEL(stream);
KERNEL(stride);
KERNEL(synchronize);
KERNEL(tiled_matmul, .tensors = products);
KERNEL(transpose);
