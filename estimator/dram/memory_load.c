/* memory_load.c - see memory_load.h. */
#include "estimator/dram/memory_load.h"

#include "base/memory/thread_block.h"
#include "estimator/answer_memo.h"
#include "estimator/dram/block_replay.h"

#include <string.h>

uint32_t memory_load_equal_bucket(const uint64_t bits[SAMPLE_BUCKETS / 64], double lines)
{
    for (uint32_t i = profile_sample_bucket(lines); i < SAMPLE_BUCKETS; i++)
        if (bits[i / 64] >> i % 64 & 1) return i;
    return SAMPLE_BUCKETS;
}

struct digest memory_load_map_digest(const struct map *map)
{
    if (map->follows) return digest_bytes(map, sizeof *map);
    return digest_join(digest_bytes(&map->slice_deal, sizeof map->slice_deal),
                       digest_bytes(&map->interleave_shift, sizeof map->interleave_shift));
}

/* Digests whole structs, so that new members belong to the key by themselves.  Different padding
 * only costs a repeated computation. */
static struct digest key_of(const struct launch_samples *s, uint32_t cls, const struct map *map,
                            const struct dram_params *d, const struct row_stream *f)
{
    const struct dram_params k = block_replay_params(d);
    struct row_stream r;
    memcpy(&r, f, sizeof r);
    if (cls < SAMPLE_CLASSES) {
        r.l1_lines = memory_load_equal_bucket(s->content->l1[cls], f->l1_lines);
        r.l2_lines = memory_load_equal_bucket(s->content->l2[cls], f->l2_lines);
    } else { /* the buckets of these blocks are not known */
        r.l1_lines = profile_sample_bucket(f->l1_lines);
        r.l2_lines = profile_sample_bucket(f->l2_lines);
    }
    if (f->writebacks <= 0) r.behind = 0;
    struct digest machine = digest_join(digest_bytes(map, sizeof *map), digest_bytes(&r, sizeof r));
    machine = digest_join(machine, digest_bytes(&k, sizeof k));
    machine = digest_join(machine, digest_bytes(&s->each, sizeof s->each));
    return digest_join(digest_join(s->content->digest, machine), digest_bytes(&cls, sizeof cls));
}

struct kept_loads {
    struct memo memo;
    struct sampled_load at[MEMO_PLACES];
};

void sampled_load_find(struct sampled_load *l, const struct launch_samples *s, uint32_t cls,
                       const struct map *map, const struct dram_params *d,
                       const struct row_stream *f)
{
    static _Thread_local void *block;
    struct kept_loads *kept = THREAD_BLOCK(struct kept_loads, block);
    bool found;
    struct sampled_load *k = &kept->at[memo_place(&kept->memo, key_of(s, cls, map, d, f), &found)];
    if (!found) {
        row_locality_find(&k->rows, &s->rows[cls], map, d, f);
        row_locality_over_time(&k->rows, s->spread, s->each, map, f);
        k->slices = row_locality_even(s->spread, map, f, EVEN_SLICES);
        k->fetches = row_locality_even(s->spread, map, f, EVEN_FETCHES);
        k->homes = row_locality_even(s->spread, map, f, EVEN_HOMES);
        k->channels = row_locality_even(s->spread, map, f, EVEN_CHANNELS);
        hot_atomics_find(&k->hot, s->spread, map, d, f->atomics_go);
    }
    *l = *k;
}
