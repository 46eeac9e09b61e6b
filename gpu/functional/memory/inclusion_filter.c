/* inclusion_filter.c - which L1s may have a copy of each line of an inclusive slice: two bits per
 * line and SM. When the slice evicts a line (its hook notes the tag), the copies of all L1s named
 * there are dropped, with their dirty bytes told to the caller. Source: Candel 2019, 5.4. */
#include "gpu/functional/memory/inclusion_filter.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

static void note_gone(void *ctx, uint64_t tag)
{
    struct inclusion_filter *k = ctx;
    k->gone = true;
    k->tag = tag;
}

bool inclusion_filter_init(struct inclusion_filter *k, struct cache *slice, uint32_t sms)
{
    *k = (struct inclusion_filter){.words = (sms + 63) / 64, .lines = slice->n_lines};
    k->holder = mem_new(k->lines * k->words, sizeof *k->holder);
    k->served = mem_new(k->lines * k->words, sizeof *k->served);
    slice->left = note_gone;
    slice->left_ctx = k;
    return k->holder && k->served;
}

void inclusion_filter_fini(struct inclusion_filter *k)
{
    mem_free(k->holder);
    mem_free(k->served);
}

void inclusion_filter_serialize(struct inclusion_filter *k, struct serializer *t)
{
    serialize_data(t, k->served, k->lines * k->words * sizeof *k->served);
}

static bool drop_copies(struct cache *l1, uint64_t addr, uint32_t bytes)
{
    bool dirty = false;
    for (uint32_t at = 0; at < bytes; at += l1->p.line_bytes) {
        uint32_t line = cache_find(l1, cache_tag(l1, addr + at));
        if (line == LINE_NONE) continue;
        dirty = dirty || l1->line[line].dirty;
        cache_forget(l1, line, UINT8_MAX);
    }
    return dirty;
}

bool inclusion_filter_evict(struct inclusion_filter *k, const struct cache *slice, uint32_t line,
                            uint64_t tag, struct cache *l1)
{
    uint64_t *holder = &k->holder[(size_t)line * k->words], addr = tag << slice->line_shift;
    bool dirty = false;
    for (uint32_t i = 0; i < k->words; i++) {
        for (uint64_t rest = holder[i]; rest; rest &= rest - 1) {
            uint32_t sm = i * 64 + (uint32_t)__builtin_ctzll(rest);
            dirty |= drop_copies(&l1[sm], addr, slice->p.line_bytes);
        }
        holder[i] = 0;
        k->served[(size_t)line * k->words + i] = 0;
    }
    k->gone = false;
    return dirty;
}
