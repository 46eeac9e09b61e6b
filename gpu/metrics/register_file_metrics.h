/* register_file_metrics.h - metrics of the register file (detailed/register_file): accesses and
 * conflicts of its banks, shifts of racetracks, write buffer and register-file cache, and its
 * energy. In the form of METRICS (metrics.h). */
#pragma once

#define REGISTER_FILE_METRICS(C, R)                                                                \
    C(rf_reads, "register_file.reads", "warp registers", "operands that instructions read")        \
    C(rf_writes, "register_file.writes", "warp registers", "results")                              \
    R(rf_per_instruction, "register_file.reads_per_instruction", "warp registers/instruction",     \
      "operands read per warp instruction", rf_reads, warp_instructions, 1)                        \
    C(rf_bank_reads, "register_file.bank_reads", "accesses", "operands that banks served")         \
    C(rf_bank_writes, "register_file.bank_writes", "accesses", "registers written to banks")       \
    C(rf_conflicts, "register_file.bank_conflicts", "accesses",                                    \
      "accesses that found others at their bank")                                                  \
    C(rf_accesses, "register_file.bank_accesses", "accesses", "both")                              \
    C(rf_wait, "register_file.wait_cycles", "register cycles",                                     \
      "from accesses' arrival at their bank to the end of their shifts")                           \
    R(rf_mean_wait, "register_file.mean_wait", "register cycles", "wait_cycles per access",        \
      rf_wait, rf_accesses, 1)                                                                     \
    C(rf_shifts, "register_file.shifts", "bits", "that banks' tracks were shifted")                \
    R(rf_mean_shift, "register_file.mean_shift", "bits", "shifts per access", rf_shifts,           \
      rf_accesses, 1)                                                                              \
    C(rf_collectors_full, "register_file.collectors_full", "SM cycles",                            \
      "cycles in which all collectors of a kind were taken, over all kinds")                       \
    C(rf_scored, "register_file.scores.all", "instructions", "issued with operands in racetracks") \
    C(rf_score_0, "register_file.scores.0", "instructions",                                        \
      "whose farthest operand was under a port when all before it had been served")                \
    C(rf_score_1, "register_file.scores.1", "instructions",                                        \
      "instructions whose farthest operand was one bit away from a port")                          \
    C(rf_score_2, "register_file.scores.2", "instructions",                                        \
      "instructions whose farthest operand was two bits away from a port")                         \
    C(rf_score_3, "register_file.scores.3", "instructions",                                        \
      "instructions whose farthest operand was three or more bits away from a port")               \
    R(rf_far, "register_file.far_share", "1", "share of the scored three or more bits away",       \
      rf_score_3, rf_scored, 1)                                                                    \
    C(rf_buffer_reads, "register_file.write_buffer.reads", "warp registers",                       \
      "operands that the write buffer served")                                                     \
    C(rf_buffer_voided, "register_file.write_buffer.voided", "warp registers",                     \
      "results in the buffer that a newer one replaced")                                           \
    C(rf_buffer_direct, "register_file.write_buffer.direct", "warp registers",                     \
      "results whose register was under a port when they came")                                    \
    C(rf_buffer_piggyback, "register_file.write_buffer.piggyback", "warp registers",               \
      "results written when another access had brought their register under a port")               \
    C(rf_buffer_overflow, "register_file.write_buffer.overflow", "warp registers",                 \
      "results written because their entry was needed")                                            \
    C(rf_buffer_around, "register_file.write_buffer.around", "warp registers",                     \
      "results that found no entry and went to their bank at once")                                \
    C(rf_cache_reads, "register_file.cache.reads", "warp registers",                               \
      "operands that the register-file cache served")                                              \
    C(rf_cache_writes, "register_file.cache.writes", "warp registers", "results that it took")     \
    C(rf_dynamic_mj, "register_file.energy_mj.dynamic", "mJ", "reads and writes of banks")         \
    C(rf_shift_mj, "register_file.energy_mj.shift", "mJ", "shifts")                                \
    C(rf_static_mj, "register_file.energy_mj.static", "mJ", "leakage of the banks")                \
    C(rf_front_mj, "register_file.energy_mj.front", "mJ",                                          \
      "write buffer or register-file cache, with leakage")
