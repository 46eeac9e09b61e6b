/* anchor.c - see anchor.h. */
#include "engine/anchor.h"

#include "base/memory/alloc.h"
#include "calibration/bank/bank.h"
#include "engine/constants.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/long_program.h"

void anchor_find(const struct machine *m, const struct program *p, const struct run_opts *o,
                 struct anchor *out)
{
    struct bank_runs runs;
    const struct digest mine = machine_digest(m);
    uint64_t n = long_program_instructions(p);
    *out = (struct anchor){.engine = n <= ANCHOR_INSTRUCTIONS ? ENGINE_SIMULATE : ENGINE_SAMPLE,
                           .instructions = n};
    if (!bank_find(o->bank, program_digest(p), NULL, BANK_MOST, &runs, NULL)) return;
    for (size_t i = 0; i < runs.n; i++)
        out->known |= digest_equal(runs.run[i].machine, mine);
    bank_runs_fini(&runs);
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
