/* what_if.h - an answer's explanation: what would help, and why two machines differ.
 * engine/causes.h and engine/difference.h compute it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CAUSES_MAX = 48,
    CAUSE_SETS = 10,
    CAUSE_SET_MAX = 48,
    CAUSE_WORDS_MAX = 128,
    CAUSE_RESOURCES = 2
};

struct cause {
    char words[CAUSE_WORDS_MAX];         /* "twice the DRAM channels" */
    char set[CAUSE_SETS][CAUSE_SET_MAX]; /* "dram.channels=8" */
    uint32_t n;                          /* number of settings, which are applied together */
    uint32_t resources; /* number of resources that the settings double: one or two */
    uint32_t resource[CAUSE_RESOURCES]; /* which, as engine/causes.c numbers them */
    double saves;                       /* share of the time, 0..1; negative: it takes longer */
};
struct causes {
    struct cause at[CAUSES_MAX]; /* best first */
    uint32_t n;                  /* 0: not requested */
    bool corrected;              /* by the calibration that corrects the answer */
};

enum difference_kind { DIFFERENCE_TRAFFIC, DIFFERENCE_SERVICE, DIFFERENCE_ENTRIES, DIFFERENCE_N };

struct difference {
    bool known;
    double time; /* B's time over A's, as estimated */
    /* parts of B's time less A's, as shares of A's: they add up to time - 1 */
    double part[DIFFERENCE_N];
};
