/* each_parameter.h - one parameter of a machine moved, drawn by number: 0 is the machine itself,
 * then every parameter has four numbers.  A number of the tables moves to an eighth, to
 * eight times as much, to its least and to its most; a choice to each other one, as long as there
 * are numbers. */
#pragma once

#include "tests/support/random_draw.h"

/* How many numbers there are. */
uint64_t each_count(const struct name_lists *l);

/* The machine of that number; machine: a preset and settings of it, separated by blanks.  false:
 * there is no such value, it is the machine's own, or the machine refuses it. */
bool draw_each(const struct name_lists *l, const char *machine, uint64_t number,
               struct random_draw *d);

/* Opens that program for the machine of d, and notes it there.  NULL: it cannot be opened. */
struct program *each_program(const char *spec, struct random_draw *d);
