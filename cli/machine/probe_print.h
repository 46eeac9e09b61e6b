/* probe_print.h - prints curves of a probe and their errors. */
#pragma once

#include "base/text/text.h"
#include "cards/probe/compare.h"

/* What a probe found; measured: NULL without a curve to compare with. */
struct probe_findings {
    const struct probe_curves *ours, *measured;
    const struct probe_comparison *errors;
    const struct text *notes;
};

void probe_print_table(const struct probe_findings *f, struct text *out);
void probe_print_json(const struct probe_findings *f, struct text *out);
