/* answer_sites.c - writes the counters by instruction and by buffer as JSON. */
#include "engine/answer_sites.h"

#include "detailed/counters/site_counters.h"

#include <inttypes.h>
#include <stdio.h>

static void whole_member(struct json *j, const char *key, uint64_t v)
{
    json_integer(json_key(j, key), (int64_t)v);
}

static void load_json(const struct site *x, const char *kernel, struct json *j)
{
    json_object(j);
    json_string(json_key(j, "kernel"), kernel);
    whole_member(j, "pc", x->pc);
    json_string(json_key(j, "opcode"), x->opcode);
    json_string(json_key(j, "class"), op_class_name[x->cls]);
    json_string(json_key(j, "space"), mem_space_name[x->space]);
    whole_member(j, "bytes", x->width);
    whole_member(j, "executions", x->executions);
    whole_member(j, "lanes", x->lanes);
    whole_member(j, "accesses", x->accesses);
    whole_member(j, "l1_hits", x->hits);
    whole_member(j, "l1_misses", x->misses);
    json_number(json_key(j, "latency_mean"), (double)x->latency / (double)x->executions);
    whole_member(j, "latency_max", x->longest);
    json_end(j);
}

static void loads_json(const struct site_counters *x, struct json *j)
{
    json_array(json_key(j, "loads"));
    for (uint32_t k = 0; k < x->n_kernels; k++)
        for (uint32_t i = 0; i < x->kernel[k].n; i++)
            if (x->kernel[k].site[i].executions)
                load_json(&x->kernel[k].site[i], x->kernel[k].name, j);
    json_end(j);
}

static void buffers_json(const struct site_counters *x, struct json *j)
{
    json_array(json_key(j, "buffers"));
    for (uint32_t i = 0; i < x->n_buffers; i++) {
        const struct buffer_counts *b = &x->buffer[i];
        char first[24], end[24];
        snprintf(first, sizeof first, "0x%" PRIx64, b->first);
        snprintf(end, sizeof end, "0x%" PRIx64, b->end);
        json_object(j);
        json_string(json_key(j, "first"), first);
        json_string(json_key(j, "end"), end);
        whole_member(j, "reads", b->reads);
        whole_member(j, "writes", b->writes);
        whole_member(j, "atomics", b->atomics);
        whole_member(j, "l1_hits", b->l1_hits);
        whole_member(j, "l1_misses", b->l1_misses);
        whole_member(j, "l2_reads", b->l2_reads);
        whole_member(j, "l2_read_hits", b->l2_read_hits);
        whole_member(j, "l2_writes", b->l2_writes);
        whole_member(j, "l2_write_hits", b->l2_write_hits);
        json_end(j);
    }
    json_end(j);
}

void answer_sites_json(const struct site_counters *x, struct json *j)
{
    if (!x) return;
    loads_json(x, j);
    buffers_json(x, j);
}
