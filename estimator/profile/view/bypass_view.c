/* bypass_view.c - see bypass_view.h. */
#include "estimator/profile/view/bypass_view.h"

#include <string.h>

struct bypass_view bypass_view_of(const struct l1_params *l1)
{
    struct bypass_view v = {.unhinted = l1->enabled && l1->bypass == BYPASS_NONE};
    if (!l1->enabled || l1->bypass != BYPASS_AGCB) return v;
    v.predicts = true;
    v.agcb = l1->agcb;
    v.l1_lines = l1->kb * 1024 / l1->cache.line_bytes;
    return v;
}

void bypass_view_numbers(const struct bypass_view *v, uint32_t out[BYPASS_VIEW_NUMBERS])
{
    const uint32_t n[BYPASS_VIEW_NUMBERS] = {BYPASS_VIEW(VIEW_NUMBER, VIEW_NUMBER)};
    memcpy(out, n, sizeof n);
}
