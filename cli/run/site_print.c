/* site_print.c - plumb simulate --per-load: prints tables by instruction and by buffer. */
#include "cli/run/answer_print.h"

#include "cli/print/grid.h"
#include "detailed/counters/site_counters.h"

#include <inttypes.h>

static void add_load(struct grid *g, const struct site *x, const char *kernel)
{
    grid_add(g, "%s", kernel);
    grid_add(g, "0x%" PRIx32, x->pc);
    if (x->opcode[0])
        grid_add(g, "%s", x->opcode);
    else
        grid_add(g, "%s", op_class_name[x->cls]);
    grid_count(g, (double)x->executions);
    grid_ratio(g, (double)x->lanes, (double)x->executions);
    grid_ratio(g, (double)x->accesses, (double)x->executions);
    grid_share(g, (double)x->hits, (double)x->accesses);
    grid_share(g, (double)x->misses, (double)x->accesses);
    grid_ratio(g, (double)x->latency, (double)x->executions);
    grid_count(g, (double)x->longest);
}

static void print_loads(struct text *out, const struct site_counters *x)
{
    struct grid g;
    text_add(out, "\n  By instruction: accesses each, shares of them at the L1, latency in core "
                  "cycles\n");
    grid_start(&g, "kernel|pc|instruction|executed|lanes|accesses|L1 hits|misses|latency|longest");
    for (uint32_t k = 0; k < x->n_kernels; k++)
        for (uint32_t i = 0; i < x->kernel[k].n; i++)
            if (x->kernel[k].site[i].executions)
                add_load(&g, &x->kernel[k].site[i], x->kernel[k].name);
    grid_print(&g, out);
}

static void print_buffers(struct text *out, const struct site_counters *x)
{
    struct grid g;
    if (!x->n_buffers) return;
    text_add(out, "\n  By buffer: accesses to the L1, and what came to the L2\n");
    grid_start(&g, "from|bytes|reads|writes|atomics|L1 hits|L2 reads|hits|L2 writes|hits");
    for (uint32_t i = 0; i < x->n_buffers; i++) {
        const struct buffer_counts *b = &x->buffer[i];
        grid_add(&g, "0x%" PRIx64, b->first);
        grid_bytes(&g, (double)(b->end - b->first));
        grid_count(&g, (double)b->reads);
        grid_count(&g, (double)b->writes);
        grid_count(&g, (double)b->atomics);
        grid_share(&g, (double)b->l1_hits, (double)(b->reads + b->writes + b->atomics));
        grid_count(&g, (double)b->l2_reads);
        grid_share(&g, (double)b->l2_read_hits, (double)b->l2_reads);
        grid_count(&g, (double)b->l2_writes);
        grid_share(&g, (double)b->l2_write_hits, (double)b->l2_writes);
    }
    grid_print(&g, out);
}

void answer_print_sites(struct text *out, const struct answer *a)
{
    if (!a->sites) return;
    print_loads(out, a->sites);
    print_buffers(out, a->sites);
}
