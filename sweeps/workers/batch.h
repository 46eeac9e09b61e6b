/* batch.h - a list of runs that workers share among them, cut into chunks that shrink towards its
 * end, so that no worker ends long after the others.
 *
 * A run's number is point * workloads + workload.  A chunk holds consecutive runs of the list: what
 * is left over WORK_SHARE times the workers expected, whole points where it is more than one
 * (guided self-scheduling).  The file holds the list, not the chunks: all workers cut it alike.
 *
 * Source: Polychronopoulos and Kuck 1987 (guided self-scheduling). */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "sweeps/plan/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_range {
    uint64_t first, n;
    uint64_t before; /* runs in earlier ranges */
};

struct run_batch {
    enum engine engine;
    uint32_t workers; /* expected */
    bool last;        /* no batch follows */
    struct run_range *range;
    size_t n_ranges, cap_ranges;
    uint64_t runs;
    uint64_t *start; /* [chunks + 1] place in the list of each chunk's first run */
    size_t chunks, cap_chunks;
};

/* Appends n runs from `first` on; false: no memory. */
bool batch_add(struct run_batch *b, uint64_t first, uint64_t n, struct error *e);
/* Cuts the list into chunks. */
bool batch_cut(struct run_batch *b, const struct plan *p, struct error *e);
/* The run at that place of the list. */
uint64_t batch_run(const struct run_batch *b, uint64_t place);
void batch_write(const struct run_batch *b, struct text *out);
/* Reads what batch_write wrote, and cuts it.  Refuses runs that the plan has not.  The caller calls
 * batch_fini in either case. */
bool batch_read(struct run_batch *b, const char *path, const struct plan *p, struct error *e);
void batch_fini(struct run_batch *b);
