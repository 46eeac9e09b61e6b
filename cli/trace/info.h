/* info.h - the data behind plumb trace info, and its two outputs. */
#pragma once

#include "base/text/rows.h"
#include "estimator/characterize/characterize.h"
#include "trace/analysis/page_sharing.h"

struct info {
    const struct program *p;
    struct program_summary s;
    struct character c;
    struct page_sharing pages;
    bool deep;             /* c is filled */
    bool paged;            /* pages is filled */
    uint32_t width, warps; /* warps: resident at a time */
};

enum {
    INFO_KERNELS,
    INFO_MIX,
    INFO_DIVERGENCE,
    INFO_COALESCING,
    INFO_FOOTPRINT,
    INFO_REUSE,
    INFO_ROWS,
    INFO_SHARING,
    INFO_PAGES,
    INFO_DEPENDENCE,
    INFO_REGISTERS,
    INFO_LAUNCHES,
    INFO_SECTIONS
};
/* The sections that need struct character. */
enum {
    INFO_DEEP = 1 << INFO_COALESCING | 1 << INFO_REUSE | 1 << INFO_ROWS | 1 << INFO_SHARING |
                1 << INFO_DEPENDENCE | 1 << INFO_REGISTERS
};

/* A kernel of the program, or all of them. */
struct info_kernel {
    const struct info *i;
    const struct kernel_summary *s;
    const struct character_kernel *c; /* if i->deep */
    const struct kernel_pages *pages; /* if i->paged */
};
/* k: below i->s.n, or i->s.n for the whole program. */
struct info_kernel info_kernel_at(const struct info *i, uint32_t k);

/* Adds what is known of a kernel: a line of the section's table, which info_begin_line has begun
 * with the kernel's name (coalescing begins its lines itself, one for each kind of access), and the
 * members of the section's object in JSON. */
typedef void info_rows_fn(struct rows *r, const struct info_kernel *k);
struct info_section {
    const char *name;
    const char *key;    /* of the object in JSON; NULL: the kernel's own */
    const char *title;  /* may have a %u; NULL: none */
    info_rows_fn *rows; /* NULL: not of kernels */
};
extern const struct info_section info_sections[INFO_SECTIONS];
void info_begin_line(struct rows *r, const struct info_kernel *k);
/* The rows of --brief. */
void info_brief_rows(struct rows *r, const struct info_kernel *k);
void info_region_rows(struct rows *r, const struct region *region);
/* The launches from `first` to `last`, which are alike. */
void info_launch_rows(struct rows *r, const struct launch *l, uint32_t first, uint32_t last);

void info_brief(struct text *out, const struct info *i);
void info_text(struct text *out, const struct info *i, unsigned sections);
void info_json(struct text *out, const struct info *i);

/* For texts and charts: the kernels in the order of their first launch, or the `most` with the most
 * instructions.  Fills at[most]; returns how many. */
uint32_t info_kernels(const struct info *i, uint32_t *at, uint32_t most);
/* The smallest power of two, at least 1 KB, that holds all lines of the program. */
double info_largest_cache(const struct info *i);
