/* config_table.h - the effective configurations of many machines, side by side.
 *
 * Reads what machine_dump writes: groups, and one "key = value; # unit" a line.  A machine without
 * that parameter (it goes with a policy that it has not) has RESULTS_NONE.
 *
 * Ownership: values lie in the arena; paths and units too. */
#ifndef PLUMB_SWEEPS_ANALYSE_CONFIG_TABLE_H
#define PLUMB_SWEEPS_ANALYSE_CONFIG_TABLE_H

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

/* false: no memory.  configs_fini in either case. */
bool configs_read(struct configs *c, const struct results *r);
void configs_fini(struct configs *c);

#endif
