/* constants.h - the tuned numbers of sampling; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define SAMPLER_CONSTANTS(X)                                                                       \
    X(WHOLE, EFFORT, LONG, LONG_INTERVAL, 192, "instructions per warp",                            \
      "of an interval of a long program",                                                          \
      "intervals of 192 spread half as much as those of 96 (docs/notebook/sampling.md, "           \
      "pagerank-xl on hd7870)")                                                                    \
    X(WHOLE, THRESHOLD, LONG, LONG_FEW_WARPS, 4, "warps per SM",                                   \
      "below which an interval is as long as its CTAs", "chosen by hand, no source")               \
    X(WHOLE, THRESHOLD, LONG, LONG_FROM, 5000000, "instructions", "from which a program is long",  \
      "chosen by hand: where sampling costs less than simulating")                                 \
    X(WHOLE, EFFORT, LONG, LONG_WAVES, 4, "waves", "of a launch that are profiled at most",        \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, EFFORT, LONG, LONG_PART, 32, "1",                                                     \
      "part of a launch that is profiled, in whole waves", "chosen by hand, no source")            \
    X(REAL, THRESHOLD, LONG, SAMPLE_WORTH, 0.7, "1",                                               \
      "share of simulating that a sample at first use may cost",                                   \
      "chosen by hand: an exact answer is worth three tenths")                                     \
    X(WHOLE, THRESHOLD, SAMPLE, INTERVALS_LEAST, 4, "intervals",                                   \
      "of a launch from which it is cut", "chosen by hand, no source")                             \
    X(WHOLE, THRESHOLD, SAMPLE, WARM_FROM, 32, "intervals",                                        \
      "of the first launch from which all but its first are as in launches like it",               \
      "chosen by hand, no source")                                                                 \
    X(REAL, EFFORT, SAMPLE, INTERVAL_SHRINKS, 0.8, "1",                                            \
      "by which intervals are shortened until there are enough", "chosen by hand, no source")      \
    X(WHOLE, EFFORT, SAMPLE, INTERVAL_LENGTH, 300, "instructions per warp",                        \
      "of the longest interval", "chosen by hand, no source")                                      \
    X(WHOLE, EFFORT, SAMPLE, INTERVAL_SHORTEST, 24, "instructions per warp",                       \
      "of the shortest interval", "chosen by hand, no source")                                     \
    X(WHOLE, EFFORT, SAMPLE, UNITS_WANTED, 160, "units", "that a program is cut into at least",    \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, THRESHOLD, SAMPLE, SAMPLING_UNITS_LEAST, 12, "units",                                 \
      "fewer are not worth their warm-up", "chosen by hand, no source")                            \
    X(WHOLE, EFFORT, LONG, FIRST_UNITS, 24, "units",                                               \
      "that two intervals of each stratum of a long program may cost",                             \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, EFFORT, LONG, FIRST_PART, 64, "1",                                                    \
      "or such a part of the program, whichever is more", "chosen by hand, no source")             \
    X(WHOLE, EFFORT, LONG, REFINED_PART, 16, "1",                                                  \
      "part of a program for strata that the pass's clock cuts out", "chosen by hand, no source")  \
    X(WHOLE, EFFORT, LONG, DEAR_PART, 8, "1",                                                      \
      "part of a program for strata on which much depends",                                        \
      "a quarter of it after the longest warm-up")                                                 \
    X(WHOLE, EFFORT, LONG, STRATUM_UNITS, 8, "intervals", "that the budget has for each stratum",  \
      "two intervals with the longest warm-up before each are five")                               \
    X(WHOLE, EFFORT, LONG, MORE_PART, 4, "1",                                                      \
      "part of a program that a default budget never exceeds, unless it is all",                   \
      "chosen by hand, no source")                                                                 \
    X(REAL, EFFORT, LONG, SHARE_LEAST, 0.03, "1",                                                  \
      "share of a program that the budget has at least", "chosen by hand, no source")              \
    X(WHOLE, EFFORT, LONG, TRACK_KEPT_FROM, 2000000, "instructions",                               \
      "from which a pass's checkpoints are kept in a file",                                        \
      "chosen by hand: a shorter pass is not worth a file")                                        \
    X(REAL, THRESHOLD, SAMPLE, PROFILED_WHOLE, 0.99, "1",                                          \
      "share of a launch's instructions in the profile from which it has all of them",             \
      "chosen by hand, no source")                                                                 \
    X(REAL, MODEL, SAMPLE, GO_ON_ROOM, 0.707, "1",                                                 \
      "part of the wanted half width that the pilots' doubt may be, for rounds to go on",          \
      "1 / sqrt(2), rounded: rounds aim at the doubt itself beyond it")                            \
    X(REAL, THRESHOLD, SAMPLE, SAMPLING_WIDE, 0.1, "1",                                            \
      "half width above which a program is run whole", "chosen by hand, no source")                \
    X(WHOLE, EFFORT, LONG, TURN_BACK, 10, "1",                                                     \
      "part of a program's cost that may be spent before it is simulated whole after all",         \
      "such a program then costs a tenth more than simulating it")                                 \
    X(WHOLE, MODEL, LONG, PASS_PRICE, 3, "1",                                                      \
      "instructions of a functional pass that cost as much as simulating one",                     \
      "2 (graph programs) to 4.5 (products): scripts/sample-cost.sh, first use less kept pass")    \
    X(WHOLE, EFFORT, LONG, PILOTS_OF_LONG, 2, "pilots", "of a long program",                       \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, MODEL, SAMPLE, WARMUP_SETTLED, 4, "1",                                                \
      "part of the wanted error that a warm-up's difference and twice its noise must stay "        \
      "below",                                                                                     \
      "chosen by hand, no source")                                                                 \
    X(REAL, MARGIN, SAMPLE, UNMEASURED_ERROR, 0.13, "1",                                           \
      "placing error where the budget bore no pilot", "the most that was seen (triad on rx540)")   \
    X(REAL, MARGIN, SAMPLE, PLACING_ERROR, 0.02, "1",                                              \
      "half width that the functional pass leaves of launches taken whole",                        \
      "bench_sampler_coverage, judged on the same programs")                                       \
    X(REAL, MARGIN, SAMPLE, PLACED_ERROR, 0.05, "1",                                               \
      "half width that placing leaves of intervals inside a launch of a short program",            \
      "bench_sampler_coverage, judged on the same programs")                                       \
    X(REAL, MARGIN, LONG, PLACED_LONG_ERROR, 0.03, "1",                                            \
      "half width that placing leaves of intervals of a long program",                             \
      "bench_sampler_coverage, judged on the same programs")                                       \
    X(REAL, MARGIN, SAMPLE, DRAIN_ERROR, 0.33, "1",                                                \
      "half width of a last wave with fewer CTAs than SMs",                                        \
      "one measurement: libor on gtx480, 48,000 cycles for 35,500")                                \
    X(REAL, MARGIN, SAMPLE, PLACING_OF_RATIO, 0.015, "1",                                          \
      "half width that placing leaves of a ratio of two machines",                                 \
      "measured on pairs of machines (docs/models/sampling.md)")                                   \
    X(REAL, THRESHOLD, LONG, CUT_WORTH, 0.01, "1",                                                 \
      "share of a program's cycles that a cut by the pass's clock must save",                      \
      "chosen by hand, no source")                                                                 \
    X(REAL, THRESHOLD, LONG, DEAR_CUT_WORTH, 0.05, "1",                                            \
      "share that a cut must save to be made where it is dear", "chosen by hand, no source")       \
    X(WHOLE, EFFORT, SAMPLE, ACCESS_COUNT_READ, 1 << 24, "instructions",                           \
      "that are read to count accesses, at most", "chosen by hand, no source")                     \
    X(WHOLE, EFFORT, SAMPLE, ACCESS_COUNT_FIRST, 16, "1",                                          \
      "part of these that is read first, which does for regular programs",                         \
      "chosen by hand, no source")                                                                 \
    X(REAL, THRESHOLD, SAMPLE, ACCESSES_KNOWN, 0.001, "1",                                         \
      "relative standard error of the accesses from which no more CTAs are counted",               \
      "far below the half widths that samples state")                                              \
    X(WHOLE, THRESHOLD, SAMPLE, ACCESS_CTAS_LEAST, 16, "CTAs",                                     \
      "that are counted before that error is believed", "chosen by hand, no source")               \
    X(REAL, SOLVER, SAMPLE, SLOPES_APART, 0.01, "1",                                               \
      "share of two control variates that is not common, for both to have slopes",                 \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, THRESHOLD, SAMPLE, CONTROL_FREE_LEAST, 5, "observations",                             \
      "beyond one per stratum from which a control variate is tried", "chosen by hand, no source") \
    X(REAL, THRESHOLD, SAMPLE, CONTROL_HANDICAP, 1.1, "1",                                         \
      "by which the half width with a control variate is enlarged before it is compared",          \
      "chance makes the best of five look better; chosen by hand")                                 \
    X(WHOLE, MODEL, SAMPLE, SPREAD_PRIOR, 2, "observations",                                       \
      "that the common deviation of all strata counts in each", "chosen by hand, no source")       \
    X(WHOLE, EFFORT, SAMPLE, ROUND_UNITS, 2, "units", "that a round adds at least",                \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, THRESHOLD, SAMPLE, STRATUM_FEW, 16, "units",                                          \
      "of a stratum below which the first one is drawn by chance, lest one lies on both "          \
      "sides of a half",                                                                           \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, MODEL, SAMPLE, STRATUM_FEW_FAR, 2, "1",                                               \
      "by which the variance that is expected after all rounds may exceed the goal, for "          \
      "going on",                                                                                  \
      "chosen by hand, no source")                                                                 \
    X(REAL, EFFORT, SAMPLE, GOAL_AIM, 0.9, "1", "of the wanted half width at which a round aims",  \
      "chosen by hand, no source")                                                                 \
    X(WHOLE, THRESHOLD, SAMPLE, ROUNDS_FREE_WANTED, 2, "observations",                             \
      "beyond one per stratum below which no half width is believed", "chosen by hand, no source")

SAMPLER_CONSTANTS(CONSTANT_DEFINE)
