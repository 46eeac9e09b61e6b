#include "trace/program/reader.h"

#include "base/memory/alloc.h"
#include "base/memory/arena.h"
#include "base/memory/hash_map.h"

enum { SIZES = 8 }; /* predictor blocks of 1, 2, 4 ... CODE_SLOTS */

struct free_predictors {
    struct free_predictors *next;
};

struct reader {
    const struct program *program;
    struct block_tools tools;
    struct linemap blocks; /* number -> index in all[] */
    struct block **all;
    size_t n_all, all_cap;
    struct block *oldest, *newest; /* at rest */
    uint32_t at_rest;
    struct block *unused; /* without content */
    struct arena arena;   /* predictors */
    struct free_predictors *free[SIZES];
};

struct reader *reader_new(const struct program *p, struct error *e)
{
    struct reader *r = mem_new(1, sizeof *r);
    if (r) {
        r->program = p;
        r->tools.codec = codec_new();
        if (r->tools.codec && linemap_init(&r->blocks, 64)) return r;
        codec_free(r->tools.codec);
        mem_free(r);
    }
    error_no_memory(e);
    return NULL;
}

void reader_free(struct reader *r)
{
    if (!r) return;
    for (size_t i = 0; i < r->n_all; i++) {
        bytes_fini(&r->all[i]->bytes);
        mem_free(r->all[i]);
    }
    mem_free(r->all);
    linemap_fini(&r->blocks);
    arena_fini(&r->arena);
    segment_encoder_fini(&r->tools.encoder);
    codec_free(r->tools.codec);
    mem_free(r);
}

const struct program *reader_program(const struct reader *r)
{
    return r->program;
}

static void take_from_rest(struct reader *r, struct block *b)
{
    *(b->older ? &b->older->newer : &r->oldest) = b->newer;
    *(b->newer ? &b->newer->older : &r->newest) = b->older;
    b->older = b->newer = NULL;
    r->at_rest--;
}

static void lay_to_rest(struct reader *r, struct block *b)
{
    b->older = r->newest;
    b->newer = NULL;
    *(b->older ? &b->older->newer : &r->oldest) = b;
    r->newest = b;
    r->at_rest++;
}

static void retire_oldest(struct reader *r)
{
    struct block *b = r->oldest;
    take_from_rest(r, b);
    linemap_del(&r->blocks, b->number);
    b->newer = r->unused;
    r->unused = b;
}

void reader_leave(struct reader *r, struct block *b)
{
    if (--b->refs > 0) return;
    lay_to_rest(r, b);
    if (r->at_rest > READER_AT_REST) retire_oldest(r);
}

static struct block *blank_block(struct reader *r)
{
    struct block *b = r->unused;
    if (b) {
        r->unused = b->newer;
        b->newer = NULL;
        return b;
    }
    if (!mem_grow(&r->all, &r->all_cap, r->n_all + 1, sizeof(struct block *))) return NULL;
    b = mem_new(1, sizeof *b);
    if (!b) return NULL;
    b->index = (uint32_t)r->n_all;
    r->all[r->n_all++] = b;
    return b;
}

static void discard(struct reader *r, struct block *b)
{
    b->newer = r->unused;
    r->unused = b;
}

struct block *reader_enter(struct reader *r, uint64_t number, struct error *e)
{
    uint32_t *found = linemap_get(&r->blocks, number);
    if (found) {
        struct block *b = r->all[*found];
        if (b->refs++ == 0) take_from_rest(r, b);
        return b;
    }
    struct block *b = blank_block(r);
    if (!b) {
        error_no_memory(e);
        return NULL;
    }
    b->bytes.n = 0;
    b->bytes.failed = false;
    if (!r->program->ops->load(r->program, number, &r->tools, &b->bytes, e)) {
        discard(r, b);
        return NULL;
    }
    if (!linemap_put(&r->blocks, number, b->index)) {
        error_no_memory(e);
        discard(r, b);
        return NULL;
    }
    b->number = number;
    b->refs = 1;
    return b;
}

static unsigned size_class(uint32_t slots)
{
    unsigned k = 0;
    while ((1u << k) < slots)
        k++;
    return k;
}

struct predictor *reader_predictors(struct reader *r, uint32_t slots)
{
    unsigned k = size_class(slots);
    struct free_predictors *f = r->free[k];
    if (!f) return arena_new(&r->arena, (size_t)1 << k, sizeof(struct predictor));
    r->free[k] = f->next;
    return (struct predictor *)(void *)f;
}

void reader_return_predictors(struct reader *r, struct predictor *p, uint32_t slots)
{
    unsigned k = size_class(slots);
    struct free_predictors *f = (struct free_predictors *)(void *)p;
    f->next = r->free[k];
    r->free[k] = f;
}
