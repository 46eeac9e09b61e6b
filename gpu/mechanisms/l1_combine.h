/* l1_combine.h - declares the lines in which an L1 combines stores (l1_mechanisms.h). What they do
 * is in detailed/l1/l1_combine.c. Source: [A]; the write-combining buffers of GPUs and CPUs. */
#pragma once

#define L1_COMBINE_MEMBERS uint32_t combine_lines; /* when write=combine */

#define L1_COMBINE_ROWS                                                                          \
    ROW_INT("combine_lines", combine_lines, "8", 1, 64, "lines", "lines in which stores gather", \
            "[A]", SEEN, TERM, .when = "l1.write=combine"),

#define L1_COMBINE_METRICS(C, R)                                \
    C(l1_combined_stores, "l1.combined_stores", "transactions", \
      "stores that joined others on their way down")

#define L1_COMBINE_STATS(C, M) \
    M(combined, l1_combined_stores, p->enabled && p->cache.write == WRITE_COMBINE)
#define L1_COMBINE_ENERGY(E)
#define L1_COMBINE_FUNCTIONAL(F)
#define L1_COMBINE_MEMORY(p) 0

#define L1_COMBINE_MECHANISM                                                                   \
    .name = "combined stores", .what = "stores to a line gather in the L1 and leave together", \
    .params = "l1.combine_lines", .on = "l1.enabled=true l1.write=combine",                    \
    .functional.lacks = "stores reach the L2 at once in a functional pass",                    \
    .estimator.where = "estimator/reuse/l1_store_lines.c", .energy.where = "l1.energy_mj.",    \
    .metrics = "l1.combined_stores"
