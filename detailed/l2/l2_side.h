/* l2_side.h - the structures beside the lines of an L2 slice (gpu/mechanisms/l2_mechanisms.h), as
 * one table of operations.
 *
 * l2_init puts those whose row of the table of mechanisms says that they are on into s->side, the
 * last of the table first; the miss policies ask them in this order. A structure has the operations
 * that it needs, and NULL for the others. What two of them would do, the first one does: an
 * operation that returns bool says whether it has.
 *
 * Time: cycles of the L2 clock. Memory: init allocates. */
#pragma once

#include "detailed/l2/l2.h"

/* Values of mshr_entry.phase, and stages of an entry of the FRC. The stages up to MOVE are a
 * victim's. */
enum stage {
    STAGE_INVALIDATE, /* L1 copies are being invalidated */
    STAGE_OUT,        /* its write-back or notice is in flight to memory */
    STAGE_ROOM,       /* a block of the victim cache is written back to make room for it */
    STAGE_MOVE,       /* it moves into the victim cache */
    STAGE_FETCH,      /* the block is fetched into a line in transition */
    STAGE_EARLY,      /* the block is fetched into an FRC entry, or is being swapped */
    STAGE_EXCHANGE,   /* victim and a block of the victim cache are exchanged */
    STAGE_REFUSED     /* the memory has no room for it; the answer is on its way */
};

struct l2_side_ops {
    enum l2_holder id;
    uint64_t (*bytes)(const struct l2_params *p);         /* of host memory */
    uint32_t (*lookup_cycles)(const struct l2_params *p); /* of its tags, behind the L2's */
    bool (*init)(struct l2_slice *s);                     /* false: no memory */
    void (*fini)(struct l2_slice *s);
    void (*clear)(struct l2_slice *s);
    void (*launch)(struct l2_slice *s); /* a launch begins */

    /* --- a request --- */
    /* Called once for each, when it is served, joins a fetch or begins one. */
    void (*accessed)(struct l2_slice *s, const struct req *r, const struct access_plan *p);
    void (*missed)(struct l2_slice *s, uint64_t addr, uint64_t now); /* a read's fetch has begun */
    void (*looked_up)(struct l2_slice *s); /* called for each that misses the L2's tags */
    bool (*holds)(const struct l2_slice *s, uint64_t tag); /* a block that is not to be fetched */
    /* Where a request for a block that leaves from the structure waits; LINE_NONE: none does. */
    uint32_t (*leaving)(const struct l2_slice *s, uint64_t tag);
    /* Serves a request, which misses tags and MSHRs, from a block of the structure. */
    bool (*serve)(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now);
    /* Takes a fetch instead of `line`, whose content it would evict. */
    bool (*take_miss)(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                      uint64_t now);
    /* Takes the block of a fetch that take_miss began. */
    bool (*fetched)(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
    void (*merged)(struct l2_slice *s, uint32_t entry); /* a request joined this fetch */

    /* --- a victim --- */
    /* Takes the handle's victim; l2_eviction_end follows. */
    bool (*take_victim)(struct l2_slice *s, struct l2_handle h, uint64_t now);
    /* A wait of a victim that it took has ended, in that stage. */
    void (*step_victim)(struct l2_slice *s, struct l2_handle h, enum stage stage, uint64_t now);
    /* Takes a dirty victim that would wait for the memory. */
    bool (*take_writeback)(struct l2_slice *s, uint64_t tag, uint8_t dirty);
    /* Delays what a return from memory means for the handle. */
    bool (*returned)(struct l2_slice *s, struct l2_handle h, uint64_t now);
    /* Takes the bytes that an L1 returns for a block of the structure. leaves: it is a victim that
     * waits for them; else it has been fetched and is not in its line yet. */
    bool (*take_bytes)(struct l2_slice *s, uint64_t tag, const struct access *a, uint32_t version,
                       bool leaves);
    /* Whether the block's line is exchanged now, so that the directory must not lock the block. */
    bool (*exchanges)(const struct l2_slice *s, uint64_t tag);
    /* Whether a block has come that is not in its line yet. */
    bool (*has_fetched)(const struct l2_slice *s, uint64_t tag);

    /* --- events --- */
    /* The wait of the structure's handle with that number has ended. */
    void (*ended)(struct l2_slice *s, uint32_t i, uint64_t now);
    /* A value of its queue s->timed[id] is due. */
    void (*due)(struct l2_slice *s, uint32_t value, uint64_t now);
    /* A line has left transition, or the directory has unlocked a block. */
    void (*line_ready)(struct l2_slice *s, uint64_t now);
    void (*replaced)(struct l2_slice *s, uint64_t tag); /* another block has taken its line */

    bool (*is_idle)(const struct l2_slice *s);
    bool (*check)(const struct l2_slice *s); /* every invariant */
    void (*stuck)(const struct l2_slice *s, struct text *out);
};

/* By holder; that of the MSHRs is NULL. */
extern const struct l2_side_ops *const l2_side_table[L2_HOLDERS];
#define L2_SIDE_OPS(name, ...) extern const struct l2_side_ops l2_side_##name;
L2_MECHANISMS(L2_SIDE_OPS, )

/* For each structure `o` of the slice. */
#define L2_EACH_SIDE(s, o)                                     \
    for (const struct l2_side_ops *const *at_ = (s)->side, *o; \
         at_ < (s)->side + (s)->sides && (o = *at_, true); at_++)

bool l2_side_init(struct l2_slice *s); /* false: no memory */
void l2_side_fini(struct l2_slice *s);
void l2_side_clear(struct l2_slice *s);
/* Host memory of a slice's structures; on: machine_mechanisms. */
uint64_t l2_side_bytes(const struct l2_params *p, const struct mechanism_set *on);
/* Ask the structures one by one until one answers (see the table). */
uint32_t l2_side_leaving(const struct l2_slice *s, uint64_t tag);
bool l2_side_holds(const struct l2_slice *s, uint64_t tag);
bool l2_side_serves(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now);
bool l2_side_takes_miss(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                        uint64_t now);
bool l2_side_takes_victim(struct l2_slice *s, struct l2_handle h, uint64_t now);
bool l2_side_takes_writeback(struct l2_slice *s, uint64_t tag, uint8_t dirty);
bool l2_side_takes_bytes(struct l2_slice *s, uint64_t tag, const struct access *a, uint32_t version,
                         bool leaves);
bool l2_side_exchanges(const struct l2_slice *s, uint64_t tag);
void l2_side_line_ready(struct l2_slice *s, uint64_t now);
bool l2_side_takes_return(struct l2_slice *s, struct l2_handle h, uint64_t now);
bool l2_side_has_fetched(const struct l2_slice *s, uint64_t tag);
void l2_side_missed(struct l2_slice *s, uint32_t req, uint64_t now);
void l2_side_fetched(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now);
/* Calls `due` for the value after that many cycles, at once for 0. */
void l2_side_wait(struct l2_slice *s, enum l2_holder id, uint32_t cycles, uint32_t value,
                  uint64_t now);
void l2_side_step(struct l2_slice *s, uint64_t now); /* ends the waits that are due */
bool l2_side_is_idle(const struct l2_slice *s);
bool l2_side_check(const struct l2_slice *s);
