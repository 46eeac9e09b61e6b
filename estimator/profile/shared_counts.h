/* shared_counts.h - what a launch's profile holds of lines that SMs store to in turn, for MOESI;
 * moesi_write_sharing.h counts it. */
#pragma once

enum { SHARED_LAGS = 20 };

struct shared_counts {
    double lost_loads, lost_stores; /* would find their block, had no other SM stored to it; a store
                                       also where it has to become the only copy; sectors */
    double lost_first;              /* lost loads of sectors that no SM has loaded since */
    double asked;                   /* accesses for which copies are asked: owners or others */
    double hottest;                 /* ... but atomics', of the line that has most of them */
    double hottest_loads;           /* loads among those, of the line that has most of them */
    /* sectors of stores to a line that another SM has stored to before: [k]: 2^k to 2^(k+1) - 1
     * other lines have been stored to since that began; where stores leave the caches */
    double joins[SHARED_LAGS];
};
