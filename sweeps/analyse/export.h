/* export.h - writes a sweep's results as CSV or JSON, in the plan's order: point by point, program
 * by program.
 *
 * Every run of the plan has its row, whether it is done, failed or missing.  The text depends only
 * on the results, not on when, where or in which order they were made, so it has no columns about
 * the host.  CSV has one layout for all engines: point, program, the axes, engine, status, source
 * (the engine that gave the answer; engine auto has several), then those of metrics, bounds of
 * cycles, confidence, pairing, bottleneck and error that at least one row has. Absent values are
 * empty in CSV and left out in JSON.  Numbers have the fewest digits that read back to the same
 * value. */
#pragma once

#include "base/text/rows.h"
#include "sweeps/plan/plan.h"
#include "sweeps/ranking/summary.h"
#include "sweeps/store/store.h"

bool export_csv(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                struct error *e);
bool export_json(const struct plan *p, struct store *s, enum engine engine, struct text *out,
                 struct error *e);

/* Engine auto: the best answer known for every point, with its source and the 95 % interval of its
 * cycles. */
bool export_auto_csv(const struct plan *p, struct store *s, struct text *out, struct error *e);
bool export_auto_json(const struct plan *p, struct store *s, struct text *out, struct error *e);
/* A row for each point: its axes, its objectives over all programs with their bounds, the source,
 * whether it is on the Pareto front. */
bool export_points_csv(const struct plan *p, const struct summary *m, struct text *out,
                       struct error *e);
bool export_points_json(const struct plan *p, const struct summary *m, struct text *out,
                        struct error *e);

/* A point's values on the axes. */
void export_axis_rows(struct rows *r, const struct plan *p, uint32_t point);
/* Begins a run's item: point, program, its values on the axes, engine, status, source (NULL: none).
 * JSON has the axes in an object "at", CSV has a column for each after the program. */
void export_run_rows(struct rows *r, const struct plan *p, uint32_t point, const char *program,
                     const char *engine, const char *status, const char *source);
