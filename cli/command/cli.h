/* cli.h - shared by the commands.  Each command has one file with its rows in the table of commands
 * (command.h), its parsing and its printing.  A command's run gets argv[0] = its own name and
 * returns the exit status: 0 done, 1 a run failed, 2 the input is wrong, 130 interrupted. */
#pragma once

#include "base/error.h"
#include "cli/command/command.h"

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_OK = 0, EXIT_RUN_FAILED = 1, EXIT_INPUT = 2, EXIT_INTERRUPTED = 130 };

extern const struct cli_command command_estimate, command_sample, command_simulate, command_compare,
    command_calibrate, command_bank, command_sweep, command_report, command_trace, command_program,
    command_machine, command_metrics, command_energy, command_dram, command_cc, command_operators;
extern const struct cli_command command_machine_probe, command_machine_fit;
extern const struct cli_command command_trace_capture, command_trace_info, command_trace_profile,
    command_trace_suite;

/* Prints "plumb: <text>" to stderr; returns the exit status for the error's kind. */
int cli_fail(const struct error *e);
/* Prints every error of the list to stderr; returns EXIT_INPUT. */
int cli_fail_all(const struct errors *es);
/* Prints a usage error: "plumb: COMMAND: what is wrong; see 'plumb COMMAND --help'". */
int cli_usage(const char *command, const char *fmt, ...) PLUMB_PRINTF(2, 3);
/* The same, where `what` ends in a command that a person may copy: each %s of `offer` becomes one
 * word of the shell (quote_command of base/text/quote.h). */
int cli_offer(const char *command, const char *what, const char *offer, ...) PLUMB_PRINTF(3, 4);
/* Print what a person reads; nothing else in cli writes to a terminal. Characters of arguments that
 * would move the cursor or end a line are shown as '?' (base/shown.h).
 *
 * cli_say: "plumb: <text>", one line of stderr; on a terminal, as many as its width takes.
 * cli_print: to stdout, which may be the terminal on which progress is shown. cli_draw: to stderr
 * as it is, for progress, whose own controls stand in `fmt`. cli_write: a finished text of several
 * lines, to stdout or stderr; false: it could not be written. */
void cli_say(const char *fmt, ...) PLUMB_PRINTF(1, 2);
void cli_print(const char *fmt, ...) PLUMB_PRINTF(1, 2);
void cli_draw(const char *fmt, ...) PLUMB_PRINTF(1, 2);
bool cli_write(bool to_stderr, const char *s, size_t n);
