/* write_combine.c - the lines in which an L1 combines stores. All are searched for a line number;
 * the line whose last store is oldest is replaced. l1_access.c says when stores are combined and
 * sends what is replaced. */
#include "detailed/l1/write_combine.h"

#include "base/memory/alloc.h"

#include <string.h>

bool combine_init(struct combine *c, uint32_t lines)
{
    *c = (struct combine){.line = mem_new(lines, sizeof *c->line), .lines = lines};
    return c->line != NULL;
}

void combine_fini(struct combine *c)
{
    mem_free(c->line);
    *c = (struct combine){0};
}

void combine_clear(struct combine *c)
{
    if (c->line) memset(c->line, 0, c->lines * sizeof *c->line);
    c->used = 0;
    c->stores = 0;
}

static bool in_use(const struct combine_line *l)
{
    return l->bytes[0] || l->bytes[1];
}

struct combine_line *combine_find(const struct combine *c, uint64_t tag)
{
    for (uint32_t i = 0; c->used && i < c->lines; i++)
        if (in_use(&c->line[i]) && c->line[i].tag == tag) return &c->line[i];
    return NULL;
}

struct combine_line *combine_oldest(const struct combine *c)
{
    struct combine_line *best = NULL;
    for (uint32_t i = 0; i < c->lines; i++) {
        struct combine_line *l = &c->line[i];
        if (in_use(l) && (!best || l->last < best->last)) best = l;
    }
    return best;
}

static struct combine_line *unused_line(const struct combine *c)
{
    struct combine_line *l = c->line;
    while (in_use(l))
        l++;
    return l;
}

void combine_put(struct combine *c, struct combine_line *at, uint64_t tag, const uint64_t bytes[2])
{
    if (!at) {
        at = unused_line(c);
        at->tag = tag;
        c->used++;
    }
    at->bytes[0] |= bytes[0];
    at->bytes[1] |= bytes[1];
    at->last = c->stores++;
}

void combine_free(struct combine *c, struct combine_line *at)
{
    *at = (struct combine_line){0};
    c->used--;
}
