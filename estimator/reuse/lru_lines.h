/* lru_lines.h - the lines that an L1 of so many holds, by their last uses (LRU, any set).
 *
 * A line keeps its place, 0..lines-1, as long as it is held; what the caller keeps of it lies
 * there.  Memory: lru_lines_init allocates. */
#pragma once

#include "base/memory/hash_map.h"

struct lru_lines { /* youngest first */
    struct hash_map place;
    uint64_t *line;
    uint32_t *older, *younger, used, lines, first, last;
};

bool lru_lines_init(struct lru_lines *r, uint32_t lines); /* false: no memory */
void lru_lines_fini(struct lru_lines *r);
void lru_lines_clear(struct lru_lines *r);
/* Makes `line` the youngest; *at: its place.  Returns whether another one left, *left, whose place
 * it then has.  *failed is set without memory, else left alone. */
bool lru_lines_touch(struct lru_lines *r, uint64_t line, uint32_t *at, uint64_t *left,
                     bool *failed);
