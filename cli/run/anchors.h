/* anchors.h - runs of programs on the machines that what-ifs begin with (engine/anchor.h). */
#pragma once

#include "cli/parse/args.h"
#include "libplumb/handles.h"

/* The number of machines that --anchor names, 1 if it was not given; false: not a number up to
 * `most`, and a line says so. */
bool anchors_count(const struct args *a, uint32_t most, uint32_t *n);
/* Simulates or samples the program on each of the n machines, unless the bank or a calibration
 * knows it there, and says so.  A user without a bank gets one in memory, in a->opts.bank.  Parts
 * of programs have no anchor. */
bool anchors_make(struct args *a, const plumb_machine *const *machine, uint32_t n, const char *spec,
                  struct error *e);
