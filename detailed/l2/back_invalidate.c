/* back_invalidate.c - the probes of an inclusive L2, and its record of copies where the protocol
 * has no directory.
 *
 * An SM enters the record when the L2 serves it a read that fills its L1, or takes a store whose
 * bytes its L1 may keep; it leaves the record when it is probed. One probe goes to each SM of the
 * record, and the last answer ends the eviction (l2_invalidated). Dirty bytes that come before it
 * are merged into the L2's line. Where there is a directory, directory.c sends the probes. Source:
 * Candel 2019, 5.4, 6.4.1. */
#include "detailed/l2/back_invalidate.h"

#include "detailed/l2/directory_entries.h"
#include "detailed/l2/l2_side.h"

#include <assert.h>

static uint32_t copies_of(const struct directory *d, uint64_t key)
{
    const struct dir_entry *e = dir_entry_find(d, key);
    return e ? dir_entry_count(d, e) : 0;
}

bool back_invalidate_needed(const struct l2_slice *s, uint64_t tag)
{
    if (s->w->invalidate) return true;
    if (s->p->inclusion == INCLUSION_NONE) return false;
    if (!s->directory) return copies_of(s->copies, tag) > 0;
    uint64_t key = tag << (s->c.line_shift - s->c.sector_shift);
    for (uint32_t k = 0; k < s->c.sectors; k++)
        if (copies_of(s->directory, key + k)) return true;
    return false;
}

/* Sends the probes, where a record replaces the directory. */
static bool begin_questions(struct l2_slice *s, struct dir_entry *e, uint32_t handle)
{
    struct directory *d = s->copies;
    bool before = e->waits > 0;
    for (uint32_t sm = 0; (sm = dir_entry_next(d, e, sm)) != NOBODY; sm++) {
        struct req *r = l2_ask_l1(s, sm, e->key << s->c.line_shift, s->c.p.line_bytes);
        if (r) r->recalled = true;
        e->waits += r != NULL;
        dir_entry_unlist(d, e, sm);
        d->s.recalls++;
    }
    if (!e->waits) return false;
    d->busy += !before;
    e->leaves = handle;
    return handle != MSHR_NONE;
}

bool back_invalidate_begin(struct l2_slice *s, uint64_t tag, uint32_t handle)
{
    if (s->w->invalidate) return s->w->invalidate(s->w->ctx, s->id, tag, handle);
    if (s->p->inclusion == INCLUSION_NONE) return false;
    if (s->directory) return directory_recall(s, tag, handle);
    struct dir_entry *e = dir_entry_find(s->copies, tag);
    return e && begin_questions(s, e, handle);
}

void back_invalidate_answered(struct l2_slice *s, uint32_t req, uint64_t now)
{
    struct directory *d = s->copies;
    const struct req *r = &s->w->reqs->item[req];
    struct dir_entry *e = dir_entry_find(d, cache_tag(&s->c, r->addr));
    assert(e && e->waits && "somebody waits for the answer");
    bool bytes = r->kind == REQ_WRITE;
    uint32_t handle = e->leaves;
    if (bytes) l2_merge(s, req, handle != MSHR_NONE);
    req_free(s->w->reqs, req);
    if (bytes || --e->waits) return;
    e->leaves = MSHR_NONE;
    d->busy--;
    dir_entry_forget_empty(d, e);
    if (handle != MSHR_NONE) l2_invalidated(s, handle, now);
}

/* Whether an L1 may keep a copy of a store's bytes: under si, of a store of a whole block; without
 * a protocol, of any. */
static bool makes_copy(const struct l2_slice *s, const struct req *r)
{
    if (r->scalar || r->kind == REQ_ATOMIC) return false;
    if (r->kind == REQ_READ) return !r->bypass_l1;
    uint64_t mask[2], all[2];
    if (!s->w->coherence) return s->w->l1_keeps_stores;
    req_mask(s->w->reqs, r, mask);
    bytemask_first(r->bytes, all);
    return !r->bypass_l1 && mask[0] == all[0] && mask[1] == all[1];
}

void back_invalidate_serves(struct l2_slice *s, struct req *r, bool leaving)
{
    if (!makes_copy(s, r)) return;
    if (leaving)
        r->recalled = true; /* the L1 must not keep its data */
    else
        back_invalidate_note(s, cache_tag(&s->c, r->addr), r->sm);
}

void back_invalidate_note(struct l2_slice *s, uint64_t tag, uint32_t sm)
{
    struct dir_entry *e = dir_entry_obtain(s->copies, tag);
    if (e) dir_entry_list(s->copies, e, sm);
}

bool back_invalidate_covers(const struct l2_slice *s, uint64_t addr)
{
    const struct directory *d = s->directory ? s->directory : s->copies;
    uint64_t tag = cache_tag(&s->c, addr);
    const struct dir_entry *e = dir_entry_find(d, s->directory ? cache_key(&s->c, addr) : tag);
    if (cache_find(&s->c, tag) != LINE_NONE || (e && e->waits)) return true;
    return l2_side_has_fetched(s, tag);
}
