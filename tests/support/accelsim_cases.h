/* accelsim_cases.h - the known traces of tests/data/accelsim with Accel-Sim's figures: for the test
 * that asserts what is exact and for the bench that prints how far the rest is off. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MAX = 64, CASE_COLUMNS = 128 };

struct accelsim_case {
    char name[48], path[128];
    char line[4096];
    char *cell[CASE_COLUMNS];
};

struct accelsim_cases {
    char header[4096];
    char *column[CASE_COLUMNS];
    int columns, n;
    struct accelsim_case at[CASES_MAX];
};

static inline int accelsim_split(char *line, char **cell)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *s = line; s && n < CASE_COLUMNS;) {
        cell[n++] = s;
        s = strchr(s, ',');
        if (s) *s++ = '\0';
    }
    return n;
}

/* A figure of a case; an empty cell counts as 0. */
static inline double accelsim_value(const struct accelsim_cases *c, const struct accelsim_case *k,
                                    const char *column)
{
    for (int i = 0; i < c->columns; i++)
        if (strcmp(c->column[i], column) == 0) return strtod(k->cell[i], NULL);
    fprintf(stderr, "tests/data/accelsim/results.csv has no column %s\n", column);
    exit(2);
}

/* The cases of one configuration whose traces are there.  Run from the source root. */
static inline bool accelsim_load(struct accelsim_cases *c, const char *config)
{
    static const char folder[] = "tests/data/accelsim";
    FILE *f = fopen("tests/data/accelsim/results.csv", "r");
    if (!f || !fgets(c->header, sizeof c->header, f)) return false;
    c->columns = accelsim_split(c->header, c->column);
    c->n = 0;
    while (c->n < CASES_MAX && fgets(c->at[c->n].line, sizeof c->at[c->n].line, f)) {
        struct accelsim_case *k = &c->at[c->n];
        accelsim_split(k->line, k->cell);
        snprintf(k->name, sizeof k->name, "%s", k->cell[1]);
        snprintf(k->path, sizeof k->path, "%s/%s", folder, k->cell[1]);
        char list[256];
        snprintf(list, sizeof list, "%s/kernelslist.g", k->path);
        FILE *there = fopen(list, "r");
        if (strcmp(k->cell[0], config) == 0 && there) c->n++;
        if (there) fclose(there);
    }
    fclose(f);
    return c->n > 0;
}
