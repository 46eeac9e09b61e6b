/* lru_lines.c - see lru_lines.h: a list by age, found by line. */
#include "estimator/reuse/lru_lines.h"

#include "base/memory/alloc.h"

#include <assert.h>

bool lru_lines_init(struct lru_lines *r, uint32_t lines)
{
    r->lines = lines;
    r->line = mem_new(lines, sizeof *r->line);
    r->older = mem_new(lines, sizeof *r->older);
    r->younger = mem_new(lines, sizeof *r->younger);
    return hash_map_init(&r->place, lines) && r->line && r->older && r->younger;
}

void lru_lines_fini(struct lru_lines *r)
{
    hash_map_fini(&r->place);
    mem_free(r->line);
    mem_free(r->older);
    mem_free(r->younger);
}

void lru_lines_clear(struct lru_lines *r)
{
    hash_map_clear(&r->place);
    r->used = r->first = r->last = 0;
}

static void take_out(struct lru_lines *r, uint32_t i)
{
    if (i == r->first)
        r->first = r->older[i];
    else
        r->older[r->younger[i]] = r->older[i];
    if (i == r->last)
        r->last = r->younger[i];
    else
        r->younger[r->older[i]] = r->younger[i];
}

static void put_first(struct lru_lines *r, uint32_t i, bool alone)
{
    r->older[i] = r->first;
    if (alone)
        r->last = i;
    else
        r->younger[r->first] = i;
    r->first = i;
}

bool lru_lines_touch(struct lru_lines *r, uint64_t line, uint32_t *at, uint64_t *left, bool *failed)
{
    const uint32_t *known = hash_map_get(&r->place, line);
    assert(r->lines);
    bool held = known != NULL, full = !held && r->used == r->lines;
    uint32_t i = held ? *known : full ? r->last : r->used;
    *at = i;
    if (held && i == r->first) return false;
    if (held || full) take_out(r, i);
    if (full) {
        *left = r->line[i];
        hash_map_del(&r->place, *left);
    }
    put_first(r, i, r->lines == 1 || (!held && !full && !r->used));
    if (held) return false;
    r->used += !full;
    r->line[i] = line;
    if (!hash_map_put(&r->place, line, i)) *failed = true;
    return full;
}
