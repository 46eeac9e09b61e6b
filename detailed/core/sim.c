/* sim.c - runs the launches and copies of a program, and calls observers. */
#include "detailed/core/sim_internal.h"
#include "detailed/counters/site_counters.h"
#include "detailed/l2/l2_link.h"
#include "gpu/pages/thread_batches.h"

#include <assert.h>

/* --- watching --- */

void sim_watch_afresh(struct sim *s)
{
    s->watch_next = UINT64_MAX;
    for (uint32_t i = 0; i < s->watchers; i++) {
        s->watcher[i].next = s->watcher[i].every;
        if (s->watcher[i].next < s->watch_next) s->watch_next = s->watcher[i].next;
    }
}

void sim_watch(struct sim *s, uint64_t cycles, sim_watch_fn *each, void *ctx)
{
    assert(cycles > 0 && s->watchers < SIM_WATCHERS);
    s->watcher[s->watchers++] =
        (struct watcher){.every = cycles * s->domain[CLOCK_CORE].period, .each = each, .ctx = ctx};
    sim_watch_afresh(s);
}

void sim_count_sites(struct sim *s, struct site_counters *x)
{
    s->sites = s->l2_wiring.sites = x;
    s->l1_wiring.seen = sm_l1_seen;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        s->sm[i].sites = x;
}

void sim_tell_ctas(struct sim *s, sim_ctas_fn *each, void *ctx)
{
    s->tell_ctas = each;
    s->tell_ctx = ctx;
}

/* Time may have skipped several of an observer's periods. */
void sim_watched(struct sim *s)
{
    struct metrics now;
    sim_metrics(s, &now);
    s->watch_next = UINT64_MAX;
    for (uint32_t i = 0; i < s->watchers; i++) {
        struct watcher *w = &s->watcher[i];
        if (s->tick >= w->next) {
            w->each(&now, w->ctx);
            w->next = (s->tick / w->every + 1) * w->every;
        }
        if (w->next < s->watch_next) s->watch_next = w->next;
    }
}

/* --- launches and copies --- */

bool sim_begin_launch(struct sim *s, uint32_t launch, uint64_t starts, struct error *e)
{
    const struct launch *l = program_launch(s->program, launch);
    struct occupancy occ = occupancy(&s->m.sm, &s->m.l1, l);
    if (!occ.ctas)
        return error_input(e,
                           "%s: a CTA of launch %u ('%s') does not fit on an SM of %s; needs %u "
                           "warps, %u registers per "
                           "lane, %u bytes of shared memory",
                           program_name(s->program), launch, l->name, s->m.name, l->warps_per_cta,
                           l->registers_per_lane, l->shared_bytes);
    if (l->warps_per_cta > CTA_MAX_WARPS)
        return error_input(e, "%s: CTAs of launch %u have %u warps; at most %d are modelled",
                           program_name(s->program), launch, l->warps_per_cta, CTA_MAX_WARPS);
    s->used = true;
    s->run.launch = l;
    s->run.index = launch;
    s->run.counts.done_ctas = s->run.counts.requests_behind = 0;
    if (s->threads) sim_threads_launch(s);
    cta_dispatch_launch(&s->run.dispatch, l->ctas);
    if (!thread_batches_of(&s->m.sm, s->program, launch, &s->run.batch_ctas, e)) return false;
    s->run.starts = starts;
    s->run.running = true;
    register_map_fini(&s->run.registers);
    if (s->sm->operands && !register_map_init(&s->run.registers, l)) return error_no_memory(e);
    if (sim_locality_of(s)) locality_launch(&s->locality, l->warps_per_cta);
    if (s->sites && !site_counters_launch(s->sites, l)) return error_no_memory(e);
    if (!components_launch(s->kind, &occ, sim_core_cycle(s))) return error_no_memory(e);
    for (enum component_kind k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; s->kind[k].ops->starts && i < s->kind[k].steps; i++)
            sim_wake(s, k, i, sim_edge_after(s, component_clock[k]));
    return true;
}

/* The version of a sector that a copy has installed is that of the last store to it. */
static void note_installed(const struct sim *s, const struct cache *c, uint64_t addr)
{
    uint32_t line = cache_find(c, cache_tag(c, addr));
    if (SHADOW_ON && line != LINE_NONE)
        c->version[(size_t)line * c->sectors + cache_sector(c, addr)] =
            shadow_get(&s->shadow, &s->shadow.l2, cache_key(c, addr));
}

/* Converts an address of the host's to a physical one; false: its page has no frame yet, so that no
 * cache has a copy: the host's copies place no pages [A]. */
static bool is_mapped(struct sim *s, uint64_t *addr)
{
    return placement_find(s->wiring.placement, *addr, addr);
}

/* Installs the lines of a host-to-device copy in the L2, clean or dirty, in zero time (Khairy II,
 * IV-C). Only the last part of a copy larger than the L2 can matter. */
static void copy_to_device(struct sim *s, const struct command *c)
{
    if (!s->m.l2.copy_warms) return;
    s->used = true;
    uint64_t step = s->m.l2.cache.sector_bytes,
             capacity = (uint64_t)s->m.l2.banks * s->m.l2.bank_kb * 1024;
    struct copy_pieces left = copy_tail(c, 2 * capacity, step);
    for (uint64_t i = 0, at = left.first; i < left.n; i++, at += step) {
        uint64_t a = at;
        if (!is_mapped(s, &a)) continue;
        struct l2_slice *slice = &s->slice[map_slice(&s->map, a)];
        struct access read = {.addr = a, .kind = ACCESS_READ};
        struct victim v;
        cache_touch(&slice->c, &read, &v);
        if (slice->link) l2_link_performed(slice, a);
        if (s->m.l2.copy_dirty) cache_soil(&slice->c, a);
        note_installed(s, &slice->c, a);
        for (uint32_t k = 0; SHADOW_ON && k < slice->c.sectors; k++) {
            uint64_t key = (v.tag << slice->c.line_shift >> slice->c.sector_shift) + k;
            if (v.dirty >> k & 1)
                shadow_put(&s->shadow, &s->shadow.memory, key,
                           shadow_get(&s->shadow, &s->shadow.l2, key));
        }
    }
}

/* The host writes these bytes before the next launch: copies of the GPU leave, and the CPUs hold
 * the blocks. */
static void host_writes(struct sim *s, const struct command *c)
{
    const struct component *holders = &s->kind[KIND_cpu_cluster];
    uint64_t step = s->m.l2.cache.sector_bytes;
    struct copy_pieces all = copy_tail(c, UINT64_MAX, step);
    if (!holders->n) return;
    s->used = true;
    for (uint64_t i = 0, at = all.first; i < all.n; i++, at += step) {
        uint64_t a = at;
        if (!is_mapped(s, &a)) continue;
        struct l2_slice *slice = &s->slice[map_slice(&s->map, a)];
        if (!l2_host_writes(slice, a)) continue;
        for (uint32_t k = 0; k < s->m.sm.count; k++)
            l1_host_writes(&s->sm[k].l1, a);
        holders->ops->host_writes(holders->all, a);
    }
}

static bool in_scope(const struct sim_scope *scope, uint32_t launch)
{
    return !scope || !scope->launch_range ||
           (launch >= scope->first_launch && launch <= scope->last_launch);
}

enum sim_end sim_run(struct sim *s, const struct sim_scope *scope, sim_launch_fn *each, void *ctx,
                     struct error *e)
{
    struct metrics before, after, one;
    enum sim_end end = SIM_DONE;
    uint64_t limit = scope ? scope->max_instructions : 0;
    if (!sim_clear(s, e)) return SIM_FAILED;
    for (uint32_t i = 0; i < program_commands(s->program) && end == SIM_DONE; i++) {
        const struct command *c = program_command(s->program, i);
        if (c->kind == COMMAND_COPY_TO_DEVICE) {
            copy_to_device(s, c);
            host_writes(s, c);
        }
        if (c->kind != COMMAND_LAUNCH || !in_scope(scope, c->launch)) continue;
        if (each) sim_metrics(s, &before);
        const struct sim_work begin = sim_work_of(s);
        if (!sim_begin_launch(s, c->launch,
                              sim_core_cycle(s) + sm_launch_cycles(&s->m.sm, c->launch > 0), e))
            return SIM_FAILED;
        if (limit && s->run.counts.instructions >= limit) return SIM_LIMIT;
        end = sim_advance(s, limit ? limit - s->run.counts.instructions : 0, e);
        sim_hold(s, &begin);
        if (!each || end != SIM_DONE) continue;
        sim_metrics(s, &after);
        metrics_diff(&one, &after, &before);
        each(c->launch, &one, ctx);
    }
    return end;
}
