/* random_draw.h - machines over all parameters and all of their ranges, and small programs, drawn
 * by number: the same number gives the same machine and program as long as tables and presets stay.
 *
 * A machine is a preset and a list of settings.  Of four machines, one has one parameter moved
 * anywhere, one a few anywhere or nearby, two many nearby and now and then anywhere.  Anywhere:
 * uniform by magnitude over the documented range; nearby: up to a factor of four. */
#pragma once

#include "base/memory/alloc.h"
#include "gpu/machine/rows/param.h"
#include "tests/support/random_values.h"
#include "trace/program/program.h"

#include <math.h>

enum {
    DRAW_SETS = 64,
    DRAW_TEXT = 2 * PARAM_TEXT_MAX + 1,
    DRAW_SPEC = 192,
    DRAW_TRIES = 400,
    SELECTORS = 4
};

/* A machine, the preset and settings that make it, and a program. */
struct random_draw {
    char preset[PARAM_TEXT_MAX];
    char set[DRAW_SETS][DRAW_TEXT];
    uint32_t sets;
    char program[DRAW_SPEC];
    struct machine m;
};

/* Draws the settings without which a parameter has its default, outermost first; when: the
 * condition of its row.  false: too many. */
bool draw_selectors(const struct name_lists *l, struct rng *r, const struct machine *m,
                    const char *when, char text[SELECTORS][DRAW_TEXT], uint32_t *n);

/* The machine of that number.  false: its preset cannot be loaded. */
bool draw_random_machine(const struct name_lists *l, struct rng *r, uint64_t number,
                         struct random_draw *d);

/* Opens a program that the machine of d takes, and notes it there; the caller closes it.  NULL:
 * none of many draws fits. */
struct program *draw_program(struct rng *r, struct random_draw *d);
