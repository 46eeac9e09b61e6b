/* sweep_many.h - a sweep on several machines: shards, their merging, a job script; and what a dry
 * run says. */
#ifndef PLUMB_CLI_SWEEP_MANY_H
#define PLUMB_CLI_SWEEP_MANY_H

#include "cli/args.h"
#include "sweeps/plan.h"
#include "sweeps/store.h"

/* "results.db" and shard 2 of 8: "results.shard-2-of-8.db"; mem_free it. */
char *shard_path(const char *output, uint32_t shard, uint32_t shards);
int sweep_dry_run(const struct args *a, const struct plan *p);
int sweep_merge(const struct args *a, const struct plan *p);
/* Writes the script; file and db are as the user gave them. */
int sweep_submit(const struct args *a, const struct plan *p);

#endif
