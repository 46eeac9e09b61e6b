/* plan_programs.c - opens a plan's programs and finds the one that a machine reads.
 *
 * Most programs are the same on every machine with warps of one width. One that follows the card is
 * opened for each card among the points and the plan's own machines; cards with equal choices share
 * the program, and so its profile. */
#include "sweeps/plan/plan_reader.h"

#include "base/memory/alloc.h"
#include "engine/program_opts.h"

#include <inttypes.h>

static bool follows_card(const struct workload *w)
{
    for (uint32_t i = 0; i < w->n_programs; i++)
        if (program_follows_card(w->program[i])) return true;
    return false;
}

/* Among a million cards two have the same key with a probability below 10^-7. */
static uint64_t key_of(struct digest d)
{
    return d.lo == HASH_MAP_EMPTY ? 0 : d.lo;
}

/* The key of what the machine says that matters to the program. */
static uint64_t key_for(const struct workload *w, const struct machine *m)
{
    struct program_opts o = {.warp_width = m->sm.warp_width};
    if (follows_card(w)) o = program_opts_of(m, false);
    return key_of(program_opts_digest(&o));
}

/* Keeps the program, or closes it where the workload has an equal one; *at: its place. */
static bool keep_program(struct workload *w, struct program *p, uint32_t *at, struct error *e)
{
    const struct digest own = program_digest(p);
    for (*at = 0; *at < w->n_programs; ++*at)
        if (digest_equal(program_digest(w->program[*at]), own)) break;
    bool had = *at < w->n_programs;
    bool room = had || mem_grow(&w->program, &w->room, *at + (size_t)1, sizeof *w->program);
    if (had || !room)
        program_close(p);
    else
        w->program[w->n_programs++] = p;
    return room || error_no_memory(e);
}

/* A program that the machine would read, were its card another; NULL: none is open. */
static const struct program *find_alike(const struct workload *w, const struct machine *m)
{
    for (uint32_t i = 0; i < w->n_programs; i++) {
        const struct program *p = w->program[i];
        bool follows = program_follows_card(p);
        if (follows && program_launch(p, 0)->warp_width == m->sm.warp_width) return p;
    }
    return NULL;
}

/* Opens the program unless one with that choice is open, whose place is then *at. */
static bool open_choice(struct workload *w, const struct machine *m, uint32_t *at, struct error *e)
{
    const struct program_opts o = program_opts_of(m, false);
    const struct program *alike = find_alike(w, m);
    const uint64_t choice = alike ? key_of(program_choice(alike, &o.card)) : 0;
    const uint32_t *had = alike ? hash_map_get(&w->by_choice, choice) : NULL;
    if (had) {
        *at = *had;
        return true;
    }
    struct program *p = program_open(w->spec, &o, e);
    bool ok = p && keep_program(w, p, at, e);
    return ok && (!alike || hash_map_put(&w->by_choice, choice, *at) || error_no_memory(e));
}

/* Opens the program as that machine reads it, unless it is open. */
static bool open_for(struct workload *w, const struct machine *m, struct error *e)
{
    uint32_t at;
    if (!w->by_card.slot && !hash_map_init(&w->by_card, 0)) return error_no_memory(e);
    if (!w->by_choice.slot && !hash_map_init(&w->by_choice, 0)) return error_no_memory(e);
    if (hash_map_get(&w->by_card, key_for(w, m))) return true;
    if (!open_choice(w, m, &at, e)) return false;
    return hash_map_put(&w->by_card, key_for(w, m), at) || error_no_memory(e);
}

static bool open_all(struct plan *p, const struct machine *m, bool followers, struct errors *all)
{
    bool ok = true;
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        struct workload *w = &p->workload[i];
        struct error e = {0};
        if ((followers && !follows_card(w)) || open_for(w, m, &e)) continue;
        if (w->line)
            errors_add(all, "%s:%" PRIu32 ": workloads: %s", p->file, w->line, e.text);
        else
            errors_add_error(all, &e);
        ok = false;
    }
    return ok;
}

bool plan_open_programs(struct plan *p, struct errors *all)
{
    bool ok = true;
    struct machine m;
    struct error e;
    for (uint32_t i = 0; ok && i < p->n_points; i++)
        ok = !plan_machine(p, i, &m, &e) || open_all(p, &m, false, all);
    for (uint32_t i = 0; ok && i < p->n_machines; i++)
        ok = open_all(p, &p->base[i], true, all);
    return ok;
}

void plan_close_programs(struct plan *p)
{
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        struct workload *w = &p->workload[i];
        while (w->n_programs)
            program_close(w->program[--w->n_programs]);
        mem_free(w->program);
        hash_map_fini(&w->by_card);
        hash_map_fini(&w->by_choice);
    }
}

const struct program *plan_program(const struct plan *p, uint32_t workload, const struct machine *m)
{
    const struct workload *w = &p->workload[workload];
    const uint32_t *at = hash_map_get(&w->by_card, key_for(w, m));
    return at ? w->program[*at] : NULL;
}

static bool share_a_program(const struct workload *a, const struct workload *b)
{
    for (uint32_t i = 0; i < a->n_programs; i++)
        for (uint32_t k = 0; k < b->n_programs; k++)
            if (digest_equal(program_digest(a->program[i]), program_digest(b->program[k])))
                return true;
    return false;
}

bool plan_programs_differ(const struct plan *p, const char *where, struct errors *all)
{
    bool differ = true;
    for (uint32_t i = 0; i < p->n_workloads; i++) {
        for (uint32_t k = i + 1; k < p->n_workloads; k++) {
            if (!share_a_program(&p->workload[i], &p->workload[k])) continue;
            errors_add(all, "%s: %s and %s are the same program on some machine; list it once",
                       where, p->workload[i].spec, p->workload[k].spec);
            differ = false;
        }
    }
    return differ;
}
