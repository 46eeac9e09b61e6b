/* register_table.c - see register_table.h. */
#include "gpu/energy/register_table.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const structure_name[] = {[REGISTERS_OF_SRAM] = "sram",
                                             [REGISTERS_OF_RACETRACKS] = "racetrack",
                                             [REGISTER_BUFFER] = "write_buffer"};
enum { STRUCTURES = sizeof structure_name / sizeof *structure_name };

/* The columns after the structure. */
struct whole_column {
    const char *name;
    size_t at;
    uint32_t low;
};
struct real_column {
    const char *name;
    size_t at;
    bool optional;
};
#define KEY_AT(member) offsetof(struct register_row, key.member)
#define AT(member) offsetof(struct register_row, member)
static const struct whole_column whole_columns[] = {{"ports", KEY_AT(ports), 0},
                                                    {"tech_nm", KEY_AT(tech_nm), 1},
                                                    {"bytes", KEY_AT(bytes), 1},
                                                    {"banks", KEY_AT(banks), 1},
                                                    {"entry_bytes", KEY_AT(entry_bytes), 1}};
static const struct real_column real_columns[] = {
    {"read_pj", AT(read_pj), false},         {"write_pj", AT(write_pj), false},
    {"read_ns", AT(read_ns), true},          {"write_ns", AT(write_ns), true},
    {"leakage_mw", AT(leakage_mw), false},   {"shift_pj", AT(shift_pj), true},
    {"area_of_sram", AT(area_of_sram), true}};
enum {
    WHOLE = sizeof whole_columns / sizeof *whole_columns,
    REAL = sizeof real_columns / sizeof *real_columns,
    WANTED = 1 + WHOLE + REAL
};

struct register_reader {
    struct register_table *t;
    uint32_t line, columns;
    uint32_t at[WANTED]; /* cell of each column */
    struct error *e;
};

static const char *column_name(uint32_t i)
{
    if (i == 0) return "structure";
    return i <= WHOLE ? whole_columns[i - 1].name : real_columns[i - 1 - WHOLE].name;
}

static bool read_head(struct register_reader *r, char *line)
{
    char *cell[CSV_CELLS_MAX];
    r->columns = sram_table_cut_csv(line, cell);
    for (uint32_t i = 0; i < WANTED; i++) {
        uint32_t c = 0;
        while (c < r->columns && strcmp(cell[c], column_name(i)) != 0)
            c++;
        if (c == r->columns)
            return error_input(r->e,
                               "%s:%u: no column '%s'; the head of a table of register files is "
                               "wanted here",
                               r->t->name, r->line, column_name(i));
        r->at[i] = c;
    }
    return true;
}

static bool read_structure(const struct register_reader *r, const char *s, struct register_row *row)
{
    for (uint32_t i = 0; i < STRUCTURES; i++) {
        row->key.structure = (enum register_structure)i;
        if (strcmp(s, structure_name[i]) == 0) return true;
    }
    return error_input(r->e, "%s:%u: structure is '%s'; sram, racetrack, write_buffer are allowed",
                       r->t->name, r->line, s);
}

static bool read_whole(const struct register_reader *r, const char *s, const struct whole_column *c,
                       struct register_row *row)
{
    char *end;
    unsigned long long v = strtoull(s, &end, 10);
    bool digits = *s >= '0' && *s <= '9' && !*end;
    if (!digits || v < c->low || v > UINT32_MAX)
        return error_input(r->e, "%s:%u: %s is '%s'; whole numbers from %u are allowed", r->t->name,
                           r->line, c->name, s, c->low);
    uint32_t whole = (uint32_t)v;
    memcpy((char *)row + c->at, &whole, sizeof whole);
    return true;
}

static bool read_real(const struct register_reader *r, const char *s, const struct real_column *c,
                      struct register_row *row)
{
    char *end = NULL;
    double v = *s ? strtod(s, &end) : (double)NAN;
    bool given = *s && !*end && isfinite(v) && v > 0;
    if (!given && (*s || !c->optional))
        return error_input(r->e, "%s:%u: %s is '%s'; a number above 0%s is allowed", r->t->name,
                           r->line, c->name, s, c->optional ? " or nothing" : "");
    memcpy((char *)row + c->at, &v, sizeof v);
    return true;
}

static bool same_key(const struct register_key *a, const struct register_key *b)
{
    return a->structure == b->structure && a->ports == b->ports && a->tech_nm == b->tech_nm &&
           (a->bytes == b->bytes || !b->bytes) && a->banks == b->banks &&
           a->entry_bytes == b->entry_bytes;
}

static bool read_row(struct register_reader *r, char *line)
{
    char *cell[CSV_CELLS_MAX];
    struct register_table *t = r->t;
    struct register_row row = {0};
    uint32_t n = sram_table_cut_csv(line, cell);
    if (n != r->columns)
        return error_input(r->e, "%s:%u: %u cells; the head has %u", t->name, r->line, n,
                           r->columns);
    if (!read_structure(r, cell[r->at[0]], &row)) return false;
    for (uint32_t i = 0; i < WHOLE; i++)
        if (!read_whole(r, cell[r->at[1 + i]], &whole_columns[i], &row)) return false;
    for (uint32_t i = 0; i < REAL; i++)
        if (!read_real(r, cell[r->at[1 + WHOLE + i]], &real_columns[i], &row)) return false;
    if (register_table_find(t, &row.key))
        return error_input(r->e, "%s:%u: a second row of the same; one is allowed", t->name,
                           r->line);
    if (t->n == REGISTER_ROWS_MAX)
        return error_input(r->e, "%s:%u: too many rows; %d are allowed", t->name, r->line,
                           REGISTER_ROWS_MAX);
    t->row[t->n++] = row;
    return true;
}

static bool read_line(struct register_reader *r, char *line)
{
    r->line++;
    line[strcspn(line, "\r")] = '\0';
    if (!*line || *line == '#') return true;
    return r->columns ? read_row(r, line) : read_head(r, line);
}

static bool read_lines(struct register_reader *r, char *text)
{
    for (char *line = text; line;) {
        char *end = strchr(line, '\n'), *next = end ? end + 1 : NULL;
        if (end) *end = '\0';
        if (!read_line(r, line)) return false;
        line = next;
    }
    return r->t->n ||
           error_input(r->e, "%s: no rows; a table of register files is wanted", r->t->name);
}

bool register_table_parse(struct register_table *t, const char *name, const char *text,
                          struct error *e)
{
    struct register_reader r = {.t = t, .e = e};
    t->n = 0;
    snprintf(t->name, sizeof t->name, "%s", name);
    char *own = mem_strdup(text);
    bool ok = own ? read_lines(&r, own) : error_no_memory(e);
    mem_free(own);
    return ok;
}

bool register_table_load(struct register_table *t, const char *name, struct error *e)
{
    char relative[TABLE_NAME_MAX + 16], *text;
    size_t n;
    snprintf(relative, sizeof relative, "tables/%s.csv", name);
    char *file = strchr(name, '/') ? mem_strdup(name) : paths_config(relative);
    if (!file)
        return error_input(e,
                           "energy.register_table: no table '%s'; a file of configs/tables, or a "
                           "path, is allowed",
                           name);
    bool ok = file_read(file, &text, &n, e);
    if (ok) {
        ok = register_table_parse(t, file, text, e);
        mem_free(text);
    }
    mem_free(file);
    return ok;
}

const struct register_row *register_table_find(const struct register_table *t,
                                               const struct register_key *key)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (same_key(&t->row[i].key, key)) return &t->row[i];
    return NULL;
}
