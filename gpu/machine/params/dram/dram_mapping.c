/* dram_mapping.c - see dram_mapping.h. */
#include "gpu/machine/params/dram/dram_mapping.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const field_names[MAP_FIELDS] = {"row",  "pseudo", "rank",   "bankgroup",
                                                    "bank", "column", "channel"};

enum { REST = UINT32_MAX }; /* bits of a part without [bits], until the totals are known */

static uint32_t log2_of(uint32_t power_of_two)
{
    uint32_t n = 0;
    while (power_of_two >>= 1)
        n++;
    return n;
}

static bool names_field(const struct mapping *m, enum mapping_field f)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (m->part[i].field == f) return true;
    return false;
}

static uint32_t total_bits(const struct mapping *m, const struct dram_params *d,
                           enum mapping_field f)
{
    switch (f) {
    case MAP_ROW: return log2_of(d->rows);
    case MAP_PSEUDO: return log2_of(d->pseudo_channels);
    case MAP_RANK: return log2_of(d->ranks);
    case MAP_BANKGROUP: return names_field(m, f) ? log2_of(d->bankgroups) : 0;
    case MAP_BANK:
        return log2_of(d->banks_per_group) +
               (names_field(m, MAP_BANKGROUP) ? 0 : log2_of(d->bankgroups));
    case MAP_COLUMN: return log2_of(dram_row_bytes(d));
    case MAP_CHANNEL: return names_field(m, f) ? log2_of(d->channels) : 0;
    case MAP_FIELDS: break;
    }
    return 0;
}

/* Reads one "name" or "name[bits]" of n characters. */
static bool parse_part(struct mapping *m, const char *s, size_t n, struct text *why)
{
    size_t name = strcspn(s, "[:");
    uint32_t f = 0;
    char *end;
    if (m->n == MAPPING_PARTS_MAX) {
        text_add(why, "too many fields; at most %d are allowed", MAPPING_PARTS_MAX);
        return false;
    }
    while (f < MAP_FIELDS && (strlen(field_names[f]) != name || strncmp(s, field_names[f], name)))
        f++;
    m->part[m->n].field = (enum mapping_field)f;
    m->part[m->n].bits = REST;
    if (f < MAP_FIELDS && name == n) {
        m->n++;
        return true;
    }
    unsigned long bits =
        f < MAP_FIELDS && isdigit((unsigned char)s[name + 1]) ? strtoul(s + name + 1, &end, 10) : 0;
    if (bits >= 1 && bits <= 63 && end == s + n - 1 && *end == ']') {
        m->part[m->n++].bits = (uint32_t)bits;
        return true;
    }
    text_add(why,
             "\"%.*s\" is no field; allowed: row, pseudo, rank, bankgroup, bank, column, channel,"
             " or such a name with [bits] from 1 to 63",
             (int)n, s);
    return false;
}

/* The parts of one field. */
struct tally {
    uint32_t parts, sized; /* number of parts; sum of their [bits] */
    uint32_t *rest;        /* the unsized one */
    bool after_rest;       /* another part follows it */
};

static struct tally count_parts(struct mapping *m, enum mapping_field f)
{
    struct tally t = {0};
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->part[i].field != f) continue;
        t.parts++;
        t.after_rest |= t.rest != NULL;
        if (m->part[i].bits == REST)
            t.rest = &m->part[i].bits;
        else
            t.sized += m->part[i].bits;
    }
    return t;
}

/* Gives the unsized part the remaining bits, and checks that the field is covered. */
static bool settle_field(struct mapping *m, const struct dram_params *d, enum mapping_field f,
                         struct text *why)
{
    const char *name = field_names[f];
    struct tally t = count_parts(m, f);
    uint32_t total = total_bits(m, d, f);
    if (t.after_rest) {
        text_add(why, "a %s without [bits] is not the last; allowed: sizes on all but the last",
                 name);
        return false;
    }
    if (total > 0 && t.parts == 0) {
        text_add(why, "%s is missing; it has %u bits", name, total);
        return false;
    }
    if (t.sized > total || (!t.rest && t.sized < total)) {
        text_add(why, "%s takes %u bits; it has exactly %u", name, t.sized, total);
        return false;
    }
    if (t.rest) *t.rest = total - t.sized;
    return true;
}

bool mapping_parse(struct mapping *m, const struct dram_params *d, struct text *why)
{
    m->n = 0;
    for (const char *s = d->mapping;; s++) {
        size_t n = strcspn(s, ":");
        if (!parse_part(m, s, n, why)) return false;
        s += n;
        if (*s == '\0') break;
    }
    if (names_field(m, MAP_CHANNEL) && (d->channels & (d->channels - 1))) {
        text_add(why, "it names the channel, of which there are %u; a power of two is allowed",
                 d->channels);
        return false;
    }
    for (uint32_t f = 0; f < MAP_FIELDS; f++)
        if (!settle_field(m, d, (enum mapping_field)f, why)) return false;
    return true;
}

bool dram_mapping_names_channel(const struct dram_params *d)
{
    return strstr(d->mapping, field_names[MAP_CHANNEL]) != NULL;
}

uint32_t mapping_channel_bit(const struct mapping *m, uint32_t *parts)
{
    uint32_t at = 0, lowest = 0;
    *parts = 0;
    for (uint32_t i = m->n; i-- > 0; at += m->part[i].bits) {
        if (m->part[i].field != MAP_CHANNEL || m->part[i].bits == 0) continue;
        if ((*parts)++ == 0) lowest = at;
    }
    return lowest;
}

uint32_t mapping_low_columns(const struct mapping *m)
{
    uint32_t bits = 0;
    for (uint32_t i = m->n; i-- > 0 && (m->part[i].field == MAP_COLUMN || m->part[i].bits == 0);)
        bits += m->part[i].bits;
    return bits;
}
