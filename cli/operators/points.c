/* points.c - which parts of a model at which sizes make the steps of a server; see operators.h. */
#include "cli/operators/operators.h"

#include "base/memory/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const operators_part_name[PARTS] = {"edges", "dense", "head", "prefill", "decode"};

/* --- the model --- */

static bool find_parameter(const struct program *p, const char *name, uint32_t *v)
{
    struct program_parameter at;
    for (uint32_t i = 0; program_parameter_at(p, i, &at); i++)
        if (strcmp(at.name, name) == 0) return *v = (uint32_t)strtoul(at.value, NULL, 10), true;
    return false;
}

bool operators_model_read(struct operators_model *m, const struct program *p, const char *name,
                          struct error *e)
{
    const struct {
        const char *name;
        uint32_t *at;
    } sizes[] = {
        {"layers", &m->layers},     {"hidden", &m->hidden},     {"heads", &m->heads},
        {"kv_heads", &m->kv_heads}, {"head_dim", &m->head_dim}, {"ffn", &m->ffn},
        {"vocab", &m->vocab},       {"gated", &m->gated},       {"experts", &m->experts},
        {"top_k", &m->top_k},       {"page", &m->page},         {"cache_heads", &m->cache_heads}};
    m->name = name;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!find_parameter(p, sizes[i].name, sizes[i].at))
            return error_input(e,
                               "%s is no model that is served: it has no parameter %s; 'plumb "
                               "program list' names such models under serving/",
                               name, sizes[i].name);
    if (m->cache_heads == 0 || m->layers == 0 || m->page == 0)
        return error_input(e, "%s: layers, cache_heads and page are at least 1", name);
    return true;
}

uint32_t operators_active(const struct operators_model *m, uint32_t tokens)
{
    uint64_t reached = (uint64_t)tokens * m->top_k;
    return reached < m->experts ? (uint32_t)reached : m->experts;
}

/* --- lists of sizes --- */

enum { SIZE_MOST = 1 << 20, SIZES_MOST = 4096 };

static bool add_size(struct operators_sizes *s, uint64_t v)
{
    if (!mem_grow(&s->v, &s->cap, s->n + 1, sizeof *s->v)) return false;
    s->v[s->n++] = (uint32_t)v;
    return true;
}

/* "16", "1-16" or "32-512/32", from *s to its end. */
static bool read_sizes(const char **s, uint64_t v[3])
{
    v[2] = 1;
    if (!text_whole(s, 10, &v[0])) return false;
    v[1] = v[0];
    if (**s == '-' && (++*s, !text_whole(s, 10, &v[1]))) return false;
    if (**s == '/' && (++*s, !text_whole(s, 10, &v[2]))) return false;
    return v[0] >= 1 && v[0] <= v[1] && v[1] <= SIZE_MOST && v[2] >= 1;
}

bool operators_sizes_read(struct operators_sizes *s, const char *option, const char *text,
                          struct error *e)
{
    for (const char *at = text; at; at = *at ? at + 1 : NULL) {
        uint64_t v[3];
        if (!read_sizes(&at, v) || (*at && *at != ','))
            return error_input(e,
                               "--%s %s: expected whole numbers from 1 to %d, such as 1,16,512 or "
                               "1-16,32-512/32 (FIRST-LAST/STEP)",
                               option, text, SIZE_MOST);
        for (uint64_t x = v[0]; x <= v[1]; x += v[2]) {
            if (s->n == SIZES_MOST)
                return error_input(e, "--%s %s: more than %d sizes; use a larger step", option,
                                   text, SIZES_MOST);
            if (!add_size(s, x)) return error_no_memory(e);
        }
    }
    return true;
}

/* --- points --- */

bool operators_same_point(const struct operators_point *a, const struct operators_point *b)
{
    return a->part == b->part && a->tokens == b->tokens && a->batch == b->batch &&
           a->context == b->context;
}

static bool add_point(struct operators_table *t, struct operators_point at)
{
    for (uint32_t i = 0; i < t->n_points; i++)
        if (operators_same_point(&t->point[i], &at)) return true;
    if (!mem_grow(&t->point, &t->cap_points, (size_t)t->n_points + 1, sizeof *t->point))
        return false;
    t->point[t->n_points++] = at;
    return true;
}

/* What a step needs besides attention. */
static bool add_step(struct operators_table *t, uint32_t tokens, uint32_t sequences)
{
    return add_point(t, (struct operators_point){.part = PART_EDGES, .tokens = tokens}) &&
           add_point(t, (struct operators_point){.part = PART_DENSE, .tokens = tokens}) &&
           add_point(t, (struct operators_point){.part = PART_HEAD, .batch = sequences});
}

bool operators_points(struct operators_table *t, const struct operators_sizes *tokens,
                      const struct operators_sizes *batch, const struct operators_sizes *context)
{
    for (size_t i = 0; i < tokens->n; i++) {
        struct operators_point at = {.part = PART_PREFILL, .tokens = tokens->v[i]};
        if (!add_step(t, tokens->v[i], 1) || !add_point(t, at)) return false;
    }
    for (size_t i = 0; i < batch->n; i++) {
        if (!add_step(t, batch->v[i], batch->v[i])) return false;
        for (size_t k = 0; k < context->n; k++) {
            struct operators_point at = {
                .part = PART_DECODE, .batch = batch->v[i], .context = context->v[k]};
            if (!add_point(t, at)) return false;
        }
    }
    return true;
}

/* --- programs --- */

/* As many parts as give every SM work, but no more than there are tiles of 128 keys. */
static uint32_t splits_of(const struct operators_model *m, const struct operators_point *at,
                          uint32_t sms)
{
    enum { TILE_KEYS = 128 };
    uint64_t ctas = (uint64_t)at->batch * m->cache_heads;
    uint32_t wanted = (uint32_t)(sms / ctas), tiles = (at->context + TILE_KEYS - 1) / TILE_KEYS;
    if (wanted > tiles) wanted = tiles;
    return wanted > 1 ? wanted : 1;
}

/* Of a CTA that norms a row, as vLLM launches it (csrc/layernorm_kernels.cu): 16 bytes a thread,
 * and more rows side by side where there are many. */
static uint32_t norm_threads(const struct operators_model *m, uint32_t tokens)
{
    uint32_t most = tokens < 256 ? 1024 : 256, whole = m->hidden / 8;
    return whole < most ? whole : most;
}

static void add_experts(const struct operators_model *m, uint32_t tokens, struct text *out)
{
    uint64_t rows = (uint64_t)tokens * m->top_k, active = operators_active(m, tokens);
    if (m->experts > 1)
        text_add(out, " active=%" PRIu64 " expert_rows=%" PRIu64, active,
                 (rows + active - 1) / active);
}

void operators_spec(const struct operators_model *m, const struct operators_point *at, uint32_t sms,
                    struct text *out)
{
    text_add(out, "%s", m->name);
    if (at->part != PART_DENSE) text_add(out, " dense=0 %s=1", operators_part_name[at->part]);
    if (at->tokens) text_add(out, " tokens=%" PRIu32, at->tokens);
    if (at->part == PART_DENSE) add_experts(m, at->tokens, out);
    if (at->part == PART_DENSE || at->part == PART_EDGES)
        text_add(out, " norm_threads=%" PRIu32, norm_threads(m, at->tokens));
    if (at->part == PART_HEAD) text_add(out, " sequences=%" PRIu32, at->batch);
    if (at->part != PART_DECODE) return;
    uint32_t splits = splits_of(m, at, sms);
    text_add(out, " batch=%" PRIu32 " context=%" PRIu32, at->batch, at->context);
    if (splits > 1) text_add(out, " splits=%" PRIu32 " combine=1", splits);
}
