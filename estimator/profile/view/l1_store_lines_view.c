/* l1_store_lines_view.c - see l1_store_lines_view.h. */
#include "estimator/profile/view/l1_store_lines_view.h"

struct l1_store_lines_view l1_store_lines_view_of(const struct l1_params *l1)
{
    const struct cache_params *c = &l1->cache;
    struct l1_store_lines_view v = {.write = c->write, .local_back = l1->write_local == LOCAL_BACK};
    if (!l1->enabled || !l1_store_lines_keeps(&v))
        return (struct l1_store_lines_view){.write = WRITE_THROUGH};
    v.loads_round = l1->bypass == BYPASS_ALL;
    v.takes = c->write_miss != WRITE_MISS_NO_ALLOCATE;
    v.combine_lines = c->write == WRITE_COMBINE ? l1->combine_lines : 0;
    v.l1_lines = l1->kb * 1024 / c->line_bytes;
    return v;
}
