/* constants.h - the tuned numbers of sweeps over many machines; see base/constant.h. */
#pragma once

#include "base/constant.h"

#define SWEEPS_CONSTANTS(X)                                                                       \
    X(REAL, EFFORT, SWEEP, LIMIT_SHARE, 0.03, "1",                                                \
      "share of the points that a sweep may simulate by default", "chosen by hand, no source")    \
    X(WHOLE, EFFORT, SWEEP, LIMIT_LEAST, 8, "points", "that it may simulate at least",            \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, SWEEP, BATCHES, 10, "batches",                                               \
      "after the first spread, if all points are used", "chosen by hand, no source")              \
    X(WHOLE, EFFORT, SWEEP, BATCH_GROWTH, 8, "1",                                                 \
      "part of what is known that a batch is at least", "few rounds serve large budgets")         \
    X(REAL, EFFORT, SWEEP, SPREAD_SHARE, 0.4, "1",                                                \
      "of the points that may be simulated, for the first spread", "chosen by hand, no source")   \
    X(REAL, EFFORT, SWEEP, FRONT_SHARE, 0.25, "1",                                                \
      "of the points after it for members of the front", "chosen by hand, no source")             \
    X(REAL, EFFORT, SWEEP, EVEN_SHARE, 1.0 / 3, "1",                                              \
      "of the points after it that are drawn evenly while the error is too large",                \
      "chosen by hand, no source")                                                                \
    X(REAL, EFFORT, SWEEP, TOP_SHARE, 0.05, "1",                                                  \
      "of the designs, the best by the first objective, whose order is to be known",              \
      "the list that users ask for")                                                              \
    X(REAL, EFFORT, SWEEP, SPREAD_ALL, 0.75, "1", "of the first spread, over all points",         \
      "chosen by hand, no source")                                                                \
    X(REAL, EFFORT, SWEEP, SPREAD_BEST, 0.25, "1",                                                \
      "of the first spread, among the best estimates", "what SPREAD_ALL leaves")                  \
    X(REAL, THRESHOLD, SWEEP, HOPE_LEAST, 2e-3, "1",                                              \
      "of a logarithm that a point may bring, to be worth a run", "chosen by hand, no source")    \
    X(WHOLE, THRESHOLD, SWEEP, ROWS_LEAST, 8, "runs", "below which nothing is calibrated",        \
      "chosen by hand, no source")                                                                \
    X(REAL, MARGIN, SWEEP, PROGRAMS_ALIKE, 0.3, "1",                                              \
      "correlation of what corrected estimates of two programs have wrong, at most",              \
      "the largest of three pairs in the demo's sweep; 0.03 in the mean of 46 programs on six "   \
      "presets")                                                                                  \
    X(REAL, THRESHOLD, SWEEP, COLUMNS_SAME, 0.9999, "1",                                          \
      "correlation above which one column says what another does", "chosen by hand, no source")   \
    X(WHOLE, THRESHOLD, SWEEP, SURROGATE_RUNS, 6, "runs",                                         \
      "of a program below which it has no surrogate",                                             \
      "a reach along each axis is guesswork; chosen by hand")                                     \
    X(REAL, MODEL, SWEEP, SURROGATE_VARIANCE, 1e-4, "1",                                          \
      "of the logarithms of a program's runs at least", "chosen by hand, no source")              \
    X(REAL, MODEL, SWEEP, SURROGATE_NOISE, 0.0173, "1",                                           \
      "prior of what no smooth function says of a run",                                           \
      "two runs at near places differ by one or two percent")                                     \
    X(REAL, MODEL, SWEEP, SURROGATE_NOISE_SD, 0.5, "1", "of its logarithm",                       \
      "chosen by hand, no source")                                                                \
    X(REAL, SOLVER, CALIBRATE, GP_JITTER, 1e-9, "1",                                              \
      "of a variance, added to the diagonal so that equal points do no harm", "rounding")         \
    X(WHOLE, EFFORT, CALIBRATE, LEARN_POINTS, 192, "points",                                      \
      "that lengths and amplitudes are learned from", "cost grows with their cube")               \
    X(WHOLE, EFFORT, CALIBRATE, LEARN_STEPS, 150, "steps", "of Adam for them",                    \
      "chosen by hand, no source")                                                                \
    X(REAL, SOLVER, CALIBRATE, ADAM_STEP, 0.1, "1", "length of a step of Adam in a logarithm",    \
      "chosen by hand, no source")                                                                \
    X(REAL, SOLVER, CALIBRATE, ADAM_FIRST, 0.9, "1", "decay of the first moment",                 \
      "Kingma & Ba 2015")                                                                         \
    X(REAL, SOLVER, CALIBRATE, ADAM_SECOND, 0.99, "1", "decay of the second moment",              \
      "Kingma & Ba 2015 have 0.999; fewer steps here")                                            \
    X(REAL, SOLVER, CALIBRATE, ADAM_LEAST, 1e-8, "1", "added to the root of the second moment",   \
      "Kingma & Ba 2015")                                                                         \
    X(REAL, MODEL, SWEEP, EXACT_RUN_SD, 0.01, "1",                                                \
      "standard deviation of a simulated run's logarithm in a fit at least",                      \
      "one exact run must not outweigh all others; chosen by hand")                               \
    X(WHOLE, EFFORT, SWEEP, TRAIN_CANDIDATES, 64, "points",                                       \
      "that stand for the grid when runs are chosen by what they teach",                          \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, TEXT, TRIAL_INSTRUCTIONS, 20000, "instructions",                             \
      "of a trial run, from which the time of a sweep is foretold",                               \
      "loading a machine does not show")                                                          \
    X(WHOLE, EFFORT, TEXT, PROFILE_INSTRUCTIONS, 131072, "instructions", "of a trial profile",    \
      "took 0.03 to 1.3 s; twenty times as many leave no time for other programs")                \
    X(WHOLE, EFFORT, TEXT, TRIAL_RUNS, 6, "runs", "that a sweep's time is foretold from",         \
      "chosen by hand, no source")                                                                \
    X(REAL, EFFORT, TEXT, TRIAL_SECONDS, 5, "s", "that trials may take", "a user waits for them") \
    X(REAL, MODEL, TEXT, STORE_SECONDS, 0.0002, "s", "that storing a run takes",                  \
      "measured on 1,800 estimates with their profiles kept")                                     \
    X(WHOLE, EFFORT, TEXT, WRITE_BATCH_RUNS, 64, "runs",                                          \
      "of estimates that are written in one transaction", "chosen by hand, no source")            \
    X(REAL, EFFORT, TEXT, WRITE_BATCH_SECONDS, 0.1, "s", "between transactions of short runs",    \
      "chosen by hand, no source")                                                                \
    X(REAL, EFFORT, TEXT, WRITE_SHARED_SECONDS, 1, "s", "the same on a disk that workers share",  \
      "a transaction took 3 to 30 ms")                                                            \
    X(WHOLE, EFFORT, TEXT, WORK_SHARE, 2, "1",                                                    \
      "times the workers expected: a chunk is what is left over it",                              \
      "a worker that joins last ends half a share late; chosen by hand")                          \
    X(WHOLE, EFFORT, TEXT, WORK_LEAST_ESTIMATES, 16, "runs", "of a chunk at least",               \
      "they take longer than claiming them; chosen by hand")                                      \
    X(WHOLE, EFFORT, TEXT, WORK_LEAST_SAMPLED, 4, "points", "of a chunk of samples at least",     \
      "each chunk runs its base again, a fifth of its time")                                      \
    X(WHOLE, EFFORT, TEXT, WORK_THREAD_RUNS, 2, "runs",                                           \
      "that each thread of a worker of several claims at a time", "chosen by hand")               \
    X(REAL, EFFORT, TEXT, WORK_WAIT_LEAST, 0.05, "s",                                             \
      "that a worker waits for others at first; each time twice as long", "chosen by hand")       \
    X(REAL, EFFORT, TEXT, WORK_WAIT_MOST, 5, "s", "that it waits at most, or a quarter lease",    \
      "chosen by hand")                                                                           \
    X(WHOLE, EFFORT, TEXT, WORK_CLAIM_MISSES, 3, "chunks",                                        \
      "that others had claimed before a worker reads the directory again", "chosen by hand")      \
    X(WHOLE, EFFORT, TEXT, WORK_CLAIM_LOOKS, 8, "times",                                          \
      "that it does so: another host's directory may be seen late", "chosen by hand")             \
    X(WHOLE, EFFORT, TEXT, WORK_RENEWALS, 4, "1", "renewals of a lease while it lasts",           \
      "three may be late; chosen by hand")                                                        \
    X(WHOLE, THRESHOLD, TEXT, WORK_DEATHS, 4, "workers", "that a chunk ends before it is left",   \
      "chosen by hand")

SWEEPS_CONSTANTS(CONSTANT_DEFINE)
