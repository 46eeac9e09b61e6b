/* info_pages.c - prints the section of plumb trace info about thread batches and their pages. */
#include "cli/trace/info_memory.h"

static void formation_cells(struct grid *g, const struct kernel_row *r)
{
    const struct batch_formation *f = &r->pages->formation;
    if (r->s == &r->i->s.all) {
        grid_add(g, "-");
        grid_add(g, "-");
        return;
    }
    if (f->kind == BATCH_MODULO)
        grid_add(g, "modulo %u", f->modulus);
    else
        grid_add(g, "%s", batch_kind_name[f->kind]);
    grid_count(g, f->stride);
}

static void pages_row(struct grid *g, const struct kernel_row *r)
{
    const struct batch_sharing *s = &r->pages->all;
    info_name_cell(g, r);
    grid_count(g, (double)r->s->launches);
    grid_count(g, (double)r->s->ctas);
    grid_count(g, (double)s->pages);
    formation_cells(g, r);
    for (unsigned k = 0; k < PAGE_SHARERS; k++)
        grid_share(g, (double)s->by_sharer[k], (double)s->pages);
}

void info_pages(struct text *out, const struct info *i)
{
    text_add(out,
             "Pages: pages of %u bytes, added over launches; how thread batches are formed, and"
             " CTAs of one; share of the pages that belong to one batch, two consecutive ones,"
             " almost all, others\n",
             i->pages.page_bytes);
    info_kernel_rows(out, i, "kernel|launches|CTAs|pages|formation|stride|one|two|almost all|other",
                     pages_row);
}
