/* page_sharing.c - finds the thread batches of a program's launches and adds up who shares their
 * pages. Launches with the same kernel, grid and block are of one kind: the first of them is read,
 * and all have its formation. A kernel has the formation of most of its launches. Source: Mao
 * 5.2.1, 5.2.2. */
#include "trace/analysis/page_sharing.h"

#include "base/memory/alloc.h"
#include "trace/constants.h"
#include "trace/program/cursor.h"
#include "trace/program/summary.h"

#include <string.h>

static struct page_limits formation_limits(void)
{
    return (struct page_limits){.ctas = (uint64_t)BATCH_CTAS,
                                .accesses = (uint64_t)BATCH_ACCESSES,
                                .runs = (uint64_t)PAGE_RUNS,
                                .work = (uint64_t)BATCH_WORK};
}

static struct page_limits sharing_limits(void)
{
    return (struct page_limits){.ctas = UINT64_MAX,
                                .accesses = UINT64_MAX,
                                .runs = (uint64_t)PAGE_RUNS,
                                .work = UINT64_MAX};
}

static bool find_formation(const struct program *p, struct reader *r, uint32_t launch,
                           uint32_t page_bytes, struct batch_formation *out, struct error *e)
{
    struct page_sets s;
    struct page_limits limits = formation_limits();
    if (!page_sets_collect(&s, p, r, launch, page_bytes, &limits, NULL, e)) return false;
    bool ok =
        batch_formation_find(out, &s, program_launch(p, launch)->grid[0]) || error_no_memory(e);
    page_sets_fini(&s);
    return ok;
}

static bool same_kernel(const struct launch *a, const struct launch *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

bool page_sharing_stride(const struct program *p, uint32_t launch, uint32_t page_bytes,
                         struct batch_formation *out, struct error *e)
{
    uint32_t first = 0;
    while (first < launch && !same_kernel(program_launch(p, first), program_launch(p, launch)))
        first++;
    launch = first; /* the answer does not depend on which launch is asked for first */
    struct reader *r = reader_new(p, e);
    bool ok = r && find_formation(p, r, launch, page_bytes, out, e);
    reader_free(r);
    return ok;
}

/* --- all launches --- */

/* Launches of the same kernel, grid and block are of one kind. */
struct launch_kinds {
    uint32_t *of;    /* of each launch */
    uint32_t *first; /* of each kind: its first launch */
    uint64_t *launches;
    struct batch_formation *formation;
    uint32_t n;
};

static void sort_launches(struct launch_kinds *k, const struct program *p)
{
    for (uint32_t i = 0; i < program_launches(p); i++) {
        uint32_t kind = 0;
        while (kind < k->n && !same_kernel(program_launch(p, k->first[kind]), program_launch(p, i)))
            kind++;
        if (kind == k->n) k->first[k->n++] = i;
        k->of[i] = kind;
        k->launches[kind]++;
    }
}

static void launch_kinds_fini(struct launch_kinds *k)
{
    mem_free(k->of);
    mem_free(k->first);
    mem_free(k->launches);
    mem_free(k->formation);
}

static bool launch_kinds_init(struct launch_kinds *k, const struct program *p, struct reader *r,
                              uint32_t page_bytes, struct error *e)
{
    size_t n = program_launches(p) + (size_t)1;
    *k = (struct launch_kinds){.of = mem_new(n, sizeof *k->of),
                               .first = mem_new(n, sizeof *k->first),
                               .launches = mem_new(n, sizeof *k->launches),
                               .formation = mem_new(n, sizeof *k->formation)};
    bool ok = (k->of && k->first && k->launches && k->formation) || error_no_memory(e);
    if (ok) sort_launches(k, p);
    for (uint32_t i = 0; ok && i < k->n; i++)
        ok = find_formation(p, r, k->first[i], page_bytes, &k->formation[i], e);
    if (!ok) launch_kinds_fini(k);
    return ok;
}

bool page_sharing_strides(const struct program *p, uint32_t page_bytes, struct batch_formation *out,
                          struct error *e)
{
    struct launch_kinds k;
    struct reader *r = reader_new(p, e);
    bool ok = r && launch_kinds_init(&k, p, r, page_bytes, e);
    for (uint32_t i = 0; ok && i < program_launches(p); i++)
        out[i] = k.formation[k.of[i]];
    if (ok) launch_kinds_fini(&k);
    reader_free(r);
    return ok;
}

/* --- the analysis --- */

static void add_sharing(struct batch_sharing *to, const struct batch_sharing *from)
{
    to->pages += from->pages;
    for (unsigned i = 0; i < PAGE_SHARERS; i++)
        to->by_sharer[i] += from->by_sharer[i];
    for (unsigned i = 0; i < BATCH_DISTANCES; i++)
        to->by_distance[i] += from->by_distance[i];
}

static bool same_formation(const struct batch_formation *a, const struct batch_formation *b)
{
    return a->kind == b->kind && a->stride == b->stride && a->modulus == b->modulus;
}

/* How many launches of the kernel have the formation of kind `at`. */
static uint64_t count_formation(const struct launch_kinds *k, const struct program *p, uint32_t at)
{
    uint64_t n = 0;
    const char *name = program_launch(p, k->first[at])->name;
    for (uint32_t i = 0; i < k->n; i++)
        if (same_formation(&k->formation[i], &k->formation[at]) &&
            strcmp(program_launch(p, k->first[i])->name, name) == 0)
            n += k->launches[i];
    return n;
}

static void choose_formations(struct page_sharing *s, const struct program *p,
                              const struct program_summary *kernels, const struct launch_kinds *k)
{
    for (uint32_t i = 0; i < k->n; i++) {
        uint32_t at = program_summary_find(kernels, program_launch(p, k->first[i])->name);
        uint64_t launches = count_formation(k, p, i);
        if (launches <= s->kernel[at].launches) continue;
        s->kernel[at].launches = launches;
        s->kernel[at].formation = k->formation[i];
    }
}

static bool add_launch(struct page_sharing *s, uint32_t kernel, const struct program *p,
                       struct reader *r, uint32_t launch, const struct batch_formation *f,
                       struct progress *progress, struct error *e)
{
    struct page_sets sets;
    struct page_limits limits = sharing_limits();
    if (!page_sets_collect(&sets, p, r, launch, s->page_bytes, &limits, progress, e)) return false;
    struct kernel_pages *k = &s->kernel[kernel];
    batch_sharing_add(&k->all, &sets, f->stride);
    if (f->kind == BATCH_STRIDE) batch_sharing_add(&k->strided, &sets, f->stride);
    k->ctas += sets.ctas;
    page_sets_fini(&sets);
    return true;
}

static bool read_launches(struct page_sharing *s, const struct program *p, struct reader *r,
                          const struct program_summary *kernels, struct progress *progress,
                          struct error *e)
{
    struct launch_kinds k;
    if (!launch_kinds_init(&k, p, r, s->page_bytes, e)) return false;
    choose_formations(s, p, kernels, &k);
    bool ok = true;
    for (uint32_t i = 0; ok && i < program_launches(p); i++) {
        uint32_t kernel = program_summary_find(kernels, program_launch(p, i)->name);
        ok = add_launch(s, kernel, p, r, i, &k.formation[k.of[i]], progress, e);
    }
    launch_kinds_fini(&k);
    return ok;
}

bool page_sharing_collect(struct page_sharing *s, const struct program *p,
                          const struct program_summary *kernels, uint32_t page_bytes,
                          struct progress *progress, struct error *e)
{
    struct reader *r = reader_new(p, e);
    *s = (struct page_sharing){.page_bytes = page_bytes};
    s->kernel = mem_new(kernels->n + 1u, sizeof *s->kernel);
    bool ok =
        r && (s->kernel || error_no_memory(e)) && read_launches(s, p, r, kernels, progress, e);
    for (uint32_t k = 0; ok && k < kernels->n; k++) {
        add_sharing(&s->all.all, &s->kernel[k].all);
        add_sharing(&s->all.strided, &s->kernel[k].strided);
        s->all.ctas += s->kernel[k].ctas;
    }
    reader_free(r);
    if (!ok) page_sharing_fini(s);
    return ok;
}

void page_sharing_fini(struct page_sharing *s)
{
    mem_free(s->kernel);
    *s = (struct page_sharing){0};
}
