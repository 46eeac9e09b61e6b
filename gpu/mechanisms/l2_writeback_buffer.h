/* l2_writeback_buffer.h - declares the write-back buffer of an L2 slice (l2_mechanisms.h); what it
 * does is in detailed/l2/l2_writeback_buffer.c. Source: Candel 7.3. */
#pragma once

#define L2_WRITEBACK_BUFFER_MEMBERS                                                            \
    uint32_t writeback_buffer; /* when miss_management=conventional: victims that may wait for \
                                  memory outside their lines */

#define L2_WRITEBACK_BUFFER_ROWS                                                                  \
    ROW_INT("writeback_buffer", writeback_buffer, "0", 0, 65536, "blocks",                        \
            "dirty victims of a slice that may wait beside their lines for the memory; 0 = none", \
            "Candel 7.3", UNSEEN, TERM, .when = "l2.miss_management=conventional"),

#define L2_WRITEBACK_BUFFER_METRICS(C, R)
#define L2_WRITEBACK_BUFFER_STATS(C, M)
#define L2_WRITEBACK_BUFFER_ENERGY(E)
#define L2_WRITEBACK_BUFFER_FUNCTIONAL(F)

#define L2_WRITEBACK_BUFFER_MECHANISM                                                    \
    .name = "write-back buffer of the L2",                                               \
    .what = "dirty victims wait in it for the memory, and their lines are free at once", \
    .params = "l2.writeback_buffer", .on = "l2.writeback_buffer!=0",                     \
    .functional.lacks = "it holds only what is in flight",                               \
    .estimator.where = "estimator/terms/l2_miss_model.c",                                \
    .energy.lacks = "a few registers; only the L2's own accesses are counted",           \
    .metrics = "l2.miss_latency.eviction"
