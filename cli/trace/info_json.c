/* info_json.c - prints plumb trace info as one JSON document; docs/guide/characterize.md documents
 * its keys. */
#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "cli/trace/info.h"
#include "estimator/profile/hit_curve.h"

#include <stdio.h>

static void count_member(struct json *j, const char *key, uint64_t v)
{
    json_integer(json_key(j, key), (int64_t)v);
}

/* Leaves the member out if the divisor is 0. */
static void ratio_member(struct json *j, const char *key, double a, double b)
{
    if (b > 0) json_number(json_key(j, key), a / b);
}

static void mix(struct json *j, const char *key, const uint64_t by_class[OP_N])
{
    json_object(json_key(j, key));
    for (unsigned c = 0; c < OP_N; c++)
        count_member(j, op_class_name[c], by_class[c]);
    json_end(j);
}

static void footprint(struct json *j, const struct kernel_summary *k)
{
    json_object(json_key(j, "footprint"));
    count_member(j, "bytes", k->lines * SUMMARY_LINE);
    count_member(j, "lines", k->lines);
    count_member(j, "sectors", k->sectors);
    count_member(j, "pages", k->pages);
    count_member(j, "read_only", k->read_only);
    count_member(j, "write_only", k->write_only);
    count_member(j, "read_write", k->lines - k->read_only - k->write_only);
    json_end(j);
}

static void summary(struct json *j, const struct kernel_summary *k, const struct info *i)
{
    json_string(json_key(j, "kernel"), k->name);
    count_member(j, "launches", k->launches);
    count_member(j, "ctas", k->ctas);
    count_member(j, "warps", k->warps);
    count_member(j, "warp_instructions", k->instructions);
    count_member(j, "lane_operations", k->lanes);
    count_member(j, "lines", k->lines);
    count_member(j, "sectors", k->sectors);
    double all = (double)k->instructions * i->width;
    json_number(json_key(j, "active_lanes"), all > 0 ? (double)k->lanes / all : 0);
    mix(j, "mix", k->by_class);
    mix(j, "lane_mix", k->lanes_by_class);
    count_member(j, "asynchronous_copies", k->copies);
    json_array(json_key(j, "by_active_lanes"));
    for (uint32_t l = 0; l <= i->width; l++)
        json_integer(j, (int64_t)k->by_lanes[l]);
    json_end(j);
    footprint(j, k);
}

static void grains(struct json *j, const char *key, const uint64_t v[CHARACTER_GRAINS])
{
    char name[16];
    json_object(json_key(j, key));
    for (unsigned g = 0; g < CHARACTER_GRAINS; g++) {
        snprintf(name, sizeof name, "%u", character_grain[g]);
        count_member(j, name, v[g]);
    }
    json_end(j);
}

static void coalescing(struct json *j, const struct character_kernel *k)
{
    json_object(json_key(j, "coalescing"));
    for (unsigned a = 0; a < ACCESS_KINDS; a++) {
        const struct coalescing *c = &k->access[a];
        json_object(json_key(j, access_kind_name[a]));
        count_member(j, "requests", c->requests);
        count_member(j, "lanes", c->lanes);
        count_member(j, "bytes", c->bytes);
        grains(j, "transactions", c->transactions);
        grains(j, "ideal", c->ideal);
        json_end(j);
    }
    json_end(j);
}

/* Writes a point for every capacity at which the curve is exact, from 1 KB to the size of the
 * program. */
static void reuse(struct json *j, const struct character_kernel *k, double largest)
{
    json_object(json_key(j, "reuse"));
    count_member(j, "accesses", k->accesses);
    count_member(j, "first", k->first);
    ratio_member(j, "mean_distance", k->distance.sum, k->distance.n);
    json_array(json_key(j, "curve"));
    for (uint32_t b = 8; k->accesses && b < HISTOGRAM_BUCKETS; b++) {
        double lines = hit_curve_bucket_low(b);
        if (lines * CHARACTER_LINE > largest) break;
        json_object(j);
        json_number(json_key(j, "bytes"), lines * CHARACTER_LINE);
        json_number(json_key(j, "miss_ratio"), character_miss_ratio(k, lines));
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void sharing(struct json *j, const struct character_kernel *k)
{
    json_object(json_key(j, "sharing"));
    json_object(json_key(j, "lines"));
    for (unsigned s = 0; s < SHARINGS; s++)
        count_member(j, sharing_name[s], k->lines[s]);
    json_end(j);
    json_object(json_key(j, "reuse"));
    for (unsigned s = 0; s < REUSERS; s++)
        count_member(j, reuser_name[s], k->reuse[s]);
    json_end(j);
    json_array(json_key(j, "cta_distance"));
    for (unsigned o = 0; o < CHARACTER_OCTAVES; o++) {
        if (k->cta_distance[o] == 0) continue;
        json_object(j);
        count_member(j, "from", UINT64_C(1) << o);
        count_member(j, "accesses", k->cta_distance[o]);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void rows(struct json *j, const struct character_kernel *k)
{
    json_object(json_key(j, "rows"));
    count_member(j, "accesses", k->row_accesses);
    count_member(j, "hits", k->row_hits);
    ratio_member(j, "hit_rate", (double)k->row_hits, (double)k->row_accesses);
    json_end(j);
}

static void dependence(struct json *j, const struct character_kernel *k)
{
    json_object(json_key(j, "dependence"));
    count_member(j, "waits", k->waits);
    ratio_member(j, "loads_per_wait", (double)k->flown, (double)k->waits);
    ratio_member(j, "instructions_before_wait", (double)k->overlap, (double)k->waits);
    json_array(json_key(j, "waits_by_loads"));
    for (unsigned f = 0; f < CHARACTER_FLIGHT; f++)
        json_integer(j, (int64_t)k->flight[f]);
    json_end(j);
    json_end(j);
}

static void registers(struct json *j, const struct operand_counts *u)
{
    json_object(json_key(j, "registers"));
    count_member(j, "per_lane", u->per_lane);
    count_member(j, "reads", u->reads);
    count_member(j, "results", u->results);
    count_member(j, "two_in_a_bank", u->shared);
    count_member(j, "three_in_a_bank", u->crowded);
    json_end(j);
}

static void batch_sharing(struct json *j, const char *key, const struct batch_sharing *s)
{
    json_object(json_key(j, key));
    count_member(j, "pages", s->pages);
    for (unsigned i = 0; i < PAGE_SHARERS; i++)
        count_member(j, page_sharer_name[i], s->by_sharer[i]);
    json_array(json_key(j, "by_distance"));
    for (unsigned i = 0; i < BATCH_DISTANCES; i++) {
        if (s->by_distance[i] == 0) continue;
        json_object(j);
        count_member(j, "from", batch_sharing_distance(i));
        count_member(j, "pages", s->by_distance[i]);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

/* formation: NULL of the whole program, which has none. */
static void pages(struct json *j, const struct kernel_pages *k,
                  const struct batch_formation *formation)
{
    json_object(json_key(j, "pages"));
    if (formation) {
        json_string(json_key(j, "formation"), batch_kind_name[formation->kind]);
        count_member(j, "stride", formation->stride);
        if (formation->modulus) count_member(j, "modulus", formation->modulus);
        count_member(j, "launches", k->launches);
    }
    count_member(j, "ctas", k->ctas);
    batch_sharing(j, "all", &k->all);
    batch_sharing(j, "strided", &k->strided);
    json_end(j);
}

static void kernel(struct json *j, const struct info *i, uint32_t k)
{
    summary(j, k < i->s.n ? &i->s.kernel[k] : &i->s.all, i);
    if (i->paged && k < i->s.n)
        pages(j, &i->pages.kernel[k], &i->pages.kernel[k].formation);
    else if (i->paged)
        pages(j, &i->pages.all, NULL);
    if (!i->deep) return;
    const struct character_kernel *c = k < i->s.n ? &i->c.kernel[k] : &i->c.all;
    coalescing(j, c);
    reuse(j, c, info_largest_cache(i));
    rows(j, c);
    sharing(j, c);
    dependence(j, c);
    registers(j, &c->registers);
}

static void size3(struct json *j, const char *key, const uint32_t v[3])
{
    json_array(json_key(j, key));
    for (unsigned i = 0; i < 3; i++)
        json_integer(j, v[i]);
    json_end(j);
}

static void launches(struct json *j, const struct program *p)
{
    json_array(json_key(j, "launches"));
    for (uint32_t i = 0; i < program_launches(p); i++) {
        const struct launch *l = program_launch(p, i);
        json_object(j);
        json_string(json_key(j, "kernel"), l->name);
        size3(j, "grid", l->grid);
        size3(j, "block", l->block);
        count_member(j, "ctas", l->ctas);
        count_member(j, "warps_per_cta", l->warps_per_cta);
        if (l->registers_per_lane) count_member(j, "registers_per_lane", l->registers_per_lane);
        count_member(j, "shared_bytes", l->shared_bytes);
        if (l->resident_warps) count_member(j, "resident_warps", l->resident_warps);
        if (l->warp_instructions) count_member(j, "warp_instructions", l->warp_instructions);
        json_end(j);
    }
    json_end(j);
}

static bool regions(struct json *j, const struct info *i)
{
    uint32_t n;
    struct region *r = program_regions(&i->s, i->p, &n);
    if (!r && i->s.all.lines) return false;
    json_array(json_key(j, "regions"));
    for (uint32_t k = 0; k < n; k++) {
        json_object(j);
        count_member(j, "address", r[k].first);
        count_member(j, "bytes", r[k].end - r[k].first);
        count_member(j, "lines", r[k].lines);
        count_member(j, "read_only", r[k].read_only);
        count_member(j, "write_only", r[k].write_only);
        json_end(j);
    }
    json_end(j);
    mem_free(r);
    return true;
}

static void heading(struct json *j, const struct info *i)
{
    char hex[33];
    digest_hex(program_digest(i->p), hex);
    json_string(json_key(j, "program"), program_name(i->p));
    json_string(json_key(j, "digest"), hex);
    if (*program_note(i->p)) json_string(json_key(j, "made_from"), program_note(i->p));
    count_member(j, "warp_width", i->width);
    if (program_stored_bytes(i->p)) count_member(j, "bytes", program_stored_bytes(i->p));
    json_array(json_key(j, "warnings"));
    for (uint32_t k = 0; k < program_warnings(i->p); k++)
        json_string(j, program_warning(i->p, k));
    json_end(j);
}

void info_json(struct text *out, const struct info *i)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    heading(&j, i);
    json_array(json_key(&j, "kernels"));
    for (uint32_t k = 0; k < i->s.n; k++) {
        json_object(&j);
        kernel(&j, i, k);
        json_end(&j);
    }
    json_end(&j);
    json_object(json_key(&j, "total"));
    kernel(&j, i, i->s.n);
    json_end(&j);
    if (i->deep) {
        launches(&j, i->p);
        if (!regions(&j, i)) out->failed = true;
        count_member(&j, "resident_warps", i->warps);
        count_member(&j, "page_bytes", i->pages.page_bytes);
        json_bool(json_key(&j, "bounded"), i->c.bounded);
    }
    json_end(&j);
    text_add(out, "\n");
}
