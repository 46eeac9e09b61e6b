/* param.h - parameter tables: one row per parameter drives the reader, the checks, --set, sweep axes,
 * `plumb machine params` and the reference page.
 *
 * A part's struct is plain data; its table says where each field lies and what may stand there. */
#ifndef PLUMB_MACHINE_PARAM_H
#define PLUMB_MACHINE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum param_type {
    PARAM_BOOL, /* bool */
    PARAM_INT,  /* uint32_t */
    PARAM_REAL, /* double */
    PARAM_SIZE, /* uint64_t bytes; "32KB" is accepted */
    PARAM_ENUM, /* an int-sized enum, by the names in `choices` */
    PARAM_TEXT, /* char[PARAM_TEXT_MAX] */
    PARAM_LIST  /* struct param_list of uint32_t */
};

enum { PARAM_TEXT_MAX = 64, PARAM_LIST_MAX = 16 };

struct param_list {
    uint32_t n, v[PARAM_LIST_MAX];
};

/* A choice that exists is built: the reader refuses every other name. */
struct choice {
    const char *name;
    int value;
    const char *meaning;
};

struct param {
    const char *path;    /* inside the part: "mshr.entries" */
    const char *unit;    /* "cycles", "KB", "1" ... */
    const char *meaning; /* one sentence */
    const char *source;  /* "Candel 4.5.1", or "[A] why" for an assumption of ours */
    const char *when;    /* NULL = always; else "path=choice": may be set only if that holds, e.g. "l1.adaptive=true" */
    enum param_type type;
    size_t offset;       /* in the part's struct */
    const char *dflt;    /* as it would stand in a file */
    double lo, hi;       /* of numbers, list elements and sizes (bytes); ignored otherwise */
    const struct choice *choices; /* PARAM_ENUM: ended by a NULL name */
};

struct part {
    const char *name;    /* "l2" */
    const char *meaning;
    size_t offset, size; /* in struct machine */
    uint32_t max_count;  /* > 1: the part repeats */
    const struct param *params;
    uint32_t n;
};

#endif
