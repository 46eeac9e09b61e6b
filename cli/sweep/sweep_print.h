/* sweep_print.h - prints a sweep's state and the check of its answers, as text and as JSON. */
#pragma once

#include "base/text/text.h"
#include "sweeps/analyse/accuracy_check.h"
#include "sweeps/ranking/summary.h"

void sweep_print_summary(struct text *out, const struct plan *p, const struct summary *s, bool all);
/* Prints the points (or only those of the front), at most `limit` of them. */
void sweep_print_points(struct text *out, const struct plan *p, const struct summary *s, bool front,
                        uint32_t limit);
void sweep_print_check_table(struct text *out, const struct plan *p, const struct accuracy_check *c,
                             uint64_t seed);
void sweep_print_check_json(struct text *out, const struct plan *p, const struct accuracy_check *c,
                            uint64_t seed);
