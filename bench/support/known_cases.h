/* known_cases.h - for error_model: simulations from a database, each with its estimate. */
#pragma once

#include "calibration/posterior.h"
#include "calibration/range_model.h"
#include "gpu/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum { KNOWN_NAME = 64, KNOWN_LISTED_MAX = 160 };

/* A row of error_model.csv. */
struct known_row {
    char kind[KNOWN_NAME], name[KNOWN_NAME], family[KNOWN_NAME], half[KNOWN_NAME];
};
struct known_list {
    struct known_row row[KNOWN_LISTED_MAX];
    uint32_t n;
};
bool known_list_read(struct known_list *l, const char *path); /* false: it cannot be read */
uint32_t known_list_family(const struct known_list *l, const struct known_row *r); /* a number */

struct known_case {
    const struct known_row *program, *machine;
    char preset[KNOWN_NAME];
    uint32_t base; /* the program's case on the preset itself; its own number: there is none */
    struct known_run run;
    double feature[RANGE_FEATURES];
    struct machine m;
    struct explanation x;
    bool ok;
};
struct known_cases {
    struct known_case *at;
    uint32_t n;
};

bool is_half(const struct known_row *r, const char *half);

/* Reads all simulations of today's cycle model whose program and preset are in the list, and
 * estimates them on `threads` threads. Sources are databases and calibrations (NAME.cal). A program
 * of a calibration is looked for in the suites that were captured; without it its runs are left
 * out. NULL: all were read; else the first source that was not. */
const char *known_cases_read(struct known_cases *all, const struct known_list *l,
                             const char *const *path, uint32_t n, unsigned threads);
