/* sweep_shards.h - a sweep whose points are divided among several databases (shards): finds them,
 * opens them as one, and merges them. */
#pragma once

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

/* "results.db" and shard 2 of 8 give "results.shard-2-of-8.db"; the caller frees it with
 * mem_free. */
char *sweep_shard_path(const char *output, uint32_t shard, uint32_t shards);

/* Merges, in memory, the output and the shards beside it, which may still be running.  *shards: how
 * many; 0: there are none, and the result is NULL.  NULL otherwise: *e says why. */
struct store *sweep_shards_merge(const struct plan *p, uint32_t *shards, struct error *e);

/* partial: missing runs are no failure. */
int sweep_merge(const struct args *a, const struct plan *p, bool partial);
