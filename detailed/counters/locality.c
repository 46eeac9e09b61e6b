/* locality.c - who accessed a block last: a hash map for each SM and one for all of them name the
 * last warp, one for the L2 the last SM. Each load is counted as a hit or miss of its class, and of
 * other CTAs by the distance of their numbers. The maps are emptied at each launch. Source: Mao
 * 4.1. */
#include "detailed/counters/locality.h"

#include "base/memory/alloc.h"

bool locality_init(struct locality *l, uint32_t sms)
{
    *l = (struct locality){.sms = sms, .warps_per_cta = 1};
    l->of_sm = mem_new(sms, sizeof *l->of_sm);
    bool ok = l->of_sm && hash_map_init(&l->all, 1024) && hash_map_init(&l->l2, 1024);
    for (uint32_t i = 0; ok && i < sms; i++)
        ok = hash_map_init(&l->of_sm[i], 256);
    return ok;
}

void locality_fini(struct locality *l)
{
    for (uint32_t i = 0; l->of_sm && i < l->sms; i++)
        hash_map_fini(&l->of_sm[i]);
    mem_free(l->of_sm);
    hash_map_fini(&l->all);
    hash_map_fini(&l->l2);
    *l = (struct locality){0};
}

void locality_launch(struct locality *l, uint32_t warps_per_cta)
{
    for (uint32_t i = 0; i < l->sms; i++)
        hash_map_clear(&l->of_sm[i]);
    hash_map_clear(&l->all);
    hash_map_clear(&l->l2);
    l->warps_per_cta = warps_per_cta;
}

void locality_clear(struct locality *l)
{
    locality_launch(l, 1);
    l->s = (struct locality_stats){0};
}

static void count_distance(struct locality *l, uint64_t a, uint64_t b)
{
    uint64_t far = a > b ? a - b : b - a;
    uint32_t at = far <= 1 ? DISTANCE_1 : far <= 8 ? DISTANCE_2_TO_8 : DISTANCE_9_TO_64;
    l->s.distance[far > 64 ? DISTANCE_MORE : at]++;
}

/* last: the warp that accessed the block last; NULL: none in this launch. */
static enum locality_class class_of(struct locality *l, const struct locality_load *a,
                                    const uint32_t *last, uint32_t warp)
{
    if (!last) return a->hit ? LOCALITY_OTHERS : LOCALITY_COLD;
    if (*last == warp) return LOCALITY_WARP;
    if (*last / l->warps_per_cta == a->cta) return LOCALITY_CTA;
    count_distance(l, a->cta, *last / l->warps_per_cta);
    return LOCALITY_OTHERS;
}

void locality_l1(struct locality *l, uint32_t sm, const struct locality_load *a)
{
    uint32_t warp = (uint32_t)a->cta * l->warps_per_cta + a->warp;
    const uint32_t *last = hash_map_get(&l->of_sm[sm], a->block);
    if (!last) last = hash_map_get(&l->all, a->block);
    l->s.l1[a->hit][class_of(l, a, last, warp)]++;
    hash_map_put(&l->of_sm[sm], a->block, warp);
    hash_map_put(&l->all, a->block, warp);
}

void locality_l2(struct locality *l, uint32_t sm, uint64_t block, bool hit)
{
    const uint32_t *last = hash_map_get(&l->l2, block);
    enum locality_class c = hit ? LOCALITY_OTHERS : LOCALITY_COLD;
    if (last) c = *last == sm ? LOCALITY_WARP : LOCALITY_OTHERS;
    l->s.l2[hit][c]++;
    hash_map_put(&l->l2, block, sm);
}
