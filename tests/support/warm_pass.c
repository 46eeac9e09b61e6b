#include "tests/support/warm_pass.h"

#include <string.h>

bool checkpoints_take_snapshots(const struct machine *m, const struct program *p,
                                const uint64_t *moments, uint32_t n, bool want_warm,
                                struct snapshot *out, struct error *e)
{
    struct warming_pass w;
    struct error scratch;
    if (!e) e = &scratch;
    memset(out, 0, n * sizeof *out);
    bool ok = warming_pass_init(&w, m, p, want_warm, e);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = functional_run_until(&w.functional, moments[i], e) &&
             warming_pass_snapshot(&w, &out[i], e);
    warming_pass_fini(&w);
    for (uint32_t i = 0; !ok && i < n; i++)
        snapshot_fini(&out[i]);
    return ok;
}
