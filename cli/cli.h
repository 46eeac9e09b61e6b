/* cli.h - one file per subcommand: nothing but parsing and printing.  Each cmd_* gets argv[0] = its
 * own name and returns the exit status: 0 done, 1 a run failed, 2 the input is wrong, 130
 * interrupted. */
#ifndef PLUMB_CLI_CLI_H
#define PLUMB_CLI_CLI_H

#include "base/error.h"

#include <stdbool.h>

enum { EXIT_OK = 0, EXIT_RUN_FAILED = 1, EXIT_INPUT = 2, EXIT_INTERRUPTED = 130 };

int cmd_estimate(int argc, char **argv);
int cmd_sample(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_trace_capture(int argc, char **argv);
int cmd_trace_info(int argc, char **argv);
int cmd_trace_profile(int argc, char **argv);
int cmd_trace_suite(int argc, char **argv);
int cmd_machine(int argc, char **argv);
int cmd_program(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_dram(int argc, char **argv);
int cmd_energy(int argc, char **argv);

/* "plumb: <text>" to stderr; returns the exit status that belongs to the error's kind. */
int cli_fail(const struct error *e);
/* Every line of the list to stderr; returns EXIT_INPUT. */
int cli_fail_all(const struct errors *es);
/* Usage faults: "plumb: COMMAND: what is wrong; see 'plumb COMMAND --help'". */
int cli_usage(const char *command, const char *fmt, ...) PLUMB_PRINTF(2, 3);

#endif
