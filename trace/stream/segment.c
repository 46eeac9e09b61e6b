/* segment.c - the encoder, and the header of a segment; cursor.c decodes bodies. */
#include "trace/stream/segment.h"

#include "base/memory/alloc.h"

#include <assert.h>

void segment_begin(struct segment_encoder *s, const struct code_table *code, uint32_t width)
{
    s->code = code;
    s->slot = s->global_only ? code->global_slot : code->slot;
    s->width = width;
    s->full = width == WARP_MAX_LANES ? UINT64_MAX : UINT32_MAX;
    s->body.n = s->pending.n = 0;
    s->n_warps = 0;
    s->instructions = s->half_instructions = 0;
    uint32_t slots = code_slots(code);
    memset(s->first_known, 0, slots * sizeof *s->first_known);
    memset(s->first, 0, slots * sizeof *s->first);
    memset(s->last_warp, 0, slots * sizeof *s->last_warp);
}

void segment_warp_begin(struct segment_encoder *s, const struct warp_progress *start)
{
    if (!mem_grow(&s->warps, &s->warps_cap, s->n_warps + 1, sizeof *s->warps)) {
        s->failed = true;
        return;
    }
    s->warps[s->n_warps++] = (struct segment_warp){.start = *start};
    s->now = *start;
    s->body_start = s->body.n;
    s->mask = s->swap = s->full;
    s->next_code = 0;
    s->run = s->counted = 0;
}

static void put_token(struct bytes *out, enum segment_token kind, uint64_t v)
{
    bytes_byte(out, (unsigned char)(kind | (v < TOKEN_INLINE ? v : TOKEN_INLINE) << 2));
    if (v >= TOKEN_INLINE) bytes_varint(out, v - TOKEN_INLINE);
}

uint8_t segment_warp_halves(uint64_t mask, bool is_exit, bool last_of_warp, uint8_t over)
{
    uint8_t halves = (uint8_t)((uint32_t)mask != 0) | (uint8_t)((mask >> 32 != 0) << 1);
    if (is_exit && last_of_warp) halves |= (uint8_t)(~over & 3);
    return halves;
}

/* Counts n instructions that a half delivers. */
static void count_half(struct segment_encoder *s, unsigned h, uint64_t n, bool is_exit)
{
    s->now.half[h] += n;
    s->half_instructions += n;
    s->now.over = (uint8_t)((s->now.over & ~(1u << h)) | (unsigned)is_exit << h);
}

/* Counts the first instructions of the open run, so far as they are not counted. */
static void count_run(struct segment_encoder *s, uint64_t run)
{
    uint64_t n = run - s->counted;
    s->counted = run;
    if (n == 0) return;
    s->now.done += n;
    s->instructions += n;
    if ((uint32_t)s->mask) count_half(s, 0, n, false);
    if (s->mask >> 32) count_half(s, 1, n, false);
}

/* The run's last instruction is an exit. */
static void count_exit(struct segment_encoder *s, bool last_of_warp)
{
    count_run(s, s->run - 1);
    uint8_t halves = segment_warp_halves(s->mask, true, last_of_warp, s->now.over);
    s->counted = s->run;
    s->now.done++;
    s->instructions++;
    for (unsigned h = 0; h < 2; h++)
        if (halves >> h & 1) count_half(s, h, 1, true);
}

static void close_run(struct segment_encoder *s)
{
    if (s->run == 0) return;
    count_run(s, s->run);
    put_token(&s->body, TOKEN_RUN, s->run - 1);
    bytes_put(&s->body, s->pending.p, s->pending.n);
    s->pending.n = 0;
    s->run = s->counted = 0;
}

static void set_mask(struct segment_encoder *s, uint64_t mask)
{
    close_run(s);
    if (mask == s->full) {
        put_token(&s->body, TOKEN_MASK, MASK_FULL);
    } else if (mask == s->swap) {
        put_token(&s->body, TOKEN_MASK, MASK_SWAP);
    } else {
        put_token(&s->body, TOKEN_MASK, MASK_XOR);
        bytes_varint(&s->body, mask ^ s->mask);
    }
    s->swap = s->mask;
    s->mask = mask;
}

static void put_record(struct bytes *out, enum address_record kind)
{
    bytes_byte(out, (unsigned char)kind);
}

/* The slot's predictor in the state that the decoder will have; the segment's first access
 * initializes it. */
static inline struct address_predictor *predictor_of(struct segment_encoder *s, uint8_t slot,
                                                     uint64_t base, int64_t stride)
{
    if (!s->first_known[slot]) {
        s->first_known[slot] = true;
        s->first[slot] = (struct address_predictor){.base = base, .stride = stride};
    }
    if (s->last_warp[slot] != s->n_warps) {
        s->last_warp[slot] = s->n_warps;
        s->last[slot] = s->first[slot];
    }
    return &s->last[slot];
}

static inline void put_stride(struct bytes *out, struct address_predictor *p, uint64_t base,
                              int64_t stride)
{
    int64_t step = (int64_t)(base - p->base);
    if (stride != p->stride) {
        put_record(out, RECORD_STRIDE);
        bytes_signed(out, stride);
        bytes_signed(out, step);
    } else if (step != p->step) {
        put_record(out, RECORD_STEP);
        bytes_signed(out, step);
    } else {
        put_record(out, RECORD_SAME);
    }
    *p = (struct address_predictor){.base = base, .step = step, .stride = stride};
}

/* A list of addresses as its differences: so many lanes in a row are `step` from the one before. */
struct list_runs {
    int64_t step[WARP_MAX_LANES];
    uint8_t lanes[WARP_MAX_LANES];
    uint32_t n;
};

static void find_runs(struct list_runs *r, const uint64_t *list, uint32_t n)
{
    uint32_t runs = 0, from = 1;
    for (uint32_t k = 1; k < n; k++) {
        int64_t step = (int64_t)(list[k] - list[k - 1]);
        if (runs && step == r->step[runs - 1]) continue;
        if (runs) r->lanes[runs - 1] = (uint8_t)(k - from);
        from = k;
        r->step[runs++] = step;
    }
    if (runs) r->lanes[runs - 1] = (uint8_t)(n - from);
    r->n = runs;
}

/* Whether runs take no more bytes than steps one by one. */
static bool runs_are_shorter(const struct list_runs *r)
{
    size_t singly = 0, in_runs = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        size_t step = varint_size(varint_zigzag(r->step[i]));
        singly += r->lanes[i] * step;
        in_runs += step + varint_size(r->lanes[i]);
    }
    return in_runs <= singly;
}

static void put_runs(struct bytes *out, const struct list_runs *r, enum address_record kind)
{
    bool runs = kind == RECORD_RUNS;
    for (uint32_t i = 0; i < r->n; i++) {
        for (uint32_t k = 0; k < (runs ? 1 : r->lanes[i]); k++)
            bytes_signed(out, r->step[i]);
        if (runs) bytes_varint(out, r->lanes[i]);
    }
}

/* The place of an instruction's last list; NULL: no memory. */
static struct encoded_list *list_of(struct segment_encoder *s, uint32_t code)
{
    if (!s->list) s->list = mem_new(ENCODED_LISTS, sizeof *s->list);
    if (!s->list) s->failed = true;
    return s->list ? &s->list[code % ENCODED_LISTS] : NULL;
}

static bool lies_as(const struct encoded_list *e, const uint64_t *list, uint32_t n)
{
    uint64_t base = list[0], differ = 0;
    if (e->lanes != n) return false;
    for (uint32_t k = 0; k < n; k++)
        differ |= e->from_first[k] ^ (list[k] - base);
    return !differ;
}

static void remember_list(struct encoded_list *e, const uint64_t *list, uint32_t n,
                          enum address_record kind, const struct bytes *out, size_t from)
{
    e->lanes = out->failed || out->n - from > ENCODED_BYTES ? 0 : n;
    if (!e->lanes) return;
    for (uint32_t k = 0; k < n; k++)
        e->from_first[k] = list[k] - list[0];
    e->kind = (uint8_t)kind;
    e->n = (uint8_t)(out->n - from);
    memcpy(e->bytes, out->p + from, e->n);
}

/* A single lane has no stride. */
static inline void put_even(struct segment_encoder *s, uint8_t slot, uint64_t mask, uint64_t base,
                            int64_t stride)
{
    bool several = mask & (mask - 1);
    struct address_predictor *p = predictor_of(s, slot, base, several ? stride : 0);
    put_stride(&s->pending, p, base, several ? stride : p->stride);
}

/* Writes the head of a list's record: its kind, and the step to its first address. */
static void put_list_head(struct bytes *out, struct address_predictor *p, enum address_record kind,
                          uint64_t base)
{
    p->step = (int64_t)(base - p->base);
    p->base = base;
    put_record(out, kind);
    bytes_signed(out, p->step);
}

/* Writes a list of uneven steps, some of which repeat. */
static void put_list(struct segment_encoder *s, struct encoded_list *e, uint8_t slot,
                     const uint64_t *list, const struct list_runs *r, uint32_t n)
{
    struct bytes *out = &s->pending;
    enum address_record kind = runs_are_shorter(r) ? RECORD_RUNS : RECORD_LIST;
    put_list_head(out, predictor_of(s, slot, list[0], 0), kind, list[0]);
    size_t from = out->n;
    put_runs(out, r, kind);
    remember_list(e, list, n, kind, out, from);
}

/* Whether two steps in a row are equal anywhere. */
static bool repeats_steps(const uint64_t *list, uint32_t n)
{
    for (uint32_t k = 2; k < n; k++)
        if (list[k] - list[k - 1] == list[k - 1] - list[k - 2]) return true;
    return false;
}

/* Writes a list of which no two steps in a row are equal; such lists seldom come again. */
static void put_scattered(struct segment_encoder *s, uint8_t slot, const uint64_t *list, uint32_t n)
{
    put_list_head(&s->pending, predictor_of(s, slot, list[0], 0), RECORD_LIST, list[0]);
    for (uint32_t k = 1; k < n; k++)
        bytes_signed(&s->pending, (int64_t)(list[k] - list[k - 1]));
}

static void put_addresses(struct segment_encoder *s, const struct warp_inst *w, uint8_t slot)
{
    if (w->form != ADDR_LIST) {
        put_even(s, slot, w->mask, w->base, w->stride);
        return;
    }
    struct list_runs r;
    uint32_t n = (uint32_t)__builtin_popcountll(w->mask);
    uint64_t base = w->list[0];
    struct encoded_list *e = list_of(s, w->code);
    if (!e) return;
    if (lies_as(e, w->list, n)) {
        put_list_head(&s->pending, predictor_of(s, slot, base, 0), e->kind, base);
        bytes_put(&s->pending, e->bytes, e->n);
        return;
    }
    if (n > 2 && !repeats_steps(w->list, n)) {
        put_scattered(s, slot, w->list, n);
        return;
    }
    find_runs(&r, w->list, n);
    if (r.n < 2)
        put_even(s, slot, w->mask, base, r.n ? r.step[0] : 0);
    else
        put_list(s, e, slot, w->list, &r, n);
}

/* The open run takes the instructions from `from` to `to` - 1. */
static inline void add_to_run(struct segment_encoder *s, uint32_t from, uint32_t to, uint64_t mask)
{
    if (mask != s->mask) set_mask(s, mask);
    if (from != s->next_code) {
        close_run(s);
        put_token(&s->body, TOKEN_JUMP, varint_zigzag((int64_t)from - (int64_t)s->next_code));
    }
    s->run += to - from;
    s->next_code = to;
}

void segment_inst(struct segment_encoder *s, const struct warp_inst *w, bool last_of_warp)
{
    add_to_run(s, w->code, w->code + 1, w->mask);
    uint8_t slot = s->slot[w->code];
    if (slot != CODE_NO_SLOT && w->mask) put_addresses(s, w, slot);
    if (s->code->si[w->code].cls == OP_EXIT) count_exit(s, last_of_warp);
}

void segment_strided(struct segment_encoder *s, uint32_t code, uint64_t mask, uint64_t base,
                     int64_t stride)
{
    uint8_t slot = s->slot[code];
    assert(s->code->si[code].cls != OP_EXIT);
    add_to_run(s, code, code + 1, mask);
    if (slot != CODE_NO_SLOT && mask) put_even(s, slot, mask, base, stride);
}

#ifndef NDEBUG
static bool code_has_addresses(const struct segment_encoder *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (s->slot[i] != CODE_NO_SLOT || s->code->si[i].cls == OP_EXIT) return true;
    return false;
}
#endif

void segment_plain(struct segment_encoder *s, uint32_t from, uint32_t to, uint64_t mask)
{
    if (from >= to) return;
    assert(!mask || !code_has_addresses(s, from, to));
    add_to_run(s, from, to, mask);
}

struct warp_progress segment_warp_end(struct segment_encoder *s, bool final)
{
    close_run(s);
    if (s->n_warps) {
        s->warps[s->n_warps - 1].bytes = s->body.n - s->body_start;
        s->warps[s->n_warps - 1].final = final;
    }
    return s->now;
}

static void put_first_accesses(const struct segment_encoder *s, struct bytes *out)
{
    uint32_t slots = code_slots(s->code);
    while (slots > 0 && !s->first_known[slots - 1])
        slots--;
    bytes_varint(out, slots);
    uint64_t before = 0;
    for (uint32_t i = 0; i < slots; i++) {
        bytes_signed(out, (int64_t)(s->first[i].base - before));
        bytes_signed(out, s->first[i].stride);
        before = s->first[i].base;
    }
}

bool segment_finish(struct segment_encoder *s, struct bytes *out)
{
    put_first_accesses(s, out);
    for (uint32_t i = 0; i < s->n_warps; i++) {
        const struct segment_warp *w = &s->warps[i];
        unsigned char flags = (unsigned char)(w->start.over | (w->final ? WARP_FINAL : 0));
        bytes_byte(out, flags);
        bytes_varint(out, w->bytes);
        bytes_varint(out, w->start.done);
        for (unsigned h = 0; h < 2 && s->width == WARP_MAX_LANES; h++)
            bytes_varint(out, w->start.half[h]);
    }
    bytes_put(out, s->body.p, s->body.n);
    return !(s->failed || s->body.failed || s->pending.failed || out->failed);
}

void segment_encoder_fini(struct segment_encoder *s)
{
    bytes_fini(&s->body);
    bytes_fini(&s->pending);
    mem_free(s->list);
    mem_free(s->warps);
    *s = (struct segment_encoder){0};
}

static bool read_first_accesses(struct address_predictor *predict, uint32_t slots, struct span *in)
{
    uint64_t n = span_varint(in), base = 0;
    if (n > slots) return false;
    memset(predict, 0, slots * sizeof *predict);
    for (uint64_t i = 0; i < n; i++) {
        base += (uint64_t)span_signed(in);
        predict[i].base = base;
        predict[i].stride = span_signed(in);
    }
    return !in->bad;
}

static void read_warp(struct segment_warp *w, uint32_t width, struct span *in)
{
    const unsigned char *flags = span_take(in, 1);
    w->start.over = flags ? *flags & (WARP_OVER_LOW | WARP_OVER_HIGH) : 0;
    w->final = flags && *flags & WARP_FINAL;
    w->bytes = span_varint(in);
    w->start.done = span_varint(in);
    for (unsigned h = 0; h < 2 && width == WARP_MAX_LANES; h++)
        w->start.half[h] = span_varint(in);
}

bool segment_open(struct segment_view *v, struct address_predictor *predict, uint32_t slots,
                  uint32_t width, uint32_t n_warps, uint32_t warp, const unsigned char *bytes,
                  size_t n)
{
    struct span in = {bytes, bytes + n, false};
    if (!read_first_accesses(predict, slots, &in)) return false;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < n_warps; i++) {
        struct segment_warp w = {0};
        read_warp(&w, width, &in);
        if (w.bytes > n) return false;
        if (i < warp) offset += w.bytes;
        if (i == warp) v->warp = w;
    }
    if (in.bad || !span_take(&in, offset)) return false;
    v->body = in.at;
    if (!span_take(&in, v->warp.bytes)) return false;
    v->end = in.at;
    return true;
}
