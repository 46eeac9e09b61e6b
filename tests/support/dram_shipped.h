/* dram_shipped.h - the parameters of a shipped set, as a machine with one L2 bank has them. */
#pragma once

#include "gpu/machine/machine.h"
#include "tests/support/check.h"

#include <stdio.h>

static inline struct dram_params shipped(const char *name)
{
    char set[96];
    struct machine m;
    struct errors all = {0};
    machine_defaults(&m);
    snprintf(set, sizeof set, "dram.set=%s", name);
    const char *sets[] = {"l2.banks=1", set};
    if (!machine_set(&m, sets, 2, &all)) fail_msg("%s: %s", name, all.item[0].text);
    errors_fini(&all);
    return m.dram;
}
