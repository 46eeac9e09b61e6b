/* sampled_load.c - see sampled_load.h. */
#include "estimator/sampled_load.h"

#include <string.h>

enum { SETS = 1024, WAYS = 4 };

struct digest launch_samples_digest(const struct launch_samples *s)
{
    return digest_join(digest_bytes(s->spread, sizeof *s->spread),
                       digest_bytes(s->rows, SAMPLE_CLASSES * sizeof *s->rows));
}

/* What the replay of a channel does not look at. */
static struct dram_params replayed(const struct dram_params *d)
{
    struct dram_params k;
    memcpy(&k, d, sizeof k);
    memset(k.set, 0, sizeof k.set);
    memset(k.mapping, 0, sizeof k.mapping);
    k.clock_khz = k.extra_latency = k.fixed_latency = k.queue = 0;
    k.clock_mhz = k.fixed_gbps = 0;
    k.t.tREFI = k.t.tRFC = k.t.tRFCb = k.t.tREFIb = k.power_down_idle = 0;
    memset(&k.energy, 0, sizeof k.energy);
    return k;
}

/* Whole structs: what is added to them is part of the key.  Differing padding costs a look-up only.
 */
static struct digest key_of(const struct launch_samples *s, uint32_t cls, const struct map *map,
                            const struct dram_params *d, const struct row_stream *f)
{
    const struct dram_params k = replayed(d);
    struct digest machine = digest_join(digest_bytes(map, sizeof *map), digest_bytes(f, sizeof *f));
    machine = digest_join(machine, digest_bytes(&k, sizeof k));
    return digest_join(digest_join(s->content, machine), digest_bytes(&cls, sizeof cls));
}

struct kept {
    struct digest key;
    struct sampled_load answer;
};

/* The key's place, or the one of its set that makes room. */
static struct kept *place_of(struct digest key, bool *found)
{
    static _Thread_local struct kept kept[SETS][WAYS];
    static _Thread_local uint32_t turn;
    struct kept *set = kept[key.lo % SETS];
    *found = true;
    for (uint32_t w = 0; w < WAYS; w++)
        if (digest_equal(set[w].key, key)) return &set[w];
    *found = false;
    return &set[turn++ % WAYS];
}

void sampled_load_find(struct sampled_load *l, const struct launch_samples *s, uint32_t cls,
                       const struct map *map, const struct dram_params *d,
                       const struct row_stream *f)
{
    bool found;
    struct digest key = key_of(s, cls, map, d, f);
    struct kept *k = place_of(key, &found);
    if (!found) {
        row_locality_find(&k->answer.rows, &s->rows[cls], map, d, f);
        k->answer.slices = even_slices(s->spread, map, f->l1_lines);
        k->answer.channels = even_channels(s->spread, map, f->l1_lines, f->l2_lines);
        k->key = key;
    }
    *l = k->answer;
}
