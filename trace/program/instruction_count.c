/* instruction_count.c - counts the warp instructions of launches whose number is unknown; see
 * program.h. */
#include "trace/program/cursor.h"

static bool count_launch(const struct program *p, struct reader *r, uint32_t launch, uint64_t *n,
                         struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    struct cursor c = {0};
    *n = 0;
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            struct error own = {0};
            if (!cursor_seek(&c, r, launch, cta, warp, 0, e)) return false;
            *n += cursor_skip(&c, UINT64_MAX, &own);
            cursor_release(&c);
            if (own.kind != ERROR_NONE) {
                *e = own;
                return false;
            }
        }
    return true;
}

bool program_count(const struct program *p, uint64_t *out, struct error *e)
{
    struct reader *r = NULL;
    bool ok = true;
    for (uint32_t i = 0; ok && i < program_launches(p); i++) {
        out[i] = program_launch(p, i)->warp_instructions;
        if (out[i]) continue;
        if (!r && !(r = reader_new(p, e))) return false;
        ok = count_launch(p, r, i, &out[i], e);
    }
    reader_free(r);
    return ok;
}
