/* answer_sites.h - the counters by instruction and by buffer as rows: "loads" and "buffers" of an
 * answer's JSON (answer_schema.h), and the tables of --per-load. */
#pragma once

#include "base/text/rows.h"

struct site_counters;
/* An item for each instruction that was executed; in a table of examples, one without counts
 * first. */
void answer_sites_loads(struct rows *r, const struct site_counters *x);
void answer_sites_buffers(struct rows *r, const struct site_counters *x);
