/* capture.h - builds a program from the events of lanes, for a front end that executes kernels.
 *
 * The front end describes a kernel as pieces of straight-line code (reconverge.h), each with its
 * warp instructions. It then reports, lane by lane, which pieces were visited and which addresses
 * the memory instructions in them (steps) accessed. Lanes may come in any order and run ahead of
 * each other; capture_flush merges the recorded events into warp instructions.
 *
 * An instruction that may access memory is a step of its piece: whenever a lane passes it, the lane
 * reports its accesses, none or several. Access k of all lanes becomes one warp instruction per
 * part of at most 16 bytes, with the lanes that made it active. Instructions may be added to a
 * piece until the end, since a step shows its accesses when it is first executed.
 *
 * Order of calls: capture_launch_begin, then per CTA capture_cta_begin, lanes' events with
 * capture_flush after every barrier, capture_cta_end; capture_launch_end. Copies between launches.
 * Wrong order asserts. After a false return only capture_abort is allowed.
 *
 * Units: addresses in bytes, as the trace will show them. Ownership: the kernel belongs to the
 * front end and outlives its launch. */
#pragma once

#include "trace/capture/reconverge.h"
#include "trace/plt/writer.h"

enum { CAPTURE_PART_BYTES = 16, CAPTURE_NO_STEP = 0xffff };

struct capture_op {
    struct static_inst si; /* pc is assigned when the instruction enters the launch's table */
    const char *mnemonic;  /* outlives the kernel */
    uint32_t line;         /* orders the instructions of a piece */
    uint16_t step, slot;   /* it makes the slot-th access of that step; or CAPTURE_NO_STEP */
    uint32_t offset;       /* its part of the access */
    uint32_t code;         /* index in the launch's table; UINT32_MAX: not there yet */
};

struct capture_piece {
    struct capture_op *op; /* by line */
    size_t n, cap;
    uint32_t steps;
};

struct capture_kernel {
    struct capture_piece *piece; /* order.n of them */
    struct merge_order order;
};

/* Which operands of a wide access have a register for so many bytes of it, so that each part has
 * its own; 0: one for all. data: what is stored, src[0]. */
struct capture_wide {
    uint32_t dst_bytes, data_bytes;
};

/* Adds an instruction after those of the same line. An access of `bytes` bytes becomes as many
 * instructions as it has parts; only the last writes si->dst, unless `wide` says more (may be
 * NULL). false: no memory. */
bool capture_add_op(struct capture_piece *p, const struct capture_op *op);
bool capture_add_access(struct capture_piece *p, const struct capture_op *op, uint64_t bytes,
                        const struct capture_wide *wide);
void capture_kernel_fini(struct capture_kernel *k);

struct capture;
struct capture *capture_new(const char *path, uint32_t warp_width, const char *note,
                            struct error *e);
bool capture_note(struct capture *c, const char *text); /* stored in the file */
bool capture_copy(struct capture *c, enum command_kind kind, uint64_t addr, uint64_t bytes,
                  struct error *e);
bool capture_launch_begin(struct capture *c, const struct launch *l, struct error *e);
/* Sets the kernel of the open launch, at the latest before the first visit. */
void capture_set_kernel(struct capture *c, struct capture_kernel *k);
bool capture_cta_begin(struct capture *c, struct error *e);
/* Records that a lane visits a piece at a call depth. false: no memory. */
bool capture_visit(struct capture *c, uint32_t lane, uint32_t piece, uint32_t depth);
/* Records that a lane passes a step, with its n accesses in order. */
bool capture_step(struct capture *c, uint32_t lane, const uint64_t *addr, uint32_t n);
bool capture_flush(struct capture *c, struct error *e);

/* The events of a lane that the front end keeps itself: visits as reconverge_visit makes them, and
 * one word for each step, which lie one below the other. What a word is, the front end knows. */
struct capture_log {
    const uint32_t *visit;
    const uint64_t *word; /* behind the first step's word */
    size_t n_visits;
    bool open, going; /* more events may follow; the last visit is not over (reconverge.h) */
    size_t visits_taken, words_taken; /* set by capture_merge */
};
/* Makes addresses of the words of the lanes in a mask, in lane order, for an instruction. The lanes
 * that access memory by it, to whose addresses the list is cut down. */
typedef uint64_t capture_place(const struct capture_op *op, uint64_t mask, uint64_t *word);
/* Merges the events of a warp's lanes, n of them: all, or, of open lanes, those that no later event
 * changes. */
bool capture_merge(struct capture *c, uint32_t warp, struct capture_log *log, uint32_t n,
                   capture_place *place, struct error *e);
bool capture_cta_end(struct capture *c, struct error *e);
bool capture_launch_end(struct capture *c, struct error *e);
uint64_t capture_launches(const struct capture *c);      /* finished ones */
bool capture_commit(struct capture *c, struct error *e); /* frees c in either case */
void capture_abort(struct capture *c);
