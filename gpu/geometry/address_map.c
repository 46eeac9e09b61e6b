/* address_map.c - distribution of blocks to slices and channels, and the fields inside a channel.
 */
#include "gpu/geometry/address_map.h"

#include "gpu/geometry/set_index.h"

#include <string.h>

static bool is_pow2(uint32_t n)
{
    return n && (n & (n - 1)) == 0;
}

static uint32_t log2u(uint32_t n)
{
    return (uint32_t)__builtin_ctz(n);
}

/* ---- dealing ---- */

/* Over a power of two of slices ipoly_modulo is ipoly. */
static void deal_init(struct map_deal *d, uint32_t n, enum slice_hash hash)
{
    d->n = n;
    d->pow2 = is_pow2(n);
    d->shift = d->pow2 ? log2u(n) : 0;
    d->hash = hash == SLICE_IPOLY_MODULO && d->pow2 ? SLICE_IPOLY : hash;
    d->above = d->pow2 ? 0 : 32 - (uint32_t)__builtin_clz(n);
    d->widest = d->shift;
    while (d->shift && d->widest * 2 < 64)
        d->widest *= 2;
}

/* XOR of all digits of d->shift bits: the upper half of them onto the lower, and so on. */
static inline uint32_t fold_bits(const struct map_deal *d, uint64_t v)
{
    for (uint32_t by = d->widest; by >= d->shift; by /= 2)
        v ^= v >> by;
    return (uint32_t)v & (d->n - 1);
}

static uint32_t rotation(uint64_t stripe, uint32_t n)
{
    uint64_t h = (stripe * 0x9E3779B97F4A7C15u) >> 32;
    return (uint32_t)((h * n) >> 32);
}

/* Mixes all bits of a number (the finalizer of SplitMix64: Steele, Lea and Flood 2014). */
static uint64_t mixed(uint64_t v)
{
    v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
    v = (v ^ v >> 27) * 0x94D049BB133111EBu;
    return v ^ v >> 31;
}

static uint32_t drawn(uint64_t block, uint32_t n)
{
    return (uint32_t)((mixed(block) >> 32) * n >> 32);
}

/* The place of a block among d->n; *stripe: the block's number there. */
static inline uint32_t deal(const struct map_deal *d, uint64_t block, uint64_t *stripe)
{
    if (d->n == 1) {
        *stripe = block;
        return 0;
    }
    if (d->pow2) {
        *stripe = block >> d->shift;
        if (d->hash == SLICE_IPOLY) return index_table[INDEX_IPOLY](block, d->n);
        if (d->hash == SLICE_RANDOM) return drawn(block, d->n);
        return d->hash == SLICE_XOR ? fold_bits(d, block) : (uint32_t)block & (d->n - 1);
    }
    *stripe = block / d->n;
    uint32_t place = (uint32_t)(block - *stripe * d->n);
    if (d->hash == SLICE_MODULO) return place;
    if (d->hash == SLICE_RANDOM) return drawn(block, d->n);
    if (d->hash == SLICE_IPOLY_MODULO)
        return index_table[INDEX_IPOLY](*stripe << d->above | place, 1u << d->above) % d->n;
    place += rotation(*stripe, d->n);
    return place >= d->n ? place - d->n : place;
}

/* ---- fields inside a channel ---- */

static bool all_pow2(const struct dram_params *d, struct error *e)
{
    const struct {
        const char *name;
        uint32_t v;
    } need[] = {{"pseudo_channels", dram_pseudo_channels(d)},
                {"ranks", d->ranks},
                {"bankgroups", d->bankgroups},
                {"banks_per_group", d->banks_per_group},
                {"rows", d->rows},
                {"row_bytes", d->row_bytes}};
    for (size_t i = 0; i < sizeof need / sizeof need[0]; i++) {
        if (!is_pow2(need[i].v)) {
            return error_input(e, "dram.%s: %u; a power of two is allowed", need[i].name,
                               need[i].v);
        }
    }
    return true;
}

static bool parse_mapping(struct map *m, const struct dram_params *d, struct error *e)
{
    struct mapping parsed;
    struct text why = {0};
    if (!mapping_parse(&parsed, d, &why)) {
        error_input(e, "dram.mapping: %s", text_str(&why));
        text_fini(&why);
        return false;
    }
    uint32_t filled[MAP_FIELDS] = {0}, from = 0, parts;
    m->above_channel = mapping_channel_bit(&parsed, &parts) + (m->named ? log2u(m->channels) : 0);
    m->n_parts = parsed.n;
    m->flat_bank = true;
    for (uint32_t i = 0; i < parsed.n; i++) {
        enum mapping_field f = parsed.part[parsed.n - 1 - i].field;
        uint32_t bits = parsed.part[parsed.n - 1 - i].bits;
        m->part[i].field = (uint8_t)f;
        m->part[i].mask = (uint32_t)(((uint64_t)1 << bits) - 1);
        m->part[i].from = (uint8_t)from;
        m->part[i].at = (uint8_t)filled[f];
        filled[f] += bits;
        from += bits;
        if (f == MAP_BANKGROUP) m->flat_bank = false;
    }
    return true;
}

/* ---- init ---- */

static bool wire_map(struct map *m, const struct l2_params *l2, const struct dram_params *d,
                     struct error *e)
{
    m->slices = l2->banks;
    m->channels = d->channels;
    m->interleave_bytes = l2->interleave_bytes;
    if (!is_pow2(m->interleave_bytes)) {
        return error_input(e, "l2.interleave_bytes: %u is not a power of two", m->interleave_bytes);
    }
    m->named = dram_mapping_names_channel(d);
    m->follows = l2->slice_hash == SLICE_CHANNEL;
    if (m->follows && !m->named) {
        return error_input(e, "l2.slice_hash = channel; with a dram.mapping that names the channel"
                              " it is allowed");
    }
    bool hashed = !m->named && d->channel_deal == CHANNEL_DEAL_HASH;
    bool apart = hashed || (m->named && !m->follows);
    if (!m->slices || !m->channels ||
        (!apart && m->slices % m->channels != 0 && m->channels % m->slices != 0)) {
        return error_input(e, "l2.banks = %u and dram.channels = %u: one must divide the other",
                           m->slices, m->channels);
    }
    if (l2->slice_hash == SLICE_IPOLY && !is_pow2(m->slices)) {
        return error_input(e, "l2.slice_hash: ipoly over %u slices; a power of two is allowed",
                           m->slices);
    }
    m->interleave_shift = log2u(m->interleave_bytes);
    bool more_slices = m->slices >= m->channels;
    m->slices_per_channel = more_slices ? m->slices / m->channels : 1;
    if (apart) m->slices_per_channel = m->slices;
    m->sharing_pow2 = is_pow2(m->slices_per_channel);
    m->sharing_shift = log2u(m->slices_per_channel);
    m->partitions = l2->partitions > 1 ? l2->partitions : 1;
    m->near_slices = m->slices / m->partitions;
    m->several = l2_are_several(l2);
    m->sms_in_turn = l2->partition_sms == PARTITION_SMS_IN_TURN;
    m->lanes = m->slices_per_channel;
    if (m->several && m->slices_per_channel < m->slices) m->lanes *= m->partitions;
    deal_init(&m->slice_deal, m->slices, l2->slice_hash);
    m->hashed = hashed;
    if (hashed)
        deal_init(&m->channel_deal, m->channels, SLICE_XOR);
    else
        deal_init(&m->channel_deal, more_slices ? 1 : m->channels / m->slices, l2->slice_hash);
    return true;
}

static void set_hashes(struct map *m, const struct dram_params *d)
{
    uint32_t rows = log2u(d->rows), channels = m->named ? log2u(m->channels) : 0;
    if (d->bank_hash == BANK_HASH_BITS)
        m->bank_bits = xor_hash_lists(m->banks_shift, &d->bank_hash_rows, NULL);
    if (d->channel_hash == CHANNEL_HASH_FOLD)
        m->channel_bits = xor_hash_fold(channels, rows, m->banks_shift);
    if (d->channel_hash == CHANNEL_HASH_BITS)
        m->channel_bits = xor_hash_lists(channels, &d->channel_hash_rows, &d->channel_hash_banks);
}

bool map_init(struct map *m, const struct l2_params *l2, const struct dram_params *d,
              struct error *e)
{
    memset(m, 0, sizeof *m); /* also clears padding, since maps are compared byte by byte */
    m->bank_hash = d->bank_hash;
    m->ranks = dram_rank_count(d);
    m->bankgroups = d->bankgroups;
    m->banks_per_group = d->banks_per_group;
    m->rows = d->rows;
    m->row_bytes = dram_row_bytes(d);
    if (!wire_map(m, l2, d, e) || !all_pow2(d, e)) return false;
    m->group_shift = log2u(d->banks_per_group);
    m->pseudo_shift = log2u(d->ranks);
    m->banks_shift = log2u(d->bankgroups) + m->group_shift;
    if (!parse_mapping(m, d, e)) return false;
    set_hashes(m, d);
    return true;
}

bool map_init_second(struct map *m, const struct l2_params *l2, const struct dram_params *d,
                     struct error *e)
{
    struct l2_params by_number = *l2;
    by_number.slice_hash = SLICE_MODULO;
    return map_init(m, &by_number, d, e);
}

/* ---- look-up ---- */

/* Splits an address into fields; the channel is 0 if the mapping does not name it. */
static struct coord fields_of(const struct map *m, uint64_t addr)
{
    uint32_t v[MAP_FIELDS] = {0};
    for (uint32_t i = 0; i < m->n_parts; i++)
        v[m->part[i].field] |= ((uint32_t)(addr >> m->part[i].from) & m->part[i].mask)
                               << m->part[i].at;
    uint32_t flat = v[MAP_BANK], rank = v[MAP_PSEUDO] << m->pseudo_shift | v[MAP_RANK];
    if (!m->flat_bank) flat |= v[MAP_BANKGROUP] << m->group_shift;
    uint32_t channel = v[MAP_CHANNEL] ^ xor_hash(&m->channel_bits, v[MAP_ROW], flat);
    if (m->bank_hash == BANK_HASH_XOR) flat ^= v[MAP_ROW] & ((1u << m->banks_shift) - 1);
    if (m->bank_hash == BANK_HASH_BITS) flat ^= xor_hash(&m->bank_bits, v[MAP_ROW], 0);
    return (struct coord){.channel = channel,
                          .rank = rank,
                          .bankgroup = flat >> m->group_shift,
                          .bank = flat & (m->banks_per_group - 1),
                          .flat_bank = (rank << m->banks_shift) + flat,
                          .row = v[MAP_ROW],
                          .column = v[MAP_COLUMN]};
}

uint64_t map_inverse(const struct map *m, const struct coord *at)
{
    uint32_t v[MAP_FIELDS] = {[MAP_ROW] = at->row, [MAP_COLUMN] = at->column};
    uint32_t rank = at->flat_bank >> m->banks_shift,
             flat = at->flat_bank & ((1u << m->banks_shift) - 1);
    if (m->bank_hash == BANK_HASH_XOR) flat ^= at->row & ((1u << m->banks_shift) - 1);
    if (m->bank_hash == BANK_HASH_BITS) flat ^= xor_hash(&m->bank_bits, at->row, 0);
    v[MAP_CHANNEL] = at->channel ^ xor_hash(&m->channel_bits, at->row, flat);
    v[MAP_PSEUDO] = rank >> m->pseudo_shift;
    v[MAP_RANK] = rank & ((1u << m->pseudo_shift) - 1);
    v[MAP_BANK] = m->flat_bank ? flat : flat & (m->banks_per_group - 1);
    v[MAP_BANKGROUP] = flat >> m->group_shift;
    uint64_t addr = 0;
    for (uint32_t i = 0; i < m->n_parts; i++)
        addr |= (uint64_t)(v[m->part[i].field] >> m->part[i].at & m->part[i].mask)
                << m->part[i].from;
    return addr;
}

struct coord map_local(const struct map *m, uint32_t channel, uint64_t local)
{
    struct coord c = fields_of(m, local);
    c.channel = channel;
    return c;
}

static uint32_t slice_of_channel(const struct map *m, uint32_t channel, uint64_t addr)
{
    if (m->slices < m->channels) return channel & (m->slices - 1);
    uint64_t stripe = addr >> m->above_channel;
    return channel * m->slices_per_channel + (uint32_t)(stripe % m->slices_per_channel);
}

uint32_t map_slice(const struct map *m, uint64_t addr)
{
    uint64_t stripe;
    if (m->second && addr >= MAP_SECOND_MEMORY)
        return (uint32_t)((addr >> m->interleave_shift) % m->slices);
    if (m->follows) return slice_of_channel(m, fields_of(m, addr).channel, addr);
    return deal(&m->slice_deal, addr >> m->interleave_shift, &stripe);
}

uint32_t map_lane_of_partition(const struct map *m, uint32_t slice, uint64_t addr)
{
    if (m->slices_per_channel == m->slices) return slice;
    return slice / m->near_slices * m->slices_per_channel + map_share(m, map_slice(m, addr));
}

/* Slice and channel of a block, and the block's number in its channel. */
static inline uint32_t deal_block(const struct map *m, uint64_t block, uint32_t *slice,
                                  uint64_t *local_block)
{
    uint64_t stripe;
    *slice = deal(&m->slice_deal, block, &stripe);
    if (m->hashed) return deal(&m->channel_deal, block, local_block);
    if (m->slices < m->channels)
        return *slice * m->channel_deal.n + deal(&m->channel_deal, stripe, local_block);
    *local_block = stripe * m->slices_per_channel + map_share(m, *slice);
    return map_shared_channel(m, *slice);
}

static struct coord named_addr(const struct map *m, uint64_t addr)
{
    struct coord c = fields_of(m, addr);
    c.slice = m->follows ? slice_of_channel(m, c.channel, addr) : map_slice(m, addr);
    return c;
}

struct coord map_addr(const struct map *m, uint64_t addr)
{
    uint32_t slice;
    uint64_t block;
    if (m->named) return named_addr(m, addr);
    uint32_t channel = deal_block(m, addr >> m->interleave_shift, &slice, &block);
    uint64_t offset = addr & (m->interleave_bytes - 1);
    struct coord c = map_local(m, channel, (block << m->interleave_shift) + offset);
    c.slice = slice;
    return c;
}

uint32_t map_channel(const struct map *m, uint64_t addr)
{
    uint32_t slice;
    uint64_t block;
    if (m->named) return fields_of(m, addr).channel;
    return deal_block(m, addr >> m->interleave_shift, &slice, &block);
}
