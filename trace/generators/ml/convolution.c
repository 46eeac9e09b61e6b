/* convolution.c - a convolution layer as one matrix product whose A is not stored (implicit GEMM):
 * output[batch,P,Q,filters] = input[batch,height,width,channels] * weights[filters,window,window,
 * channels]. A row of A is an output pixel, and its columns are the window's rows, its columns and
 * the channels in this order; elements outside the image are zeros, and their lanes are predicated
 * off. P = (height + 2 padding - window) / stride + 1, and Q of the width. Tiles, order,
 * instructions and defaults: gemm_tiles.h, gemm.c (layout tn).
 * Source: NVIDIA's CUTLASS, "Implicit GEMM convolution", forward propagation. */
#include "trace/generators/ml/gemm_tiles.h"

static const char *const tensors[] = {"input", "weights", "output", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(batch, GEN_INT, 8, 1, INT32_MAX, NULL, "images"),
    GEN_PARAM(height, GEN_INT, 56, 1, 1 << 20, NULL, "pixels of an image, down"),
    GEN_PARAM(width, GEN_INT, 56, 1, 1 << 20, NULL, "pixels of an image, across"),
    GEN_PARAM(channels, GEN_INT, 64, 1, 1 << 20, NULL, "of the input"),
    GEN_PARAM(filters, GEN_INT, 64, 1, 1 << 20, NULL, "channels of the output"),
    GEN_PARAM(window, GEN_INT, 3, 1, 1024, NULL, "rows and columns of a filter"),
    GEN_PARAM(stride, GEN_INT, 1, 1, 1024, NULL, "pixels between windows"),
    GEN_PARAM(padding, GEN_INT, 1, 0, 1024, NULL, "zeros around an image"),
    GEN_PARAM(type, GEN_CHOICE, 0, 0, 0, gemm_types, "of all tensors; sums are fp32"),
    GEMM_PARAMS,
};

/* The pixels of an output image along one side; 0: none. */
static uint64_t pixels_out(const struct gen_config *c, int64_t side)
{
    int64_t room = side + 2 * c->padding - c->window;
    return room < 0 ? 0 : (uint64_t)(room / c->stride + 1);
}

/* Row `side` of A is an output pixel, column `k` an element of its window. */
void gemm_access_image(struct generator *g, int64_t bytes)
{
    const struct gen_config *c = &g->c;
    gen_set(g, "down", pixels_out(c, c->height));
    gen_set(g, "over", pixels_out(c, c->width));
    gen_let(g, "tap", "k / channels");
    gen_let(g, "y", "side / over % down * stride - padding + tap / window");
    gen_let(g, "x", "side % over * stride - padding + tap % window");
    gen_let(g, "pixel", "(side / (over * down) * height + y) * width + x");
    gen_at(g, 0, bytes, "pixel * channels + k % channels");
    gen_if(g, "at < steps(cta) && v < vectors && k < K && side < M && "
              "y >= 0 && y < height && x >= 0 && x < width");
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    uint64_t down = pixels_out(c, c->height), across = pixels_out(c, c->width);
    double rows = (double)c->batch * (double)down * (double)across;
    double depth = (double)c->window * (double)c->window * (double)c->channels;
    double input = (double)c->batch * (double)c->height * (double)c->width * (double)c->channels;
    if (!down || !across)
        return error_input(e, "%s: a window of %lld is larger than the image with its padding",
                           path, (long long)c->window);
    if (rows > INT32_MAX || depth > INT32_MAX || input > 0x1p42)
        return error_input(e,
                           "%s: %.3g pixels out, %.3g products each, %.3g elements in; allowed "
                           "are %d, %d and %.3g",
                           path, rows, depth, input, INT32_MAX, INT32_MAX, 0x1p42);
    g->items = (uint64_t)input;
    c->M = (int64_t)rows;
    c->N = c->filters;
    c->K = (int64_t)depth;
    c->layout = GEMM_TN;
    return gemm_tiles_shape(g, path, e);
}

const struct generator_ops generator_convolution = {
    .name = "convolution",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = gemm_setup,
    .shape = shape,
    .cta_steps = gemm_cta_steps,
    .tensors = tensors,
};
