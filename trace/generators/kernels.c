/* kernels.c - the generators that are written as text: those of the folder kernels, which the build
 * embeds. */
#include "trace/generators/kit.h"

#define KERNEL(name_, ...)                           \
    extern const char kernel_##name_[];              \
    const struct generator_ops generator_##name_ = { \
        .name = #name_, .text = kernel_##name_, __VA_ARGS__}

extern const char kernel_attention_tile[];

static const char *const attended[] = {"q", "k", "v", "output", "lse", NULL};
static const char *const decoded[] = {"q", "k", "v", "output", "lse", "table", NULL};
static const char *const combined[] = {"parts", "lse", "output", "all_lse", NULL};
static const char *const embedded[] = {"offsets", "indices", "weights", "output", NULL};
static const char *const bagged[] = {"offsets", "indices",  "weights", "output",
                                     "bag_of",  "bag_size", NULL};
static const char *const vectors[] = {"x", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "y", NULL};
static const char *const products[] = {"a", "b", "c", NULL};

KERNEL(attention, .parts = kernel_attention_tile, .tensors = attended);
KERNEL(attention_decode, .parts = kernel_attention_tile, .tensors = decoded);
KERNEL(attention_combine, .tensors = combined);
KERNEL(block_read);
KERNEL(elementwise);
KERNEL(embedding, .tensors = embedded);
KERNEL(embedding_bag, .tensors = bagged);
KERNEL(gather);
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
KERNEL(vectorized, .tensors = vectors);
