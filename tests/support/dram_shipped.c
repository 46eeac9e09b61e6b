#include "tests/support/dram_shipped.h"

#include <stdio.h>

struct dram_params dram_shipped(const char *name)
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
