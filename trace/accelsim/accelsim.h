/* accelsim.h - programs as the NVBit tracer of Accel-Sim writes them: a directory with
 * kernelslist.g and one
 * *.traceg per launch (plain, or packed with xz, gzip or zstd).
 *
 * Read here: tracer versions 1 to 5 with or without line numbers.  Not in the streams, but kept for
 * export: header lines (launch.header), and of each instruction what the classes do not say (behind
 * its mnemonic). Differences from Accel-Sim's own reader, on purpose: RZ (R255) is no register;
 * generic accesses without window addresses in the header are global; signed sizes (S8, S16) count
 * as sizes. */
#ifndef PLUMB_TRACE_ACCELSIM_ACCELSIM_H
#define PLUMB_TRACE_ACCELSIM_ACCELSIM_H

#include "base/text/digest.h"
#include "base/text/text.h"
#include "trace/plt/writer.h"
#include "trace/program/program.h"

/* Adds all commands of the directory to the writer.  false: *e names file and line; abort the
 * writer. */
bool accelsim_read(const char *dir, struct writer *w, struct error *e);
/* dir as `path`.plt.  */
bool accelsim_import(const char *dir, const char *path, struct error *e);

/* Writes the program as such a directory.  What the format cannot hold is named in *lost, one item
 * per line; without `lossy` nothing is written then and the call fails. */
bool accelsim_export(const struct program *p, const char *dir, bool lossy, struct text *lost,
                     struct error *e);

#endif
