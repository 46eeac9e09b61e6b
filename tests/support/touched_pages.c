#include "tests/support/touched_pages.h"

struct touched_pages *touched_pages_new(uint32_t page_bytes, uint32_t ctas)
{
    struct touched_pages *t = mem_new(1, sizeof *t);
    assert_non_null(t);
    assert_true(ctas <= TABLE_CTAS);
    t->page_bytes = page_bytes;
    t->ctas = ctas;
    return t;
}

void touched_pages_add(struct touched_pages *t, uint32_t cta, uint64_t addr, uint64_t bytes)
{
    uint32_t part = t->page_bytes / PAGE_PARTS;
    for (uint64_t at = addr / part; at <= (addr + bytes - 1) / part; at++) {
        assert_true(at / PAGE_PARTS < TABLE_PAGES && cta < t->ctas);
        t->parts[at / PAGE_PARTS][cta] |= 1u << at % PAGE_PARTS;
    }
}

uint32_t touched_parts(const struct touched_pages *t, uint32_t page, uint32_t cta)
{
    return (uint32_t)__builtin_popcount(t->parts[page][cta]);
}

struct page_sets touched_pages_sets(const struct touched_pages *t)
{
    struct page_sets s = {.ctas = t->ctas,
                          .page = mem_new(TABLE_PAGES, sizeof *s.page),
                          .run = mem_new((size_t)TABLE_PAGES * TABLE_CTAS, sizeof *s.run)};
    assert_true(s.page && s.run);
    for (uint32_t p = 0; p < TABLE_PAGES; p++) {
        struct page_set *to = &s.page[s.n_pages];
        *to = (struct page_set){.number = p, .first_run = s.n_runs};
        for (uint32_t c = 0; c < t->ctas; c++) {
            if (!t->parts[p][c]) continue;
            s.run[s.n_runs++] = (struct cta_run){c, c, touched_parts(t, p, c)};
            to->n_runs++;
            to->ctas++;
        }
        s.n_pages += to->ctas > 0;
    }
    return s;
}
