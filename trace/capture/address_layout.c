/* address_layout.c - see address_layout.h. */
#include "trace/capture/address_layout.h"

#include "base/memory/alloc.h"

#include <string.h>

void layout_init(struct layout *l, uint64_t start, uint32_t align)
{
    *l = (struct layout){.next = start, .align = align};
}

void layout_clear(struct layout *l, uint64_t start)
{
    if (l->n_keys) memset(l->by_key, 0, l->n_keys * sizeof *l->by_key);
    l->n_keys = l->n_given_back = 0;
    l->numbers = 0;
    l->next = start;
}

void layout_fini(struct layout *l)
{
    mem_free(l->by_key);
    mem_free(l->given_back);
    *l = (struct layout){0};
}

static uint64_t place_buffer(struct layout *l, uint64_t size)
{
    for (size_t i = l->n_given_back; i-- > 0;) {
        if (l->given_back[i].size != size) continue;
        uint64_t base = l->given_back[i].base;
        l->given_back[i] = l->given_back[--l->n_given_back];
        return base;
    }
    uint64_t base = l->next;
    l->next = (base + size + l->align - 1) & ~(uint64_t)(l->align - 1);
    return base;
}

bool layout_add(struct layout *l, uint32_t key, uint64_t size)
{
    if (!mem_grow(&l->by_key, &l->keys_cap, (size_t)key + 1, sizeof *l->by_key)) return false;
    if (key >= l->n_keys) l->n_keys = (size_t)key + 1;
    struct layout_place *p = &l->by_key[key];
    if (p->used && size <= p->size) return true;
    uint16_t number = l->numbers < UINT16_MAX ? (uint16_t)++l->numbers : 0;
    *p = (struct layout_place){place_buffer(l, size), size, number, true};
    return true;
}

void layout_remove(struct layout *l, uint32_t key)
{
    if (!layout_find(l, key)) return;
    l->by_key[key].used = false;
    size_t n = l->n_given_back + 1;
    /* without memory, the place is just not reused */
    if (!mem_grow(&l->given_back, &l->given_back_cap, n, sizeof *l->given_back)) return;
    l->given_back[l->n_given_back++] = l->by_key[key];
}
