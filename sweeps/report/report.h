/* report.h - writes a database of results as one HTML page for a browser, and as figures for
 * papers.
 *
 * The page is self-contained: style, scripts, chart library and data are inside it. A content
 * security policy forbids it to fetch anything, and names its scripts and style by their digests:
 * what else might stand in the page does not run.  docs/guide/report.md says what it shows.  The
 * page depends only on the results: the same database gives the same bytes.  Numbers are rounded to
 * 7 digits, except those that are ranked. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "sweeps/analyse/results.h"

#include <stdbool.h>

/* Writes the page into *out.  title: its heading, any text. */
bool report_page(const struct results *r, const char *title, struct text *out, struct error *e);
/* Writes only the page's data, as JSON. */
bool report_data(const struct results *r, const char *title, struct text *out, struct error *e);
/* Writes the page without data: it asks the server that it is from for REPORT_DATA_PATH, again and
 * again, and its policy lets it fetch from there alone. */
#define REPORT_DATA_PATH "/data.json"
bool report_live_page(const char *title, struct text *out, struct error *e);
