/* gemm_stream.c - the streams of a warp of a matrix product; see gemm_tiles.h. */
#include "trace/generators/ml/gemm_tiles.h"

enum { PIECE = 16, LINE = 128 /* bytes: what is swizzled, and within what */ };

/* A warp's tile, and where its code has got to. */
struct gemm_position {
    struct gemm_place place;
    uint32_t code, m, n; /* m, n: of the warp in the CTA's tile */
    uint32_t rank;       /* in its warpgroup */
};

static struct gemm_position position_of(const struct gen_warp *w, const struct gemm_tiles *t,
                                        uint32_t code)
{
    uint32_t down = w->warp % t->warps_m, across = w->warp / t->warps_m;
    return (struct gemm_position){.place = gemm_tiles_place(t, w->g, w->cta),
                                  .code = code,
                                  .m = down * t->a.warp_tile,
                                  .n = across * t->b.warp_tile,
                                  .rank = down % t->group};
}

/* Issues an access of the lanes that are `on`; addresses: one for each lane of the warp. */
static void issue_lanes(struct gen_warp *w, uint32_t code, uint64_t on, const uint64_t *addresses)
{
    uint64_t list[WARP_MAX_LANES];
    uint32_t n = 0;
    on &= w->mask;
    for (uint32_t l = 0; l < w->g->width; l++)
        if (on >> l & 1) list[n++] = addresses[l];
    struct warp_inst i = {.code = code, .mask = on, .form = ADDR_LIST, .list = list};
    if (!on) i.form = ADDR_NONE;
    segment_inst(w->out, &i, false);
}

static void issue_plain(struct gen_warp *w, struct gemm_position *at, uint32_t n)
{
    gen_plain_range(w, at->code, at->code + n);
    at->code += n;
}

/* --- memory to shared memory --- */

/* Vector v of an operand's tile: its row of memory in the tile, and its first element in that. */
static uint64_t vector_row(const struct gemm_operand *o, uint64_t v)
{
    return v / o->per_row;
}
static uint64_t vector_column(const struct gemm_operand *o, uint64_t v)
{
    return v % o->per_row * o->vector;
}

static bool address_of_b(const struct generator *g, const struct gemm_tiles *t, uint64_t product,
                         uint64_t column, uint64_t k, uint64_t *address)
{
    uint64_t at = t->b.along_k ? column * t->K + k : k * t->N + column;
    *address = gen_array(g, 1) + (product * t->K * t->N + at) * t->bytes;
    return true;
}

/* The lanes' addresses in access u of an operand; returns which lanes have one. */
static uint64_t memory_addresses(const struct gen_warp *w, const struct gemm_tiles *t,
                                 const struct gemm_place *p, uint64_t step, bool of_a, uint32_t u,
                                 uint64_t *addresses)
{
    const struct gemm_operand *o = of_a ? &t->a : &t->b;
    uint64_t on = 0, first = (uint64_t)u * t->threads + (uint64_t)w->warp * t->width;
    uint64_t row = first / o->per_row, vector = first % o->per_row;
    for (uint32_t l = 0; l < t->width && first + l < o->n; l++, vector++) {
        if (vector == o->per_row) vector = 0, row++;
        uint64_t column = vector * o->vector;
        uint64_t k = step * t->tile_k + (o->along_k ? column : row);
        uint64_t side = (of_a ? p->m : p->n) + (o->along_k ? row : column);
        if (k >= t->K || side >= (of_a ? t->M : t->N)) continue;
        bool there = of_a ? t->address_of_a(w->g, p->product, side, k, &addresses[l])
                          : address_of_b(w->g, t, p->product, side, k, &addresses[l]);
        if (there) on |= UINT64_C(1) << l;
    }
    return on;
}

/* Access u of a step to its tiles; all lanes are off behind the last step. */
static void access_tile(struct gen_warp *w, const struct gemm_tiles *t, struct gemm_position *at,
                        uint64_t step, uint32_t u)
{
    const struct gemm_place *p = &at->place;
    bool of_a = u < t->a.accesses;
    uint64_t on = 0, addresses[WARP_MAX_LANES];
    if (step < p->steps)
        on = memory_addresses(w, t, p, p->first + step, of_a, of_a ? u : u - t->a.accesses,
                              addresses);
    issue_lanes(w, at->code++, on, addresses);
}

/* Where byte `byte` of row `row` of an operand of the matrix units lies: 16-byte pieces are
 * swizzled within 128 bytes so that equal pieces of consecutive rows lie apart. */
static uint64_t swizzled(const struct gemm_operand *o, uint64_t row, uint64_t byte)
{
    uint64_t pieces = o->pitch < LINE ? o->pitch / PIECE : LINE / PIECE;
    uint64_t line = row / (LINE / PIECE / pieces), piece = byte / PIECE ^ line % pieces;
    return o->at + row * o->pitch + piece * PIECE + byte % PIECE;
}

/* Where element (row or column `side`, k) of an operand lies in a buffer. */
static uint64_t shared_place(const struct gemm_tiles *t, const struct gemm_operand *o,
                             uint64_t side, uint64_t k)
{
    if (!t->tensor) return o->at + k * o->pitch + side * t->bytes;
    return o->along_k ? swizzled(o, side, k * t->bytes) : swizzled(o, k, side * t->bytes);
}

static void store_staged(struct gen_warp *w, const struct gemm_tiles *t, struct gemm_position *at,
                         const struct gemm_operand *o, uint64_t buffer)
{
    uint64_t apart = gemm_tiles_stored_apart(t, o), addresses[WARP_MAX_LANES];
    if (gen_global_only(w)) {
        issue_plain(w, at, o->accesses * (uint32_t)apart);
        return;
    }
    for (uint32_t u = 0; u < o->accesses; u++)
        for (uint64_t i = 0; i < apart; i++) {
            uint64_t on = 0, first = (uint64_t)u * t->threads + (uint64_t)w->warp * t->width;
            for (uint32_t l = 0; l < t->width && first + l < o->n; l++) {
                uint64_t row = vector_row(o, first + l), column = vector_column(o, first + l) + i;
                uint64_t side = o->along_k ? row : column, k = o->along_k ? column : row;
                addresses[l] = buffer * t->buffer_bytes + shared_place(t, o, side, k);
                on |= UINT64_C(1) << l;
            }
            issue_lanes(w, at->code++, on, addresses);
        }
}

static void hand_over(struct gen_warp *w, const struct gemm_tiles *t, struct gemm_position *at,
                      uint64_t step)
{
    if (t->stages == 1) {
        store_staged(w, t, at, &t->a, step % t->buffers);
        store_staged(w, t, at, &t->b, step % t->buffers);
    } else {
        gen_plain(w, at->code++);
    }
    gen_plain(w, at->code++);
}

/* --- shared memory to registers --- */

/* Lane l's part of fragment i of a slice on the matrix units, as LDSM.x4 reads it: lanes side by
 * side read the rows of memory. */
static uint64_t tensor_fragment(const struct gemm_tiles *t, const struct gemm_operand *o,
                                uint64_t warp_at, uint32_t i, uint32_t slice, uint32_t l)
{
    uint32_t rows = o->along_k ? GEMM_FRAGMENT : t->depth;
    uint64_t side = warp_at + i * GEMM_FRAGMENT, k = slice * t->depth;
    uint64_t within = l / rows * gemm_tiles_fragment_bytes(t, o) / t->bytes;
    if (o->along_k) return shared_place(t, o, side + l % rows, k + within);
    return shared_place(t, o, side + within, k + l % rows);
}

/* Fragment i of a slice, those of A first. */
static void read_fragment(struct gen_warp *w, const struct gemm_tiles *t, struct gemm_position *at,
                          uint64_t step, uint32_t slice, uint32_t i)
{
    bool of_b = i >= t->a.fragments;
    const struct gemm_operand *o = of_b ? &t->b : &t->a;
    uint32_t lanes = of_b ? t->lanes_n : t->lanes_m, warp_at = of_b ? at->n : at->m;
    uint64_t addresses[WARP_MAX_LANES], buffer = step % t->buffers * t->buffer_bytes;
    if (gen_global_only(w)) {
        issue_plain(w, at, 1);
        return;
    }
    if (of_b) i += at->rank * o->fragments - t->a.fragments;
    for (uint32_t l = 0; l < t->width; l++) {
        uint32_t lane = of_b ? l % t->lanes_n : l / t->lanes_n;
        uint64_t side = warp_at + (i * lanes + lane) * o->fragment;
        addresses[l] = buffer + (t->tensor ? tensor_fragment(t, o, warp_at, i, slice, l)
                                           : shared_place(t, o, side, slice));
    }
    issue_lanes(w, at->code++, UINT64_MAX, addresses);
}

/* --- the parts of a stream --- */

void gemm_stream_prologue(struct gen_warp *w, const struct gemm_tiles *t)
{
    uint32_t accesses = t->a.accesses + t->b.accesses, copies = t->stages > 1;
    uint32_t fragments = t->a.fragments + t->b.fragments, stores = 0;
    if (t->stages == 1)
        stores = (uint32_t)(t->a.accesses * gemm_tiles_stored_apart(t, &t->a) +
                            t->b.accesses * gemm_tiles_stored_apart(t, &t->b));
    uint32_t last = fragments + stores + 1 + copies;
    uint32_t plain = w->g->n_prologue - gemm_tiles_ahead(t) * (accesses + copies) - last;
    struct gemm_position at = position_of(w, t, plain);
    gen_plain_range(w, 0, plain);
    for (uint32_t s = 0; s < gemm_tiles_ahead(t); s++) {
        for (uint32_t u = 0; u < accesses; u++)
            access_tile(w, t, &at, s, u);
        if (copies) gen_plain(w, at.code++);
    }
    hand_over(w, t, &at, 0);
    for (uint32_t i = 0; i < fragments; i++)
        read_fragment(w, t, &at, 0, 0, i);
}

static void multiply_slice(struct gen_warp *w, const struct gemm_tiles *t, struct gemm_position *at,
                           uint64_t step, uint32_t slice)
{
    uint32_t products = gemm_tiles_sums(t), fragments = t->a.fragments + t->b.fragments;
    uint32_t accesses = slice == 0 ? t->a.accesses + t->b.accesses : 0, n = 0;
    bool last = slice + 1 == t->slices;
    uint32_t late = gemm_tiles_hand_over(t, slice), reads = fragments + accesses;
    for (uint32_t i = 0, next; i < products; i = next) {
        if (last && i == late) hand_over(w, t, at, step + 1);
        for (; i >= late && n < gemm_tiles_spread(reads, products - late, i - late); n++)
            if (n < fragments)
                read_fragment(w, t, at, step + last, last ? 0 : slice + 1, n);
            else
                access_tile(w, t, at, step + gemm_tiles_ahead(t), n - fragments);
        for (next = i + 1; next < products && next != late; next++)
            if (next > late && gemm_tiles_spread(reads, products - late, next - late) > n) break;
        issue_plain(w, at, next - i);
    }
    if (slice == 0 && t->stages > 1) gen_plain(w, at->code++);
}

void gemm_stream_step(struct gen_warp *w, const struct gemm_tiles *t, uint64_t iteration)
{
    struct gemm_position at = position_of(w, t, w->g->n_prologue);
    for (uint32_t s = 0; s < t->slices; s++) {
        multiply_slice(w, t, &at, iteration, s);
        if (gen_global_only(w)) break; /* the other slices read no memory */
    }
    gen_plain_range(w, at.code, w->g->n_prologue + w->g->n_step);
}

/* Row and column in the warp's tile of store u of a lane. */
static void place_result(const struct gemm_tiles *t, uint32_t u, uint32_t l, uint64_t *row,
                         uint64_t *column)
{
    uint64_t v = t->c_vector, wide = t->b.warp_tile / v;
    if (t->tensor) {
        uint64_t at = (uint64_t)u * t->width + l;
        *row = at / wide;
        *column = at % wide * v;
        return;
    }
    uint32_t per_row = t->b.warp_tile / t->lanes_n / (uint32_t)v, i = u / per_row;
    uint32_t j = u % per_row * (uint32_t)v, a = t->a.fragment, b = t->b.fragment;
    *row = (i / a * t->lanes_m + l / t->lanes_n) * a + i % a;
    *column = (j / b * t->lanes_n + l % t->lanes_n) * b + j % b;
}

void gemm_stream_epilogue(struct gen_warp *w, const struct gemm_tiles *t)
{
    struct gemm_position at = position_of(w, t, w->g->n_prologue + w->g->n_step);
    const struct gemm_place *p = &at.place;
    uint32_t stores = gemm_tiles_stores(t);
    uint32_t scale = (uint32_t)(t->c_vector + (t->c_bytes == 2 ? (t->c_vector + 1) / 2 : 0));
    for (uint32_t u = 0; u < stores; u++) {
        uint64_t addresses[WARP_MAX_LANES], on = 0;
        issue_plain(w, &at, scale);
        for (uint32_t l = 0; l < t->width; l++) {
            uint64_t row, column;
            place_result(t, u, l, &row, &column);
            if (row >= t->a.warp_tile) continue;
            row += p->m + at.m;
            column += p->n + at.n;
            if (row >= t->M || column >= t->N) continue;
            uint64_t element = (p->product * t->M + row) * t->N + column;
            addresses[l] = gen_array(w->g, 2) + element * t->c_bytes;
            on |= UINT64_C(1) << l;
        }
        issue_lanes(w, at.code++, on, addresses);
    }
    gen_plain(w, at.code);
}
