/* hardware_internal.h - a profiler's file while it is read; shared by the files
 * hardware*.c. */
#pragma once

#include "base/memory/arena.h"
#include "base/memory/hash_map.h"
#include "base/text/csv.h"
#include "base/text/digest.h"
#include "sweeps/hardware/hardware.h"
#include "sweeps/hardware/hardware_metrics.h"

enum { INFO_MAX = 26 };

/* A layout of files, recognised by the header row. */
struct hardware_layout {
    enum profiler tool;
    const char *tool_name, *kernel;
    /* The column that tells launches apart, of a device and a process; NULL: each row is a launch.
     */
    const char *by;
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

/* How a file writes numbers. An English profiler writes 1,234.5, one that runs in a German or
 * French environment 1.234,5 or 1 234,5; blanks and apostrophes group digits in either. */
enum number_marks { MARKS_UNKNOWN, MARKS_POINT, MARKS_COMMA };

struct hardware_reading {
    struct hardware *h;
    struct csv csv;
    const struct csv_row *head, *units; /* units: NULL if the file has none */
    enum number_marks marks;
    struct hash_map launch_of; /* launches by what tells them apart */
    uint32_t launch, line;     /* of the row that is read; line 0: not known */
    struct error *e;
};

/* Notes what a field of the row says of the file's marks; unit: "" if there is none. false: rows
 * before it said the other. */
bool hardware_note_marks(struct hardware_reading *r, const char *field, const char *unit);

/* Adds a value of the row's launch, in the file's unit; a value that is no number counts as not
 * measured. false: the number cannot be what its counter measures, or no memory. */
bool hardware_add(struct hardware_reading *r, const char *kernel, const char *name,
                  const char *value, const char *unit, double times);

enum number_kind {
    NUMBER_NONE,    /* no number: "n/a", "<OVERFLOW>", a name */
    NUMBER_READ,    /* *v */
    NUMBER_STRANGE, /* a number of no form, or with text behind it that is no unit */
    /* 1.234 in a unit of counts or 1,234 in another, and nothing in the file tells its form */
    NUMBER_TWO_WAYS
};
/* What the number of a field says of its file's marks; MARKS_UNKNOWN: nothing, as 7 and 1,234.
 * whole: its unit counts, so that the comma of 1,234 groups. */
enum number_marks hardware_marks(const char *field, bool whole);
/* Reads a number with its unit ("1,234.5", "45.2%", "12.5ms") into the base unit of its kind. unit:
 * of the column, "" if there is none; whole: the unit counts, so that it seldom has a fraction. */
enum number_kind hardware_number(const char *field, const char *unit, enum number_marks marks,
                                 bool whole, double *v);

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
