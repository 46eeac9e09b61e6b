/* sweep.h - the subcommands of `plumb sweep`, which sweep_commands.c has in its table. */
#ifndef PLUMB_CLI_SWEEP_H
#define PLUMB_CLI_SWEEP_H

#include "cli/command.h"

int sweep_run(const struct cli_command *c, int argc, char **argv);
int sweep_status(const struct cli_command *c, int argc, char **argv);
int sweep_export(const struct cli_command *c, int argc, char **argv);
int sweep_check(const struct cli_command *c, int argc, char **argv);
int sweep_merge_shards(const struct cli_command *c, int argc, char **argv);
int sweep_submit_array(const struct cli_command *c, int argc, char **argv);
int sweep_import_counters(const struct cli_command *c, int argc, char **argv);

#endif
