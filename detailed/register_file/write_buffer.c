/* write_buffer.c - a set of entries for each register bank, searched for warp and register.
 *
 * An entry that nobody reads and whose result has come may leave. A new result takes its register's
 * own entry (the old value is void), else a free one, else the one that has been ready longest,
 * which is forced to its bank; without any of these it is refused. Reads of one bank's set take
 * turns, one per register cycle. Source: Mao 3.3.2.1, figure 9. */
#include "detailed/register_file/write_buffer.h"

#include "base/memory/alloc.h"

#include <string.h>

bool write_buffer_init(struct write_buffer *b, uint32_t entries, uint32_t banks)
{
    *b = (struct write_buffer){.ways = entries / banks, .banks = banks};
    if (!b->ways) return true;
    b->entry = mem_new(entries, sizeof *b->entry);
    b->port_free = mem_new(banks, sizeof *b->port_free);
    return b->entry && b->port_free;
}

void write_buffer_fini(struct write_buffer *b)
{
    mem_free(b->entry);
    mem_free(b->port_free);
    *b = (struct write_buffer){0};
}

void write_buffer_clear(struct write_buffer *b)
{
    b->arrivals = 0;
    if (!b->ways) return;
    memset(b->entry, 0, (size_t)b->banks * b->ways * sizeof *b->entry);
    memset(b->port_free, 0, b->banks * sizeof *b->port_free);
}

static struct write_buffer_entry *set_of(const struct write_buffer *b, uint32_t bank)
{
    return &b->entry[(size_t)bank * b->ways];
}

static struct write_buffer_entry *find(const struct write_buffer *b,
                                       const struct write_buffer_key *k)
{
    struct write_buffer_entry *set = set_of(b, k->bank);
    for (uint32_t i = 0; i < b->ways; i++)
        if (set[i].valid && set[i].warp == k->warp && set[i].reg == k->reg) return &set[i];
    return NULL;
}

/* Whether its value may be overwritten or written to the bank at `at`. */
static bool may_leave(const struct write_buffer_entry *e, uint64_t at)
{
    return e->ready && e->read_until <= at;
}

/* The entry that the register gets: free, else the one that has been ready longest. */
static struct write_buffer_entry *choose(const struct write_buffer *b, uint32_t bank, uint64_t at)
{
    struct write_buffer_entry *set = set_of(b, bank), *oldest = NULL;
    for (uint32_t i = 0; i < b->ways; i++) {
        if (!set[i].valid) return &set[i];
        if (may_leave(&set[i], at) && (!oldest || set[i].order < oldest->order)) oldest = &set[i];
    }
    return oldest;
}

enum write_buffer_claim write_buffer_claim(const struct write_buffer *b,
                                           const struct write_buffer_key *k, uint64_t at)
{
    const struct write_buffer_entry *own = find(b, k);
    if (own) return may_leave(own, at) ? CLAIM_VOIDS : CLAIM_REFUSED;
    const struct write_buffer_entry *e = choose(b, k->bank, at);
    return !e ? CLAIM_REFUSED : e->valid ? CLAIM_FORCES : CLAIM_FREE;
}

static struct write_buffer_key key_of(const struct write_buffer_entry *e, uint8_t bank)
{
    return (struct write_buffer_key){.warp = e->warp, .reg = e->reg, .bank = bank, .bit = e->bit};
}

enum write_buffer_claim write_buffer_take(struct write_buffer *b, const struct write_buffer_key *k,
                                          uint64_t at, struct write_buffer_key *forced)
{
    enum write_buffer_claim how = write_buffer_claim(b, k, at);
    if (how == CLAIM_REFUSED) return how;
    struct write_buffer_entry *e = how == CLAIM_VOIDS ? find(b, k) : choose(b, k->bank, at);
    if (how == CLAIM_FORCES) *forced = key_of(e, k->bank);
    *e = (struct write_buffer_entry){
        .valid = true, .bit = k->bit, .reg = k->reg, .warp = k->warp, .order = b->arrivals++};
    return how;
}

bool write_buffer_holds(const struct write_buffer *b, const struct write_buffer_key *k)
{
    const struct write_buffer_entry *e = b->ways ? find(b, k) : NULL;
    return e && e->ready;
}

uint64_t write_buffer_read(struct write_buffer *b, const struct write_buffer_key *k, uint64_t at)
{
    if (!b->ways) return UINT64_MAX;
    struct write_buffer_entry *e = find(b, k);
    if (!e || !e->ready) return UINT64_MAX;
    uint64_t *port = &b->port_free[k->bank];
    *port = (*port > at ? *port : at) + 1;
    e->read_until = *port;
    return *port;
}

bool write_buffer_arrives(struct write_buffer *b, const struct write_buffer_key *k)
{
    struct write_buffer_entry *e = find(b, k);
    if (!e || e->ready) return false; /* a ready one has an older value */
    e->ready = true;
    e->order = b->arrivals++;
    return true;
}

void write_buffer_leaves(struct write_buffer *b, const struct write_buffer_key *k)
{
    struct write_buffer_entry *e = find(b, k);
    if (e) *e = (struct write_buffer_entry){0};
}

bool write_buffer_pop_at(struct write_buffer *b, uint32_t bank, uint8_t bit, uint64_t at,
                         struct write_buffer_key *k)
{
    if (!b->ways) return false;
    struct write_buffer_entry *set = set_of(b, bank), *oldest = NULL;
    for (uint32_t i = 0; i < b->ways; i++)
        if (set[i].valid && may_leave(&set[i], at) && set[i].bit == bit &&
            (!oldest || set[i].order < oldest->order))
            oldest = &set[i];
    if (!oldest) return false;
    *k = key_of(oldest, (uint8_t)bank);
    *oldest = (struct write_buffer_entry){0};
    return true;
}
