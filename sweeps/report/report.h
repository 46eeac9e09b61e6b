/* report.h - a database of results as one HTML page for a browser, and as pictures for papers.
 *
 * The page is self-contained: style, scripts, chart library and data are inside, a content security
 * policy forbids it to fetch anything.  docs/guide/report.md says what it shows.  It depends on the
 * results alone: the same database gives the same bytes.  Numbers are rounded to 7 digits, but not
 * those that are ranked. */
#ifndef PLUMB_SWEEPS_REPORT_REPORT_H
#define PLUMB_SWEEPS_REPORT_REPORT_H

#include "base/error.h"
#include "base/plot/chart.h"
#include "base/text/text.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>

/* The page into *out.  title: its heading, any text. */
bool report_page(const struct results *r, const char *title, struct text *out, struct error *e);
/* The data of the page alone, as JSON. */
bool report_data(const struct results *r, const char *title, struct text *out, struct error *e);

/* true: the larger, the better ("opc", "l2.hit_rate"). */
bool report_more_is_better(const char *metric);
/* true: programs are put together by the geometric mean, as the sweep's objectives and what times,
 * rates of work, energy and area are; false: by the arithmetic one, as what may be nothing at all.
 */
bool report_is_geometric(const struct results *r, const char *metric);

#endif
