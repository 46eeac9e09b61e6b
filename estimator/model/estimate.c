/* estimate.c - a program's estimate: solves its launches one after the other; equal launches
 * once. */
#include "estimator/model/estimate.h"

#include "base/memory/alloc.h"
#include "estimator/model/explain.h"
#include "estimator/model/launch_solve.h"

static void scope_of(const struct profile *p, const struct scope *s, uint32_t *from, uint32_t *to)
{
    *from = s ? s->launch0 : 0;
    if (*from > p->launches) *from = p->launches;
    *to = s && s->launches && s->launches < p->launches - *from ? *from + s->launches : p->launches;
}

/* A solved launch; later launches with the same parts, samples included, reuse its result. */
enum { SOLVED = 256 }; /* most slots, by content; a newer launch replaces an older one */
struct solved {
    struct launch_place place;
    struct metrics m;
    struct rows_left rows[PAGE_MEMORIES];
    struct explanation x;
};
struct cycles_of {
    struct launch_place place;
    double cycles;
    bool used;
};

static uint32_t solved_slot(const struct launch_place *p, uint32_t slots)
{
    return (p->profile * UINT32_C(2654435761) + p->samples) % slots;
}

static bool same_parts(const struct launch_place *a, const struct launch_place *b)
{
    return a->profile == b->profile && a->samples == b->samples &&
           a->lines_before == b->lines_before && a->lines_after == b->lines_after &&
           digest_equal(a->likeness, b->likeness);
}

enum { RECENT = 4 }; /* number of recently solved launches that are compared with the next one */
struct recent {
    struct digest like;
    double filled; /* lines of the L2 in use before the launch, if that matters */
    bool used;
    uint32_t launch;
};

static struct recent *recent_find(struct recent *r, struct digest like, double filled)
{
    for (uint32_t i = 0; i < RECENT; i++)
        if (r[i].used && digest_equal(r[i].like, like) && r[i].filled == filled) return &r[i];
    return NULL;
}

struct run {
    struct launch_solver s;
    struct recent recent[RECENT];
    struct solved *solved; /* [slots], set where is_solved says so */
    bool is_solved[SOLVED];
    uint32_t slots, next;
    struct metrics *sum;
    struct explanation *x;
    /* of each memory: share of the ranks with an open row, after the last launch */
    double open[PAGE_MEMORIES];
};

static struct solved *solve_once(struct run *r, uint32_t launch, struct error *err)
{
    const struct launch_place *p = &r->s.p->place[launch];
    uint32_t slot = solved_slot(p, r->slots);
    struct solved *s = &r->solved[slot];
    if (r->is_solved[slot] && same_parts(&s->place, p)) return s;
    *s = (struct solved){.place = *p};
    struct launch_answer a = {.m = &s->m, .rows = s->rows, .x = r->x ? &s->x : NULL};
    r->is_solved[slot] = launch_solve(&r->s, launch, &a, err);
    return r->is_solved[slot] ? s : NULL;
}

static bool run_launch(struct run *r, uint32_t launch, struct error *err)
{
    struct digest like = r->s.p->place[launch].likeness;
    double filled = launch_filled_lines(r->s.p, launch, r->s.e->l2);
    struct recent *hit = recent_find(r->recent, like, filled);
    if (!hit) {
        hit = &r->recent[r->next++ % RECENT];
        *hit = (struct recent){.like = like, .filled = filled, .used = true, .launch = launch};
    }
    const struct solved *s = solve_once(r, hit->launch, err);
    if (!s) return false;
    if (r->x) explain_join(r->x, &s->x);
    metrics_accumulate(r->sum, &s->m, 1);
    for (uint32_t i = 0; i < PAGE_MEMORIES; i++)
        dram_energy_add_after(&s->rows[i], &r->open[i], r->sum);
    return true;
}

/* Finds the rows that the last launches before the scope left open. */
static bool find_open(struct run *r, uint32_t from, struct error *err)
{
    double still[PAGE_MEMORIES] = {1, dram_is_there(r->s.e->second_dram)};
    if (r->s.e->dram->energy.model != DRAM_ENERGY_COMMANDS) return true;
    for (uint32_t i = 0; i < RECENT && i < from; i++) {
        const struct solved *s = solve_once(r, from - 1 - i, err);
        if (!s) return false;
        for (uint32_t k = 0; k < PAGE_MEMORIES; k++) {
            r->open[k] += still[k] * s->rows[k].opened;
            still[k] *= (1 - s->rows[k].opened) * s->rows[k].kept;
        }
    }
    return true;
}

bool estimate(const struct profile *p, const struct scope *s, const struct est_params *e,
              struct metrics *m, struct explanation *x, struct error *err)
{
    struct run r = {.sum = m, .x = x};
    uint32_t from, to;
    *m = (struct metrics){0};
    if (x) *x = (struct explanation){0};
    scope_of(p, s, &from, &to);
    if (from == to)
        return error_input(err, "no launch to estimate; the program has %u", p->launches);
    r.slots = p->launches < SOLVED / 4 ? 4 * p->launches : SOLVED;
    r.solved = mem_new_unset(r.slots, sizeof *r.solved);
    bool ok = (r.solved || error_no_memory(err)) && launch_solver_init(&r.s, p, e, err) &&
              find_open(&r, from, err);
    for (uint32_t i = from; ok && i < to; i++)
        ok = run_launch(&r, i, err);
    mem_free(r.solved);
    launch_solver_fini(&r.s);
    if (!ok) return false;
    metrics_finish(m);
    if (x) explain_finish(x, e, m->v[M_cycles]);
    return true;
}

bool estimate_launches(const struct profile *p, const struct est_params *e, double *cycles,
                       struct error *err)
{
    struct launch_solver s;
    struct cycles_of *known = mem_new(SOLVED, sizeof *known);
    bool ok = launch_solver_init(&s, p, e, err) && (known || error_no_memory(err));
    for (uint32_t i = 0; ok && i < p->launches; i++) {
        struct cycles_of *k = &known[solved_slot(&p->place[i], SOLVED)];
        struct launch_answer a = {.cycles = &cycles[i]};
        cycles[i] = k->cycles;
        if (k->used && same_parts(&k->place, &p->place[i])) continue;
        cycles[i] = 0;
        ok = launch_solve(&s, i, &a, err);
        *k = (struct cycles_of){p->place[i], cycles[i], true};
    }
    mem_free(known);
    launch_solver_fini(&s);
    return ok;
}

_Static_assert((int)COURSE_PARTS == (int)PHASE_PARTS, "a course has the parts of the profile");

static void solve_parts(const struct launch_model *all, uint32_t parts, struct launch_course *out)
{
    double sum = 0;
    for (uint32_t i = 0; i < parts; i++) {
        struct launch_model m = *all;
        struct phase phase;
        out->access[i] = launch_model_part(all, i, &phase);
        launch_model_solve(&m, &phase);
        out->cycles[i] = m.cycles.all * out->access[i];
        sum += out->cycles[i];
    }
    for (uint32_t i = 0; i < parts; i++)
        out->cycles[i] /= sum;
}

bool estimate_course(const struct profile *p, uint32_t launch, const struct est_params *e,
                     struct launch_course *out, struct error *err)
{
    struct launch_solver s;
    struct launch_model m;
    uint32_t parts = profile_launch(p, launch)->phase.parts;
    *out = (struct launch_course){.parts = 1, .access = {1}, .cycles = {1}};
    if (parts < 2) return true;
    bool ok = launch_solver_init(&s, p, e, err) &&
              launch_model_init(&m, p, launch, e, &s.map, s.pages, err);
    if (ok) {
        out->parts = parts;
        solve_parts(&m, parts, out);
    }
    launch_solver_fini(&s);
    return ok;
}
