/* cpu_programs.c - see cpu_programs.h. */
#include "gpu/machine/params/coherence/cpu_programs.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of numbers; the name stands before them, the source behind them. */
static const struct {
    const char *name;
    double lo, hi;
    bool whole;
} columns[] = {{"l2_mpki", 0, 1000, false},    {"write_share", 0, 100, true},
               {"row_locality", 0, 100, true}, {"mlp", 1, CPU_MLP_MAX, true},
               {"base_ipc", 0.01, 64, false},  {"footprint_mb", 1, 4096, true}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char head[] =
    "program,l2_mpki,write_share,row_locality,mlp,base_ipc,footprint_mb,source";

/* Cuts the next cell off a line; the text of a cell stays in the line. */
static char *next_cell(char **line)
{
    char *cell = *line, *end = cell + strcspn(cell, ",");
    *line = *end ? end + 1 : end;
    *end = '\0';
    return cell;
}

static bool read_numbers(double v[COLUMNS], char **line, const char *where, struct error *e)
{
    for (uint32_t i = 0; i < COLUMNS; i++) {
        char *cell = next_cell(line), *end = NULL;
        v[i] = strtod(cell, &end);
        bool whole = !columns[i].whole || v[i] == floor(v[i]);
        if (*cell && !*end && v[i] >= columns[i].lo && v[i] <= columns[i].hi && whole) continue;
        return error_input(e, "%s: %s is '%s'; %s from %g to %g is allowed", where, columns[i].name,
                           cell, columns[i].whole ? "a whole number" : "a number", columns[i].lo,
                           columns[i].hi);
    }
    return true;
}

static const struct cpu_program *find_program(const struct cpu_table *t, const char *name)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].name, name) == 0) return &t->row[i];
    return NULL;
}

static bool read_row(struct cpu_table *t, char *line, const char *where, struct error *e)
{
    double v[COLUMNS];
    const char *name = next_cell(&line);
    if (!*name || strlen(name) >= CPU_PROGRAM_NAME || find_program(t, name))
        return error_input(e, "%s: program is '%s'; a new name of at most %d letters is allowed",
                           where, name, CPU_PROGRAM_NAME - 1);
    if (t->n == CPU_PROGRAMS_MAX)
        return error_input(e, "%s: too many programs; %d are allowed", where, CPU_PROGRAMS_MAX);
    if (!read_numbers(v, &line, where, e)) return false;
    if (!*line)
        return error_input(e, "%s: no source; every row of the table says where it is from", where);
    struct cpu_program *p = &t->row[t->n++];
    *p = (struct cpu_program){.mpki = v[0],
                              .write_share = (uint32_t)v[1],
                              .row_locality = (uint32_t)v[2],
                              .mlp = (uint32_t)v[3],
                              .base_ipc = v[4],
                              .footprint_mb = (uint32_t)v[5]};
    snprintf(p->name, sizeof p->name, "%s", name);
    return true;
}

bool cpu_table_parse(struct cpu_table *t, const char *name, const char *text, struct error *e)
{
    char *own = mem_strdup(text), where[256];
    bool ok = own || error_no_memory(e), headed = false;
    uint32_t number = 0;
    t->n = 0;
    for (char *line = own; ok && line && *line;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        snprintf(where, sizeof where, "%.200s:%u", name, ++number);
        if (*line && *line != '#') {
            if (headed)
                ok = read_row(t, line, where, e);
            else if (strcmp(line, head) != 0)
                ok = error_input(e, "%s: no head of the table; '%s' is wanted", where, head);
            headed = true;
        }
        line = next;
    }
    mem_free(own);
    return ok;
}

bool cpu_table_load(struct cpu_table *t, struct error *e)
{
    char *file = paths_config("tables/cpu_programs.csv"), *text = NULL;
    size_t n;
    if (!file) return error_input(e, "no table cpu_programs.csv in configs/tables");
    bool ok = file_read(file, &text, &n, e) && cpu_table_parse(t, file, text, e);
    mem_free(text);
    mem_free(file);
    return ok;
}

/* --- the programs of a machine's cores --- */

static bool unknown_program(const struct cpu_table *t, const char *name, struct error *e)
{
    struct text all = {0};
    for (uint32_t i = 0; i < t->n; i++)
        text_add(&all, "%s%s", i ? ", " : "", t->row[i].name);
    error_input(e, "no program '%s' in the table; %s are allowed", name, text_str(&all));
    text_fini(&all);
    return false;
}

static bool find_all(struct cpu_params *p, const struct cpu_table *t, struct error *e)
{
    static const char between[] = ", ";
    const char *s = p->programs + strspn(p->programs, between);
    for (size_t n; *s; s += n, s += strspn(s, between)) {
        char name[PARAM_TEXT_MAX];
        n = strcspn(s, between);
        snprintf(name, sizeof name, "%.*s", (int)n, s);
        const struct cpu_program *found = find_program(t, name);
        if (!found) return unknown_program(t, name, e);
        if (p->cores == CPU_CORES_MAX)
            return error_input(e, "'%s' are too many programs; %d are allowed", p->programs,
                               CPU_CORES_MAX);
        p->program[p->cores++] = *found;
    }
    return p->cores || error_input(e, "'%s' names no program", p->programs);
}

bool cpu_programs_find(struct cpu_params *p, struct error *e)
{
    p->cores = 0;
    for (uint32_t i = 0; i < CPU_CORES_MAX; i++)
        p->program[i] = (struct cpu_program){0};
    if (!*p->programs) return true;
    struct cpu_table *t = mem_new(1, sizeof *t);
    bool ok = t ? cpu_table_load(t, e) && find_all(p, t, e) : error_no_memory(e);
    if (!ok) p->cores = 0;
    mem_free(t);
    return ok;
}
