/* what_if.h - what an answer says about its causes: what would help, and why two machines differ.
 * engine/causes.h and engine/difference.h find them. */
#ifndef PLUMB_SAMPLER_ANSWER_WHAT_IF_H
#define PLUMB_SAMPLER_ANSWER_WHAT_IF_H

#include <stdbool.h>
#include <stdint.h>

enum { CAUSES_MAX = 48, CAUSE_SETS = 10, CAUSE_SET_MAX = 48, CAUSE_WORDS_MAX = 128 };

struct cause {
    char words[CAUSE_WORDS_MAX];         /* "twice the DRAM channels" */
    char set[CAUSE_SETS][CAUSE_SET_MAX]; /* "dram.channels=8" */
    uint32_t n;                          /* settings; all together are one try */
    uint32_t resources;                  /* that they are twice as much of: one, or a pair */
    double saves;                        /* of the time, 0..1; negative: takes longer */
};
struct causes {
    struct cause at[CAUSES_MAX]; /* best first */
    uint32_t n;                  /* 0: nobody asked */
};

enum difference_kind { DIFFERENCE_TRAFFIC, DIFFERENCE_SERVICE, DIFFERENCE_ENTRIES, DIFFERENCE_N };

struct difference {
    bool known;
    double time;               /* B's over A's, by these estimates */
    double part[DIFFERENCE_N]; /* of B's time less A's, as shares of A's: their sum is time - 1 */
};

#endif
