/* estimate.c - a program's estimate: solves its launches one after the other; equal launches
 * once. */
#include "estimator/model/estimate.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"
#include "estimator/model/explain.h"
#include "estimator/model/launch_model.h"
#include "estimator/model/math_util.h"

const char *const coef_name[COEF_N] = {[COEF_LATENCY] = "latency",
                                       [COEF_DRAM] = "dram",
                                       [COEF_MLP] = "mlp",
                                       [COEF_ISSUE] = "issue",
                                       [COEF_L2] = "l2"};

struct correction correction_none(void)
{
    struct correction c = {.log_sd = UNCALIBRATED_SD};
    for (uint32_t i = 0; i < COEF_N; i++)
        c.coef[i] = 1;
    return c;
}

static bool same_view(const struct profile *p, const struct est_params *e, struct error *err)
{
    struct profile_view v = profile_view_of(e->sm, e->l1, e->l2, e->coherence);
    return profile_view_equal(&v, &p->view) || (e->near && profile_view_near(&v, &p->view)) ||
           error_run(err, "the profile was made for another view of the program");
}

/* The results for one launch; any of the three may be NULL. */
struct launch_answer {
    struct metrics *m;
    struct rows_left *rows; /* requires m */
    struct explanation *x;
    double *cycles;
};

static struct launch_samples samples_of(const struct profile *p, uint32_t launch)
{
    const struct address_samples *s = profile_samples(p, launch);
    double asked = profile_launch(p, launch)->l2_ops[0];
    return (struct launch_samples){.spread = &s->spread,
                                   .each = math_larger(1, math_over(asked, s->spread.n)),
                                   .rows = s->rows,
                                   .lines = &s->lines,
                                   .content = &p->sampled[p->place[launch].samples]};
}

/* Combines the part that the launch shares with others and its own values. */
static void launch_of(const struct profile *p, uint32_t launch, struct launch_profile *out)
{
    *out = *profile_launch(p, launch);
    out->lines_before = p->place[launch].lines_before;
    out->lines_after = p->place[launch].lines_after;
}

static void add_metrics(const struct launch_answer *a, const struct launch_model *m, double weight)
{
    struct metrics part;
    struct rows_left rows;
    launch_model_metrics(m, &part, &rows);
    metrics_accumulate(a->m, &part, weight);
    a->rows->added_mj += weight * rows.added_mj;
    a->rows->opened += weight * rows.opened;
    a->rows->kept += weight * rows.kept;
}

static bool solve_launch(const struct profile *p, uint32_t launch, const struct est_params *e,
                         const struct correction *c, const struct map *map,
                         const struct launch_answer *a, struct error *err)
{
    struct launch_model all;
    struct launch_profile own;
    struct phase phase[PHASES];
    const struct launch_samples samples = samples_of(p, launch);
    launch_of(p, launch, &own);
    if (!launch_model_init(&all, &own, &samples, &p->shape[launch], &p->view, e, c, map, err))
        return false;
    uint32_t n = launch_model_phases(&all, phase);
    for (uint32_t i = 0; i < n; i++) {
        struct launch_model m = all;
        launch_model_solve(&m, &phase[i]);
        all.near = m.result.throughput;
        if (a->m) add_metrics(a, &m, 1.0 / n);
        if (a->x) explain_add(a->x, &m, 1.0 / n);
        if (a->cycles) *a->cycles += m.cycles / n;
    }
    return true;
}

static void scope_of(const struct profile *p, const struct scope *s, uint32_t *from, uint32_t *to)
{
    *from = s ? s->launch0 : 0;
    if (*from > p->launches) *from = p->launches;
    *to = s && s->launches && s->launches < p->launches - *from ? *from + s->launches : p->launches;
}

/* A solved launch; later launches with the same parts, samples included, reuse its result. */
enum { SOLVED = 256 }; /* slots, by content; a newer launch replaces an older one */
struct solved {
    struct launch_place place;
    bool used;
    struct metrics m;
    struct rows_left rows;
    struct explanation x;
};
struct cycles_of {
    struct launch_place place;
    double cycles;
    bool used;
};

static uint32_t solved_slot(const struct launch_place *p)
{
    return (p->profile * UINT32_C(2654435761) + p->samples) % SOLVED;
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
    const struct profile *p;
    const struct est_params *e;
    const struct correction *c;
    struct map map;
    struct recent recent[RECENT];
    struct solved *solved; /* [SOLVED] */
    uint32_t next;
    struct metrics *sum;
    struct explanation *x;
    double open; /* share of the ranks with an open row, after the last launch */
};

static struct solved *solve_once(struct run *r, uint32_t launch, struct error *err)
{
    const struct launch_place *p = &r->p->place[launch];
    struct solved *s = &r->solved[solved_slot(p)];
    if (s->used && same_parts(&s->place, p)) return s;
    *s = (struct solved){.place = *p};
    struct launch_answer a = {.m = &s->m, .rows = &s->rows, .x = r->x ? &s->x : NULL};
    s->used = solve_launch(r->p, launch, r->e, r->c, &r->map, &a, err);
    return s->used ? s : NULL;
}

static bool run_launch(struct run *r, uint32_t launch, struct error *err)
{
    const struct l2_params *l2 = r->e->l2;
    double lines = (double)l2->banks * l2->cache.sets * l2->cache.ways, filled = 0;
    if (l2->miss_management == MISS_CONVENTIONAL || l2->inclusion == INCLUSION_FULL)
        filled = math_smaller(lines, r->p->place[launch].lines_before);
    struct recent *hit = recent_find(r->recent, r->p->place[launch].likeness, filled);
    if (!hit) {
        hit = &r->recent[r->next++ % RECENT];
        *hit = (struct recent){
            .like = r->p->place[launch].likeness, .filled = filled, .used = true, .launch = launch};
    }
    const struct solved *s = solve_once(r, hit->launch, err);
    if (!s) return false;
    if (r->x) explain_join(r->x, &s->x);
    metrics_accumulate(r->sum, &s->m, 1);
    dram_energy_add_after(&s->rows, &r->open, r->sum);
    return true;
}

/* Finds the rows that the launches before the scope left open: goes back over the last ones until
 * the remaining effect is small. */
static bool find_open(struct run *r, uint32_t from, struct error *err)
{
    double still = 1;
    if (r->e->dram->energy.model != DRAM_ENERGY_COMMANDS) return true;
    for (uint32_t i = 0; i < RECENT && i < from && still > OPEN_ROWS_LEAST; i++) {
        const struct solved *s = solve_once(r, from - 1 - i, err);
        if (!s) return false;
        r->open += still * s->rows.opened;
        still *= (1 - s->rows.opened) * s->rows.kept;
    }
    return true;
}

bool estimate(const struct profile *p, const struct scope *s, const struct est_params *e,
              const struct correction *c, struct metrics *m, struct explanation *x,
              struct error *err)
{
    struct correction none = correction_none();
    struct run r = {.p = p, .e = e, .c = c ? c : &none, .sum = m, .x = x};
    uint32_t from, to;
    *m = (struct metrics){0};
    if (x) *x = (struct explanation){0};
    if (!same_view(p, e, err) || !map_init(&r.map, e->l2, e->dram, err)) return false;
    scope_of(p, s, &from, &to);
    if (from == to)
        return error_input(err, "no launch to estimate; the program has %u", p->launches);
    r.solved = mem_new(SOLVED, sizeof *r.solved);
    bool ok = (r.solved || error_no_memory(err)) && find_open(&r, from, err);
    for (uint32_t i = from; ok && i < to; i++)
        ok = run_launch(&r, i, err);
    mem_free(r.solved);
    if (!ok) return false;
    metrics_finish(m);
    if (x) explain_finish(x, e, m->v[M_cycles]);
    return true;
}

bool estimate_launches(const struct profile *p, const struct est_params *e,
                       const struct correction *c, double *cycles, struct error *err)
{
    struct correction none = correction_none();
    struct map map;
    if (!same_view(p, e, err) || !map_init(&map, e->l2, e->dram, err)) return false;
    struct cycles_of *known = mem_new(SOLVED, sizeof *known);
    bool ok = known || error_no_memory(err);
    for (uint32_t i = 0; ok && i < p->launches; i++) {
        struct cycles_of *k = &known[solved_slot(&p->place[i])];
        struct launch_answer a = {.cycles = &cycles[i]};
        cycles[i] = k->cycles;
        if (k->used && same_parts(&k->place, &p->place[i])) continue;
        cycles[i] = 0;
        ok = solve_launch(p, i, e, c ? c : &none, &map, &a, err);
        *k = (struct cycles_of){p->place[i], cycles[i], true};
    }
    mem_free(known);
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
        out->cycles[i] = m.cycles * out->access[i];
        sum += out->cycles[i];
    }
    for (uint32_t i = 0; i < parts; i++)
        out->cycles[i] /= sum;
}

bool estimate_course(const struct profile *p, uint32_t launch, const struct est_params *e,
                     const struct correction *c, struct launch_course *out, struct error *err)
{
    struct correction none = correction_none();
    struct launch_model m;
    struct map map;
    struct launch_profile own;
    const struct launch_samples samples = samples_of(p, launch);
    uint32_t parts = profile_launch(p, launch)->phase.parts;
    *out = (struct launch_course){.parts = 1, .access = {1}, .cycles = {1}};
    if (parts < 2) return true;
    launch_of(p, launch, &own);
    if (!same_view(p, e, err) || !map_init(&map, e->l2, e->dram, err) ||
        !launch_model_init(&m, &own, &samples, &p->shape[launch], &p->view, e, c ? c : &none, &map,
                           err))
        return false;
    out->parts = parts;
    solve_parts(&m, parts, out);
    return true;
}
