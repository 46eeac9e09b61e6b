#include "bench/support/known_cases.h"

#include "base/run/parallel.h"
#include "calibration/calibrate.h"
#include "engine/engine.h"
#include "gpu/metrics/model_version.h"

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

/* --- the database --- */

struct stored_case {
    char *config, *spec;
    double value[METRICS_KEYS_MAX];
};

struct reading {
    struct known_cases *all;
    struct stored_case *stored;
};

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
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        value[i] = NAN;
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
    struct known_cases *all = r->all;
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
    all->at = realloc(all->at, (all->n + 1) * sizeof *all->at);
    r->stored = realloc(r->stored, (all->n + 1) * sizeof *r->stored);
    if (!all->at || !r->stored) return false;
    struct stored_case *s = &r->stored[all->n];
    s->config = text_of(row, 2);
    s->spec = spec;
    read_values(values, sqlite3_column_int64(row, 0), s->value);
    all->at[all->n++] = c;
    return true;
}

static bool read_runs(struct reading *r, const struct known_list *l, const char *path)
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
    bool ok = a && machine_parse(&c->m, s->config, c->preset, NULL, 0, &errors);
    struct program_opts width = {.warp_width = c->m.sm.warp_width};
    struct program *p = ok ? program_open(s->spec, &width, &e) : NULL;
    c->ok = p && engine_run(ENGINE_ESTIMATE, &c->m, p, NULL, NULL, &o, a, &e);
    if (c->ok) {
        c->run.program = program_digest(p);
        c->run.machine = machine_digest(&c->m);
        calibrate_know(&c->run, &c->m, &a->m, &a->x, s->value);
        range_features_find(&a->m, &a->x, c->feature);
        c->x = a->x;
    }
    answer_fini(a);
    free(a);
    program_close(p);
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

static void drop_failed(struct known_cases *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->at[i].ok) all->at[n++] = all->at[i];
    all->n = n;
}

bool known_cases_read(struct known_cases *all, const struct known_list *l, const char *path,
                      unsigned threads)
{
    struct reading r = {.all = all};
    bool ok = read_runs(&r, l, path);
    if (ok) parallel_map(threads, all->n, estimate_case, &r);
    for (uint32_t i = 0; i < all->n; i++) {
        free(r.stored[i].config);
        free(r.stored[i].spec);
    }
    free(r.stored);
    drop_failed(all);
    find_bases(all);
    return ok;
}
