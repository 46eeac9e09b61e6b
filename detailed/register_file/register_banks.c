/* register_banks.c - the queues of the banks, and what each serves next; see register_file.h. */
#include "detailed/register_file/register_file.h"

#include "base/memory/alloc.h"

#include <assert.h>

static void push(struct register_file *r, struct access_queue *q, uint32_t i)
{
    r->access[i].next = REGISTER_NOBODY;
    if (q->first == REGISTER_NOBODY)
        q->first = i;
    else
        r->access[q->last].next = i;
    q->last = i;
}

void register_banks_ask(struct register_file *r, const struct register_place *at,
                        const struct register_access *access)
{
    struct register_bank *b = &r->bank[at->bank];
    uint32_t i = pool_take(&r->accesses, &r->access);
    if (i == REGISTER_NOBODY) return;
    r->access[i] = *access;
    r->access[i].bit = at->bit;
    bool in_turn = !access->write || r->buffer.ways;
    push(r, in_turn ? &b->reads : &b->writes, i);
    r->newest[at->bank] = at->bit;
    r->busy |= UINT64_C(1) << at->bank;
}

/* The register cycles for which an access holds its bank. */
static uint32_t access_cycles(const struct register_file_params *p, bool write)
{
    if (p->cells != CELLS_RACETRACK) return 1;
    return write ? p->racetrack.write_cycles : p->racetrack.read_cycles;
}

/* Moves the tracks to a register and accesses it. */
static void move_and_access(struct register_file *r, struct register_bank *b, uint8_t bit,
                            bool write, uint64_t at)
{
    uint32_t shifts = register_distance(bit, b->bit);
    r->s.shifts += shifts;
    if (write)
        r->s.bank_writes++;
    else
        r->s.bank_reads++;
    b->bit = bit;
    b->free_at = at + shifts + access_cycles(r->p, write);
}

/* A word has been written when the bank is free again. */
static void finish_write(struct register_file *r, const struct register_access *a,
                         const struct register_bank *b, uint64_t now)
{
    uint64_t ratio = r->p->clock_ratio;
    if (a->who == REGISTER_NOBODY) return;
    register_result_written(r, a->who, (b->free_at + ratio - 1) / ratio, now);
}

static void finish_read(struct register_file *r, const struct register_access *a,
                        const struct register_bank *b)
{
    struct operand_collector *c = &r->collector[a->who];
    if (b->free_at > c->ready_at) c->ready_at = b->free_at;
    c->waits--;
}

static void serve(struct register_file *r, struct register_bank *b, struct access_queue *q,
                  uint64_t at, uint64_t now)
{
    uint32_t i = q->first;
    const struct register_access a = r->access[i];
    q->first = a.next;
    pool_give(&r->accesses, &r->access, i);
    assert(at >= a.arrived && "banks serve what has come");
    r->s.conflicts += at > a.arrived;
    r->s.wait += at - a.arrived + register_distance(a.bit, b->bit);
    move_and_access(r, b, a.bit, a.write, at);
    if (a.write)
        finish_write(r, &a, b, now);
    else
        finish_read(r, &a, b);
}

/* An idle bank's tracks go a bit towards the middle of what is used. */
static bool returns(struct register_file *r, uint32_t bank, uint64_t at)
{
    struct register_bank *b = &r->bank[bank];
    if (r->p->cells != CELLS_RACETRACK || !r->p->racetrack.auto_return || b->bit == r->home)
        return false;
    b->bit = (uint8_t)(b->bit < r->home ? b->bit + 1 : b->bit - 1);
    r->newest[bank] = b->bit;
    b->free_at = at + 1;
    r->s.shifts++;
    return true;
}

/* Lets a bank that is free begin the next thing; false: it has none. */
static bool begin(struct register_file *r, uint32_t bank, uint64_t at, uint64_t now)
{
    struct register_bank *b = &r->bank[bank];
    struct write_buffer_key k;
    if (write_buffer_pop_at(&r->buffer, bank, b->bit, at, &k)) {
        r->s.piggyback++;
        move_and_access(r, b, b->bit, true, at);
        return true;
    }
    struct access_queue *q = b->reads.first != REGISTER_NOBODY ? &b->reads : &b->writes;
    if (q->first == REGISTER_NOBODY) return returns(r, bank, at);
    serve(r, b, q, at, now);
    return true;
}

void register_banks_step(struct register_file *r, uint64_t now)
{
    uint64_t ratio = r->p->clock_ratio;
    for (uint64_t at = now * ratio; at < (now + 1) * ratio; at++)
        for (uint64_t rest = r->busy; rest; rest &= rest - 1) {
            uint32_t bank = (uint32_t)__builtin_ctzll(rest);
            if (r->bank[bank].free_at > at) continue;
            if (!begin(r, bank, at, now)) r->busy &= ~(UINT64_C(1) << bank);
        }
}
