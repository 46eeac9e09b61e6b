/* mshr.c - the register file of misses: entries found by a hash of the sector, and waiters oldest
 * first.
 *
 * An entry has its first waiter inside; further ones are nodes of a list. A bounded file has all
 * its entries from the start; an unbounded one doubles them and its buckets. Nodes double when none
 * is free. Where the owner chains the fills of a line (mshr_unhash) there is no hash table. Source:
 * Candel 2019, 4.5.1. */
#include "gpu/cache/mshr.h"

#include "base/memory/alloc.h"

#include <string.h>

bool mshr_init(struct mshr *m, const struct mshr_params *p)
{
    *m = (struct mshr){.p = *p, .entry_free = MSHR_NONE, .node_free = MSHR_NONE};
    m->entry_cap = p->entries ? p->entries : 64;
    m->node_cap = m->entry_cap * 2;
    m->entry = mem_new_unset(m->entry_cap, sizeof *m->entry);
    m->since = mem_new_unset(m->entry_cap, sizeof *m->since);
    m->node = mem_new_unset(m->node_cap, sizeof *m->node);
    uint32_t buckets = 16;
    while (buckets < m->entry_cap)
        buckets *= 2;
    m->bucket = mem_new(buckets, sizeof *m->bucket);
    m->bucket_mask = buckets - 1;
    if (m->entry && m->since && m->node && m->bucket) return true;
    mshr_fini(m);
    return false;
}

void mshr_fini(struct mshr *m)
{
    mem_free(m->entry);
    mem_free(m->since);
    mem_free(m->node);
    mem_free(m->bucket);
    *m = (struct mshr){0};
}

void mshr_clear(struct mshr *m)
{
    if (m->bucket) memset(m->bucket, 0, ((size_t)m->bucket_mask + 1) * sizeof *m->bucket);
    m->entry_free = m->node_free = MSHR_NONE;
    m->entry_fresh = m->node_fresh = 0;
    m->used = 0;
    m->s = (struct mshr_stats){0};
}

void mshr_unhash(struct mshr *m)
{
    mem_free(m->bucket);
    m->bucket = NULL;
}

static void insert_entry(struct mshr *m, uint32_t e)
{
    uint32_t *bucket = mshr_bucket(m, m->entry[e].key);
    m->entry[e].chain = *bucket - 1;
    *bucket = e + 1;
}

/* Enlarges the hash table of an unbounded file. */
static bool more_buckets(struct mshr *m)
{
    uint32_t old = m->bucket_mask + 1, *was = m->bucket;
    uint32_t *bucket = mem_new((size_t)old * 2, sizeof *bucket);
    if (!bucket) return false;
    m->bucket = bucket;
    m->bucket_mask = old * 2 - 1;
    for (uint32_t i = 0; i < old; i++)
        for (uint32_t e = was[i] - 1, next; e != MSHR_NONE; e = next) {
            next = m->entry[e].chain;
            insert_entry(m, e);
        }
    mem_free(was);
    return true;
}

static bool more_entries(struct mshr *m)
{
    size_t cap = m->entry_cap, times = cap;
    if (!mem_grow(&m->since, &times, cap * 2, sizeof *m->since) ||
        !mem_grow(&m->entry, &cap, cap * 2, sizeof *m->entry))
        return false;
    m->entry_cap = (uint32_t)cap;
    return m->entry_cap <= m->bucket_mask + 1 || more_buckets(m);
}

static bool more_nodes(struct mshr *m)
{
    size_t cap = m->node_cap;
    if (!mem_grow(&m->node, &cap, cap * 2, sizeof *m->node)) return false;
    m->node_cap = (uint32_t)cap;
    return true;
}

static uint32_t new_entry(struct mshr *m)
{
    uint32_t e = m->entry_free;
    if (e != MSHR_NONE) {
        m->entry_free = m->entry[e].chain;
        return e;
    }
    if (m->entry_fresh == m->entry_cap && !more_entries(m)) return MSHR_NONE;
    return m->entry_fresh++;
}

static uint32_t new_node(struct mshr *m)
{
    uint32_t n = m->node_free;
    if (n != MSHR_NONE) {
        m->node_free = m->node[n].next;
        return n;
    }
    if (m->node_fresh == m->node_cap && !more_nodes(m)) return MSHR_NONE;
    return m->node_fresh++;
}

uint32_t mshr_alloc_run(struct mshr *m, uint64_t key, uint32_t more)
{
    uint32_t e = new_entry(m);
    if (e == MSHR_NONE) return MSHR_NONE;
    m->entry[e] = (struct mshr_entry){.key = key,
                                      .first = MSHR_NONE,
                                      .head = MSHR_NONE,
                                      .tail = MSHR_NONE,
                                      .line = UINT32_MAX,
                                      .more = more & 3};
    if (m->bucket) insert_entry(m, e);
    m->used += 1 + more;
    m->s.alloc += 1 + more;
    return e;
}

bool mshr_wait(struct mshr *m, uint32_t e, uint32_t waiter)
{
    struct mshr_entry *at = &m->entry[e];
    if (!at->waiters) {
        at->first = waiter;
        at->waiters = 1;
        return true;
    }
    uint32_t n = new_node(m);
    if (n == MSHR_NONE) return false;
    m->node[n] = (struct mshr_node){waiter, MSHR_NONE};
    if (at->head == MSHR_NONE)
        at->head = n;
    else
        m->node[at->tail].next = n;
    at->tail = n;
    at->waiters++;
    return true;
}

bool mshr_next_waiter(struct mshr *m, uint32_t e, uint32_t *waiter)
{
    struct mshr_entry *at = &m->entry[e];
    uint32_t n = at->head;
    if (at->first != MSHR_NONE) {
        *waiter = at->first;
        at->first = MSHR_NONE;
        at->waiters--;
        return true;
    }
    if (n == MSHR_NONE) return false;
    *waiter = m->node[n].value;
    at->head = m->node[n].next;
    at->waiters--;
    m->node[n].next = m->node_free;
    m->node_free = n;
    return true;
}

static void remove_entry(struct mshr *m, uint32_t e)
{
    uint32_t *bucket = mshr_bucket(m, m->entry[e].key), at = *bucket - 1;
    if (at == e) {
        *bucket = m->entry[e].chain + 1;
    } else {
        while (m->entry[at].chain != e)
            at = m->entry[at].chain;
        m->entry[at].chain = m->entry[e].chain;
    }
}

void mshr_release(struct mshr *m, uint32_t e)
{
    if (m->bucket) remove_entry(m, e);
    m->entry[e].chain = m->entry_free;
    m->entry_free = e;
    m->used -= 1u + m->entry[e].more;
    m->s.fill += 1u + m->entry[e].more;
}

void mshr_kill_all(struct mshr *m)
{
    for (uint32_t e = 0; m->used && e < m->entry_fresh; e++)
        m->entry[e].killed = MSHR_ALL; /* sets it in free entries, too, where nothing reads it */
}

bool mshr_entry_check(const struct mshr *m, uint32_t i)
{
    const struct mshr_entry *e = &m->entry[i];
    uint32_t n = e->first != MSHR_NONE;
    if (m->p.max_merge && e->waiters > m->p.max_merge) return false;
    for (uint32_t k = e->head; k != MSHR_NONE && n <= e->waiters; k = m->node[k].next)
        n++;
    return n == e->waiters;
}

bool mshr_check(const struct mshr *m)
{
    if (m->p.entries && m->used > m->p.entries) return false;
    if (m->s.alloc != m->s.fill + m->used) return false;
    uint32_t chained = 0; /* sectors */
    if (!m->bucket) return true;
    for (uint32_t i = 0; i <= m->bucket_mask; i++)
        for (uint32_t e = m->bucket[i] - 1; e != MSHR_NONE; e = m->entry[e].chain) {
            chained += 1u + m->entry[e].more;
            if (chained > m->used || mshr_find(m, m->entry[e].key) != e || !mshr_entry_check(m, e))
                return false;
        }
    return chained == m->used;
}
