/* random_values.h - values of parameters that are no numbers, drawn from what the tables know. */
#pragma once

#include "base/memory/rng.h"
#include "gpu/machine/machine.h"

#include <stdio.h>
#include <string.h>

/* NULL-terminated lists, sorted. */
struct name_lists {
    char **paths, **presets, **dram_sets;
    uint32_t n_paths, n_presets, n_dram_sets;
};

/* false: there are no presets, or no memory. */
bool name_lists_init(struct name_lists *l);
void name_lists_fini(struct name_lists *l);

/* Draws the text of a value.  false: a number, or a text of which no table knows values. */
bool draw_named(const struct name_lists *l, struct rng *r, const struct param *p, char *out,
                size_t size);
