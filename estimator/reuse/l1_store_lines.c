/* l1_store_lines.c - see l1_store_lines.h. */
#include "estimator/reuse/l1_store_lines.h"

#include "base/memory/alloc.h"
#include "estimator/profile/sector_reuse.h"

struct l1_store_lines *l1_store_lines_new(const struct l1_store_lines_view *v)
{
    struct l1_store_lines *k = mem_new(1, sizeof *k);
    if (!k) return NULL;
    k->v = *v;
    k->dirty = mem_new(v->l1_lines, sizeof *k->dirty);
    if (lru_lines_init(&k->l1, v->l1_lines) && k->dirty) return k;
    l1_store_lines_free(k);
    return NULL;
}

void l1_store_lines_free(struct l1_store_lines *k)
{
    if (!k) return;
    lru_lines_fini(&k->l1);
    mem_free(k->dirty);
    mem_free(k);
}

static void go_down(struct l1_store_lines *k, uint32_t mask)
{
    k->sent += sector_reuse_count(mask);
}

/* The line becomes the youngest; what is dirty of one that leaves goes down.  Returns its place. */
static uint32_t take(struct l1_store_lines *k, uint64_t line)
{
    uint64_t left;
    uint32_t at, before = k->l1.used;
    bool pushed = lru_lines_touch(&k->l1, line, &at, &left, &k->failed);
    if (pushed) go_down(k, k->dirty[at]);
    if (pushed || k->l1.used > before) k->dirty[at] = 0;
    return at;
}

/* What has gathered of a line goes down ahead of a load that wants it. */
static void spill(struct l1_store_lines *k, uint32_t i)
{
    go_down(k, k->gather[i].mask);
    k->gather[i].mask = 0;
}

void l1_store_lines_bypass(struct l1_store_lines *k, uint64_t line, uint32_t mask)
{
    const uint32_t *held = hash_map_get(&k->l1.place, line);
    for (uint32_t i = 0; i < k->v.combine_lines; i++)
        if (k->gather[i].line == line) spill(k, i);
    if (!held) return;
    go_down(k, k->dirty[*held] & mask);
    k->dirty[*held] &= (uint8_t)~mask;
}

void l1_store_lines_store_bypass(struct l1_store_lines *k, uint64_t line, uint32_t mask)
{
    l1_store_lines_bypass(k, line, mask);
    go_down(k, mask);
}

void l1_store_lines_load(struct l1_store_lines *k, uint64_t line, uint32_t mask)
{
    bool held = hash_map_get(&k->l1.place, line) != NULL;
    if (k->v.loads_round) {
        l1_store_lines_bypass(k, line, mask);
        return;
    }
    for (uint32_t i = 0; !held && i < k->v.combine_lines; i++)
        if (k->gather[i].line == line && k->gather[i].mask & mask) spill(k, i);
    take(k, line);
}

static void gather(struct l1_store_lines *k, uint64_t line, uint32_t mask)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < k->v.combine_lines; i++) {
        bool own = k->gather[i].mask && k->gather[i].line == line;
        bool older = !k->gather[i].mask || k->gather[i].since < k->gather[at].since;
        if (own) {
            k->gather[i].mask |= mask;
            k->gather[i].since = k->now;
            return;
        }
        if (k->gather[at].mask && older) at = i;
    }
    spill(k, at);
    k->gather[at].line = line;
    k->gather[at].mask = mask;
    k->gather[at].since = k->now;
}

void l1_store_lines_store(struct l1_store_lines *k, uint64_t line, uint32_t mask, enum l1_way way)
{
    bool back = way == L1_BACK || way == L1_OWN;
    bool takes = k->v.takes || hash_map_get(&k->l1.place, line);
    k->now++;
    if (way == L1_COMBINE) {
        gather(k, line, mask);
        return;
    }
    if (way == L1_OWN || (back && takes)) {
        k->dirty[take(k, line)] |= (uint8_t)mask;
        return;
    }
    go_down(k, mask);
    if (way == L1_THROUGH && takes) take(k, line);
}

double l1_store_lines_all(const struct l1_store_lines *k)
{
    double n = k->sent;
    for (uint32_t i = 0; i < k->v.combine_lines; i++)
        n += sector_reuse_count(k->gather[i].mask);
    return n;
}

void l1_store_lines_empty(struct l1_store_lines *k)
{
    for (uint32_t i = 0; i < k->l1.used; i++)
        go_down(k, k->dirty[i]);
    for (uint32_t i = 0; i < k->v.combine_lines; i++)
        spill(k, i);
    lru_lines_clear(&k->l1);
}
