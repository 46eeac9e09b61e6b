/* req.h - requests between an SM's L1 and the L2, and their pool.
 *
 * A request is an index into the pool; networks and queues carry the index.  It is born where an L1
 * sends something down and freed where the reply arrives, so at the end of a launch the pool must
 * be empty (conservation: requests in = replies out). `version` belongs to the shadow memory
 * (shadow.h): which store's data a reply carries. */
#ifndef PLUMB_DETAILED_REQ_H
#define PLUMB_DETAILED_REQ_H

#include <stdbool.h>
#include <stdint.h>

enum req_kind { REQ_READ, REQ_WRITE, REQ_ATOMIC };
enum req_reply { REPLY_NONE, REPLY_DATA, REPLY_ACK, REPLY_NACK };

enum { REQ_NONE = UINT32_MAX };

struct req {
    _Alignas(64) uint64_t addr; /* aligned to the L1's grain; a request is one cache line */
    uint64_t mask[2];           /* bytes written, relative to addr (writes and atomics) */
    uint32_t vinst; /* the SM's vector memory instruction (writes, atomics, bypassing reads) */
    uint32_t entry; /* the L1's MSHR entry (other reads) */
    uint32_t version;
    uint32_t next; /* chain of waiters, or of free requests */
    uint16_t sm, slice;
    uint16_t bytes;            /* of data: read size or written sector size */
    uint8_t kind;              /* enum req_kind */
    uint8_t reply;             /* enum req_reply */
    bool bypass_l1;            /* a read whose reply does not fill the L1 */
    bool predicted, came_back; /* a load thought to go unused; the L2: its block had gone round */
    uint16_t pc;               /* see bypass.h */
    bool around_l2;            /* hint SLC, under a protocol that knows it */
    bool counted;              /* the L2 has classified it */
    bool waited;               /* the L2 has counted its wait on a line in transition */
    bool refused;              /* the L2 has sent it back; */
    uint16_t turn;             /* it comes behind those that were sent back before it: refusals.h */
};

/* Requests that were never used are never touched: free ones are chained, then come those from
 * `fresh` on. */
struct req_pool {
    struct req *item;
    void *block; /* what was allocated: item is the first whole cache line in it */
    uint32_t cap, free, fresh, used;
};

bool req_pool_init(struct req_pool *p, uint32_t reserve);
void req_pool_fini(struct req_pool *p);
void req_pool_clear(struct req_pool *p);
bool req_pool_grow(struct req_pool *p); /* false: no memory */

/* A zeroed request; pointers into the pool are invalid afterwards.  REQ_NONE: no memory. */
static inline uint32_t req_new(struct req_pool *p)
{
    uint32_t i = p->free;
    if (i != REQ_NONE) {
        p->free = p->item[i].next;
    } else {
        if (p->fresh == p->cap && !req_pool_grow(p)) return REQ_NONE;
        i = p->fresh++;
    }
    p->item[i] = (struct req){.next = REQ_NONE};
    p->used++;
    return i;
}

static inline void req_free(struct req_pool *p, uint32_t i)
{
    p->item[i].next = p->free;
    p->free = i;
    p->used--;
}

#endif
