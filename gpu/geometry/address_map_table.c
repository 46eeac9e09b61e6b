/* address_map_table.c - fills the tables of an address map: the map of each single bit of the
 * address gives the entries of all bytes by XOR. A map that is not linear over GF(2), or whose row,
 * column or bank does not fit an entry, has no tables and is evaluated each time. */
#include "gpu/geometry/address_map_table.h"

static bool is_linear(const struct map *m)
{
    bool linear = m->slice_deal.hash != SLICE_RANDOM && m->slice_deal.pow2;
    return m->named || (linear && m->channel_deal.pow2 && m->sharing_pow2);
}

static bool fits_table(const struct coord *c)
{
    return !(c->row >> MAP_TABLE_ROW) && !(c->column >> MAP_TABLE_COLUMN) &&
           !(c->flat_bank >> MAP_TABLE_BANK);
}

static uint64_t pack_coord(const struct coord *c)
{
    return (uint64_t)c->flat_bank << (MAP_TABLE_ROW + MAP_TABLE_COLUMN) |
           (uint64_t)c->column << MAP_TABLE_ROW | c->row;
}

void map_table_init(struct map_table *t, const struct map *m)
{
    t->map = m;
    t->linear = is_linear(m);
    for (uint32_t i = 0; i < 64 && t->linear; i++) {
        struct coord c = map_addr(m, UINT64_C(1) << i);
        uint64_t *of = t->of[i / 8];
        t->linear = fits_table(&c);
        of[0] = 0;
        for (uint32_t low = 0, bit = 1u << i % 8; low < bit; low++)
            of[bit | low] = of[low] ^ pack_coord(&c);
    }
}
