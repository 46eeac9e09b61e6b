/* energy_report.c - see energy_report.h. */
#include "cli/machine/energy_report.h"

#include "base/text/json.h"
#include "cli/print/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 12, CELL = 160 };
static const char *const heads[COLUMNS] = {"structure",    "number",     "bytes",    "ways",
                                           "line",         "look-up pJ", "read pJ",  "write pJ",
                                           "tag write pJ", "leakage mW", "area mm2", "from"};

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The associativity of the entry that stands for a cache that the table lacks; 0: the table has
 * it. */
static uint32_t other_ways(const struct shown *s)
{
    return s->entry_ways == s->ways ? 0 : s->entry_ways;
}

static uint32_t other_access(const struct shown *s)
{
    return s->entry_access == s->sector_bytes ? 0 : s->entry_access;
}

static void where_from(const struct shown *s, char out[CELL])
{
    const struct sram_figures *f = s->from;
    static const char *const areas[] = {[AREA_NONE] = "; no area",
                                        [AREA_ENTRY] = "",
                                        [AREA_MINIMUM] = "; area of minimum-area designs"};
    int n = snprintf(out, CELL, "%s", file_name(f->table));
    if (f->below != f->above)
        n += snprintf(out + n, CELL - (size_t)n, " between %" PRIu64 " and %" PRIu64 " bytes",
                      f->below, f->above);
    else if (f->below > s->bytes)
        n += snprintf(out + n, CELL - (size_t)n, "; of %" PRIu64 " bytes", f->below);
    n += snprintf(out + n, CELL - (size_t)n, "%s%s", areas[f->area],
                  f->beyond ? "; beyond stock CACTI" : "");
    if (other_ways(s))
        n += snprintf(out + n, CELL - (size_t)n, "; of %" PRIu32 " ways", s->entry_ways);
    if (other_access(s))
        snprintf(out + n, CELL - (size_t)n, "; accesses of %" PRIu32 " bytes", s->entry_access);
}

static void figure_text(double v, char out[CELL])
{
    snprintf(out, CELL, isnan(v) ? "-" : "%.4g", v);
}

static void geometry_cells(const struct shown *s, char text[COLUMNS][CELL])
{
    snprintf(text[0], CELL, "%s", s->name);
    snprintf(text[1], CELL, "%" PRIu32, s->count);
    snprintf(text[2], CELL, "%" PRIu64, s->bytes);
    snprintf(text[3], CELL, s->ways ? "%" PRIu32 : "-", s->ways);
    if (s->sector_bytes == s->line_bytes)
        snprintf(text[4], CELL, "%" PRIu32, s->line_bytes);
    else
        snprintf(text[4], CELL, "%" PRIu32 "/%" PRIu32, s->line_bytes, s->sector_bytes);
}

static void figure_cells(const struct shown *s, char text[COLUMNS][CELL])
{
    const double v[] = {s->look_up, s->read, s->write, s->tag_write, s->leakage_mw, s->area_mm2};
    for (uint32_t i = 0; i < sizeof v / sizeof *v; i++)
        figure_text(s->why[0] ? (double)NAN : v[i], text[5 + i]);
    if (s->why[0])
        snprintf(text[COLUMNS - 1], CELL, "not covered: %s", s->why);
    else
        where_from(s, text[COLUMNS - 1]);
}

void energy_report_table(struct text *out, const struct shown *s, uint32_t n,
                         const struct per_event *per)
{
    const char *cell[(SHOWN_MAX + 1) * COLUMNS];
    char text[SHOWN_MAX][COLUMNS][CELL];
    memcpy(cell, heads, sizeof heads);
    for (uint32_t i = 0; i < n; i++) {
        geometry_cells(&s[i], text[i]);
        figure_cells(&s[i], text[i]);
        for (uint32_t c = 0; c < COLUMNS; c++)
            cell[(i + 1) * COLUMNS + c] = text[i][c];
    }
    table_cells(out, cell, n + 1, COLUMNS);
    if (n)
        text_add(out, "  %" PRIu32 " nm; energy per access of one, leakage and area of one\n",
                 s[0].tech_nm);
    if (per->flit_pj > 0)
        text_add(out, "  network: %.4g pJ per flit (energy.flit_pj)\n", per->flit_pj);
    if (per->shift_pj > 0)
        text_add(out, "  racetracks: %.4g pJ for a bank and bit shifted\n", per->shift_pj);
}

static void number(struct json *j, const char *key, double v)
{
    if (isnan(v)) return;
    json_number(json_key(j, key), v);
}

static void figures_json(struct json *j, const struct shown *s)
{
    static const char *const areas[] = {
        [AREA_NONE] = "none", [AREA_ENTRY] = "entry", [AREA_MINIMUM] = "minimum_area"};
    number(j, "look_up_pj", s->look_up);
    number(j, "read_pj", s->read);
    number(j, "write_pj", s->write);
    number(j, "tag_write_pj", s->tag_write);
    number(j, "leakage_mw", s->leakage_mw);
    number(j, "area_mm2", s->area_mm2);
    json_string(json_key(j, "table"), file_name(s->from->table));
    json_array(json_key(j, "entry_bytes"));
    json_integer(j, (int64_t)s->from->below);
    if (s->from->above != s->from->below) json_integer(j, (int64_t)s->from->above);
    json_end(j);
    if (other_ways(s)) number(j, "entry_ways", s->entry_ways);
    if (other_access(s)) number(j, "entry_access_bytes", s->entry_access);
    json_string(json_key(j, "area_from"), areas[s->from->area]);
    json_bool(json_key(j, "beyond_stock_cacti"), s->from->beyond);
}

static void shown_json(struct json *j, const struct shown *s)
{
    json_object(j);
    json_string(json_key(j, "name"), s->name);
    number(j, "number", s->count);
    number(j, "bytes", (double)s->bytes);
    number(j, "ways", s->ways);
    number(j, "line_bytes", s->line_bytes);
    number(j, "sector_bytes", s->sector_bytes);
    number(j, "tech_nm", s->tech_nm);
    if (s->why[0])
        json_string(json_key(j, "not_covered"), s->why);
    else
        figures_json(j, s);
    json_end(j);
}

void energy_report_json(struct text *out, const char *head, const char *name, const struct shown *s,
                        uint32_t n, const struct per_event *per)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    json_string(json_key(&j, head), name);
    if (per->flit_pj > 0) number(&j, "flit_pj", per->flit_pj);
    if (per->shift_pj > 0) number(&j, "shift_pj", per->shift_pj);
    json_array(json_key(&j, "structures"));
    for (uint32_t i = 0; i < n; i++)
        shown_json(&j, &s[i]);
    json_end(&j);
    json_end(&j);
}
