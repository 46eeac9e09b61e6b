/* info_memory.c - prints the sections of plumb trace info about memory; see info_memory.h. */
#include "cli/trace/info_memory.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <inttypes.h>

enum { OCTAVES_MOST = 40 };

/* --- coalescing --- */

static void coalescing_row(struct grid *g, const struct kernel_row *r)
{
    for (unsigned a = 0; a < ACCESS_KINDS; a++) {
        const struct coalescing *k = &r->c->access[a];
        double n = (double)k->requests;
        if (k->requests == 0) continue;
        info_name_cell(g, r);
        grid_add(g, "%s", access_kind_name[a]);
        grid_count(g, n);
        grid_ratio(g, (double)k->lanes, n);
        for (unsigned b = 0; b < CHARACTER_GRAINS; b++)
            grid_add(g, "%.2f (%.2f)", (double)k->transactions[b] / n, (double)k->ideal[b] / n);
        grid_share(g, (double)k->bytes, (double)k->transactions[0] * character_grain[0]);
    }
}

void info_coalescing(struct text *out, const struct info *i)
{
    text_add(out, "Coalescing: transactions per request at blocks of 32, 64 and 128 bytes (were the"
                  " bytes side by side); used: bytes asked for of those in 32-byte blocks\n");
    info_kernel_rows(out, i, "kernel|access|requests|lanes|32 B|64 B|128 B|used", coalescing_row);
}

/* --- footprint --- */

static void add_kinds(struct grid *g, uint64_t lines, uint64_t read_only, uint64_t write_only)
{
    grid_share(g, (double)read_only, (double)lines);
    grid_share(g, (double)write_only, (double)lines);
    grid_share(g, (double)(lines - read_only - write_only), (double)lines);
}

static void footprint_row(struct grid *g, const struct kernel_row *r)
{
    const struct kernel_summary *s = r->s;
    info_name_cell(g, r);
    grid_bytes(g, (double)s->lines * SUMMARY_LINE);
    grid_bytes(g, (double)s->sectors * SUMMARY_SECTOR);
    grid_bytes(g, (double)s->pages * SUMMARY_PAGE);
    add_kinds(g, s->lines, s->read_only, s->write_only);
}

static void print_regions(struct text *out, const struct info *i)
{
    struct grid g;
    uint32_t n;
    struct region *region = program_regions(&i->s, i->p, &n);
    if (!region) return;
    grid_start(&g, "region|span|touched|read only|written only|both");
    for (uint32_t k = 0; k < n && k < INFO_ROWS_MOST; k++) {
        grid_add(&g, "0x%" PRIx64, region[k].first);
        grid_bytes(&g, (double)(region[k].end - region[k].first));
        grid_bytes(&g, (double)region[k].lines * SUMMARY_LINE);
        add_kinds(&g, region[k].lines, region[k].read_only, region[k].write_only);
    }
    grid_print(&g, out);
    if (n > INFO_ROWS_MOST)
        text_add(out, "  and %u more regions; --json has them all\n", n - INFO_ROWS_MOST);
    mem_free(region);
}

void info_footprint(struct text *out, const struct info *i)
{
    text_add(out, "Footprint: lines of 128 bytes, sectors of 32, pages of 4 KB; share of the lines"
                  " read, written\n");
    info_kernel_rows(out, i, "kernel|lines|sectors|pages|read only|written only|both",
                     footprint_row);
    print_regions(out, i);
}

/* --- reuse --- */

static void reuse_row(struct grid *g, const struct kernel_row *r)
{
    double ratio[OCTAVES_MOST], largest = info_largest_cache(r->i);
    uint32_t n = 0;
    for (double b = 1024; b <= largest && n < OCTAVES_MOST; b *= 2)
        ratio[n++] = character_miss_ratio(r->c, b / CHARACTER_LINE);
    info_name_cell(g, r);
    grid_count(g, (double)r->c->accesses);
    grid_share(g, (double)r->c->first, (double)r->c->accesses);
    grid_spark(g, ratio, n, 1);
    for (uint32_t k = 0; k < n; k += 2)
        grid_share(g, ratio[k], r->c->accesses > 0);
}

static void size_head(struct text *heads, double bytes)
{
    static const char *const prefix[] = {"B", "KB", "MB", "GB", "TB"};
    unsigned p = 0;
    for (; bytes >= 1024 && p < 4; p++)
        bytes /= 1024;
    text_add_shown(heads, "|%g %s", bytes, prefix[p]);
}

void info_reuse(struct text *out, const struct info *i)
{
    struct text heads = {0};
    text_add(&heads, "kernel|accesses|first|miss ratio");
    for (double b = 1024; b <= info_largest_cache(i); b *= 4)
        size_head(&heads, b);
    text_add_shown(out, "Reuse: miss ratio of one LRU cache of 128-byte lines, by its capacity%s\n",
                   i->c.bounded ? "; reuse farther than 512 MB counts as first" : "");
    info_kernel_rows(out, i, text_str(&heads), reuse_row);
    text_fini(&heads);
}

/* --- rows, sharing, dependence --- */

static void rows_row(struct grid *g, const struct kernel_row *r)
{
    double n = (double)r->c->row_accesses, hits = (double)r->c->row_hits;
    info_name_cell(g, r);
    grid_count(g, n);
    grid_share(g, n, (double)r->c->accesses);
    grid_share(g, hits, n);
    grid_ratio(g, n, n - hits);
}

void info_rows(struct text *out, const struct info *i)
{
    text_add(out, "Row locality: accesses that miss 1 MB of LRU cache, in order, to 128 banks with"
                  " an open row of 2 KB\n");
    info_kernel_rows(out, i, "kernel|accesses|of all|row hits|per opened row", rows_row);
}

static void sharing_row(struct grid *g, const struct kernel_row *r)
{
    double lines = 0, reuse = 0;
    for (unsigned s = 0; s < SHARINGS; s++)
        lines += (double)r->c->lines[s];
    for (unsigned s = 0; s < REUSERS; s++)
        reuse += (double)r->c->reuse[s];
    info_name_cell(g, r);
    for (unsigned s = 0; s < SHARINGS; s++)
        grid_share(g, (double)r->c->lines[s], lines);
    for (unsigned s = 0; s < REUSERS; s++)
        grid_share(g, (double)r->c->reuse[s], reuse);
    if (r->c->reuse[REUSER_OTHER_CTA])
        grid_add(g, "%.0f, %.0f", character_cta_distance(r->c, 0.5),
                 character_cta_distance(r->c, 0.9));
    else
        grid_add(g, "-");
}

void info_sharing(struct text *out, const struct info *i)
{
    text_add(out, "Sharing: lines of a launch by who touches them; accesses to a line touched"
                  " before by who did last; CTAs between the two: median and 90th percentile, to"
                  " the power of two below\n");
    info_kernel_rows(
        out, i,
        "kernel|one warp|one CTA|several CTAs|same warp|same CTA|other CTA|earlier launch|"
        "CTAs apart",
        sharing_row);
}

static void flight_share(struct grid *g, const struct character_kernel *k, uint32_t from,
                         uint32_t to)
{
    double n = 0;
    for (uint32_t f = from; f <= to; f++)
        n += (double)k->flight[f];
    grid_share(g, n, (double)k->waits);
}

static void dependence_row(struct grid *g, const struct kernel_row *r)
{
    double waits = (double)r->c->waits;
    info_name_cell(g, r);
    grid_count(g, waits);
    grid_ratio(g, (double)r->c->flown, waits);
    grid_ratio(g, (double)r->c->overlap, waits);
    flight_share(g, r->c, 1, 1);
    flight_share(g, r->c, 2, 2);
    flight_share(g, r->c, 3, 4);
    flight_share(g, r->c, 5, 8);
    flight_share(g, r->c, 9, CHARACTER_FLIGHT - 1);
}

void info_dependence(struct text *out, const struct info *i)
{
    text_add(out, "Dependence: loads that a warp has issued when it first needs one of them;"
                  " instructions from the last of them to there; share of the waits by loads\n");
    info_kernel_rows(out, i, "kernel|waits|loads|instructions|1|2|3-4|5-8|9+", dependence_row);
}

/* --- registers --- */

static void registers_row(struct grid *g, const struct kernel_row *r)
{
    const struct operand_counts *u = &r->c->registers;
    double n = (double)r->s->instructions;
    info_name_cell(g, r);
    grid_count(g, u->per_lane);
    grid_ratio(g, (double)u->reads, n);
    grid_ratio(g, (double)u->results, n);
    grid_share(g, (double)u->shared, n);
    grid_share(g, (double)u->crowded, n);
}

void info_registers(struct text *out, const struct info *i)
{
    text_add(out,
             "Registers: 32-bit registers per lane; warp registers read and written per"
             " instruction; instructions with so many of them in one of %u banks\n",
             (unsigned)OPERAND_BANKS);
    info_kernel_rows(out, i, "kernel|per lane|reads|results|two or more|three or more",
                     registers_row);
}
