/* check_dram.c - checks of the memory; see check.h. All but the check of the model itself apply
 * only to dram.model = banks. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/params/dram/dram_mapping.h"

static bool banks(const struct machine *m)
{
    return m->dram.model == DRAM_BANKS;
}

/* One power-of-two check per field. */
#define POWER_OF_TWO(name_, field_)                                           \
    static bool name_(const struct machine *m, struct text *why)              \
    {                                                                         \
        return check_demand(check_is_power_of_two(m->dram.field_), why,       \
                            "%u; a power of two is allowed", m->dram.field_); \
    }
POWER_OF_TWO(lockstep, lockstep)
POWER_OF_TWO(bus, bus_bytes)
POWER_OF_TWO(burst_length, burst_length)
POWER_OF_TWO(beats, beats_per_clock)
POWER_OF_TWO(pseudo_channels, pseudo_channels)
POWER_OF_TWO(ranks, ranks)
POWER_OF_TWO(bankgroups, bankgroups)
POWER_OF_TWO(banks_per_group, banks_per_group)
POWER_OF_TWO(row_count, rows)
POWER_OF_TWO(row_bytes, row_bytes)

static bool whole_burst(const struct machine *m, struct text *why)
{
    const struct dram_params *d = &m->dram;
    return check_demand(
        d->burst_length / dram_lockstep(d) >= d->beats_per_clock, why,
        "bursts of %u beats over %u channels in lockstep at %u per clock; whole clocks are"
        " allowed",
        d->burst_length, dram_lockstep(d), d->beats_per_clock);
}

static bool burst_fits(const struct machine *m, struct text *why)
{
    uint32_t burst = m->dram.bus_bytes * m->dram.burst_length;
    uint32_t row = dram_row_bytes(&m->dram);
    uint32_t most = row < m->l2.interleave_bytes ? row : m->l2.interleave_bytes;
    return check_demand(!banks(m) || burst <= most, why,
                        "bursts of %u bytes (dram.bus_bytes x dram.burst_length); at most a row and"
                        " l2.interleave_bytes, %u here, are allowed",
                        burst, most);
}

/* Checks that depend on the mapping are skipped while a count is invalid, which other checks
 * report. */
static bool parse_mapping(const struct machine *m, struct mapping *parsed, struct text *why)
{
    const struct dram_params *d = &m->dram;
    return banks(m) && check_is_power_of_two(d->rows) &&
           check_is_power_of_two(dram_pseudo_channels(d)) && check_is_power_of_two(d->ranks) &&
           check_is_power_of_two(d->bankgroups) && check_is_power_of_two(d->banks_per_group) &&
           check_is_power_of_two(dram_row_bytes(d)) && mapping_parse(parsed, d, why);
}

static bool mapping(const struct machine *m, struct text *why)
{
    struct mapping parsed;
    uint64_t burst = (uint64_t)m->dram.bus_bytes * m->dram.burst_length;
    if (!parse_mapping(m, &parsed, why)) return *text_str(why) == '\0';
    uint32_t bits = mapping_low_columns(&parsed);
    return check_demand(
        bits < 32 && UINT64_C(1) << bits >= burst, why,
        "its lowest %u bits are column bits; bursts of %llu bytes need as many as they"
        " have bytes",
        bits, (unsigned long long)burst);
}

/* A line must lie in one channel. */
static bool channel_bits(const struct machine *m, struct text *why)
{
    struct mapping parsed;
    struct text said = {0};
    uint32_t parts;
    bool sound = parse_mapping(m, &parsed, &said);
    text_fini(&said);
    if (!sound) return true;
    uint32_t bit = mapping_channel_bit(&parsed, &parts);
    return check_demand(
        parts == 0 || UINT64_C(1) << bit >= m->l2.cache.line_bytes, why,
        "channel bits from bit %u on with lines of %u bytes; above a line is allowed", bit,
        m->l2.cache.line_bytes);
}

/* A slice's sets are computed from the addresses that the interleave gives it. */
static bool slices_of_channels(const struct machine *m, struct text *why)
{
    struct mapping parsed;
    struct text said = {0};
    uint32_t parts;
    if (m->l2.slice_hash != SLICE_CHANNEL) return true;
    bool sound = parse_mapping(m, &parsed, &said);
    text_fini(&said);
    bool named = sound && dram_mapping_names_channel(&m->dram);
    uint32_t bit = named ? mapping_channel_bit(&parsed, &parts) : 0;
    return check_demand(named && (m->dram.channels == 1 ||
                                  (parts == 1 && UINT64_C(1) << bit == m->l2.interleave_bytes)),
                        why,
                        "slices that go with their channels, and an interleave of %u bytes; a"
                        " dram.mapping with the channel in one piece just above these is allowed",
                        m->l2.interleave_bytes);
}

static bool channel_hash(const struct machine *m, struct text *why)
{
    return check_demand(
        m->dram.channel_hash == CHANNEL_HASH_NONE || dram_mapping_names_channel(&m->dram), why,
        "a hash of the channel, which dram.mapping does not name; allowed: none");
}

static bool bits_below(const struct param_list *l, uint32_t count, const char *what,
                       struct text *why)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->v[i] < 32 && count >> l->v[i] > 1) continue;
        return check_demand(false, why, "%s bit %u with %u of them; lower bits are allowed", what,
                            l->v[i], count);
    }
    return true;
}

static bool bank_rows(const struct machine *m, struct text *why)
{
    return m->dram.bank_hash != BANK_HASH_BITS ||
           bits_below(&m->dram.bank_hash_rows, m->dram.rows, "row", why);
}

static bool channel_rows(const struct machine *m, struct text *why)
{
    return m->dram.channel_hash != CHANNEL_HASH_BITS ||
           bits_below(&m->dram.channel_hash_rows, m->dram.rows, "row", why);
}

static bool channel_banks(const struct machine *m, struct text *why)
{
    return m->dram.channel_hash != CHANNEL_HASH_BITS ||
           bits_below(&m->dram.channel_hash_banks, m->dram.bankgroups * m->dram.banks_per_group,
                      "bank", why);
}

static bool row_cycle(const struct machine *m, struct text *why)
{
    const struct dram_timing *t = &m->dram.t;
    return check_demand(t->tRC == 0 || t->tRC >= t->tRAS + t->tRP, why,
                        "tRC = %u with tRAS + tRP = %u; at least that is allowed, or 0", t->tRC,
                        t->tRAS + t->tRP);
}

static bool row_active(const struct machine *m, struct text *why)
{
    const struct dram_timing *t = &m->dram.t;
    return check_demand(t->tRAS == 0 || t->tRAS >= t->tRCDRD, why,
                        "tRAS = %u with tRCDRD = %u; at least that is allowed, or 0", t->tRAS,
                        t->tRCDRD);
}

static bool first_data(const struct machine *m, struct text *why)
{
    return check_demand(!banks(m) || (m->dram.t.tCL > 0 && m->dram.t.tCWL > 0), why,
                        "tCL = %u and tCWL = %u; at least 1 is allowed", m->dram.t.tCL,
                        m->dram.t.tCWL);
}

/* With one bank group, the _L timings must equal the _S timings, since such a device uses the
 * latter. */
static bool long_and_short(const char *name, uint32_t l, uint32_t s, uint32_t groups,
                           struct text *why)
{
    if (groups == 1)
        return check_demand(l == s, why,
                            "%s_L = %u and %s_S = %u in one bank group; equal is allowed", name, l,
                            name, s);
    return check_demand(l >= s, why, "%s_L = %u under %s_S = %u; at least that is allowed", name, l,
                        name, s);
}

static bool ccd(const struct machine *m, struct text *why)
{
    return long_and_short("tCCD", m->dram.t.tCCD_L, m->dram.t.tCCD_S, m->dram.bankgroups, why);
}

static bool rrd(const struct machine *m, struct text *why)
{
    return long_and_short("tRRD", m->dram.t.tRRD_L, m->dram.t.tRRD_S, m->dram.bankgroups, why);
}

static bool wtr(const struct machine *m, struct text *why)
{
    return long_and_short("tWTR", m->dram.t.tWTR_L, m->dram.t.tWTR_S, m->dram.bankgroups, why);
}

static bool faw(const struct machine *m, struct text *why)
{
    const struct dram_timing *t = &m->dram.t;
    return check_demand(t->tFAW == 0 || t->tFAW >= t->tRRD_S, why,
                        "tFAW = %u under tRRD_S = %u; at least that is allowed, or 0", t->tFAW,
                        t->tRRD_S);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Clocks that suffice for a closed bank to open a row, read or write and close it. */
static uint32_t row_use(const struct dram_params *d)
{
    const struct dram_timing *t = &d->t;
    uint32_t at_once = larger(1, d->beats_per_clock) * dram_lockstep(d);
    uint32_t burst = larger(1, d->burst_length / at_once);
    uint32_t column = t->tAL + larger(t->tCL, t->tCWL) + burst + larger(t->tWR, t->tWTR_L);
    uint32_t commands = 2 * t->tCMD + larger(t->tCMD, t->tCMD_ACT) -
                        3; /* the clocks of each command after its first */
    uint32_t used = larger(t->tRCDRD, t->tRCDWR) + column + commands;
    if (d->power_down_idle) used += t->tCKE + t->tXP;
    return larger(larger(used, t->tRAS) + t->tRP, t->tRC);
}

/* The timings that row_use adds up. */
#define ROW_USE                                                                         \
    "dram.timing.tRAS", "dram.timing.tRP", "dram.timing.tRC", "dram.timing.tRCDRD",     \
        "dram.timing.tRCDWR", "dram.timing.tAL", "dram.timing.tCL", "dram.timing.tCWL", \
        "dram.timing.tWR", "dram.timing.tWTR_L", "dram.timing.tCKE", "dram.timing.tXP"

/* With a shorter interval, every opened row would be closed for the next refresh before it is
 * accessed. */
static bool refresh(const struct machine *m, struct text *why)
{
    const struct dram_timing *t = &m->dram.t;
    uint32_t least = t->tRFC + row_use(&m->dram);
    return check_demand(
        t->tREFI == 0 || (t->tRFC > 0 && t->tREFI >= least), why,
        "tREFI = %u with tRFC = %u and %u clocks to open, use and close a row; tRFC > 0"
        " and tREFI >= %u are allowed, or tREFI = 0",
        t->tREFI, t->tRFC, least - t->tRFC, least);
}

static bool powers(const struct machine *m, struct text *why)
{
    const struct dram_energy_params *e = &m->dram.energy;
    bool falls =
        e->act_standby_mw >= e->pre_standby_mw && e->act_standby_mw >= e->act_powerdown_mw &&
        e->pre_standby_mw >= e->pre_powerdown_mw && e->act_powerdown_mw >= e->pre_powerdown_mw;
    return check_demand(
        falls, why,
        "standby %g (open row) and %g mW, power-down %g and %g mW; act >= pre and standby"
        " >= powerdown are allowed",
        e->act_standby_mw, e->pre_standby_mw, e->act_powerdown_mw, e->pre_powerdown_mw);
}

/* The same check for per-bank refresh: between two refreshes of a bank, all the others have theirs.
 */
static bool bank_refresh(const struct machine *m, struct text *why)
{
    const struct dram_params *d = &m->dram;
    const struct dram_timing *t = &d->t;
    uint64_t turns = (uint64_t)d->bankgroups * d->banks_per_group;
    uint32_t length = t->tRFCb ? t->tRFCb : t->tRFC, least = length + row_use(d);
    uint64_t interval = t->tREFIb ? t->tREFIb * turns : t->tREFI;
    if (!d->per_bank_refresh || t->tREFI == 0) return true;
    return check_demand(
        interval >= least && interval >= 4 * (uint64_t)t->tRREFD * turns, why,
        "a bank refreshes every %llu clocks with tRFCb = %u, tRREFD = %u; at least %u and"
        " 4 tRREFD for each bank of a rank are allowed, or tREFI = 0",
        (unsigned long long)interval, length, t->tRREFD, least);
}

static bool write_marks(const struct machine *m, struct text *why)
{
    const struct dram_params *d = &m->dram;
    return check_demand(
        d->write_queue == 0 || (d->write_low < d->write_high && d->write_high <= d->write_queue),
        why,
        "drain marks %u and %u in a queue of %u; write_low < write_high <= write_queue is"
        " allowed",
        d->write_low, d->write_high, d->write_queue);
}

bool check_second_as_first(const struct machine *m, struct machine *alone)
{
    if (!dram_is_there(&m->second_dram)) return false;
    *alone = *m;
    alone->dram = m->second_dram;
    alone->l2.slice_hash = SLICE_MODULO;
    return true;
}

static bool second_slices(const struct machine *m, struct text *why)
{
    uint32_t slices = m->l2.banks, channels = m->second_dram.channels;
    bool hashed = m->second_dram.channel_deal == CHANNEL_DEAL_HASH;
    return check_demand(channels == 0 || dram_mapping_names_channel(&m->second_dram) || hashed ||
                            slices % channels == 0 || channels % slices == 0,
                        why, "%u slices and %u channels; one must be a multiple of the other",
                        slices, channels);
}

static bool second_pages(const struct machine *m, struct text *why)
{
    return check_demand(!dram_is_there(&m->second_dram) || pages_are_placed(&m->pages), why,
                        "a second memory, which only pages reach; pages.placement other than none"
                        " is allowed");
}

/* Of one memory; the second has the same (settle.c). */
static const struct check rows[] = {
    {{"dram.lockstep"}, lockstep},
    {{"dram.bus_bytes"}, bus},
    {{"dram.burst_length"}, burst_length},
    {{"dram.beats_per_clock"}, beats},
    {{"dram.pseudo_channels"}, pseudo_channels},
    {{"dram.ranks"}, ranks},
    {{"dram.bankgroups"}, bankgroups},
    {{"dram.banks_per_group"}, banks_per_group},
    {{"dram.rows"}, row_count},
    {{"dram.row_bytes"}, row_bytes},
    {{"dram.burst_length", "dram.beats_per_clock", "dram.lockstep"}, whole_burst},
    {{"dram.burst_length", "dram.bus_bytes", "dram.row_bytes", "l2.interleave_bytes"}, burst_fits},
    {{"dram.mapping", "dram.rows", "dram.pseudo_channels", "dram.ranks", "dram.bankgroups",
      "dram.banks_per_group", "dram.row_bytes", "dram.lockstep", "dram.channels"},
     mapping},
    {{"dram.mapping", "dram.channels", "l2.line_bytes"}, channel_bits},
    {{"l2.slice_hash", "dram.mapping", "dram.channels", "l2.interleave_bytes"}, slices_of_channels},
    {{"dram.channel_hash", "dram.mapping"}, channel_hash},
    {{"dram.bank_hash_rows", "dram.rows"}, bank_rows},
    {{"dram.channel_hash_rows", "dram.rows"}, channel_rows},
    {{"dram.channel_hash_banks", "dram.bankgroups", "dram.banks_per_group"}, channel_banks},
    {{"dram.timing.tRC", "dram.timing.tRAS", "dram.timing.tRP"}, row_cycle},
    {{"dram.timing.tRAS", "dram.timing.tRCDRD"}, row_active},
    {{"dram.timing.tCL", "dram.timing.tCWL"}, first_data},
    {{"dram.timing.tCCD_L", "dram.timing.tCCD_S", "dram.bankgroups"}, ccd},
    {{"dram.timing.tRRD_L", "dram.timing.tRRD_S", "dram.bankgroups"}, rrd},
    {{"dram.timing.tWTR_L", "dram.timing.tWTR_S", "dram.bankgroups"}, wtr},
    {{"dram.timing.tFAW", "dram.timing.tRRD_S"}, faw},
    {{"dram.timing.tREFI", "dram.timing.tRFC", ROW_USE}, refresh},
    {{"dram.timing.tREFIb", "dram.timing.tRFCb", "dram.timing.tRFC", "dram.timing.tRREFD",
      "dram.timing.tREFI", "dram.per_bank_refresh", "dram.bankgroups", "dram.banks_per_group",
      ROW_USE},
     bank_refresh},
    {{"dram.write_queue", "dram.write_high", "dram.write_low"}, write_marks},
    {{"dram.energy.act_standby_mw", "dram.energy.pre_standby_mw", "dram.energy.act_powerdown_mw",
      "dram.energy.pre_powerdown_mw"},
     powers},
};

static const struct check second_rows[] = {
    {{"dram[1].channels", "dram[1].mapping", "dram[1].channel_deal", "l2.banks"}, second_slices},
    {{"dram[1].channels", "pages.placement"}, second_pages},
};

const struct check_list dram_checks = {rows, sizeof rows / sizeof rows[0], NULL};
const struct check_list second_dram_checks = {second_rows,
                                              sizeof second_rows / sizeof second_rows[0], NULL};
