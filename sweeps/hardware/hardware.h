/* hardware.h - imports counters that profilers read on real GPUs, to compare them with the sweep's
 * answers.
 *
 * It reads the CSV files of
 *   nvprof --csv --metrics/--events ...            a row per kernel and counter, means of launches
 *   nvprof --csv --print-gpu-trace --metrics ...   a row per launch, a column per counter
 *   ncu --csv                                      a row per launch and counter
 *   ncu --csv --page raw                           a row per launch, a column per counter
 *   rocprof (results.csv), rocprofv2               a row per launch, a column per counter
 *   rocprofv3 (counter_collection.csv)             a row per launch and counter
 *   workloads/probe/kernel_times.c                 a row per launch, of many programs and runs
 * and the text that ncu prints when no page is requested. A file with another header, or with a
 * column that is neither a counter nor known information, is refused.  Counters with a counterpart
 * among plumb's metrics are converted to its unit (docs/guide/database.md lists them); all others
 * keep their own name and unit.
 *
 * Source: the profilers' documentation; the counters that Accel-Sim's users correlate. */
#pragma once

#include "sweeps/store/store.h"

struct hardware_counter {
    uint32_t launch; /* from 0; in nvprof's summaries the index of the kernel */
    const char *kernel, *name;
    const char *metric; /* NULL: plumb has no such metric */
    double value;       /* in the metric's unit; without a metric, in the file's */
};

struct hardware; /* heap, opaque */
/* Read a text (for tests) or a file; NULL: *e says why.  program: which rows to take of a file with
 * the times of several programs; a file with one alone is read whatever its rows call it. */
struct hardware *hardware_parse(const char *file, const char *program, const char *text,
                                struct error *e);
struct hardware *hardware_load(const char *file, const char *program, struct error *e);
void hardware_free(struct hardware *h);
const char *hardware_tool(
    const struct hardware *h); /* "nvprof", "ncu", "rocprof", "rocprofv2", "rocprofv3", "opencl" */
const char *hardware_device(const struct hardware *h); /* "" if the file does not say */
uint32_t hardware_launches(const struct hardware *h);
const struct hardware_counter *hardware_counters(const struct hardware *h, uint32_t *n);

/* Stores the counters in the database, under that program; importing the same file again replaces
 * them. */
bool hardware_store(const struct hardware *h, struct store *s, const char *program,
                    struct error *e);
