/* answer_sites.c - what was counted by instruction and buffer, as JSON. */
#include "engine/answer_sites.h"

#include "detailed/observe/site_counters.h"

#include <inttypes.h>
#include <stdio.h>

static void whole(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_integer(j, (int64_t)v);
}

static void text(struct json *j, const char *key, const char *s)
{
    json_key(j, key);
    json_string(j, s);
}

static void load_json(const struct site *x, const char *kernel, struct json *j)
{
    json_object(j);
    text(j, "kernel", kernel);
    whole(j, "pc", x->pc);
    text(j, "opcode", x->opcode);
    text(j, "class", op_class_name[x->cls]);
    text(j, "space", mem_space_name[x->space]);
    whole(j, "bytes", x->width);
    whole(j, "executions", x->executions);
    whole(j, "lanes", x->lanes);
    whole(j, "accesses", x->accesses);
    whole(j, "l1_hits", x->hits);
    whole(j, "l1_misses", x->misses);
    json_key(j, "latency_mean");
    json_number(j, (double)x->latency / (double)x->executions);
    whole(j, "latency_max", x->longest);
    json_end(j);
}

static void loads_json(const struct sites *x, struct json *j)
{
    json_key(j, "loads");
    json_array(j);
    for (uint32_t k = 0; k < x->n_kernels; k++)
        for (uint32_t i = 0; i < x->kernel[k].n; i++)
            if (x->kernel[k].site[i].executions)
                load_json(&x->kernel[k].site[i], x->kernel[k].name, j);
    json_end(j);
}

static void buffers_json(const struct sites *x, struct json *j)
{
    json_key(j, "buffers");
    json_array(j);
    for (uint32_t i = 0; i < x->n_buffers; i++) {
        const struct buffer_counts *b = &x->buffer[i];
        char first[24], end[24];
        snprintf(first, sizeof first, "0x%" PRIx64, b->first);
        snprintf(end, sizeof end, "0x%" PRIx64, b->end);
        json_object(j);
        text(j, "first", first);
        text(j, "end", end);
        whole(j, "reads", b->reads);
        whole(j, "writes", b->writes);
        whole(j, "atomics", b->atomics);
        whole(j, "l1_hits", b->l1_hits);
        whole(j, "l1_misses", b->l1_misses);
        whole(j, "l2_reads", b->l2_reads);
        whole(j, "l2_read_hits", b->l2_read_hits);
        whole(j, "l2_writes", b->l2_writes);
        whole(j, "l2_write_hits", b->l2_write_hits);
        json_end(j);
    }
    json_end(j);
}

void answer_sites_json(const struct sites *x, struct json *j)
{
    if (!x) return;
    loads_json(x, j);
    buffers_json(x, j);
}
