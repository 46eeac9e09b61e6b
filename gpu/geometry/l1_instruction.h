/* l1_instruction.h - for how many cycles one instruction occupies the way into the L1, where tags
 * and data take only so much of an instruction in a cycle.
 *
 * The tags lie in banks, as many as lines are looked up in a cycle, and the data in banks of 4-byte
 * words.  Lanes that want different lines of one bank of the tags, or different words of one bank
 * of the data, take turns; each limit alone says how many cycles it needs, and the largest number
 * counts.  Addresses are those of the program: tags are found before pages are known.
 *
 * Source: gpu-strides of RRZE-HPC/gpu-benches (tests/data/l1_strides.csv): A100, A40, H200 and
 * RDNA2 follow it, NVIDIA's with the tags' banks by all digits of the line number; MI210 takes one
 * or two lanes per cycle once they do not lie side by side. */
#pragma once

#include "gpu/machine/params/l1.h"
#include "trace/stream/inst.h"

/* At least 1; line_bytes: of the L1. */
uint32_t l1_instruction_cycles(const struct l1_instruction_params *p, uint32_t line_bytes,
                               const struct warp_inst *w);
