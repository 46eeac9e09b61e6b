/* info_text.c - prints plumb trace info as text: one small table per section. */
#include "base/text/text.h"
#include "cli/print/grid.h"
#include "cli/print/table.h"
#include "cli/trace/info.h"
#include "cli/trace/info_memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MOST = INFO_ROWS_MOST };

const char *const info_section_name[INFO_SECTIONS] = {
    "kernels", "mix",     "divergence", "coalescing", "footprint", "reuse",
    "rows",    "sharing", "pages",      "dependence", "registers", "launches"};

#define CLASS(c) (UINT32_C(1) << (c))
/* The columns of the instruction mix: the classes of each (bits). */
static const uint32_t mixes[] = {CLASS(OP_INT),
                                 CLASS(OP_FP32) | CLASS(OP_FP64) | CLASS(OP_SFU) | CLASS(OP_TENSOR),
                                 CLASS(OP_BRANCH),
                                 CLASS(OP_LOAD),
                                 CLASS(OP_STORE),
                                 CLASS(OP_ATOMIC),
                                 CLASS(OP_SHARED_LOAD) | CLASS(OP_SHARED_STORE),
                                 CLASS(OP_BARRIER) | CLASS(OP_FENCE) | CLASS(OP_ACQUIRE) |
                                     CLASS(OP_RELEASE) | CLASS(OP_COPY_COMMIT) |
                                     CLASS(OP_COPY_WAIT)};
enum { N_MIXES = sizeof mixes / sizeof *mixes };

static double mix_of(const struct kernel_summary *k, unsigned i)
{
    double n = 0;
    for (uint32_t rest = mixes[i]; rest; rest &= rest - 1)
        n += (double)k->by_class[__builtin_ctz(rest)];
    return n;
}

uint32_t info_kernels(const struct info *i, uint32_t *at, uint32_t most)
{
    uint32_t n = i->s.n < most ? i->s.n : most, filled = 0;
    if (i->s.n <= most) {
        for (uint32_t k = 0; k < n; k++)
            at[k] = k;
        return n;
    }
    for (uint32_t k = 0; k < i->s.n; k++) { /* insertion sort; a full list drops its last element */
        uint64_t weight = i->s.kernel[k].instructions;
        uint32_t to = filled < most ? filled++ : most;
        for (; to && i->s.kernel[at[to - 1]].instructions < weight; to--)
            if (to < most) at[to] = at[to - 1];
        if (to < most) at[to] = k;
    }
    return n;
}

double info_largest_cache(const struct info *i)
{
    double bytes = 1024;
    while (bytes < (double)i->s.all.lines * CHARACTER_LINE)
        bytes *= 2;
    return bytes;
}

/* --- rows of kernels --- */

void info_kernel_rows(struct text *out, const struct info *i, const char *heads, row_fn *row)
{
    struct grid g;
    uint32_t at[ROWS_MOST], n = info_kernels(i, at, ROWS_MOST);
    grid_start(&g, heads);
    for (uint32_t k = 0; k < n; k++)
        row(&g, &(struct kernel_row){&i->s.kernel[at[k]], i->deep ? &i->c.kernel[at[k]] : NULL,
                                     i->paged ? &i->pages.kernel[at[k]] : NULL, i});
    if (i->s.n != 1)
        row(&g, &(struct kernel_row){&i->s.all, i->deep ? &i->c.all : NULL,
                                     i->paged ? &i->pages.all : NULL, i});
    grid_print(&g, out);
    if (n < i->s.n)
        text_add(out, "  and %u kernels with fewer instructions; --json has them all\n",
                 i->s.n - n);
}

void info_name_cell(struct grid *g, const struct kernel_row *r)
{
    grid_add(g, "%.40s", r->s->name);
}

static void counts_row(struct grid *g, const struct kernel_summary *k)
{
    grid_add(g, "%.40s", k->name);
    grid_count(g, (double)k->launches);
    grid_count(g, (double)k->ctas);
    grid_count(g, (double)k->warps);
    grid_count(g, (double)k->instructions);
}

static void mix_cells(struct grid *g, const struct kernel_summary *k)
{
    for (unsigned i = 0; i < N_MIXES; i++)
        grid_share(g, mix_of(k, i), (double)k->instructions);
}

static double all_lanes(const struct kernel_summary *k, uint32_t width)
{
    return (double)k->instructions * width;
}

/* Lists all kernels and the total, however many there are. */
static void kernels_section(struct text *out, const struct info *i)
{
    struct grid g;
    grid_start(&g, "kernel|launches|CTAs|warps|instructions|memory|active lanes|lines|sectors");
    for (uint32_t k = 0; k <= i->s.n; k++) {
        const struct kernel_summary *s = k < i->s.n ? &i->s.kernel[k] : &i->s.all;
        double memory = 0;
        for (int c = OP_LOAD; c <= OP_ATOMIC; c++)
            memory += (double)s->by_class[c];
        counts_row(&g, s);
        grid_share(&g, memory, (double)s->instructions);
        grid_share(&g, (double)s->lanes, all_lanes(s, i->width));
        grid_count(&g, (double)s->lines);
        grid_count(&g, (double)s->sectors);
    }
    grid_print(&g, out);
}

static void mix_row(struct grid *g, const struct kernel_row *r)
{
    info_name_cell(g, r);
    mix_cells(g, r->s);
}

static void mix_section(struct text *out, const struct info *i)
{
    text_add(out, "Instruction mix: share of warp instructions\n");
    info_kernel_rows(out, i, "kernel|int|fp|branch|loads|stores|atomics|shared|sync", mix_row);
}

/* --- divergence --- */

static void lanes_share(struct grid *g, const struct kernel_row *r, uint32_t from, uint32_t to)
{
    double n = 0;
    for (uint32_t l = from; l <= to; l++)
        n += (double)r->s->by_lanes[l];
    grid_share(g, n, (double)r->s->instructions);
}

static void divergence_row(struct grid *g, const struct kernel_row *r)
{
    enum { BARS = 16 };
    uint32_t width = r->i->width, quarter = width / 4;
    double bar[BARS] = {0}, most = 0;
    for (uint32_t l = 1; l <= width; l++)
        bar[(l - 1) * BARS / width] += (double)r->s->by_lanes[l];
    for (uint32_t b = 0; b < BARS; b++)
        most = fmax(most, bar[b]);
    info_name_cell(g, r);
    grid_ratio(g, (double)r->s->lanes, (double)r->s->instructions);
    lanes_share(g, r, 0, 0);
    lanes_share(g, r, 1, 1);
    lanes_share(g, r, 2, quarter);
    lanes_share(g, r, quarter + 1, 2 * quarter);
    lanes_share(g, r, 2 * quarter + 1, 3 * quarter);
    lanes_share(g, r, 3 * quarter + 1, width - 1);
    lanes_share(g, r, width, width);
    grid_spark(g, bar, BARS, most);
}

static void divergence_section(struct text *out, const struct info *i)
{
    uint32_t w = i->width, q = w / 4;
    char heads[128];
    snprintf(heads, sizeof heads, "kernel|mean|0|1|2-%u|%u-%u|%u-%u|%u-%u|%u|1 to %u", q, q + 1,
             2 * q, 2 * q + 1, 3 * q, 3 * q + 1, w - 1, w, w);
    text_add(out, "Divergence: share of warp instructions by active lanes, of %u\n", w);
    info_kernel_rows(out, i, heads, divergence_row);
}

/* --- launches --- */

static bool same_launch(const struct launch *a, const struct launch *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->warps_per_cta == b->warps_per_cta && a->shared_bytes == b->shared_bytes &&
           a->registers_per_lane == b->registers_per_lane && a->resident_warps == b->resident_warps;
}

static void known_count(struct grid *g, uint32_t n)
{
    if (n)
        grid_count(g, n);
    else
        grid_add(g, "-");
}

static void launch_row(struct grid *g, const struct launch *l, uint32_t first, uint32_t last)
{
    if (first == last)
        grid_add(g, "%u", first);
    else
        grid_add(g, "%u-%u", first, last);
    grid_add(g, "%.40s", l->name);
    grid_add(g, "%u x %u x %u", l->grid[0], l->grid[1], l->grid[2]);
    grid_add(g, "%u x %u x %u", l->block[0], l->block[1], l->block[2]);
    grid_count(g, l->warps_per_cta);
    known_count(g, l->registers_per_lane);
    grid_bytes(g, l->shared_bytes);
    known_count(g, l->resident_warps);
}

/* Consecutive equal launches share one line. */
static void launches_section(struct text *out, const struct info *i)
{
    struct grid g;
    uint32_t n = program_launches(i->p), rows = 0, first = 0;
    text_add(out,
             "Launches: registers per lane, shared memory per CTA, most warps of 32 lanes at a "
             "time on an SM\n");
    grid_start(&g, "launch|kernel|grid|block|warps per CTA|registers|shared|resident warps");
    for (; first < n && rows < ROWS_MOST; rows++) {
        const struct launch *l = program_launch(i->p, first);
        uint32_t last = first;
        while (last + 1 < n && same_launch(l, program_launch(i->p, last + 1)))
            last++;
        launch_row(&g, l, first, last);
        first = last + 1;
    }
    grid_print(&g, out);
    if (first < n) text_add(out, "  and %u more launches; --json has them all\n", n - first);
}

/* --- the whole --- */

static void heading(struct text *out, const struct info *i)
{
    char hex[33];
    uint64_t copies = program_commands(i->p) - program_launches(i->p);
    double bytes = (double)program_stored_bytes(i->p);
    digest_hex(program_digest(i->p), hex);
    text_add_shown(out, "%s: warps of %u lanes, %u launches, %" PRIu64 " copies, digest %s\n",
                   program_name(i->p), i->width, program_launches(i->p), copies, hex);
    if (bytes > 0 && i->s.all.instructions)
        text_add(out, "%.0f bytes stored, %.2f per warp instruction\n", bytes,
                 bytes / (double)i->s.all.instructions);
    if (*program_note(i->p)) text_add_shown(out, "made from: %s\n", program_note(i->p));
    text_add(out, "\n");
}

void info_brief(struct text *out, const struct info *i)
{
    struct grid g;
    heading(out, i);
    grid_start(&g, "kernel|launches|CTAs|warps|instructions|int|fp|branch|loads|stores|atomics|"
                   "shared|sync|active lanes|lines|sectors");
    for (uint32_t k = 0; k <= i->s.n; k++) {
        const struct kernel_summary *s = k < i->s.n ? &i->s.kernel[k] : &i->s.all;
        counts_row(&g, s);
        mix_cells(&g, s);
        grid_share(&g, (double)s->lanes, all_lanes(s, i->width));
        grid_count(&g, (double)s->lines);
        grid_count(&g, (double)s->sectors);
    }
    grid_print(&g, out);
}

void info_text(struct text *out, const struct info *i, unsigned sections)
{
    static void (*const section[INFO_SECTIONS])(struct text *, const struct info *) = {
        kernels_section, mix_section,     divergence_section, info_coalescing,
        info_footprint,  info_reuse,      info_rows,          info_sharing,
        info_pages,      info_dependence, info_registers,     launches_section};
    bool any = false;
    heading(out, i);
    for (unsigned s = 0; s < INFO_SECTIONS; s++) {
        if (!(sections >> s & 1)) continue;
        if (any) text_add(out, "\n");
        section[s](out, i);
        any = true;
    }
}
