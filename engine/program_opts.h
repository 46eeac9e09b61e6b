/* program_opts.h - how a program is opened for a machine: its warps' width, and what a library that
 * chooses kernels knows of the card. */
#pragma once

#include "gpu/machine/machine.h"
#include "trace/program/program.h"

struct program_opts program_opts_of(const struct machine *m, bool allow_unknown);
