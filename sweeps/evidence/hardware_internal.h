/* hardware_internal.h - a profiler's file while it is read; shared by the files
 * hardware*.c. */
#pragma once

#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "sweeps/evidence/csv.h"
#include "sweeps/evidence/hardware.h"
#include "sweeps/evidence/hardware_metrics.h"

enum { INFO_MAX = 26 };

/* A layout of files, recognised by the header row. */
struct hardware_layout {
    enum profiler tool;
    const char *tool_name, *kernel;
    const char *by; /* the column whose change begins another launch; NULL: each row is a launch */
    /* the column with the counter's name (a row per counter); NULL: a column per counter */
    const char *name;
    const char *value, *unit, *times, *device;
    const char *begin, *end; /* columns with the launch's times, in ns; NULL: the file has none */
    bool units_row;          /* the row after the header holds units */
    const char *info[INFO_MAX];
};
/* NULL past the last. */
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

/* Adds a value of the current launch, in the file's unit; a value that is no number counts as not
 * measured. */
bool hardware_add(struct hardware_reading *r, const char *kernel, const char *name,
                  const char *value, const char *unit, double times);

/* The index of a column; -1 if there is none (or no name). */
int hardware_column(const struct csv_row *head, const char *name);
/* false; the error names the line, what is wrong, and `name`. */
bool hardware_refuse(const struct hardware_reading *r, uint32_t line, const char *what,
                     const char *name);

/* Reads Nsight Compute's page for the terminal: tables below a line for each kernel. */
bool hardware_is_details(const char *text);
bool hardware_read_details(struct hardware_reading *r, char *text);

/* Reads the rows of a program below the header of kernel_times; program: as hardware_parse has it.
 */
bool hardware_read_kernel_times(struct hardware_reading *r, const char *program);
