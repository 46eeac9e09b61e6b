/* write_batch.c - see write_batch.h. */
#include "sweeps/run/write_batch.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "sweeps/run/runner.h"

#include <stdatomic.h>
#include <string.h>

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

bool write_bases_init(struct write_bases *b, const struct plan *p, struct error *e)
{
    *b = (struct write_bases){.of = mem_new(p->n_machines, sizeof *b->of),
                              .config = mem_new(p->n_machines, sizeof *b->config)};
    if (!b->of || !b->config) return error_no_memory(e);
    for (; b->n < p->n_machines; b->n++) {
        const struct machine *m = &p->base[b->n];
        struct machine_text *t = &b->of[b->n];
        machine_dump(m, &b->config[b->n]);
        if (b->config[b->n].failed) return error_no_memory(e);
        *t = (struct machine_text){.name = m->name, .config = text_str(&b->config[b->n])};
        digest_hex(machine_digest(m), t->digest);
    }
    return true;
}

void write_bases_fini(struct write_bases *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        text_fini(&b->config[i]);
    mem_free(b->of);
    mem_free(b->config);
    *b = (struct write_bases){0};
}

/* A base is as good as another where none has the machine's name. */
static const struct machine_text *base_of(const struct write_bases *b, const struct machine *m)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (strcmp(b->of[i].name, m->name) == 0) return &b->of[i];
    return b->n ? &b->of[0] : NULL;
}

/* Only the first run of a machine carries its configuration. */
static void add_machine(struct finished *f, const struct write_target *t, struct provenance *from)
{
    const struct plan *p = t->plan;
    machine_dump(&f->machine, &f->config);
    from->machine_config = text_str(&f->config);
    from->like = base_of(t->bases, &f->machine);
    from->path = f->path;
    from->value = f->value;
    for (uint32_t i = 0; i < p->n_axes && !t->sweep; i++) {
        if (!*plan_value(p, f->point, i)) continue; /* the axis does not apply at this point */
        f->path[from->n_axes] = p->axis[i].path;
        f->value[from->n_axes++] = plan_value(p, f->point, i);
    }
}

static struct stored_run row_of(struct finished *f, const struct write_target *t)
{
    const struct plan *p = t->plan;
    const struct program *program = plan_program(p, f->workload, &f->machine);
    const char *file = calibration_set_for(&p->calibrations, &f->machine)->file;
    struct stored_run row = {
        .key = runner_key(p, f->point, &f->machine, f->workload, t->engine),
        .record = &f->record,
        .from = {.machine_name = f->machine.name,
                 .program_name = program_name(program),
                 .program_spec = p->workload[f->workload].spec,
                 .calibration_file = file[0] && t->engine == ENGINE_ESTIMATE ? file : NULL},
    };
    if (!atomic_load(&t->known[f->point])) add_machine(f, t, &row.from);
    return row;
}

bool write_batch_store(struct write_batch *b, const struct write_target *t, struct error *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < b->n; i++) {
        b->row[i] = row_of(&b->run[i], t);
        ok = ok && !b->run[i].config.failed;
    }
    ok = ok ? store_put_all(t->store, b->row, b->n, e) : error_no_memory(e);
    b->since = progress_clock_seconds();
    for (uint32_t i = 0; i < b->n; i++) {
        text_fini(&b->run[i].config);
        if (ok) atomic_store(&t->known[b->run[i].point], true); /* only after the commit */
    }
    return ok;
}
