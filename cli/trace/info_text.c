/* info_text.c - prints plumb trace info as text: one small table per section. */
#include "base/memory/alloc.h"
#include "cli/print/table.h"
#include "cli/trace/info.h"
#include "estimator/characterize/operand_counts.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS_MOST = 12 };

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

struct info_kernel info_kernel_at(const struct info *i, uint32_t k)
{
    bool all = k == i->s.n;
    return (struct info_kernel){
        .i = i,
        .s = all ? &i->s.all : &i->s.kernel[k],
        .c = !i->deep ? NULL
             : all    ? &i->c.all
                      : &i->c.kernel[k],
        .pages = !i->paged ? NULL
                 : all     ? &i->pages.all
                           : &i->pages.kernel[k],
    };
}

void info_begin_line(struct rows *r, const struct info_kernel *k)
{
    if (!r->json) rows_item(r);
    rows_format(r, NULL, "kernel", "%.40s", k->s->name);
}

/* Draws the kernels, the largest ones if there are more than `most`, and the whole program;
 * `alone`: even of one kernel. */
static void print_kernels(struct text *out, const struct info *i, info_rows_fn *rows, uint32_t most,
                          bool alone)
{
    struct rows r = {0};
    uint32_t *at = mem_new(most, sizeof *at), n = at ? info_kernels(i, at, most) : 0;
    for (uint32_t k = 0; k <= n; k++) {
        struct info_kernel one = info_kernel_at(i, k < n ? at[k] : i->s.n);
        if (k == n && !alone && i->s.n == 1) break;
        if (rows != info_sections[INFO_COALESCING].rows) info_begin_line(&r, &one);
        rows(&r, &one);
    }
    r.failed |= !at;
    mem_free(at);
    table_rows(out, &r);
    if (n < i->s.n)
        text_add(out, "  and %u kernels with fewer instructions; --json has them all\n",
                 i->s.n - n);
}

static void print_regions(struct text *out, const struct info *i)
{
    struct rows r = {0};
    uint32_t n;
    struct region *region = program_regions(&i->s, i->p, &n);
    if (!region) return;
    for (uint32_t k = 0; k < n && k < ROWS_MOST; k++)
        info_region_rows(&r, &region[k]);
    table_rows(out, &r);
    if (n > ROWS_MOST) text_add(out, "  and %u more regions; --json has them all\n", n - ROWS_MOST);
    mem_free(region);
}

/* --- launches --- */

static bool same_launch(const struct launch *a, const struct launch *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->warps_per_cta == b->warps_per_cta && a->shared_bytes == b->shared_bytes &&
           a->registers_per_lane == b->registers_per_lane && a->resident_warps == b->resident_warps;
}

/* Consecutive equal launches share one line. */
static void print_launches(struct text *out, const struct info *i)
{
    static const struct launch none = {.name = ""};
    struct rows r = {.example = true};
    uint32_t n = program_launches(i->p), rows = 0, first = 0;
    info_launch_rows(&r, &none, 0, 0);
    for (; first < n && rows < ROWS_MOST; rows++) {
        const struct launch *l = program_launch(i->p, first);
        uint32_t last = first;
        while (last + 1 < n && same_launch(l, program_launch(i->p, last + 1)))
            last++;
        info_launch_rows(&r, l, first, last);
        first = last + 1;
    }
    table_rows(out, &r);
    if (first < n)
        text_add(out, "  and %u more %s; --json has them all\n", n - first,
                 text_noun(n - first, "launch", "launches"));
}

/* --- the whole --- */

static void heading(struct text *out, const struct info *i)
{
    char hex[33];
    uint64_t copies = program_commands(i->p) - program_launches(i->p);
    double bytes = (double)program_stored_bytes(i->p);
    digest_hex(program_digest(i->p), hex);
    text_add_shown(out, "%s: warps of %u lanes, %u %s, %" PRIu64 " %s, digest %s\n",
                   program_name(i->p), i->width, program_launches(i->p),
                   text_noun(program_launches(i->p), "launch", "launches"), copies,
                   text_noun(copies, "copy", "copies"), hex);
    if (bytes > 0 && i->s.all.instructions)
        text_add(out, "%.0f bytes stored, %.2f per warp instruction\n", bytes,
                 bytes / (double)i->s.all.instructions);
    if (*program_note(i->p)) text_add_shown(out, "made from: %s\n", program_note(i->p));
    text_add(out, "\n");
}

void info_brief(struct text *out, const struct info *i)
{
    heading(out, i);
    print_kernels(out, i, info_brief_rows, i->s.n + 1, true);
}

static void print_section(struct text *out, const struct info *i, unsigned s)
{
    const struct info_section *section = &info_sections[s];
    unsigned number = s == INFO_DIVERGENCE ? i->width
                      : s == INFO_PAGES    ? i->pages.page_bytes
                                           : (unsigned)OPERAND_BANKS;
    bool whole = s == INFO_KERNELS;
    if (section->title) text_add(out, section->title, number);
    if (s == INFO_REUSE && i->c.bounded)
        text_add(out, "; reuse farther than 512 MB counts as first");
    if (section->title) text_add(out, "\n");
    if (section->rows)
        print_kernels(out, i, section->rows, whole ? i->s.n + 1 : ROWS_MOST, whole);
    else
        print_launches(out, i);
    if (s == INFO_FOOTPRINT) print_regions(out, i);
}

void info_text(struct text *out, const struct info *i, unsigned sections)
{
    bool any = false;
    heading(out, i);
    for (unsigned s = 0; s < INFO_SECTIONS; s++) {
        if (!(sections >> s & 1)) continue;
        if (any) text_add(out, "\n");
        print_section(out, i, s);
        any = true;
    }
}
