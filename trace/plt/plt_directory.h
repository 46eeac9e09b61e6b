/* plt_directory.h - what is known of a .plt file that is open; inside trace/plt alone. */
#pragma once

#include "base/io/file.h"
#include "base/memory/arena.h"
#include "trace/plt/plt.h"
#include "trace/program/source.h"

struct frame {
    uint64_t offset, checksum, raw, segments;
    uint32_t packed;
};

struct segment_entry {
    uint32_t frame, offset, size;
};

struct launch_index {
    struct segment_entry *segment;
    uint64_t *before; /* instructions before each segment in its CTA; NULL: one segment per CTA */
    uint64_t *first;  /* first segment of each CTA, and one more; NULL: one per CTA */
    uint64_t n;
    uint64_t *start; /* instructions before each CTA, and of all; NULL: all have the same */
    uint64_t each;   /* instructions of a CTA, where all have the same */
};

struct plt {
    struct filemap map;
    struct arena arena; /* names, headers, notes */
    struct code_table *table;
    struct frame *frame;
    struct launch_index *index;
    uint64_t n_tables, n_frames, n_launches;
    struct digest content, chain;
};

/* false, *e says what is damaged. */
bool plt_damaged(const struct program *p, const char *what, struct error *e);
/* Reads all frames and compares their digest with the file's. */
bool plt_verify(const struct program *p, struct block_tools *t, struct error *e);
