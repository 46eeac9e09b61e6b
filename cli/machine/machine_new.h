/* machine_new.h - plumb machine new: a machine file from a data sheet. */
#pragma once

#include "cli/command/cli.h"

extern const struct cli_command command_machine_new;
