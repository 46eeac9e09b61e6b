#include "tests/support/quickrelease_queues.h"

#include <string.h>

/* --- queues --- */

static uint32_t count_accesses(const struct l1_side *a)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < UP; i++)
        n += a->up[i].kind && a->up[i].kind < UP_MARKER;
    return n;
}

bool sync_has_room(const struct sync_walk *k, const struct l1_side *a, uint32_t messages)
{
    return count_accesses(a) + messages <= k->p.up;
}

void sync_send_up(struct sync_walk *k, struct l1_side *a, struct up m)
{
    for (uint32_t i = 0; i < UP; i++)
        if (!a->up[i].kind) {
            a->up[i] = m;
            return;
        }
    sync_wrong(k, "no room to the slice");
}

void sync_send_down(struct sync_walk *k, struct l1_side *a, uint8_t kind, uint32_t what)
{
    for (uint32_t i = 0; i < DOWN; i++)
        if (!a->down[i].kind) {
            a->down[i] = (struct down){kind, (uint8_t)what};
            return;
        }
    sync_wrong(k, "no room to the L1");
}

bool sync_has_room_down(const struct sync_walk *k, const struct sync *s)
{
    for (uint32_t c = 0; c < L1S; c++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < DOWN; i++)
            n += s->l1[c].down[i].kind == DOWN_INVALIDATE;
        if (n >= k->p.down) return false;
    }
    return true;
}

/* --- S-FIFOs --- */

static uint32_t count_blocks(const uint8_t *fifo, bool *marker)
{
    uint32_t n = 0;
    *marker = false;
    for (uint32_t i = 0; i < ENTRIES && fifo[i]; i++) {
        n += fifo[i] < MARKER;
        *marker |= fifo[i] >= MARKER;
    }
    return n;
}

bool sync_is_entered(const uint8_t *fifo, uint32_t line, bool dirty)
{
    bool entered = false;
    for (uint32_t i = 0; i < ENTRIES && fifo[i]; i++)
        entered = fifo[i] < MARKER && (entered || fifo[i] == 1 + line);
    return dirty && entered;
}

bool sync_has_entry(const uint8_t *fifo, uint32_t line)
{
    return memchr(fifo, (int)(1 + line), ENTRIES) != NULL;
}

bool sync_takes_entry(const uint8_t *fifo, uint32_t line, bool dirty, uint32_t entries)
{
    bool marker;
    return sync_is_entered(fifo, line, dirty) || count_blocks(fifo, &marker) < entries;
}

void sync_append_entry(struct sync_walk *k, uint8_t *fifo, uint32_t entry)
{
    for (uint32_t i = 0; i < ENTRIES; i++)
        if (!fifo[i]) {
            fifo[i] = (uint8_t)entry;
            return;
        }
    sync_wrong(k, "no room in an S-FIFO");
}

void sync_pop_entry(uint8_t *fifo)
{
    memmove(fifo, fifo + 1, ENTRIES - 1);
    fifo[ENTRIES - 1] = 0;
}

bool sync_is_dequeued(const uint8_t *fifo, uint32_t entries)
{
    bool marker;
    uint32_t n = count_blocks(fifo, &marker);
    return fifo[0] && (marker || n >= entries);
}
