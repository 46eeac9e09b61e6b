/* curve.h - curves of the experiments, measured on a card or made by plumb, and their files.
 *
 * A file is CSV with the columns gpu, experiment, x, value and, if it likes, x_name, unit, extra,
 * source; lines may stand in any order.  A curve's points are sorted by x. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "cards/probe/experiment.h"

#include <stdbool.h>
#include <stddef.h>

struct probe_curve {
    struct probe_point *point;
    size_t n, cap;
};

struct probe_curves {
    char gpu[64];
    struct probe_curve of[PROBE_N];
};

/* Reads one card's curves; gpu NULL: the file has only one.  Errors name file and line.  Call
 * probe_curves_fini even if it fails. */
bool probe_curves_load(struct probe_curves *c, const char *path, const char *gpu, struct error *e);
/* Adds the curves of a file that *c, zero at first, lacks. */
bool probe_curves_join(struct probe_curves *c, const char *path, const char *gpu, struct error *e);
bool probe_curves_parse(struct probe_curves *c, const char *path, char *text, const char *gpu,
                        struct error *e);
void probe_curves_fini(struct probe_curves *c);
/* Adds a point; false: no memory. */
bool probe_curve_add(struct probe_curve *c, const struct probe_point *pt);
void probe_curve_sort(struct probe_curve *c);
/* The value at x, between points linear in log x; NAN: x lies outside, or there is no point. */
double probe_curve_at(const struct probe_curve *c, double x);
/* The file's text.  source: of every row. */
void probe_curves_csv(const struct probe_curves *c, const char *source, struct text *out);
