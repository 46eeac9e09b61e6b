/* param.h - parameter tables: one row per parameter drives the reader, the checks, --set, sweep
 * axes, `plumb machine params` and the reference page. A part's struct is plain data; its table
 * says where each field is stored and which values are allowed. */
#pragma once

#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conf_node;

enum param_type {
    PARAM_BOOL, /* bool */
    PARAM_INT,  /* uint32_t */
    PARAM_REAL, /* double */
    PARAM_SIZE, /* uint64_t bytes; "32KB" is accepted */
    PARAM_ENUM, /* an int-sized enum, by the names in `choices` */
    PARAM_TEXT, /* char[PARAM_TEXT_MAX] */
    PARAM_LIST, /* struct param_list of uint32_t */
    /* char[PARAM_TEXT_MAX]: the name of a file configs/PART/NAME.cfg that supplies the keys that
     * the same file or the same --set does not give; not itself part of the effective
     * configuration. */
    PARAM_FRAGMENT
};

enum { PARAM_TEXT_MAX = 64, PARAM_LIST_MAX = 16 };

struct param_list {
    uint32_t n, v[PARAM_LIST_MAX];
};

/* A choice of an enum. All choices are implemented; the reader refuses every other name. */
struct choice {
    const char *name;
    int value;
    const char *meaning;
};

/* Whether a pass of gpu/functional reads the parameter. Machines that differ only in parameters
 * that it does not read share a pass's checkpoints. */
enum param_seen { PARAM_SEEN = 1, PARAM_UNSEEN };

/* Whether the estimator has a term for the parameter. Parameters that it does not model are listed
 * in the answer's not_modelled. */
enum param_term {
    PARAM_TERM = 1, /* there is a term */
    PARAM_NO_TERM,  /* there is none: listed in not_modelled unless it is at its default */
    PARAM_PARTLY,   /* there is a partial one: listed where it is off its default and goes beyond
                       the term of its mechanism (estimator/model/explain.c) */
    PARAM_SILENT    /* there is none, and it is never listed: the choice in its `when` is listed
                       instead, or its effect is negligible */
};

struct param {
    const char *path;      /* path within the part: "mshr.entries" */
    const char *full_path; /* "l2.mshr.entries" */
    const char *unit;      /* "cycles", "KB", "1" ... */
    const char *meaning;   /* one sentence */
    const char *source;    /* "Candel 4.5.1", or "[A] why" for an assumption of ours */
    /* NULL = always; else "path=value" or "path!=value" with a full path, e.g. "l1.adaptive=true".
     * If it does not hold, or that of the row which it names, the parameter has its default: a file
     * that sets it is refused, but a value from an earlier layer (base file before file before
     * --set) gives way to a later change of the selector. */
    const char *when;
    enum param_seen seen; /* every row sets `seen` and `term`; 0 is invalid */
    enum param_term term;
    enum param_type type;
    size_t offset;    /* in the part's struct */
    const char *dflt; /* default, as written in a file */
    double lo, hi;    /* range of numbers, list elements and sizes (bytes); ignored otherwise */
    const struct choice *choices; /* PARAM_ENUM: ended by a NULL name */
};

struct part {
    const char *name; /* "l2" */
    const char *meaning;
    size_t offset, size; /* in struct machine */
    const struct param *params;
    uint32_t n;
};

/* `part` is the part's struct; a parameter is written only when its value is allowed.  false: `why`
 * says what is wrong and what is allowed ("0 is out of range; allowed: a whole number from 1 to 64
 * (KB)"). */
bool param_from_conf(const struct param *p, void *part, const struct conf_node *n,
                     struct text *why);
/* Reads a value from the command line: texts and names need no quotes, lists no brackets. */
bool param_from_text(const struct param *p, void *part, const char *s, struct text *why);
/* Print the value as in a file (texts quoted), and as on a command line (not quoted). */
void param_print(const struct param *p, const void *part, struct text *out);
void param_print_bare(const struct param *p, const void *part, struct text *out);
/* Whether the parameter has that value; not for lists. Allocates nothing. */
bool param_is(const struct param *p, const void *part, const char *value);
/* Copies the value between two structs of its part. */
void param_copy(const struct param *p, void *to, const void *from);
/* Whether it has the same value in two structs of its part. */
bool param_equal(const struct param *p, const void *a, const void *b);
bool param_number(const struct param *p, const void *part, double *v); /* false: a text or a list */
