/* repack.c - copies a program into a .plt file, command by command, warp by warp, instruction by
 * instruction, through the writer that captures use. The file appears when all of it is written. */
#include "trace/plt/repack.h"

#include "base/run/progress.h"
#include "trace/plt/writer.h"
#include "trace/program/cursor.h"
#include "trace/program/source.h"

struct repacker {
    const struct program *p;
    struct writer *w;
    struct reader *r;
    struct cursor c;
    struct error *e;
};

static bool copy_warp(struct repacker *x, uint32_t launch, uint64_t cta, uint32_t warp)
{
    struct warp_inst w;
    uint64_t list[WARP_MAX_LANES];
    enum got g;
    if (!cursor_seek(&x->c, x->r, launch, cta, warp, 0, x->e)) return false;
    while ((g = cursor_next(&x->c, &w, x->e)) == GOT_INST) {
        uint32_t lanes = (uint32_t)__builtin_popcountll(w.mask);
        for (uint32_t k = 0; w.form != ADDR_NONE && k < lanes; k++)
            list[k] = warp_inst_addr(&w, k);
        if (!writer_inst(x->w, warp, w.code, w.mask, list, x->e)) return false;
    }
    return g == GOT_END;
}

static bool copy_cta(struct repacker *x, const struct launch *l, uint32_t launch, uint64_t cta)
{
    if (!writer_cta_begin(x->w, x->e)) return false;
    for (uint32_t warp = 0; warp < l->warps_per_cta; warp++)
        if (!copy_warp(x, launch, cta, warp)) return false;
    return writer_cta_end(x->w, x->e);
}

static bool copy_launch(struct repacker *x, uint32_t launch)
{
    const struct launch *l = program_launch(x->p, launch);
    if (!writer_launch_begin(x->w, l, x->e)) return false;
    for (uint32_t i = 0; i < l->n_code; i++)
        if (writer_code(x->w, &l->code[i], l->strings + l->code[i].opcode) == UINT32_MAX)
            return error_no_memory(x->e);
    for (uint64_t cta = 0; cta < l->ctas; cta++) {
        if (!copy_cta(x, l, launch, cta)) return false;
        if (atomic_load(&plumb_interrupted)) return error_interrupted(x->e, "writing");
    }
    return writer_launch_end(x->w, x->e);
}

static bool copy_commands(struct repacker *x)
{
    for (uint32_t i = 0; i < program_warnings(x->p); i++)
        if (!writer_note(x->w, program_warning(x->p, i))) return error_no_memory(x->e);
    for (uint32_t i = 0; i < program_commands(x->p); i++) {
        const struct command *c = program_command(x->p, i);
        bool ok = c->kind == COMMAND_LAUNCH ? copy_launch(x, c->launch)
                                            : writer_copy(x->w, c->kind, c->addr, c->bytes, x->e);
        if (!ok) return false;
    }
    return true;
}

bool program_repack(const struct program *p, const char *path, const char *note, struct error *e)
{
    struct repacker x = {.p = p, .e = e};
    x.r = reader_new(p, e);
    x.w = x.r ? writer_new(path, p->width, note, e) : NULL;
    bool ok = x.w && copy_commands(&x);
    if (ok)
        ok = writer_commit(x.w, e);
    else
        writer_abort(x.w);
    cursor_release(&x.c);
    reader_free(x.r);
    return ok;
}
