/* write_combine.h - the write-combining lines of an L1 (l1.write = combine). Each holds a line
 * number and the mask of its stored bytes; the one whose last store is oldest is replaced. The
 * owner sends what is replaced.
 *
 * Memory: combine_init allocates. Source: [A]; the write-combining buffers of GPUs and CPUs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct combine_line {
    uint64_t tag;
    uint64_t bytes[2]; /* by byte of the line; none: free */
    uint64_t last;     /* number of the last store to it */
};

struct combine {
    struct combine_line *line;
    uint32_t lines, used;
    uint64_t stores;
};

bool combine_init(struct combine *c, uint32_t lines); /* false: no memory */
void combine_fini(struct combine *c);
void combine_clear(struct combine *c);
struct combine_line *combine_find(const struct combine *c, uint64_t tag); /* NULL: not there */
struct combine_line *combine_oldest(const struct combine *c);             /* of those in use */
/* Adds stored bytes of a line. `at`: its entry, or NULL; then there must be room. */
void combine_put(struct combine *c, struct combine_line *at, uint64_t tag, const uint64_t bytes[2]);
void combine_free(struct combine *c, struct combine_line *at);
