/* bank_conflicts.h - how long accesses to shared memory occupy its banks.
 *
 * Lanes that access one 4-byte word are served together; each group of `banks` lanes takes at least
 * one cycle; a wide access takes a cycle per word that it accesses in one bank (8 bytes per lane
 * without conflicts: 2). Address 0 is a valid address here. Limits: width <= 16, banks <= 64.
 *
 * Words that lanes share are read once, but every lane's registers are written: an access keeps
 * shared memory for at least as long as the bytes of its lanes need. Evidence: products in FP32 by
 * tiles of 64 x 64, whose lanes read 48 bytes for 32 multiply-adds, take 52 cycles of an H100's SM
 * for each k and tile, of which the reads are 48 (configs/curves/operators_hopper.csv). */
#pragma once

#include "trace/stream/inst.h"

/* Cycles for which an access occupies the banks, at least 1 (no conflict). */
uint32_t bank_conflict_cycles(const struct warp_inst *w, uint32_t banks);

/* An instruction mostly meets the banks as it did the last time, with all lanes moved by as many
 * words: the memo has each instruction's last pattern (instructions share places) and its cycles.
 * All zero to begin with; one for each machine, since patterns do not name `banks`. Without memory
 * for patterns every instruction is counted anew. */
enum { CONFLICT_PATTERNS = 32 };
struct conflict_pattern {
    uint64_t mask, offset, from_first[WARP_MAX_LANES];
    uint32_t width, cycles;
};
struct conflict_memo {
    struct conflict_pattern *pattern; /* [CONFLICT_PATTERNS], from the first access on */
};

void conflict_memo_fini(struct conflict_memo *m);
/* The same number as bank_conflict_cycles. */
uint32_t conflict_memo_cycles(struct conflict_memo *m, const struct warp_inst *w, uint32_t banks);

/* Cycles for which an access keeps shared memory of so many banks, whose way from and to the
 * registers carries `bytes` a cycle (0: as many as are asked for). */
uint32_t conflict_memo_shared_cycles(struct conflict_memo *m, const struct warp_inst *w,
                                     uint32_t banks, uint32_t bytes);
