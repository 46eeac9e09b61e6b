/* config_table.h - the effective configurations of many machines, side by side.
 *
 * Reads what machine_dump writes: groups with one "key = value; # unit" a line.  A machine that
 * lacks a parameter, because the parameter belongs to a policy that the machine does not use, has
 * RESULTS_NONE in that row.
 *
 * Ownership: values, paths and units live in the arena. */
#pragma once

#include "base/memory/arena.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>
#include <stdint.h>

struct config_row {
    const char *path, *unit;
    const char **value; /* distinct, in order of appearance */
    uint32_t n, cap;
    uint32_t *of; /* [machine]: index of its value */
};

struct configs {
    struct arena arena;
    struct config_row *row; /* in order of appearance */
    uint32_t n;
    size_t cap;
};

/* false: no memory.  The caller calls configs_fini in either case. */
bool configs_read(struct configs *c, const struct results *r);
void configs_fini(struct configs *c);
