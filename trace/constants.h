/* constants.h - the tuned numbers of what traces alone say; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define TRACE_CONSTANTS(X)                                                                    \
    X(REAL, THRESHOLD, SIMULATE, BATCH_GLOBAL, 0.5, "1",                                      \
      "share of the CTAs above which a page that they touch is taken for shared by all",      \
      "chosen by hand; Mao 5.2.2 says almost all thread batches")                             \
    X(REAL, THRESHOLD, SIMULATE, BATCH_ERRORS, 3, "standard errors",                          \
      "added to the mean sharing of a stride, against strides that are best by chance",       \
      "chosen by hand, no source")                                                            \
    X(REAL, THRESHOLD, SIMULATE, BATCH_CLOSE, 0.05, "1",                                      \
      "share of stride 1's sharing that a divisor of the best stride may add to its",         \
      "chosen by hand, so that the rims of stencils do not join batches")                     \
    X(WHOLE, EFFORT, SIMULATE, BATCH_LEAST, 8, "batches",                                     \
      "which every stride leaves that is no multiple of a row of the grid", "chosen by hand") \
    X(REAL, THRESHOLD, SIMULATE, BATCH_FIT_PARTS, 0.75, "1",                                  \
      "share of a page's parts that belong to two consecutive batches if the page does",      \
      "chosen by hand, no source")                                                            \
    X(REAL, THRESHOLD, SIMULATE, BATCH_FIT_STRIDE, 0.5, "1",                                  \
      "share of the pages that belong to two consecutive batches if a stride fits",           \
      "chosen by hand, no source")                                                            \
    X(REAL, THRESHOLD, SIMULATE, BATCH_FIT_MODULUS, 0.75, "1",                                \
      "share of the pages whose CTAs are one class of a modulus if it fits",                  \
      "chosen by hand, no source")                                                            \
    X(WHOLE, EFFORT, SIMULATE, BATCH_CTAS, 4096, "CTAs",                                      \
      "of a launch that a formation is found from",                                           \
      "chosen by hand, so that it takes a fraction of a second")                              \
    X(WHOLE, EFFORT, SIMULATE, BATCH_ACCESSES, 1 << 21, "accesses",                           \
      "of warps after which no further CTA is read for a formation", "as above")              \
    X(WHOLE, EFFORT, SIMULATE, BATCH_WORK, 1 << 25, "runs x CTAs",                            \
      "of the sets after which no further CTA is read for a formation", "as above")           \
    X(WHOLE, EFFORT, TEXT, PAGE_RUNS, 1 << 22, "runs",                                        \
      "of a launch's sets after which no further CTA is read for the shares of pages",        \
      "chosen by hand: 64 to 180 MB")

TRACE_CONSTANTS(CONSTANT_DEFINE)
