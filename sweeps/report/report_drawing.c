/* report_drawing.c - see report_drawing.h. */
#include "sweeps/report/report_drawing.h"

#include "base/io/file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An axis gives its name to a picture, and a database may name its axes as it likes: what is no
 * letter, digit or one of "_.-" becomes '-', and no name begins with a dot. */
static void plain_name(char *s)
{
    for (char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-", *c) && (*c != '.' || c == s)) *c = '-';
}

static bool is_named(const struct figures *f, const char *line)
{
    return strstr(text_str(&f->named), line) != NULL;
}

/* Different names may have one plain name, and no picture replaces another. */
char *report_figure_path(struct figures *f, const char *name)
{
    char plain[FIGURE_NAME], line[FIGURE_NAME + 16], file[FIGURE_NAME + 16];
    snprintf(plain, sizeof plain, "%.230s", name);
    plain_name(plain);
    snprintf(line, sizeof line, "\n%s\n", plain);
    for (unsigned n = 2; is_named(f, line); n++)
        snprintf(line, sizeof line, "\n%s-%u\n", plain, n);
    text_add(&f->named, "%s", line);
    snprintf(file, sizeof file, "%.*s.%s", (int)strlen(line) - 2, line + 1,
             f->format == CHART_SVG ? "svg" : "png");
    char *path = f->named.failed ? NULL : file_join(f->folder, file);
    if (!path) error_no_memory(f->e);
    return path;
}

double report_figure_mean(const double *v, uint32_t n, bool geometric)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!(v[i] >= 0)) return NAN;
        sum += geometric ? log(v[i]) : v[i];
    }
    if (n == 0) return NAN;
    return geometric ? exp(sum / n) : sum / n;
}

void report_figure_title(const char *name, char out[FIGURE_NAME])
{
    const char *unit = results_unit(name);
    bool shown = unit[0] && strcmp(unit, "1") != 0;
    snprintf(out, FIGURE_NAME, shown ? "%.200s (%.60s)" : "%.200s", name, unit);
}
