/* map.c - index maps: names and life; see map.h. map_text.c reads expressions, map_poly.c keeps
 * forms, map_run.c walks. */
#include "base/memory/alloc.h"
#include "trace/generators/map_parts.h"

#include <string.h>

/* --- names --- */

static uint32_t hash_name(const char *name)
{
    uint32_t h = 1;
    for (; *name; name++)
        h = h * 31 + (unsigned char)*name;
    return h;
}

const struct map_name *map_find_name(const struct index_map *m, const char *name)
{
    for (uint32_t i = m->first_name[hash_name(name) % MAP_BUCKETS]; i; i = m->name[i - 1].next)
        if (strcmp(m->name[i - 1].name, name) == 0) return &m->name[i - 1];
    return NULL;
}

static void keep_name(struct index_map *m, const struct map_name *n)
{
    struct map_name *old = (struct map_name *)map_find_name(m, n->name);
    uint32_t *first = &m->first_name[hash_name(n->name) % MAP_BUCKETS];
    if (!old && !mem_grow(&m->name, &m->name_cap, m->n_names + 1, sizeof *n)) {
        m->failed = true;
        return;
    }
    struct map_name *at = old ? old : &m->name[m->n_names];
    uint32_t next = old ? old->next : *first;
    *at = *n;
    at->next = next;
    if (!old) *first = ++m->n_names;
}

bool map_reserves(const char *name)
{
    static const char *const reserved[] = {
        "cta",         "warp",    "step", "lane", "thread", "first", "lanes", "warps", "ctas",
        "cta_threads", "threads", "min",  "max",  "xor",    "power", "below", "zipf",  "permuted"};
    for (uint32_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0) return true;
    return false;
}

void map_let(struct index_map *m, const char *name, const char *expression)
{
    struct map_name n = {.name = name, .value = map_parse(m, expression)};
    m->reading = NULL;
    keep_name(m, &n);
}

void map_set(struct index_map *m, const char *name, int64_t value)
{
    keep_name(m, &(struct map_name){.name = name, .value.constant = value});
}

void map_define(struct index_map *m, const char *name, map_function *f, uint32_t arguments)
{
    keep_name(m, &(struct map_name){.name = name, .call = f, .arguments = arguments});
}

bool map_is_even(const struct index_map *m, uint32_t form, int64_t *stride)
{
    int32_t vector = m->form[form].vector;
    *stride = vector == MAP_NONE ? 0 : m->vector[vector].stride;
    return vector == MAP_NONE || !m->vector[vector].n;
}

bool map_is_of_warps(const struct index_map *m, uint32_t condition)
{
    return !(m->condition[condition].with & ~(uint32_t)WITH_WARP);
}

const char *map_error(const struct index_map *m)
{
    return m->error;
}

bool map_out_of_memory(const struct index_map *m)
{
    return m->failed;
}

/* --- life --- */

static void add_variables(struct index_map *m)
{
    const struct generator *g = m->g;
    static const char *const names[] = {"cta", "warp", "step", "lane"};
    static const uint32_t with[] = {WITH_CTA, WITH_WARP, WITH_STEP, 0};
    const int64_t end[] = {g->c.ctas, g->warps, g->c.iterations, g->width};
    for (uint32_t i = 0; i < MAP_VARIABLES; i++) {
        struct map_atom a = {.operation = ATOM_VARIABLE, .hi = end[i] - 1};
        a.vector = i == MAP_LANE;
        a.with = with[i];
        a.divisor = i; /* no two are equal */
        map_poly_keep_atom(m, &a);
        struct map_name n = {.name = names[i]};
        if (a.hi > 0) n.value = map_poly_of_atom(m, i); /* a variable that is always 0 is none */
        keep_name(m, &n);
    }
    map_set(m, "lanes", g->width);
    map_set(m, "warps", g->warps);
    map_set(m, "ctas", g->c.ctas);
    map_set(m, "threads", (int64_t)g->threads);
    map_set(m, "cta_threads", g->cta_threads);
    map_let(m, "thread", "warp * lanes + lane");
    map_let(m, "first", "cta * cta_threads + warp * lanes");
}

struct index_map *map_new(struct generator *g)
{
    struct index_map *m = mem_new(1, sizeof *m);
    if (!m) return NULL;
    m->g = g;
    if (!hash_map_init(&m->by_content, 256)) return mem_free(m), NULL;
    /* so that the terms of a form without any have a place, too */
    if (!mem_grow(&m->term, &m->term_cap, 1, sizeof *m->term)) m->failed = true;
    map_poly_keep(m, &(struct map_poly){0}); /* sum 0 */
    add_variables(m);
    return m;
}

void map_free(struct index_map *m)
{
    if (!m) return;
    mem_free(m->atom);
    mem_free(m->term);
    mem_free(m->sum);
    mem_free(m->vector);
    mem_free(m->form);
    mem_free(m->condition);
    mem_free(m->conjunct);
    mem_free(m->name);
    mem_free(m->table);
    mem_free(m->lanes);
    mem_free(m->error);
    hash_map_fini(&m->by_content);
    mem_free(m);
}
