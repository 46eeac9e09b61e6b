/* functional.c - commands and launches of a functional pass; see functional.h. */
#include "gpu/functional/execution/functional.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/load/machine.h"

#include <math.h>

static bool make_room(struct walk *w, struct error *e)
{
    uint32_t n = w->sms * w->slots;
    size_t warps = walk_warps(w);
    w->cta = mem_new(n, sizeof *w->cta);
    w->slot = mem_new(n, sizeof *w->slot);
    w->awake = mem_new(w->slots, sizeof *w->awake);
    w->sm = mem_new(w->sms, sizeof *w->sm);
    w->clock = mem_new(warps, sizeof *w->clock);
    w->stream = mem_new(warps, sizeof *w->stream);
    w->ready = mem_new(warps * w->launch->n_registers + 1, sizeof *w->ready);
    if (!w->cta || !w->slot || !w->awake || !w->sm || !w->clock || !w->stream || !w->ready ||
        !walk_govern_enter(w))
        return error_no_memory(e);
    for (uint32_t i = 0; i < w->sms; i++) {
        w->sm[i].wake = INFINITY;
        for (uint32_t k = 0; k < w->params->subcores; k++)
            w->sm[i].last[k].cta = NO_CTA;
    }
    return true;
}

bool walk_begins_inside(const struct machine *m)
{
    return m->sm.dispatch == DISPATCH_INTERLEAVED && m->sm.throttle != THROTTLE_IWL &&
           m->sm.throttle != THROTTLE_CCWS;
}

uint64_t walk_wave(const struct walk *w, const struct launch *l)
{
    return (uint64_t)occupancy(&w->m->sm, &w->m->l1, l).ctas * w->sms;
}

bool walk_enter(struct walk *w, uint32_t launch, struct error *e)
{
    w->launch = program_launch(w->p, launch);
    w->launch_index = launch;
    struct occupancy occ = occupancy(&w->m->sm, &w->m->l1, w->launch);
    if (!occ.ctas)
        return error_input(e, "a CTA of launch %u ('%s') does not fit on an SM", launch,
                           w->launch->name);
    w->slots = occ.ctas;
    w->next_cta = w->launch_done = 0;
    w->active = 0;
    w->begun = false;
    return make_room(w, e);
}

void walk_leave(struct walk *w)
{
    for (size_t i = 0; w->stream && i < walk_warps(w); i++)
        cursor_release(&w->stream[i].cursor);
    mem_free(w->cta);
    mem_free(w->slot);
    mem_free(w->awake);
    mem_free(w->sm);
    mem_free(w->clock);
    mem_free(w->stream);
    mem_free(w->ready);
    mem_free(w->name);
    w->cta = NULL;
    w->slot = NULL;
    w->awake = NULL;
    w->sm = NULL;
    w->clock = NULL;
    w->stream = NULL;
    w->ready = NULL;
    w->name = NULL;
    w->launch = NULL;
}

static bool next_command(struct walk *w, struct error *e)
{
    if (w->command == program_commands(w->p))
        return error_run(e, "%s ends before the last moment asked for", program_name(w->p));
    const struct command *c = program_command(w->p, w->command++);
    if (w->warm) warm_caches_copy(&w->caches, c);
    if (c->kind != COMMAND_LAUNCH) return true;
    if (!walk_enter(w, c->launch, e)) return false;
    struct occupancy occ = occupancy(&w->m->sm, &w->m->l1, w->launch);
    if (!warm_caches_launch(&w->caches, occ.l1_kb)) return error_no_memory(e);
    walk_govern_launch(w);
    cta_queues_fill(&w->queues, w->launch->ctas);
    return true;
}

static bool begin(struct walk *w, struct error *e)
{
    w->begun = true;
    for (uint32_t k = 0; k < w->slots; k++)
        for (uint32_t sm = 0; sm < w->sms; sm++)
            if (!walk_dispatch(w, sm, sm * w->slots + k, w->caches.pace.now, e)) return false;
    return true;
}

bool walk_step(struct walk *w, struct error *e)
{
    if (plumb_interrupted) return error_interrupted(e, "walking the program");
    if (!w->launch) return next_command(w, e);
    if (!w->begun) return begin(w, e);
    if (w->active) return walk_quantum(w, e);
    walk_leave(w);
    return true;
}

bool walk_until(struct walk *w, uint64_t moment, struct error *e)
{
    while (!walk_stands(w) || w->done < moment)
        if (!walk_step(w, e)) return false;
    return true;
}

bool walk_init(struct walk *w, const struct machine *m, const struct program *p, bool want_warm,
               struct error *e)
{
    *w = (struct walk){.m = m, .params = &m->sm, .sms = m->sm.count, .p = p, .warm = want_warm};
    if (!warm_caches_init(&w->caches, m, e) || !(w->reader = reader_new(p, e))) return false;
    w->queues.n = w->sms;
    w->queues.of = mem_new(w->sms, sizeof *w->queues.of);
    return (w->queues.of && walk_govern_init(w)) || error_no_memory(e);
}

bool walk_restart(struct walk *w, uint32_t command, uint64_t done, struct error *e)
{
    walk_leave(w);
    warm_caches_fini(&w->caches);
    w->command = command;
    w->done = done;
    walk_govern_fini(w);
    if (!warm_caches_init(&w->caches, w->m, e)) return false;
    return walk_govern_init(w) || error_no_memory(e);
}

bool walk_skip_to(struct walk *w, uint64_t cta, struct error *e)
{
    while (!w->launch)
        if (!next_command(w, e)) return false;
    w->next_cta = cta;
    w->launch_done = program_cta_start(w->p, w->launch_index, cta);
    w->done += w->launch_done;
    return true;
}

void walk_fini(struct walk *w)
{
    walk_leave(w);
    if (w->caches.m) warm_caches_fini(&w->caches);
    walk_govern_fini(w);
    mem_free(w->queues.of);
    reader_free(w->reader);
    *w = (struct walk){0};
}
