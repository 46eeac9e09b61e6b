#include "tests/support/litmus.h"

#include <stdio.h>

static const uint64_t litmus_base = 0x10000000;

static uint64_t litmus_addr(enum var v)
{
    return litmus_base + (uint64_t)v * 4096;
}

static void litmus_served(void *ctx, uint32_t sm, uint64_t addr, uint32_t version)
{
    struct seen *s = ctx;
    enum var v = (enum var)((addr - litmus_base) / 4096);
    if (addr != litmus_addr(v) || sm >= LITMUS_WARPS || s->n[sm] == SEEN_MAX) return;
    s->load[sm][s->n[sm]].var = v;
    s->load[sm][s->n[sm]++].version = version;
}

uint32_t litmus_version(const struct seen *s, uint32_t warp, enum var v, uint32_t k)
{
    for (uint32_t i = 0; i < s->n[warp]; i++)
        if (s->load[warp][i].var == v && k-- == 0) return s->load[warp][i].version;
    return UINT32_MAX;
}

void litmus_print(const struct seen *s)
{
    for (uint32_t w = 0; w < LITMUS_WARPS; w++)
        for (uint32_t i = 0; i < s->n[w]; i++)
            fprintf(stderr, " %u:%d=%u", w, (int)s->load[w][i].var, s->load[w][i].version);
    fprintf(stderr, "\n");
}

static void litmus_op(struct writer *w, const struct op *o, uint64_t pc, struct error *e)
{
    struct static_inst si = {.pc = (uint32_t)pc * 8, .cls = (uint8_t)o->cls, .dst = REG_NONE};
    uint64_t addr[LITMUS_LANES], mask = o->whole ? UINT64_MAX : UINT64_C(1) << o->lane;
    bool memory = inst_op_is_global(si.cls);
    if (memory) {
        si.space = SPACE_GLOBAL;
        si.width = 4;
        si.hint = o->hint;
        si.dst =
            o->cls == OP_STORE ? REG_NONE : (uint16_t)(3 + pc % 64); /* none waits for another */
    } else {
        mask = UINT64_MAX;
        if (o->cls == OP_INT) si.dst = 2, si.n_src = 1, si.src[0] = 2;
    }
    for (uint64_t i = 0; i < LITMUS_LANES; i++)
        addr[i] = litmus_addr(o->var) + 4 * (i + o->lane); /* of the active lanes */
    uint32_t code = writer_code(w, &si, NULL);
    for (uint32_t k = 0; k < (o->cls == OP_INT ? o->times : 1); k++)
        if (!writer_inst(w, 0, code, mask, memory ? addr : NULL, e)) fail_msg("%s", e->text);
}

struct program *litmus_program(const struct litmus *t)
{
    uint32_t warps = 2;
    while (warps < LITMUS_WARPS && t->warp[warps][0].set)
        warps++;
    struct written f = written_begin(LITMUS_LANES);
    struct error e = {0};
    struct launch l = {.name = "litmus",
                       .grid = {warps, 1, 1},
                       .block = {LITMUS_LANES, 1, 1},
                       .registers_per_lane = 80,
                       .header = ""};
    struct op end = SYNC(OP_EXIT);
    bool ok = writer_launch_begin(f.w, &l, &e);
    for (uint32_t cta = 0; ok && cta < warps; cta++) {
        ok = writer_cta_begin(f.w, &e);
        for (uint32_t i = 0; i < LITMUS_OPS && t->warp[cta][i].set; i++)
            litmus_op(f.w, &t->warp[cta][i], cta * 64 + i, &e);
        litmus_op(f.w, &end, cta * 64 + 63, &e);
        ok = ok && writer_cta_end(f.w, &e);
    }
    ok = ok && writer_launch_end(f.w, &e);
    if (!ok) fail_msg("%s", e.text);
    return written_end(&f);
}

bool litmus_run(const struct machine *m, const struct program *p, litmus_change *change,
                const void *how, struct seen *out)
{
    struct error e = {0};
    struct sim *s = sim_new(m, p, &e);
    *out = (struct seen){.n = {0}};
    bool ok = s != NULL;
    if (ok && change) change(&s->coherence, how);
    if (ok) {
        s->shadow.served = litmus_served;
        s->shadow.ctx = out;
        ok = sim_run(s, NULL, NULL, NULL, &e) == SIM_DONE;
    }
    if (!ok) fprintf(stderr, "%s\n", e.text);
    sim_free(s);
    return ok;
}
