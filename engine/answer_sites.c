/* answer_sites.c - see answer_sites.h. */
#include "engine/answer_sites.h"

#include "detailed/counters/site_counters.h"

#include <inttypes.h>

static void load_rows(struct rows *r, const struct site *x, const char *kernel)
{
    double n = (double)x->executions, accesses = (double)x->accesses;
    const char *class = op_class_name[x->cls];
    rows_item(r);
    rows_text(r, "kernel", "kernel", kernel);
    rows_count(r, "pc", NULL, x->pc);
    rows_format(r, NULL, "pc", "0x%" PRIx32, x->pc);
    rows_text(r, "opcode", NULL, x->opcode);
    rows_text(r, NULL, "instruction", x->opcode[0] ? x->opcode : class);
    rows_text(r, "class", NULL, class);
    rows_text(r, "space", NULL, mem_space_name[x->space]);
    rows_count(r, "bytes", NULL, x->width);
    rows_count(r, "executions", "executed", x->executions);
    rows_counted(r, "lanes", "lanes", SHOW_RATIO, x->lanes, n);
    rows_counted(r, "accesses", "accesses", SHOW_RATIO, x->accesses, n);
    rows_counted(r, "l1_hits", "L1 hits", SHOW_SHARE, x->hits, accesses);
    rows_counted(r, "l1_misses", "misses", SHOW_SHARE, x->misses, accesses);
    rows_ratio(r, "latency_mean", "latency", (double)x->latency, n);
    rows_count(r, "latency_max", "longest", x->longest);
    rows_end(r);
}

void answer_sites_loads(struct rows *r, const struct site_counters *x)
{
    static const struct site none;
    if (r->example) load_rows(r, &none, "");
    for (uint32_t k = 0; k < x->n_kernels; k++)
        for (uint32_t i = 0; i < x->kernel[k].n; i++)
            if (x->kernel[k].site[i].executions)
                load_rows(r, &x->kernel[k].site[i], x->kernel[k].name);
}

void answer_sites_buffers(struct rows *r, const struct site_counters *x)
{
    for (uint32_t i = 0; i < x->n_buffers; i++) {
        const struct buffer_counts *b = &x->buffer[i];
        double accesses = (double)(b->reads + b->writes + b->atomics);
        rows_item(r);
        rows_format(r, "first", "from", "0x%" PRIx64, b->first);
        rows_format(r, "end", NULL, "0x%" PRIx64, b->end);
        rows_bytes(r, NULL, "bytes", b->end - b->first);
        rows_count(r, "reads", "reads", b->reads);
        rows_count(r, "writes", "writes", b->writes);
        rows_count(r, "atomics", "atomics", b->atomics);
        rows_counted(r, "l1_hits", "L1 hits", SHOW_SHARE, b->l1_hits, accesses);
        rows_count(r, "l1_misses", NULL, b->l1_misses);
        rows_count(r, "l2_reads", "L2 reads", b->l2_reads);
        rows_counted(r, "l2_read_hits", "hits", SHOW_SHARE, b->l2_read_hits, (double)b->l2_reads);
        rows_count(r, "l2_writes", "L2 writes", b->l2_writes);
        rows_counted(r, "l2_write_hits", "hits", SHOW_SHARE, b->l2_write_hits,
                     (double)b->l2_writes);
        rows_end(r);
    }
}
