/* Any bytes as a segment, read by a cursor at each warp: instructions within bounds, an end, or an
 * error. */
#include "base/memory/alloc.h"
#include "trace/program/cursor.h"
#include "trace/program/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { WARPS = 3, MOST = 4000 };

static const uint8_t *input;
static size_t input_n;

static uint32_t segments(const struct program *p, uint32_t launch, uint64_t cta)
{
    (void)p, (void)launch, (void)cta;
    return 2;
}

static struct segment_place place(const struct program *p, uint32_t launch, uint64_t cta,
                                  uint32_t segment)
{
    (void)p, (void)launch, (void)cta;
    return (struct segment_place){.block = segment};
}

static bool load(const struct program *p, uint64_t block, struct block_tools *t, struct bytes *out,
                 struct error *e)
{
    (void)p, (void)block, (void)t, (void)e;
    bytes_put(out, input, input_n);
    return true;
}

static const struct source_ops ops = {.segments = segments, .place = place, .load = load};

static void make_code(struct code_table *code)
{
    if (!code_init(code)) __builtin_trap();
    for (uint32_t i = 0; i < 150; i++) {
        struct static_inst si = {.pc = i, .cls = OP_INT, .dst = REG_NONE};
        if (i % 2) si.cls = OP_LOAD, si.space = SPACE_GLOBAL, si.width = 4;
        if (i == 148) si.cls = OP_EXIT;
        if (code_add(code, &si, NULL) != i) __builtin_trap();
    }
}

static volatile uint64_t sink; /* keeps the reads alive */

static void read_warp(struct reader *r, uint32_t warp)
{
    struct cursor c = {0};
    struct warp_inst w;
    struct error e;
    uint64_t sum = 0;
    enum got g = cursor_seek(&c, r, 0, 0, warp, 0, &e) ? GOT_INST : GOT_ERROR;
    for (uint32_t i = 0; i < MOST && g == GOT_INST; i++) {
        g = cursor_next(&c, &w, &e);
        if (g != GOT_INST) break;
        uint32_t lanes = (uint32_t)__builtin_popcountll(w.mask);
        for (uint32_t k = 0; w.form != ADDR_NONE && k < lanes; k++)
            sum += warp_inst_addr(&w, k);
        sum += w.si->pc;
    }
    if (g != GOT_INST && cursor_next(&c, &w, &e) == GOT_INST) __builtin_trap();
    cursor_release(&c);
    sink = sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct code_table code;
    if (code.n == 0) make_code(&code);
    if (n < 2) return 0;
    input = bytes + 1;
    input_n = n - 1;
    uint32_t source = bytes[0] & 1 ? 64 : 32, width = bytes[0] & 2 ? 32 : source;
    struct program_launch l = {
        .face = {.ctas = 1, .warps_per_cta = WARPS * (source / width), .warp_width = width},
        .code = &code,
        .source_warps = WARPS};
    struct program p = {.ops = &ops,
                        .path = "fuzz",
                        .source_width = source,
                        .width = width,
                        .launches = &l,
                        .n_launches = 1};
    struct reader *r = reader_new(&p, NULL);
    for (uint32_t warp = 0; r && warp < l.face.warps_per_cta; warp++)
        read_warp(r, warp);
    reader_free(r);
    return 0;
}
