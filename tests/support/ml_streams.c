#include "tests/support/ml_streams.h"

#include <stdlib.h>
#include <unistd.h>

#define ML_BASE (UINT64_C(1) << 36)

enum { ML_ALIGN = 2 << 20 };

struct program *ml_open(const char *text, uint32_t width)
{
    struct error e = {0};
    const char *path = scratch_path("operator.cfg");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    check_ok(p, &e);
    check_ok(program_verify(p, &e), &e);
    unlink(path);
    return p;
}

void ml_place(struct ml_array *a, const uint64_t *bytes, uint32_t n)
{
    uint64_t at = ML_BASE;
    for (uint32_t k = 0; k < n; k++) {
        a[k] = (struct ml_array){at, bytes[k]};
        at += (bytes[k] + ML_ALIGN - 1) / ML_ALIGN * ML_ALIGN;
    }
}

uint64_t ml_offset(const struct ml_array *a, uint64_t address, uint32_t width)
{
    if (address < a->at || address + width > a->at + a->bytes)
        fail_msg("%llx is not in %llx + %llx", (unsigned long long)address,
                 (unsigned long long)a->at, (unsigned long long)a->bytes);
    return address - a->at;
}

void ml_visit(const struct program *p, uint32_t launch, ml_visit_fn *fn, void *of)
{
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    const struct launch *l = program_launch(p, launch);
    uint64_t n = 0;
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            check_ok(cursor_seek(&c, r, launch, cta, warp, 0, &e), &e);
            for (; cursor_next(&c, &w, &e) == GOT_INST; n++)
                fn(&w, cta, warp, of);
        }
    assert_int_equal(n, l->warp_instructions);
    cursor_release(&c);
    reader_free(r);
}

uint32_t ml_lanes(const struct warp_inst *w)
{
    return (uint32_t)__builtin_popcountll(w->mask);
}

uint32_t *ml_counts(uint64_t n)
{
    uint32_t *count = calloc(n ? n : 1, sizeof *count);
    assert_non_null(count);
    return count;
}

void ml_all_are(const uint32_t *count, uint64_t n, uint32_t wanted, const char *what)
{
    for (uint64_t i = 0; i < n; i++)
        if (count[i] != wanted)
            fail_msg("%s %llu: %u times, not %u", what, (unsigned long long)i, count[i], wanted);
}
