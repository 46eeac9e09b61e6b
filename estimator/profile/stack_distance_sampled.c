/* stack_distance_sampled.c - see stack_distance_sampled.h. */
#include "estimator/profile/stack_distance_sampled.h"

#include <assert.h>

enum { CHUNK = 1024, SOON = 16, SOONER = 6 };

bool reuse_sample_init(struct reuse_sample *s, uint32_t lines, uint32_t line_bytes, uint32_t one_in)
{
    assert(one_in >= 1 && lines / one_in >= 64 && (line_bytes & (line_bytes - 1)) == 0);
    const struct reuse_params p = {.lines = lines / one_in};
    *s = (struct reuse_sample){.one_in = one_in,
                               .line_shift = (uint32_t)__builtin_ctz(line_bytes),
                               .below = UINT64_MAX / one_in};
    return reuse_init(&s->reuse, &p, NULL, NULL);
}

void reuse_sample_fini(struct reuse_sample *s)
{
    reuse_fini(&s->reuse);
}

/* Unrelated to a program's strides; line 0 must not be a fixed point. */
static inline uint64_t hash_line(uint64_t line)
{
    uint64_t h = (line + 0x632BE59BD9B4E019u) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    return h;
}

/* Collects the sampled lines of a chunk, without a branch per address. */
static uint32_t pick_lines(const struct reuse_sample *s, const uint64_t *addr, size_t n,
                           uint64_t *line)
{
    uint32_t picked = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t l = addr[i] >> s->line_shift;
        line[picked] = l;
        picked += hash_line(l) <= s->below;
    }
    return picked;
}

static bool touch_all(struct reuse_sample *s, const uint64_t *line, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct reuse_distance d;
        uint32_t id;
        if (i + SOON < n) reuse_soon(&s->reuse, line[i + SOON]);
        if (i + SOONER < n) reuse_soon_id(&s->reuse, line[i + SOONER], &id);
        if (!reuse_touch(&s->reuse, line[i], &d)) return false;
        hit_tally_add(&s->t, d.fresh ? REUSE_FAR : d.global, NULL, 0);
    }
    return true;
}

bool reuse_sample_feed(struct reuse_sample *s, const uint64_t *addr, size_t n)
{
    uint64_t line[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t some = n - at < CHUNK ? n - at : CHUNK;
        if (!touch_all(s, line, pick_lines(s, addr + at, some, line))) return false;
    }
    s->seen += n;
    return true;
}

void reuse_sample_curve(const struct reuse_sample *s, struct curve *c)
{
    struct hit_tally t = s->t;
    hit_tally_scale(&t, s->one_in, s->one_in);
    t.near[0] += (double)s->seen - t.total;
    t.total = (double)s->seen;
    hit_tally_curve(&t, c);
}
