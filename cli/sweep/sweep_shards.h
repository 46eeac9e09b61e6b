/* sweep_shards.h - a sweep whose points are shared out among several databases: where each shard's
 * is, all of them seen as one, and their merging. */
#ifndef PLUMB_CLI_SWEEP_SWEEP_SHARDS_H
#define PLUMB_CLI_SWEEP_SWEEP_SHARDS_H

#include "cli/parse/args.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

/* "results.db" and shard 2 of 8: "results.shard-2-of-8.db"; mem_free it. */
char *sweep_shard_path(const char *output, uint32_t shard, uint32_t shards);

/* The output and the shards beside it, which may be at work, as they are now: in memory.  *shards:
 * how many; 0: there are none, and NULL.  NULL otherwise: *e. */
struct store *sweep_shards_merge(const struct plan *p, uint32_t *shards, struct error *e);

/* partial: runs that are missing then are no failure. */
int sweep_merge(const struct args *a, const struct plan *p, bool partial);

#endif
