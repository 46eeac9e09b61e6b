/* map.c - dealing of blocks to slices and channels, and the fields inside a channel. */
#include "geometry/map.h"

#include <stdlib.h>
#include <string.h>

static const char *const field_name[MAP_FIELDS] = {
    [MAP_ROW] = "row",   [MAP_RANK] = "rank",     [MAP_BANKGROUP] = "bankgroup",
    [MAP_BANK] = "bank", [MAP_COLUMN] = "column",
};

static bool is_pow2(uint32_t n)
{
    return n && (n & (n - 1)) == 0;
}

static uint32_t log2u(uint32_t n)
{
    return (uint32_t)__builtin_ctz(n);
}

/* ---- dealing
 * ------------------------------------------------------------------------------------------------
 */

static struct map_deal deal_init(uint32_t n, enum slice_hash hash)
{
    bool pow2 = is_pow2(n);
    return (struct map_deal){.n = n, .shift = pow2 ? log2u(n) : 0, .pow2 = pow2, .hash = hash};
}

/* XOR of all digits of `shift` bits. */
static uint32_t fold_bits(uint64_t v, uint32_t shift)
{
    uint64_t x = 0;
    for (; v; v >>= shift)
        x ^= v;
    return (uint32_t)x & ((1u << shift) - 1);
}

static uint32_t rotation(uint64_t stripe, uint32_t n)
{
    uint64_t h = (stripe * 0x9E3779B97F4A7C15u) >> 32;
    return (uint32_t)((h * n) >> 32);
}

/* The place of a block among d->n; *stripe = its number there. */
static inline uint32_t deal(const struct map_deal *d, uint64_t block, uint64_t *stripe)
{
    if (d->n == 1) {
        *stripe = block;
        return 0;
    }
    if (d->pow2) {
        *stripe = block >> d->shift;
        return d->hash == SLICE_XOR ? fold_bits(block, d->shift) : (uint32_t)block & (d->n - 1);
    }
    *stripe = block / d->n;
    uint32_t place = (uint32_t)(block - *stripe * d->n);
    if (d->hash != SLICE_XOR) return place;
    place += rotation(*stripe, d->n);
    return place >= d->n ? place - d->n : place;
}

/* ---- the mapping string
 * ------------------------------------------------------------------------------------- */

/* One "field[bits]" of the string; bits = 0: what is left. */
struct token {
    enum map_field field;
    uint32_t bits;
};

static bool parse_name(const char *s, size_t len, enum map_field *field)
{
    for (uint32_t f = 0; f < MAP_FIELDS; f++) {
        if (strlen(field_name[f]) != len || strncmp(field_name[f], s, len) != 0) continue;
        *field = (enum map_field)f;
        return true;
    }
    return false;
}

static bool parse_token(const char *s, size_t len, struct token *t, struct error *e)
{
    size_t name = strcspn(s, "[:");
    if (name > len) name = len;
    t->bits = 0;
    if (!parse_name(s, name, &t->field)) {
        return error_input(e,
                           "dram.mapping: '%.*s' is not a field; allowed are row, rank, bankgroup, "
                           "bank, column, each as NAME or NAME[BITS]",
                           (int)len, s);
    }
    if (name == len) return true;
    char *end;
    unsigned long bits = strtoul(s + name + 1, &end, 10);
    if (*end != ']' || (size_t)(end + 1 - s) != len || bits < 1 || bits > 32) {
        return error_input(e, "dram.mapping: '%.*s' is not a field; BITS in NAME[BITS] is 1 to 32",
                           (int)len, s);
    }
    t->bits = (uint32_t)bits;
    return true;
}

/* Tokens in the order of the string, high to low; 0 on a fault. */
static uint32_t parse_tokens(const char *s, struct token *t, uint32_t max, struct error *e)
{
    uint32_t n = 0;
    for (;;) {
        size_t len = strcspn(s, ":");
        if (n == max) {
            error_input(e, "dram.mapping: more than %u fields", max);
            return 0;
        }
        if (!parse_token(s, len, &t[n++], e)) return 0;
        if (s[len] == '\0') return n;
        s += len + 1;
    }
}

static bool all_pow2(const struct dram_params *d, struct error *e)
{
    const struct {
        const char *name;
        uint32_t v;
    } need[] = {{"ranks", d->ranks},
                {"bankgroups", d->bankgroups},
                {"banks_per_group", d->banks_per_group},
                {"rows", d->rows},
                {"row_bytes", d->row_bytes}};
    for (size_t i = 0; i < sizeof need / sizeof need[0]; i++) {
        if (!is_pow2(need[i].v))
            return error_input(e, "dram.%s: %u is not a power of two", need[i].name, need[i].v);
    }
    return true;
}

static void field_totals(const struct dram_params *d, bool flat_bank, uint32_t total[MAP_FIELDS])
{
    uint32_t group_bits = log2u(d->bankgroups);
    total[MAP_ROW] = log2u(d->rows);
    total[MAP_RANK] = log2u(d->ranks);
    total[MAP_BANKGROUP] = flat_bank ? 0 : group_bits;
    total[MAP_BANK] = log2u(d->banks_per_group) + (flat_bank ? group_bits : 0);
    total[MAP_COLUMN] = log2u(d->row_bytes);
}

/* Gives the tokens without [bits] what the others leave; every field's bits must add up to its
 * total. */
static bool fill_bits(struct token *t, uint32_t n, const uint32_t total[MAP_FIELDS],
                      struct error *e)
{
    for (uint32_t f = 0; f < MAP_FIELDS; f++) {
        uint32_t fixed = 0, open = 0, which = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (t[i].field != (enum map_field)f) continue;
            fixed += t[i].bits;
            if (t[i].bits) continue;
            open++;
            which = i;
        }
        if (open > 1)
            return error_input(e, "dram.mapping: %s stands twice without [bits]", field_name[f]);
        if (fixed > total[f] || (open == 0 && fixed < total[f])) {
            return error_input(e, "dram.mapping: %s has %u bits; the geometry has %u",
                               field_name[f], fixed, total[f]);
        }
        if (open) t[which].bits = total[f] - fixed;
    }
    return true;
}

static bool parse_mapping(struct map *m, const struct dram_params *d, struct error *e)
{
    enum { MAX = sizeof m->part / sizeof m->part[0] };
    struct token t[MAX];
    uint32_t n = parse_tokens(d->mapping, t, MAX, e);
    if (n == 0) return false;
    m->flat_bank = true;
    for (uint32_t i = 0; i < n; i++)
        if (t[i].field == MAP_BANKGROUP) m->flat_bank = false;
    uint32_t total[MAP_FIELDS], filled[MAP_FIELDS] = {0};
    field_totals(d, m->flat_bank, total);
    if (!fill_bits(t, n, total, e)) return false;
    m->n_parts = n;
    for (uint32_t i = 0; i < n; i++) {
        const struct token *low = &t[n - 1 - i];
        m->part[i].field = (uint8_t)low->field;
        m->part[i].bits = (uint8_t)low->bits;
        m->part[i].at = (uint8_t)filled[low->field];
        filled[low->field] += low->bits;
    }
    return true;
}

/* ---- init
 * ---------------------------------------------------------------------------------------------------
 */

static bool wire(struct map *m, const struct l2_params *l2, const struct dram_params *d,
                 struct error *e)
{
    m->slices = l2->banks;
    m->channels = d->channels;
    m->interleave_bytes = l2->interleave_bytes;
    if (!is_pow2(m->interleave_bytes)) {
        return error_input(e, "l2.interleave_bytes: %u is not a power of two", m->interleave_bytes);
    }
    if (!m->slices || !m->channels ||
        (m->slices % m->channels != 0 && m->channels % m->slices != 0)) {
        return error_input(e, "l2.banks = %u and dram.channels = %u: one must divide the other",
                           m->slices, m->channels);
    }
    m->interleave_shift = log2u(m->interleave_bytes);
    bool more_slices = m->slices >= m->channels;
    m->slices_per_channel = more_slices ? m->slices / m->channels : 1;
    m->slice_deal = deal_init(m->slices, l2->slice_hash);
    m->channel_deal = deal_init(more_slices ? 1 : m->channels / m->slices, l2->slice_hash);
    return true;
}

bool map_init(struct map *m, const struct l2_params *l2, const struct dram_params *d,
              struct error *e)
{
    *m = (struct map){.bank_hash = d->bank_hash,
                      .ranks = d->ranks,
                      .bankgroups = d->bankgroups,
                      .banks_per_group = d->banks_per_group,
                      .rows = d->rows,
                      .row_bytes = d->row_bytes};
    return wire(m, l2, d, e) && all_pow2(d, e) && parse_mapping(m, d, e);
}

/* ---- look-up
 * ------------------------------------------------------------------------------------------------
 */

uint32_t map_slice(const struct map *m, uint64_t addr)
{
    uint64_t stripe;
    return deal(&m->slice_deal, addr >> m->interleave_shift, &stripe);
}

struct coord map_local(const struct map *m, uint32_t channel, uint64_t local)
{
    uint32_t v[MAP_FIELDS] = {0};
    for (uint32_t i = 0; i < m->n_parts; i++) {
        uint32_t bits = m->part[i].bits;
        v[m->part[i].field] |= ((uint32_t)local & (uint32_t)(((uint64_t)1 << bits) - 1))
                               << m->part[i].at;
        local >>= bits;
    }
    uint32_t banks = m->bankgroups * m->banks_per_group;
    uint32_t flat =
        m->flat_bank ? v[MAP_BANK] : v[MAP_BANKGROUP] * m->banks_per_group + v[MAP_BANK];
    if (m->bank_hash == BANK_HASH_XOR) flat ^= v[MAP_ROW] & (banks - 1);
    return (struct coord){.channel = channel,
                          .rank = v[MAP_RANK],
                          .bankgroup = flat / m->banks_per_group,
                          .bank = flat % m->banks_per_group,
                          .flat_bank = v[MAP_RANK] * banks + flat,
                          .row = v[MAP_ROW],
                          .column = v[MAP_COLUMN]};
}

struct coord map_addr(const struct map *m, uint64_t addr)
{
    uint64_t stripe, local_block;
    uint32_t slice = deal(&m->slice_deal, addr >> m->interleave_shift, &stripe);
    uint32_t channel = deal(&m->channel_deal, stripe, &local_block);
    if (m->slices >= m->channels) {
        channel = slice / m->slices_per_channel;
        local_block = stripe * m->slices_per_channel + slice % m->slices_per_channel;
    } else {
        channel += slice * m->channel_deal.n;
    }
    uint64_t offset = addr & (m->interleave_bytes - 1);
    struct coord c = map_local(m, channel, (local_block << m->interleave_shift) + offset);
    c.slice = slice;
    return c;
}
