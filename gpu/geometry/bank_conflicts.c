/* bank_conflicts.c - bank conflicts of shared memory, found by counting words or remembered. */
#include "gpu/geometry/bank_conflicts.h"

#include "base/memory/alloc.h"
#include "base/memory/popcount.h"
#include "gpu/geometry/bank_words.h"

#include <assert.h>

static uint64_t bank_group(uint32_t from, uint32_t banks)
{
    return (banks >= WARP_MAX_LANES ? UINT64_MAX : (UINT64_C(1) << banks) - 1) << from;
}

static uint32_t group_cycles(const struct warp_inst *w, uint32_t first, uint32_t n, uint32_t banks)
{
    struct bank_words b;
    bank_words_clear(&b);
    for (uint32_t k = first; k < first + n; k++)
        bank_words_ask_access(&b, warp_inst_addr(w, k), w->si->width, banks);
    return b.worst;
}

/* Words at equal steps, as many as `n`: every banks / gcd-th meets the same bank. */
static uint32_t stepped_cycles(uint32_t step, uint32_t n, uint32_t banks)
{
    uint32_t a = step % banks, gcd = banks;
    if (step == 0) return 1;
    while (a) {
        uint32_t rest = gcd % a;
        gcd = a;
        a = rest;
    }
    uint32_t apart = banks / gcd;
    return (n + apart - 1) / apart;
}

uint32_t bank_conflict_cycles(const struct warp_inst *w, uint32_t banks)
{
    assert(banks >= 1 && banks <= BANKS_MOST && w->si->width >= 1 &&
           w->si->width <= INST_MAX_WIDTH);
    bool stepped = w->form == ADDR_STRIDE && w->si->width == BANK_WORD_BYTES &&
                   w->base % BANK_WORD_BYTES == 0 && w->stride % BANK_WORD_BYTES == 0 &&
                   w->stride >= 0 && w->stride <= UINT32_MAX;
    uint32_t first = 0, cycles = 0, step = stepped ? (uint32_t)(w->stride / BANK_WORD_BYTES) : 0;
    for (uint32_t lane = 0; lane < WARP_MAX_LANES && w->mask >> lane; lane += banks) {
        uint32_t n = popcount(w->mask & bank_group(lane, banks));
        if (n)
            cycles += stepped ? stepped_cycles(step, n, banks) : group_cycles(w, first, n, banks);
        first += n;
    }
    return cycles ? cycles : 1;
}

/* Whether the lanes of `w` lie to each other as those of the pattern, in as many bytes each. Moving
 * all by whole words moves them to other banks and changes no conflict. */
static bool fits(const struct conflict_pattern *p, const struct warp_inst *w)
{
    uint64_t base = w->list[0], differ = p->mask ^ w->mask;
    uint32_t n = popcount(w->mask);
    differ |= p->width ^ w->si->width;
    differ |= p->offset ^ base % BANK_WORD_BYTES;
    if (differ) return false;
    for (uint32_t k = 0; k < n; k++)
        differ |= p->from_first[k] ^ (w->list[k] - base);
    return !differ;
}

static void remember(struct conflict_pattern *p, const struct warp_inst *w, uint32_t cycles)
{
    uint64_t base = w->list[0];
    p->mask = w->mask;
    p->width = w->si->width;
    p->offset = base % BANK_WORD_BYTES;
    p->cycles = cycles;
    for (uint32_t k = 0; k < popcount(w->mask); k++)
        p->from_first[k] = w->list[k] - base;
}

void conflict_memo_fini(struct conflict_memo *m)
{
    mem_free(m->pattern);
    m->pattern = NULL;
}

uint32_t conflict_memo_cycles(struct conflict_memo *m, const struct warp_inst *w, uint32_t banks)
{
    if (w->form != ADDR_LIST || !w->mask) return bank_conflict_cycles(w, banks);
    if (!m->pattern) m->pattern = mem_new(CONFLICT_PATTERNS, sizeof *m->pattern);
    if (!m->pattern) return bank_conflict_cycles(w, banks);
    struct conflict_pattern *p = &m->pattern[w->code % CONFLICT_PATTERNS];
    if (!fits(p, w)) remember(p, w, bank_conflict_cycles(w, banks));
    return p->cycles;
}

uint32_t conflict_memo_shared_cycles(struct conflict_memo *m, const struct warp_inst *w,
                                     uint32_t banks, uint32_t bytes)
{
    uint32_t cycles = conflict_memo_cycles(m, w, banks);
    if (!bytes) return cycles;
    uint32_t moved = (popcount(w->mask) * w->si->width + bytes - 1) / bytes;
    return moved > cycles ? moved : cycles;
}
