/* sram_table.c - see sram_table.h. */
#include "gpu/energy/sram_table.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sram_mode_name[SRAM_MODE_N] = {[SRAM_SEQUENTIAL] = "sequential",
                                                 [SRAM_NORMAL] = "normal",
                                                 [SRAM_FA] = "fa",
                                                 [SRAM_RAM] = "ram"};

const char *const sram_column[SRAM_QUANTITY_N] = {
#define SRAM_COLUMN(id, column) [SRAM_##id] = column,
    SRAM_QUANTITIES(SRAM_COLUMN)
#undef SRAM_COLUMN
};

/* The columns that make the key; those of quantities follow them. */
enum { KEY_STRUCTURE, KEY_TECH, KEY_BYTES, KEY_LINE, KEY_WAYS, KEY_MODE, KEY_BUILD, KEY_N };
static const char *const key_column[KEY_N] = {
    "structure", "tech_nm", "capacity_bytes", "line_bytes", "assoc", "access_mode", "build"};

enum { WANTED = KEY_N + SRAM_QUANTITY_N };

struct table_reader {
    struct sram_table *t;
    size_t cap;
    char *cut; /* a copy of the line, to be cut into cells */
    size_t cut_cap;
    const char *name;
    uint32_t line;
    uint32_t columns;
    int at[WANTED]; /* cell of each column; -1: the file has none */
    struct error *e;
};

static const char *column_name(uint32_t i)
{
    return i < KEY_N ? key_column[i] : sram_column[i - KEY_N];
}

static bool is_optional(uint32_t i)
{
    if (i < KEY_N) return i == KEY_BUILD;
    switch ((enum sram_quantity)(i - KEY_N)) {
    case SRAM_read_nj:
    case SRAM_write_nj:
    case SRAM_leakage_mw: return false;
    case SRAM_access_ns:
    case SRAM_cycle_ns:
    case SRAM_search_nj:
    case SRAM_tag_read_nj:
    case SRAM_data_read_nj:
    case SRAM_tag_write_nj:
    case SRAM_data_write_nj:
    case SRAM_area_mm2:
    case SRAM_QUANTITY_N: break;
    }
    return true;
}

uint32_t sram_table_cut_csv(char *line, char *cell[CSV_CELLS_MAX])
{
    uint32_t n = 0;
    for (char *next = line; next && n < CSV_CELLS_MAX; n++) {
        char *c = next, *end = next;
        while (*end && *end != ',') /* cells are short */
            end++;
        next = *end ? end + 1 : NULL;
        while (*c == ' ' || *c == '\t')
            c++;
        while (end > c && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
            end--;
        *end = '\0';
        cell[n] = c;
    }
    return n;
}

/* A fast strtod for the common form of numbers: up to 15 digits are exact in a double, and so is
 * the power of ten, so that one division rounds correctly (Clinger 1990). */
static double parse_decimal(const char *s, char **end)
{
    enum { DIGITS_MAX = 15 };
    static const double power[DIGITS_MAX + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t v = 0;
    uint32_t digits = 0, behind = 0;
    bool point = false;
    const char *c = s;
    for (; (*c >= '0' && *c <= '9') || (*c == '.' && !point); c++) {
        point |= *c == '.';
        if (*c == '.') continue;
        v = 10 * v + (uint64_t)(*c - '0');
        behind += point;
        if (++digits > DIGITS_MAX) return strtod(s, end);
    }
    if (*c || !digits) return strtod(s, end);
    *end = (char *)(uintptr_t)c;
    return (double)v / power[behind];
}

static bool read_head(struct table_reader *r, char *line)
{
    char *cell[CSV_CELLS_MAX];
    r->columns = sram_table_cut_csv(line, cell);
    for (uint32_t i = 0; i < WANTED; i++) {
        r->at[i] = -1;
        for (uint32_t c = 0; c < r->columns; c++)
            if (strcmp(cell[c], column_name(i)) == 0) r->at[i] = (int)c;
        if (r->at[i] < 0 && !is_optional(i))
            return error_input(r->e,
                               "%s:%u: no column '%s'; the head of a table of CACTI's figures "
                               "is wanted here",
                               r->name, r->line, column_name(i));
    }
    return true;
}

static bool read_whole(const struct table_reader *r, char *const *cell, uint32_t key, uint64_t lo,
                       uint64_t hi, uint64_t *v)
{
    const char *s = cell[r->at[key]], *c = s;
    *v = 0;
    for (; *c >= '0' && *c <= '9' && *v <= hi; c++)
        *v = 10 * *v + (uint64_t)(*c - '0');
    if (c > s && !*c && *v >= lo && *v <= hi) return true;
    return error_input(r->e, "%s:%u: %s is '%s'; whole numbers from %llu to %llu are allowed",
                       r->name, r->line, key_column[key], s, (unsigned long long)lo,
                       (unsigned long long)hi);
}

static bool read_mode(const struct table_reader *r, const char *s, enum sram_mode *mode)
{
    for (int i = 0; i < SRAM_MODE_N; i++) {
        *mode = (enum sram_mode)i;
        if (strcmp(s, sram_mode_name[i]) == 0) return true;
    }
    return error_input(r->e, "%s:%u: access_mode is '%s'; sequential, normal, fa, ram are allowed",
                       r->name, r->line, s);
}

static bool read_key(const struct table_reader *r, char *const *cell, struct sram_row *row)
{
    const char *name = cell[r->at[KEY_STRUCTURE]];
    struct sram_key *k = &row->key;
    uint64_t tech, line, ways;
    size_t length = strlen(name);
    if (!length || length >= SRAM_NAME_MAX)
        return error_input(r->e,
                           "%s:%u: structure is '%s'; a name of 1 to %d characters is allowed",
                           r->name, r->line, name, SRAM_NAME_MAX - 1);
    memcpy(k->structure, name, length + 1);
    if (!read_whole(r, cell, KEY_TECH, 1, 1000, &tech) ||
        !read_whole(r, cell, KEY_BYTES, 1, UINT64_C(1) << 40, &k->bytes) ||
        !read_whole(r, cell, KEY_LINE, 1, 65536, &line) ||
        !read_whole(r, cell, KEY_WAYS, 0, 65536, &ways) ||
        !read_mode(r, cell[r->at[KEY_MODE]], &k->mode))
        return false;
    k->tech_nm = (uint32_t)tech, k->line_bytes = (uint32_t)line, k->ways = (uint32_t)ways;
    row->stock = r->at[KEY_BUILD] < 0 || strcmp(cell[r->at[KEY_BUILD]], "stock") == 0;
    return true;
}

static bool read_figures(const struct table_reader *r, char *const *cell, struct sram_row *row)
{
    for (uint32_t q = 0; q < SRAM_QUANTITY_N; q++) {
        int at = r->at[KEY_N + q];
        const char *s = at < 0 ? "" : cell[at];
        char *end = NULL;
        row->v[q] = *s ? parse_decimal(s, &end) : (double)NAN;
        bool given = *s && !*end && isfinite(row->v[q]) && row->v[q] > 0;
        if (given || (!*s && is_optional(KEY_N + q))) continue;
        return error_input(r->e, "%s:%u: %s is '%s'; a number above 0%s is allowed", r->name,
                           r->line, sram_column[q], s, is_optional(KEY_N + q) ? " or nothing" : "");
    }
    return true;
}

static bool read_row(struct table_reader *r, char *line)
{
    char *cell[CSV_CELLS_MAX];
    struct sram_row row = {.stock = true};
    uint32_t n = sram_table_cut_csv(line, cell);
    if (n != r->columns)
        return error_input(r->e, "%s:%u: %u cells; the head has %u", r->name, r->line, n,
                           r->columns);
    if (!read_key(r, cell, &row) || !read_figures(r, cell, &row)) return false;
    if (!mem_grow(&r->t->row, &r->cap, r->t->n + 1, sizeof row)) return error_no_memory(r->e);
    r->t->row[r->t->n++] = row;
    return true;
}

static int by_family(const struct sram_key *a, const struct sram_key *b)
{
    int c = strcmp(a->structure, b->structure);
    if (c) return c;
    if (a->tech_nm != b->tech_nm) return a->tech_nm < b->tech_nm ? -1 : 1;
    if (a->line_bytes != b->line_bytes) return a->line_bytes < b->line_bytes ? -1 : 1;
    if (a->ways != b->ways) return a->ways < b->ways ? -1 : 1;
    return (a->mode > b->mode) - (a->mode < b->mode);
}

static int by_key(const void *a, const void *b)
{
    const struct sram_key *x = &((const struct sram_row *)a)->key,
                          *y = &((const struct sram_row *)b)->key;
    int c = by_family(x, y);
    return c ? c : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

bool sram_same_family(const struct sram_key *a, const struct sram_key *b)
{
    return by_family(a, b) == 0;
}

static bool check_sorted(struct sram_table *t, struct error *e)
{
    uint32_t rising = 1;
    if (t->n == 0) return error_input(e, "%s: a table without rows", t->name);
    while (rising < t->n && by_key(&t->row[rising - 1], &t->row[rising]) < 0)
        rising++;
    if (rising == t->n) return true; /* the tables in configs/tables are already sorted */
    qsort(t->row, t->n, sizeof *t->row, by_key);
    for (uint32_t i = 1; i < t->n; i++) {
        const struct sram_key *k = &t->row[i].key;
        if (by_key(&t->row[i - 1], &t->row[i]) == 0)
            return error_input(e,
                               "%s: two rows of %s, %u nm, %llu bytes, %u-byte lines, %u ways, %s",
                               t->name, k->structure, k->tech_nm, (unsigned long long)k->bytes,
                               k->line_bytes, k->ways, sram_mode_name[k->mode]);
    }
    return true;
}

/* Allocates room for all rows. */
static bool make_room(struct table_reader *r, const char *text)
{
    size_t lines = 1;
    while ((text = strchr(text, '\n')))
        text++, lines++;
    return mem_grow(&r->t->row, &r->cap, lines, sizeof *r->t->row) || error_no_memory(r->e);
}

/* n: its length without the newline. */
static bool read_line(struct table_reader *r, const char *line, size_t n)
{
    const char *end = memchr(line, '\r', n);
    if (end) n = (size_t)(end - line);
    r->line++;
    if (n == 0 || *line == '#') return true;
    if (!mem_grow(&r->cut, &r->cut_cap, n + 1, 1)) return error_no_memory(r->e);
    memcpy(r->cut, line, n);
    r->cut[n] = '\0';
    return r->columns ? read_row(r, r->cut) : read_head(r, r->cut);
}

static bool read_lines(struct table_reader *r, const char *text)
{
    if (!make_room(r, text)) return false;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        if (!read_line(r, line, n)) return false;
        line += n + (line[n] == '\n');
    }
    return r->columns ||
           error_input(r->e, "%s: empty; a table of CACTI's figures is wanted", r->name);
}

bool sram_table_parse(struct sram_table *t, const char *name, const char *text, struct error *e)
{
    struct table_reader r = {.t = t, .name = name, .e = e};
    *t = (struct sram_table){0};
    snprintf(t->name, sizeof t->name, "%s", name);
    bool ok = read_lines(&r, text) && check_sorted(t, e);
    mem_free(r.cut);
    if (!ok) sram_table_fini(t);
    return ok;
}

bool sram_table_load(struct sram_table *t, const char *path, struct error *e)
{
    char *text;
    size_t n;
    *t = (struct sram_table){0};
    if (!file_read(path, &text, &n, e)) return false;
    bool ok = sram_table_parse(t, path, text, e);
    mem_free(text);
    return ok;
}

void sram_table_fini(struct sram_table *t)
{
    if (!t->map.n) mem_free(t->row);
    filemap_close(&t->map);
    *t = (struct sram_table){0};
}

/* Binary search for the first row that is not below the key's family. */
uint32_t sram_family(const struct sram_table *t, const struct sram_key *key, uint32_t *first)
{
    uint32_t lo = 0, hi = t->n, n = 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (by_family(&t->row[mid].key, key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *first = lo;
    while (lo + n < t->n && sram_same_family(&t->row[lo + n].key, key))
        n++;
    return n;
}
