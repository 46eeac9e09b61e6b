/* hardware_internal.h - a profiler's file while it is read: between hardware.c, hardware_layouts.c
 * and hardware_details.c. */
#ifndef PLUMB_SWEEPS_EVIDENCE_HARDWARE_INTERNAL_H
#define PLUMB_SWEEPS_EVIDENCE_HARDWARE_INTERNAL_H

#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "sweeps/evidence/csv.h"
#include "sweeps/evidence/hardware.h"
#include "sweeps/evidence/hardware_metrics.h"

enum { INFO_MAX = 26 };

/* A file's header row. */
struct hardware_layout {
    enum profiler tool;
    const char *tool_name, *kernel;
    const char *by;   /* the column whose change begins another launch; NULL: every row is one */
    const char *name; /* a row per counter, called so; NULL: a column per counter */
    const char *value, *unit, *times, *device;
    const char *begin, *end; /* of the launch, in ns; NULL: the file does not say */
    bool units_row;          /* the row after the header holds units */
    const char *info[INFO_MAX];
};
/* NULL behind the last. */
const struct hardware_layout *hardware_layout(uint32_t i);

struct hardware {
    struct arena arena;
    const char *file, *device;
    const struct hardware_layout *layout;
    struct digest digest; /* of the text */
    struct hardware_counter *counter;
    size_t n, cap;
    uint32_t launches;
};

struct hardware_reading {
    struct hardware *h;
    struct csv csv;
    const struct csv_row *head, *units; /* units: NULL if the file has none */
    struct error *e;
};

/* A value of the launch under way, in the file's unit; what is no number was not measured. */
bool hardware_add(struct hardware_reading *r, const char *kernel, const char *name,
                  const char *value, const char *unit, double times);

/* Nsight Compute's page for the terminal, tables below a line for each kernel. */
bool hardware_is_details(const char *text);
bool hardware_read_details(struct hardware_reading *r, char *text);

#endif
