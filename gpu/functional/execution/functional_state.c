/* functional_state.c - snapshots of a functional pass for the cycle model, and its serialization;
 * see functional.h. */
#include "gpu/functional/execution/functional.h"

#include "base/memory/alloc.h"
#include "gpu/functional/state/snapshot.h"

#include <stdlib.h>
#include <string.h>

/* Cycles before a CTA's first instruction, of those that its launch on the SM takes. */
static uint32_t launching(const struct functional *w, const struct functional_warp *first)
{
    double left = first->time - w->now, most = w->params->cta_launch_cycles;
    if (first->done || first->ended || left <= 0) return 0;
    return (uint32_t)(left < most ? left : most);
}

static void save_resident(struct resident *r, uint64_t *done, const struct functional *w,
                          uint32_t slot)
{
    const struct functional_warp *f = functional_warps_of(w, slot);
    *r = (struct resident){.cta = w->cta[slot].cta,
                           .sm = slot / w->slots,
                           .subcore =
                               w->name[(size_t)slot * w->launch->warps_per_cta] / SM_SUBCORE_SLOTS,
                           .warp_done = done,
                           .launching = launching(w, f)};
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++)
        done[i] = f[i].ended ? UINT64_MAX : f[i].done;
}

struct arrival {
    uint64_t order;
    uint32_t slot;
};

static int by_order(const void *a, const void *b)
{
    uint64_t x = ((const struct arrival *)a)->order, y = ((const struct arrival *)b)->order;
    return x < y ? -1 : x > y;
}

/* Saves the sub-core and slot of each warp of a CTA, as the cycle model numbers them. */
static struct warp_names save_names(const struct functional *w, uint32_t slot, uint16_t *name)
{
    uint32_t warps = w->launch->warps_per_cta;
    memcpy(name, w->name + (size_t)slot * warps, warps * sizeof *name);
    return (struct warp_names){slot % w->slots, name};
}

/* Saves the resident CTAs in the order of their dispatch, from which the cycle model derives ages.
 */
static bool save_residents(const struct functional *w, struct snapshot *s)
{
    uint32_t n = 0, warps = w->launch->warps_per_cta;
    struct arrival *all = mem_new((size_t)w->active + 1, sizeof *all);
    if (!all) return false;
    for (uint32_t i = 0; i < w->sms * w->slots; i++)
        if (w->cta[i].active) all[n++] = (struct arrival){w->cta[i].order, i};
    qsort(all, n, sizeof *all, by_order);
    for (uint32_t i = 0; i < n; i++) {
        save_resident(&s->residents[i], s->warp_done + (size_t)i * warps, w, all[i].slot);
        s->residents[i].name = save_names(w, all[i].slot, s->name + (size_t)i * warps);
    }
    s->interval.n_residents = n;
    mem_free(all);
    return true;
}

/* Saves the CTA queues of the SMs, where SMs have queues and have dispatched from them. */
static bool save_queues(const struct functional *w, struct snapshot *s)
{
    if (!cta_dispatch_has_queues(w->params->dispatch) || !w->dispatch.dispatched) return true;
    s->queues = mem_new(w->sms, sizeof *s->queues);
    if (s->queues) memcpy(s->queues, w->dispatch.queue, w->sms * sizeof *s->queues);
    s->interval.queues = s->queues;
    return s->queues != NULL;
}

bool functional_snapshot(const struct functional *w, struct snapshot *s, struct error *e)
{
    size_t warps = ((size_t)w->active + 1) * w->launch->warps_per_cta;
    struct resident *r = mem_new(w->active + 1, sizeof *r);
    uint64_t *done = mem_new(warps, sizeof *done);
    uint32_t *next = mem_new(w->sms, sizeof *next);
    *s = (struct snapshot){
        .launch_done = w->launch_done, .residents = r, .warp_done = done, .next_subcore = next};
    s->interval = (struct interval){.launch = w->launch_index,
                                    .next_cta = w->dispatch.dispatched,
                                    .residents = r,
                                    .next_subcore = next};
    s->name = mem_new(warps, sizeof *s->name);
    if (!r || !done || !next || !s->name || !save_residents(w, s) || !save_queues(w, s)) {
        snapshot_fini(s);
        return error_no_memory(e);
    }
    for (uint32_t i = 0; i < w->sms; i++)
        next[i] = w->sm[i].next_subcore;
    return true;
}

/* --- serialization --- */

static bool has_stream(const struct functional *w, size_t warp)
{
    return w->cta[warp / w->launch->warps_per_cta].active && !w->clock[warp].ended;
}

static void note_segments(struct functional *w)
{
    for (size_t i = 0; i < functional_count_warps(w); i++)
        if (has_stream(w, i)) w->clock[i].segment = w->stream[i].cursor.segment_no;
}

/* Positions every warp's cursor at its next instruction, which lies in the segment that
 * note_segments saved. */
static bool find_streams(struct functional *w, struct error *e)
{
    uint32_t warps = w->launch->warps_per_cta;
    for (size_t i = 0; i < functional_count_warps(w); i++) {
        const struct functional_warp *f = &w->clock[i];
        struct functional_stream *s = &w->stream[i];
        if (!has_stream(w, i)) continue;
        if (!cursor_seek(&s->cursor, w->reader, w->launch_index, w->cta[i / warps].cta,
                         (uint32_t)(i % warps), f->segment, e))
            return false;
        uint64_t behind = f->done - s->cursor.done;
        struct error own = {0};
        if (cursor_skip(&s->cursor, behind, &own) != behind ||
            cursor_next(&s->cursor, &s->inst, &own) != GOT_INST)
            return error_run(e, "%s: %s", program_name(w->p),
                             own.kind == ERROR_NONE ? "a warp's stream is shorter than it was"
                                                    : own.text);
    }
    return true;
}

static void launch_serialize(struct functional *w, struct serializer *t)
{
    uint32_t n = w->sms * w->slots;
    size_t warps = functional_count_warps(w);
    SERIALIZE_VALUE(t, w->active);
    serialize_data(t, w->cta, n * sizeof *w->cta);
    serialize_data(t, w->sm, w->sms * sizeof *w->sm);
    serialize_data(t, w->clock, warps * sizeof *w->clock);
    serialize_data(t, w->name, warps * sizeof *w->name);
    serialize_data(t, w->ready, warps * w->launch->n_registers * sizeof *w->ready);
    if (w->copies) serialize_data(t, w->copies, warps * sizeof *w->copies);
    functional_vacancies_serialize(w, t);
}

bool functional_serialize(struct functional *w, struct serializer *t, struct error *e)
{
    uint32_t launch = w->launch ? w->launch_index : UINT32_MAX;
    bool begun = w->begun;
    if (!w->use.ops->serialize(w->use.memory, t)) return error_no_memory(e);
    SERIALIZE_VALUE(t, w->now);
    SERIALIZE_VALUE(t, w->command);
    SERIALIZE_VALUE(t, w->done);
    SERIALIZE_VALUE(t, launch);
    SERIALIZE_VALUE(t, begun);
    if (t->mode == SERIALIZE_LOAD) {
        functional_leave_launch(w);
        if (launch != UINT32_MAX && !functional_enter_launch(w, launch, e)) return false;
        w->begun = begun;
    }
    if (!w->launch) return warp_admission_serialize(w, t) || error_no_memory(e);
    SERIALIZE_VALUE(t, w->launch_done);
    if (t->mode == SERIALIZE_SAVE && begun) note_segments(w);
    if (begun) launch_serialize(w, t);
    serialize_data(t, w->dispatch.queue, w->sms * sizeof *w->dispatch.queue);
    SERIALIZE_VALUE(t, w->dispatch.ctas);
    SERIALIZE_VALUE(t, w->dispatch.dispatched);
    if (!warp_admission_serialize(w, t)) return error_no_memory(e);
    if (!begun) return true;
    return t->mode != SERIALIZE_LOAD || find_streams(w, e);
}
