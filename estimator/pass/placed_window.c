/* placed_window.c - see placed_window.h. */
#include "estimator/pass/placed_window.h"

#include "base/memory/alloc.h"

bool placed_window_init(struct placed_window *p, const struct page_view *v)
{
    *p = (struct placed_window){0};
    return page_view_table(v, &p->table);
}

void placed_window_fini(struct placed_window *p)
{
    page_table_fini(&p->table);
    mem_free(p->op);
    mem_free(p->order);
}

bool placed_window_translate(struct placed_window *p, struct group_window *w)
{
    if (!mem_grow(&p->op, &p->op_cap, w->n, sizeof *p->op) ||
        !mem_grow(&p->order, &p->order_cap, w->n, sizeof *p->order))
        return false;
    for (size_t i = 0; i < w->n; i++) {
        p->op[i] = *w->order[i];
        p->op[i].addr = page_table_touch(&p->table, p->op[i].addr, w->sm[i]);
        p->order[i] = &p->op[i];
    }
    w->order = p->order;
    return !p->table.no_memory;
}
