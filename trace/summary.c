#include "trace/summary.h"

#include "base/mem.h"
#include "trace/cursor.h"

#include <string.h>

enum { LINE_BYTES = 128, SECTOR_BYTES = 32 };

static bool touch(struct kernel_summary *k, uint64_t sector)
{
    uint64_t line = sector / (LINE_BYTES / SECTOR_BYTES);
    uint32_t bit = 1u << sector % (LINE_BYTES / SECTOR_BYTES),
             *mask = linemap_get(&k->touched, line);
    if (!mask) {
        k->lines++;
        k->sectors++;
        return linemap_put(&k->touched, line, bit);
    }
    k->sectors += !(*mask & bit);
    *mask |= bit;
    return true;
}

static bool touch_all(struct kernel_summary *k, const struct warp_inst *w)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask);
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t first = warp_inst_addr(w, i) / SECTOR_BYTES;
        uint64_t last = (warp_inst_addr(w, i) + w->si->width - 1) / SECTOR_BYTES;
        for (uint64_t s = first; s <= last && s - first < WARP_MAX_LANES; s++)
            if (!touch(k, s)) return false;
    }
    return true;
}

static bool count_inst(struct kernel_summary *k, struct kernel_summary *all,
                       const struct warp_inst *w)
{
    k->instructions++;
    uint64_t lanes = (uint64_t)__builtin_popcountll(w->mask);
    k->lanes += lanes;
    k->by_class[w->si->cls]++;
    k->lanes_by_class[w->si->cls] += lanes;
    if (!op_is_global(w->si->cls) || w->si->width == 0) return true;
    return touch_all(k, w) && touch_all(all, w);
}

static struct kernel_summary *kernel_of(struct program_summary *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->kernel[i].name, name) == 0) return &s->kernel[i];
    struct kernel_summary *k = &s->kernel[s->n];
    if (!linemap_init(&k->touched, 1024)) return NULL;
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
        if (!count_inst(k, &s->all, &w)) return error_no_memory(e);
    return g == GOT_END;
}

static bool read_launch(struct program_summary *s, const struct program *p, uint32_t launch,
                        struct reader *r, struct cursor *c, struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    struct kernel_summary *k = kernel_of(s, l->name);
    if (!k) return error_no_memory(e);
    k->launches++;
    k->ctas += l->ctas;
    k->warps += l->ctas * l->warps_per_cta;
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++)
            if (!cursor_seek(c, r, launch, cta, warp, 0, e) || !read_warp(s, k, c, e)) return false;
    return true;
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
        for (unsigned c = 0; c < OP_N; c++) {
            all->by_class[c] += k->by_class[c];
            all->lanes_by_class[c] += k->lanes_by_class[c];
        }
    }
}

bool program_summarize(struct program_summary *s, const struct program *p, struct error *e)
{
    *s = (struct program_summary){.all = {.name = "total"}};
    struct cursor c = {0};
    struct reader *r = reader_new(p, e);
    s->kernel = mem_new(program_launches(p), sizeof *s->kernel);
    bool ok = r && ((s->kernel && linemap_init(&s->all.touched, 1024)) || error_no_memory(e));
    for (uint32_t i = 0; ok && i < program_launches(p); i++)
        ok = read_launch(s, p, i, r, &c, e);
    if (ok) add_up(s);
    cursor_release(&c);
    reader_free(r);
    if (!ok) program_summary_fini(s);
    return ok;
}

void program_summary_fini(struct program_summary *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        linemap_fini(&s->kernel[i].touched);
    linemap_fini(&s->all.touched);
    mem_free(s->kernel);
    *s = (struct program_summary){0};
}
