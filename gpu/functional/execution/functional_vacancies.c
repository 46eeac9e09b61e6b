/* functional_vacancies.c - CTA slots that wait for their turn where one dispatcher serves all SMs
 * at a rate (sm.cta_rate); see functional.h.
 *
 * Slots are served in the order in which they ask. Who asks first within a quantum is not known, so
 * a turn may lie up to a quantum before the slot asks, and a CTA begins at the later of both: as
 * many begin as the rate allows, and none waits while the dispatcher is idle. */
#include "gpu/functional/execution/functional.h"

#include "base/memory/alloc.h"

bool functional_vacancies_init(struct functional *w)
{
    if (!(w->dispatch.period > 0)) return true;
    w->vacant.slot = mem_new((size_t)w->sms * w->slots, sizeof *w->vacant.slot);
    return w->vacant.slot != NULL;
}

void functional_vacancies_fini(struct functional *w)
{
    mem_free(w->vacant.slot);
    w->vacant = (struct functional_vacancies){0};
}

/* A group of one SM has the turns of the machine that are its own. */
void functional_vacancies_begin(struct functional *w)
{
    w->dispatch.next = w->now + w->use.first_sm * cta_dispatch_period(w->params, 1);
}

static bool is_cta_left(const struct functional *w, uint32_t sm)
{
    if (w->sms < w->params->count) return cta_share_at(&w->share, 0) != CTA_SHARE_OVER;
    return cta_dispatch_any(&w->dispatch, sm);
}

bool functional_vacate(struct functional *w, uint32_t sm, uint32_t slot, double time,
                       struct error *e)
{
    struct functional_vacancies *v = &w->vacant;
    uint32_t room = w->sms * w->slots;
    if (!v->slot) return functional_dispatch(w, sm, slot, time, e);
    if (!is_cta_left(w, sm)) return true;
    v->slot[(v->first + v->n++) % room] = (struct functional_vacancy){time, sm, slot};
    return true;
}

bool functional_fill_vacancies(struct functional *w, struct error *e)
{
    struct functional_vacancies *v = &w->vacant;
    while (v->n) {
        struct functional_vacancy next = v->slot[v->first];
        bool left = is_cta_left(w, next.sm);
        if (left && w->dispatch.next >= functional_end(w)) return true;
        v->first = (v->first + 1) % (w->sms * w->slots);
        v->n--;
        if (!left) continue;
        double turn = cta_dispatch_turn(&w->dispatch, w->now - w->use.quantum);
        double begins = turn > next.time ? turn : next.time;
        if (!functional_dispatch(w, next.sm, next.slot, begins, e)) return false;
    }
    return true;
}

void functional_vacancies_serialize(struct functional *w, struct serializer *t)
{
    if (!w->vacant.slot) return;
    serialize_data(t, w->vacant.slot, (size_t)w->sms * w->slots * sizeof *w->vacant.slot);
    SERIALIZE_VALUE(t, w->vacant.first);
    SERIALIZE_VALUE(t, w->vacant.n);
    SERIALIZE_VALUE(t, w->dispatch.next);
}
