/* summary.c - counts the instructions of a program and the lines that they touch, kernel by kernel,
 * and cuts the touched lines into regions where gaps are wide or copies begin and end. A program of
 * one kernel keeps one map of lines, others one for each kernel and one for all. */
#include "trace/program/summary.h"

#include "base/memory/alloc.h"
#include "trace/program/cursor.h"

#include <stdlib.h>
#include <string.h>

enum { SECTORS = SUMMARY_LINE / SUMMARY_SECTOR };

static bool touch_line(struct kernel_summary *k, uint64_t line, uint32_t bits)
{
    uint32_t *mask = hash_map_get(&k->touched, line);
    if (!mask) return hash_map_put(&k->touched, line, bits);
    *mask |= bits;
    return true;
}

static uint32_t touch_kind(uint8_t cls)
{
    return cls == OP_LOAD    ? TOUCHED_READ
           : cls == OP_STORE ? TOUCHED_WRITTEN
                             : TOUCHED_READ | TOUCHED_WRITTEN;
}

/* all: NULL if the program has only one kernel. */
static bool touch_both(struct kernel_summary *k, struct kernel_summary *all, uint64_t line,
                       uint32_t bits)
{
    return touch_line(k, line, bits) && (!all || touch_line(all, line, bits));
}

/* Records the lines of all lanes. Neighbouring lanes mostly touch one line, which is looked up once
 * for all of them. */
static bool touch_all(struct kernel_summary *k, struct kernel_summary *all,
                      const struct warp_inst *w)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask), kind = touch_kind(w->si->cls);
    uint32_t bits = 0;
    uint64_t line = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t addr = warp_inst_addr(w, i);
        uint32_t n = ((uint32_t)(addr % SUMMARY_SECTOR) + w->si->width - 1) / SUMMARY_SECTOR + 1;
        for (uint32_t at = 0; at < n; at++) {
            uint64_t s = (addr / SUMMARY_SECTOR + at) & (UINT64_MAX / SUMMARY_SECTOR);
            if (bits && s / SECTORS != line) {
                if (!touch_both(k, all, line, bits | kind)) return false;
                bits = 0;
            }
            line = s / SECTORS;
            bits |= 1u << s % SECTORS;
        }
    }
    return !bits || touch_both(k, all, line, bits | kind);
}

static bool count_inst(struct kernel_summary *k, struct kernel_summary *all,
                       const struct warp_inst *w)
{
    k->instructions++;
    uint64_t lanes = (uint64_t)__builtin_popcountll(w->mask);
    k->lanes += lanes;
    k->by_class[w->si->cls]++;
    k->lanes_by_class[w->si->cls] += lanes;
    k->by_lanes[lanes]++;
    k->copies += inst_is_copy(w->si);
    if (!inst_op_is_global(w->si->cls) || w->si->width == 0) return true;
    return touch_all(k, all, w);
}

uint32_t program_summary_find(const struct program_summary *s, const char *name)
{
    uint32_t i = 0;
    while (i < s->n && strcmp(s->kernel[i].name, name) != 0)
        i++;
    return i;
}

static struct kernel_summary *kernel_of(struct program_summary *s, const char *name)
{
    uint32_t known = program_summary_find(s, name);
    if (known < s->n) return &s->kernel[known];
    struct kernel_summary *k = &s->kernel[s->n];
    if (!hash_map_init(&k->touched, 1024)) return NULL;
    k->name = name;
    s->n++;
    return k;
}

static bool read_warp(struct program_summary *s, struct kernel_summary *k, struct cursor *c,
                      struct error *e)
{
    struct warp_inst w;
    enum got g;
    while ((g = cursor_next(c, &w, e)) == GOT_INST)
        if (!count_inst(k, s->one ? NULL : &s->all, &w)) return error_no_memory(e);
    return g == GOT_END;
}

static bool read_launch(struct program_summary *s, const struct program *p, uint32_t launch,
                        struct reader *r, struct cursor *c, struct progress *progress,
                        struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    struct kernel_summary *k = kernel_of(s, l->name);
    if (!k) return error_no_memory(e);
    k->launches++;
    k->ctas += l->ctas;
    k->warps += l->ctas * l->warps_per_cta;
    for (uint64_t cta = 0; cta < l->ctas; cta++) {
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++)
            if (!cursor_seek(c, r, launch, cta, warp, 0, e) || !read_warp(s, k, c, e)) return false;
        if (progress) progress_add(progress, 1);
        if (atomic_load(&plumb_interrupted)) return error_interrupted(e, "reading");
    }
    return true;
}

/* --- footprints --- */

static int by_line(const void *a, const void *b)
{
    const struct hash_map_slot *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* The touched lines by address, mem_free them; NULL: no memory or none. */
static struct hash_map_slot *sorted_lines(const struct kernel_summary *k)
{
    struct hash_map_slot *at = k->touched.n ? mem_new(k->touched.n, sizeof *at) : NULL;
    uint32_t n = 0;
    for (uint64_t i = 0; at && i <= k->touched.mask; i++)
        if (k->touched.slot[i].key != HASH_MAP_EMPTY) at[n++] = k->touched.slot[i];
    if (at) qsort(at, n, sizeof *at, by_line);
    return at;
}

static void count_kind(uint32_t bits, uint64_t *read_only, uint64_t *write_only)
{
    *read_only += (bits & (TOUCHED_READ | TOUCHED_WRITTEN)) == TOUCHED_READ;
    *write_only += (bits & (TOUCHED_READ | TOUCHED_WRITTEN)) == TOUCHED_WRITTEN;
}

static bool measure_kernel(struct kernel_summary *k)
{
    struct hash_map_slot *at = sorted_lines(k);
    uint64_t page = UINT64_MAX;
    if (!at) return k->touched.n == 0;
    k->lines = k->touched.n;
    for (uint32_t i = 0; i < k->touched.n; i++) {
        k->sectors += (uint64_t)__builtin_popcount(at[i].value & TOUCHED_SECTORS);
        count_kind(at[i].value, &k->read_only, &k->write_only);
        k->pages += at[i].key / (SUMMARY_PAGE / SUMMARY_LINE) != page;
        page = at[i].key / (SUMMARY_PAGE / SUMMARY_LINE);
    }
    mem_free(at);
    return true;
}

/* Lines at which copies begin, and those after their ends. */
struct cuts {
    uint64_t *line;
    uint32_t n, next;
};

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool find_cuts(struct cuts *c, const struct program *p)
{
    uint32_t commands = program_commands(p);
    *c = (struct cuts){.line = mem_new(2 * (size_t)commands + 1, sizeof *c->line)};
    if (!c->line) return false;
    for (uint32_t i = 0; i < commands; i++) {
        const struct command *k = program_command(p, i);
        if (k->kind == COMMAND_LAUNCH) continue;
        c->line[c->n++] = k->addr / SUMMARY_LINE;
        c->line[c->n++] = (k->addr + k->bytes - (k->bytes > 0)) / SUMMARY_LINE + 1;
    }
    qsort(c->line, c->n, sizeof *c->line, by_value);
    return true;
}

/* Whether there is a cut after the previous call's line, up to this one. Lines ascend. */
static bool cut_before(struct cuts *c, uint64_t line)
{
    uint32_t from = c->next;
    while (c->next < c->n && c->line[c->next] <= line)
        c->next++;
    return c->next > from;
}

static void extend_region(struct region *r, const struct hash_map_slot *line)
{
    r->end = (line->key + 1) * SUMMARY_LINE; /* 0: the end of the address space */
    r->lines++;
    count_kind(line->value, &r->read_only, &r->write_only);
}

struct region *program_regions(const struct program_summary *s, const struct program *p,
                               uint32_t *n)
{
    const struct kernel_summary *k = s->one && s->n ? &s->kernel[0] : &s->all;
    struct cuts cuts = {0};
    struct hash_map_slot *at = sorted_lines(k);
    struct region *region = NULL;
    size_t cap = 0;
    *n = 0;
    bool ok = at && find_cuts(&cuts, p);
    for (uint32_t i = 0; ok && i < k->touched.n; i++) {
        uint64_t first = at[i].key * SUMMARY_LINE;
        bool cut = cut_before(&cuts, at[i].key);
        if (i == 0 || cut || first - region[*n - 1].end >= REGION_GAP) {
            ok = mem_grow(&region, &cap, (size_t)*n + 1, sizeof *region);
            if (ok) region[(*n)++] = (struct region){.first = first};
        }
        if (ok) extend_region(&region[*n - 1], &at[i]);
    }
    mem_free(cuts.line);
    mem_free(at);
    if (ok || !region) return region;
    mem_free(region);
    *n = 0;
    return NULL;
}

static bool measure_all(struct program_summary *s)
{
    bool ok = measure_kernel(&s->all);
    for (uint32_t i = 0; ok && i < s->n; i++)
        ok = measure_kernel(&s->kernel[i]);
    if (!s->one || s->n == 0) return ok;
    const struct kernel_summary *k = &s->kernel[0];
    s->all.lines = k->lines;
    s->all.sectors = k->sectors;
    s->all.pages = k->pages;
    s->all.read_only = k->read_only;
    s->all.write_only = k->write_only;
    return ok;
}

static void add_up(struct program_summary *s)
{
    struct kernel_summary *all = &s->all;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct kernel_summary *k = &s->kernel[i];
        all->launches += k->launches;
        all->ctas += k->ctas;
        all->warps += k->warps;
        all->instructions += k->instructions;
        all->lanes += k->lanes;
        all->copies += k->copies;
        for (unsigned c = 0; c <= WARP_MAX_LANES; c++)
            all->by_lanes[c] += k->by_lanes[c];
        for (unsigned c = 0; c < OP_N; c++) {
            all->by_class[c] += k->by_class[c];
            all->lanes_by_class[c] += k->lanes_by_class[c];
        }
    }
}

bool program_summarize(struct program_summary *s, const struct program *p,
                       struct progress *progress, struct error *e)
{
    *s = (struct program_summary){.all = {.name = "total"}, .one = true};
    for (uint32_t i = 1; s->one && i < program_launches(p); i++)
        s->one = strcmp(program_launch(p, i)->name, program_launch(p, 0)->name) == 0;
    struct cursor c = {0};
    struct reader *r = reader_new(p, e);
    s->kernel = mem_new(program_launches(p), sizeof *s->kernel);
    bool ok = r && ((s->kernel && hash_map_init(&s->all.touched, 1024)) || error_no_memory(e));
    for (uint32_t i = 0; ok && i < program_launches(p); i++)
        ok = read_launch(s, p, i, r, &c, progress, e);
    if (ok) add_up(s);
    ok = ok && (measure_all(s) || error_no_memory(e));
    cursor_release(&c);
    reader_free(r);
    if (!ok) program_summary_fini(s);
    return ok;
}

void program_summary_fini(struct program_summary *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        hash_map_fini(&s->kernel[i].touched);
    hash_map_fini(&s->all.touched);
    mem_free(s->kernel);
    *s = (struct program_summary){0};
}
