/* l2_link.h - the links between partitions of the L2, of which one is the home of each line
 * (l2.partition_home = partition; gpu/mechanisms/l2_partitions.h).
 *
 * A slice serves two kinds of lines. Of those that have their home in it, it is the L2 as ever. Of
 * those that have it in the slice of the same number of another partition, its peer, it keeps clean
 * copies: a read that hits one is served; one that misses is sent over the link, looked up by the
 * home slice behind `latency` cycles like a request of its own SMs, and its data come back over the
 * link and are kept. Stores and atomics are performed by the home slice: they remove the copy on
 * their way, the home's answer is theirs, and when the home performs one, the copies of all other
 * partitions are removed (at once: [A] the home knows who has a copy, and the notice takes bytes of
 * the link but no time).
 *
 * A message leaves its partition when the link has carried all before it (link_bytes) and arrives
 * link_latency later. Those of one slice to one peer stay in order, so that an SM's read cannot
 * pass its store. A copy on its way is not kept if a store has been performed, or sent, since its
 * data left; reads that come after that store wait at the head.
 *
 * A request for several sectors is sent as one. It takes the link and the ports for as many, and is
 * there with the last. Sectors that its near slice has, that are on their way and that must be
 * asked for are its parts.
 *
 * No deadlock: fetches of copies have MSHRs of their own, and take a line only when their data have
 * come; requests from the link have a pipe of their own, of which no request waits for a link; and
 * answers are always taken. Hence the home slices' work depends on the memory alone.
 *
 * Invariants (l2_link_check): a line of another home is clean, has no fetch of the slice itself and
 * is in no transition. Time: L2 cycles. */
#pragma once

#include "detailed/l2/l2.h"
#include "detailed/parts/link_time.h"

struct wiring;

/* What the slices of all partitions share. */
struct l2_links {
    const struct wiring *w;
    const struct map *map;
    struct l2_slice *slice; /* [l2.banks] */
    uint64_t *left;         /* [partitions] when the last message has left each, in bytes */
    uint32_t *partition_of; /* [SMs] */
    uint32_t header_bytes;
};

/* A slice's end of its links. */
struct l2_link {
    uint32_t partition;
    uint32_t next;       /* the partition whose requests are taken first */
    uint32_t pipe_bound; /* capacity of `pipe`, sectors */
    uint32_t piped;      /* sectors in it */
    uint32_t saved;      /* turns at the ports that the head, which is for several, has had */
    uint64_t entered;    /* turns into the pipe */
    uint32_t *waiting;   /* [partitions] sectors in `in` */
    struct fifo *in;     /* [partitions] requests from each peer; value = request */
    struct fifo *back;   /* [partitions] answers from each peer */
    struct fifo pipe;    /* look-ups for peers */
    struct mshr mshr;    /* copies on their way; phase: their data have left the home */
    uint64_t now;
};

/* A launch begins: where each partition is an L2 of its own, what is dirty is sent to memory, and
 * all lines leave, since another L2 may have written them (l2_several.c). */
void l2_several_flush(struct l2_slice *s);
/* Counts an operation as under way; a write then tells the slice, too, when the level below has
 * taken it. Returns what is to be sent, which may be *counted. */
const struct mem_op *l2_several_count(struct l2_slice *s, const struct mem_op *op,
                                      struct mem_op *counted);
/* An operation is no longer under way; whether it was a write for which nobody waits. */
bool l2_several_returned(struct l2_slice *s, struct l2_handle h);

/* Whether the line of the address has its home in another slice. */
bool l2_link_is_far(const struct l2_slice *s, uint64_t addr);
/* Whether the request has come over the link. */
bool l2_link_brought(const struct l2_slice *s, uint32_t req);
/* Decides an SM's request for a line of another home; false: it waits at the head. */
bool l2_link_access(struct l2_slice *s, uint32_t req, uint64_t now);
/* Sends the answer to a request that has come over the link. */
void l2_link_answer(struct l2_slice *s, uint32_t req);
/* A store or an atomic has been performed here: removes all copies of its sector. */
void l2_link_performed(struct l2_slice *s, uint64_t addr);
/* A part of a read's sectors has been served: if it came over the link, what is served is older
 * than stores that come now. */
void l2_link_served(struct l2_slice *s, const struct req *r);
/* Decides the requests of other partitions, which keep no SM's waiting: of two ports, and of two
 * cycles with one port, the second is the SMs'. Returns the turns at the ports that are taken. */
uint32_t l2_link_decide(struct l2_slice *s, uint64_t now);
/* Takes the answers that have come, and requests as far as the pipe has room. */
void l2_link_step(struct l2_slice *s, uint64_t now);
uint64_t l2_link_due(const struct l2_slice *s); /* when something of it is due next */

/* --- between l2_link.c and l2_copies.c --- */
/* The slice that is the home of the address's line. */
struct l2_slice *l2_link_home(const struct l2_slice *s, uint64_t addr);
/* The slice of the same number in another partition. */
struct l2_slice *l2_link_peer(const struct l2_slice *s, uint32_t partition);
/* Whether a request may be sent to a home. */
bool l2_link_has_room(const struct l2_slice *s, const struct l2_slice *home);
void l2_link_send(struct l2_slice *s, struct l2_slice *home, uint32_t req, uint64_t now);
/* Copies of the other partitions have left: their notice takes bytes of the link. */
void l2_link_notice(struct l2_slice *s);
/* Takes the data of a fetch of copies, and answers the reads that wait for them. */
void l2_copies_take(struct l2_slice *s, uint32_t fetch);
