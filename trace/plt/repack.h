/* repack.h - writes any program as a .plt of the width with which it was opened. */
#pragma once

#include "trace/program/program.h"

/* `note`: the program's origin (writer_new). Registers, shared memory, code, copies, headers and
 * warnings are preserved. */
bool program_repack(const struct program *p, const char *path, const char *note, struct error *e);
