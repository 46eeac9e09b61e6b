/* register_results.c - from an instruction's result to its register; see register_file.h. */
#include "detailed/register_file/register_file.h"

#include "base/memory/alloc.h"

enum { NOBODY = REGISTER_NOBODY };

/* Writes what had to leave the buffer; the reads behind it wait for their turn. */
static void force(struct register_file *r, const struct write_buffer_key *k, uint64_t at)
{
    const struct register_access a = {.arrived = at, .who = NOBODY, .write = true};
    r->s.overflow++;
    register_banks_ask(r, &(struct register_place){k->bank, k->bit}, &a);
}

bool register_buffer_take(struct register_file *r, const struct write_buffer_key *k, uint64_t at,
                          uint64_t read_by)
{
    struct write_buffer_key forced;
    switch (write_buffer_take(&r->buffer, k, read_by, &forced)) {
    case CLAIM_REFUSED: return false;
    case CLAIM_VOIDS: r->s.voided++; break;
    case CLAIM_FORCES: force(r, &forced, at); break;
    case CLAIM_FREE: break;
    }
    return true;
}

void register_file_result(struct register_file *r, uint32_t unit, uint32_t warp,
                          const struct warp_inst *inst, uint64_t at)
{
    uint32_t i = pool_take(&r->results, &r->result);
    if (i == NOBODY) return;
    r->result[i] = (struct pending_result){
        .at = at, .warp = warp, .code = inst->code, .next = NOBODY, .dst = inst->si->dst};
    struct access_queue *q = &r->due[unit];
    if (q->first == NOBODY)
        q->first = i;
    else
        r->result[q->last].next = i;
    q->last = i;
    r->due_units |= 1u << unit;
    if (at < r->next_due) r->next_due = at;
}

void register_result_written(struct register_file *r, uint32_t result, uint64_t ready, uint64_t now)
{
    struct pending_result *p = &r->result[result];
    if (ready > p->at) p->at = ready;
    if (--p->left) return;
    const struct pending_result done = *p;
    pool_give(&r->results, &r->result, result);
    r->owner.written(r->owner.self, done.warp, done.dst, done.at, now);
}

/* Writes a register to its bank. result: who waits, or nobody. */
static void write_bank(struct register_file *r, uint32_t warp, uint16_t reg, uint32_t result,
                       uint64_t at)
{
    const struct register_access a = {.arrived = at, .who = result, .write = true};
    register_banks_ask(r, register_place_of(r, warp, reg), &a);
}

/* Whether the bank is idle with the register under a port. */
static bool under_port(const struct register_file *r, const struct write_buffer_key *k, uint64_t at)
{
    const struct register_bank *b = &r->bank[k->bank];
    return b->bit == k->bit && b->free_at <= at && b->reads.first == NOBODY;
}

/* A word comes to the write buffer; false: it has no entry and can have none. */
static bool buffer_word(struct register_file *r, uint32_t warp, uint16_t reg, uint64_t at)
{
    const struct write_buffer_key k = register_key(warp, reg, register_place_of(r, warp, reg));
    if (!write_buffer_arrives(&r->buffer, &k)) {
        if (!register_buffer_take(r, &k, at, at)) return false;
        write_buffer_arrives(&r->buffer, &k);
    }
    if (!under_port(r, &k, at)) return true;
    write_buffer_leaves(&r->buffer, &k);
    r->s.direct++;
    write_bank(r, warp, reg, NOBODY, at);
    return true;
}

static void cache_word(struct register_file *r, uint32_t warp, uint16_t reg, uint64_t at)
{
    uint16_t left = register_cache_put(&r->cache, warp, reg);
    r->s.cache_writes++;
    if (left != REGISTER_CACHE_NONE) write_bank(r, warp, left, NOBODY, at);
}

/* Whether something in front of the banks takes the word. */
static bool taken_in_front(struct register_file *r, uint32_t warp, uint16_t reg, bool loaded,
                           uint64_t at)
{
    if (r->buffer.ways) {
        if (buffer_word(r, warp, reg, at)) return true;
        const struct write_buffer_key k = register_key(warp, reg, register_place_of(r, warp, reg));
        write_buffer_leaves(&r->buffer, &k);
        r->s.around++;
        return false;
    }
    if (!r->cache.entries) return false;
    if (!loaded && register_cache_is_active(&r->cache, warp)) {
        cache_word(r, warp, reg, at);
        return true;
    }
    register_cache_drop(&r->cache, warp, reg);
    return false;
}

/* Sends the words of a result that has come on their way. */
static void write_result(struct register_file *r, uint32_t result, bool loaded, uint64_t now)
{
    const uint32_t warp = r->result[result].warp;
    const struct register_operands *o = &r->map->code[r->result[result].code];
    uint64_t at = now * r->p->clock_ratio;
    r->s.writes += o->writes;
    r->result[result].left = o->writes;
    for (uint32_t i = 0; i < o->writes; i++)
        if (taken_in_front(r, warp, o->write[i], loaded, at))
            register_result_written(r, result, now + 1, now);
        else
            write_bank(r, warp, o->write[i], result, at);
}

void register_file_loaded(struct register_file *r, uint32_t warp, uint32_t code, uint16_t dst,
                          uint64_t now)
{
    uint32_t i = pool_take(&r->results, &r->result);
    if (i == NOBODY) return;
    r->result[i] =
        (struct pending_result){.at = now, .warp = warp, .code = code, .next = NOBODY, .dst = dst};
    write_result(r, i, true, now);
}

void register_file_activate(struct register_file *r, uint32_t subcore, uint64_t slots, uint64_t now)
{
    uint64_t at = now * r->p->clock_ratio, left = r->cache.active[subcore] & ~slots;
    if (!r->cache.entries) return;
    r->cache.active[subcore] = slots;
    for (; left; left &= left - 1) {
        uint32_t warp = subcore * SM_SUBCORE_SLOTS + (uint32_t)__builtin_ctzll(left);
        for (uint16_t reg; (reg = register_cache_pop(&r->cache, warp)) != REGISTER_CACHE_NONE;)
            write_bank(r, warp, reg, NOBODY, at);
    }
}

/* Takes the results that have come; each unit's come in order. */
static void take_results(struct register_file *r, uint64_t now)
{
    r->next_due = UINT64_MAX;
    for (uint32_t units = r->due_units; units; units &= units - 1) {
        uint32_t u = (uint32_t)__builtin_ctz(units);
        struct access_queue *q = &r->due[u];
        while (q->first != NOBODY && r->result[q->first].at <= now) {
            uint32_t i = q->first;
            q->first = r->result[i].next;
            write_result(r, i, false, now);
        }
        if (q->first == NOBODY)
            r->due_units &= ~(1u << u);
        else if (r->result[q->first].at < r->next_due)
            r->next_due = r->result[q->first].at;
    }
}

void register_file_step(struct register_file *r, uint64_t now)
{
    for (uint32_t k = 0; k < COLLECTOR_N; k++)
        r->s.collectors_full += r->set[k].used == r->set[k].n;
    if (r->next_due <= now) take_results(r, now);
    if (r->busy) register_banks_step(r, now);
}
