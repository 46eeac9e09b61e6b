/* reader.c - a cache of decoded trace blocks for the cursors of one thread: a block is loaded
 * when the first cursor enters it, stays while one is inside, and the READER_AT_REST that were
 * left last stay longer. Memory of blocks and predictors is used again and never given back
 * before the end. */
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
    struct hash_map blocks; /* number -> index in all[] */
    struct trace_block **all;
    size_t n_all, all_cap;
    struct trace_block *oldest, *newest; /* list of the blocks without cursors */
    uint32_t at_rest;
    struct trace_block *unused; /* without content */
    struct arena arena;         /* predictors */
    struct free_predictors *free[SIZES];
};

struct reader *reader_new(const struct program *p, struct error *e)
{
    struct reader *r = mem_new(1, sizeof *r);
    if (r) {
        r->program = p;
        r->tools.codec = zstd_frame_new();
        if (r->tools.codec && hash_map_init(&r->blocks, 64)) return r;
        zstd_frame_free(r->tools.codec);
        mem_free(r);
    }
    error_no_memory(e);
    return NULL;
}

struct reader *reader_new_accesses(const struct program *p, struct error *e)
{
    struct reader *r = reader_new(p, e);
    if (r) r->tools.encoder.global_only = p->ops->narrows;
    return r;
}

const uint8_t *reader_slots(const struct reader *r, const struct code_table *code)
{
    return r->tools.encoder.global_only ? code->global_slot : code->slot;
}

void reader_free(struct reader *r)
{
    if (!r) return;
    for (size_t i = 0; i < r->n_all; i++) {
        bytes_fini(&r->all[i]->bytes);
        mem_free(r->all[i]);
    }
    mem_free(r->all);
    hash_map_fini(&r->blocks);
    arena_fini(&r->arena);
    segment_encoder_fini(&r->tools.encoder);
    zstd_frame_free(r->tools.codec);
    mem_free(r);
}

const struct program *reader_program(const struct reader *r)
{
    return r->program;
}

static void take_from_rest(struct reader *r, struct trace_block *b)
{
    *(b->older ? &b->older->newer : &r->oldest) = b->newer;
    *(b->newer ? &b->newer->older : &r->newest) = b->older;
    b->older = b->newer = NULL;
    r->at_rest--;
}

static void lay_to_rest(struct reader *r, struct trace_block *b)
{
    b->older = r->newest;
    b->newer = NULL;
    *(b->older ? &b->older->newer : &r->oldest) = b;
    r->newest = b;
    r->at_rest++;
}

static void retire_oldest(struct reader *r)
{
    struct trace_block *b = r->oldest;
    take_from_rest(r, b);
    hash_map_del(&r->blocks, b->number);
    b->newer = r->unused;
    r->unused = b;
}

void reader_leave(struct reader *r, struct trace_block *b)
{
    if (--b->refs > 0) return;
    lay_to_rest(r, b);
    if (r->at_rest > READER_AT_REST) retire_oldest(r);
}

static struct trace_block *blank_block(struct reader *r)
{
    struct trace_block *b = r->unused;
    if (b) {
        r->unused = b->newer;
        b->newer = NULL;
        return b;
    }
    if (!mem_grow(&r->all, &r->all_cap, r->n_all + 1, sizeof(struct trace_block *))) return NULL;
    b = mem_new(1, sizeof *b);
    if (!b) return NULL;
    b->index = (uint32_t)r->n_all;
    r->all[r->n_all++] = b;
    return b;
}

static void discard_block(struct reader *r, struct trace_block *b)
{
    b->newer = r->unused;
    r->unused = b;
}

struct trace_block *reader_enter(struct reader *r, uint64_t number, struct error *e)
{
    uint32_t *found = hash_map_get(&r->blocks, number);
    if (found) {
        struct trace_block *b = r->all[*found];
        if (b->refs++ == 0) take_from_rest(r, b);
        return b;
    }
    struct trace_block *b = blank_block(r);
    if (!b) {
        error_no_memory(e);
        return NULL;
    }
    b->bytes.n = 0;
    b->bytes.failed = false;
    if (!r->program->ops->load(r->program, number, &r->tools, &b->bytes, e)) {
        discard_block(r, b);
        return NULL;
    }
    if (!hash_map_put(&r->blocks, number, b->index)) {
        error_no_memory(e);
        discard_block(r, b);
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

struct address_predictor *reader_predictors(struct reader *r, uint32_t slots)
{
    unsigned k = size_class(slots);
    struct free_predictors *f = r->free[k];
    if (!f) return arena_new(&r->arena, (size_t)1 << k, sizeof(struct address_predictor));
    r->free[k] = f->next;
    return (struct address_predictor *)(void *)f;
}

void reader_return_predictors(struct reader *r, struct address_predictor *p, uint32_t slots)
{
    unsigned k = size_class(slots);
    struct free_predictors *f = (struct free_predictors *)(void *)p;
    f->next = r->free[k];
    r->free[k] = f;
}
