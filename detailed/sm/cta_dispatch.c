/* cta_dispatch.c - which CTA an SM gets next: the launch's next one, or the next one of its own
 * queue. */
#include "detailed/sm/sm.h"

static bool has_queues(const struct sm *s)
{
    return s->p->dispatch != DISPATCH_INTERLEAVED;
}

static bool may_dispatch(const struct sm *s)
{
    if (!s->run->running || s->ctas >= s->occ.ctas) return false;
    if (has_queues(s)) return cta_queues_any(&s->run->queues, s->p->dispatch, s->id);
    return s->run->next_cta < s->run->launch->ctas;
}

uint64_t sm_dispatch(struct sm *s, uint64_t now)
{
    struct launch_run *run = s->run;
    if (!may_dispatch(s)) return UINT64_MAX;
    if (now < run->starts) return run->starts;
    uint64_t cta = has_queues(s) ? cta_queues_next(&run->queues, s->id) : run->next_cta;
    if (!sm_place(s, cta, NULL, NULL, now)) return UINT64_MAX;
    if (has_queues(s)) cta_queues_take(&run->queues, s->id);
    run->next_cta++;
    return may_dispatch(s) ? now + 1 : UINT64_MAX;
}
