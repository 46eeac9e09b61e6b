/* sram_model.c - see sram_model.h. */
#include "gpu/energy/sram_model.h"

#include "base/text/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what the tables contain, for error messages --------------------------------------------- */

enum dimension { BY_STRUCTURE, BY_TECH, BY_LINE, BY_WAYS, DIMENSIONS };
static const char *const dimension_name[DIMENSIONS] = {"structure", "nm", "byte lines", "ways"};

static uint32_t part_of(const struct sram_key *k, enum dimension d)
{
    switch (d) {
    case BY_TECH: return k->tech_nm;
    case BY_LINE: return k->line_bytes;
    case BY_WAYS: return k->ways;
    case BY_STRUCTURE:
    case DIMENSIONS: break;
    }
    return 0;
}

/* Whether two keys agree in all dimensions before d; the mode belongs to the structure. */
static bool alike_before(const struct sram_key *a, const struct sram_key *b, enum dimension d)
{
    if (strcmp(a->structure, b->structure) != 0 || a->mode != b->mode) return false;
    for (int i = BY_TECH; i < (int)d; i++)
        if (part_of(a, (enum dimension)i) != part_of(b, (enum dimension)i)) return false;
    return true;
}

/* The next larger value of d among the rows that agree with the key before d; false: there is none.
 */
static bool next_value(const struct sram_table *t, const struct sram_key *key, enum dimension d,
                       bool first, uint32_t *v)
{
    bool found = false;
    uint32_t after = *v;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t x = part_of(&t->row[i].key, d);
        if (!alike_before(&t->row[i].key, key, d) || (!first && x <= after)) continue;
        if (!found || x < *v) *v = x;
        found = true;
    }
    return found;
}

static bool has_none(const struct sram_table *t, const struct sram_key *key, struct error *e)
{
    enum dimension d = BY_STRUCTURE;
    uint32_t v = 0;
    struct text have = {0};
    if (!e) return false;
    for (int i = BY_TECH; i <= DIMENSIONS; i++) {
        bool any = false;
        for (uint32_t r = 0; r < t->n; r++)
            any |= alike_before(&t->row[r].key, key, (enum dimension)i);
        if (!any) break;
        d = (enum dimension)i;
    }
    if (d == BY_STRUCTURE)
        return error_input(e, "no %s with %s access in %s", key->structure,
                           sram_mode_name[key->mode], t->name);
    for (bool first = true; next_value(t, key, d, first, &v); first = false)
        text_add(&have, "%s%u", first ? "" : ", ", v);
    error_input(e, "%u %s; the table has %s", part_of(key, d), dimension_name[d], text_str(&have));
    text_fini(&have);
    return false;
}

/* --- one structure -----------------------------------------------------------------------------
 */

static double value_between(double a, double b, double share)
{
    return exp(log(a) + (log(b) - log(a)) * share);
}

static void take_row(struct sram_figures *f, const struct sram_row *r)
{
    memcpy(f->v, r->v, sizeof f->v);
    f->below = f->above = r->key.bytes;
    f->beyond = !r->stock;
    f->area = isnan(r->v[SRAM_area_mm2]) ? AREA_NONE : AREA_ENTRY;
}

static void interpolate_rows(struct sram_figures *f, const struct sram_row *a,
                             const struct sram_row *b, uint64_t bytes)
{
    double share = log((double)bytes / (double)a->key.bytes) /
                   log((double)b->key.bytes / (double)a->key.bytes);
    for (uint32_t q = 0; q < SRAM_QUANTITY_N; q++)
        f->v[q] = value_between(a->v[q], b->v[q], share);
    f->below = a->key.bytes, f->above = b->key.bytes;
    f->beyond = !a->stock || !b->stock;
}

static bool is_cache(const struct sram_key *key)
{
    return strncmp(key->structure, "cache", 5) == 0;
}

static bool find_in(const struct sram_table *t, const struct sram_key *key, struct sram_figures *f,
                    struct error *e)
{
    uint32_t first, n = sram_family(t, key, &first);
    const struct sram_row *r = t->row + first;
    *f = (struct sram_figures){.table = t->name};
    if (n == 0) return has_none(t, key, e);
    if (key->bytes < r[0].key.bytes || key->bytes > r[n - 1].key.bytes)
        return error_input(e, "%llu bytes; the table has %llu to %llu",
                           (unsigned long long)key->bytes, (unsigned long long)r[0].key.bytes,
                           (unsigned long long)r[n - 1].key.bytes);
    uint32_t i = 0;
    while (r[i].key.bytes < key->bytes)
        i++;
    if (r[i].key.bytes == key->bytes) {
        take_row(f, &r[i]);
        return true;
    }
    if (is_cache(key) && key->mode != SRAM_SEQUENTIAL)
        return error_input(e,
                           "%llu bytes; the table has %llu and %llu, and %s access "
                           "is not interpolated",
                           (unsigned long long)key->bytes, (unsigned long long)r[i - 1].key.bytes,
                           (unsigned long long)r[i].key.bytes, sram_mode_name[key->mode]);
    interpolate_rows(f, &r[i - 1], &r[i], key->bytes);
    return true;
}

/* Interpolates the area between entries in the table of minimum-area designs, the only ones that
 * vary smoothly. */
static bool area_between(const struct sram_tables *t, const struct sram_key *key,
                         struct sram_figures *f, struct error *e)
{
    struct sram_figures small;
    f->v[SRAM_area_mm2] = NAN;
    if (!is_cache(key)) return true;
    const struct sram_table *areas = sram_areas(t, e);
    if (!areas) return false;
    if (areas->n == 0 || !find_in(areas, key, &small, NULL)) return true;
    f->v[SRAM_area_mm2] = small.v[SRAM_area_mm2];
    f->area = AREA_MINIMUM;
    return true;
}

bool sram_find(const struct sram_tables *t, const struct sram_key *key, struct sram_figures *f,
               struct error *e)
{
    if (!find_in(is_cache(key) ? &t->caches : &t->rams, key, f, e)) return false;
    return f->below == f->above || area_between(t, key, f, e);
}

/* --- a cache -----------------------------------------------------------------------------------
 */

static bool is_searched(const struct sram_cache *c)
{
    return c->bytes == (uint64_t)c->ways * c->line_bytes;
}

static struct sram_key key_of(const struct sram_cache *c)
{
    struct sram_key key = {.tech_nm = c->tech_nm, .line_bytes = c->line_bytes, .bytes = c->bytes};
    snprintf(key.structure, sizeof key.structure, "%s", is_searched(c) ? "cache_fa" : "cache");
    key.mode = is_searched(c) ? SRAM_FA : c->mode;
    key.ways = is_searched(c) ? 0 : c->ways;
    return key;
}

static void whole_access(struct sram_cache_figures *f, double look_up)
{
    f->tag_read_nj = look_up;
    f->data_read_nj = 0;
}

static void split_access(struct sram_cache_figures *f, enum sram_mode mode)
{
    const double *tags = f->lines.v, *data = f->sectors.v;
    f->split = !isnan(tags[SRAM_tag_read_nj]) && !isnan(tags[SRAM_tag_write_nj]) &&
               !isnan(data[SRAM_data_read_nj]) && !isnan(data[SRAM_data_write_nj]);
    f->tag_write_nj = f->split ? tags[SRAM_tag_write_nj] : 0;
    f->data_write_nj = f->split ? data[SRAM_data_write_nj] : data[SRAM_write_nj];
    if (mode == SRAM_NORMAL || !f->split) {
        whole_access(f, data[SRAM_read_nj]);
        return;
    }
    f->tag_read_nj = tags[SRAM_tag_read_nj];
    f->data_read_nj = data[SRAM_data_read_nj];
}

static uint32_t next_power(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

static bool find_lines(const struct sram_tables *t, struct sram_key *key, struct sram_figures *f,
                       struct error *e)
{
    struct sram_key asked = *key;
    if (sram_find(t, key, f, e)) return true;
    key->ways = next_power(asked.ways);
    return key->ways != asked.ways && sram_find(t, key, f, NULL);
}

/* Finds an entry for the data: with the ways of the tag entry, else (if data are read after the
 * tags) with fewer ways, else with a larger line. */
static bool find_sectors(const struct sram_tables *t, struct sram_key *key, uint32_t most_bytes,
                         struct sram_figures *f, struct error *e)
{
    if (sram_find(t, key, f, e)) return true;
    if (key->mode != SRAM_SEQUENTIAL) return false;
    for (; key->line_bytes <= most_bytes; key->line_bytes *= 2) {
        struct sram_key fewer = *key;
        for (; fewer.ways; fewer.ways /= 2)
            if (sram_find(t, &fewer, f, NULL)) return true;
    }
    return false;
}

bool sram_cache_figures(const struct sram_tables *t, const struct sram_cache *c,
                        struct sram_cache_figures *f, struct error *e)
{
    struct sram_key lines = key_of(c), sectors;
    *f = (struct sram_cache_figures){0};
    if (is_searched(c) && c->sector_bytes != c->line_bytes)
        return error_input(e, "no figures for a fully associative cache with sectors");
    if (!find_lines(t, &lines, &f->lines, e)) return false;
    sectors = lines, sectors.line_bytes = c->sector_bytes;
    if (!find_sectors(t, &sectors, c->line_bytes, &f->sectors, e)) return false;
    f->ways = is_searched(c) ? c->ways : lines.ways;
    f->access_bytes = sectors.line_bytes;
    f->leakage_mw = f->lines.v[SRAM_leakage_mw];
    f->area_mm2 = f->lines.v[SRAM_area_mm2];
    if (!is_searched(c)) {
        split_access(f, c->mode);
        return true;
    }
    if (isnan(f->lines.v[SRAM_search_nj]))
        return error_input(e, "no search energy in %s", f->lines.table);
    whole_access(f, f->lines.v[SRAM_search_nj]);
    f->data_write_nj = f->lines.v[SRAM_write_nj];
    f->split = true;
    return true;
}
