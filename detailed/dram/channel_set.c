/* channel_set.c - see channel_set.h. */
#include "detailed/dram/channel_set.h"

#include "base/memory/alloc.h"

bool channel_set_open(struct channel_set *s, const struct dram_params *p, uint32_t interleave_bytes,
                      struct error *e)
{
    const struct l2_params l2 = {
        .banks = p->channels, .interleave_bytes = interleave_bytes, .slice_hash = SLICE_MODULO};
    *s = (struct channel_set){.n = p->channels};
    if (!map_init(&s->map, &l2, p, e)) return false;
    s->channel = mem_new(s->n, sizeof(struct dram_channel *));
    s->wake = mem_new(s->n, sizeof *s->wake);
    if (!s->channel || !s->wake) return error_no_memory(e);
    for (uint32_t i = 0; i < s->n; i++) {
        s->channel[i] = dram_new(p, e);
        if (!s->channel[i]) return false;
        s->wake[i] = UINT64_MAX;
    }
    return true;
}

void channel_set_close(struct channel_set *s)
{
    for (uint32_t i = 0; s->channel && i < s->n; i++)
        dram_free(s->channel[i]);
    mem_free(s->channel);
    mem_free(s->wake);
    mem_free(s->note);
    mem_free(s->free_tag);
    *s = (struct channel_set){0};
}

static bool new_tag(struct channel_set *s, uint64_t note, uint32_t *tag)
{
    if (s->n_free == 0) {
        size_t old = s->cap, cap = s->cap;
        if (!mem_grow(&s->note, &cap, old + 1, sizeof *s->note)) return false;
        if (!mem_grow(&s->free_tag, &s->cap, cap, sizeof *s->free_tag)) return false;
        for (size_t i = cap; i > old; i--)
            s->free_tag[s->n_free++] = (uint32_t)(i - 1);
    }
    *tag = s->free_tag[--s->n_free];
    s->note[*tag] = note;
    return true;
}

bool channel_set_accept(struct channel_set *s, const struct coord *at, bool write, uint64_t note,
                        uint64_t now)
{
    uint32_t tag;
    if (!new_tag(s, note, &tag)) return false;
    dram_accept(s->channel[at->channel], at, write, tag, now);
    s->wake[at->channel] = now;
    s->in_flight++;
    return true;
}

bool channel_set_step(struct channel_set *s, uint32_t channel, uint64_t now)
{
    if (s->wake[channel] > now) return false;
    s->wake[channel] = dram_step(s->channel[channel], now);
    return true;
}

bool channel_set_done(struct channel_set *s, uint32_t channel, uint64_t until, uint64_t *note,
                      bool *write)
{
    uint32_t tag;
    if (!dram_done(s->channel[channel], until, &tag, write)) return false;
    *note = s->note[tag];
    s->free_tag[s->n_free++] = tag;
    s->in_flight--;
    return true;
}
