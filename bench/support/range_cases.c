#include "bench/support/range_cases.h"

#include "base/memory/rng.h"
#include "base/run/parallel.h"
#include "calibration/range_model.h"
#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sweeps/store/store.h"

bool range_list_read(struct range_list *l, const char *path)
{
    char line[4 * NAME];
    FILE *f = fopen(path, "r");
    while (f && l->n < LISTED_MAX && fgets(line, sizeof line, f)) {
        struct listed_row *r = &l->row[l->n];
        if (sscanf(line, "%63[^,],%63[^,],%63[^,],%63[^,\n]", r->kind, r->name, r->family,
                   r->half) == 4)
            l->n++;
    }
    if (f) fclose(f);
    return f != NULL;
}

static const struct listed_row *range_list_find(const struct range_list *l, const char *kind,
                                                const char *name)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->row[i].kind, kind) == 0 && strcmp(l->row[i].name, name) == 0)
            return &l->row[i];
    return NULL;
}

/* What a what-if changes: one or two of these, by one of the factors. */
static const char *const knobs[] = {
    "l1.kb",           "l1.latency",     "l1.mshr.entries",  "l2.bank_kb",     "l2.ways",
    "l2.mshr.entries", "l2.latency",     "l2.extra_latency", "noc.latency",    "noc.flit_bytes",
    "dram.channels",   "dram.clock_mhz", "dram.queue",       "clock.core_mhz", "clock.noc_mhz",
    "sm.vmb_entries",  "sm.count"};

enum { KNOBS = sizeof knobs / sizeof *knobs };

static const double factors[KNOB_FACTORS] = {0.5, 2, 0.5, 4};

static bool change_knob(struct machine *m, struct rng *r, char *sets)
{
    struct errors all = {0};
    double v, factor = factors[rng_below(r, KNOB_FACTORS)];
    char text[96];
    const char *set = text, *path = knobs[rng_below(r, KNOBS)];
    if (strstr(sets, path) || !machine_get_number(m, path, &v) || !(v > 0)) return false;
    snprintf(text, sizeof text, "%s=%.15g", path, v * factor);
    bool ok = machine_set(m, &set, 1, &all);
    errors_fini(&all);
    size_t n = strlen(sets);
    if (ok) snprintf(sets + n, SETS_TEXT - n, " %s", text);
    return ok;
}

static void draw_what_if(struct range_case *c, struct rng *r)
{
    uint32_t wanted = 1 + (uint32_t)rng_below(r, 2);
    for (uint32_t tries = 0, n = 0; n < wanted && tries < 100; tries++)
        n += change_knob(&c->m, r, c->sets);
}

static struct run_key key_of(const struct range_case *c, const struct program *p)
{
    return (struct run_key){.machine = machine_digest(&c->m),
                            .program = program_digest(p),
                            .engine = ENGINE_SIMULATE,
                            .version = engine_version(ENGINE_SIMULATE),
                            .settings = "max_instructions=0"};
}

static bool keep_case(struct range_cases *all, const struct range_case *c, const struct program *p,
                      struct error *e)
{
    struct text config = {0};
    machine_dump(&c->m, &config);
    struct stored_run run = {.key = key_of(c, p),
                             .from = {.machine_name = c->m.name,
                                      .machine_config = text_str(&config),
                                      .program_name = program_name(p),
                                      .program_spec = c->spec},
                             .record = &c->sim};
    bool ok = store_put_all(all->store, &run, 1, e);
    text_fini(&config);
    return ok;
}

static void take_metrics(struct record *r, const struct metrics *m)
{
    for (uint32_t i = 0; metrics_key(i); i++)
        r->has[i] = metrics_at(m, i, &r->value[i]);
}

static bool simulate_case(struct range_cases *all, struct range_case *c, const struct program *p,
                          struct error *e)
{
    struct run_key k = key_of(c, p);
    struct run_opts o;
    struct answer a = {0};
    pthread_mutex_lock(&all->reading);
    enum stored had = store_get(all->store, &k, &c->sim, e);
    pthread_mutex_unlock(&all->reading);
    if (had == STORED_DONE) return true;
    run_opts_default(&o);
    o.threads = 1;
    bool ok = engine_run(ENGINE_SIMULATE, &c->m, p, NULL, NULL, &o, &a, e);
    c->sim = (struct record){0};
    if (ok) take_metrics(&c->sim, &a.m);
    answer_fini(&a);
    return ok && keep_case(all, c, p, e);
}

static bool estimate_case(struct range_case *c, const struct program *p, struct error *e)
{
    struct run_opts o;
    struct answer a = {0};
    run_opts_default(&o);
    o.threads = 1;
    bool ok = engine_run(ENGINE_ESTIMATE, &c->m, p, NULL, NULL, &o, &a, e);
    if (ok) take_metrics(&c->est, &a.m);
    if (ok) range_features_find(&a.m, &a.x, c->feature);
    c->x = a.x;
    answer_fini(&a);
    return ok;
}

bool run_case(size_t i, unsigned worker, void *ctx)
{
    struct range_cases *all = ctx;
    struct range_case *c = &all->at[i];
    struct error e = {0};
    struct program_opts o = {.warp_width = c->m.sm.warp_width};
    (void)worker;
    struct program *p = program_open(c->spec, &o, &e);
    c->ok = p && simulate_case(all, c, p, &e) && estimate_case(c, p, &e);
    if (!c->ok)
        fprintf(stderr, "%s %s%s: %s\n", c->machine->name, c->program->name, c->sets, e.text);
    program_close(p);
    return true;
}

static void name_of(const char *spec, char out[NAME])
{
    const char *s = strrchr(spec, '/');
    snprintf(out, NAME, "%s", s ? s + 1 : spec);
    char *dot = strrchr(out, '.');
    if (dot) *dot = '\0';
}

bool add_cases(struct range_cases *all, const struct range_list *l,
               const struct listed_row *machine, const char *spec, uint32_t what_ifs)
{
    char name[NAME];
    struct errors errors = {0};
    struct machine m;
    struct rng r;
    name_of(spec, name);
    const struct listed_row *program = range_list_find(l, "program", name);
    if (!program || !machine_load(&m, machine->name, NULL, 0, &errors)) {
        fprintf(stderr, "sampler_ranges: %s is not in the list\n", program ? machine->name : name);
        return false;
    }
    rng_seed(&r, (uint64_t)(machine - l->row) * LISTED_MAX + (uint64_t)(program - l->row), 1);
    uint32_t base = all->n;
    for (uint32_t k = 0; k <= what_ifs && all->n < CASES_MAX; k++) {
        struct range_case *c = &all->at[all->n++];
        *c = (struct range_case){
            .machine = machine, .program = program, .spec = spec, .base = base, .m = m};
        if (k) draw_what_if(c, &r);
    }
    return true;
}
