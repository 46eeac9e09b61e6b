/* page_sets.c - reads a launch CTA by CTA and collects for each page the CTAs that touch it, as
 * runs of neighbours that touch equally many parts.
 *
 * A page remembers the parts of the CTA that touched it last; when another one comes, these become
 * a run or prolong one. Reading ends with the CTA that reaches a limit. An address of 0 is no
 * access. At the end the lists of runs are laid out page by page. */
#include "trace/analysis/page_sets.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "trace/program/cursor.h"

#include <assert.h>

enum { NO_RUN = UINT32_MAX };

/* While a launch is read, the runs of a page are a list, oldest first. */
struct listed_run {
    struct cta_run run;
    uint32_t next;
};

struct open_page {
    uint64_t number;
    uint32_t head, tail; /* of its list */
    uint32_t runs, ctas;
    uint32_t cta, parts; /* the last CTA that touched it, and a bit for each part: not yet a run */
};

struct page_reading {
    struct hash_map index; /* page number -> its place in page */
    struct open_page *page;
    struct listed_run *run;
    size_t page_cap, runs_cap;
    uint32_t n_pages, n_runs;
    uint32_t cta;
    unsigned part_shift;
    uint64_t accesses;
};

/* --- touching --- */

/* Turns what the page's last CTA touched into a run, or into the end of one. */
static bool close_cta(struct page_reading *g, struct open_page *p)
{
    uint32_t parts = (uint32_t)__builtin_popcount(p->parts);
    struct cta_run *tail = p->tail == NO_RUN ? NULL : &g->run[p->tail].run;
    p->ctas++;
    if (tail && tail->last + 1 == p->cta && tail->parts == parts) {
        tail->last = p->cta;
        return true;
    }
    if (!mem_grow(&g->run, &g->runs_cap, (size_t)g->n_runs + 1, sizeof *g->run)) return false;
    g->run[g->n_runs] = (struct listed_run){{p->cta, p->cta, parts}, NO_RUN};
    if (p->tail == NO_RUN)
        p->head = g->n_runs;
    else
        g->run[p->tail].next = g->n_runs;
    p->tail = g->n_runs++;
    p->runs++;
    return true;
}

static struct open_page *find_page(struct page_reading *g, uint64_t number)
{
    const uint32_t *at = hash_map_get(&g->index, number);
    if (at) return &g->page[*at];
    if (!mem_grow(&g->page, &g->page_cap, (size_t)g->n_pages + 1, sizeof *g->page) ||
        !hash_map_put(&g->index, number, g->n_pages))
        return NULL;
    struct open_page *p = &g->page[g->n_pages++];
    *p = (struct open_page){.number = number, .head = NO_RUN, .tail = NO_RUN, .cta = g->cta};
    return p;
}

static bool touch_page(struct page_reading *g, uint64_t number, uint32_t parts)
{
    struct open_page *p = find_page(g, number);
    if (!p) return false;
    if (p->cta != g->cta) {
        if (!close_cta(g, p)) return false;
        p->cta = g->cta;
        p->parts = 0;
    }
    p->parts |= parts;
    return true;
}

/* Neighbouring lanes mostly touch one page, which is looked up once for all of them. An address of
 * 0 is no access (Accel-Sim). */
static bool touch_lanes(struct page_reading *g, const struct warp_inst *w)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask), parts = 0;
    uint64_t page = 0, rest = w->si->width - 1u;
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t addr = warp_inst_addr(w, i);
        if (addr == 0) continue;
        uint64_t end = (addr > UINT64_MAX - rest ? UINT64_MAX : addr + rest) >> g->part_shift;
        for (uint64_t part = addr >> g->part_shift; part <= end; part++) {
            uint64_t number = part / PAGE_PARTS;
            if (parts && number != page) {
                if (!touch_page(g, page, parts)) return false;
                parts = 0;
            }
            page = number;
            parts |= 1u << part % PAGE_PARTS;
        }
    }
    return !parts || touch_page(g, page, parts);
}

static bool read_cta(struct page_reading *g, struct cursor *c, struct reader *r, uint32_t launch,
                     const struct launch *l, struct error *e)
{
    struct warp_inst w;
    for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
        enum got got;
        if (!cursor_seek(c, r, launch, g->cta, warp, 0, e)) return false;
        while ((got = cursor_next_access(c, &w, e)) == GOT_INST) {
            if (w.si->width == 0 || w.mask == 0) continue;
            g->accesses++;
            if (!touch_lanes(g, &w)) return error_no_memory(e);
        }
        if (got == GOT_ERROR) return false;
    }
    return true;
}

static bool reached_limit(const struct page_reading *g, const struct page_limits *m)
{
    uint64_t ctas = (uint64_t)g->cta + 1;
    return ctas >= m->ctas || ctas >= UINT32_MAX / 2 || g->accesses >= m->accesses ||
           g->n_runs >= m->runs || g->n_runs * ctas >= m->work || g->n_runs >= UINT32_MAX / 2;
}

/* --- the finished sets --- */

static bool close_pages(struct page_reading *g)
{
    for (uint32_t i = 0; i < g->n_pages; i++)
        if (!close_cta(g, &g->page[i])) return false;
    return true;
}

static bool lay_out(struct page_sets *s, struct page_reading *g)
{
    if (!close_pages(g)) return false;
    s->ctas = g->cta;
    s->page = mem_new_unset(g->n_pages + 1u, sizeof *s->page);
    s->run = mem_new_unset(g->n_runs + 1u, sizeof *s->run);
    if (!s->page || !s->run) return false;
    for (uint32_t i = 0; i < g->n_pages; i++) {
        const struct open_page *p = &g->page[i];
        s->page[s->n_pages++] = (struct page_set){p->number, s->n_runs, p->runs, p->ctas};
        for (uint32_t r = p->head; r != NO_RUN; r = g->run[r].next)
            s->run[s->n_runs++] = g->run[r].run;
    }
    return true;
}

static bool read_launch(struct page_reading *g, const struct program *p, struct reader *r,
                        uint32_t launch, const struct page_limits *limits,
                        struct progress *progress, struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    struct cursor c = {0};
    bool ok = true, more = true;
    while (ok && more) {
        ok = read_cta(g, &c, r, launch, l, e);
        more = ok && !reached_limit(g, limits) && g->cta + 1 < l->ctas;
        g->cta++;
        if (progress) progress_add(progress, 1);
        if (ok && atomic_load(&plumb_interrupted)) ok = error_interrupted(e, "reading");
    }
    if (progress && g->cta < l->ctas) progress_add(progress, l->ctas - g->cta);
    cursor_release(&c);
    return ok;
}

bool page_sets_collect(struct page_sets *s, const struct program *p, struct reader *r,
                       uint32_t launch, uint32_t page_bytes, const struct page_limits *limits,
                       struct progress *progress, struct error *e)
{
    assert(page_bytes >= PAGE_BYTES_LEAST && page_bytes <= PAGE_BYTES_MOST &&
           (page_bytes & (page_bytes - 1)) == 0);
    struct page_reading g = {.part_shift = (unsigned)__builtin_ctz(page_bytes / PAGE_PARTS)};
    *s = (struct page_sets){0};
    bool ok = hash_map_init(&g.index, 1024) || error_no_memory(e);
    ok = ok && read_launch(&g, p, r, launch, limits, progress, e);
    ok = ok && (lay_out(s, &g) || error_no_memory(e));
    hash_map_fini(&g.index);
    mem_free(g.page);
    mem_free(g.run);
    if (!ok) page_sets_fini(s);
    return ok;
}

void page_sets_fini(struct page_sets *s)
{
    mem_free(s->page);
    mem_free(s->run);
    *s = (struct page_sets){0};
}
