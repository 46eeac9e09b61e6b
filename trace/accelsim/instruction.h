/* instruction.h - the static part of a *.traceg file's instruction. */
#pragma once

#include "base/text/text.h"
#include "trace/accelsim/line.h"
#include "trace/accelsim/places.h"
#include "trace/accelsim/sass_opcodes.h"

/* From a line's fields; all lanes' addresses are in one space. *commits: whether the kernel has had
 * an LDGDEPBAR, so that a DEPBAR waits for copies. false: *l->e. */
bool instruction_read(struct accelsim_line *l, const struct places *p,
                      const struct accelsim_fields *f, const struct sass *s, bool *commits,
                      struct static_inst *si);
/* The mnemonic, followed by what export needs and the instruction does not contain: " imm=N", "
 * bytes=N" (a memory width unlike the opcode's), " line=N", " regs=D,:S,S," (if RZ is among them).
 */
void instruction_describe(const struct accelsim_line *l, const struct accelsim_fields *f,
                          const struct static_inst *si, struct text *t);
