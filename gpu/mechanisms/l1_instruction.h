/* l1_instruction.h - the row of the mechanism "what the L1s take of one instruction"
 * (mechanisms.h). */
#pragma once

#define L1_INSTRUCTION_MECHANISM                                                                \
    .name = "what the L1s take of one instruction",                                             \
    .what = "lines, words of a bank, bytes and scattered lanes of an instruction take turns",   \
    .params = "l1.lookups l1.lookup_index l1.word_banks l1.bytes_per_cycle l1.scattered_lanes " \
              "l1.scattered_runs",                                                              \
    .functional.where = "gpu/functional/execution/fluid_timing.c",                              \
    .estimator.where = "estimator/terms/sm_stations.c",                                         \
    .energy.lacks = "the tables take a cache as one array", .metrics = "l1.instruction_cycles"
