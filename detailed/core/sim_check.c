/* sim_check.c - checks every component's invariants, and those between components; empty without
 * PLUMB_CHECKS. */
#include "detailed/core/sim_internal.h"
#include "detailed/l2/back_invalidate.h"

#include <assert.h>

#ifdef PLUMB_CHECKS
/* Whether an inclusive L2 has every line of the L1, or has a probe in flight for it. */
static bool l2_covers_l1(const struct sim *s, const struct cache *l1)
{
    for (uint32_t k = 0; k < l1->n_lines; k++) {
        const struct cache_line *l = &l1->line[k];
        uint64_t addr = l->tag << l1->line_shift;
        if (!l->resident || !(l->valid | l->partial)) continue;
        if (!back_invalidate_covers(&s->slice[map_slice(&s->map, addr)], addr)) return false;
    }
    return true;
}

void sim_check(const struct sim *s, bool launch_ends)
{
    bool inclusive = s->m.l2.inclusion != INCLUSION_NONE && s->m.l1.enabled;
    components_check(s->kind, launch_ends);
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        assert(!launch_ends || !inclusive || l2_covers_l1(s, &s->sm[i].l1.c));
    assert(stall_roots_check(&s->roots));
}
#else
void sim_check(const struct sim *s, bool launch_ends)
{
    (void)s, (void)launch_ends;
}
#endif
