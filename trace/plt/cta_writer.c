/* cta_writer.c - see cta_writer.h.  A log entry: varint code, varint (mask xor mask before), and
 * for addresses a form byte with base and stride, or base and runs of equal differences. */
#include "trace/plt/cta_writer.h"

#include "base/memory/alloc.h"

static void log_reset(struct warp_log *l)
{
    l->raw.n = 0;
    l->raw.failed = false;
    l->n = l->mask = l->spared = 0;
    l->n_barriers = 0;
    l->last_cls = OP_N;
}

bool cta_begin(struct cta *c, const struct code_table *code, uint32_t width, uint32_t n_warps)
{
    if (!mem_grow(&c->warp, &c->warps_cap, n_warps, sizeof *c->warp)) return false;
    c->code = code;
    c->width = width;
    c->n_warps = n_warps;
    for (uint32_t i = 0; i < n_warps; i++)
        log_reset(&c->warp[i]);
    return true;
}

static bool evenly_spaced(const uint64_t *a, uint32_t n)
{
    for (uint32_t k = 2; k < n; k++)
        if (a[k] - a[k - 1] != a[1] - a[0]) return false;
    return true;
}

/* The differences of a list, each with how often it follows itself. The bytes that it would take to
 * tell each of them beyond those that it takes. */
static uint64_t log_differences(struct bytes *raw, const uint64_t *a, uint32_t n)
{
    uint64_t spared = 0;
    for (uint32_t k = 1, m; k < n; k += m) {
        uint64_t d = a[k] - a[k - 1];
        for (m = 1; k + m < n && a[k + m] - a[k + m - 1] == d;)
            m++;
        size_t before = raw->n;
        bytes_signed(raw, (int64_t)d);
        spared += (m - 1) * (uint64_t)(raw->n - before);
        bytes_varint(raw, m);
        spared -= varint_size(m);
    }
    return spared;
}

static uint64_t log_addresses(struct bytes *raw, const uint64_t *a, uint32_t n)
{
    bool even = evenly_spaced(a, n);
    bytes_varint(raw, even ? ADDR_STRIDE : ADDR_LIST);
    bytes_varint(raw, a[0]);
    if (!even) return log_differences(raw, a, n);
    if (n > 1) bytes_signed(raw, (int64_t)(a[1] - a[0]));
    return 0;
}

bool cta_inst(struct cta *c, uint32_t warp, uint32_t code, uint64_t mask, const uint64_t *addrs)
{
    struct warp_log *l = &c->warp[warp];
    uint8_t cls = c->code->si[code].cls;
    if (cls == OP_BARRIER) {
        if (!mem_grow(&l->barrier, &l->barriers_cap, l->n_barriers + 1, sizeof *l->barrier))
            return false;
        l->barrier[l->n_barriers++] = l->n;
    }
    bytes_varint(&l->raw, code);
    bytes_varint(&l->raw, mask ^ l->mask);
    if (mask && c->code->slot[code] != CODE_NO_SLOT)
        l->spared += log_addresses(&l->raw, addrs, (uint32_t)__builtin_popcountll(mask));
    l->mask = mask;
    l->last_cls = cls;
    l->n++;
    return !l->raw.failed;
}

uint32_t cta_unfinished(const struct cta *c)
{
    uint32_t i = 0;
    while (i < c->n_warps && c->warp[i].last_cls == OP_EXIT)
        i++;
    return i;
}

static uint64_t choose_reach(const struct cta *c)
{
    uint64_t bytes = 0, n = 0;
    for (uint32_t i = 0; i < c->n_warps; i++) {
        bytes += c->warp[i].raw.n + c->warp[i].spared;
        n += c->warp[i].n;
    }
    uint64_t reach = bytes ? CTA_WARP_BYTES * n / bytes : CTA_REACH_MOST;
    if (reach < CTA_REACH_LEAST) return CTA_REACH_LEAST;
    return reach < CTA_REACH_MOST ? reach : CTA_REACH_MOST;
}

void cta_rewind(struct cta *c)
{
    c->reach = choose_reach(c);
    for (uint32_t i = 0; i < c->n_warps; i++) {
        struct warp_log *l = &c->warp[i];
        l->at = l->cut = l->passed = 0;
        l->rest = (struct span){l->raw.p, l->raw.p + l->raw.n, false};
        l->rest_mask = 0;
        l->progress = (struct warp_progress){0};
    }
}

/* The instructions that the most advanced warp would execute if the CTA were cut after the j-th
 * barrier from here; 0: no warp has such a barrier. */
static uint64_t advance_to_barrier(const struct cta *c, size_t j)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < c->n_warps; i++) {
        const struct warp_log *l = &c->warp[i];
        if (l->passed + j >= l->n_barriers) continue;
        uint64_t advance = l->barrier[l->passed + j] + 1 - l->at;
        if (advance > most) most = advance;
    }
    return most;
}

/* Cuts after barrier j for all warps that have it; the others go as far as the hard limit allows.
 */
static void cut_behind_barrier(struct cta *c, size_t j)
{
    for (uint32_t i = 0; i < c->n_warps; i++) {
        struct warp_log *l = &c->warp[i];
        uint64_t hard = l->n - l->at < c->reach ? l->n : l->at + c->reach;
        l->cut = l->passed + j < l->n_barriers ? l->barrier[l->passed + j] + 1 : hard;
    }
}

/* Cuts after the hard limit, but before barrier j. */
static void cut_hard(struct cta *c, size_t j)
{
    for (uint32_t i = 0; i < c->n_warps; i++) {
        struct warp_log *l = &c->warp[i];
        uint64_t stop = l->passed + j < l->n_barriers ? l->barrier[l->passed + j] : l->n;
        l->cut = stop - l->at < c->reach ? stop : l->at + c->reach;
    }
}

static void choose_cuts(struct cta *c)
{
    for (size_t j = 0;; j++) {
        uint64_t advance = advance_to_barrier(c, j);
        if (advance == 0 || advance > c->reach) {
            cut_hard(c, j);
            return;
        }
        if (advance >= c->reach / 4) {
            cut_behind_barrier(c, j);
            return;
        }
    }
}

static void read_addresses(struct span *in, struct warp_inst *w, uint64_t list[WARP_MAX_LANES])
{
    uint32_t n = (uint32_t)__builtin_popcountll(w->mask);
    w->form = (uint8_t)span_varint(in);
    w->base = list[0] = span_varint(in);
    w->stride = 0;
    w->list = list;
    if (w->form == ADDR_STRIDE) {
        if (n > 1) w->stride = span_signed(in);
        return;
    }
    for (uint32_t k = 1, end; k < n; k = end) {
        uint64_t d = (uint64_t)span_signed(in);
        for (end = k + (uint32_t)span_varint(in); k < end && k < n; k++)
            list[k] = list[k - 1] + d;
    }
}

static void replay_warp(struct cta *c, struct warp_log *l, struct segment_encoder *enc)
{
    uint64_t list[WARP_MAX_LANES];
    struct warp_inst w = {.list = list};
    for (; l->at < l->cut; l->at++) {
        w.code = (uint32_t)span_varint(&l->rest);
        w.mask = l->rest_mask ^= span_varint(&l->rest);
        if (w.mask && c->code->slot[w.code] != CODE_NO_SLOT) read_addresses(&l->rest, &w, list);
        segment_inst(enc, &w, l->at + 1 == l->n);
    }
}

bool cta_next_segment(struct cta *c, struct segment_encoder *enc)
{
    bool more = false;
    for (uint32_t i = 0; i < c->n_warps; i++)
        more |= c->warp[i].at < c->warp[i].n;
    if (!more) return false;
    choose_cuts(c);
    segment_begin(enc, c->code, c->width);
    for (uint32_t i = 0; i < c->n_warps; i++) {
        struct warp_log *l = &c->warp[i];
        bool live = l->at < l->n;
        segment_warp_begin(enc, &l->progress);
        replay_warp(c, l, enc);
        while (l->passed < l->n_barriers && l->barrier[l->passed] < l->at)
            l->passed++;
        l->progress = segment_warp_end(enc, live && l->at == l->n);
    }
    return true;
}

void cta_fini(struct cta *c)
{
    for (size_t i = 0; i < c->warps_cap; i++) {
        bytes_fini(&c->warp[i].raw);
        mem_free(c->warp[i].barrier);
    }
    mem_free(c->warp);
    *c = (struct cta){0};
}
