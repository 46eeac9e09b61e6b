/* output.h - printing that commands share: errors (cli.h), output to stdout or a file. */
#pragma once

#include "base/error.h"
#include "base/run/progress.h"
#include "base/text/text.h"
#include "calibration/calibration_set.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/plan/plan.h"

/* Writes the whole output at once, to stdout or atomically to a file.  Returns the exit status;
 * reports a failure. */
int cli_output(const struct text *out, const char *path);
/* Checks before a long run that the output can be written; NULL means stdout, which always can.
 * false: an error was printed. */
bool cli_can_write(const char *path);
/* Adds the program's name to an error of a model, which only names the launch. */
void cli_name_program(struct error *e, const char *spec);
/* Checks that the machine's energy tables exist and are well-formed; else adds an error with the
 * machine's name. */
bool cli_energy_table(const struct machine *m, const char *spec, struct errors *all);
/* Prints what answers with the program lack, a line of stderr each; spec: as the user named it, or
 * NULL. */
void cli_warn_program(const char *spec, const struct program *p);
/* The same for all programs of a plan. */
void cli_warn_plan(const struct plan *p);
/* The warnings of several programs, so that each is printed once; zeros: none. */
struct cli_warnings {
    struct told_warning *item;
    size_t n, cap;
};
/* Adds the warnings of one program's answers. One that not all of n > 1 answers have begins with
 * the names of those that have it. spec: as the user named the program; stays valid until the
 * warnings are told. verbose: details, too. */
struct warned_side {
    const char *name; /* NULL: there is one alone */
    const struct answer *a;
};
void cli_warn(struct cli_warnings *w, const char *spec, const struct warned_side *side, uint32_t n,
              bool verbose);
/* Prints a line to stderr for each, with the programs that it is of, and frees them. */
void cli_tell_warnings(struct cli_warnings *w);
/* Warns on stderr of what the set lacks, unless quiet. */
void cli_miss_calibrations(const struct calibration_set *s, int verbosity);
/* Warns on stderr if the cache folder cannot be written: everything works, more slowly. */
void cli_warn_cache(void);
