/* check.c - checks of the SM, the clocks and what lies between the parts; see check.h. */
#include "gpu/machine/check/check.h"
#include "gpu/machine/params/dram/dram_mapping.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { SUBCORE_WARPS_MAX = 64 };
static const double CTA_RATE_MIN = 1e-5;

bool check_is_power_of_two(uint32_t v)
{
    return v != 0 && (v & (v - 1)) == 0;
}

bool check_demand(bool ok, struct text *why, const char *fmt, ...)
{
    char line[512];
    va_list args;
    if (ok) return true;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    text_add(why, "%s", line);
    return false;
}

uint32_t check_whole_khz(double mhz)
{
    return (uint32_t)lround(mhz * 1000.0);
}

static bool warp_width(const struct machine *m, struct text *why)
{
    uint32_t w = m->sm.warp_width;
    return check_demand(w == 32 || w == 64, why, "%u lanes; 32 or 64 are allowed", w);
}

static bool coalesce_lanes(const struct machine *m, struct text *why)
{
    uint32_t n = m->sm.coalesce_lanes;
    return check_demand(check_is_power_of_two(n) && n <= m->sm.warp_width, why,
                        "%u lanes join in warps of %u; a power of two up to the warp is allowed", n,
                        m->sm.warp_width);
}

static bool phase_lanes(const struct machine *m, struct text *why)
{
    uint32_t n = m->sm.phase_lanes;
    return check_demand(
        check_is_power_of_two(n) && n <= m->sm.warp_width, why,
        "%u lanes per phase of warps of %u; a power of two up to the warp is allowed", n,
        m->sm.warp_width);
}

static bool vmb_release(const struct machine *m, struct text *why)
{
    return check_demand(m->sm.vmb_scope != VMB_PER_WARP || m->sm.vmb_release != VMB_IN_ORDER, why,
                        "in_order over buffers of warps; out_of_order or in_order_warp is allowed");
}

static bool ccws_tags(const struct machine *m, struct text *why)
{
    const struct ccws_params *p = &m->sm.ccws;
    return check_demand(p->tags % p->tag_ways == 0, why,
                        "%u tags in sets of %u; a multiple of the set is allowed", p->tags,
                        p->tag_ways);
}

/* Throttles that observe the L1's misses need an L1. */
static bool throttle_sees_l1(const struct machine *m, struct text *why)
{
    bool looks = m->sm.throttle == THROTTLE_IWL || m->sm.throttle == THROTTLE_CCWS;
    return check_demand(!looks || m->l1.enabled, why,
                        "it goes by the misses of an L1; l1.enabled = true is allowed");
}

static bool ccws_active_set(const struct machine *m, struct text *why)
{
    return check_demand(m->sm.throttle != THROTTLE_CCWS || m->sm.active_set == ACTIVE_SPREAD, why,
                        "ccws chooses warps by their scores; sm.throttle = \"fixed\" or \"iwl\" is"
                        " allowed");
}

static bool shared_banks(const struct machine *m, struct text *why)
{
    return check_demand(check_is_power_of_two(m->sm.shared_banks), why,
                        "%u banks; a power of two is allowed", m->sm.shared_banks);
}

static bool subcores(const struct machine *m, struct text *why)
{
    return check_demand(m->sm.max_warps % m->sm.subcores == 0, why,
                        "%u warps on %u sub-cores; a multiple of the sub-cores is allowed",
                        m->sm.max_warps, m->sm.subcores);
}

static bool slots_per_subcore(const struct machine *m, struct text *why)
{
    return check_demand(m->sm.max_warps / m->sm.subcores <= SUBCORE_WARPS_MAX, why,
                        "%u warps on %u sub-cores; at most %d per sub-core are allowed",
                        m->sm.max_warps, m->sm.subcores, SUBCORE_WARPS_MAX);
}

static bool coalesce_bytes(const struct machine *m, struct text *why)
{
    const struct cache_params *c = m->l1.enabled ? &m->l1.cache : &m->l2.cache;
    uint32_t n = m->sm.coalesce_bytes;
    return check_demand(
        check_is_power_of_two(n) && n <= c->line_bytes, why,
        "%u bytes join over %s with lines of %u bytes; a power of two up to the line is"
        " allowed",
        n, m->l1.enabled ? "an L1" : "an L2", c->line_bytes);
}

static bool whole_clock(double mhz, struct text *why)
{
    double khz = mhz * 1000.0;
    return check_demand(
        fabs(khz - round(khz)) < 1e-4, why,
        "%.15g MHz is not a whole number of kHz; at most three decimals are allowed", mhz);
}

static bool core_clock(const struct machine *m, struct text *why)
{
    return whole_clock(m->clock.core_mhz, why);
}

static bool noc_clock(const struct machine *m, struct text *why)
{
    return whole_clock(m->clock.noc_mhz, why);
}

static bool l2_clock(const struct machine *m, struct text *why)
{
    return whole_clock(m->clock.l2_mhz, why);
}

static bool dram_clock(const struct machine *m, struct text *why)
{
    return whole_clock(m->dram.clock_mhz, why);
}

bool machine_clocks(const struct machine *m, struct clocks *c)
{
    const uint32_t khz[CLOCK_N] = {
        [CLOCK_CORE] = check_whole_khz(m->clock.core_mhz),
        [CLOCK_NOC] = check_whole_khz(m->clock.noc_mhz),
        [CLOCK_L2] = check_whole_khz(m->clock.l2_mhz),
        [CLOCK_DRAM] = check_whole_khz(m->dram.clock_mhz),
        [CLOCK_SECOND_DRAM] =
            dram_is_there(&m->second_dram) ? check_whole_khz(m->second_dram.clock_mhz) : 0,
    };
    return clocks_init(c, khz);
}

static bool common_clock(const struct machine *m, struct text *why)
{
    struct clocks c;
    return check_demand(
        machine_clocks(m, &c), why,
        "clocks of %.15g, %.15g, %.15g and %.15g MHz have no common multiple up to 2^50"
        " kHz; rounder clocks are allowed",
        m->clock.core_mhz, m->clock.noc_mhz, m->clock.l2_mhz, m->dram.clock_mhz);
}

/* Time is counted in 64-bit ticks, in which every wait must end. In cycles of the fastest clock,
 * the times in one queue must lie within 31 bits of each other (detailed/parts/delay_line.h), and
 * they may be two waits apart. */
static bool waits_fit(const struct machine *m, struct text *why)
{
    enum { APART = 2 };
    struct clocks c;
    if (!machine_clocks(m, &c)) return true; /* common_clock reports it */
    uint64_t wait = machine_longest_wait(m), slowest = clocks_slowest(&c);
    uint64_t ratio = slowest / clocks_fastest(&c) + 1, most = CLOCK_LAST_TICK / slowest;
    if (most > INT32_MAX / APART / ratio) most = INT32_MAX / APART / ratio;
    return check_demand(
        wait <= most, why,
        "latencies and timings add up to %llu cycles beside clocks of %.15g, %.15g, %.15g"
        " and %.15g MHz; up to %llu cycles, or clocks that are rounder and less far apart,"
        " are allowed",
        (unsigned long long)wait, m->clock.core_mhz, m->clock.noc_mhz, m->clock.l2_mhz,
        m->dram.clock_mhz, (unsigned long long)most);
}

static bool slices_and_channels(const struct machine *m, struct text *why)
{
    uint32_t s = m->l2.banks, c = m->dram.channels;
    bool apart = dram_mapping_names_channel(&m->dram) && m->l2.slice_hash != SLICE_CHANNEL;
    bool hashed = m->dram.channel_deal == CHANNEL_DEAL_HASH;
    return check_demand(apart || hashed || s % c == 0 || c % s == 0, why,
                        "%u slices and %u channels; one must be a multiple of the other, unless"
                        " dram.channel_deal = hash",
                        s, c);
}

static bool channel_deal(const struct machine *m, struct text *why)
{
    bool hashed = m->dram.channel_deal == CHANNEL_DEAL_HASH;
    return check_demand(!hashed || !dram_mapping_names_channel(&m->dram), why,
                        "hash beside a mapping that names the channel; slice is allowed");
}

static bool slice_hash(const struct machine *m, struct text *why)
{
    return check_demand(m->l2.slice_hash != SLICE_IPOLY || check_is_power_of_two(m->l2.banks), why,
                        "ipoly over %u slices; a power of two is allowed", m->l2.banks);
}

/* A router receives a whole packet before it forwards it. */
static bool mesh_buffer(const struct machine *m, struct text *why)
{
    const struct noc_params *p = &m->noc;
    uint32_t sector = m->l2.cache.sector_bytes;
    if (sector < p->other_bytes) sector = p->other_bytes;
    uint32_t flits = (p->header_bytes + sector + p->flit_bytes - 1) / p->flit_bytes;
    return check_demand(
        p->topology != TOPOLOGY_MESH || p->buffer_flits >= flits, why,
        "%u flits per router input; a packet with a sector of %u bytes has %u: from that"
        " up is allowed",
        p->buffer_flits, sector, flits);
}

static bool batch_pages(const struct machine *m, struct text *why)
{
    return check_demand(check_is_power_of_two(m->sm.batch_page_kb), why,
                        "%u; a power of two is allowed", m->sm.batch_page_kb);
}

/* A launch of a few CTAs shall not look as if it made no progress. */
static bool cta_rate(const struct machine *m, struct text *why)
{
    double rate = m->sm.cta_rate;
    return check_demand(rate == 0 || rate >= CTA_RATE_MIN, why,
                        "%.15g CTAs per cycle; 0, for no limit, or at least %.15g is allowed", rate,
                        CTA_RATE_MIN);
}

/* What the L1 has gathered leaves with the SM's last CTA, and a protocol's release is of stores
 * that were made. */
static bool exit_waits(const struct machine *m, struct text *why)
{
    bool gathers = m->l1.enabled && m->l1.cache.write == WRITE_COMBINE;
    bool apart = m->coherence.protocol == PROTOCOL_NONE && !gathers;
    return check_demand(m->sm.exit_waits_for_stores || apart, why,
                        "false beside a coherence protocol or l1.write = combine; true is allowed");
}

static const struct check rows[] = {
    {{"sm.exit_waits_for_stores", "coherence.protocol", "l1.write"}, exit_waits},
    {{"sm.batch_page_kb"}, batch_pages},
    {{"sm.cta_rate"}, cta_rate},
    {{"sm.warp_width"}, warp_width},
    {{"sm.coalesce_lanes", "sm.warp_width"}, coalesce_lanes},
    {{"sm.phase_lanes", "sm.warp_width"}, phase_lanes},
    {{"sm.vmb_release", "sm.vmb_scope"}, vmb_release},
    {{"sm.shared_banks"}, shared_banks},
    {{"sm.ccws.tag_ways", "sm.ccws.tags"}, ccws_tags},
    {{"sm.throttle", "l1.enabled"}, throttle_sees_l1},
    {{"sm.active_set", "sm.throttle"}, ccws_active_set},
    {{"sm.max_warps", "sm.subcores"}, subcores},
    {{"sm.max_warps", "sm.subcores"}, slots_per_subcore},
    {{"sm.coalesce_bytes", "l1.enabled", "l1.line_bytes", "l2.line_bytes"}, coalesce_bytes},
    {{"clock.core_mhz"}, core_clock},
    {{"clock.noc_mhz"}, noc_clock},
    {{"clock.l2_mhz"}, l2_clock},
    {{"dram.clock_mhz"}, dram_clock},
    {{"clock.core_mhz", "clock.noc_mhz", "clock.l2_mhz", "dram.clock_mhz"}, common_clock},
    {{"clock.core_mhz", "clock.noc_mhz", "clock.l2_mhz", "dram.clock_mhz"}, waits_fit},
    {{"dram.channels", "l2.banks", "dram.mapping", "l2.slice_hash", "dram.channel_deal"},
     slices_and_channels},
    {{"dram.channel_deal", "dram.mapping"}, channel_deal},
    {{"l2.slice_hash", "l2.banks"}, slice_hash},
    {{"noc.buffer_flits", "noc.topology", "noc.flit_bytes", "noc.header_bytes", "l2.sector_bytes",
      "cpu.programs"},
     mesh_buffer},
};

const struct check_list chip_checks = {rows, sizeof rows / sizeof rows[0], NULL};
