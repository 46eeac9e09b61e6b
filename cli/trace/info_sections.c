/* info_sections.c - the rows of plumb trace info: each section says once what a table and what JSON
 * have of a kernel.  docs/guide/characterize.md documents the keys. */
#include "cli/print/table.h"
#include "cli/trace/info.h"
#include "estimator/profile/hit_curve.h"

#include <inttypes.h>
#include <math.h>

enum { OCTAVES_MOST = 40 };

static void share_row(struct rows *r, const char *key, const char *head, uint64_t a, uint64_t b)
{
    rows_counted(r, key, head, SHOW_SHARE, a, (double)b);
}

/* --- counts --- */

#define CLASS(c) (UINT32_C(1) << (c))
/* The columns of the instruction mix: the classes of each (bits). */
static const struct {
    const char *head;
    uint32_t classes;
} mixes[] = {
    {"int", CLASS(OP_INT)},
    {"fp", CLASS(OP_FP32) | CLASS(OP_FP64) | CLASS(OP_SFU) | CLASS(OP_TENSOR) | CLASS(OP_WGMMA)},
    {"branch", CLASS(OP_BRANCH)},
    {"loads", CLASS(OP_LOAD)},
    {"stores", CLASS(OP_STORE)},
    {"atomics", CLASS(OP_ATOMIC)},
    {"shared", CLASS(OP_SHARED_LOAD) | CLASS(OP_SHARED_STORE)},
    {"sync", CLASS(OP_BARRIER) | CLASS(OP_FENCE) | CLASS(OP_ACQUIRE) | CLASS(OP_RELEASE) |
                 CLASS(OP_COPY_COMMIT) | CLASS(OP_COPY_WAIT)},
};

static void class_rows(struct rows *r, const char *key, const uint64_t by_class[OP_N])
{
    rows_object(r, key);
    for (unsigned c = 0; c < OP_N; c++)
        rows_count(r, op_class_name[c], NULL, by_class[c]);
    rows_end(r);
}

static void mix_cells(struct rows *r, const struct kernel_summary *s)
{
    for (unsigned i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        double n = 0;
        for (uint32_t rest = mixes[i].classes; rest; rest &= rest - 1)
            n += (double)s->by_class[__builtin_ctz(rest)];
        rows_share(r, NULL, mixes[i].head, n, (double)s->instructions);
    }
}

static void mix_rows(struct rows *r, const struct info_kernel *k)
{
    mix_cells(r, k->s);
    class_rows(r, "mix", k->s->by_class);
    class_rows(r, "lane_mix", k->s->lanes_by_class);
    rows_count(r, "asynchronous_copies", NULL, k->s->copies);
}

static void count_rows(struct rows *r, const struct info_kernel *k)
{
    rows_text(r, "kernel", NULL, k->s->name);
    rows_count(r, "launches", "launches", k->s->launches);
    rows_count(r, "ctas", "CTAs", k->s->ctas);
    rows_count(r, "warps", "warps", k->s->warps);
    rows_count(r, "warp_instructions", "instructions", k->s->instructions);
    rows_count(r, "lane_operations", NULL, k->s->lanes);
    rows_count(r, "lines", NULL, k->s->lines);
    rows_count(r, "sectors", NULL, k->s->sectors);
}

static void lane_cells(struct rows *r, const struct info_kernel *k)
{
    rows_share(r, NULL, "active lanes", (double)k->s->lanes,
               (double)k->s->instructions * k->i->width);
    rows_count(r, NULL, "lines", k->s->lines);
    rows_count(r, NULL, "sectors", k->s->sectors);
}

static void kernel_rows(struct rows *r, const struct info_kernel *k)
{
    const struct kernel_summary *s = k->s;
    double memory = 0, lanes = (double)s->instructions * k->i->width;
    for (int c = OP_LOAD; c <= OP_ATOMIC; c++)
        memory += (double)s->by_class[c];
    count_rows(r, k);
    rows_share(r, NULL, "memory", memory, (double)s->instructions);
    rows_number(r, "active_lanes", NULL, SHOW_SHARE, lanes > 0 ? (double)s->lanes / lanes : 0);
    lane_cells(r, k);
}

void info_brief_rows(struct rows *r, const struct info_kernel *k)
{
    count_rows(r, k);
    mix_cells(r, k->s);
    lane_cells(r, k);
}

/* --- divergence --- */

/* head: a format of the two. */
static void lanes_share(struct rows *r, const struct info_kernel *k, const char *head,
                        uint32_t from, uint32_t to)
{
    double n = 0;
    for (uint32_t l = from; l <= to; l++)
        n += (double)k->s->by_lanes[l];
    rows_share(r, NULL, rows_name(r, head, from, to), n, (double)k->s->instructions);
}

static void divergence_rows(struct rows *r, const struct info_kernel *k)
{
    enum { BARS = 16 };
    uint32_t width = k->i->width, quarter = width / 4;
    double bar[BARS] = {0}, most = 0;
    for (uint32_t l = 1; l <= width; l++)
        bar[(l - 1) * BARS / width] += (double)k->s->by_lanes[l];
    for (uint32_t b = 0; b < BARS; b++)
        most = fmax(most, bar[b]);
    rows_counts(r, "by_active_lanes", k->s->by_lanes, width + 1);
    rows_ratio(r, NULL, "mean", (double)k->s->lanes, (double)k->s->instructions);
    lanes_share(r, k, "%u", 0, 0);
    lanes_share(r, k, "%u", 1, 1);
    lanes_share(r, k, "%u-%u", 2, quarter);
    lanes_share(r, k, "%u-%u", quarter + 1, 2 * quarter);
    lanes_share(r, k, "%u-%u", 2 * quarter + 1, 3 * quarter);
    lanes_share(r, k, "%u-%u", 3 * quarter + 1, width - 1);
    lanes_share(r, k, "%u", width, width);
    table_spark(r, rows_name(r, "1 to %u", width), bar, BARS, most);
}

/* --- coalescing --- */

static void grain_rows(struct rows *r, const char *key, const uint64_t v[CHARACTER_GRAINS])
{
    rows_object(r, key);
    for (unsigned g = 0; g < CHARACTER_GRAINS; g++)
        rows_count(r, rows_name(r, "%u", character_grain[g]), NULL, v[g]);
    rows_end(r);
}

static void coalescing_rows(struct rows *r, const struct info_kernel *k)
{
    for (unsigned a = 0; a < ACCESS_KINDS; a++) {
        const struct coalescing *c = &k->c->access[a];
        double n = (double)c->requests;
        if (c->requests == 0 && !r->json) continue;
        info_begin_line(r, k);
        rows_text(r, NULL, "access", access_kind_name[a]);
        rows_object(r, access_kind_name[a]);
        rows_count(r, "requests", "requests", c->requests);
        rows_counted(r, "lanes", "lanes", SHOW_RATIO, c->lanes, n);
        rows_count(r, "bytes", NULL, c->bytes);
        for (unsigned b = 0; b < CHARACTER_GRAINS; b++)
            rows_format(r, NULL, rows_name(r, "%u B", character_grain[b]), "%.2f (%.2f)",
                        (double)c->transactions[b] / n, (double)c->ideal[b] / n);
        share_row(r, NULL, "used", c->bytes, c->transactions[0] * character_grain[0]);
        grain_rows(r, "transactions", c->transactions);
        grain_rows(r, "ideal", c->ideal);
        rows_end(r);
    }
}

/* --- footprint --- */

static void line_kinds(struct rows *r, const char *both, uint64_t lines, uint64_t read_only,
                       uint64_t write_only)
{
    share_row(r, "read_only", "read only", read_only, lines);
    share_row(r, "write_only", "written only", write_only, lines);
    share_row(r, both, "both", lines - read_only - write_only, lines);
}

static void footprint_rows(struct rows *r, const struct info_kernel *k)
{
    const struct kernel_summary *s = k->s;
    rows_bytes(r, "bytes", "lines", s->lines * SUMMARY_LINE);
    rows_count(r, "lines", NULL, s->lines);
    rows_count(r, "sectors", NULL, s->sectors);
    rows_count(r, "pages", NULL, s->pages);
    rows_bytes(r, NULL, "sectors", s->sectors * SUMMARY_SECTOR);
    rows_bytes(r, NULL, "pages", s->pages * SUMMARY_PAGE);
    line_kinds(r, "read_write", s->lines, s->read_only, s->write_only);
}

void info_region_rows(struct rows *r, const struct region *region)
{
    rows_item(r);
    rows_count(r, "address", NULL, region->first);
    rows_format(r, NULL, "region", "0x%" PRIx64, region->first);
    rows_bytes(r, "bytes", "span", region->end - region->first);
    rows_count(r, "lines", NULL, region->lines);
    rows_bytes(r, NULL, "touched", region->lines * SUMMARY_LINE);
    line_kinds(r, NULL, region->lines, region->read_only, region->write_only);
    rows_end(r);
}

/* --- reuse --- */

/* A point for every capacity at which the curve is exact, from 1 KB to the size of the program. */
static void curve_rows(struct rows *r, const struct info_kernel *k)
{
    rows_list(r, "curve");
    for (uint32_t b = 8; k->c->accesses && b < HISTOGRAM_BUCKETS; b++) {
        double lines = hit_curve_bucket_low(b);
        if (lines * CHARACTER_LINE > info_largest_cache(k->i)) break;
        rows_item(r);
        rows_number(r, "bytes", NULL, "", lines * CHARACTER_LINE);
        rows_number(r, "miss_ratio", NULL, "", character_miss_ratio(k->c, lines));
        rows_end(r);
    }
    rows_end(r);
}

static void reuse_rows(struct rows *r, const struct info_kernel *k)
{
    double ratio[OCTAVES_MOST], bytes = 1024;
    uint32_t n = 0;
    char size[NUMBER_MAX];
    for (double b = bytes; b <= info_largest_cache(k->i) && n < OCTAVES_MOST; b *= 2)
        ratio[n++] = character_miss_ratio(k->c, b / CHARACTER_LINE);
    rows_count(r, "accesses", "accesses", k->c->accesses);
    share_row(r, "first", "first", k->c->first, k->c->accesses);
    rows_ratio(r, "mean_distance", NULL, k->c->distance.sum, (double)k->c->distance.n);
    table_spark(r, "miss ratio", ratio, n, 1);
    for (uint32_t i = 0; i < n; i += 2, bytes *= 4) {
        table_bytes_text(bytes, size);
        rows_share(r, NULL, rows_name(r, "%s", size), ratio[i], k->c->accesses > 0);
    }
    if (r->json) curve_rows(r, k);
}

/* --- rows, sharing, dependence --- */

static void row_rows(struct rows *r, const struct info_kernel *k)
{
    uint64_t n = k->c->row_accesses, hits = k->c->row_hits;
    rows_count(r, "accesses", "accesses", n);
    share_row(r, NULL, "of all", n, k->c->accesses);
    rows_count(r, "hits", NULL, hits);
    rows_share(r, "hit_rate", "row hits", (double)hits, (double)n);
    rows_ratio(r, NULL, "per opened row", (double)n, (double)(n - hits));
}

static void distance_rows(struct rows *r, const struct character_kernel *c)
{
    rows_list(r, "cta_distance");
    for (unsigned o = 0; o < CHARACTER_OCTAVES; o++) {
        if (c->cta_distance[o] == 0) continue;
        rows_item(r);
        rows_count(r, "from", NULL, UINT64_C(1) << o);
        rows_count(r, "accesses", NULL, c->cta_distance[o]);
        rows_end(r);
    }
    rows_end(r);
}

static void sharing_rows(struct rows *r, const struct info_kernel *k)
{
    static const char *const sharing[SHARINGS] = {"one warp", "one CTA", "several CTAs"};
    static const char *const reuser[REUSERS] = {"same warp", "same CTA", "other CTA",
                                                "earlier launch"};
    const struct character_kernel *c = k->c;
    uint64_t lines = 0, reuse = 0;
    for (unsigned s = 0; s < SHARINGS; s++)
        lines += c->lines[s];
    for (unsigned s = 0; s < REUSERS; s++)
        reuse += c->reuse[s];
    rows_object(r, "lines");
    for (unsigned s = 0; s < SHARINGS; s++)
        share_row(r, sharing_name[s], sharing[s], c->lines[s], lines);
    rows_end(r);
    rows_object(r, "reuse");
    for (unsigned s = 0; s < REUSERS; s++)
        share_row(r, reuser_name[s], reuser[s], c->reuse[s], reuse);
    rows_end(r);
    if (r->json)
        distance_rows(r, c);
    else if (c->reuse[REUSER_OTHER_CTA])
        rows_format(r, NULL, "CTAs apart", "%.0f, %.0f", character_cta_distance(c, 0.5),
                    character_cta_distance(c, 0.9));
    else
        rows_text(r, NULL, "CTAs apart", NULL);
}

static void dependence_rows(struct rows *r, const struct info_kernel *k)
{
    enum { MANY = CHARACTER_FLIGHT - 1 };
    static const struct {
        const char *head;
        uint32_t from, to;
    } flights[] = {{"1", 1, 1}, {"2", 2, 2}, {"3-4", 3, 4}, {"5-8", 5, 8}, {"9+", 9, MANY}};
    const struct character_kernel *c = k->c;
    double waits = (double)c->waits;
    rows_count(r, "waits", "waits", c->waits);
    rows_ratio(r, "loads_per_wait", "loads", (double)c->flown, waits);
    rows_ratio(r, "instructions_before_wait", "instructions", (double)c->overlap, waits);
    for (unsigned i = 0; i < sizeof flights / sizeof *flights; i++) {
        double n = 0;
        for (uint32_t f = flights[i].from; f <= flights[i].to; f++)
            n += (double)c->flight[f];
        rows_share(r, NULL, flights[i].head, n, waits);
    }
    rows_counts(r, "waits_by_loads", c->flight, CHARACTER_FLIGHT);
}

/* --- registers --- */

static void register_rows(struct rows *r, const struct info_kernel *k)
{
    const struct operand_counts *u = &k->c->registers;
    double n = (double)k->s->instructions;
    rows_count(r, "per_lane", "per lane", u->per_lane);
    rows_counted(r, "reads", "reads", SHOW_RATIO, u->reads, n);
    rows_counted(r, "results", "results", SHOW_RATIO, u->results, n);
    rows_counted(r, "two_in_a_bank", "two or more", SHOW_SHARE, u->shared, n);
    rows_counted(r, "three_in_a_bank", "three or more", SHOW_SHARE, u->crowded, n);
}

/* --- pages --- */

static void batch_rows(struct rows *r, const char *key, const struct batch_sharing *s)
{
    static const char *const heads[PAGE_SHARERS] = {"one", "two", "almost all", "other"};
    rows_object(r, key);
    rows_count(r, "pages", NULL, s->pages);
    for (unsigned i = 0; i < PAGE_SHARERS; i++)
        share_row(r, page_sharer_name[i], heads[i], s->by_sharer[i], s->pages);
    rows_list(r, "by_distance");
    for (unsigned i = 0; i < BATCH_DISTANCES && r->json; i++) {
        if (s->by_distance[i] == 0) continue;
        rows_item(r);
        rows_count(r, "from", NULL, batch_sharing_distance(i));
        rows_count(r, "pages", NULL, s->by_distance[i]);
        rows_end(r);
    }
    rows_end(r);
    rows_end(r);
}

/* The whole program has no formation. */
static void formation_rows(struct rows *r, const struct info_kernel *k)
{
    const struct batch_formation *f = &k->pages->formation;
    bool whole = k->s == &k->i->s.all, modulo = f->kind == BATCH_MODULO;
    const char *kind = whole ? NULL : batch_kind_name[f->kind];
    rows_text(r, "formation", NULL, kind);
    if (modulo && kind) kind = rows_name(r, "modulo %u", f->modulus);
    rows_text(r, NULL, "formation", kind);
    rows_number(r, "stride", "stride", "", whole ? (double)NAN : f->stride);
    if (f->modulus && !whole) rows_count(r, "modulus", NULL, f->modulus);
    if (!whole) rows_count(r, "launches", NULL, k->pages->launches);
}

static void page_rows(struct rows *r, const struct info_kernel *k)
{
    rows_count(r, NULL, "launches", k->s->launches);
    rows_count(r, NULL, "CTAs", k->s->ctas);
    rows_count(r, NULL, "pages", k->pages->all.pages);
    formation_rows(r, k);
    rows_count(r, "ctas", NULL, k->pages->ctas);
    batch_rows(r, "all", &k->pages->all);
    if (r->json) batch_rows(r, "strided", &k->pages->strided);
}

/* --- launches --- */

static void size_rows(struct rows *r, const char *name, const uint32_t size[3])
{
    const uint64_t v[] = {size[0], size[1], size[2]};
    rows_counts(r, name, v, 3);
    rows_format(r, NULL, name, "%u x %u x %u", size[0], size[1], size[2]);
}

/* A number that is not known is 0. */
static void known_row(struct rows *r, const char *key, const char *head, uint64_t v)
{
    rows_number(r, key, head, "", v ? (double)v : (double)NAN);
}

void info_launch_rows(struct rows *r, const struct launch *l, uint32_t first, uint32_t last)
{
    rows_item(r);
    rows_format(r, NULL, "launch", first == last ? "%u" : "%u-%u", first, last);
    rows_text(r, "kernel", NULL, l->name);
    rows_format(r, NULL, "kernel", "%.40s", l->name);
    size_rows(r, "grid", l->grid);
    size_rows(r, "block", l->block);
    rows_count(r, "ctas", NULL, l->ctas);
    rows_count(r, "warps_per_cta", "warps per CTA", l->warps_per_cta);
    known_row(r, "registers_per_lane", "registers", l->registers_per_lane);
    rows_bytes(r, "shared_bytes", "shared", l->shared_bytes);
    known_row(r, "resident_warps", "resident warps", l->resident_warps);
    known_row(r, "warp_instructions", NULL, l->warp_instructions);
    rows_end(r);
}

const struct info_section info_sections[INFO_SECTIONS] = {
    {"kernels", NULL, NULL, kernel_rows},
    {"mix", NULL, "Instruction mix: share of warp instructions", mix_rows},
    {"divergence", NULL, "Divergence: share of warp instructions by active lanes, of %u",
     divergence_rows},
    {"coalescing", "coalescing",
     "Coalescing: transactions per request at blocks of 32, 64 and 128 bytes (were the bytes side"
     " by side); used: bytes asked for of those in 32-byte blocks",
     coalescing_rows},
    {"footprint", "footprint",
     "Footprint: lines of 128 bytes, sectors of 32, pages of 4 KB; share of the lines read,"
     " written",
     footprint_rows},
    {"reuse", "reuse", "Reuse: miss ratio of one LRU cache of 128-byte lines, by its capacity",
     reuse_rows},
    {"rows", "rows",
     "Row locality: accesses that miss 1 MB of LRU cache, in order, to 128 banks with an open row"
     " of 2 KB",
     row_rows},
    {"sharing", "sharing",
     "Sharing: lines of a launch by who touches them; accesses to a line touched before by who did"
     " last; CTAs between the two: median and 90th percentile, to the power of two below",
     sharing_rows},
    {"pages", "pages",
     "Pages: pages of %u bytes, added over launches; how thread batches are formed, and CTAs of"
     " one; share of the pages that belong to one batch, two consecutive ones, almost all, others",
     page_rows},
    {"dependence", "dependence",
     "Dependence: loads that a warp has issued when it first needs one of them; instructions from"
     " the last of them to there; share of the waits by loads",
     dependence_rows},
    {"registers", "registers",
     "Registers: 32-bit registers per lane; warp registers read and written per instruction;"
     " instructions with so many of them in one of %u banks",
     register_rows},
    {"launches", NULL,
     "Launches: registers per lane, shared memory per CTA, most warps of 32 lanes at a time on an"
     " SM",
     NULL},
};
