#include "tests/support/coverage_row.h"

#include "engine/engine.h"

static const char *const coverage_name[] = {
#define C(name) #name,
    COVERAGE_COLUMNS(C)
#undef C
};

const struct coverage_rate coverage_rate[] = {
    {"l1.hit_rate", false, COVERAGE_l1_error, COVERAGE_l1_covers},
    {"l2.hit_rate", false, COVERAGE_l2_error, COVERAGE_l2_covers},
    {"dram.row_hit_rate", false, COVERAGE_rows_error, COVERAGE_rows_covers},
    {"energy_mj.total", true, COVERAGE_energy_error, COVERAGE_energy_covers}};

struct coverage_row coverage_whole(const struct census *c, uint32_t repeats)
{
    struct coverage_row r = {.version = engine_version(ENGINE_SAMPLE)};
    snprintf(r.machine, sizeof r.machine, "%s", c->s.m->name);
    snprintf(r.program, sizeof r.program, "%s", program_name(c->s.p));
    r.v[COVERAGE_instructions] = (double)c->s.pop.instructions;
    r.v[COVERAGE_repeats] = repeats;
    r.v[COVERAGE_whole] = r.v[COVERAGE_share] = 1;
    r.v[COVERAGE_units] = c->s.pop.units;
    r.v[COVERAGE_strata] = c->s.pop.strata;
    r.v[COVERAGE_length] = (double)c->s.pop.instructions / c->s.pop.units;
    r.v[COVERAGE_bound] = fmax(0.03, 6.0 * c->s.pop.strata / c->s.pop.units);
    r.v[COVERAGE_covers] = r.v[COVERAGE_covers_census] = r.v[COVERAGE_variance] = 1;
    for (uint32_t i = 0; i < COVERAGE_RATES; i++)
        r.v[coverage_rate[i].covers] = 1;
    return r;
}

static void coverage_print_head(FILE *f)
{
    fprintf(f, "version,machine,program");
    for (uint32_t i = 0; i < COVERAGE_N; i++)
        fprintf(f, ",%s", coverage_name[i]);
    fprintf(f, "\n");
}

static void coverage_print(FILE *f, const struct coverage_row *r)
{
    fprintf(f, "%d,%s,%s", r->version, r->machine, r->program);
    for (uint32_t i = 0; i < COVERAGE_N; i++)
        fprintf(f, ",%.6g", r->v[i]);
    fprintf(f, "\n");
    fflush(f);
}

bool coverage_parse(const char *line, struct coverage_row *r)
{
    int used = 0;
    *r = (struct coverage_row){0};
    if (sscanf(line, "%d,%63[^,],%95[^,]%n", &r->version, r->machine, r->program, &used) != 3)
        return false;
    for (uint32_t i = 0; i < COVERAGE_N; i++) {
        char *end;
        if (line[used] != ',') return false;
        r->v[i] = strtod(line + used + 1, &end);
        used = (int)(end - line);
    }
    return line[used] == '\n';
}

bool coverage_known(const char *path, const struct coverage_row *wanted)
{
    char line[2048];
    struct coverage_row r;
    bool known = false;
    FILE *f = fopen(path, "r");
    while (f && !known && fgets(line, sizeof line, f))
        known = coverage_parse(line, &r) && r.version == wanted->version &&
                strcmp(r.machine, wanted->machine) == 0 &&
                strcmp(r.program, wanted->program) == 0 &&
                r.v[COVERAGE_repeats] >= wanted->v[COVERAGE_repeats];
    if (f) fclose(f);
    return known;
}

bool coverage_keep(const char *path, const struct coverage_row *r)
{
    FILE *f = fopen(path, "a");
    if (!f) return false;
    if (fseek(f, 0, SEEK_END) == 0 && ftell(f) == 0) coverage_print_head(f);
    coverage_print(f, r);
    return fclose(f) == 0;
}
