/* capture.c - see capture.h. */
#include "trace/capture/capture.h"

#include "base/memory/alloc.h"

#include <assert.h>
#include <string.h>

/* A lane's accesses are words: an address whose top bit says that the step made another access; a
 * step without an access is NO_ACCESS. */
#define MORE ((uint64_t)1 << 63)
#define NO_ACCESS (MORE - 1)

struct lane {
    uint32_t *visit;
    uint64_t *word;
    size_t n_visits, visits_cap, n_words, words_cap;
    uint32_t before;
};

/* The words of a lane of the warp that is being merged. */
struct lane_words {
    const uint64_t *word;
    size_t n, at;
};

struct capture {
    struct writer *writer;
    uint32_t width;
    struct capture_kernel *kernel;
    bool in_launch, in_cta;
    bool entered; /* capture_merge has entered the kernel's instructions */
    uint32_t n_lanes, next_pc;
    uint64_t launches;
    struct lane *lane;
    size_t lanes_cap;
    /* state of the current flush */
    uint32_t warp;
    struct lane_words words[WARP_MAX_LANES];
    capture_place *place; /* of the current merging */
    struct error *e;
};

/* --- kernels --- */

bool capture_add_op(struct capture_piece *p, const struct capture_op *op)
{
    if (!mem_grow(&p->op, &p->cap, p->n + 1, sizeof *p->op)) return false;
    size_t at = p->n;
    for (; at > 0 && p->op[at - 1].line > op->line; at--)
        p->op[at] = p->op[at - 1];
    p->op[at] = *op;
    p->op[at].code = UINT32_MAX;
    p->n++;
    return true;
}

/* The registers of the part of an access that begins `done` bytes into it. */
static void name_part(struct static_inst *si, const struct capture_wide *wide, uint64_t done)
{
    if (wide->dst_bytes) si->dst = (uint16_t)(si->dst + done / wide->dst_bytes);
    if (wide->data_bytes) si->src[0] = (uint16_t)(si->src[0] + done / wide->data_bytes);
}

bool capture_add_access(struct capture_piece *p, const struct capture_op *op, uint64_t bytes,
                        const struct capture_wide *wide)
{
    struct capture_op part = *op;
    for (uint64_t done = 0; done < bytes; done += part.si.width) {
        uint64_t left = bytes - done;
        bool last = left <= CAPTURE_PART_BYTES;
        part.offset = (uint32_t)done;
        part.si = op->si;
        part.si.width = (uint8_t)(last ? left : CAPTURE_PART_BYTES);
        if (!last && !(wide && wide->dst_bytes)) part.si.dst = REG_NONE;
        if (wide) name_part(&part.si, wide, done);
        if (!capture_add_op(p, &part)) return false;
    }
    return true;
}

void capture_kernel_fini(struct capture_kernel *k)
{
    for (uint32_t i = 0; k->piece && i < k->order.n; i++)
        mem_free(k->piece[i].op);
    mem_free(k->piece);
    merge_order_fini(&k->order);
    *k = (struct capture_kernel){0};
}

/* --- life --- */

struct capture *capture_new(const char *path, uint32_t warp_width, const char *note,
                            struct error *e)
{
    struct capture *c = mem_new(1, sizeof *c);
    if (!c) {
        error_no_memory(e);
        return NULL;
    }
    c->width = warp_width;
    c->writer = writer_new(path, warp_width, note, e);
    if (c->writer) return c;
    mem_free(c);
    return NULL;
}

static void capture_free(struct capture *c)
{
    for (size_t i = 0; i < c->lanes_cap; i++) {
        mem_free(c->lane[i].visit);
        mem_free(c->lane[i].word);
    }
    mem_free(c->lane);
    mem_free(c);
}

bool capture_commit(struct capture *c, struct error *e)
{
    assert(!c->in_launch);
    bool ok = writer_commit(c->writer, e);
    capture_free(c);
    return ok;
}

void capture_abort(struct capture *c)
{
    if (!c) return;
    writer_abort(c->writer);
    capture_free(c);
}

bool capture_note(struct capture *c, const char *text)
{
    return writer_note(c->writer, text);
}

bool capture_copy(struct capture *c, enum command_kind kind, uint64_t addr, uint64_t bytes,
                  struct error *e)
{
    return writer_copy(c->writer, kind, addr, bytes, e);
}

uint64_t capture_launches(const struct capture *c)
{
    return c->launches;
}

/* --- launches --- */

bool capture_launch_begin(struct capture *c, const struct launch *l, struct error *e)
{
    assert(!c->in_launch);
    if (!writer_launch_begin(c->writer, l, e)) return false;
    c->in_launch = true;
    c->kernel = NULL;
    c->next_pc = 0;
    c->n_lanes = l->block[0] * l->block[1] * l->block[2];
    return mem_grow(&c->lane, &c->lanes_cap, c->n_lanes, sizeof *c->lane) || error_no_memory(e);
}

void capture_set_kernel(struct capture *c, struct capture_kernel *k)
{
    c->kernel = k;
    c->entered = false;
    for (uint32_t p = 0; p < k->order.n; p++)
        for (size_t i = 0; i < k->piece[p].n; i++)
            k->piece[p].op[i].code = UINT32_MAX;
}

bool capture_launch_end(struct capture *c, struct error *e)
{
    assert(c->in_launch && !c->in_cta);
    c->in_launch = false;
    c->launches++;
    return writer_launch_end(c->writer, e);
}

bool capture_cta_begin(struct capture *c, struct error *e)
{
    assert(c->in_launch && !c->in_cta);
    c->in_cta = true;
    for (uint32_t i = 0; i < c->n_lanes; i++) {
        struct lane *l = &c->lane[i];
        l->n_visits = l->n_words = 0;
        l->before = MERGE_NO_PIECE;
    }
    return writer_cta_begin(c->writer, e);
}

bool capture_cta_end(struct capture *c, struct error *e)
{
    assert(c->in_cta);
    c->in_cta = false;
    return capture_flush(c, e) && writer_cta_end(c->writer, e);
}

/* --- events --- */

bool capture_visit(struct capture *c, uint32_t lane, uint32_t piece, uint32_t depth)
{
    assert(c->in_cta && lane < c->n_lanes && depth <= MERGE_MAX_DEPTH);
    struct lane *l = &c->lane[lane];
    if (!mem_grow(&l->visit, &l->visits_cap, l->n_visits + 1, sizeof *l->visit)) return false;
    l->visit[l->n_visits++] = reconverge_visit(piece, depth);
    return true;
}

bool capture_step(struct capture *c, uint32_t lane, const uint64_t *addr, uint32_t n)
{
    assert(c->in_cta && lane < c->n_lanes);
    struct lane *l = &c->lane[lane];
    if (!mem_grow(&l->word, &l->words_cap, l->n_words + n + 1, sizeof *l->word)) return false;
    if (n == 0) l->word[l->n_words++] = NO_ACCESS;
    for (uint32_t k = 0; k < n; k++)
        l->word[l->n_words++] = (addr[k] & ~MORE) | (k + 1 < n ? MORE : 0);
    return true;
}

/* --- merging --- */

/* The accesses of a warp's lanes in one step. */
struct accesses {
    const uint64_t *word[WARP_MAX_LANES];
    uint32_t n[WARP_MAX_LANES];
};

static void take_step(struct lane_words *l, const uint64_t **word, uint32_t *n)
{
    assert(l->at < l->n);
    *word = l->word + l->at;
    *n = **word != NO_ACCESS;
    while (l->word[l->at++] & MORE)
        ++*n;
}

static void take_steps(struct lane_words *warp, uint64_t mask, uint32_t count, struct accesses *a)
{
    for (uint64_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        for (uint32_t k = 0; k < count; k++)
            take_step(&warp[i], &a->word[i], &a->n[i]);
    }
}

/* The parts of an access to private memory lie lanes apart (private_memory.h). */
static uint64_t lanes_with(const struct capture *c, const struct accesses *a, uint64_t mask,
                           const struct capture_op *op, uint64_t *addr)
{
    uint64_t active = 0;
    uint64_t behind = (uint64_t)op->offset * (op->si.space == SPACE_LOCAL ? c->width : 1);
    uint32_t n = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        if (a->n[i] <= op->slot) continue;
        addr[n++] = (a->word[i][op->slot] & ~MORE) + behind;
        active |= left & -left;
    }
    return active;
}

/* Enters an instruction in the launch's table when it is first needed; the first flush enters all
 * known ones. */
static bool enter_operation(struct capture *c, struct capture_op *op)
{
    if (op->code != UINT32_MAX) return true;
    op->si.pc = c->next_pc++;
    op->code = writer_code(c->writer, &op->si, op->mnemonic);
    return op->code != UINT32_MAX || error_no_memory(c->e);
}

static bool on_piece(void *ctx, uint32_t number, uint64_t mask)
{
    struct capture *c = ctx;
    struct capture_piece *p = &c->kernel->piece[number];
    struct lane_words *warp = c->words;
    struct accesses a;
    uint64_t addr[WARP_MAX_LANES];
    uint32_t taken = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct capture_op *op = &p->op[i];
        uint64_t active = mask;
        if (!enter_operation(c, op)) return false;
        if (op->step != CAPTURE_NO_STEP) {
            take_steps(warp, mask, op->step + 1u - taken, &a);
            taken = op->step + 1u;
            active = lanes_with(c, &a, mask, op, addr);
        }
        const uint64_t *list = op->step == CAPTURE_NO_STEP ? NULL : addr;
        if (active && !writer_inst(c->writer, c->warp, op->code, active, list, c->e)) return false;
    }
    take_steps(warp, mask, p->steps - taken, &a);
    return true;
}

static bool enter_all(struct capture *c)
{
    for (uint32_t p = 0; p < c->kernel->order.n; p++)
        for (size_t i = 0; i < c->kernel->piece[p].n; i++)
            if (!enter_operation(c, &c->kernel->piece[p].op[i])) return false;
    return true;
}

static bool flush_warp(struct capture *c)
{
    uint32_t first = c->warp * c->width, left = c->n_lanes - first;
    uint32_t n = left < c->width ? left : c->width;
    struct merge_lane view[WARP_MAX_LANES];
    for (uint32_t i = 0; i < n; i++) {
        const struct lane *l = &c->lane[first + i];
        view[i] = (struct merge_lane){l->visit, l->n_visits, 0, l->before, false, false};
        c->words[i] = (struct lane_words){l->word, l->n_words, 0};
    }
    bool ok = merge_run(&c->kernel->order, view, n, on_piece, c);
    for (uint32_t i = 0; i < n; i++) {
        struct lane *l = &c->lane[first + i];
        l->before = view[i].before;
        l->n_visits = l->n_words = 0;
    }
    return ok;
}

/* As on_piece, of lanes whose words the front end understands. */
static bool on_placed_piece(void *ctx, uint32_t number, uint64_t mask)
{
    struct capture *c = ctx;
    struct capture_piece *p = &c->kernel->piece[number];
    const uint64_t *word[WARP_MAX_LANES];
    uint64_t addr[WARP_MAX_LANES];
    uint32_t n = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        struct lane_words *l = &c->words[__builtin_ctzll(left)];
        word[n++] = l->word - l->at;
        l->at += p->steps;
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct capture_op *op = &p->op[i];
        bool accesses = op->step != CAPTURE_NO_STEP;
        uint64_t active = mask;
        for (uint32_t k = 0; accesses && k < n; k++)
            addr[k] = word[k][-1 - (ptrdiff_t)op->step];
        if (accesses) active = c->place(op, mask, addr);
        if (active &&
            !writer_inst(c->writer, c->warp, op->code, active, accesses ? addr : NULL, c->e))
            return false;
    }
    return true;
}

bool capture_merge(struct capture *c, uint32_t warp, struct capture_log *log, uint32_t n,
                   capture_place *place, struct error *e)
{
    struct merge_lane view[WARP_MAX_LANES];
    struct lane *lane = &c->lane[warp * c->width];
    c->e = e;
    c->warp = warp;
    c->place = place;
    if (!c->entered && !enter_all(c)) return false;
    c->entered = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct capture_log *l = &log[i];
        view[i] = (struct merge_lane){l->visit, l->n_visits, 0, lane[i].before, l->open, l->going};
        c->words[i] = (struct lane_words){l->word, 0, 0};
    }
    bool ok = merge_run(&c->kernel->order, view, n, on_placed_piece, c);
    for (uint32_t i = 0; i < n; i++) {
        lane[i].before = view[i].before;
        log[i].visits_taken = view[i].at;
        log[i].words_taken = c->words[i].at;
    }
    return ok;
}

bool capture_flush(struct capture *c, struct error *e)
{
    if (!c->kernel) return true;
    c->e = e;
    if (!enter_all(c)) return false;
    for (c->warp = 0; c->warp * c->width < c->n_lanes; c->warp++)
        if (!flush_warp(c)) return false;
    return true;
}
