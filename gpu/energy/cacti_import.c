/* cacti_import.c - see cacti_import.h. */
#include "gpu/energy/cacti_import.h"

#include "base/memory/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_PER_BYTE = 8 };

/* CACTI's column names, in the order of a table's header. */
enum { FROM_TECH, FROM_BYTES, FROM_BITS, FROM_WAYS, FROM_KEYS };
static const char *const from_key[FROM_KEYS] = {"Tech node (nm)", "Capacity (bytes)",
                                                "Output width (bits)", "Associativity"};
static const struct {
    enum sram_quantity to;
    const char *name;
} from_figure[] = {
    {SRAM_access_ns, "Access time (ns)"},
    {SRAM_cycle_ns, "Random cycle time (ns)"},
    {SRAM_search_nj, "Dynamic search energy (nJ)"},
    {SRAM_read_nj, "Dynamic read energy (nJ)"},
    {SRAM_write_nj, "Dynamic write energy (nJ)"},
    {SRAM_leakage_mw, "Standby leakage per bank(mW)"},
    {SRAM_area_mm2, "Area (mm2)"},
};
enum { FROM_FIGURES = sizeof from_figure / sizeof *from_figure };

struct importer {
    const char *name;
    const struct import_options *o;
    uint32_t line;
    int key[FROM_KEYS], figure[FROM_FIGURES];
    struct error *e;
};

static int find_column(char *const *cell, uint32_t n, const char *name)
{
    for (uint32_t c = 0; c < n; c++)
        if (strcmp(cell[c], name) == 0) return (int)c;
    return -1;
}

static bool import_head(struct importer *im, char *line, struct text *out)
{
    char *cell[CSV_CELLS_MAX];
    const char *lacks = NULL;
    uint32_t n = sram_table_cut_csv(line, cell);
    for (uint32_t k = 0; k < FROM_KEYS; k++)
        if ((im->key[k] = find_column(cell, n, from_key[k])) < 0) lacks = from_key[k];
    for (uint32_t q = 0; q < FROM_FIGURES; q++)
        if ((im->figure[q] = find_column(cell, n, from_figure[q].name)) < 0)
            lacks = from_figure[q].name;
    if (lacks)
        return error_input(im->e,
                           "%s:%u: no column '%s'; CACTI's out.csv or a table like those of "
                           "configs/tables is wanted",
                           im->name, im->line, lacks);
    text_add(out, "structure,tech_nm,capacity_bytes,line_bytes,assoc,access_mode");
    for (uint32_t q = 0; q < FROM_FIGURES; q++)
        text_add(out, ",%s", sram_column[from_figure[q].to]);
    text_add(out, "\n");
    return true;
}

static bool whole_bytes(const struct importer *im, const char *bits, unsigned long *bytes)
{
    char *end;
    unsigned long v = strtoul(bits, &end, 10);
    *bytes = v / BITS_PER_BYTE;
    if (*bits && !*end && v && v % BITS_PER_BYTE == 0) return true;
    return error_input(im->e, "%s:%u: %s is '%s'; a multiple of 8 is allowed", im->name, im->line,
                       from_key[FROM_BITS], bits);
}

static bool import_row(struct importer *im, char *line, struct text *out)
{
    char *cell[CSV_CELLS_MAX];
    uint32_t n = sram_table_cut_csv(line, cell), most = 0;
    unsigned long bytes;
    for (uint32_t k = 0; k < FROM_KEYS; k++)
        if ((uint32_t)im->key[k] > most) most = (uint32_t)im->key[k];
    for (uint32_t q = 0; q < FROM_FIGURES; q++)
        if ((uint32_t)im->figure[q] > most) most = (uint32_t)im->figure[q];
    if (n <= most)
        return error_input(im->e, "%s:%u: %u cells; at least %u are wanted", im->name, im->line, n,
                           most + 1);
    if (!whole_bytes(im, cell[im->key[FROM_BITS]], &bytes)) return false;
    const char *ways = cell[im->key[FROM_WAYS]];
    bool fa = strcmp(ways, "0") == 0;
    text_add(out, "%s%s,%s,%s,%lu,%s,%s", im->o->structure, fa ? "_fa" : "",
             cell[im->key[FROM_TECH]], cell[im->key[FROM_BYTES]], bytes, ways,
             sram_mode_name[fa ? SRAM_FA : im->o->mode]);
    for (uint32_t q = 0; q < FROM_FIGURES; q++) {
        const char *v = cell[im->figure[q]];
        text_add(out, ",%s", strcmp(v, "N/A") == 0 ? "" : v);
    }
    text_add(out, "\n");
    return true;
}

/* Translates line by line, so that the line numbers in the table reader's errors are those of the
 * user's file. */
static bool translate_line(struct importer *im, char *text, struct text *out)
{
    bool head = false;
    for (char *next = text; next;) {
        char *line = next;
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        im->line++;
        bool blank = line[strspn(line, " \t\r,")] == '\0';
        if (blank) {
            text_add(out, "\n");
            continue;
        }
        if (head ? !import_row(im, line, out) : !import_head(im, line, out)) return false;
        head = true;
    }
    return head || error_input(im->e, "%s: empty; CACTI's out.csv is wanted", im->name);
}

static bool is_table(const char *text)
{
    while (*text == '#' || *text == '\n') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return strncmp(text, "structure,", 10) == 0;
}

bool cacti_import(struct sram_table *t, const char *name, const char *text,
                  const struct import_options *o, struct error *e)
{
    struct importer im = {.name = name, .o = o, .e = e};
    struct text table = {0};
    *t = (struct sram_table){0};
    if (is_table(text)) return sram_table_parse(t, name, text, e);
    char *copy = mem_strdup(text);
    if (!copy) return error_no_memory(e);
    bool ok = translate_line(&im, copy, &table);
    if (ok && table.failed) ok = error_no_memory(e);
    ok = ok && sram_table_parse(t, name, text_str(&table), e);
    text_fini(&table);
    mem_free(copy);
    return ok;
}

void sram_table_write(const struct sram_table *t, struct text *out)
{
    text_add(out, "structure,tech_nm,capacity_bytes,line_bytes,assoc,access_mode");
    for (uint32_t q = 0; q < SRAM_QUANTITY_N; q++)
        text_add(out, ",%s", sram_column[q]);
    text_add(out, ",build\n");
    for (uint32_t i = 0; i < t->n; i++) {
        const struct sram_row *r = &t->row[i];
        text_add(out, "%s,%u,%llu,%u,%u,%s", r->key.structure, r->key.tech_nm,
                 (unsigned long long)r->key.bytes, r->key.line_bytes, r->key.ways,
                 sram_mode_name[r->key.mode]);
        for (uint32_t q = 0; q < SRAM_QUANTITY_N; q++)
            isnan(r->v[q]) ? text_add(out, ",") : text_add(out, ",%.10g", r->v[q]);
        text_add(out, ",%s\n", r->stock ? "stock" : "minrows2");
    }
}
