/* program_opts.h - how a program is opened for a machine: its warps' width, and what a library that
 * chooses kernels knows of the card. */
#pragma once

#include "gpu/machine/machine.h"
#include "trace/program/program.h"

struct program_opts program_opts_of(const struct machine *m, bool allow_unknown);
/* Whether the program, opened for the one machine, is that of the other, too. */
bool program_suits_both(const struct program *p, const struct machine *a, const struct machine *b);
/* Equal for options that give equal programs. */
struct digest program_opts_digest(const struct program_opts *o);
