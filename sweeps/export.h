/* export.h - a sweep's results as CSV or JSON, in the plan's order: point by point, program by
 * program.
 *
 * Every run of the plan has its row, whether done, failed or missing.  The text depends on the
 * results alone, not on when, where or in which order they were made: host columns are left out.
 * Absent values are empty in CSV and absent in JSON.  Numbers have the fewest digits that read back
 * to the same value. */
#ifndef PLUMB_SWEEPS_EXPORT_H
#define PLUMB_SWEEPS_EXPORT_H

#include "base/text.h"
#include "sweeps/plan.h"
#include "sweeps/store.h"

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

/* One CSV field: quoted when it must be (RFC 4180). */
void csv_text(struct text *out, const char *s);
void csv_number(struct text *out, double v);

#endif
