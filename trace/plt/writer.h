/* writer.h - writes programs; used by import, generators, capture and tests.
 *
 * Order of calls: launch_begin, code (all static instructions, or as they appear: writer_code
 * returns the index of an equal one that exists already), then per CTA cta_begin, warp streams in
 * any interleaving of warps via writer_inst, cta_end; launch_end. Copies between launches. commit
 * writes index and trailer.
 *
 * Every warp must end with an exit (OP_EXIT), and every CTA of the grid must be written: cta_end
 * and launch_end refuse otherwise. Instructions that name a memory space have addresses
 * (inst_has_addresses), and memory classes must name one. After a false return only writer_abort is
 * allowed. Wrong order of calls asserts. */
#pragma once

#include "trace/program/program.h"

struct writer;
struct writer *writer_new(const char *path, uint32_t warp_width, const char *source_note,
                          struct error *e);
/* Stores a remark in the file (warnings of an import); it is not part of the program's digest.
 * false: no memory. */
bool writer_note(struct writer *w, const char *text);
bool writer_copy(struct writer *w, enum command_kind kind, uint64_t addr, uint64_t bytes,
                 struct error *e);
/* Only the descriptive fields of *l are read (name, id, grid, block, registers, shared, header);
 * warps_per_cta follows from block and width. */
bool writer_launch_begin(struct writer *w, const struct launch *l, struct error *e);
/* Index of this static instruction in the launch's table; `mnemonic` may be NULL.  UINT32_MAX: no
 * memory. */
uint32_t writer_code(struct writer *w, const struct static_inst *si, const char *mnemonic);
bool writer_cta_begin(struct writer *w, struct error *e); /* CTAs in order 0, 1, 2 ... */
/* Appends to warp `warp` of the open CTA.  addrs: one per active lane of a memory instruction, else
 * NULL. */
bool writer_inst(struct writer *w, uint32_t warp, uint32_t code, uint64_t mask,
                 const uint64_t *addrs, struct error *e);
bool writer_cta_end(struct writer *w, struct error *e);
/* Adds text to the header of the open launch, whole lines. false: no memory. */
bool writer_launch_header(struct writer *w, const char *lines);
bool writer_launch_end(struct writer *w, struct error *e);
bool writer_commit(struct writer *w, struct error *e); /* frees w in either case */
void writer_abort(struct writer *w);
