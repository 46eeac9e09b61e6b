/* write_batch.c - see write_batch.h. */
#include "sweeps/run/write_batch.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "sweeps/run/runner.h"

#include <stdatomic.h>

bool write_batch_init(struct write_batch *b, uint32_t limit, double seconds, struct error *e)
{
    *b =
        (struct write_batch){.limit = limit, .seconds = seconds, .since = progress_clock_seconds()};
    b->run = mem_new(limit, sizeof *b->run);
    b->row = mem_new(limit, sizeof *b->row);
    return (b->run && b->row) || error_no_memory(e);
}

void write_batch_fini(struct write_batch *b)
{
    mem_free(b->run);
    mem_free(b->row);
    *b = (struct write_batch){0};
}

struct finished *write_batch_next(struct write_batch *b)
{
    struct finished *f = &b->run[b->n];
    *f = (struct finished){0};
    return f;
}

void write_batch_add(struct write_batch *b)
{
    b->n++;
}

bool write_batch_due(const struct write_batch *b)
{
    return b->n == b->limit || (b->n && progress_clock_seconds() - b->since >= b->seconds);
}

/* Only the first run of a machine carries its configuration. */
static struct stored_run row_of(struct finished *f, const struct plan *p, enum engine engine,
                                bool known)
{
    const struct program *program = plan_program(p, f->workload, f->machine.sm.warp_width);
    const char *file = calibration_set_for(&p->calibrations, &f->machine)->file;
    uint32_t n = 0;
    if (!known) machine_dump(&f->machine, &f->config);
    for (uint32_t i = 0; i < p->n_axes && !known; i++) {
        if (!*plan_value(p, f->point, i)) continue; /* the axis does not apply at this point */
        f->path[n] = p->axis[i].path;
        f->value[n++] = plan_value(p, f->point, i);
    }
    return (struct stored_run){
        .key = runner_key(p, f->point, &f->machine, f->workload, engine),
        .record = &f->record,
        .from = {.machine_name = f->machine.name,
                 .machine_config = known ? NULL : text_str(&f->config),
                 .program_name = program_name(program),
                 .program_spec = p->workload[f->workload].spec,
                 .calibration_file = file[0] && engine == ENGINE_ESTIMATE ? file : NULL,
                 .path = f->path,
                 .value = f->value,
                 .n_axes = n},
    };
}

bool write_batch_store(struct write_batch *b, const struct plan *p, struct store *s,
                       enum engine engine, _Atomic bool *known, struct error *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < b->n; i++) {
        struct finished *f = &b->run[i];
        b->row[i] = row_of(f, p, engine, atomic_load(&known[f->point]));
        ok = ok && !f->config.failed;
    }
    ok = ok ? store_put_all(s, b->row, b->n, e) : error_no_memory(e);
    b->since = progress_clock_seconds();
    for (uint32_t i = 0; i < b->n; i++) {
        text_fini(&b->run[i].config);
        if (ok) atomic_store(&known[b->run[i].point], true); /* only after the commit */
    }
    return ok;
}
