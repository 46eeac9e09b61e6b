/* ml_streams.h - the tests of operators read what each warp does, instruction by instruction. */
#pragma once

#include "tests/support/generator_refused.h"

#define ML_BASE (UINT64_C(1) << 36)
enum { ML_ALIGN = 2 << 20 };

static inline struct program *ml_open(const char *text, uint32_t width)
{
    struct error e = {0};
    const char *path = scratch("operator.cfg");
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

/* An array that a program reads or writes: the k-th one of these sizes. */
struct ml_array {
    uint64_t at, bytes;
};

static inline void ml_place(struct ml_array *a, const uint64_t *bytes, uint32_t n)
{
    uint64_t at = ML_BASE;
    for (uint32_t k = 0; k < n; k++) {
        a[k] = (struct ml_array){at, bytes[k]};
        at += (bytes[k] + ML_ALIGN - 1) / ML_ALIGN * ML_ALIGN;
    }
}

/* The offset of an access of `width` bytes in its array. */
static inline uint64_t ml_offset(const struct ml_array *a, uint64_t address, uint32_t width)
{
    if (address < a->at || address + width > a->at + a->bytes)
        fail_msg("%llx is not in %llx + %llx", (unsigned long long)address,
                 (unsigned long long)a->at, (unsigned long long)a->bytes);
    return address - a->at;
}

typedef void ml_visit_fn(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of);

/* All instructions of a launch, warp by warp. */
static inline void ml_visit(const struct program *p, uint32_t launch, ml_visit_fn *fn, void *of)
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

static inline uint32_t ml_lanes(const struct warp_inst *w)
{
    return (uint32_t)__builtin_popcountll(w->mask);
}

/* Counts of what is touched, of one unit each. */
static inline uint32_t *ml_counts(uint64_t n)
{
    uint32_t *count = calloc(n ? n : 1, sizeof *count);
    assert_non_null(count);
    return count;
}

static inline void ml_all_are(const uint32_t *count, uint64_t n, uint32_t wanted, const char *what)
{
    for (uint64_t i = 0; i < n; i++)
        if (count[i] != wanted)
            fail_msg("%s %llu: %u times, not %u", what, (unsigned long long)i, count[i], wanted);
}
