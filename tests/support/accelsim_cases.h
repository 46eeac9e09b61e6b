/* accelsim_cases.h - the known traces of tests/data/accelsim with Accel-Sim's figures: for the test
 * that asserts what is exact and for the bench that prints how far the rest is off. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { CASES_MAX = 64, CASE_COLUMNS = 128 };

/* A row, and the folder of its traces. */
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

/* A figure of a case; an empty cell counts as 0.  Exits where there is no such column. */
double accelsim_value(const struct accelsim_cases *c, const struct accelsim_case *k,
                      const char *column);

/* The cases of one configuration whose traces are there; false: none.  Run from the source root. */
bool accelsim_load(struct accelsim_cases *c, const char *config);
