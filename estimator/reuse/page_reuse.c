/* page_reuse.c - distances between an SM's accesses to pages, by the LRU stack of stack_distance.h,
 * tallied per access and per wait of a warp. A page is marked far by an access at PAGE_REUSE_FAR
 * pages or more, and the mark stays until it has been told. */
#include "estimator/reuse/page_reuse.h"

#include "base/memory/alloc.h"

bool page_reuse_init(struct page_reuse *p, uint32_t page_shift, uint32_t line_bytes)
{
    const struct reuse_params r = {.lines = PAGE_REUSE_BOUND};
    *p = (struct page_reuse){.on = page_shift != 0, .line_shift = page_shift};
    for (uint32_t b = line_bytes; b > 1 && p->line_shift; b /= 2)
        p->line_shift--;
    if (!p->on) return true;
    p->far = mem_new((size_t)2 * PAGE_REUSE_BOUND, sizeof *p->far);
    return p->far && reuse_init(&p->reuse, &r, NULL, NULL);
}

void page_reuse_fini(struct page_reuse *p)
{
    if (p->far) reuse_fini(&p->reuse);
    mem_free(p->far);
}

void page_reuse_launch(struct page_reuse *p)
{
    if (!p->on) return;
    hit_tally_clear(&p->accesses);
    hit_tally_clear(&p->waits);
}

uint32_t page_reuse_touch(struct page_reuse *p, uint64_t line)
{
    struct reuse_distance d;
    if (!p->on) return 0;
    if (!reuse_touch(&p->reuse, line >> p->line_shift, &d)) {
        p->failed = true;
        return 0;
    }
    if (d.fresh) p->far[d.id] = 0;
    p->far[d.id] |= d.global >= PAGE_REUSE_FAR;
    p->page = d.id;
    hit_tally_add(&p->accesses, d.global, NULL, 0);
    return d.global;
}

bool page_reuse_is_far(struct page_reuse *p, bool told)
{
    if (!p->on) return false;
    bool far = p->far[p->page];
    if (told) p->far[p->page] = 0;
    return far;
}

void page_reuse_wait(struct page_reuse *p, uint32_t farthest)
{
    if (p->on) hit_tally_add(&p->waits, farthest, NULL, 0);
}
