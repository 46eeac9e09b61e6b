/* common.h - printing that commands share: errors (cli.h), output to stdout or a file, progress. */
#ifndef PLUMB_CLI_COMMON_H
#define PLUMB_CLI_COMMON_H

#include "base/error.h"
#include "base/progress.h"
#include "base/text.h"
#include "machine/machine.h"
#include "sampler/calibrate.h"

/* The whole output at once, to stdout or atomically to a file.  Returns the exit status; failure is
 * told. */
int cli_output(const struct text *out, const char *path);
/* Reads a calibration that is for this machine; false: *e names the file. */
bool cli_calibration(struct calibration *c, const char *path, const struct machine *m,
                     struct error *e);
/* Progress on stderr: a bar on a terminal, a line every ten seconds otherwise; silent when quiet.
 */
void cli_progress(struct progress *p, bool quiet);

#endif
