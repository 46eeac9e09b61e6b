/* placed_pages.c - see placed_pages.h. */
#include "estimator/dram/placed_pages.h"

#include "base/memory/alloc.h"
#include "estimator/model/math_util.h"

/* --- the page table --- */

static bool has_second(const struct placed_pages *p)
{
    return p->table.memories > 1;
}

static struct digest digest_of(const struct placed_pages *p, const struct profile *f,
                               const struct est_params *e, const struct map *first)
{
    const uint64_t numbers[] = {e->pages->placement, e->pages->frames, e->pages->kb, e->sm->count};
    struct digest d = digest_join(f->touches.digest, digest_bytes(numbers, sizeof numbers));
    d = digest_join(d, digest_bytes(first, sizeof *first));
    d = digest_join(d, digest_bytes(e->memory_gbps, sizeof e->memory_gbps));
    return has_second(p) ? digest_join(d, digest_bytes(&p->second, sizeof p->second)) : d;
}

static bool table_init(struct placed_pages *p, const struct profile *f, const struct est_params *e,
                       const struct map *first)
{
    const struct map *maps[PAGE_MEMORIES] = {first, first->second ? &p->second : NULL};
    if (!page_table_init(&p->table, e->pages, e->sm->count, maps, e->memory_gbps)) return false;
    for (size_t i = 0; i < f->touches.n; i++) {
        const struct page_touch *t = &f->touches.at[i];
        page_table_touch(&p->table, t->page << p->table.shift, (uint32_t)t->sm);
    }
    return !p->table.no_memory;
}

struct placed_pages *placed_pages_new(const struct profile *f, const struct est_params *e,
                                      const struct map *first, struct error *err)
{
    struct placed_pages *p = mem_new(1, sizeof *p);
    bool ok = p != NULL;
    if (!ok) error_no_memory(err);
    if (ok && first->second) ok = map_init_second(&p->second, e->l2, e->second_dram, err);
    if (ok && !(ok = table_init(p, f, e, first))) error_no_memory(err);
    if (ok) p->placed = mem_new(has_second(p) ? PLACED_N : 1, sizeof *p->placed);
    if (ok && !(ok = p->placed != NULL)) error_no_memory(err);
    if (!ok) {
        placed_pages_free(p);
        return NULL;
    }
    p->of = UINT32_MAX;
    p->digest = digest_of(p, f, e, first);
    return p;
}

void placed_pages_free(struct placed_pages *p)
{
    if (!p) return;
    page_table_fini(&p->table);
    mem_free(p->placed);
    mem_free(p);
}

/* --- samples --- */

/* Adds an access to what all memories see, and to what its own does. */
static void place_sampled(struct placed_pages *p, const struct sampled *s,
                          struct sampled *const to[PLACED_N], uint32_t n[PLACED_N])
{
    struct sampled at = *s;
    at.addr = page_table_translate(&p->table, s->addr, s->sm);
    to[PLACED_ALL][n[PLACED_ALL]++] = at;
    if (!has_second(p)) return;
    uint32_t part = at.addr >= MAP_SECOND_MEMORY ? PLACED_SECOND : PLACED_FIRST;
    at.addr &= MAP_SECOND_MEMORY - 1;
    to[part][n[part]++] = at;
}

static uint32_t parts_of(const struct placed_pages *p)
{
    return has_second(p) ? PLACED_N : 1;
}

static void place_spread(struct placed_pages *p, const struct spread_sample *s)
{
    struct sampled *to[PLACED_N] = {NULL};
    uint32_t n[PLACED_N] = {0};
    for (uint32_t k = 0; k < parts_of(p); k++)
        to[k] = p->placed[k].spread.at;
    for (uint32_t i = 0; i < s->n; i++)
        place_sampled(p, &s->at[i], to, n);
    for (uint32_t k = 0; k < parts_of(p); k++)
        p->placed[k].spread.n = n[k];
}

static void place_block(struct placed_pages *p, const struct block_sample *s, uint32_t stream,
                        uint32_t b)
{
    struct sampled *to[PLACED_N] = {NULL};
    uint32_t n[PLACED_N] = {0};
    for (uint32_t k = 0; k < parts_of(p); k++)
        to[k] = p->placed[k].rows[stream].at[b];
    for (uint32_t i = 0; i < s->n[b]; i++)
        place_sampled(p, &s->at[b][i], to, n);
    for (uint32_t k = 0; k < parts_of(p); k++) {
        p->placed[k].rows[stream].blocks = s->blocks;
        p->placed[k].rows[stream].n[b] = n[k];
        p->placed[k].rows[stream].each[b] = s->each[b];
    }
}

void placed_pages_find(struct placed_pages *p, const struct profile *f, uint32_t launch)
{
    const struct address_samples *s = profile_samples(f, launch);
    const struct sample_content *content = &f->sampled[f->place[launch].samples];
    if (p->of == f->place[launch].samples) return;
    p->of = f->place[launch].samples;
    place_spread(p, &s->spread);
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++) {
        for (uint32_t k = 0; k < parts_of(p); k++)
            p->placed[k].rows[i].blocks = 0;
        for (uint32_t b = 0; b < s->rows[i].blocks; b++)
            place_block(p, &s->rows[i], i, b);
    }
    for (uint32_t k = 0; k < parts_of(p); k++) {
        p->placed[k].content = *content;
        p->placed[k].content.digest =
            digest_join(digest_join(content->digest, p->digest), digest_bytes(&k, sizeof k));
    }
}

struct launch_samples placed_pages_samples(const struct placed_pages *p, uint32_t part,
                                           const struct launch_samples *s)
{
    const struct placed_samples *placed = &p->placed[part < parts_of(p) ? part : PLACED_ALL];
    return (struct launch_samples){.spread = &placed->spread,
                                   .each = s->each,
                                   .rows = placed->rows,
                                   .lines = s->lines,
                                   .content = &placed->content};
}

/* --- shares --- */

struct placement_shares placed_pages_shares(const struct placed_pages *p, double l1_lines,
                                            double l2_lines)
{
    const struct spread_sample *s = &p->placed[PLACED_ALL].spread;
    const uint32_t *dealt = p->table.dealt[0];
    uint16_t l1 = profile_sample_bucket(l1_lines), l2 = profile_sample_bucket(l2_lines);
    double all = 0, second = 0, reads = 0, local = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled *a = &s->at[i];
        if (!sampled_misses(a, l1, l2)) continue;
        all += a->sectors;
        second += a->addr >= MAP_SECOND_MEMORY ? a->sectors : 0;
        if (a->kind != SAMPLED_READ) continue;
        reads += a->sectors;
        local += page_table_is_local(&p->table, a->addr, a->sm) ? a->sectors : 0;
    }
    /* of what is only written back there is no sample: it lies where pages do */
    double pages = math_over(dealt[1], (double)dealt[0] + dealt[1]);
    return (struct placement_shares){.second = all > 0 ? second / all : pages,
                                     .local = math_over(local, reads)};
}
