/* traffic.c - see traffic.h. */
#include "estimator/terms/traffic.h"

#include "estimator/cache/directory_model.h"
#include "estimator/cache/l1_line_reservation.h"
#include "estimator/math_util.h"
#include "estimator/profile/like_launches.h"
#include "estimator/terms/write_cache_model.h"

#include <math.h>
#include <string.h>

/* --- hits --- */

static const struct est_params *cached_by(const struct launch_model *m)
{
    return m->e->caches ? m->e->caches : m->e;
}

static double sms_with_work(const struct launch_model *m)
{
    return math_smaller(m->e->sm->count, m->p->ctas);
}

static double l1_lines(const struct launch_model *m)
{
    const struct est_params *of = cached_by(m);
    return occupancy(of->sm, of->l1, m->shape).l1_kb * 1024.0 / of->l1->cache.line_bytes;
}

void traffic_hits(struct launch_model *m)
{
    const struct est_params *of = cached_by(m);
    const struct cached_machine c = {.view = &m->in.f->view,
                                     .l1 = of->l1,
                                     .l2 = of->l2,
                                     .l3 = of->l3,
                                     .l1_lines = l1_lines(m),
                                     .all_sms = m->e->sm->count,
                                     .sms = sms_with_work(m)};
    cache_levels_find(&m->levels, m->p, &c);
}

void traffic_directory(struct launch_model *m)
{
    const struct est_params *of = cached_by(m);
    if (coherence_has_directory(of->coherence))
        directory_model_find(&m->levels, m->p, of->coherence, of->l2, l1_lines(m),
                             sms_with_work(m));
}

void traffic_write_caches(struct launch_model *m)
{
    const struct est_params *of = cached_by(m);
    if (write_cache_model_applies(of->coherence)) write_cache_model_find(&m->levels, m->p, of);
}

/* --- how it is spread --- */

/* The capacity behind which the memory sees the samples: the L3's for what hits it; what does not,
 * since it has been written, may be near. */
static double behind_lines(const struct launch_model *m)
{
    const struct cache_levels *v = &m->levels;
    if (!l3_is_there(m->e->l3)) return v->l2.effective_lines;
    return v->l2.effective_lines * pow(v->l3.lines / v->l2.effective_lines, v->l3.fetched);
}

/* The sampled stores that are followed by others too soon for the samples. */
static double stores_again(const struct launch_model *m, uint32_t cls)
{
    const struct cache_levels *v = &m->levels;
    double lines = (double)profile_sample_bytes[cls] / m->e->l2->cache.line_bytes;
    double near = curve_full_hits(&m->p->l2_write, lines);
    /* the stores that L1s hold are those that recur soonest */
    near = math_larger(0, near - (m->p->stores - m->p->sent));
    return math_larger(0, math_over(near, v->l2.writes - near));
}

/* The class of samples that a cache of so many bytes lets through. */
static uint32_t class_of(double bytes)
{
    uint32_t k = 0;
    while (k + 1 < SAMPLE_CLASSES && bytes >= profile_sample_bytes[k + 1])
        k++;
    return k;
}

/* If reads and writes share a queue, write-backs lie among the reads that evict them. */
static void find_stream(const struct launch_model *m, struct row_stream *s)
{
    const struct est_params *e = m->e;
    const struct cache_levels *v = &m->levels;
    memset(s, 0, sizeof *s); /* padding included: it is part of a key */
    s->l1_lines = v->l1.effective_lines;
    s->l2_lines = behind_lines(m);
    s->bursts_per_sector = m->in.bursts;
    s->behind = (uint64_t)e->l2->banks * e->l2->bank_kb * 1024;
    s->together = e->l2->interleave_bytes;
    s->block = profile_block_accesses(e->dram, e->l2->cache.line_bytes);
    bool fetch =
        e->l2->cache.write_miss == WRITE_MISS_FETCH || coherence_has_directory(e->coherence);
    double written = v->l2.writes - v->l2.write_hits;
    double takes = cache_levels_memory_reads(v) + (fetch ? 0 : written);
    s->stores_fetch = fetch;
    s->writebacks = math_over(v->writebacks * (1 - v->l3.kept), takes);
    s->stores_go = v->written_through > v->passing;
    s->hits_go = e->l2->cache.write != WRITE_BACK;
    s->hits_load = s->hits_go && l3_is_there(e->l3);
    s->atomics_go = v->passing > 0;
}

void traffic_samples(struct launch_model *m)
{
    struct launch_sampled *a = &m->sampled;
    const struct launch_input *in = &m->in;
    find_stream(m, &a->stream);
    a->cls = class_of(a->stream.l2_lines * m->e->l2->cache.line_bytes);
    if (a->stream.hits_go) a->stream.again = stores_again(m, a->cls);
    /* atomics that pass the L2 go to memory, however near their lines were */
    a->blocks = a->stream.atomics_go ? (uint32_t)SAMPLE_ASKED : a->cls;
    a->samples = in->samples;
    if (!in->pages)
        a->samples =
            launch_samples_of(in->f, like_launches_fullest(in->f, in->launch, a->blocks,
                                                           a->stream.l1_lines, a->stream.l2_lines));
}

/* Each memory's load by the samples of its pages; that of the slices by all of them. */
static void find_placed_load(struct launch_model *m, struct sampled_load *load)
{
    const struct launch_samples *samples = &m->in.samples;
    const struct placed_pages *pages = m->in.pages;
    const struct map *map = m->in.map;
    const struct row_stream *s = &m->sampled.stream;
    uint32_t cls = m->sampled.cls;
    struct placement_shares shares =
        placed_pages_shares(pages, samples->spread, s->l1_lines, s->l2_lines);
    struct launch_samples own = placed_pages_samples(pages, 0, samples);
    sampled_load_find(load, &own, cls, map, m->e->dram, s);
    m->spread.local = shares.local;
    if (!map->second) return;
    load->slices = row_locality_even(samples->spread, map, s, EVEN_SLICES);
    load->fetches = row_locality_even(samples->spread, map, s, EVEN_FETCHES);
    load->homes = row_locality_even(samples->spread, map, s, EVEN_HOMES);
    hot_atomics_find(&load->hot, samples->spread, map, m->e->dram, s->atomics_go);
    m->second.share = shares.second;
    if (shares.second <= 0) return;
    struct row_stream to = *s;
    struct sampled_load second;
    to.bursts_per_sector = m->second.bursts;
    own = placed_pages_samples(pages, 1, samples);
    sampled_load_find(&second, &own, cls, &pages->second, m->e->second_dram, &to);
    m->second.rows = second.rows;
    m->second.channels = m->second.even_channels = second.channels;
}

void traffic_spread(struct launch_model *m)
{
    const struct launch_sampled *a = &m->sampled;
    struct sampled_load load;
    if (m->in.pages)
        find_placed_load(m, &load);
    else
        sampled_load_find(&load, &a->samples, a->blocks, m->in.map, m->e->dram, &a->stream);
    m->rows = load.rows;
    m->hot = load.hot;
    m->spread.slices = load.slices;
    m->spread.fetches = load.fetches;
    m->spread.homes = load.homes;
    m->spread.channels = m->wave.channels = load.channels;
}

/* --- lines that await data --- */

void traffic_l1_lines(struct launch_model *m)
{
    const struct launch_samples *s = &m->in.samples;
    struct cache_params l1 = m->e->l1->cache;
    double own = m->in.occ.l1_kb * 1024.0 / l1.line_bytes;
    if (m->e->l1->adaptive && own >= l1.sets) l1.ways = (uint32_t)own / l1.sets;
    m->lines.l1 = l1_reserved_sectors_cached(s->lines, s->content->digest, &l1, &m->e->l1->frc,
                                             m->levels.l1.effective_lines);
}
