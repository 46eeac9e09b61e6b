/* power.c - how long each rank is in which state of power.
 *
 * A rank is active while a row is open; a row that is closed by auto-precharge counts as open until
 * that takes place.  Counted on change, so that skipped cycles cost nothing. */
#include "detailed/dram/banks.h"

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void power_count(struct banks *c, struct rank *k, uint64_t t)
{
    if (t <= k->counted_to) return;
    uint64_t active_to = k->open ? t : earlier(t, k->open_until);
    if (active_to < k->counted_to) active_to = k->counted_to;
    c->base.s.act_standby_cycles += active_to - k->counted_to;
    c->base.s.pre_standby_cycles += t - active_to;
    k->counted_to = t;
}
