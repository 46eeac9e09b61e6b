/* cursor.h - reading warps' streams.
 *
 * A reader belongs to one thread and holds the unpacked blocks of the segments that its cursors are
 * in (reference counted, recycled; a few unused ones are cached). cursor_next decodes without
 * allocation, except that entering a new segment may unpack one. Cost per instruction: a few ns for
 * arithmetic runs, some tens for irregular addresses.
 *
 * Halves: a 64-wide source on a 32-lane machine has one warp per 32 work-items; warp w reads half w
 * % 2 of the source's warp w / 2. A half delivers the instructions in which it has an active lane
 * and skips the others, predicated-off instructions included, with one exception: the stream's
 * final exit is delivered (with an empty mask) to a half whose last instruction was not an exit, so
 * that every half ends with one. */
#pragma once

#include "trace/program/program.h"

struct reader;
struct reader *reader_new(const struct program *p, struct error *e);
/* For cursor_next_access alone: sources that make their streams leave out what it passes. */
struct reader *reader_new_accesses(const struct program *p, struct error *e);
/* precondition: all its cursors are released or no longer used. */
void reader_free(struct reader *r);

enum got { GOT_INST, GOT_END, GOT_ERROR };

/* Plain data owned by the caller; treat as opaque.  Zero it before the first cursor_seek. */
struct cursor {
    /* used by every instruction */
    const struct static_inst *code;
    const uint8_t *slot;
    const unsigned char *at, *end;
    struct address_predictor *predict; /* from the reader, one per predictor slot */
    uint64_t mask;
    uint64_t done; /* instructions delivered since the warp's beginning (seek included) */
    uint32_t next_code, run, n_code; /* inside a run of consecutive static instructions */
    uint8_t half; /* 64-wide source read 32 wide: 0 = whole, 1 = low, 2 = high half */
    bool final;   /* the stream ends in this segment */
    bool over;    /* the half's last instruction was an exit */
    /* used when masks or segments change */
    uint64_t swap, full;
    struct reader *reader;
    struct trace_block *block; /* counted reference, NULL when at rest */
    uint32_t launch, warp, segment_no, segments, slots;
    uint64_t cta;
    uint64_t list[WARP_MAX_LANES];
};

/* Moves a cursor, new or in use, to the first instruction of that warp in that segment. false: *e
 * (broken file, no memory); the cursor is then at rest. */
bool cursor_seek(struct cursor *c, struct reader *r, uint32_t launch, uint64_t cta, uint32_t warp,
                 uint32_t segment, struct error *e);
/* GOT_END: the stream is over (EXIT was the last instruction delivered).  *w stays valid until the
 * cursor moves; it is written only with GOT_INST.  Repeating after GOT_END gives GOT_END again. */
enum got cursor_next(struct cursor *c, struct warp_inst *w, struct error *e);
/* As cursor_next, but passes everything before the next load, store or atomic to global memory.
 * cursor.done counts what was passed, too (but not a half's final exit without lanes). */
enum got cursor_next_access(struct cursor *c, struct warp_inst *w, struct error *e);
/* Decodes and drops n instructions (fewer at the end of the stream or on an error, which sets *e:
 * the number dropped is returned). */
uint64_t cursor_skip(struct cursor *c, uint64_t n, struct error *e);
void cursor_release(struct cursor *c); /* gives its block back; the cursor may be used again */
