/* segment.h - a segment: the encoded streams of all warps of one CTA between two seek points.
 *
 *   segment = varint slots,
 *             slots x (signed base step, signed stride): the first access of each predictor slot,
 *             warps x (flags, varint body bytes, varint done, [varint done low, varint done high]),
 *             warps x body
 *
 * `done` counts the warp's instructions before the segment; 64-wide sources also count what each
 * half delivers when they are read 32 wide. A body is a string of tokens; a token's first byte has
 * its kind in the low two bits and a value in the others (63: a varint with the rest follows).
 *
 *   RUN n    the next n + 1 static instructions in a row with the current mask; then one address
 *            record for each of them that has addresses, if the mask is not empty
 *   JUMP d   signed step from the next static instruction
 *   MASK m   0 = all lanes, 1 = the mask before the last change, 2 = varint xor with the current
 *            mask
 *
 * An address record starts with one byte (enum address_record) and is relative to the predictor of
 * its slot: the last base, the last step of the base, the last stride. At the beginning of a
 * segment a warp has mask = all lanes, next static instruction 0, and predictors (base, 0, stride)
 * from the slot table.
 *
 * One encoder per thread; it is reused from segment to segment and allocates only to grow. */
#pragma once

#include "trace/stream/code_table.h"
#include "trace/stream/inst.h"
#include "trace/stream/varint.h"

enum segment_token { TOKEN_RUN, TOKEN_JUMP, TOKEN_MASK };
enum { TOKEN_INLINE = 63 }; /* values from here on continue in a varint */
enum segment_mask { MASK_FULL, MASK_SWAP, MASK_XOR };

enum address_record {
    RECORD_SAME,   /* same step, same stride */
    RECORD_STEP,   /* signed step; same stride */
    RECORD_STRIDE, /* signed stride, signed step */
    RECORD_LIST,   /* signed step, then a signed difference for each further lane */
    RECORD_RUNS /* signed step, then (signed difference, varint lanes) until all lanes are told */
};

/* Flags of a warp; bit h: half h had nothing left to deliver when the segment began. */
enum {
    WARP_OVER_LOW = 1,
    WARP_OVER_HIGH = 2,
    WARP_FINAL = 4 /* the stream ends in this segment */
};

struct address_predictor {
    uint64_t base;
    int64_t step, stride;
};

/* A warp's position. */
struct warp_progress {
    uint64_t done, half[2];
    uint8_t over; /* WARP_OVER_* */
};

struct segment_warp {
    struct warp_progress start;
    uint64_t bytes;
    bool final;
};

/* An instruction's last list of addresses with repeating steps: how far its lanes are from the
 * first, and the bytes that say so. Most such lists lie as the one before did; they are compared,
 * not encoded again. */
enum { ENCODED_LISTS = 32, ENCODED_BYTES = 120 };
struct encoded_list {
    uint64_t from_first[WARP_MAX_LANES];
    uint32_t lanes; /* 0: none yet */
    uint8_t kind, n;
    unsigned char bytes[ENCODED_BYTES];
};

struct segment_encoder {
    /* Set by the owner: only accesses to global memory have addresses (source_ops.narrows). */
    bool global_only;
    const struct code_table *code;
    const uint8_t *slot; /* of the code table, as global_only says */
    uint32_t width;
    uint64_t full;
    struct bytes body, pending; /* pending: address records of the open run */
    struct encoded_list *list;  /* [ENCODED_LISTS], by code; NULL: no list has come yet */
    struct segment_warp *warps;
    size_t warps_cap;
    uint32_t n_warps;
    struct address_predictor first[CODE_SLOTS], last[CODE_SLOTS];
    bool first_known[CODE_SLOTS];
    uint32_t last_warp[CODE_SLOTS]; /* the warp to which `last` belongs, plus one */
    /* state of the open warp */
    struct warp_progress now;
    uint64_t body_start, mask, swap;
    uint64_t run, counted; /* instructions of the open run; how many of them `now` has */
    uint32_t next_code;
    uint64_t instructions, half_instructions; /* of the segment, after segment_finish */
    bool failed;
};

void segment_begin(struct segment_encoder *s, const struct code_table *code, uint32_t width);
void segment_warp_begin(struct segment_encoder *s, const struct warp_progress *start);
/* Adds an instruction; reads w->code, mask and addresses. Precondition: w->code < code->n, mask
 * within the width. */
void segment_inst(struct segment_encoder *s, const struct warp_inst *w, bool last_of_warp);
/* Adds an access, no exit, whose active lanes are `stride` apart. */
void segment_strided(struct segment_encoder *s, uint32_t code, uint64_t mask, uint64_t base,
                     int64_t stride);
/* Adds the instructions from `from` to `to` - 1, none of which has addresses or is an exit, in a
 * time that does not depend on their number. */
void segment_plain(struct segment_encoder *s, uint32_t from, uint32_t to, uint64_t mask);
/* The warp's progress at the end; final: its stream ends here. */
struct warp_progress segment_warp_end(struct segment_encoder *s, bool final);
bool segment_finish(struct segment_encoder *s, struct bytes *out); /* appends; false: no memory */
void segment_encoder_fini(struct segment_encoder *s);

/* Which halves of a 64-wide instruction deliver it when it is read 32 wide, bit h = half h: those
 * with an active lane; and a final exit goes to every half whose last instruction was not an exit.
 */
uint8_t segment_warp_halves(uint64_t mask, bool is_exit, bool last_of_warp, uint8_t over);

/* --- reading --- */

/* The position of a warp's body and its state at the start. */
struct segment_view {
    struct segment_warp warp;
    const unsigned char *body, *end;
};

/* Parses the header of a segment of n_warps warps for warp `warp` and sets `predict[slots]`. false:
 * the bytes are no segment. */
bool segment_open(struct segment_view *v, struct address_predictor *predict, uint32_t slots,
                  uint32_t width, uint32_t n_warps, uint32_t warp, const unsigned char *bytes,
                  size_t n);
