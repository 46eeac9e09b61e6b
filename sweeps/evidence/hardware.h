/* hardware.h - counters that profilers read on real GPUs, beside the sweep's answers.
 *
 * Read are the CSV files of
 *   nvprof --csv --metrics/--events ...            a row per kernel and counter, means of launches
 *   nvprof --csv --print-gpu-trace --metrics ...   a row per launch, a column per counter
 *   ncu --csv                                      a row per launch and counter
 *   ncu --csv --page raw                           a row per launch, a column per counter
 *   rocprof (results.csv), rocprofv2               a row per launch, a column per counter
 *   rocprofv3 (counter_collection.csv)             a row per launch and counter
 * and the text that ncu prints where no page is asked for.
 * A file whose header is none of these, or with a column that is neither a counter nor known
 * information, is refused.  Counters with a counterpart among plumb's metrics are converted to its
 * unit (docs/guide/database.md lists them); the others are kept under their own name.
 *
 * Source: the profilers' documentation; the counters that Accel-Sim's users correlate. */
#ifndef PLUMB_SWEEPS_EVIDENCE_HARDWARE_H
#define PLUMB_SWEEPS_EVIDENCE_HARDWARE_H

#include "sweeps/store/store.h"

struct hardware_counter {
    uint32_t launch; /* from 0; of nvprof's summaries the kernel's place */
    const char *kernel, *name;
    const char *metric; /* NULL: plumb has none like it */
    double value;       /* in the metric's unit, else the file's */
};

struct hardware; /* heap, opaque */
/* From a text (for tests) or a file; NULL: *e. */
struct hardware *hardware_parse(const char *file, const char *text, struct error *e);
struct hardware *hardware_load(const char *file, struct error *e);
void hardware_free(struct hardware *h);
const char *
hardware_tool(const struct hardware *h); /* "nvprof", "ncu", "rocprof", "rocprofv2", "rocprofv3" */
const char *hardware_device(const struct hardware *h); /* "" if the file does not say */
uint32_t hardware_launches(const struct hardware *h);
const struct hardware_counter *hardware_counters(const struct hardware *h, uint32_t *n);

/* Into the database, beside results of that program; the same file again replaces itself. */
bool hardware_store(const struct hardware *h, struct store *s, const char *program,
                    struct error *e);

#endif
