/* engine_machines.c - samples several machines on the same intervals; see engine.h. */
#include "answer/launch_selection.h"
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "engine/bank_record.h"

/* The machines after the first, as sample.h takes them. */
struct machine_batch {
    const struct engine_job *first;
    struct engine_job *job; /* [n] */
    struct sample_other *item;
    struct error *refused; /* [n] errors found before anything ran */
    uint32_t *at;          /* [items] index of the item's machine */
    uint32_t n, items;
    engine_each_fn *each;
    void *ctx;
};

static bool tell(uint32_t i, struct answer *a, const struct error *failed, void *ctx)
{
    struct machine_batch *c = ctx;
    const struct engine_job *job = &c->job[c->at[i]];
    engine_job_name(a, ENGINE_SAMPLE, job->m, job->p, job->o->seed);
    a->threads = parallel_threads(job->o->threads);
    if (a->m.has[M_cycles]) engine_job_energy(job, a);
    if (!failed) bank_record(ENGINE_SAMPLE, job, a);
    /* since the machine's own first interval */
    engine_job_measure_host(a, progress_clock_seconds() - a->seconds);
    bool ok = c->each(c->at[i] + 1, a, failed, c->ctx);
    answer_fini(a);
    return ok;
}

static bool machine_batch_init(struct machine_batch *c, const struct machine *const *m,
                               struct error *e)
{
    c->job = mem_new((size_t)c->n + 1, sizeof *c->job);
    c->item = mem_new((size_t)c->n + 1, sizeof *c->item);
    c->at = mem_new((size_t)c->n + 1, sizeof *c->at);
    c->refused = mem_new((size_t)c->n + 1, sizeof *c->refused);
    if (!c->job || !c->item || !c->at || !c->refused) return error_no_memory(e);
    for (uint32_t i = 0; i < c->n; i++) {
        struct engine_job *job = &c->job[i];
        *job = *c->first;
        job->m = m[i + 1];
        if (!engine_job_fits(job, &c->refused[i]) || !engine_job_costs(job, &c->refused[i]))
            continue;
        c->at[c->items] = i;
        c->item[c->items++] = (struct sample_other){.m = job->m, .costs = &job->costs};
    }
    return true;
}

static void machine_batch_fini(struct machine_batch *c)
{
    mem_free(c->job);
    mem_free(c->item);
    mem_free(c->at);
    mem_free(c->refused);
}

/* Reports the machines on which the program does not fit. */
static bool tell_refused(struct machine_batch *c, struct error *e)
{
    struct answer *none = mem_new(1, sizeof *none);
    if (!none) return error_no_memory(e);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->n; i++)
        ok = c->refused[i].kind == ERROR_NONE || c->each(i + 1, none, &c->refused[i], c->ctx);
    mem_free(none);
    return ok || error_run(e, "stopped");
}

static bool run_crowd(struct engine_job *first, struct machine_batch *c,
                      const struct machine *const *machine, struct answer *a, struct error *err)
{
    struct sample_others others = {.done = tell, .ctx = c};
    if (!machine_batch_init(c, machine, err) || !tell_refused(c, err)) return false;
    others.item = c->item;
    others.n = c->items;
    first->others = &others;
    return engine_job_run(ENGINE_SAMPLE, first, a, err);
}

bool engine_sample_all(const struct machine *const *machine, uint32_t n, const struct program *p,
                       const struct run_opts *o, struct answer *a, engine_each_fn *each, void *ctx,
                       struct error *err)
{
    double since = progress_clock_seconds();
    *a = (struct answer){0};
    engine_job_name(a, ENGINE_SAMPLE, machine[0], p, o->seed);
    bool *selected = launch_selection_find(p, o, err);
    if (!selected) return false;
    struct engine_job job = {.m = machine[0], .p = p, .selected = selected, .o = o};
    struct machine_batch c = {.first = &job, .n = n - 1, .each = each, .ctx = ctx};
    bool ok = engine_job_fits(&job, err) && engine_job_costs(&job, err) &&
              run_crowd(&job, &c, machine, a, err);
    machine_batch_fini(&c);
    mem_free(selected);
    engine_job_measure_host(a, since);
    return ok;
}

struct pair {
    struct answer *b;
    struct error *e;
};

static bool keep_second(uint32_t i, struct answer *a, const struct error *failed, void *ctx)
{
    struct pair *pair = ctx;
    (void)i;
    if (failed) {
        *pair->e = *failed;
        return false;
    }
    *pair->b = *a;
    a->kernel = NULL;
    a->sites = NULL;
    return true;
}

bool engine_sample_pair(const struct machine *m, const struct machine *second,
                        const struct program *p, const struct run_opts *o, struct answer *a,
                        struct answer *b, struct error *err)
{
    const struct machine *both[] = {m, second};
    struct error failed = {0};
    struct pair pair = {.b = b, .e = &failed};
    *b = (struct answer){0};
    engine_job_name(b, ENGINE_SAMPLE, second, p, o->seed);
    if (engine_sample_all(both, 2, p, o, a, keep_second, &pair, err)) return true;
    if (failed.kind != ERROR_NONE) *err = failed;
    return false;
}
