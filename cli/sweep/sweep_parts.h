/* sweep_parts.h - a sweep whose runs were made in parts, each with a database of its own: by shards
 * beside the output, by workers in a directory (sweeps/workers/work_dir.h), or both. Opens them as
 * one, and merges them. */
#pragma once

#include "cli/sweep/sweep.h"
#include "sweeps/analyse/results.h"
#include "sweeps/store/store.h"
#include "sweeps/workers/work_dir.h"

/* "results.db" and shard 2 of 8 give "results.shard-2-of-8.db"; the caller frees it with
 * mem_free. */
char *sweep_shard_path(const char *output, uint32_t shard, uint32_t shards);

struct sweep_parts {
    struct store *store; /* output and parts together, in memory; NULL: there are no parts */
    uint32_t shards;
    bool work; /* workers have met */
    struct work_dir dir;
    struct work_merged merged;
};
/* Parts may still be written.  The caller closes the store.  false: *e says why. */
bool sweep_parts_open(const struct sweep *s, struct sweep_parts *parts, struct error *e);
/* Reads the results of a loaded sweep's parts, with the plan recorded, as a report needs it. The
 * caller calls results_fini in either case. */
bool sweep_parts_results(struct sweep *s, struct results *r, struct error *e);

/* `plumb sweep merge`.  s->partial: missing runs are no failure. */
int sweep_parts_merge(struct sweep *s);
