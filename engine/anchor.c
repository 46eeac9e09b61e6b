/* anchor.c - see anchor.h. */
#include "engine/anchor.h"

#include "base/memory/alloc.h"
#include "calibration/bank/bank.h"
#include "engine/constants.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/long_program.h"

#include <math.h>
#include <string.h>

/* Of simulating the whole program; a budget replaces the first intervals. */
static double price_of_sample(const struct machine *m, const struct program *p,
                              const struct run_opts *o, uint64_t instructions)
{
    struct sample_price price = long_program_price(m, p, NULL, 0);
    if (!engine_may_sample(m, p, o)) return 1;
    if (o->budget) price.intervals = (double)o->budget / (double)instructions;
    return fmin(sample_price_sum(&price), 1);
}

void anchor_choose(const struct machine *m, const struct program *p, const struct run_opts *o,
                   struct anchor *out)
{
    uint64_t n = long_program_instructions(p);
    bool samples = n > ANCHOR_INSTRUCTIONS;
    double price = samples ? price_of_sample(m, p, o, n) : 1;
    *out = (struct anchor){.engine = samples ? ENGINE_SAMPLE : ENGINE_SIMULATE,
                           .instructions = n,
                           .price = (uint64_t)(price * (double)n)};
}

bool anchor_is_dear(const struct anchor *a)
{
    return a->price > ANCHOR_MOST;
}

void anchor_find(const struct machine *m, const struct program *p, const struct run_opts *o,
                 struct anchor *out)
{
    struct bank_runs runs;
    const struct digest mine = machine_digest(m);
    anchor_choose(m, p, o, out);
    if (!bank_find(o->bank, program_digest(p), NULL, BANK_MOST, &runs, NULL)) return;
    for (size_t i = 0; i < runs.n; i++)
        out->known |= digest_equal(runs.run[i].machine, mine);
    bank_runs_fini(&runs);
}

bool anchor_from_bank(const struct machine *m, const struct program *p, struct bank *b,
                      double simulated[METRICS_KEYS_MAX])
{
    struct bank_runs runs;
    bool found = false;
    const struct digest mine = machine_digest(m);
    if (!b || !bank_find(b, program_digest(p), NULL, BANK_MOST, &runs, NULL)) return false;
    for (size_t i = 0; i < runs.n && !found; i++) {
        const struct bank_run *r = &runs.run[i];
        found = r->engine == ENGINE_SIMULATE && digest_equal(r->machine, mine);
        if (found) memcpy(simulated, r->simulated, METRICS_KEYS_MAX * sizeof *simulated);
    }
    bank_runs_fini(&runs);
    return found;
}

bool anchor_make(const struct anchor *a, const struct machine *m, const struct program *p,
                 const struct run_opts *o, struct error *e)
{
    struct answer *answer = mem_new(1, sizeof *answer);
    struct run_opts whole = *o;
    if (!answer) return error_no_memory(e);
    whole.causes = whole.per_kernel = whole.sites = false;
    bool ok = engine_run(a->engine, m, p, NULL, NULL, &whole, answer, e);
    answer_fini(answer);
    mem_free(answer);
    return ok;
}
