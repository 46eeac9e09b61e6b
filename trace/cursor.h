/* cursor.h - reading warps' streams.
 *
 * A reader belongs to one thread and holds the unpacked segments that its cursors stand in (reference counted,
 * recycled).  cursor_next decodes without allocation, except that entering a new segment may unpack one.
 * Cost per instruction: a few ns for arithmetic runs, some tens for irregular addresses. */
#ifndef PLUMB_TRACE_CURSOR_H
#define PLUMB_TRACE_CURSOR_H

#include "trace/program.h"

struct reader;
struct reader *reader_new(const struct program *p, struct error *e);
void reader_free(struct reader *r);

enum got { GOT_INST, GOT_END, GOT_ERROR };

/* Plain data owned by the caller; treat as opaque.  Zero it before the first cursor_seek. */
struct cursor {
    struct reader *reader;
    struct cursor_segment *segment; /* counted reference, NULL when at rest */
    uint32_t launch, warp, segment_no;
    uint64_t cta;
    uint64_t done;   /* instructions delivered since the warp's beginning (seek included) */
    const unsigned char *at, *end;
    const struct static_inst *code;
    uint64_t mask;
    uint32_t next_code, run; /* inside a run of consecutive static instructions */
    uint64_t *last;          /* predictor: per static memory instruction, its last base address; reader-owned */
    uint64_t list[WARP_MAX_LANES];
    uint8_t half; /* 64-wide source read 32 wide: 0 = whole, 1 = low, 2 = high half */
};

/* Stands before the first instruction of that warp in that segment.  Also moves a cursor in use.
 * false: *e (broken file, no memory). */
bool cursor_seek(struct cursor *c, struct reader *r, uint32_t launch, uint64_t cta, uint32_t warp, uint32_t segment,
                 struct error *e);
/* GOT_END: the stream is over (EXIT was the last instruction delivered).  *w stays valid until the cursor moves. */
enum got cursor_next(struct cursor *c, struct warp_inst *w, struct error *e);
/* Decodes and drops n instructions (fewer at the end of the stream: the number dropped is returned). */
uint64_t cursor_skip(struct cursor *c, uint64_t n, struct error *e);
void cursor_release(struct cursor *c); /* gives its segment back; the cursor may be used again */

#endif
