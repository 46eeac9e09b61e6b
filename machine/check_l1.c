/* check_l1.c - checks of what an L1 has beside its tags; see check.h. */
#include "machine/check.h"

enum { IPOLY_BANKS_MIN = 16 };

/* Lines of the L1 at its largest. */
static uint64_t most_lines(const struct l1_params *p)
{
    uint64_t kb = p->kb;
    if (p->adaptive && p->shared_options_kb.n && p->shared_options_kb.v[0] < p->unified_kb)
        kb = p->unified_kb - p->shared_options_kb.v[0];
    return kb * 1024 / p->cache.line_bytes;
}

static bool tags(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    return demand(!p->cache.tags || p->cache.tags >= most_lines(p), why,
                  "%u tags for %llu lines; 0 (unbounded) or at least as many are allowed",
                  p->cache.tags, (unsigned long long)most_lines(p));
}

static bool bank_bytes(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    uint32_t spans = p->cache.sector_bytes / p->bank_bytes;
    return demand(is_power_of_two(p->bank_bytes) && is_power_of_two(p->banks), why,
                  "%u banks of %u bytes; powers of two are allowed", p->banks, p->bank_bytes) &&
           demand(p->banks == 1 || spans <= p->banks, why,
                  "a sector of %u bytes lies in %u banks of %u bytes; at most l1.banks = %u are"
                  " allowed",
                  p->cache.sector_bytes, spans, p->bank_bytes, p->banks);
}

static bool bank_index(const struct machine *m, struct text *why)
{
    const struct l1_params *p = &m->l1;
    return demand(p->bank_index != INDEX_IPOLY || p->banks >= IPOLY_BANKS_MIN, why,
                  "ipoly over %u banks; from %d up is allowed", p->banks, IPOLY_BANKS_MIN);
}

static const struct check rows[] = {
    {{"l1.tags", "l1.kb", "l1.line_bytes", "l1.unified_kb", "l1.shared_options_kb"}, tags},
    {{"l1.bank_bytes", "l1.banks", "l1.sector_bytes"}, bank_bytes},
    {{"l1.bank_index", "l1.banks"}, bank_index},
};

const struct check_list l1_checks = {rows, sizeof rows / sizeof rows[0]};
