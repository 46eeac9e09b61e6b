/* output.h - printing that commands share: errors (cli.h), output to stdout or a file, progress. */
#ifndef PLUMB_CLI_PRINT_OUTPUT_H
#define PLUMB_CLI_PRINT_OUTPUT_H

#include "base/error.h"
#include "base/run/progress.h"
#include "base/text/text.h"
#include "engine/engine.h"
#include "gpu/machine/load/machine.h"
#include "sampler/calibration/calibrate.h"

/* The whole output at once, to stdout or atomically to a file.  Returns the exit status; failure is
 * told. */
int cli_output(const struct text *out, const char *path);
/* Asked before a long run: can the output be made where it shall go?  NULL: stdout, which can.
 * false: told. */
bool cli_can_write(const char *path);
/* Errors of the models know launches, not which of several programs they belong to. */
void cli_name_program(struct error *e, const char *spec);
/* Are the machine's tables of energy there and in order?  Else one more error, under the machine's
 * name. */
bool cli_energy_table(const struct machine *m, const char *spec, struct errors *all);
/* A line on stderr for each of the answer's warnings. */
void cli_warn(const char *spec, const struct answer *a);
/* A line on stderr when nothing can be kept in the cache folder: all works, more slowly. */
void cli_warn_cache(void);
/* Reads a calibration that is for this machine; false: *e names the file. */
bool cli_calibration(struct calibration *c, const char *path, const struct machine *m,
                     struct error *e);
/* Progress on stderr: a bar on a terminal, a line every ten seconds otherwise; silent when quiet.
 */
bool cli_can_draw(void); /* standard error is a terminal that can go back in a line */
void cli_progress(struct progress *p, bool quiet);

#endif
