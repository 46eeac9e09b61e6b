/* sweep_anchors.c - see sweep_anchors.h. */
#include "sweeps/run/sweep_anchors.h"

#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "base/text/text.h"
#include "calibration/bank/bank.h"
#include "engine/anchor.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/run/runner.h"
#include "sweeps/run/runner_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An anchor with its two rows of the store: the run, and the estimate that nothing corrected. */
struct anchor_rows {
    const struct machine *machine;
    const struct program *program;
    const char *spec;
    struct anchor is;
    struct run_key run, estimate;
    bool has_run, has_estimate; /* in the store */
};

static struct anchor_rows rows_of(const struct plan *p, uint32_t i)
{
    const struct plan_anchor *a = &p->anchor[i];
    struct anchor_rows x = {.machine = &p->base[a->base], .spec = p->workload[a->workload].spec};
    const struct digest machine = machine_digest(x.machine);
    x.program = plan_program(p, a->workload, x.machine);
    anchor_choose(x.machine, x.program, &p->opts, &x.is);
    x.run = runner_key_alone(p, machine, program_digest(x.program), x.is.engine);
    x.estimate = runner_key_alone(p, machine, program_digest(x.program), ENGINE_ESTIMATE);
    x.estimate.calibration = p->calibrations.digest; /* its ranges */
    return x;
}

/* failed: counts as stored. */
static bool is_stored(struct store *s, const struct run_key *k, bool retry, bool *stored,
                      struct error *e)
{
    enum stored state = s ? store_get(s, k, NULL, e) : STORED_NO;
    *stored = state == STORED_DONE || (state == STORED_FAILED && !retry);
    return state != STORED_ERROR;
}

static bool look_up(const struct plan *p, uint32_t i, struct store *s, bool retry,
                    struct anchor_rows *x, struct error *e)
{
    *x = rows_of(p, i);
    return is_stored(s, &x->run, retry, &x->has_run, e) &&
           is_stored(s, &x->estimate, retry, &x->has_estimate, e);
}

bool sweep_anchors_count(const struct plan *p, struct store *s, struct sweep_anchors_missing *m,
                         struct error *e)
{
    struct anchor_rows x;
    *m = (struct sweep_anchors_missing){0};
    for (uint32_t i = 0; i < p->n_anchors; i++) {
        if (!look_up(p, i, s, false, &x, e)) return false;
        if (x.has_run) continue;
        m->simulated += x.is.engine == ENGINE_SIMULATE;
        m->sampled += x.is.engine != ENGINE_SIMULATE;
        m->instructions += x.is.instructions;
    }
    return true;
}

/* --- making ----------------------------------------------------------------------------------- */

struct anchors_making {
    const struct plan *plan;
    struct store *store;
    const struct sweep_anchors_request *request;
    struct anchor_rows *row; /* [n] those that the store lacks */
    size_t n;
    struct error *failed; /* [n] what stopped each; ERROR_NONE: nothing */
};

static bool put(const struct anchors_making *x, const struct anchor_rows *a,
                const struct run_key *k, const struct record *r, struct error *e)
{
    struct text config = {0};
    machine_dump(a->machine, &config);
    const struct stored_run row = {.key = *k,
                                   .record = r,
                                   .from = {.machine_name = a->machine->name,
                                            .machine_config = text_str(&config),
                                            .program_name = program_name(a->program),
                                            .program_spec = a->spec}};
    bool ok = config.failed ? error_no_memory(e) : store_put_all(x->store, &row, 1, e);
    text_fini(&config);
    return ok;
}

static bool run_into(const struct anchors_making *x, const struct anchor_rows *a,
                     enum engine engine, struct record *r, struct error *e)
{
    struct error why = {0};
    struct run_opts o = x->plan->opts;
    struct answer *answer = mem_new(1, sizeof *answer);
    double start = progress_clock_seconds();
    if (!answer) return error_no_memory(e);
    o.threads = 1;
    const struct calibration *cal = engine == ENGINE_ESTIMATE ? &x->plan->calibrations.bare : NULL;
    if (engine_run(engine, a->machine, a->program, cal, NULL, &o, answer, &why))
        runner_record_answer(r, answer);
    else
        runner_record_failure(r, &why);
    r->host_seconds = progress_clock_seconds() - start;
    answer_fini(answer);
    mem_free(answer);
    return why.kind != ERROR_INTERRUPTED || error_interrupted(e, "simulating the anchors");
}

/* A simulation that the bank has is that of the store's key: bit for bit what would be made. */
static bool take_from_bank(const struct anchors_making *x, const struct anchor_rows *a,
                           struct record *r)
{
    double value[METRICS_KEYS_MAX];
    if (a->is.engine != ENGINE_SIMULATE ||
        !anchor_from_bank(a->machine, a->program, x->plan->opts.bank, value))
        return false;
    for (uint32_t i = 0; metrics_key(i); i++) {
        r->has[i] = !isnan(value[i]);
        r->value[i] = r->has[i] ? value[i] : 0;
    }
    return true;
}

static bool make_rows(const struct anchors_making *x, const struct anchor_rows *a, struct record *r,
                      struct error *e)
{
    if (!a->has_run && !take_from_bank(x, a, r) && !run_into(x, a, a->is.engine, r, e))
        return false;
    if (!a->has_run && !put(x, a, &a->run, r, e)) return false;
    if (r->failed || a->has_estimate) return true;
    *r = (struct record){0};
    return run_into(x, a, ENGINE_ESTIMATE, r, e) && put(x, a, &a->estimate, r, e);
}

static bool make_one(size_t i, unsigned worker, void *ctx)
{
    struct anchors_making *x = ctx;
    struct progress *g = x->request->progress;
    struct record *r = mem_new(1, sizeof *r);
    (void)worker;
    bool ok = r ? make_rows(x, &x->row[i], r, &x->failed[i]) : error_no_memory(&x->failed[i]);
    mem_free(r);
    if (!ok) return false;
    if (g) progress_add(g, 1);
    return !plumb_interrupted;
}

static bool list_missing(struct anchors_making *x, struct error *e)
{
    const struct plan *p = x->plan;
    for (uint32_t i = 0; i < p->n_anchors; i++) {
        struct anchor_rows *a = &x->row[x->n];
        if (!look_up(p, i, x->store, x->request->retry, a, e)) return false;
        x->n += !a->has_run || !a->has_estimate;
    }
    return true;
}

static bool make_listed(struct anchors_making *x, struct error *e)
{
    struct progress *g = x->request->progress;
    if (x->n == 0) return true;
    if (g) progress_start(g, "anchors", x->n);
    bool ok = parallel_map(x->request->threads, x->n, make_one, x);
    if (g) progress_finish(g);
    for (size_t i = 0; !ok && i < x->n; i++) {
        if (x->failed[i].kind == ERROR_NONE) continue;
        *e = x->failed[i];
        return false;
    }
    return ok || error_interrupted(e, "simulating the anchors");
}

bool sweep_anchors_make(const struct plan *p, struct store *s,
                        const struct sweep_anchors_request *q, struct error *e)
{
    struct anchors_making x = {.plan = p, .store = s, .request = q};
    if (p->n_anchors == 0) return true;
    x.row = mem_new(p->n_anchors, sizeof *x.row);
    x.failed = mem_new(p->n_anchors, sizeof *x.failed);
    bool ok = (x.row && x.failed) || error_no_memory(e);
    ok = ok && list_missing(&x, e) && make_listed(&x, e);
    mem_free(x.row);
    mem_free(x.failed);
    return ok;
}

/* --- other stores ----------------------------------------------------------------------------- */

/* A store that cannot be read counts as empty. */
static bool take_row(const struct anchors_making *x, const struct anchor_rows *a,
                     const struct run_key *k, struct store *from, struct error *e)
{
    struct record *r = mem_new(1, sizeof *r);
    if (!r) return error_no_memory(e);
    struct error why;
    bool ok = store_get(from, k, r, &why) != STORED_DONE || put(x, a, k, r, e);
    mem_free(r);
    return ok;
}

bool sweep_anchors_take(const struct plan *p, struct store *from, struct store *into,
                        struct error *e)
{
    struct anchors_making x = {.plan = p, .store = into};
    bool ok = true;
    for (uint32_t i = 0; ok && i < p->n_anchors; i++) {
        struct anchor_rows a;
        ok = look_up(p, i, into, false, &a, e) &&
             (a.has_run || take_row(&x, &a, &a.run, from, e)) &&
             (a.has_estimate || take_row(&x, &a, &a.estimate, from, e));
    }
    return ok;
}

/* --- learning --------------------------------------------------------------------------------- */

static void values_of(const struct record *r, double out[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        out[i] = r->has[i] ? r->value[i] : NAN;
}

static void know(const struct anchor_rows *a, const struct record *run,
                 const struct record *estimate, struct known_run *out)
{
    double simulated[METRICS_KEYS_MAX], estimated[METRICS_KEYS_MAX];
    values_of(run, simulated);
    values_of(estimate, estimated);
    bool exact = !run->has_confidence || !(run->half_width > 0);
    *out = (struct known_run){.program = a->run.program,
                              .machine = a->run.machine,
                              .log_sd = exact ? 0 : bank_log_sd(run->half_width, run->level)};
    place_of_machine(&out->place, a->machine);
    memcpy(out->place.feature, estimate->place.use, sizeof out->place.feature);
    out->place.estimate = estimate->place.log_cycles;
    calibrate_errors(out, estimated, simulated);
}

/* *known: both rows are there. */
static bool read_anchor(const struct plan *p, uint32_t i, struct store *s, struct record r[2],
                        struct known_run *out, bool *known, struct error *e)
{
    const struct anchor_rows a = rows_of(p, i);
    const struct run_key *key[2] = {&a.run, &a.estimate};
    *known = true;
    for (int k = 0; k < 2; k++) {
        enum stored state = store_get(s, key[k], &r[k], e);
        if (state == STORED_ERROR) return false;
        *known = *known && state == STORED_DONE;
    }
    *known = *known && r[1].has_place && record_metric(&r[0], "cycles") > 0;
    if (*known) know(&a, &r[0], &r[1], out);
    return true;
}

bool sweep_anchors_teach(struct plan *p, struct store *s, struct error *e)
{
    uint32_t n = 0;
    if (p->n_anchors == 0) return true;
    struct known_run *run = mem_new(p->n_anchors, sizeof *run);
    struct record *r = mem_new(2, sizeof *r);
    bool ok = (run && r) || error_no_memory(e);
    for (uint32_t i = 0; ok && i < p->n_anchors; i++) {
        bool known;
        ok = read_anchor(p, i, s, r, &run[n], &known, e);
        n += ok && known;
    }
    ok = ok && calibration_set_learn(&p->calibrations, run, n, e);
    mem_free(run);
    mem_free(r);
    return ok;
}
