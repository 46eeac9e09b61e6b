/* export.h - a sweep's results as CSV or JSON, in the plan's order: point by point, program by
 * program.
 *
 * Every run of the plan has its row, whether done, failed or missing.  The text depends on the
 * results alone, not on when, where or in which order they were made: host columns are left out.
 * CSV has one layout for all engines: point, program, the axes, engine, status, source (the engine
 * whose answer it is; engine auto has several), then whatever of metrics, bounds of cycles,
 * confidence, pairing, bottleneck and error any row has.
 * Absent values are empty in CSV and absent in JSON.  Numbers have the fewest digits that read back
 * to the same value. */
#ifndef PLUMB_SWEEPS_ANALYSE_EXPORT_H
#define PLUMB_SWEEPS_ANALYSE_EXPORT_H

#include "base/text/text.h"
#include "sweeps/plan/plan.h"
#include "sweeps/store/store.h"

bool export_csv(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                struct error *e);
bool export_json(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                 struct error *e);

/* Engine auto: the best that is known of every point, with its source and the 95 % interval of its
 * cycles. */
bool export_auto_csv(const struct plan *p, struct store *s, struct text *out, struct error *e);
bool export_auto_json(const struct plan *p, struct store *s, struct text *out, struct error *e);
struct json;
/* The member "at": the point's values on the axes. */
void export_json_at(const struct plan *p, uint32_t point, struct json *j);

/* The columns that all engines have: their names, and a row's point, program and axes. */
void export_csv_head(const struct plan *p, struct text *out);
void export_csv_begin(const struct plan *p, uint32_t point, uint32_t workload, struct text *out);
/* One CSV field: quoted when it must be (RFC 4180). */
void export_csv_text(struct text *out, const char *s);
void export_csv_number(struct text *out, double v);

#endif
