#include "bench/support/known_cases.h"

#include "base/run/parallel.h"
#include "calibration/calibrate.h"
#include "engine/engine.h"
#include "gpu/metrics/model_version.h"
#include "sweeps/train/found_programs.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the list --- */

bool known_list_read(struct known_list *l, const char *path)
{
    char line[4 * KNOWN_NAME];
    FILE *f = fopen(path, "r");
    while (f && l->n < KNOWN_LISTED_MAX && fgets(line, sizeof line, f)) {
        struct known_row *r = &l->row[l->n];
        if (sscanf(line, "%63[^,],%63[^,],%63[^,],%63[^,\n]", r->kind, r->name, r->family,
                   r->half) == 4)
            l->n++;
    }
    if (f) fclose(f);
    return f != NULL;
}

uint32_t known_list_family(const struct known_list *l, const struct known_row *r)
{
    uint32_t i = 0;
    while (strcmp(l->row[i].family, r->family) != 0)
        i++;
    return i;
}

static const struct known_row *find_row(const struct known_list *l, const char *kind,
                                        const char *name)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->row[i].kind, kind) == 0 && strcmp(l->row[i].name, name) == 0)
            return &l->row[i];
    return NULL;
}

bool is_half(const struct known_row *r, const char *half)
{
    return strcmp(r->half, half) == 0;
}

/* --- what was simulated --- */

/* A case of a database has the texts of its machine and its program, one of a calibration has both
 * themselves. */
struct stored_case {
    char *config, *spec;           /* NULL: the case's machine is set already */
    const struct program *program; /* NULL: spec names it */
    double value[METRICS_KEYS_MAX];
};

struct reading {
    struct known_cases *all;
    struct stored_case *stored;
    struct found_programs programs;
};

static void set_unknown(double value[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        value[i] = NAN;
}

static struct stored_case *add_stored(struct reading *r, const struct known_case *c)
{
    struct known_cases *all = r->all;
    struct known_case *at = realloc(all->at, (all->n + 1) * sizeof *at);
    if (at) all->at = at;
    struct stored_case *stored = realloc(r->stored, (all->n + 1) * sizeof *stored);
    if (stored) r->stored = stored;
    if (!at || !stored) return NULL;
    at[all->n] = *c;
    stored[all->n] = (struct stored_case){.config = NULL};
    set_unknown(stored[all->n].value);
    return &stored[all->n++];
}

/* --- a database --- */

static char *text_of(sqlite3_stmt *s, int column)
{
    const char *v = (const char *)sqlite3_column_text(s, column);
    return strdup(v ? v : "");
}

static void name_of(const char *spec, char out[KNOWN_NAME])
{
    const char *s = strrchr(spec, '/');
    snprintf(out, KNOWN_NAME, "%.63s", s ? s + 1 : spec);
    char *dot = strrchr(out, '.');
    if (dot) *dot = '\0';
}

static void read_values(sqlite3_stmt *s, int64_t run, double value[METRICS_KEYS_MAX])
{
    sqlite3_reset(s);
    sqlite3_bind_int64(s, 1, run);
    while (sqlite3_step(s) == SQLITE_ROW) {
        uint32_t i = metrics_key_index((const char *)sqlite3_column_text(s, 0));
        if (i < METRICS_KEYS_MAX) value[i] = sqlite3_column_double(s, 1);
    }
}

static bool add_case(struct reading *r, const struct known_list *l, sqlite3_stmt *row,
                     sqlite3_stmt *values)
{
    char program[KNOWN_NAME];
    char *spec = text_of(row, 3), *preset = text_of(row, 1);
    name_of(spec, program);
    struct known_case c = {.program = find_row(l, "program", program),
                           .machine = find_row(l, "machine", preset)};
    snprintf(c.preset, sizeof c.preset, "%.63s", preset);
    free(preset);
    if (!c.program || !c.machine) {
        free(spec);
        return true;
    }
    struct stored_case *s = add_stored(r, &c);
    if (!s) return false;
    s->config = text_of(row, 2);
    s->spec = spec;
    read_values(values, sqlite3_column_int64(row, 0), s->value);
    return true;
}

static bool read_database(struct reading *r, const struct known_list *l, const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL, *values = NULL;
    bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db,
                                 "SELECT r.id, m.name, m.config, p.spec FROM run r "
                                 "JOIN machine m ON m.digest = r.machine "
                                 "JOIN program p ON p.digest = r.program "
                                 "WHERE r.status = 'done' AND r.engine = 'simulate' "
                                 "AND r.engine_version = ?1 ORDER BY r.id",
                                 -1, &row, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db, "SELECT name, value FROM metric WHERE run = ?1", -1, &values,
                                 NULL) == SQLITE_OK;
    if (ok) sqlite3_bind_int(row, 1, engine_version(ENGINE_SIMULATE));
    while (ok && sqlite3_step(row) == SQLITE_ROW)
        ok = add_case(r, l, row, values);
    sqlite3_finalize(row);
    sqlite3_finalize(values);
    sqlite3_close(db);
    return ok;
}

/* --- a calibration --- */

static bool add_known(struct reading *r, const struct known_list *l, const struct calibration *from,
                      uint32_t run, const struct machine *base)
{
    const struct kept_run *kept = &from->kept[run];
    struct known_case c = {.program = find_row(l, "program", kept->program),
                           .machine = find_row(l, "machine", base->name),
                           .m = *base};
    struct errors errors = {0};
    if (!c.program || !c.machine) return true;
    bool built = place_to_machine(&from->run[run].place, &c.m, &errors);
    errors_fini(&errors);
    const struct program *program =
        built ? found_programs_find(&r->programs, from->run[run].program, kept->program, &c.m)
              : NULL;
    if (!program) return true; /* a suite that was not captured */
    snprintf(c.preset, sizeof c.preset, "%.63s", base->name);
    struct stored_case *s = add_stored(r, &c);
    if (!s) return false;
    s->program = program;
    for (uint32_t k = 0; k < CALIBRATION_METRICS; k++)
        s->value[metrics_key_index(calibration_metric[k])] = kept->simulated[k];
    return true;
}

static bool read_calibration(struct reading *r, const struct known_list *l, const char *path)
{
    struct calibration from = {.n = 0};
    struct errors errors = {0};
    struct error e = {0};
    struct machine *base = calloc(1, sizeof *base);
    bool ok = base && calibration_load(&from, path, &e) && from.sim_version == SIM_MODEL_VERSION &&
              machine_load(base, from.machine, NULL, 0, &errors);
    for (uint32_t i = 0; ok && i < from.n; i++)
        ok = add_known(r, l, &from, i, base);
    free(base);
    errors_fini(&errors);
    calibration_fini(&from);
    return ok;
}

/* --- estimates --- */

static bool estimate_case(size_t i, unsigned worker, void *ctx)
{
    struct reading *r = ctx;
    struct known_case *c = &r->all->at[i];
    const struct stored_case *s = &r->stored[i];
    struct errors errors = {0};
    struct error e = {0};
    struct run_opts o;
    struct answer *a = calloc(1, sizeof *a);
    (void)worker;
    run_opts_default(&o);
    o.threads = 1;
    bool ok = a && (!s->config || machine_parse(&c->m, s->config, c->preset, NULL, 0, &errors));
    struct program_opts width = {.warp_width = c->m.sm.warp_width};
    struct program *opened = ok && s->spec ? program_open(s->spec, &width, &e) : NULL;
    const struct program *p = s->spec ? opened : s->program;
    c->ok = ok && p && engine_run(ENGINE_ESTIMATE, &c->m, p, NULL, NULL, &o, a, &e);
    if (c->ok) {
        c->run.program = program_digest(p);
        c->run.machine = machine_digest(&c->m);
        calibrate_know(&c->run, &c->m, &a->m, &a->x, s->value);
        range_features_find(&a->m, &a->x, c->feature);
        c->x = a->x;
    }
    answer_fini(a);
    free(a);
    program_close(opened);
    errors_fini(&errors);
    if (i % 500 == 0) fprintf(stderr, "%zu of %u estimated\n", i, r->all->n);
    return true;
}

/* The first case of a program on a preset is the preset itself. */
static void find_bases(struct known_cases *all)
{
    for (uint32_t i = 0; i < all->n; i++) {
        uint32_t k = 0;
        while (!digest_equal(all->at[k].run.program, all->at[i].run.program) ||
               strcmp(all->at[k].preset, all->at[i].preset) != 0)
            k++;
        all->at[i].base = k;
    }
}

/* A run that two sources have is one case. */
static bool is_again(const struct known_cases *all, uint32_t n, const struct known_case *c)
{
    for (uint32_t i = 0; i < n; i++)
        if (digest_equal(all->at[i].run.program, c->run.program) &&
            digest_equal(all->at[i].run.machine, c->run.machine))
            return true;
    return false;
}

static void drop_failed(struct known_cases *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->at[i].ok && !is_again(all, n, &all->at[i])) all->at[n++] = all->at[i];
    all->n = n;
}

/* NULL: it can; else the first that cannot. */
static const char *read_sources(struct reading *r, const struct known_list *l,
                                const char *const *path, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *dot = strrchr(path[i], '.');
        bool ok = dot && strcmp(dot, ".cal") == 0 ? read_calibration(r, l, path[i])
                                                  : read_database(r, l, path[i]);
        if (!ok) return path[i];
    }
    return NULL;
}

const char *known_cases_read(struct known_cases *all, const struct known_list *l,
                             const char *const *path, uint32_t n, unsigned threads)
{
    struct reading r = {.all = all};
    const char *bad = read_sources(&r, l, path, n);
    if (!bad) parallel_map(threads, all->n, estimate_case, &r);
    for (uint32_t i = 0; i < all->n; i++) {
        free(r.stored[i].config);
        free(r.stored[i].spec);
    }
    free(r.stored);
    found_programs_fini(&r.programs);
    drop_failed(all);
    find_bases(all);
    return bad;
}
