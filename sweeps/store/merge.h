/* merge.h - the runs of one database taken over into another: shards of a sweep that ran elsewhere.
 */
#ifndef PLUMB_SWEEPS_STORE_MERGE_H
#define PLUMB_SWEEPS_STORE_MERGE_H

#include "sweeps/store/store.h"

struct merge_result {
    uint64_t taken, known; /* runs that were not there, or failed there and not here; others */
};

/* One transaction.  Runs that are done stay as they are; equal keys mean equal metrics.  `from` is
 * checked like any database that is opened, and brought to this schema. */
bool merge_database(struct store *into, const char *from, struct merge_result *r, struct error *e);

#endif
