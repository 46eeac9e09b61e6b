/* coverage_row.h - what the repetitions of one program on one machine gave: a line of text, kept.
 *
 * Shares and errors are 0..1 (of cycles and energy relative, of hit rates absolute), lengths are
 * warp instructions.  What sample runs whole is exact: error 0, and covered. */
#pragma once

#include "tests/support/coverage.h"

#define COVERAGE_COLUMNS(C)                                                               \
    C(instructions) /* of the program */                                                  \
    C(repeats)      /* 0 units sampled in each: the program is always run whole */        \
    C(whole)        /* share of the repetitions that end as a whole simulation */         \
    C(units)        /* of the program */                                                  \
    C(strata)                                                                             \
    C(length)  /* of a unit, mean */                                                      \
    C(taken)   /* units run, mean of the repetitions that are not whole */                \
    C(without) /* the same without a control variate */                                   \
    C(share)   /* of the instructions simulated, warm-up and pilots counted */            \
    C(bound)   /* max(3 %, strata x 6 units / program) */                                 \
    C(warmup)  /* instructions per resident warp, mean of the draws of pilots */          \
    C(placing) /* stated doubt of placing and warming, of cycles, mean of the draws */    \
    C(census)  /* all units together against the simulation, mean of the draws */         \
    C(error)   /* |sample - simulate| of cycles, mean */                                  \
    C(p99)                                                                                \
    C(worst)                                                                              \
    C(half_width)    /* stated, mean */                                                   \
    C(covers)        /* share of the repetitions whose half width holds the simulation */ \
    C(covers_census) /* ... and whose sampling part alone holds all units together */     \
    C(variance)      /* with a control variate over without, on the same units */         \
    C(l1_error)                                                                           \
    C(l1_covers)                                                                          \
    C(l2_error)                                                                           \
    C(l2_covers)                                                                          \
    C(rows_error)                                                                         \
    C(rows_covers)                                                                        \
    C(energy_error) /* -1: has none */                                                    \
    C(energy_covers)

enum coverage_column {
#define C(name) COVERAGE_##name,
    COVERAGE_COLUMNS(C)
#undef C
        COVERAGE_N
};

struct coverage_row {
    int version; /* engine_version(ENGINE_SAMPLE) */
    char machine[64], program[96];
    double v[COVERAGE_N];
};

/* A rate that is judged: its metric, whether its error is relative, and its columns. */
struct coverage_rate {
    const char *key;
    bool relative;
    enum coverage_column error, covers;
};

enum { COVERAGE_RATES = 4 };
extern const struct coverage_rate coverage_rate[COVERAGE_RATES];

/* What is exact by being run whole. */
struct coverage_row coverage_whole(const struct census *c, uint32_t repeats);

/* false: no such row. */
bool coverage_parse(const char *line, struct coverage_row *r);

/* Whether the file has this program on this machine from this version, of so many repetitions. */
bool coverage_known(const char *path, const struct coverage_row *wanted);

/* Appends the row to the file, after a head where it is new. */
bool coverage_keep(const char *path, const struct coverage_row *r);
