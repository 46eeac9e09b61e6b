/* sweep_point.h - plumb sweep point: the machine of one point of a sweep as a file. */
#pragma once

#include "cli/sweep/sweep.h"

/* Writes the file to --output or stdout; returns the exit status. */
int sweep_point_machine(const struct sweep *s);
