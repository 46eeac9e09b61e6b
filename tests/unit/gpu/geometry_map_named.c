/* Mappings that name the channel: does every address have one place of its own, the one that a slow
 * reading of the text, bit by bit, gives it? */
#include "base/memory/rng.h"
#include "gpu/geometry/address_map_table.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 4, RANKS = 2, GROUPS = 2, BANKS = 4, ROWS = 16, ROW = 512, ADDRESS_BITS = 19 };

static const char *const names[] = {"row", "rank", "bankgroup", "bank", "column", "channel"};
static const uint32_t total[] = {4, 1, 1, 2, 9, 2}; /* log2 of the above */
enum { ROW_F, RANK_F, GROUP_F, BANK_F, COLUMN_F, CHANNEL_F, FIELDS };

static struct dram_params memory(const char *mapping)
{
    struct dram_params d = {.channels = CHANNELS,
                            .ranks = RANKS,
                            .bankgroups = GROUPS,
                            .banks_per_group = BANKS,
                            .rows = ROWS,
                            .row_bytes = ROW};
    snprintf(d.mapping, sizeof d.mapping, "%s", mapping);
    return d;
}

/* ---- a mapping drawn, and what each bit of the address means ---- */

struct drawn {
    char text[512];
    uint8_t field[ADDRESS_BITS]; /* from the lowest bit; the bits of a field count up */
};

/* Pieces of random fields and sizes; the column takes its lowest five bits at the low end. */
static void draw(struct drawn *d, struct rng *r)
{
    uint32_t left[FIELDS], n = 0;
    char piece[24], rest[512];
    memcpy(left, total, sizeof left);
    *d = (struct drawn){0};
    while (n < ADDRESS_BITS) {
        uint32_t f = n ? (uint32_t)rng_below(r, FIELDS) : COLUMN_F;
        uint32_t bits = 1 + (uint32_t)rng_below(r, left[f] ? left[f] : 1);
        if (n == 0 && bits < 5) bits = 5;
        if (left[f] < bits) continue;
        for (uint32_t i = 0; i < bits; i++)
            d->field[n++] = (uint8_t)f;
        left[f] -= bits;
        snprintf(piece, sizeof piece, "%s[%u]", names[f], bits);
        snprintf(rest, sizeof rest, "%s", d->text);
        snprintf(d->text, sizeof d->text, "%s%s%.470s", piece, *rest ? ":" : "", rest);
    }
}

struct place {
    uint32_t v[FIELDS];
};

static struct place slow_place(const struct drawn *d, uint64_t addr)
{
    struct place p = {0};
    uint32_t next[FIELDS] = {0};
    for (uint32_t i = 0; i < ADDRESS_BITS; i++)
        p.v[d->field[i]] += (uint32_t)(addr >> i & 1) << next[d->field[i]]++;
    return p;
}

static uint32_t bit(uint32_t v, uint32_t i)
{
    return v >> i & 1;
}

/* The lists as hash_lists has them, bit for bit. */
static const struct param_list bank_rows = {4, {0, 2, 1, 3}}, channel_rows = {3, {3, 1, 0}},
                               channel_banks = {2, {2, 0}};

static void slow_hash(struct place *p, enum bank_hash b, enum channel_hash c)
{
    uint32_t row = p->v[ROW_F], flat = p->v[GROUP_F] * BANKS + p->v[BANK_F], out = flat;
    if (b == BANK_HASH_XOR) out ^= row % (GROUPS * BANKS);
    if (b == BANK_HASH_BITS)
        out ^= (bit(row, 0) ^ bit(row, 3)) | bit(row, 2) << 1 | bit(row, 1) << 2;
    if (c == CHANNEL_HASH_BITS)
        p->v[CHANNEL_F] ^= (bit(row, 3) ^ bit(row, 0) ^ bit(flat, 2)) | (bit(row, 1) ^ bit(flat, 0))
                                                                            << 1;
    if (c == CHANNEL_HASH_FOLD) /* the digits of bank (three bits), then row */
        for (uint32_t all = row << 3 | flat; all; all >>= 2)
            p->v[CHANNEL_F] ^= all & 3;
    p->v[GROUP_F] = out / BANKS;
    p->v[BANK_F] = out % BANKS;
}

static struct map make(const char *text, uint32_t slices, enum slice_hash hash, enum bank_hash b,
                       enum channel_hash c, uint32_t interleave)
{
    struct l2_params l2 = {.banks = slices, .interleave_bytes = interleave, .slice_hash = hash};
    struct dram_params d = memory(text);
    struct map m;
    struct error e = {0};
    d.bank_hash = b;
    d.channel_hash = c;
    d.bank_hash_rows = bank_rows;
    d.channel_hash_rows = channel_rows;
    d.channel_hash_banks = channel_banks;
    if (!map_init(&m, &l2, &d, &e)) fail_msg("%s: %s", text, e.text);
    return m;
}

static uint64_t number(const struct coord *c)
{
    uint64_t bank = c->channel * (RANKS * GROUPS * BANKS) + c->flat_bank;
    return (bank * ROWS + c->row) * ROW + c->column;
}

static void one_map(const struct drawn *d, enum bank_hash b, enum channel_hash ch)
{
    struct map m = make(d->text, 3, SLICE_XOR, b, ch, 64);
    static uint8_t seen[1 << ADDRESS_BITS];
    static struct map_table table;
    memset(seen, 0, sizeof seen);
    map_table_init(&table, &m);
    assert_true(table.linear);
    for (uint64_t addr = 0; addr < 1 << ADDRESS_BITS; addr++) {
        struct coord c = map_addr(&m, addr);
        struct place p = slow_place(d, addr);
        slow_hash(&p, b, ch);
        uint32_t got[FIELDS] = {c.row, c.rank, c.bankgroup, c.bank, c.column, c.channel};
        if (memcmp(got, p.v, sizeof got) != 0) fail_msg("%s: address %lu", d->text, addr);
        assert_int_equal(c.flat_bank, (c.rank * GROUPS + c.bankgroup) * BANKS + c.bank);
        assert_int_equal(seen[number(&c)]++, 0);
        struct coord by_table = map_table_coord(&table, addr);
        assert_int_equal(by_table.row, c.row);
        assert_int_equal(by_table.column, c.column);
        assert_int_equal(by_table.flat_bank, c.flat_bank);
        if (addr % 61) continue;
        assert_int_equal(c.channel, map_channel(&m, addr));
        assert_int_equal(c.slice, map_slice(&m, addr));
    }
}

static void random_maps_are_one_to_one(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 5, 0);
    for (uint32_t k = 0, built = 0; built < 60; k++) {
        struct drawn d;
        draw(&d, &r);
        struct dram_params p = memory("");
        if (strlen(d.text) >= sizeof p.mapping) continue; /* too long a text, or too many pieces */
        uint32_t pieces = 1;
        for (const char *s = d.text; *s; s++)
            pieces += *s == ':';
        if (pieces > MAPPING_PARTS_MAX) continue;
        one_map(&d, (enum bank_hash)(built % BANK_HASH_N),
                (enum channel_hash)(built / BANK_HASH_N % CHANNEL_HASH_N));
        built++;
    }
}

/* ---- slices that go with their channels ---- */

/* What a slice is left with, without the bits that chose it, must tell its addresses apart: its
 * sets are counted over that. */
static void slices_keep_their_sets(uint32_t slices, enum channel_hash hash)
{
    const uint32_t chunk = 128;
    struct map m = make("row:rank:bankgroup:bank:column[2]:channel:column", slices, SLICE_CHANNEL,
                        BANK_HASH_XOR, hash, chunk);
    uint64_t chunks = (1 << ADDRESS_BITS) / chunk, each = chunks / slices;
    uint8_t *seen = calloc(chunks, 1);
    assert_non_null(seen);
    for (uint64_t i = 0; i < chunks; i++) {
        struct coord c = map_addr(&m, i * chunk);
        assert_true(c.slice < slices);
        assert_int_equal(c.slice, map_slice(&m, i * chunk + chunk - 1));
        assert_int_equal(slices >= CHANNELS ? c.slice / (slices / CHANNELS) : c.channel % slices,
                         slices >= CHANNELS ? c.channel : c.slice);
        assert_int_equal(seen[c.slice * each + i / slices]++, 0);
    }
    free(seen);
}

static void slices_go_with_channels(void **state)
{
    (void)state;
    static const uint32_t slices[] = {1, 2, 4, 8, 16};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
        for (int h = 0; h < CHANNEL_HASH_N; h++)
            slices_keep_their_sets(slices[i], (enum channel_hash)h);
}

/* ---- by hand ---- */

/* From bit 18 down: RRRR.KGBB.CCHH.CCCCCCC (row, rank, group, bank, column, channel, column). */
static void a_map_by_hand(void **state)
{
    (void)state;
    struct map m = make("row:rank:bankgroup:bank:column[2]:channel:column", 4, SLICE_MODULO,
                        BANK_HASH_NONE, CHANNEL_HASH_NONE, 128);
    uint64_t addr = 11u << 15 | 1u << 14 | 0u << 13 | 2u << 11 | 3u << 9 | 1u << 7 | 77;
    struct coord c = map_addr(&m, addr);
    assert_int_equal(c.row, 11);
    assert_int_equal(c.rank, 1);
    assert_int_equal(c.bankgroup, 0);
    assert_int_equal(c.bank, 2);
    assert_int_equal(c.column, 3 << 7 | 77);
    assert_int_equal(c.channel, 1);
    assert_int_equal(c.slice, (addr >> 7) % 4);
}

/* Page colouring: whole pages in one row of one bank; the 64 colours follow each other. */
static void pages_have_one_colour(void **state)
{
    (void)state;
    struct map m = make("row:rank:bankgroup:bank:channel:column", 4, SLICE_CHANNEL, BANK_HASH_NONE,
                        CHANNEL_HASH_NONE, ROW);
    for (uint64_t page = 0; page < 1 << ADDRESS_BITS; page += ROW) {
        struct coord first = map_addr(&m, page);
        uint32_t colour = first.flat_bank * CHANNELS + first.channel;
        assert_int_equal(colour, page / ROW % 64);
        for (uint64_t in = 0; in < ROW; in += 32) {
            struct coord c = map_addr(&m, page + in);
            assert_int_equal(c.channel, first.channel);
            assert_int_equal(c.flat_bank, first.flat_bank);
            assert_int_equal(c.row, first.row);
            assert_int_equal(c.slice, first.slice);
        }
    }
}

/* A stride of a row of all banks meets one channel; XORed with the row, all of them evenly. */
static void a_camping_stride_is_spread(void **state)
{
    (void)state;
    for (int h = 0; h < CHANNEL_HASH_N; h++) {
        uint32_t load[CHANNELS] = {0};
        struct map m = make("row:rank:bankgroup:bank:column[2]:channel:column", 4, SLICE_CHANNEL,
                            BANK_HASH_NONE, (enum channel_hash)h, 128);
        for (uint64_t i = 0; i < ROWS; i++)
            load[map_channel(&m, i << 15)]++;
        for (uint32_t c = 0; c < CHANNELS; c++)
            assert_int_equal(load[c], h ? ROWS / CHANNELS : c ? 0 : ROWS);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *mapping, *needle;
        enum slice_hash hash;
        uint32_t channels;
    } bad[] = {
        {"row:rank:bankgroup:bank:column", "names the channel", SLICE_CHANNEL, 4},
        {"row:rank:bankgroup:bank:channel[3]:column", "channel takes 3 bits", SLICE_XOR, 4},
        {"row:rank:bankgroup:bank:channel:column", "power of two", SLICE_XOR, 6},
        {"row:rank:bankgroup:bank:channel:column", "must divide", SLICE_CHANNEL, 8},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct l2_params l2 = {.banks = 3, .interleave_bytes = 128, .slice_hash = bad[i].hash};
        struct dram_params d = memory(bad[i].mapping);
        struct map m;
        struct error e = {0};
        d.channels = bad[i].channels;
        assert_false(map_init(&m, &l2, &d, &e));
        if (!strstr(e.text, bad[i].needle)) fail_msg("'%s' lacks '%s'", e.text, bad[i].needle);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_maps_are_one_to_one),
        cmocka_unit_test(slices_go_with_channels),
        cmocka_unit_test(a_map_by_hand),
        cmocka_unit_test(pages_have_one_colour),
        cmocka_unit_test(a_camping_stride_is_spread),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
