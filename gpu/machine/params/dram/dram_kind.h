/* dram_kind.h - the kinds of DRAM, and what devices of each kind do by their standards and by
 * public sets of timings: a machine outside is doubted, not refused. */
#pragma once

#include <stdint.h>

enum dram_kind {
    DRAM_KIND_NONE, /* not known: the timings stand in the machine's own file */
    DRAM_DDR3,
    DRAM_DDR4,
    DRAM_DDR5,
    DRAM_LPDDR5,
    DRAM_GDDR5,
    DRAM_GDDR5X,
    DRAM_GDDR6,
    DRAM_GDDR6X,
    DRAM_GDDR7,
    DRAM_HBM,
    DRAM_HBM2,
    DRAM_HBM2E,
    DRAM_HBM3,
    DRAM_HBM3E,
    DRAM_KIND_N
};

/* What is judged: the rate of a pin in Gb/s, and times in ns. */
enum dram_limit { LIMIT_PIN, LIMIT_TRCD, LIMIT_TCL, LIMIT_TRC, DRAM_LIMITS };

struct dram_range {
    double least, most;
};

struct dram_kind_row {
    const char *name;                     /* as `kind` of a set in configs/dram has it: "gddr6x" */
    struct dram_range range[DRAM_LIMITS]; /* of DRAM_KIND_NONE: of all kinds together */
    const char *source;
};

/* The row of a kind. */
struct dram_kind_row dram_kind_row(enum dram_kind kind);
/* DRAM_KIND_NONE: there is no such kind. */
enum dram_kind dram_kind_by_name(const char *name);
