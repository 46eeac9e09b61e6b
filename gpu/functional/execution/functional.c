/* functional.c - commands and launches of a functional pass; see functional.h. */
#include "gpu/functional/execution/functional.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "gpu/geometry/occupancy.h"

#include <math.h>

static bool make_room(struct functional *w, struct error *e)
{
    uint32_t n = w->sms * w->slots;
    size_t warps = functional_count_warps(w);
    w->cta = mem_new(n, sizeof *w->cta);
    w->slot = mem_new(n, sizeof *w->slot);
    w->awake = mem_new(w->slots, sizeof *w->awake);
    w->sm = mem_new(w->sms, sizeof *w->sm);
    w->clock = mem_new(warps, sizeof *w->clock);
    w->stream = mem_new(warps, sizeof *w->stream);
    w->ready = mem_new(warps * w->launch->n_registers + 1, sizeof *w->ready);
    if (!w->cta || !w->slot || !w->awake || !w->sm || !w->clock || !w->stream || !w->ready ||
        !warp_admission_enter_launch(w))
        return error_no_memory(e);
    for (uint32_t i = 0; i < w->sms; i++) {
        w->sm[i].wake = INFINITY;
        issue_slots_drain(&w->sm[i].slots, w->now);
        for (uint32_t k = 0; k < w->params->subcores; k++)
            w->sm[i].last[k].cta = NO_CTA;
    }
    return true;
}

bool functional_can_begin_inside(const struct sm_params *p)
{
    return p->dispatch == DISPATCH_INTERLEAVED && p->throttle != THROTTLE_IWL &&
           p->throttle != THROTTLE_CCWS;
}

uint64_t functional_wave_ctas(const struct functional *w, const struct launch *l)
{
    return (uint64_t)occupancy(w->params, w->use.l1, l).ctas * w->sms;
}

bool functional_enter_launch(struct functional *w, uint32_t launch, struct error *e)
{
    w->launch = program_launch(w->p, launch);
    w->launch_index = launch;
    struct occupancy occ = occupancy(w->params, w->use.l1, w->launch);
    if (!occ.ctas)
        return error_input(e, "a CTA of launch %u ('%s') does not fit on an SM", launch,
                           w->launch->name);
    w->slots = occ.ctas;
    w->next_cta = w->launch_done = 0;
    w->active = 0;
    w->begun = false;
    return make_room(w, e);
}

void functional_leave_launch(struct functional *w)
{
    for (size_t i = 0; w->stream && i < functional_count_warps(w); i++)
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

static bool next_command(struct functional *w, struct error *e)
{
    if (w->command == program_commands(w->p))
        return error_run(e, "%s ends before the last moment asked for", program_name(w->p));
    const struct command *c = program_command(w->p, w->command++);
    if (c->kind != COMMAND_LAUNCH) {
        w->use.ops->copy(w->use.memory, c);
        return true;
    }
    if (!functional_enter_launch(w, c->launch, e)) return false;
    struct occupancy occ = occupancy(w->params, w->use.l1, w->launch);
    if (!w->use.ops->launch(w->use.memory, occ.l1_kb)) return error_no_memory(e);
    warp_admission_begin_launch(w);
    cta_queues_fill(&w->queues, w->launch->ctas);
    return true;
}

static bool begin_launch(struct functional *w, struct error *e)
{
    w->begun = true;
    for (uint32_t k = 0; k < w->slots; k++)
        for (uint32_t sm = 0; sm < w->sms; sm++)
            if (!functional_dispatch(w, sm, sm * w->slots + k, w->now, e)) return false;
    return true;
}

bool functional_step(struct functional *w, struct error *e)
{
    if (plumb_interrupted) return error_interrupted(e, "walking the program");
    if (!w->launch) return next_command(w, e);
    if (!w->begun) return begin_launch(w, e);
    if (w->active) return functional_quantum(w, e);
    functional_leave_launch(w);
    return true;
}

bool functional_run_until(struct functional *w, uint64_t moment, struct error *e)
{
    while (!functional_can_pause(w) || w->done < moment)
        if (!functional_step(w, e)) return false;
    return true;
}

bool functional_init(struct functional *w, const struct functional_setup *use, struct error *e)
{
    *w = (struct functional){.use = *use, .params = use->sm, .sms = use->sms, .p = use->p};
    if (!(w->reader = reader_new(w->p, e))) return false;
    w->queues.n = w->sms;
    w->queues.of = mem_new(w->sms, sizeof *w->queues.of);
    return (w->queues.of && warp_admission_init(w)) || error_no_memory(e);
}

bool functional_restart(struct functional *w, uint32_t command, uint64_t done, struct error *e)
{
    functional_leave_launch(w);
    w->command = command;
    w->done = done;
    w->now = 0;
    warp_admission_fini(w);
    if (!w->use.ops->restart(w->use.memory, e)) return false;
    return warp_admission_init(w) || error_no_memory(e);
}

bool functional_skip_to(struct functional *w, uint64_t cta, struct error *e)
{
    while (!w->launch)
        if (!next_command(w, e)) return false;
    w->next_cta = cta;
    w->launch_done = program_cta_start(w->p, w->launch_index, cta);
    w->done += w->launch_done;
    return true;
}

void functional_fini(struct functional *w)
{
    functional_leave_launch(w);
    warp_admission_fini(w);
    mem_free(w->queues.of);
    reader_free(w->reader);
    *w = (struct functional){0};
}
