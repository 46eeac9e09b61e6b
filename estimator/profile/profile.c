/* profile.c - makes views, loads, stores and frees profiles, and reads their values. */
#include "estimator/profile/profile_data.h"

#include "estimator/constants.h"
#include "estimator/profile/address_sample.h"
#include "estimator/profile/like_launches.h"
#include "estimator/profile/sector_reuse.h"
#include "gpu/geometry/coalesce.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <math.h>
#include <string.h>

/* The largest power of two up to the L1's capacity, within bounds; 0 without an L1. */
static uint32_t l1_class(const struct l1_params *l1)
{
    uint32_t bytes = PROFILE_L1_LEAST_BYTES;
    if (!l1->enabled) return 0;
    while (bytes < PROFILE_L1_BOUND_BYTES / 2 && 2 * bytes <= l1->kb * 1024)
        bytes *= 2;
    return bytes;
}

/* The L1's ways with the smallest shared memory. */
static uint32_t l1_most_ways(const struct l1_params *l1)
{
    return l1->adaptive ? l1_tags_of(l1, l1_most_kb(l1)).ways : l1->cache.ways;
}

/* A power of two, so that a sweep's machines share profiles. */
static uint32_t l2_class(const struct l2_params *l2)
{
    uint64_t bytes = (uint64_t)l2->banks * l2->bank_kb * 1024;
    uint32_t nominal = PROFILE_L2_NOMINAL_BYTES;
    while (nominal > PROFILE_L2_LEAST_BYTES && nominal > bytes)
        nominal /= 2;
    return nominal;
}

uint32_t profile_block_accesses(const struct dram_params *d, uint32_t line_bytes)
{
    uint32_t depth = d->queue < REPLAY_DEPTH ? d->queue : REPLAY_DEPTH, n = BLOCK_LEAST;
    uint64_t bytes = (uint64_t)BLOCK_QUEUES * depth * d->channels * d->bus_bytes * d->burst_length;
    while (n < SAMPLE_BLOCK && (uint64_t)n * line_bytes < bytes)
        n *= 2;
    return n;
}

/* The write cache of an L1 as lines in which stores gather; the S-FIFO may have fewer entries.
 * Those of the L2 and the L3 gather for all SMs: each has its share of them. */
static struct l1_store_lines_view write_cache_view_of(const struct sm_params *sm,
                                                      const struct l1_params *l1,
                                                      const struct l2_params *l2)
{
    uint32_t below = l2->banks * l2->write_cache.fifo / sm->count;
    uint32_t lines = l1->write_cache.fifo + below;
    if (lines > L1_STORE_LINES_GATHERS) lines = L1_STORE_LINES_GATHERS;
    return (struct l1_store_lines_view){.write = WRITE_COMBINE,
                                        .combine_lines = lines,
                                        .l1_lines = l1->kb * 1024 / l1->cache.line_bytes};
}

/* The limits of an SM, and how its instructions become accesses. */
static void view_sm(struct profile_view *v, const struct sm_params *sm, const struct l1_params *l1)
{
    v->sms = sm->count;
    v->warp_width = sm->warp_width;
    v->max_warps = sm->max_warps;
    v->max_ctas = sm->max_ctas;
    v->registers = sm->registers;
    v->register_unit = sm->register_unit;
    v->shared_kb = sm->shared_kb;
    for (uint32_t i = 0; l1->adaptive && i < l1->shared_options_kb.n; i++)
        if (i == 0 || l1->shared_options_kb.v[i] > v->shared_kb)
            v->shared_kb = l1->shared_options_kb.v[i];
    /* the queue before the L1's look-up merges accesses as lanes coalesce */
    v->load_lanes = l1->merge_loads ? sm->warp_width : coalesce_group(sm, OP_LOAD);
    v->store_lanes = l1->merge_stores ? sm->warp_width : coalesce_group(sm, OP_STORE);
    v->atomic_lanes = coalesce_group(sm, OP_ATOMIC);
    v->coalesce_bytes = sm->coalesce_bytes;
    v->atomics_apart = !sm->combine_atomics;
    v->subcores = sm->subcores;
    v->shared_banks = sm->shared_banks;
    v->shared_bytes = sm->shared_bytes;
    v->binding = sm->cta_binding;
    v->wait = sm->memory_wait;
    v->vmb = sm->vmb_scope == VMB_PER_SM ? sm->vmb_entries : 0;
    v->vmb_in_order = v->vmb && sm->vmb_release == VMB_IN_ORDER;
}

/* Lines, sets, policies and classes of capacity of both caches, and when each is emptied. */
static void view_caches(struct profile_view *v, const struct l1_params *l1,
                        const struct l2_params *l2)
{
    const struct cache_params *nearest = l1->enabled ? &l1->cache : &l2->cache;
    v->l1_line = nearest->line_bytes;
    v->l1_sector = nearest->sector_bytes;
    v->l2_line = l2->cache.line_bytes;
    v->l2_sector = l2->cache.sector_bytes;
    v->l1_write_miss = l1->cache.write_miss;
    v->l2_write_miss = l2->cache.write_miss;
    v->l1_at = set_view_l1(l1);
    v->l2_at = set_view_l2(l2);
    v->l1_class_bytes = l1_class(l1);
    v->l2_class_bytes = l2_class(l2);
    v->l1_emptied = l1->flush_at_launch ? L1_AT_LAUNCHES_TOO : L1_AT_ACQUIRES;
    v->l2_emptied = l2_are_several(l2);
    v->copy_warms = l2->copy_warms;
    v->copy_soils = l2->copy_warms && l2->copy_dirty && l2->cache.write == WRITE_BACK;
    v->bypass = bypass_view_of(l1);
    v->page_shift = l1->page_shift;
    if (!l1->enabled) return;
    v->l1_sets = l1->cache.sets;
    v->l1_ways = l1_most_ways(l1);
    v->l1_queue = l1->access_queue;
    v->l1_lookups = l1->instruction.lookups;
    v->l1_lookup_index = l1->instruction.lookup_index;
    v->l1_word_banks = l1->instruction.word_banks;
    v->l1_cycle_bytes = l1->instruction.bytes_per_cycle;
    v->l1_scattered_lanes = l1->instruction.scattered_lanes;
    v->l1_scattered_runs = l1->instruction.scattered_runs;
    v->l1_reserves = l1->cache.alloc == ALLOC_ON_MISS;
    if (l1->banks == 1) return;
    v->l1_ports = l1->ports;
    v->l1_banks = l1->banks;
    v->l1_bank_bytes = l1->bank_bytes;
    v->l1_bank_ports = l1->bank_ports;
    v->l1_bank_index = l1->bank_index;
}

/* What a protocol makes of the L1s: what stores leave there, and what empties it. */
static void view_coherence(struct profile_view *v, const struct coherence_params *c,
                           const struct sm_params *sm, const struct l1_params *l1,
                           const struct l2_params *l2)
{
    if (coherence_has_directory(c)) {
        /* stores allocate in both levels; under MOESI nothing empties the L1 */
        v->l1_write_miss = v->l2_write_miss = WRITE_MISS_FETCH;
        if (c->protocol == PROTOCOL_MOESI) v->l1_emptied = L1_NEVER;
    } else {
        v->keeps = l1_store_lines_view_of(l1);
    }
    if (c->protocol == PROTOCOL_QUICKRELEASE) {
        v->l1_emptied = L1_NEVER;
        v->stores_leave = true;
        v->keeps = write_cache_view_of(sm, l1, l2);
    }
    v->l1_parts_leave = l1->enabled && c->protocol == PROTOCOL_SI;
    v->l1_keeps_own = c->protocol == PROTOCOL_NMOESI;
    v->fence_empties = c->fence_invalidates && v->l1_emptied != L1_NEVER;
}

/* A power of two, so that a sweep's machines share profiles. */
static uint32_t way_class(double cycles)
{
    return (uint32_t)exp2(round(log2(fmax(1, cycles))));
}

struct profile_view profile_view_of(const struct est_params *e)
{
    /* no members may stay unset: views are compared and digested field by field */
    struct profile_view v = {0};
    view_sm(&v, e->sm, e->l1);
    view_caches(&v, e->l1, e->l2);
    view_coherence(&v, e->coherence, e->sm, e->l1, e->l2);
    v.block_accesses = profile_block_accesses(e->dram, e->l2->cache.line_bytes);
    v.warps = warp_view_of(e->sm, e->l1);
    v.pages = page_view_of(e->pages, e->sm->count, e->l2, e->dram, e->second_dram);
    v.l2_way = way_class(e->l2_way);
    v.memory_way = way_class(e->memory_way);
    return v;
}

#define KEEPS_NUMBER(type, path) VIEW_NUMBER(type, keeps.path)
#define TAKE_SIZE(type, name) v.name = a->name;

/* A view as it is compared and digested, behind the version of profiles. */
enum { OWN_NUMBERS = 1 + PROFILE_VIEW(VIEW_COUNT, VIEW_COUNT, VIEW_COUNT) };
struct view_numbers {
    double warps[WARP_VIEW_NUMBERS];
    uint64_t pages[PAGE_VIEW_NUMBERS];
    uint32_t own[OWN_NUMBERS], bypass[BYPASS_VIEW_NUMBERS], sets[2][SET_VIEW_NUMBERS];
};

static void numbers_of(const struct profile_view *v, struct view_numbers *n)
{
    const uint32_t own[OWN_NUMBERS] = {PROFILE_VERSION,
                                       PROFILE_VIEW(VIEW_NUMBER, VIEW_NUMBER, KEEPS_NUMBER)};
    memset(n, 0, sizeof *n); /* padding, too */
    memcpy(n->own, own, sizeof own);
    warp_view_numbers(&v->warps, n->warps);
    bypass_view_numbers(&v->bypass, n->bypass);
    set_view_numbers(&v->l1_at, n->sets[0]);
    set_view_numbers(&v->l2_at, n->sets[1]);
    page_view_numbers(&v->pages, n->pages);
}

struct digest profile_view_digest(const struct profile_view *v)
{
    struct view_numbers n;
    numbers_of(v, &n);
    struct digest d =
        digest_join(digest_bytes(n.own, sizeof n.own), digest_bytes(n.warps, sizeof n.warps));
    d = digest_join(d, digest_bytes(n.bypass, sizeof n.bypass));
    d = digest_join(d, digest_bytes(n.sets, sizeof n.sets));
    return pages_are_placed(&v->pages.p) ? digest_join(d, digest_bytes(n.pages, sizeof n.pages))
                                         : d;
}

bool profile_view_equal(const struct profile_view *a, const struct profile_view *b)
{
    struct view_numbers of[2];
    numbers_of(a, &of[0]);
    numbers_of(b, &of[1]);
    return memcmp(&of[0], &of[1], sizeof of[0]) == 0;
}

bool profile_view_near(const struct profile_view *a, const struct profile_view *b)
{
    struct profile_view v = *b;
    PROFILE_VIEW(VIEW_PASS, TAKE_SIZE, VIEW_PASS)
    v.l1_at = a->l1_at;
    v.l2_at = a->l2_at;
    if (page_view_near(&a->pages, &v.pages)) v.pages = a->pages;
    return profile_view_equal(a, &v);
}

static bool check_view(const struct profile_view *v, struct error *e)
{
    if (v->l1_line / v->l1_sector > CHAIN_SECTORS || v->l2_line / v->l2_sector > CHAIN_SECTORS)
        return error_input(
            e, "a line of more than %d sectors cannot be profiled; at most %d sectors per line",
            CHAIN_SECTORS, CHAIN_SECTORS);
    return true;
}

struct profile *profile_new(const struct program *p, const struct profile_view *view,
                            enum profile_detail detail, struct error *e)
{
    struct profile *f = mem_new(1, sizeof *f);
    uint32_t n = program_launches(p);
    size_t room = n ? n : 1;
    if (!f) {
        error_no_memory(e);
        return NULL;
    }
    f->view = *view;
    f->detail = detail;
    f->launches = n;
    f->place = mem_new(room, sizeof *f->place);
    f->shape = mem_new(room, sizeof *f->shape);
    bool ok = parts_init(&f->profiles, sizeof(struct launch_profile)) &&
              parts_init(&f->samples, sizeof(struct address_samples));
    if (!ok || !f->place || !f->shape) {
        error_no_memory(e);
        profile_free(f);
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        f->shape[i] = *program_launch(p, i);
        f->shape[i].name = f->shape[i].strings =
            NULL; /* because the program may be closed before the profile */
        f->shape[i].code = NULL;
    }
    return f;
}

bool profile_seal(struct profile *f)
{
    f->sampled = mem_new(f->samples.n, sizeof *f->sampled);
    for (uint32_t i = 0; f->sampled && i < f->samples.n; i++) {
        const struct address_samples *s = f->samples.item[i];
        f->sampled[i].digest = f->samples.digest[i];
        sample_content_find(&f->sampled[i], &s->spread, s->rows);
    }
    return f->sampled && like_launches_find(f);
}

void profile_free(struct profile *f)
{
    if (!f) return;
    mem_free(f->place);
    mem_free(f->shape);
    parts_fini(&f->profiles);
    parts_fini(&f->samples);
    mem_free(f->sampled);
    mem_free(f->like);
    mem_free(f);
}

static char *cache_path(struct digest key)
{
    char name[64], hex[33];
    char *dir = file_cache_dir();
    if (!dir) return NULL;
    digest_hex(key, hex);
    struct text t = {0};
    text_add(&t, "%s.profile", hex);
    char *path = NULL;
    if (!t.failed && t.len < sizeof name) path = file_join(dir, text_str(&t));
    text_fini(&t);
    mem_free(dir);
    return path;
}

char *profile_cache_path(const struct program *p, const struct profile_view *view,
                         enum profile_detail detail)
{
    return cache_path(profile_key(p, view, detail));
}

static uint64_t all_ctas(const struct program *p)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        n += program_launch(p, i)->ctas;
    return n;
}

struct profile *profile_build(const struct program *p, const struct profile_view *view,
                              enum profile_detail detail, unsigned threads,
                              struct progress *progress, struct error *e)
{
    mem_large_pages(MEM_LARGE_HEAP);
    struct profile *f = check_view(view, e) ? profile_new(p, view, detail, e) : NULL;
    if (!f) return NULL;
    if (progress) progress_start(progress, "CTAs profiled", all_ctas(p));
    bool ok = profile_collect(f, p, threads, progress, e);
    if (progress) progress_finish(progress);
    if (ok) return f;
    profile_free(f);
    return NULL;
}

bool profile_store(const struct profile *f, const struct program *p, const char *path,
                   struct error *e)
{
    return profile_save(f, path, profile_key(p, &f->view, f->detail), e);
}

struct profile *profile_get(const struct program *p, const struct profile_view *view,
                            enum profile_detail detail, unsigned threads, bool use_cache,
                            struct progress *progress, struct error *e)
{
    if (!check_view(view, e)) return NULL;
    char *path = use_cache ? profile_cache_path(p, view, detail) : NULL;
    struct digest key = profile_key(p, view, detail);
    struct profile *f = path ? profile_restore(p, view, detail, path, key) : NULL;
    if (!f) {
        f = profile_build(p, view, detail, threads, progress, e);
        /* a cache that cannot be written costs time but does not change the answer */
        struct error ignored;
        if (f && path) profile_store(f, p, path, &ignored);
    }
    mem_free(path);
    return f;
}

const char *const profile_detail_name[] = {
    [PROFILE_SAMPLED] = "sampled", [PROFILE_EXACT] = "exact"};

enum profile_detail profile_detail_had(const struct profile *p)
{
    return p->detail;
}

uint32_t profile_launches(const struct profile *p)
{
    return p->launches;
}

uint32_t profile_sections(const struct profile *p)
{
    return p->profiles.n + p->samples.n + (p->launches > 0);
}

uint64_t profile_accesses(const struct profile *p)
{
    double n = 0;
    for (uint32_t i = 0; i < p->launches; i++) {
        const struct launch_profile *l = profile_launch(p, i);
        n += l->loads + l->stores + l->atomics;
    }
    return (uint64_t)n;
}

double launch_instructions(const struct launch_profile *l)
{
    double n = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++)
        n += l->cls[c];
    return n;
}

double profile_instructions(const struct profile *p, uint32_t launch)
{
    return launch_instructions(profile_launch(p, launch));
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double full_hit_share(const struct curve *c, double lines)
{
    return share_of(curve_full_hits(c, lines), (double)c->total);
}

void profile_features(const struct profile *p, uint32_t launch, double out[PROFILE_FEATURES])
{
    const struct launch_profile *l = profile_launch(p, launch);
    double n = launch_instructions(l), per_warp = share_of(n, l->warps);
    double memory = l->load_instructions + l->store_instructions + l->atomic_instructions;
    double l2_line = p->view.l2_line;
    out[0] = log1p(l->ctas);
    out[1] = log1p(per_warp);
    out[2] = share_of(memory, n);
    out[3] = share_of(l->loads + l->stores + l->atomics, memory);
    out[4] = share_of(l->waits, n);
    out[5] = share_of(l->stores, l->loads + l->stores + l->atomics);
    out[6] = full_hit_share(&l->l1_read, 16384.0 / p->view.l1_line);
    out[7] = full_hit_share(&l->l2_read, 524288.0 / l2_line);
    out[8] = full_hit_share(&l->l2_read, 4194304.0 / l2_line);
    out[9] = share_of(l->barriers, n);
    out[10] = share_of(l->lane_operations, l->masked_operations);
    out[11] = share_of(l->cls[OP_SFU] + l->cls[OP_FP64] + l->cls[OP_TENSOR] + l->cls[OP_WGMMA], n);
}
