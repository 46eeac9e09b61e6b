#include "tests/support/plan_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int plan_text_set_up(void **state)
{
    if (folder_make(state)) return -1;
    folder_text("small.cfg",
                "generator = \"stream\";\nctas = 8;\nwarps_per_cta = 2;\niterations = 2;\n");
    return 0;
}

bool plan_text_load(struct plan *plan, const char *text, struct errors *all)
{
    return plan_load(plan, folder_text("sweep.cfg", text), NULL, all);
}

void plan_text_sound(struct plan *plan, const char *text)
{
    struct errors all = {0};
    if (!plan_text_load(plan, text, &all)) fail_msg("%s", all.n ? all.item[0].text : "?");
}
