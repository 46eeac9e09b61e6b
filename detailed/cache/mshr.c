#include "detailed/cache/mshr.h"

#include "base/mem.h"

static void chain_entries(struct mshr *m, uint32_t from)
{
    for (uint32_t i = from; i < m->entry_cap; i++)
        m->entry[i].head = i + 1 < m->entry_cap ? i + 1 : MSHR_NONE;
    m->entry_free = from;
}

static void chain_nodes(struct mshr *m, uint32_t from)
{
    for (uint32_t i = from; i < m->node_cap; i++)
        m->node[i].next = i + 1 < m->node_cap ? i + 1 : MSHR_NONE;
    m->node_free = from;
}

bool mshr_init(struct mshr *m, const struct mshr_params *p)
{
    *m = (struct mshr){.p = *p};
    m->entry_cap = p->entries ? p->entries : 64;
    m->node_cap = m->entry_cap * 2;
    m->entry = mem_new(m->entry_cap, sizeof *m->entry);
    m->node = mem_new(m->node_cap, sizeof *m->node);
    if (!m->entry || !m->node || !linemap_init(&m->index, m->entry_cap)) {
        mshr_fini(m);
        return false;
    }
    chain_entries(m, 0);
    chain_nodes(m, 0);
    return true;
}

void mshr_fini(struct mshr *m)
{
    mem_free(m->entry);
    mem_free(m->node);
    linemap_fini(&m->index);
    *m = (struct mshr){0};
}

void mshr_clear(struct mshr *m)
{
    chain_entries(m, 0);
    chain_nodes(m, 0);
    linemap_clear(&m->index);
    m->used = 0;
    m->s = (struct mshr_stats){0};
}

static bool more_entries(struct mshr *m)
{
    uint32_t old = m->entry_cap;
    size_t cap = old;
    if (!mem_grow(&m->entry, &cap, (size_t)old * 2, sizeof *m->entry)) return false;
    m->entry_cap = (uint32_t)cap;
    chain_entries(m, old);
    return true;
}

static bool more_nodes(struct mshr *m)
{
    uint32_t old = m->node_cap;
    size_t cap = old;
    if (!mem_grow(&m->node, &cap, (size_t)old * 2, sizeof *m->node)) return false;
    m->node_cap = (uint32_t)cap;
    chain_nodes(m, old);
    return true;
}

uint32_t mshr_alloc(struct mshr *m, uint64_t key)
{
    if (m->entry_free == MSHR_NONE && !more_entries(m)) return MSHR_NONE;
    uint32_t e = m->entry_free;
    if (!linemap_put(&m->index, key, e)) return MSHR_NONE;
    m->entry_free = m->entry[e].head;
    m->entry[e] =
        (struct mshr_entry){.key = key, .head = MSHR_NONE, .tail = MSHR_NONE, .line = UINT32_MAX};
    m->used++;
    m->s.alloc++;
    return e;
}

bool mshr_wait(struct mshr *m, uint32_t e, uint32_t waiter)
{
    if (m->node_free == MSHR_NONE && !more_nodes(m)) return false;
    uint32_t n = m->node_free;
    struct mshr_entry *at = &m->entry[e];
    m->node_free = m->node[n].next;
    m->node[n] = (struct mshr_node){waiter, MSHR_NONE};
    if (at->head == MSHR_NONE)
        at->head = n;
    else
        m->node[at->tail].next = n;
    at->tail = n;
    if (at->waiters++) m->s.merge++;
    return true;
}

bool mshr_next_waiter(struct mshr *m, uint32_t e, uint32_t *waiter)
{
    struct mshr_entry *at = &m->entry[e];
    uint32_t n = at->head;
    if (n == MSHR_NONE) return false;
    *waiter = m->node[n].value;
    at->head = m->node[n].next;
    at->waiters--;
    m->node[n].next = m->node_free;
    m->node_free = n;
    return true;
}

void mshr_release(struct mshr *m, uint32_t e)
{
    linemap_del(&m->index, m->entry[e].key);
    m->entry[e].head = m->entry_free;
    m->entry_free = e;
    m->used--;
    m->s.fill++;
}

void mshr_kill_all(struct mshr *m)
{
    for (uint32_t i = 0; m->used && i <= m->index.mask; i++)
        if (m->index.slot[i].key != LINEMAP_EMPTY) m->entry[m->index.slot[i].value].killed = true;
}

bool mshr_check(const struct mshr *m)
{
    if (m->p.entries && m->used > m->p.entries) return false;
    if (m->index.n != m->used || m->s.alloc != m->s.fill + m->used) return false;
    uint32_t chained = 0;
    for (uint32_t i = 0; i <= m->index.mask; i++) {
        const struct linemap_slot *s = &m->index.slot[i];
        if (s->key == LINEMAP_EMPTY) continue;
        const struct mshr_entry *e = &m->entry[s->value];
        if (e->key != s->key || (m->p.max_merge && e->waiters > m->p.max_merge)) return false;
        uint32_t n = 0;
        for (uint32_t k = e->head; k != MSHR_NONE && n <= e->waiters; k = m->node[k].next)
            n++;
        if (n != e->waiters) return false;
        chained++;
    }
    return chained == m->used;
}
