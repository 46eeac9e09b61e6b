/* accelsim.h - programs in the format of Accel-Sim's NVBit tracer: a directory with kernelslist.g
 * and one *.traceg per launch (plain, or packed with xz, gzip or zstd).
 *
 * Tracer versions 1 to 5 are read, with or without line numbers. Header lines (launch.header) and
 * what an instruction's class does not say (appended to its mnemonic) are stored for export,
 * although the streams do not need them. Deliberate differences from Accel-Sim's own reader: RZ
 * (R255) is no register; generic accesses without window addresses in the header are global; signed
 * sizes (S8, S16) count as sizes; each lane has local memory of its own (places.h); what is not
 * understood is an error or a note of the program (remarks.h). */
#pragma once

#include "base/text/digest.h"
#include "base/text/text.h"
#include "trace/plt/writer.h"
#include "trace/program/program.h"

/* Adds all commands of the directory to the writer.  false: *e names file and line; abort the
 * writer. allow_unknown: instructions for memory and matrices whose opcodes are not known are taken
 * for integer arithmetic, with a note. */
bool accelsim_read(const char *dir, bool allow_unknown, struct writer *w, struct error *e);
/* Imports dir as `path`.plt. */
bool accelsim_import(const char *dir, bool allow_unknown, const char *path, struct error *e);

/* Writes the program as such a directory. *lost names what the format cannot represent, one item
 * per line; unless `lossy`, the call then writes nothing and fails. */
bool accelsim_export(const struct program *p, const char *dir, bool lossy, struct text *lost,
                     struct error *e);
