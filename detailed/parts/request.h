/* request.h - requests between an SM's L1 and the L2, and their pool.
 *
 * A request is an index into the pool; networks and queues carry the index. It is created where an
 * L1 sends something to the L2 and freed where the reply arrives, so that the pool must be empty at
 * the end of a launch (conservation: requests in = replies out). `version` belongs to the shadow
 * memory (shadow_memory.h): it names the store whose data a reply carries. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum req_kind { REQ_READ, REQ_WRITE, REQ_ATOMIC };
enum req_reply { REPLY_NONE, REPLY_DATA, REPLY_ACK, REPLY_NACK };

enum { REQ_NONE = UINT32_MAX, REQ_BLOCK = 256 /* that a part of a pool takes */ };

/* The bit-fields are wide enough for what the parameter tables allow (1024 SMs). */
struct req {
    _Alignas(32) uint64_t addr; /* aligned to the L1's grain; two requests are one cache line */
    union {
        uint32_t vinst; /* the SM's vector memory instruction (writes, atomics, bypassing reads) */
        uint32_t entry; /* the L1's MSHR entry (other reads) */
    };
    uint32_t version;
    uint32_t next; /* chain of waiters, or of free requests */
    uint32_t mask; /* writes and atomics: bytes written, of up to 32; see req_mask */
    uint32_t sm : 10;
    uint32_t kind : 2;       /* enum req_kind */
    uint32_t reply : 2;      /* enum req_reply */
    uint32_t bytes : 8;      /* of data: read size or written size, of all its sectors */
    bool bypass_l1 : 1;      /* a read whose reply does not fill the L1 */
    bool predicted : 1;      /* a load whose block is predicted not to be reused */
    bool came_back : 1;      /* set by the L2: the block's last request had bypassed the L1 */
    bool around_l2 : 1;      /* hint SLC, under a protocol that supports it */
    bool counted : 1;        /* the L2 has classified it */
    bool waited : 1;         /* the L2 has counted its wait on a line in transition */
    bool side_looked_up : 1; /* it has also been to the L2's side structures (l2.h), or to a
                                directory below the L2 */
    bool refused : 1;        /* the L2 has rejected it */
    bool scalar : 1;         /* sent by a scalar cache or a page walker through this SM's port */
    bool recalled : 1; /* a back-invalidation probe (reply: NONE), or its answer; of data from the
                          L2: the L1 must not keep them, since their line is being evicted */
    union {
        uint16_t turn;             /* its place among the rejected requests: nack_order.h */
        struct {                   /* of a request for several sectors, which is never rejected: */
            uint8_t looked_up : 3; /* sectors */
            bool fetched : 1;      /* it has waited for the last of them */
            uint8_t open : 4;      /* parts that are not served, those not looked up as one */
            uint8_t span; /* network cycles from its first packet's crossing to the last's */
        };
    };
    union {
        uint16_t pc;      /* see agcb.h */
        uint16_t message; /* with a directory: enum dir_event to the home, owner_event from it */
    };
};
_Static_assert(sizeof(struct req) == 32, "many are in flight at a time");

/* Requests of page walks and of scalar caches carry the number of their MSHR entry, walks' with
 * this bit. */
#define REQ_OF_WALK UINT32_C(0x80000000)
static inline bool req_is_of_walk(const struct req *r)
{
    return r->scalar && (r->entry & REQ_OF_WALK);
}

/* Requests are initialized at their first use: the free list is used first, then those from `fresh`
 * on. */
struct req_pool {
    struct req *item;
    uint64_t (*mask)[2]; /* bytes written, for requests of more than 32 bytes, relative to addr; of
                            reads the versions of up to 4 sectors */
    void *block;         /* the allocation; item is its first whole cache line */
    uint32_t cap, free, fresh, used;
    struct req_pool *of;    /* the pool of which this one is a part; NULL: none */
    struct req_pool *parts; /* its parts, chained by `other` */
    struct req_pool *other;
};

bool req_pool_init(struct req_pool *p, uint32_t reserve);
void req_pool_fini(struct req_pool *p);
void req_pool_clear(struct req_pool *p);
/* p: a new part of a pool, or one of it that shall be empty again. Parts may be used at the same
 * time, but not with the pool: they take what the pool has reserved, in blocks, and keep what is
 * freed in them. */
void req_pool_part(struct req_pool *p, struct req_pool *of);
/* Makes room for so many new requests; false: no memory. */
bool req_pool_reserve(struct req_pool *p, uint32_t n);
bool req_pool_grow(struct req_pool *p); /* false: no memory */

/* Takes an uninitialized request; pointers into the pool are invalid afterwards. REQ_NONE: no
 * memory. */
static inline uint32_t req_take(struct req_pool *p)
{
    uint32_t i = p->free;
    if (i != REQ_NONE) {
        p->free = p->item[i].next;
    } else {
        if (p->fresh == p->cap && !req_pool_grow(p)) return REQ_NONE;
        i = p->fresh++;
    }
    p->used++;
    return i;
}
/* Takes a zeroed request. */
static inline uint32_t req_new(struct req_pool *p)
{
    uint32_t i = req_take(p);
    if (i != REQ_NONE) p->item[i] = (struct req){.next = REQ_NONE};
    return i;
}

/* Sets the bytes written, relative to addr. */
static inline void req_set_mask(struct req_pool *p, struct req *r, const uint64_t mask[2])
{
    uint64_t *wide = p->mask[r - p->item];
    r->mask = (uint32_t)mask[0];
    if (r->bytes <= 32) return;
    wide[0] = mask[0];
    wide[1] = mask[1];
}
static inline void req_mask(const struct req_pool *p, const struct req *r, uint64_t mask[2])
{
    const uint64_t *wide = p->mask[r - p->item];
    mask[0] = r->bytes <= 32 ? r->mask : wide[0];
    mask[1] = r->bytes <= 32 ? 0 : wide[1];
}

/* The version of a read's nth sector. */
static inline uint32_t *req_version(struct req_pool *p, struct req *r, uint32_t nth)
{
    return nth ? (uint32_t *)p->mask[r - p->item] + nth : &r->version;
}

static inline void req_free(struct req_pool *p, uint32_t i)
{
    p->item[i].next = p->free;
    p->free = i;
    p->used--;
}
