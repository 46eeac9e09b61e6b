/* cursor.c - decoding of warp streams; the encoding is described in segment.h. */
#include "trace/program/cursor.h"

#include "base/memory/popcount.h"
#include "trace/program/reader.h"

#include <assert.h>
#include <string.h>

/* Reports a broken file and moves the cursor to a state in which nothing follows. */
static bool note_broken(struct cursor *c, const char *what, struct error *e)
{
    const struct program *p = reader_program(c->reader);
    c->at = c->end;
    c->run = 0;
    c->final = true;
    return error_input(
        e,
        "%s: damaged trace: %s in launch %u, CTA %llu, warp %u, segment %u; make or copy it again",
        p->path, what, c->launch, (unsigned long long)c->cta, c->warp, c->segment_no);
}

void cursor_release(struct cursor *c)
{
    if (c->block) reader_leave(c->reader, c->block);
    if (c->predict) reader_return_predictors(c->reader, c->predict, c->slots);
    c->block = NULL;
    c->predict = NULL;
    c->at = c->end = NULL;
    c->run = 0;
    c->final = true;
}

static void start_body(struct cursor *c, const struct segment_view *v)
{
    c->at = v->body;
    c->end = v->end;
    c->final = v->warp.final;
    c->mask = c->swap = c->full;
    c->next_code = 0;
    c->run = 0;
    c->done = c->half ? v->warp.start.half[c->half - 1] : v->warp.start.done;
    c->over = c->half && (v->warp.start.over >> (c->half - 1) & 1);
}

/* Enters segment c->segment_no; the previous block is released after the new one has been loaded.
 */
static bool enter_segment(struct cursor *c, struct error *e)
{
    const struct program *p = reader_program(c->reader);
    const struct program_launch *l = &p->launches[c->launch];
    struct segment_place place = p->ops->place(p, c->launch, c->cta, c->segment_no);
    struct trace_block *b = reader_enter(c->reader, place.block, e);
    if (!b) return false;
    if (c->block) reader_leave(c->reader, c->block);
    c->block = b;
    size_t n = place.size ? place.size : b->bytes.n - place.offset;
    struct segment_view v = {0};
    uint32_t source_warp = c->half ? c->warp / 2 : c->warp;
    if (!segment_open(&v, c->predict, c->slots, p->source_width, l->source_warps, source_warp,
                      b->bytes.p + place.offset, n))
        return note_broken(c, "head of a segment", e);
    start_body(c, &v);
    return true;
}

bool cursor_seek(struct cursor *c, struct reader *r, uint32_t launch, uint64_t cta, uint32_t warp,
                 uint32_t segment, struct error *e)
{
    const struct program *p = reader_program(r);
    const struct program_launch *l = &p->launches[launch];
    assert(launch < p->n_launches && cta < l->face.ctas && warp < l->face.warps_per_cta);
    if (c->predict && (c->reader != r || c->slots != code_slots(l->code))) cursor_release(c);
    c->reader = r;
    c->launch = launch;
    c->cta = cta;
    c->warp = warp;
    c->segment_no = segment;
    c->segments = p->ops->segments(p, launch, cta);
    c->code = l->code->si;
    c->slot = reader_slots(r, l->code);
    c->n_code = l->code->n;
    c->slots = code_slots(l->code);
    c->half = program_by_halves(p) ? (uint8_t)(1 + warp % 2) : 0;
    c->full = p->source_width == WARP_MAX_LANES ? UINT64_MAX : UINT32_MAX;
    assert(segment < c->segments);
    if (!c->predict) c->predict = reader_predictors(r, c->slots);
    bool ok = c->predict ? enter_segment(c, e) : error_no_memory(e);
    if (!ok) cursor_release(c);
    return ok;
}

static bool set_mask(struct cursor *c, uint64_t how)
{
    uint64_t mask = c->full, difference = 0;
    if (how == MASK_SWAP) mask = c->swap;
    if (how == MASK_XOR) {
        c->at = varint_get(c->at, c->end, &difference);
        if (!c->at) return false;
        mask = c->mask ^ difference;
    }
    c->swap = c->mask;
    c->mask = mask;
    return how <= MASK_XOR && (mask & ~c->full) == 0;
}

static bool start_run(struct cursor *c, uint64_t more)
{
    if (c->next_code >= c->n_code || more >= c->n_code - c->next_code) return false;
    c->run = (uint32_t)more + 1;
    return true;
}

static bool jump_to(struct cursor *c, uint64_t v)
{
    uint64_t to = c->next_code + (uint64_t)varint_unzigzag(v);
    c->next_code = (uint32_t)to;
    return to < c->n_code;
}

/* Decodes a token; false: invalid. */
static bool take_token(struct cursor *c)
{
    unsigned char first = *c->at++;
    uint64_t v = first >> 2;
    if (v == TOKEN_INLINE) {
        c->at = varint_get(c->at, c->end, &v);
        if (!c->at) return false;
        v += TOKEN_INLINE;
    }
    switch (first & 3) {
    case TOKEN_RUN: return start_run(c, v);
    case TOKEN_JUMP: return jump_to(c, v);
    case TOKEN_MASK: return set_mask(c, v);
    default: return false;
    }
}

/* Reads tokens up to the next run, across segments. */
static enum got next_run(struct cursor *c, struct error *e)
{
    while (c->run == 0) {
        if (c->at != c->end) {
            if (take_token(c)) continue;
            note_broken(c, "a token", e);
            return GOT_ERROR;
        }
        if (c->final || c->segment_no + 1 >= c->segments) return GOT_END;
        c->segment_no++;
        if (!enter_segment(c, e)) return GOT_ERROR;
    }
    return GOT_INST;
}

static const unsigned char *get_signed(const unsigned char *at, const unsigned char *end,
                                       int64_t *v)
{
    uint64_t raw;
    at = varint_get(at, end, &raw);
    if (at) *v = varint_unzigzag(raw);
    return at;
}

/* The lanes' addresses behind the first; NULL: invalid. */
static const unsigned char *read_list(uint64_t *list, uint32_t n, const unsigned char *at,
                                      const unsigned char *end)
{
    uint64_t address = list[0];
    for (uint32_t k = 1; k < n; k++) {
        int64_t step;
        at = get_signed(at, end, &step);
        if (!at) return NULL;
        list[k] = address += (uint64_t)step;
    }
    return at;
}

static const unsigned char *read_runs(uint64_t *list, uint32_t n, const unsigned char *at,
                                      const unsigned char *end)
{
    uint64_t address = list[0];
    for (uint32_t k = 1; k < n;) {
        int64_t step;
        uint64_t lanes;
        at = get_signed(at, end, &step);
        if (at) at = varint_get(at, end, &lanes);
        if (!at || lanes == 0 || lanes > n - k) return NULL;
        for (uint32_t stop = k + (uint32_t)lanes; k < stop; k++)
            list[k] = address += (uint64_t)step;
    }
    return at;
}

/* Decodes an address record; false: invalid. */
static bool take_addresses(struct cursor *c, struct address_predictor *p, struct warp_inst *w)
{
    const unsigned char *at = c->at, *end = c->end;
    if (at == end) return false;
    unsigned kind = *at++;
    if (kind == RECORD_STRIDE) at = get_signed(at, end, &p->stride);
    if (at && kind != RECORD_SAME) at = get_signed(at, end, &p->step);
    if (!at || kind > RECORD_RUNS) return false;
    p->base += (uint64_t)p->step;
    w->base = p->base;
    w->stride = p->stride;
    w->form = ADDR_STRIDE;
    if (kind > RECORD_STRIDE) {
        w->form = ADDR_LIST;
        w->list = c->list;
        c->list[0] = p->base;
        at = (kind == RECORD_LIST ? read_list : read_runs)(c->list, popcount(c->mask), at, end);
    }
    c->at = at;
    return at != NULL;
}

static inline bool decode_instruction(struct cursor *c, struct warp_inst *w, struct error *e)
{
    uint32_t code = c->next_code++;
    c->run--;
    w->si = &c->code[code];
    w->code = code;
    w->mask = c->mask;
    w->form = ADDR_NONE;
    uint8_t slot = c->slot[code];
    if (slot == CODE_NO_SLOT || c->mask == 0) return true;
    return take_addresses(c, &c->predict[slot], w) || note_broken(c, "addresses", e);
}

/* Narrows the addresses to the half's lanes. */
static void narrow_mask(struct cursor *c, struct warp_inst *w)
{
    uint32_t low = (uint32_t)__builtin_popcount((uint32_t)w->mask);
    bool high_half = c->half == 2;
    w->mask = high_half ? w->mask >> 32 : (uint32_t)w->mask;
    if (!high_half || w->form == ADDR_NONE) return;
    if (w->form == ADDR_LIST)
        w->list += low;
    else
        w->base += (uint64_t)w->stride * low;
}

static bool last_of_stream(const struct cursor *c)
{
    return c->final && c->run == 0 && c->at == c->end;
}

static enum got next_of_half(struct cursor *c, struct warp_inst *w, struct error *e)
{
    for (;;) {
        if (c->run == 0) {
            enum got g = next_run(c, e);
            if (g != GOT_INST) return g;
        }
        if (!decode_instruction(c, w, e)) return GOT_ERROR;
        bool is_exit = w->si->cls == OP_EXIT;
        uint8_t over = c->over ? WARP_OVER_LOW | WARP_OVER_HIGH : 0;
        if (!(segment_warp_halves(w->mask, is_exit, last_of_stream(c), over) >> (c->half - 1) & 1))
            continue;
        narrow_mask(c, w);
        c->over = is_exit;
        c->done++;
        return GOT_INST;
    }
}

enum got cursor_next(struct cursor *c, struct warp_inst *w, struct error *e)
{
    if (c->half) return next_of_half(c, w, e);
    if (c->run == 0) {
        enum got g = next_run(c, e);
        if (g != GOT_INST) return g;
    }
    if (!decode_instruction(c, w, e)) return GOT_ERROR;
    c->done++;
    return GOT_INST;
}

/* Whether a lane of this reader's part of the warp is active. */
static bool is_active(const struct cursor *c)
{
    return c->half == 0 ? true : c->half == 1 ? (uint32_t)c->mask != 0 : c->mask >> 32 != 0;
}

/* Passes the rest of the run up to its next instruction with addresses. */
static void pass_plain(struct cursor *c)
{
    const uint8_t *slot = c->slot + c->next_code;
    uint32_t n = 0;
    uint64_t eight;
    while (n + sizeof eight <= c->run) { /* CODE_NO_SLOT has all bits set */
        memcpy(&eight, slot + n, sizeof eight);
        if (eight != UINT64_MAX) break;
        n += (uint32_t)sizeof eight;
    }
    while (n < c->run && slot[n] == CODE_NO_SLOT)
        n++;
    c->next_code += n;
    c->run -= n;
    if (is_active(c)) c->done += n;
}

enum got cursor_next_access(struct cursor *c, struct warp_inst *w, struct error *e)
{
    for (;;) {
        if (c->run == 0) {
            enum got g = next_run(c, e);
            if (g != GOT_INST) return g;
        }
        pass_plain(c);
        if (c->run == 0) continue;
        if (!decode_instruction(c, w, e)) return GOT_ERROR;
        if (!is_active(c)) continue;
        c->done++;
        if (!inst_op_is_global(w->si->cls)) continue;
        if (c->half) narrow_mask(c, w);
        return GOT_INST;
    }
}

uint64_t cursor_skip(struct cursor *c, uint64_t n, struct error *e)
{
    struct warp_inst w;
    uint64_t dropped = 0;
    while (dropped < n && cursor_next(c, &w, e) == GOT_INST)
        dropped++;
    return dropped;
}
