/* like_launches.c - see like_launches.h. */
#include "estimator/profile/like_launches.h"

#include "base/memory/alloc.h"
#include "base/memory/hash_map.h"
#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"

#include <math.h>

struct digest like_launches_shape(const struct profile *f, uint32_t launch)
{
    const struct launch *l = &f->shape[launch];
    const struct launch_profile *p = profile_launch(f, launch);
    const uint64_t form[] = {
        l->grid[0],          l->grid[1],        l->grid[2],    l->block[0],
        l->block[1],         l->block[2],       l->warp_width, l->registers_per_lane,
        l->shared_bytes,     l->resident_warps, l->n_code,     l->n_registers,
        l->warp_instructions};
    double counts[PROFILE_CLASSES + 4];
    for (uint32_t i = 0; i < PROFILE_CLASSES; i++)
        counts[i] = rint(p->cls[i]);
    double *accesses = counts + PROFILE_CLASSES;
    accesses[0] = rint(p->loads);
    accesses[1] = rint(p->stores);
    accesses[2] = rint(p->atomics);
    accesses[3] = rint(p->bypasses);
    return digest_join(digest_bytes(form, sizeof form), digest_bytes(counts, sizeof counts));
}

bool like_launches_find(struct profile *f)
{
    struct hash_map last; /* launch of a shape, by its digest */
    f->like = mem_new(f->launches ? f->launches : 1, sizeof *f->like);
    bool ok = hash_map_init(&last, f->launches) && f->like;
    for (uint32_t i = 0; ok && i < f->launches; i++) {
        uint64_t key = like_launches_shape(f, i).lo >> 1;
        const uint32_t *before = hash_map_get(&last, key);
        f->like[i] = (struct like_launch){before ? f->like[*before].first : i, LIKE_NONE};
        if (before) f->like[*before].next = i;
        ok = hash_map_put(&last, key, i);
    }
    hash_map_fini(&last);
    return ok;
}

static uint32_t count_misses(const struct block_sample *s, uint16_t l1, uint16_t l2)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < s->blocks; b++)
        for (uint32_t i = 0; i < s->n[b]; i++)
            n += sampled_misses(&s->at[b][i], l1, l2);
    return n;
}

struct kept_misses {
    struct memo memo;
    uint32_t n[MEMO_PLACES];
};

/* Counted once for each sample and pair of capacities. */
static uint32_t entries_that_miss(const struct profile *f, uint32_t launch, uint32_t cls,
                                  uint16_t l1, uint16_t l2)
{
    static _Thread_local void *block;
    struct kept_misses *kept = THREAD_BLOCK(struct kept_misses, block);
    const uint32_t asked[] = {cls, l1, l2};
    bool found;
    struct digest key =
        digest_join(f->sampled[f->place[launch].samples].digest, digest_bytes(asked, sizeof asked));
    uint32_t *n = &kept->n[memo_place(&kept->memo, key, &found)];
    if (!found) *n = count_misses(&profile_samples(f, launch)->rows[cls], l1, l2);
    return *n;
}

uint32_t like_launches_fullest(const struct profile *f, uint32_t launch, uint32_t cls,
                               double l1_lines, double l2_lines)
{
    uint16_t l1 = profile_sample_bucket(l1_lines), l2 = profile_sample_bucket(l2_lines);
    uint32_t i = f->like[launch].first, fullest = launch, most = 0;
    if (f->like[i].next == LIKE_NONE) return launch;
    for (uint32_t k = 0; k < LIKE_MOST && i != LIKE_NONE && most < f->view.block_accesses; k++) {
        uint32_t n = entries_that_miss(f, i, cls, l1, l2);
        if (n > most) fullest = i;
        if (n > most) most = n;
        i = f->like[i].next;
    }
    return fullest;
}
