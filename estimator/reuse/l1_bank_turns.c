/* l1_bank_turns.c - see l1_bank_turns.h. */
#include "estimator/reuse/l1_bank_turns.h"

#include "gpu/geometry/set_index.h"

#include <string.h>

static void begin_cycle(struct l1_bank_turns *t)
{
    t->cycles++;
    t->taken = 0;
    memset(t->used, 0, sizeof t->used);
}

/* Of the banks that a sector lies in. */
struct bank_span {
    uint64_t first;
    uint32_t n;
};

static uint8_t *bank_of(struct l1_bank_turns *t, const struct profile_view *v, uint64_t place)
{
    return &t->used[index_table[v->l1_bank_index](place, v->l1_banks)];
}

static bool is_free(struct l1_bank_turns *t, const struct profile_view *v, struct bank_span span)
{
    for (uint32_t k = 0; k < span.n; k++)
        if (*bank_of(t, v, span.first + k) == v->l1_bank_ports) return false;
    return true;
}

/* joins: it goes with the sector before it, in whose bank it lies, if there is a port. */
static void enter_sector(struct l1_bank_turns *t, const struct profile_view *v,
                         struct bank_span span, bool joins)
{
    bool begins = t->cycles <= 0 || t->taken == v->l1_ports || (!joins && !is_free(t, v, span));
    if (begins) begin_cycle(t);
    for (uint32_t k = 0; k < span.n && (begins || !joins); k++)
        ++*bank_of(t, v, span.first + k);
    t->taken++;
}

void l1_bank_turns_enter(struct l1_bank_turns *t, const struct profile_view *v, uint64_t line,
                         uint32_t mask)
{
    uint32_t spans = v->l1_sector / v->l1_bank_bytes;
    struct bank_span last = {UINT64_MAX, 0};
    for (uint32_t i = 0; mask >> i; i++) {
        uint64_t addr = line * v->l1_line + (uint64_t)i * v->l1_sector;
        struct bank_span span = {addr / v->l1_bank_bytes, spans ? spans : 1};
        if (!(mask >> i & 1)) continue;
        enter_sector(t, v, span, span.first == last.first);
        last = span;
    }
}
