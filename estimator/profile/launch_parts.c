/* launch_parts.c - see launch_parts.h. */
#include "estimator/profile/launch_parts.h"

#include "base/memory/alloc.h"
#include "estimator/profile/sparse_bytes.h"

#include <string.h>

/* most of a small launch's samples is zero; chunks of this size that are zero are not touched */
enum { GRAIN = 4096 };

bool parts_init(struct parts *p, size_t size)
{
    *p = (struct parts){.size = size};
    return hash_map_init(&p->by_digest, 16);
}

void parts_fini(struct parts *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        mem_free(p->item[i]);
    mem_free(p->item);
    mem_free(p->digest);
    hash_map_fini(&p->by_digest);
    *p = (struct parts){0};
}

static void *copy_of(const char *bytes, size_t size)
{
    static const char empty[GRAIN];
    char *copy = mem_new(size, 1);
    for (size_t at = 0; copy && at < size; at += GRAIN) {
        size_t n = size - at < GRAIN ? size - at : GRAIN;
        if (memcmp(bytes + at, empty, n) != 0) memcpy(copy + at, bytes + at, n);
    }
    return copy;
}

/* Two items with equal keys but different digests are both stored. */
static uint64_t key_of(struct digest d)
{
    return d.lo >> 1;
}

uint32_t parts_keep(struct parts *p, const void *bytes)
{
    struct digest d = sparse_bytes_digest(bytes, p->size);
    const uint32_t *at = hash_map_get(&p->by_digest, key_of(d));
    if (at && digest_equal(p->digest[*at], d)) return *at;
    void *copy = copy_of(bytes, p->size);
    return copy ? parts_add(p, copy, d) : PARTS_NONE;
}

uint32_t parts_add(struct parts *p, void *item, struct digest d)
{
    if (!mem_grow(&p->item, &p->cap, (size_t)p->n + 1, sizeof *p->item) ||
        !mem_grow(&p->digest, &p->digest_cap, (size_t)p->n + 1, sizeof *p->digest) ||
        !hash_map_put(&p->by_digest, key_of(d), p->n)) {
        mem_free(item);
        return PARTS_NONE;
    }
    p->item[p->n] = item;
    p->digest[p->n] = d;
    return p->n++;
}
