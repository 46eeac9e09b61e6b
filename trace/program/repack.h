/* repack.h - any program written as a .plt of the width that it was opened with. */
#ifndef PLUMB_TRACE_PROGRAM_REPACK_H
#define PLUMB_TRACE_PROGRAM_REPACK_H

#include "trace/program/program.h"

/* `note`: where it came from (writer_new).  Registers, shared memory, code, copies, headers and
 * warnings are kept. */
bool program_repack(const struct program *p, const char *path, const char *note, struct error *e);

#endif
