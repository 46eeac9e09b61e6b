/* constants.h - the tuned numbers of the estimator and of its functional pass; see base/constant.h.
 */
#pragma once

#include "base/constant.h"

#define ESTIMATOR_CONSTANTS(X)                                                                    \
    X(WHOLE, MODEL, PROFILE, PASS_HIT, 32, "cycles", "a hit in the L1 of the functional pass",    \
      "chosen by hand, no source; the pass reads no machine's latency")                           \
    X(WHOLE, MODEL, PROFILE, PASS_LEAST, 64, "cycles",                                            \
      "range by which misses of the pass differ by chance", "chosen by hand, no source")          \
    X(WHOLE, MODEL, PROFILE, PASS_SCATTER, 2, "1",                                                \
      "the same range, in ways through the loaded pipe", "chosen by hand, no source")             \
    X(WHOLE, MODEL, PROFILE, PASS_CHUNK, 256, "bytes",                                            \
      "neighbouring bytes that go through one pipe of the pass", "chosen by hand, no source")     \
    X(WHOLE, MODEL, PROFILE, PASS_STEP, 4, "cycles",                                              \
      "between two instructions of a warp in the pass, and from one to those that need its "      \
      "result",                                                                                   \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, PASS_QUANTUM, 16, "cycles",                                         \
      "within which the pass does not know who comes first", "as FLUID_QUANTUM")                  \
    X(WHOLE, MODEL, PROFILE, PASS_BYTES, 8, "bytes per cycle",                                    \
      "of an SM to and from memory in the pass", "the presets' machines have 5 to 10")            \
    X(WHOLE, MODEL, PROFILE, PASS_NEAR_BYTES, 32, "bytes per cycle",                              \
      "of an SM from the L2 in the pass", "a sector of the presets' networks")                    \
    X(WHOLE, MODEL, PROFILE, PASS_DEPTH, 16, "sectors", "that may wait for the pipe in the pass", \
      "chosen by hand, no source")                                                                \
    X(WHOLE, MODEL, PROFILE, SHARING_WINDOW, 1024, "accesses",                                    \
      "after which the pass knows again who shares lines, where L1s keep what they write",        \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, PASS_LAG, 2048, "cycles",                                           \
      "by which a warp of an SM that follows another may be ahead of it",                         \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, PASS_SMS_PER_FULL, 16, "SMs",                                       \
      "of which the pass runs one in full; the others follow it", "chosen by hand, no source")    \
    X(WHOLE, EFFORT, PROFILE, FOLLOWED_ONE_IN, 16, "lines",                                       \
      "of the L2 of which a profile follows one at least", "chosen by hand, no source")           \
    X(WHOLE, EFFORT, PROFILE, PASS_EXACT, 1 << 20, "transactions",                                \
      "of the L1s up to which the profile of a program is exact", "about a second of a core")     \
    X(WHOLE, EFFORT, PROFILE, TRANSACTION_PART, 4, "warp instructions",                           \
      "that cost an exact profile as much as a transaction does",                                 \
      "measured: 0.3 and 1.3 microseconds")                                                       \
    X(WHOLE, EFFORT, PROFILE, FORETOLD_WARPS, 64, "warps",                                        \
      "whose transactions foretell those of the program", "chosen by hand, no source")            \
    X(WHOLE, EFFORT, PROFILE, FORETOLD_ACCESSES, 256, "memory instructions",                      \
      "of such a warp that are read", "chosen by hand, no source")                                \
    X(WHOLE, EFFORT, PROFILE, PASS_WHOLE, 32768, "warp instructions",                             \
      "of a program that is run in full; of one twice as long half of the lines are followed",    \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, PASS_WAVES, 6, "waves of CTAs",                                     \
      "of a launch that the pass runs at least", "chosen by hand, no source")                     \
    X(WHOLE, EFFORT, PROFILE, PASS_KEPT, 131072, "warp instructions",                             \
      "of a launch that the pass runs at least", "chosen by hand, no source")                     \
    X(WHOLE, EFFORT, PROFILE, BLOCK_LEAST, 2048, "accesses",                                      \
      "at least of a block of a sample of addresses", "chosen by hand, no source")                \
    X(WHOLE, MODEL, PROFILE, BLOCK_QUEUES, 3, "1",                                                \
      "times that a block fills the queues of all channels: while a channel's queue fills and "   \
      "while it drains, a replay tells nothing",                                                  \
      "chosen by hand: filling, serving from a full queue, draining")                             \
    X(WHOLE, EFFORT, PROFILE, BLOCK_WITHIN, 8, "blocks",                                          \
      "of accesses of all SMs among which a block of a sample of addresses is looked for",        \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, REPEAT_FROM, 16, "launches",                                        \
      "of a kernel with one shape that a profile takes all of", "chosen by hand, no source")      \
    X(WHOLE, EFFORT, PROFILE, REPEAT_EQUAL, 2, "launches",                                        \
      "of a kernel with one shape and equal numbers of instructions that a profile takes",        \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, REPEAT_EVERY, 4, "launches",                                        \
      "of those after them of which it takes one", "chosen by hand, no source")                   \
    X(WHOLE, EFFORT, PROFILE, REPEAT_ALIKE, 16, "1",                                              \
      "part of a launch's instructions by which one like it may differ",                          \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, PHASE_FIRST_LENGTH, 256, "accesses",                                \
      "of a part of the first course of a launch; parts double", "chosen by hand, no source")     \
    X(WHOLE, EFFORT, PROFILE, SETS_OF_ONE, 16, "sets",                                            \
      "from which on a cache counts distances in a set up to SETS_WAYS only",                     \
      "chosen by hand, no source")                                                                \
    X(WHOLE, EFFORT, PROFILE, SETS_WAYS, 64, "ways",                                              \
      "up to which distances in one of many sets are counted", "chosen by hand, no source")       \
    X(REAL, MODEL, ESTIMATE, UNCALIBRATED_SD, 0.26, "1",                                          \
      "standard deviation of the logarithm of an estimate, for phases that no interval met",      \
      "the errors of docs/results/accuracy.md")                                                   \
    X(REAL, THRESHOLD, TEXT, BOTTLENECK_GAIN, 0.02, "1",                                          \
      "relative gain from which a station is named as the bottleneck",                            \
      "chosen by hand, no source")                                                                \
    X(REAL, THRESHOLD, TEXT, BOTTLENECK_BUSY, 0.9, "1",                                           \
      "utilization from which a station is named that helps nobody by itself",                    \
      "chosen by hand, no source")                                                                \
    X(WHOLE, THRESHOLD, TEXT, VMB_FEW, 16, "instructions",                                        \
      "in a vector memory buffer, below which answers name it as not modelled",                   \
      "ml/gemm on hd7770-fgcs18: 1.3 times simulated at 16, 2.2 at 8, 3.8 at 4, 5.3 at 2")        \
    X(WHOLE, SOLVER, ESTIMATE, MODEL_PASSES, 4, "passes",                                         \
      "over the launch, each from the last one's latencies", "chosen by hand, no source")         \
    X(REAL, MODEL, ESTIMATE, BUSY_MOST, 0.95, "1",                                                \
      "utilization at most that one cause may give to what others use, too: refused requests a "  \
      "slice's door, refreshes a rank, row cycles a bank, CPU cores a channel",                   \
      "keeps waits finite; chosen by hand")                                                       \
    X(REAL, SOLVER, ESTIMATE, DAMPING, 0.5, "1",                                                  \
      "weight of the new value in the next step of a fixed point that swings", "halfway")         \
    X(REAL, THRESHOLD, ESTIMATE, PHASES_DIFFER, 0.1, "1",                                         \
      "difference of the L2's miss ratio between the first and the last phase, from which a "     \
      "launch has phases",                                                                        \
      "chosen by hand, no source")                                                                \
    X(WHOLE, SOLVER, ESTIMATE, DEPENDENCE_STEPS, 5, "steps",                                      \
      "of Newton's method for the cycles between instructions", "chosen by hand, no source")      \
    X(REAL, MODEL, ESTIMATE, COUNTED_ACCESS, 0.5, "accesses",                                     \
      "of a launch that count as none: sums of single precision leave so little", "rounding")     \
    X(REAL, MODEL, ESTIMATE, INCLUSION_NEAR, 0.25, "1",                                           \
      "share of the L2's lines within which a line comes back before an inclusive L2 gives "      \
      "it up",                                                                                    \
      "chosen by hand, no source")                                                                \
    X(WHOLE, SOLVER, ESTIMATE, MISS_HALVINGS, 30, "steps",                                        \
      "of the bisection for the share of early FRC entries", "2^-30 of it is left")               \
    X(REAL, SOLVER, ESTIMATE, BLOCKED_NEVER, 1e-12, "1", "chance of a free entry that is none",   \
      "chosen by hand, no source")                                                                \
    X(WHOLE, SOLVER, ESTIMATE, MISS_RATIO_STEPS, 40, "steps",                                     \
      "of the fixed point of the miss ratio under random replacement at most",                    \
      "chosen by hand, no source")                                                                \
    X(REAL, SOLVER, ESTIMATE, MISS_RATIO_EXACT, 1e-5, "1",                                        \
      "change of the miss ratio that ends it", "chosen by hand, no source")                       \
    X(REAL, MODEL, ESTIMATE, FLAT_CURVE, 0.02, "1",                                               \
      "hits that a hit curve gains over the whole cache, added where it is flat, when lines "     \
      "are made of lost hits",                                                                    \
      "chosen by hand, no source")                                                                \
    X(WHOLE, SOLVER, ESTIMATE, NETWORK_STEPS, 60, "steps",                                        \
      "of the closed network's equation at most", "chosen by hand, no source")                    \
    X(REAL, SOLVER, ESTIMATE, NETWORK_EXACT, 1e-11, "1",                                          \
      "relative error of the throughput that ends it", "chosen by hand, no source")               \
    X(REAL, SOLVER, ESTIMATE, NETWORK_LAST_STEP, 1e-6, "1",                                       \
      "relative length of a step of Newton's after which none is needed",                         \
      "leaves at most 1e-12 of error")                                                            \
    X(REAL, SOLVER, ESTIMATE, NETWORK_SHRINKS, 1e-3, "1",                                         \
      "part of the last step that this one must be for it to be the last",                        \
      "leaves at most 1e-12 of error")                                                            \
    X(REAL, SOLVER, ESTIMATE, NETWORK_BEHIND_WALL, 1.25, "1",                                     \
      "by which steps to a full station's wall are lengthened",                                   \
      "steps end beyond the wall; chosen by hand")                                                \
    X(REAL, MODEL, ESTIMATE, CROSSBAR_SCATTER, 0.1, "1",                                          \
      "of the logarithm of a replayed crossbar's pace, which is taken for chance",                \
      "assumed: with half or twice as much no row of bench_sampler_designs moves by more "        \
      "than 0.4 points")                                                                          \
    X(REAL, MODEL, ESTIMATE, CROSSBAR_FROM, 0.125, "1",                                           \
      "share of a sample's slots before which a crossbar's pace is not steady yet",               \
      "chosen by hand, no source")                                                                \
    X(REAL, MODEL, ESTIMATE, CROSSBAR_UNTIL, 0.625, "1",                                          \
      "share of a sample's slots after which inputs have run dry", "chosen by hand, no source")   \
    X(REAL, MODEL, ESTIMATE, BANKS_IN_ORDER, 0.56, "1",                                           \
      "power of B banks that accesses in order keep busy", "Hellerman 1967")                      \
    X(REAL, MODEL, ESTIMATE, MESH_ONE_FLIT, 0.77, "1",                                            \
      "share of its busiest link that a mesh carries of packets of one flit",                     \
      "measured with uniform traffic (tests/unit/detailed/mesh.c)")                               \
    X(REAL, MODEL, ESTIMATE, MESH_LONGER, 0.6, "1", "the same of packets of two flits and more",  \
      "measured: 0.5 to 0.65 in gathers between SMs and slices")                                  \
    X(REAL, MODEL, ESTIMATE, HELD_IN_ORDER, 0.75, "1",                                            \
      "part of a miss's way that an entry of a vector memory buffer waits behind it",             \
      "mean of all of it, for what came with the miss, and of half of it, for what came "         \
      "later")                                                                                    \
    X(WHOLE, MODEL, ESTIMATE, SOFT_POWER, 4, "1",                                                 \
      "sharpness of the corner where the smaller of two waits, or of two numbers of them, "       \
      "counts",                                                                                   \
      "chosen by hand, no source")                                                                \
    X(WHOLE, SOLVER, ESTIMATE, DEPTH_STEPS, 10, "steps",                                          \
      "of the bisection for the queue that the DRAM scheduler sees",                              \
      "a thousandth of the interval is left")                                                     \
    X(REAL, SOLVER, ESTIMATE, UNEVEN_EXACT, 1e-3, "1",                                            \
      "of the queues, where the number that a window seems to reach is found by bisection",       \
      "chosen by hand, no source")                                                                \
    X(REAL, THRESHOLD, ESTIMATE, PIECES_ALIKE, 0.02, "1",                                         \
      "difference of clocks and of row hits below which the rest of a block is not replayed at "  \
      "a depth",                                                                                  \
      "chosen by hand, no source")                                                                \
    X(WHOLE, THRESHOLD, ESTIMATE, PIECE_LEAST, 16, "bursts",                                      \
      "of a channel in a block of a sample, from which it is replayed",                           \
      "the queue depth in the middle of those that are replayed; chosen by hand, no source")      \
    X(REAL, MODEL, ESTIMATE, PIECE_SCATTER, 1.5, "1",                                             \
      "relative standard deviation of the time per burst, times the square root of the bursts "   \
      "replayed",                                                                                 \
      "measured: between the channels of a block, root mean square 0.8 to 1.7 in nine programs "  \
      "on h100-sxm, a100-80, qv100, rtx3090, rx540")                                              \
    X(REAL, MODEL, ESTIMATE, UNEVEN_DEVIATIONS, 2, "1",                                           \
      "standard deviations of the scatter of channels' loads that are taken for chance",          \
      "chosen by hand, no source")                                                                \
    X(WHOLE, THRESHOLD, ESTIMATE, WINDOW_LEAST, 8, "samples",                                     \
      "of a window, or as many as channels: fewer say nothing of their load",                     \
      "chosen by hand, no source")                                                                \
    X(WHOLE, MODEL, ESTIMATE, DRIFT_PART, 4, "1",                                                 \
      "SMs start somewhere in the first such part of their share of a block",                     \
      "chosen by hand, no source")                                                                \
    X(WHOLE, SOLVER, ESTIMATE, DIRECTORY_STEPS, 8, "steps",                                       \
      "of the fixed point of blocks that a directory holds", "chosen by hand, no source")

ESTIMATOR_CONSTANTS(CONSTANT_DEFINE)
