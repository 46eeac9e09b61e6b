/* stats.h - a component's counters as one list, from which its struct, the sum over several
 * components and the metrics of the record follow.
 *
 * A list has two kinds of rows: C(counter, meaning) is only counted; M(counter, metric, when) also
 * is that metric, which is present if `when` holds and whose row in gpu/metrics gives its meaning.
 * `when` reads the component's parameters as `p`. */
#pragma once

#include <stdint.h>

/* The members of struct PART_stats. */
#define STATS_MEMBERS(LIST) LIST(STATS_MEMBER, STATS_MEMBER)
#define STATS_MEMBER(counter, ...) uint64_t counter;

/* Adds *from to *to, two structs of the list. */
#define STATS_ADD(LIST) LIST(STATS_SUM, STATS_SUM)
#define STATS_SUM(counter, ...) to->counter += from->counter;

/* Defines add_PART, which adds one component's counters to a sum, and set_PART, which sets a sum's
 * metrics in *m. */
#define STATS_ADDER(part, LIST)                                                      \
    static void add_##part(struct part##_stats *to, const struct part##_stats *from) \
    {                                                                                \
        STATS_ADD(LIST)                                                              \
    }
#define STATS_SETTER(part, LIST)                                                          \
    static void set_##part(const struct part##_params *p, const struct part##_stats *sum, \
                           struct metrics *m)                                             \
    {                                                                                     \
        (void)p;                                                                          \
        LIST(STATS_PASS, STATS_SET)                                                       \
    }
#define STATS_PASS(...)
#define STATS_SET(counter, metric, when) \
    if (when) metrics_set(m, M_##metric, (double)sum->counter);
