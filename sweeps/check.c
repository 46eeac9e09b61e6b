/* check.c - see check.h. */
#include "sweeps/check.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

/* Selection sampling (Knuth, algorithm S): each set of `count` points is equally likely. */
void check_draw(uint32_t points, uint32_t count, uint64_t seed, uint32_t *out)
{
    struct rng r;
    uint32_t taken = 0;
    rng_seed(&r, seed, 0);
    for (uint32_t i = 0; i < points && taken < count; i++)
        if (rng_below(&r, points - i) < count - taken) out[taken++] = i;
}

static bool cycles_of(const struct plan *p, struct store *s, const struct check_row *row,
                      enum engine engine, double *cycles, struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    if (!r) return error_no_memory(e);
    enum stored state = runner_get(p, s, row->point, row->workload, engine, r, e);
    *cycles = state == STORED_DONE && r->has[0] ? r->value[0] : NAN; /* key 0 is "cycles" */
    mem_free(r);
    return state != STORED_ERROR;
}

static bool collect(struct check *c, const struct plan *p, struct store *s, const uint32_t *point,
                    struct error *e)
{
    c->row = mem_new((size_t)c->n_points * p->n_workloads, sizeof *c->row);
    if (!c->row) return error_no_memory(e);
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        for (uint32_t i = 0; i < c->n_points; i++) {
            struct check_row *row = &c->row[c->n++];
            *row = (struct check_row){.point = point[i], .workload = w};
            if (!cycles_of(p, s, row, p->engine, &row->answer, e) ||
                !cycles_of(p, s, row, ENGINE_SIMULATE, &row->simulated, e))
                return false;
            c->failed += isnan(row->answer) || isnan(row->simulated);
        }
    }
    return true;
}

bool check_run(struct check *c, const struct plan *p, struct store *s, uint32_t count,
               uint64_t seed, unsigned threads, struct progress *progress, struct error *e)
{
    *c = (struct check){.n_points = count < plan_points(p) ? count : plan_points(p)};
    uint32_t *point = mem_new(c->n_points, sizeof *point);
    if (!point) return error_no_memory(e);
    check_draw(plan_points(p), c->n_points, seed, point);
    struct run_request q = {.engine = p->engine, .point = point, .n_points = c->n_points};
    struct run_result answers;
    q.threads = threads;
    bool ok = runner_run(p, s, &q, &answers, e);
    q.engine = ENGINE_SIMULATE;
    q.progress = progress;
    ok = ok && runner_run(p, s, &q, &c->simulated, e) && collect(c, p, s, point, e);
    mem_free(point);
    return ok;
}

void check_fini(struct check *c)
{
    mem_free(c->row);
    *c = (struct check){0};
}

static bool counts(const struct check_row *row, uint32_t workload)
{
    if (isnan(row->answer) || isnan(row->simulated)) return false;
    return workload == UINT32_MAX || row->workload == workload;
}

struct error_summary check_errors(const struct check *c, uint32_t workload)
{
    uint32_t n = 0;
    struct error_summary sum = {NAN, NAN, NAN, NAN};
    double *e = mem_new(c->n ? c->n : 1, sizeof *e);
    if (!e) return sum;
    for (uint32_t i = 0; i < c->n; i++)
        if (counts(&c->row[i], workload)) e[n++] = fabs(c->row[i].answer / c->row[i].simulated - 1);
    sum = error_summarise(e, n);
    mem_free(e);
    return sum;
}

static void rank_one(const struct check *c, uint32_t workload, double *truth, double *guess,
                     struct rank *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!counts(&c->row[i], workload)) continue;
        truth[n] = c->row[i].simulated;
        guess[n++] = c->row[i].answer;
    }
    rank_add(r, truth, guess, n);
}

struct rank check_rank(const struct check *c, uint32_t workload)
{
    struct rank r = {0};
    uint32_t last = c->n ? c->row[c->n - 1].workload : 0;
    double *space = mem_new(2 * (size_t)(c->n ? c->n : 1), sizeof *space);
    if (!space) return r;
    for (uint32_t w = 0; w <= last; w++)
        if (workload == UINT32_MAX || workload == w) rank_one(c, w, space, space + c->n, &r);
    mem_free(space);
    return r;
}
