/* report_figures.c - see report_figures.h.  A database in memory runs figures.sql over the page's
 * data; each row of its table `picture` is drawn. */
#include "sweeps/report/report_figures.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/report/report.h"

#include <ctype.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { FIGURE_NAME = 230 };

extern const char page_figures[]; /* figures.sql */

struct figures {
    sqlite3 *db;
    enum chart_format format;
    const char *folder;
    uint32_t *written;
    struct text named; /* the names that the pictures have so far, each between line ends */
    struct error *e;
};

static bool refuse(struct figures *f)
{
    return error_run(f->e, "%s: no pictures: %s", f->folder, sqlite3_errmsg(f->db));
}

/* --- names of files --- */

/* An axis gives its name to a picture, and a database may name its axes as it likes: what is no
 * letter, digit or one of "_.-" becomes '-', and no name begins with a dot. */
static void plain_name(char *s)
{
    for (char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-", *c) && (*c != '.' || c == s)) *c = '-';
}

/* "FOLDER/NAME.svg", or NAME-2 if another picture has that name: different names may have one
 * plain name, and no picture replaces another. NULL: out of memory. */
static char *picture_path(struct figures *f, const char *name)
{
    char plain[FIGURE_NAME + 1], line[FIGURE_NAME + 16], file[FIGURE_NAME + 16];
    snprintf(plain, sizeof plain, "%s", name);
    plain_name(plain);
    snprintf(line, sizeof line, "\n%s\n", plain);
    for (unsigned n = 2; strstr(text_str(&f->named), line); n++)
        snprintf(line, sizeof line, "\n%s-%u\n", plain, n);
    text_add(&f->named, "%s", line);
    snprintf(file, sizeof file, "%.*s.%s", (int)strlen(line) - 2, line + 1,
             f->format == CHART_SVG ? "svg" : "png");
    return f->named.failed ? NULL : file_join(f->folder, file);
}

/* --- a row as a chart --- */

static const char *text_at(sqlite3_stmt *q, int column)
{
    return (const char *)sqlite3_column_text(q, column);
}

/* The columns from `first`: label, scale, whether it is a share, lowest, highest. */
static struct chart_axis axis_at(sqlite3_stmt *q, int first)
{
    const char *scale = text_at(q, first + 1);
    return (struct chart_axis){.label = text_at(q, first),
                               .scale = !strcmp(scale, "log2")    ? CHART_LOG2
                                        : !strcmp(scale, "log10") ? CHART_LOG10
                                                                  : CHART_LINEAR,
                               .unit =
                                   sqlite3_column_int(q, first + 2) ? CHART_PERCENT : CHART_NUMBER,
                               .lo = sqlite3_column_double(q, first + 3),
                               .hi = sqlite3_column_double(q, first + 4)};
}

static double number_at(sqlite3_stmt *q, int column)
{
    return sqlite3_column_type(q, column) == SQLITE_NULL ? NAN : sqlite3_column_double(q, column);
}

/* Adds a row of `mark`; *series: the number of the series so far, -1: none. */
static void add_mark(struct chart *c, sqlite3_stmt *q, int *series)
{
    static const char *const
        mark[] = {[CHART_LINES] = "lines",
                  [CHART_POINTS] = "points",
                  [CHART_CELLS] = "cells",
                  [CHART_BARS] = "bars"},
        *const side[] = {[CHART_CENTRE] = "centre", [CHART_LEFT] = "left", [CHART_RIGHT] = "right"};
    const char *kind = text_at(q, 1), *text = text_at(q, 6) ? text_at(q, 6) : "";
    double x = number_at(q, 3), y = number_at(q, 4), colour = number_at(q, 5);
    for (int i = 0; i < 3; i++)
        if (!strcmp(kind, side[i])) chart_text(c, x, y, (enum chart_side)i, (uint32_t)colour, text);
    if (!kind[1]) chart_tick(c, kind[0], x, text);
    bool rgb = !strcmp(kind, "colours");
    for (int i = 0; i < 4; i++) {
        if (strcmp(rgb ? "lines" : kind, mark[i]) != 0) continue;
        if (*series != sqlite3_column_int(q, 0))
            chart_series(c, (enum chart_mark)i, text_at(q, 2), rgb);
        *series = sqlite3_column_int(q, 0);
        chart_point(c, x, y, colour);
    }
}

static bool add_marks(struct figures *f, struct chart *c, int64_t picture)
{
    sqlite3_stmt *q;
    int series = -1, rc;
    if (sqlite3_prepare_v2(f->db,
                           "SELECT series, kind, name, x, y, colour, text FROM mark"
                           " WHERE picture = ? ORDER BY rowid",
                           -1, &q, NULL) != SQLITE_OK)
        return refuse(f);
    sqlite3_bind_int64(q, 1, picture);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW)
        add_mark(c, q, &series);
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || refuse(f);
}

static bool draw_picture(struct figures *f, sqlite3_stmt *q)
{
    struct chart c = {.title = text_at(q, 2),
                      .x = axis_at(q, 3),
                      .y = axis_at(q, 8),
                      .width = sqlite3_column_double(q, 13),
                      .height = sqlite3_column_double(q, 14),
                      .bare = sqlite3_column_int(q, 15),
                      .tilt = sqlite3_column_double(q, 16),
                      .more = sqlite3_column_int(q, 17)};
    bool ok = add_marks(f, &c, sqlite3_column_int64(q, 0));
    if (ok && c.n > 0) {
        char *path = picture_path(f, text_at(q, 1));
        ok = path ? chart_write(&c, f->format, path, f->e) : error_no_memory(f->e);
        *f->written += ok;
        mem_free(path);
    }
    chart_fini(&c);
    return ok;
}

static bool draw_pictures(struct figures *f)
{
    sqlite3_stmt *q;
    int rc;
    bool ok = true;
    if (sqlite3_prepare_v2(f->db, "SELECT * FROM picture ORDER BY id", -1, &q, NULL) != SQLITE_OK)
        return refuse(f);
    while (ok && (rc = sqlite3_step(q)) == SQLITE_ROW)
        ok = draw_picture(f, q);
    if (ok && rc != SQLITE_DONE) ok = refuse(f);
    sqlite3_finalize(q);
    return ok;
}

/* --- the script over the page's data --- */

static bool run_script(struct figures *f, const struct text *data)
{
    for (const char *sql = page_figures; *sql;) {
        sqlite3_stmt *q = NULL;
        if (sqlite3_prepare_v2(f->db, sql, -1, &q, &sql) != SQLITE_OK) return refuse(f);
        int rc = SQLITE_DONE;
        if (sqlite3_bind_parameter_count(q) > 0 &&
            sqlite3_bind_text64(q, 1, text_str(data), data->len, SQLITE_STATIC, SQLITE_UTF8))
            rc = SQLITE_ERROR; /* SQLite takes no text of 1e9 bytes */
        else if (q)
            rc = sqlite3_step(q);
        sqlite3_finalize(q);
        if (rc != SQLITE_DONE) return refuse(f);
    }
    return true;
}

bool report_figures(const struct results *r, enum chart_format format, const char *folder,
                    uint32_t *written, struct error *e)
{
    struct figures f = {.format = format, .folder = folder, .written = written, .e = e};
    struct text data = {0};
    *written = 0;
    bool ok = file_make_dirs(folder, e) && report_data(r, "", &data, e);
    if (ok)
        ok = (sqlite3_open(":memory:", &f.db) == SQLITE_OK || refuse(&f)) &&
             run_script(&f, &data) && draw_pictures(&f);
    sqlite3_close(f.db);
    text_fini(&f.named);
    text_fini(&data);
    return ok;
}
