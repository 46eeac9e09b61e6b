/* plan_text.h - sweeps written by a test, in a folder of its own that holds small.cfg. */
#pragma once

#include "sweeps/plan/plan.h"
#include "tests/support/folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static inline int set_up(void **state)
{
    if (folder_make(state)) return -1;
    folder_text("small.cfg",
                "generator = \"stream\";\nctas = 8;\nwarps_per_cta = 2;\niterations = 2;\n");
    return 0;
}

static inline bool load(struct plan *plan, const char *text, struct errors *all)
{
    return plan_load(plan, folder_text("sweep.cfg", text), NULL, all);
}

#define HEAD "machine = \"rx540\";\nworkloads = ( \"small.cfg\" );\noutput = \"x.db\";\n"

static inline void sound(struct plan *plan, const char *text)
{
    struct errors all = {0};
    if (!load(plan, text, &all)) fail_msg("%s", all.n ? all.item[0].text : "?");
}

#define IN_A_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, folder_remove)
