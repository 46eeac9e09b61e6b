/* shadow_memory.c - the shadow memory's maps from sector to version: one for each L1, one for the
 * L2 (or each L2), the L3 and the memory. The components call shadow_put where they write and
 * shadow_expect where they read, which asserts. Without memory for the maps the checks stop and the
 * simulation goes on; without PLUMB_CHECKS every function returns at once. */
#include "detailed/parts/shadow_memory.h"

#include "base/memory/alloc.h"

#include <assert.h>

bool shadow_init(struct shadow *s, uint32_t sms, uint32_t partitions)
{
    *s = (struct shadow){.sms = sms, .partitions = partitions};
    if (!SHADOW_ON) return true;
    s->l1 = mem_new(sms, sizeof *s->l1);
    bool ok = s->l1 && hash_map_init(&s->memory, 1024) && hash_map_init(&s->taken_below, 1024) &&
              hash_map_init(&s->l2, 1024);
    for (uint32_t i = 0; ok && i < sms; i++)
        ok = hash_map_init(&s->l1[i], 256);
    if (ok && partitions > 1) ok = (s->several = mem_new(partitions, sizeof *s->several)) != NULL;
    for (uint32_t i = 0; ok && s->several && i < partitions; i++)
        ok = hash_map_init(&s->several[i], 256);
    if (!ok) shadow_fini(s);
    return ok;
}

void shadow_fini(struct shadow *s)
{
    hash_map_fini(&s->memory);
    hash_map_fini(&s->taken_below);
    hash_map_fini(&s->l2);
    for (uint32_t i = 0; s->l1 && i < s->sms; i++)
        hash_map_fini(&s->l1[i]);
    for (uint32_t i = 0; s->several && i < s->partitions; i++)
        hash_map_fini(&s->several[i]);
    mem_free(s->several);
    mem_free(s->l1);
    if (s->lock) pthread_mutex_destroy(s->lock);
    mem_free(s->lock);
    *s = (struct shadow){0};
}

void shadow_clear(struct shadow *s)
{
    if (!SHADOW_ON) return;
    hash_map_clear(&s->memory);
    hash_map_clear(&s->taken_below);
    hash_map_clear(&s->l2);
    for (uint32_t i = 0; i < s->sms; i++)
        hash_map_clear(&s->l1[i]);
    for (uint32_t i = 0; s->several && i < s->partitions; i++)
        hash_map_clear(&s->several[i]);
    s->counter = 0;
}

struct hash_map *shadow_of_l2(struct shadow *s, uint32_t slice, uint32_t slices)
{
    return s->several ? &s->several[slice / (slices / s->partitions)] : &s->l2;
}

bool shadow_share(struct shadow *s)
{
    if (!SHADOW_ON || s->lock) return true;
    s->lock = mem_new(1, sizeof *s->lock);
    return s->lock && pthread_mutex_init(s->lock, NULL) == 0;
}

static void lock(const struct shadow *s)
{
    if (s->lock) pthread_mutex_lock(s->lock);
}

static void unlock(const struct shadow *s)
{
    if (s->lock) pthread_mutex_unlock(s->lock);
}

uint32_t shadow_store(struct shadow *s)
{
    if (!SHADOW_ON) return 0;
    lock(s);
    uint32_t version = ++s->counter;
    unlock(s);
    return version;
}

void shadow_put(struct shadow *s, struct hash_map *m, uint64_t sector, uint32_t version)
{
    if (!SHADOW_ON) return;
    lock(s);
    if (!s->failed && !hash_map_put(m, sector, version)) s->failed = true;
    unlock(s);
}

uint32_t shadow_get(const struct shadow *s, const struct hash_map *m, uint64_t sector)
{
    if (!SHADOW_ON) return 0;
    lock(s);
    const uint32_t *v = s->failed ? NULL : hash_map_get(m, sector);
    uint32_t version = v ? *v : 0;
    unlock(s);
    return version;
}

void shadow_expect(const struct shadow *s, const struct hash_map *m, uint64_t sector,
                   uint32_t version)
{
    if (!SHADOW_ON) return;
    lock(s);
    const uint32_t *v = s->failed ? NULL : hash_map_get(m, sector);
    (void)version;
    assert((!v || *v == version) && "shadow memory: a load was served another store's data");
    (void)v;
    unlock(s);
}
