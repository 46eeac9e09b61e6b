/* placed_pages.c - see placed_pages.h. */
#include "estimator/dram/placed_pages.h"

#include "base/memory/alloc.h"
#include "estimator/math_util.h"

struct placed_pages *placed_pages_new(const struct est_params *e, const struct map *first,
                                      struct error *err)
{
    struct placed_pages *p = mem_new(1, sizeof *p);
    bool ok = p || error_no_memory(err);
    if (ok && first->second) {
        ok = map_init_second(&p->second, e->l2, e->second_dram, err);
        if (ok) p->memory = mem_new(PAGE_MEMORIES, sizeof *p->memory);
        if (ok) ok = p->memory || error_no_memory(err);
    }
    if (!ok) {
        placed_pages_free(p);
        return NULL;
    }
    p->map[0] = first;
    p->map[1] = &p->second;
    p->sms = e->sm->count;
    p->of = UINT32_MAX;
    return p;
}

void placed_pages_free(struct placed_pages *p)
{
    if (!p) return;
    mem_free(p->memory);
    mem_free(p);
}

/* --- samples --- */

static uint32_t memory_of(uint64_t physical)
{
    return physical >= MAP_SECOND_MEMORY;
}

static struct sampled in_memory(const struct sampled *s)
{
    struct sampled at = *s;
    at.addr &= MAP_SECOND_MEMORY - 1;
    return at;
}

static void sort_spread(struct placed_pages *p, const struct spread_sample *s)
{
    for (uint32_t k = 0; k < PAGE_MEMORIES; k++)
        p->memory[k].spread.n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        struct spread_sample *to = &p->memory[memory_of(s->at[i].addr)].spread;
        to->at[to->n++] = in_memory(&s->at[i]);
    }
}

static void sort_blocks(struct placed_pages *p, const struct block_sample *s, uint32_t stream)
{
    for (uint32_t k = 0; k < PAGE_MEMORIES; k++) {
        struct block_sample *to = &p->memory[k].rows[stream];
        to->blocks = s->blocks;
        for (uint32_t b = 0; b < s->blocks; b++) {
            to->n[b] = 0;
            to->each[b] = s->each[b];
        }
    }
    for (uint32_t b = 0; b < s->blocks; b++)
        for (uint32_t i = 0; i < s->n[b]; i++) {
            struct block_sample *to = &p->memory[memory_of(s->at[b][i].addr)].rows[stream];
            to->at[b][to->n[b]++] = in_memory(&s->at[b][i]);
        }
}

void placed_pages_find(struct placed_pages *p, const struct profile *f, uint32_t launch)
{
    const struct address_samples *s = profile_samples(f, launch);
    const struct sample_content *content = &f->sampled[f->place[launch].samples];
    if (!p->memory || p->of == f->place[launch].samples) return;
    p->of = f->place[launch].samples;
    sort_spread(p, &s->spread);
    for (uint32_t i = 0; i < SAMPLE_STREAMS; i++)
        sort_blocks(p, &s->rows[i], i);
    for (uint32_t k = 0; k < PAGE_MEMORIES; k++) {
        p->memory[k].content = *content;
        p->memory[k].content.digest = digest_join(content->digest, digest_bytes(&k, sizeof k));
    }
}

struct launch_samples placed_pages_samples(const struct placed_pages *p, uint32_t memory,
                                           const struct launch_samples *s)
{
    struct launch_samples own = *s;
    if (!p->memory) return own;
    own.spread = &p->memory[memory].spread;
    own.rows = p->memory[memory].rows;
    own.content = &p->memory[memory].content;
    return own;
}

/* --- shares --- */

struct placement_shares placed_pages_shares(const struct placed_pages *p,
                                            const struct spread_sample *s, double l1_lines,
                                            double l2_lines)
{
    uint16_t l1 = profile_sample_bucket(l1_lines), l2 = profile_sample_bucket(l2_lines);
    double all = 0, second = 0, reads = 0, local = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct sampled at = in_memory(&s->at[i]);
        uint32_t memory = p->memory ? memory_of(s->at[i].addr) : 0;
        if (!sampled_misses(&at, l1, l2)) continue;
        all += at.sectors;
        second += memory ? at.sectors : 0;
        if (at.kind != SAMPLED_READ) continue;
        reads += at.sectors;
        local += page_table_owns(p->map[memory], p->sms, at.addr, at.sm) ? at.sectors : 0;
    }
    return (struct placement_shares){.second = math_over(second, all),
                                     .local = math_over(local, reads)};
}
