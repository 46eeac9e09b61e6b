/* energy_report.c - see energy_report.h. */
#include "cli/machine/energy_report.h"

#include "base/text/rows.h"
#include "cli/print/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

static void from_cell(struct rows *r, const struct shown *s)
{
    static const char *const areas[] = {[AREA_NONE] = "; no area",
                                        [AREA_ENTRY] = "",
                                        [AREA_MINIMUM] = "; area of minimum-area designs"};
    const struct sram_figures *f = s->from;
    struct text from = {0};
    text_add(&from, "%s", file_name(f->table));
    if (f->below != f->above)
        text_add(&from, " between %" PRIu64 " and %" PRIu64 " bytes", f->below, f->above);
    else if (f->below > s->bytes)
        text_add(&from, "; of %" PRIu64 " bytes", f->below);
    text_add(&from, "%s%s", areas[f->area], f->beyond ? "; beyond stock CACTI" : "");
    if (other_ways(s)) text_add(&from, "; of %" PRIu32 " ways", s->entry_ways);
    if (other_access(s)) text_add(&from, "; accesses of %" PRIu32 " bytes", s->entry_access);
    rows_text(r, NULL, "from", text_str(&from));
    r->failed |= from.failed;
    text_fini(&from);
}

static void source_rows(struct rows *r, const struct shown *s)
{
    static const char *const areas[] = {
        [AREA_NONE] = "none", [AREA_ENTRY] = "entry", [AREA_MINIMUM] = "minimum_area"};
    const uint64_t entry[] = {s->from->below, s->from->above};
    rows_text(r, "table", NULL, file_name(s->from->table));
    rows_counts(r, "entry_bytes", entry, entry[0] == entry[1] ? 1 : 2);
    if (other_ways(s)) rows_count(r, "entry_ways", NULL, s->entry_ways);
    if (other_access(s)) rows_count(r, "entry_access_bytes", NULL, s->entry_access);
    rows_text(r, "area_from", NULL, areas[s->from->area]);
    rows_bool(r, "beyond_stock_cacti", NULL, s->from->beyond);
    from_cell(r, s);
}

static void shown_rows(struct rows *r, const struct shown *s)
{
    const struct {
        const char *key, *head;
        double v;
    } figure[] = {
        {"look_up_pj", "look-up pJ", s->look_up},    {"read_pj", "read pJ", s->read},
        {"write_pj", "write pJ", s->write},          {"tag_write_pj", "tag write pJ", s->tag_write},
        {"leakage_mw", "leakage mW", s->leakage_mw}, {"area_mm2", "area mm2", s->area_mm2}};
    bool known = !s->why[0];
    rows_item(r);
    rows_text(r, "name", "structure", s->name);
    rows_number(r, "number", "number", "%.0f", s->count);
    rows_number(r, "bytes", "bytes", "%.0f", (double)s->bytes);
    rows_count(r, "ways", NULL, s->ways);
    rows_number(r, NULL, "ways", "%.0f", s->ways ? s->ways : (double)NAN);
    rows_count(r, "line_bytes", NULL, s->line_bytes);
    rows_count(r, "sector_bytes", NULL, s->sector_bytes);
    rows_format(r, NULL, "line", s->sector_bytes == s->line_bytes ? "%u" : "%u/%u", s->line_bytes,
                s->sector_bytes);
    rows_count(r, "tech_nm", NULL, s->tech_nm);
    if (!known) rows_text(r, "not_covered", NULL, s->why);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        rows_number(r, figure[i].key, figure[i].head, "%.4g", known ? figure[i].v : (double)NAN);
    if (known)
        source_rows(r, s);
    else
        rows_format(r, NULL, "from", "not covered: %s", s->why);
    rows_end(r);
}

void energy_report_table(struct text *out, const struct shown *s, uint32_t n,
                         const struct per_event *per)
{
    struct rows r = {0};
    for (uint32_t i = 0; i < n; i++)
        shown_rows(&r, &s[i]);
    table_rows(out, &r);
    if (n)
        text_add(out, "  %" PRIu32 " nm; energy per access of one, leakage and area of one\n",
                 s[0].tech_nm);
    if (per->flit_pj > 0)
        text_add(out, "  network: %.4g pJ per flit (energy.flit_pj)\n", per->flit_pj);
    if (per->shift_pj > 0)
        text_add(out, "  racetracks: %.4g pJ for a bank and bit shifted\n", per->shift_pj);
}

void energy_report_json(struct text *out, const char *head, const char *name, const struct shown *s,
                        uint32_t n, const struct per_event *per)
{
    struct json j;
    struct rows r = {.json = &j};
    json_init(&j, out);
    rows_item(&r);
    rows_text(&r, head, NULL, name);
    if (per->flit_pj > 0) rows_number(&r, "flit_pj", NULL, "", per->flit_pj);
    if (per->shift_pj > 0) rows_number(&r, "shift_pj", NULL, "", per->shift_pj);
    rows_list(&r, "structures");
    for (uint32_t i = 0; i < n; i++)
        shown_rows(&r, &s[i]);
    rows_end(&r);
    rows_end(&r);
}

struct shown energy_report_ram(const char *name, uint32_t count, const struct sram_key *key,
                               const struct sram_figures *from)
{
    return (struct shown){
        .name = name,
        .count = count,
        .bytes = key->bytes,
        .line_bytes = key->line_bytes,
        .sector_bytes = key->line_bytes,
        .tech_nm = key->tech_nm,
        .look_up = 1e3 * from->v[SRAM_search_nj],
        .read = 1e3 * from->v[SRAM_read_nj],
        .write = 1e3 * from->v[SRAM_write_nj],
        .tag_write = (double)NAN,
        .leakage_mw = from->v[SRAM_leakage_mw],
        .area_mm2 = from->v[SRAM_area_mm2],
        .from = from,
    };
}

struct shown energy_report_cache(const char *name, uint32_t count, const struct sram_cache *asked,
                                 const struct sram_cache_figures *from)
{
    return (struct shown){
        .name = name,
        .count = count,
        .bytes = asked->bytes,
        .line_bytes = asked->line_bytes,
        .sector_bytes = asked->sector_bytes,
        .ways = asked->ways,
        .tech_nm = asked->tech_nm,
        .look_up = 1e3 * from->tag_read_nj,
        .read = 1e3 * from->data_read_nj,
        .write = 1e3 * from->data_write_nj,
        .tag_write = 1e3 * from->tag_write_nj,
        .leakage_mw = from->leakage_mw,
        .area_mm2 = from->area_mm2,
        .from = &from->lines,
        .entry_ways = from->ways,
        .entry_access = from->access_bytes,
    };
}
