/* paper_list.h - a list of what comes with plumb: the rows of no paper first, then those of each
 * paper (papers/NAME, base/io/paths.h) below a heading, the text `paper` of its paper.cfg. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct paper_rows {
    char *folder, *heading;
    struct text rows;
};

struct paper_list {
    struct text rows; /* of no paper */
    struct paper_rows *paper;
    uint32_t n;
};

/* paper_list_fini it. false: *e. */
bool paper_list_init(struct paper_list *l, struct error *e);
void paper_list_fini(struct paper_list *l);
/* Where the rows of the file at `path` are collected. */
struct text *paper_list_rows(struct paper_list *l, const char *path);
/* The heading of the paper in whose folder the path lies; NULL: it lies in none. */
const char *paper_list_heading(const struct paper_list *l, const char *path);
/* Adds all rows to out; papers without rows have no heading. */
void paper_list_print(const struct paper_list *l, struct text *out);
