/* verify.c - program_verify: everything is decoded once and counted against the index. */
#include "base/run/progress.h"
#include "trace/program/cursor.h"
#include "trace/program/source.h"

struct verifier {
    const struct program *p;
    struct reader *r;
    struct cursor c;
    uint32_t launch;
    uint64_t cta;
    struct error *e;
};

static bool note_difference(const struct verifier *v, const char *what)
{
    return error_input(v->e,
                       "%s: damaged trace: launch %u, CTA %llu: %s; make or copy the file again",
                       v->p->path, v->launch, (unsigned long long)v->cta, what);
}

/* Checks that the counts in the segments' headers equal those of decoding, and that the stream ends
 * with an exit. */
static bool verify_warp(struct verifier *v, uint32_t warp, uint64_t *total)
{
    struct warp_inst w = {0};
    uint8_t last = OP_N;
    uint64_t n = 0;
    enum got g;
    if (!cursor_seek(&v->c, v->r, v->launch, v->cta, warp, 0, v->e)) return false;
    while ((g = cursor_next(&v->c, &w, v->e)) == GOT_INST) {
        last = w.si->cls;
        if (v->c.done != ++n) return note_difference(v, "a segment's count of instructions");
    }
    if (g == GOT_END && last != OP_EXIT)
        return note_difference(v, "a warp that does not end with an exit");
    *total += n;
    return g == GOT_END;
}

static bool verify_starts(struct verifier *v, const struct launch *l)
{
    uint32_t segments = program_segments(v->p, v->launch, v->cta);
    for (uint32_t s = 0; s < segments; s++) {
        uint64_t before = 0;
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            if (!cursor_seek(&v->c, v->r, v->launch, v->cta, warp, s, v->e)) return false;
            before += v->c.done;
        }
        if (before != program_segment_start(v->p, v->launch, v->cta, s))
            return note_difference(v, "the index's count of instructions");
    }
    return true;
}

static bool verify_launch(struct verifier *v, const struct launch *l)
{
    uint64_t total = 0;
    for (v->cta = 0; v->cta < l->ctas; v->cta++) {
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++)
            if (!verify_warp(v, warp, &total)) return false;
        if (!verify_starts(v, l)) return false;
        if (atomic_load(&plumb_interrupted)) return error_interrupted(v->e, "checking");
    }
    v->cta = l->ctas - 1;
    return total == l->warp_instructions ||
           note_difference(v, "the launch's count of instructions");
}

bool program_verify(const struct program *p, struct error *e)
{
    struct verifier v = {.p = p, .e = e};
    struct block_tools tools = {.codec = zstd_frame_new()};
    v.r = reader_new(p, e);
    bool ok = v.r && (tools.codec || error_no_memory(e));
    ok = ok && (!p->ops->verify || p->ops->verify(p, &tools, e));
    for (v.launch = 0; ok && v.launch < p->n_launches; v.launch++)
        ok = verify_launch(&v, &p->launches[v.launch].face);
    cursor_release(&v.c);
    reader_free(v.r);
    segment_encoder_fini(&tools.encoder);
    zstd_frame_free(tools.codec);
    return ok;
}
