/* functional.c - commands and launches of a functional pass; see functional.h. */
#include "gpu/functional/execution/functional.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/pages/thread_batches.h"

#include <assert.h>
#include <math.h>

static bool make_room(struct functional *w, struct error *e)
{
    uint32_t n = w->sms * w->slots;
    size_t warps = functional_count_warps(w);
    w->cta = mem_new(n, sizeof *w->cta);
    w->sm = mem_new(w->sms, sizeof *w->sm);
    w->clock = mem_new(warps, sizeof *w->clock);
    w->stream = mem_new(warps, sizeof *w->stream);
    w->ready = mem_new(warps * w->launch->n_registers + 1, sizeof *w->ready);
    w->name = mem_new(warps, sizeof *w->name);
    bool copies = copy_groups_needed(w->launch->code, w->launch->n_code);
    if (copies) w->copies = mem_new(warps, sizeof *w->copies);
    if (!w->cta || !w->sm || !w->clock || !w->stream || !w->ready || !w->name ||
        (copies && !w->copies) || !functional_vacancies_init(w))
        return error_no_memory(e);
    for (uint32_t i = 0; i < w->sms; i++) {
        issue_slots_drain(&w->sm[i].slots, w->now);
        w->sm[i].first_wake = INFINITY;
        for (uint32_t k = 0; k < SM_MAX_SUBCORES; k++)
            w->sm[i].wake[k] = INFINITY;
    }
    return true;
}

bool functional_can_begin_inside(const struct sm_params *p)
{
    return !cta_dispatch_has_queues(p->dispatch) && !throttle_learns(p->throttle);
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
    if (!thread_batches_of(w->params, w->p, launch, &w->batch_ctas, e)) return false;
    w->launch_done = 0;
    w->active = 0;
    w->begun = false;
    return make_room(w, e);
}

void functional_leave_launch(struct functional *w)
{
    for (size_t i = 0; w->stream && i < functional_count_warps(w); i++)
        cursor_release(&w->stream[i].cursor);
    mem_free(w->cta);
    mem_free(w->sm);
    mem_free(w->clock);
    mem_free(w->stream);
    mem_free(w->ready);
    mem_free(w->copies);
    mem_free(w->name);
    functional_vacancies_fini(w);
    w->cta = NULL;
    w->sm = NULL;
    w->clock = NULL;
    w->stream = NULL;
    w->ready = NULL;
    w->copies = NULL;
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
    return functional_begin_launch(w, c->launch, e);
}

bool functional_begin_launch(struct functional *w, uint32_t launch, struct error *e)
{
    const struct l1_params *l1 = w->use.l1;
    if (!functional_enter_launch(w, launch, e)) return false;
    struct occupancy occ = occupancy(w->params, l1, w->launch);
    if (!w->use.ops->launch(w->use.memory, w->launch, &occ)) return error_no_memory(e);
    warp_admission_launch(w, l1->adaptive ? occ.l1_kb * 1024 / l1->cache.line_bytes
                                          : w->use.l1_blocks);
    cta_dispatch_launch(&w->dispatch, w->launch->ctas);
    w->share =
        cta_dispatch_share(w->params->dispatch, w->params->count, w->use.first_sm, w->launch->ctas);
    return true;
}

static bool dispatch_first(struct functional *w, struct error *e)
{
    w->begun = true;
    functional_vacancies_begin(w);
    for (uint32_t k = 0; k < w->slots; k++)
        for (uint32_t sm = 0; sm < w->sms; sm++)
            if (!functional_vacate(w, sm, sm * w->slots + k, w->now, e)) return false;
    return true;
}

bool functional_step(struct functional *w, struct error *e)
{
    if (plumb_interrupted) return error_interrupted(e, "executing the program");
    if (!w->launch) return next_command(w, e);
    if (!w->begun) return dispatch_first(w, e);
    if (w->active || w->vacant.n) return functional_quantum(w, e);
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
    *w = (struct functional){.use = *use,
                             .params = use->sm,
                             .sms = use->sms,
                             .p = use->p,
                             .restricts = admission_restricts(use->sm),
                             .dispatch = {.kind = use->sm->dispatch, .sms = use->sms}};
    w->dispatch.period = cta_dispatch_period(use->sm, (double)use->sms / use->sm->count);
    assert(use->sms == 1 || use->sms == use->sm->count);
    w->reader = use->reader ? use->reader : reader_new(w->p, e);
    if (!w->reader) return false;
    w->dispatch.queue = mem_new(w->sms, sizeof *w->dispatch.queue);
    return w->dispatch.queue || error_no_memory(e);
}

bool functional_restart(struct functional *w, uint32_t command, uint64_t done, struct error *e)
{
    functional_leave_launch(w);
    w->command = command;
    w->done = done;
    w->now = 0;
    if (!w->use.ops->restart(w->use.memory, e)) return false;
    return warp_admission_restart(w) || error_no_memory(e);
}

bool functional_skip_to(struct functional *w, uint64_t cta, struct error *e)
{
    while (!w->launch)
        if (!next_command(w, e)) return false;
    w->dispatch.dispatched = cta;
    w->launch_done = program_cta_start(w->p, w->launch_index, cta);
    w->done += w->launch_done;
    return true;
}

void functional_fini(struct functional *w)
{
    functional_leave_launch(w);
    mem_free(w->dispatch.queue);
    if (!w->use.reader) reader_free(w->reader);
    *w = (struct functional){0};
}
