/* check_l1.c - checks of the L1 apart from its tags; see check.h. */
#include "gpu/machine/check/check.h"

enum { IPOLY_BANKS_MIN = 16 };

/* Lines of the L1 at its largest size. */
static uint64_t most_lines(const struct l1_params *p)
{
    return (uint64_t)l1_most_kb(p) * 1024 / p->cache.line_bytes;
}

static bool tags(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    return check_demand(!p->cache.tags || p->cache.tags >= most_lines(p), why,
                        "%u tags for %llu lines; 0 (unbounded) or at least as many are allowed",
                        p->cache.tags, (unsigned long long)most_lines(p));
}

static bool bank_bytes(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    uint32_t spans = p->cache.sector_bytes / p->bank_bytes;
    return check_demand(check_is_power_of_two(p->bank_bytes) && check_is_power_of_two(p->banks),
                        why, "%u banks of %u bytes; powers of two are allowed", p->banks,
                        p->bank_bytes) &&
           check_demand(
               p->banks == 1 || spans <= p->banks, why,
               "a sector of %u bytes lies in %u banks of %u bytes; at most l1.banks = %u are"
               " allowed",
               p->cache.sector_bytes, spans, p->bank_bytes, p->banks);
}

static bool bank_index(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    return check_demand(p->bank_index != INDEX_IPOLY || p->banks >= IPOLY_BANKS_MIN, why,
                        "ipoly over %u banks; from %d up is allowed", p->banks, IPOLY_BANKS_MIN);
}

static bool instruction_banks(const struct machine *m, struct text *why)
{
    const struct l1_instruction_params *p = &m->l1.instruction;
    bool fits = (!p->lookups || check_is_power_of_two(p->lookups)) &&
                (!p->word_banks || check_is_power_of_two(p->word_banks));
    return check_demand(fits, why,
                        "%u banks of tags and %u of words; powers of two, or 0, are allowed",
                        p->lookups, p->word_banks);
}

/* Under a protocol, its tables decide what a store leaves in the L1 and what bypasses it. */
static bool own_rules(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    bool plain = p->bypass == BYPASS_HINTED && p->write_local == LOCAL_SAME;
    return check_demand(
        m->coherence.protocol == PROTOCOL_NONE || plain, why,
        "a coherence protocol has its own rules; l1.bypass = \"hinted\" and l1.write_local"
        " = \"same\" are allowed");
}

/* Stores that evict, or that are combined elsewhere, allocate no line. */
static bool passes_by(const struct machine *m, struct text *why)
{
    const struct cache_params *c = &m->l1.cache;
    return check_demand((c->write != WRITE_EVICT && c->write != WRITE_COMBINE) ||
                            c->write_miss == WRITE_MISS_NO_ALLOCATE,
                        why,
                        "stores that take a line under l1.write = \"evict\" or \"combine\";"
                        " \"no_allocate\" is allowed");
}

/* The predictor learns only from loads and their fills. */
static bool agcb_learns(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    bool loads_only = p->cache.write_miss == WRITE_MISS_NO_ALLOCATE &&
                      p->cache.write != WRITE_COMBINE && p->write_local == LOCAL_SAME;
    return check_demand(p->bypass != BYPASS_AGCB || loads_only, why,
                        "agcb with lines that stores take; l1.write_miss = \"no_allocate\" without"
                        " l1.write = \"combine\" and l1.write_local = \"back\" is allowed");
}

static bool agcb_table(const struct machine *m, struct text *why)
{
    const struct agcb_params *a = &m->l1.agcb;
    uint32_t most = (1u << a->counter_bits) - 1;
    return check_demand(check_is_power_of_two(a->entries), why,
                        "%u counters; a power of two is allowed", a->entries) &&
           check_demand(a->initial <= most && a->threshold <= most + 1, why,
                        "initial %u and threshold %u with %u bits; up to %u and %u are allowed",
                        a->initial, a->threshold, a->counter_bits, most, most + 1);
}

static bool frc_sets(const struct machine *m, struct text *why)
{
    return check_frc_sets(&m->l1.frc, check_l1_sets(m->l1.kb, &m->l1.cache), why);
}

/* An FRC's blocks have no sectors, and neither agent tables nor the predictor know an FRC. */
static bool frc_alone(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    bool plain = p->cache.sector_bytes == p->cache.line_bytes && p->bypass != BYPASS_AGCB &&
                 m->coherence.protocol == PROTOCOL_NONE;
    return check_demand(!p->frc.entries || plain, why,
                        "an FRC of %u entries; lines without sectors, no coherence protocol and any"
                        " l1.bypass but agcb are allowed",
                        p->frc.entries);
}

/* Notes of lines are the predictor's, and an FRC's blocks are in no line when they come. */
static bool prefetch_alone(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    return check_demand(!p->prefetch || (p->bypass != BYPASS_AGCB && !p->frc.entries), why,
                        "a prefetcher beside agcb or an FRC; any other l1.bypass and"
                        " l1.frc.entries = 0 are allowed");
}

static bool l15_sets(const struct machine *m, struct text *why)
{
    const struct l15_params *p = &m->l1.l15;
    return check_demand(!p->kb || p->cache.sets > 0, why,
                        "an L1.5 of %u KB is not a whole number of sets of %u lines of %u bytes",
                        p->kb, p->cache.ways, p->cache.line_bytes);
}

/* Its copies hear of no store that another L1.5's SM, a fence or an L2 would tell them of, and of
 * replies it passes on data and acknowledgements. */
static bool l15_alone(const struct machine *m, struct text *why)
{
    bool plain = m->l1.enabled && m->l1.bypass != BYPASS_AGCB && m->l2.partitions == 1 &&
                 m->l2.inclusion == INCLUSION_NONE && !m->l2.nack &&
                 m->l2.line_wait != LINE_WAIT_NACK && !m->coherence.fence_invalidates;
    return check_demand(
        !m->l1.l15.kb || plain, why,
        "an L1.5 beside what it does not hear of; an L1 without agcb, one L2 that is"
        " not inclusive and rejects nothing, and coherence.fence_invalidates ="
        " false are allowed");
}

static const struct check rows[] = {
    {{"l1.l15.kb", "l1.l15.ways", "l1.line_bytes"}, l15_sets},
    {{"l1.l15.kb", "l1.enabled", "l1.bypass", "l2.partitions", "l2.inclusion", "l2.nack",
      "l2.line_wait", "coherence.fence_invalidates"},
     l15_alone},
    {{"l1.prefetch", "l1.bypass", "l1.frc.entries"}, prefetch_alone},
    {{"l1.tags", "l1.kb", "l1.line_bytes", "l1.unified_kb", "l1.reserved_kb",
      "l1.shared_options_kb"},
     tags},
    {{"l1.frc.entries", "l1.frc.ways", "l1.kb", "l1.ways", "l1.line_bytes"}, frc_sets},
    {{"l1.frc.entries", "l1.sector_bytes", "l1.line_bytes", "l1.bypass", "coherence.protocol"},
     frc_alone},
    {{"l1.bank_bytes", "l1.banks", "l1.sector_bytes"}, bank_bytes},
    {{"l1.bank_index", "l1.banks"}, bank_index},
    {{"l1.lookups", "l1.word_banks"}, instruction_banks},
    {{"coherence.protocol", "l1.bypass", "l1.write_local"}, own_rules},
    {{"l1.write", "l1.write_miss"}, passes_by},
    {{"l1.bypass", "l1.write", "l1.write_miss", "l1.write_local"}, agcb_learns},
    {{"l1.agcb.entries", "l1.agcb.counter_bits", "l1.agcb.threshold", "l1.agcb.initial"},
     agcb_table},
};

/* --- derived fields --- */

static void derive(struct machine *m)
{
    struct l15_params *p = &m->l1.l15;
    p->cache.line_bytes = m->l1.cache.line_bytes;
    p->cache.sector_bytes = m->l1.cache.sector_bytes;
    p->cache.sets = check_derived_sets(p->kb, &p->cache);
}

const struct check_list l1_checks = {rows, sizeof rows / sizeof rows[0], derive};
