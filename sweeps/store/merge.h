/* merge.h - copies the runs of one database into another, such as the shards of a sweep that ran
 * elsewhere. */
#pragma once

#include "sweeps/store/store.h"

struct merge_result {
    /* taken: runs copied, because the target lacked them, or they failed in the target but
     * succeeded in the source; known: runs skipped */
    uint64_t taken, known;
};

/* Copies, in one transaction, every run that `into` lacks, and every run that failed in `into` but
 * succeeded in `from`.  Equal keys mean equal metrics.  `from` is checked like any database that is
 * opened, and brought to this schema. */
bool merge_database(struct store *into, const char *from, struct merge_result *r, struct error *e);
