/* batch_formation.c - searches the stride of a launch's thread batches, or the modulus, and counts
 * who shares pages then.
 *
 * For each candidate stride the pages' shares at the boundaries between batches are summed, each by
 * how evenly its two batches touch it; the stride with the least mean plus three standard errors is
 * taken, or its smallest divisor that is nearly as good. It must fit enough pages, else a modulus
 * is tried. Source: Mao 5.2.1, figure 36; how sharing is measured: [A], batch_formation.h. */
#include "trace/analysis/batch_formation.h"

#include "base/memory/alloc.h"
#include "trace/constants.h"

#include <math.h>

const char *const batch_kind_name[BATCH_KINDS] = {"stride", "modulo", "none"};
const char *const page_sharer_name[PAGE_SHARERS] = {"one", "two_consecutive", "almost_all",
                                                    "other"};

static bool is_global(const struct page_sets *s, const struct page_set *p)
{
    return p->ctas > BATCH_GLOBAL * s->ctas;
}

static uint32_t first_cta(const struct page_sets *s, const struct page_set *p)
{
    return s->run[p->first_run].first;
}

static uint32_t last_cta(const struct page_sets *s, const struct page_set *p)
{
    return s->run[p->first_run + p->n_runs - 1].last;
}

/* --- the batches of a page --- */

/* Visits the batches that touch a page, in ascending order. */
struct batch_walk {
    const struct cta_run *run, *end;
    uint32_t stride, cta; /* cta: not visited yet */
    uint32_t batch;
    uint64_t parts; /* of the page that the batch's CTAs touch, added */
};

static struct batch_walk walk_batches(const struct page_sets *s, const struct page_set *p,
                                      uint32_t stride)
{
    const struct cta_run *run = &s->run[p->first_run];
    return (struct batch_walk){
        .run = run, .end = run + p->n_runs, .stride = stride, .cta = run->first};
}

/* false: there is no further batch. */
static bool next_batch(struct batch_walk *w)
{
    if (w->run == w->end) return false;
    w->batch = w->cta / w->stride;
    w->parts = 0;
    uint32_t end = (w->batch + 1) * w->stride; /* the batch's */
    while (w->run != w->end && w->cta < end) {
        uint32_t to = w->run->last < end ? w->run->last + 1 : end;
        w->parts += (uint64_t)(to - w->cta) * w->run->parts;
        w->cta = to;
        if (to <= w->run->last) continue;
        w->run++;
        if (w->run != w->end) w->cta = w->run->first;
    }
    return true;
}

/* --- the sharing of a stride --- */

static double evenness(uint64_t a, uint64_t b)
{
    return a < b ? (double)a / (double)b : (double)b / (double)a;
}

/* Adds a page's sharing to each boundary: at[k] is that between batches k and k + 1. */
static void add_page(double *at, const struct page_sets *s, const struct page_set *p,
                     uint32_t stride)
{
    struct batch_walk w = walk_batches(s, p, stride);
    next_batch(&w);
    for (struct batch_walk before = w; next_batch(&w); before = w)
        if (w.batch == before.batch + 1) at[before.batch] += evenness(before.parts, w.parts);
}

/* at: a number for each CTA. */
static double stride_sharing(double *at, const struct page_sets *s, uint32_t stride)
{
    uint32_t n = (s->ctas - 1) / stride;
    double sum = 0, squares = 0;
    for (uint32_t k = 0; k < n; k++)
        at[k] = 0;
    for (uint32_t i = 0; i < s->n_pages; i++) {
        const struct page_set *p = &s->page[i];
        if (p->ctas > 1 && !is_global(s, p)) add_page(at, s, p, stride);
    }
    for (uint32_t k = 0; k < n; k++)
        sum += at[k];
    for (uint32_t k = 0; k < n; k++)
        squares += (at[k] - sum / n) * (at[k] - sum / n);
    return sum / n + (n > 1 ? BATCH_ERRORS * sqrt(squares / (n - 1) / n) : 0);
}

/* Small strides are tried however few batches they leave. */
enum { ALWAYS = 8 };

static bool is_candidate(const struct page_sets *s, uint32_t stride, uint32_t row)
{
    return stride <= s->ctas / (uint32_t)BATCH_LEAST || stride <= ALWAYS ||
           (row > 1 && stride % row == 0);
}

static uint32_t best_stride(double *at, const struct page_sets *s, uint32_t row)
{
    if (s->ctas < 4) return 1;
    double alone = stride_sharing(at, s, 1), least = alone;
    uint32_t best = 1, divisor = 1;
    for (uint32_t k = 2; k <= s->ctas / 2 && least > 0; k++) {
        if (!is_candidate(s, k, row)) continue;
        double here = stride_sharing(at, s, k);
        if (here < least) least = here, best = k;
    }
    for (; divisor < best; divisor++)
        if (best % divisor == 0 && stride_sharing(at, s, divisor) <= least + BATCH_CLOSE * alone)
            break;
    return divisor;
}

/* --- which formula fits --- */

/* Whether enough parts of a page belong to one batch or two consecutive ones. */
static bool page_fits(const struct page_sets *s, const struct page_set *p, uint32_t stride)
{
    uint64_t all = 0, most = 0;
    struct batch_walk w = walk_batches(s, p, stride);
    for (struct batch_walk before = {.batch = UINT32_MAX}; next_batch(&w); before = w) {
        uint64_t pair = w.parts + (w.batch == before.batch + 1 ? before.parts : 0);
        all += w.parts;
        if (pair > most) most = pair;
    }
    return (double)most >= BATCH_FIT_PARTS * (double)all;
}

static bool fits_stride(const struct page_sets *s, uint32_t stride)
{
    uint64_t fit = 0;
    for (uint32_t i = 0; i < s->n_pages; i++)
        fit += !is_global(s, &s->page[i]) && page_fits(s, &s->page[i], stride);
    return (double)fit >= BATCH_FIT_STRIDE * s->n_pages;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The largest modulus of which all CTAs of the page are one class; 0: of any. */
static uint32_t page_modulus(const struct page_sets *s, const struct page_set *p)
{
    uint32_t m = 0, from = first_cta(s, p);
    for (uint32_t r = p->first_run; r < p->first_run + p->n_runs && m != 1; r++)
        m = s->run[r].last > s->run[r].first ? 1 : common_divisor(m, s->run[r].first - from);
    return m;
}

static bool fits_modulus(const struct page_sets *s, uint32_t modulus, double needed)
{
    uint64_t fit = 0;
    for (uint32_t i = 0; i < s->n_pages && (double)fit < needed; i++) {
        const struct page_set *p = &s->page[i];
        fit += !is_global(s, p) && page_modulus(s, p) % modulus == 0;
    }
    return (double)fit >= needed;
}

static uint32_t largest_modulus(const struct page_sets *s)
{
    double needed = BATCH_FIT_MODULUS * s->n_pages;
    for (uint32_t m = s->ctas / 2; m > 1; m--)
        if (fits_modulus(s, m, needed)) return m;
    return 0;
}

bool batch_formation_find(struct batch_formation *out, const struct page_sets *s, uint32_t row)
{
    double *at = mem_new(s->ctas + 1u, sizeof *at);
    if (!at) return false;
    *out = (struct batch_formation){BATCH_STRIDE, best_stride(at, s, row), 0};
    mem_free(at);
    if (s->ctas < 4 || fits_stride(s, out->stride)) return true;
    *out = (struct batch_formation){BATCH_NONE, 1, largest_modulus(s)};
    if (out->modulus) out->kind = BATCH_MODULO;
    return true;
}

/* --- who shares pages --- */

static uint32_t count_batches(const struct page_sets *s, const struct page_set *p, uint32_t stride)
{
    uint32_t n = 0;
    for (struct batch_walk w = walk_batches(s, p, stride); next_batch(&w);)
        n++;
    return n;
}

static uint32_t distance_bucket(uint32_t distance)
{
    return distance < 16 ? distance : 16 + (31 - (uint32_t)__builtin_clz(distance)) - 4;
}

uint32_t batch_sharing_distance(uint32_t bucket)
{
    return bucket < 16 ? bucket : UINT32_C(1) << (bucket - 16 + 4);
}

void batch_sharing_add(struct batch_sharing *to, const struct page_sets *s, uint32_t stride)
{
    uint32_t all = s->ctas ? (s->ctas - 1) / stride + 1 : 0;
    for (uint32_t i = 0; i < s->n_pages; i++) {
        const struct page_set *p = &s->page[i];
        uint32_t n = count_batches(s, p, stride);
        uint32_t distance = last_cta(s, p) / stride - first_cta(s, p) / stride;
        enum page_sharer who = n == 1                    ? SHARER_ONE
                               : n == 2 && distance == 1 ? SHARER_TWO
                               : n >= 3 && n > all - n   ? SHARER_MOST
                                                         : SHARER_OTHER;
        to->pages++;
        to->by_sharer[who]++;
        to->by_distance[distance_bucket(distance)]++;
    }
}
