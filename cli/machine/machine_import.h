/* machine_import.h - plumb machine import: a machine file from Accel-Sim's configuration. */
#pragma once

#include "cli/command/command.h"

extern const struct cli_command command_machine_import;
