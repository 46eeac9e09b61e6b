/* csv.c - see csv.h. */
#include "base/text/csv.h"

#include "base/memory/alloc.h"

#include <inttypes.h>
#include <string.h>

enum { FIELDS_MAX = 4096 };

struct csv_reader {
    const char *file;
    char *at;
    uint32_t line;
    const char *field[FIELDS_MAX];
    uint32_t n;
};

/* Reads a quoted field in place: doubled quotes become one.  Leaves `at` after the closing
 * quote. */
static bool read_quoted(struct csv_reader *r, struct error *e)
{
    uint32_t began = r->line;
    char *to = ++r->at;
    r->field[r->n++] = to;
    for (; *r->at; r->at++) {
        if (*r->at == '"' && r->at[1] != '"') {
            r->at++;
            *to = '\0'; /* `to` is at or before the quote */
            return true;
        }
        if (*r->at == '"') r->at++;
        r->line += *r->at == '\n';
        *to++ = *r->at;
    }
    return error_input(e, "%s:%" PRIu32 ": a quoted field does not end", r->file, began);
}

/* Reads one row into r->field. */
static bool read_row(struct csv_reader *r, struct error *e)
{
    r->n = 0;
    for (;;) {
        if (r->n == FIELDS_MAX)
            return error_input(e, "%s:%" PRIu32 ": more than %d fields", r->file, r->line,
                               FIELDS_MAX);
        if (*r->at != '"')
            r->field[r->n++] = r->at;
        else if (!read_quoted(r, e))
            return false;
        r->at += strcspn(r->at, ",\r\n");
        char end = *r->at;
        if (end) *r->at++ = '\0';
        if (end == '\r' && *r->at == '\n') end = *r->at++;
        if (end == ',') continue;
        r->line++;
        return true;
    }
}

static bool keep_row(struct csv *c, const struct csv_reader *r, uint32_t line, struct arena *arena)
{
    if (r->n == 1 && (r->field[0][0] == '\0' || strncmp(r->field[0], "==", 2) == 0)) return true;
    if (strncmp(r->field[0], "==", 2) == 0) return true;
    const char **field = arena_new(arena, r->n, sizeof *field);
    if (!field || !mem_grow(&c->row, &c->cap, c->n + 1, sizeof *c->row)) return false;
    memcpy(field, r->field, r->n * sizeof *field);
    c->row[c->n++] = (struct csv_row){.field = field, .n = r->n, .line = line};
    return true;
}

bool csv_read(struct csv *c, const char *file, char *text, struct arena *arena, struct error *e)
{
    *c = (struct csv){0};
    struct csv_reader *r = mem_new(1, sizeof *r);
    if (!r) return error_no_memory(e);
    r->file = file;
    r->at = text;
    r->line = 1;
    bool ok = true;
    while (*r->at && ok) {
        uint32_t line = r->line;
        ok = read_row(r, e) && (keep_row(c, r, line, arena) || error_no_memory(e));
    }
    mem_free(r);
    return ok;
}

void csv_fini(struct csv *c)
{
    mem_free(c->row);
}
