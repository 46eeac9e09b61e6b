/* table.c - see table.h. */
#include "cli/print/table.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/print/terminal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const first_look[] = {
    "cycles",
    "time_us",
    "warp_instructions",
    "ipc",
    "opc",
    "l1.accesses",
    "l1.hit_rate",
    "l2.reads",
    "l2.writes",
    "l2.hit_rate",
    "latency.load_mean",
    "dram.reads",
    "dram.writes",
    "dram.row_hit_rate",
    "dram.bandwidth_gbps",
    "dram.utilization",
    "energy_mj.total",
    "power_w.average",
};

static void group_digits(double v, char out[NUMBER_MAX])
{
    char digits[NUMBER_MAX];
    int n = snprintf(digits, sizeof digits, "%.0f", fabs(v)), at = 0;
    if (v < 0) out[at++] = '-';
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

void table_number_text(double v, const char *unit, char out[NUMBER_MAX])
{
    const double residue = 1e-9; /* rounding error of sums that should be 0 */
    const double whole = 999.95; /* from here on four digits have none after the point */
    if (fabs(v) < residue) v = 0;
    if (strcmp(unit, "1") == 0)
        snprintf(out, NUMBER_MAX, "%.1f %%", 100 * v);
    else if ((fabs(v) >= whole || v == floor(v)) && fabs(v) < 1e15)
        group_digits(v, out);
    else
        snprintf(out, NUMBER_MAX, "%#.4g", v);
}

void table_bytes_text(double bytes, char out[NUMBER_MAX])
{
    static const char *const prefix[] = {"B", "KB", "MB", "GB", "TB"};
    unsigned p = 0;
    for (; bytes >= 1024 && p < 4; p++)
        bytes /= 1024;
    snprintf(out, NUMBER_MAX, "%.4g %s", bytes, prefix[p]);
}

void table_time_text(double seconds, char out[NUMBER_MAX])
{
    if (seconds < 10)
        snprintf(out, NUMBER_MAX, "%.2g s", seconds);
    else if (seconds < 180)
        snprintf(out, NUMBER_MAX, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, NUMBER_MAX, "%.0f min", seconds / 60);
    else
        snprintf(out, NUMBER_MAX, "%.1f h", seconds / 3600);
}

static uint32_t width_of(const char *s)
{
    return s ? terminal_columns(s, strlen(s)) : 0;
}

static void add_blanks(struct text *out, uint32_t n)
{
    text_add(out, "%*s", (int)n, "");
}

/* Whether every cell of the last column, except its heading, begins with a letter or is empty. */
static bool ends_in_words(const char *const *cell, uint32_t rows, uint32_t columns)
{
    for (uint32_t i = 1; i < rows; i++) {
        const char *s = cell[(i + 1) * columns - 1];
        if (s && *s && !isalpha((unsigned char)*s)) return false;
    }
    return rows > 1;
}

/* The first `fixed` columns but `skipped`, followed by those from `from` to `to`. */
struct column_range {
    uint32_t fixed, from, to, skipped;
};

static void end_line(struct text *out)
{
    while (out->len && out->s[out->len - 1] == ' ')
        out->s[--out->len] = '\0';
    text_add(out, "\n");
}

static void print_block(struct text *out, const char *const *cell, uint32_t rows, uint32_t columns,
                        const uint32_t *width, const struct column_range *b)
{
    bool words = b->to == columns && ends_in_words(cell, rows, columns);
    for (uint32_t i = 0; i < rows * columns; i++) {
        uint32_t c = i % columns, gap = width[c] - width_of(cell[i]);
        const char *s = cell[i] ? cell[i] : "";
        if (c == b->skipped || (c >= b->fixed && (c < b->from || c >= b->to))) continue;
        text_add(out, "  ");
        if (c && !(words && c == columns - 1)) add_blanks(out, gap);
        text_add(out, "%s", i < columns && *s ? STYLE_BOLD : "");
        text_add_shown(out, "%s", s);
        text_add(out, "%s", i < columns && *s ? STYLE_END : "");
        if (c == 0) add_blanks(out, gap);
        if (c == b->to - 1) end_line(out);
    }
}

/* width: zeros. */
static void measure_columns(const char *const *cell, uint32_t rows, uint32_t columns,
                            uint32_t *width)
{
    for (uint32_t i = 0; i < rows * columns; i++) {
        uint32_t w = width_of(cell[i]), c = i % columns;
        if (w > width[c]) width[c] = w;
    }
}

/* Prints as many blocks as the terminal's width demands; each begins with the first `fixed`
 * columns. */
static void print_blocks(struct text *out, const char *const *cell, uint32_t rows, uint32_t columns,
                         uint32_t fixed)
{
    uint32_t start = 0, skipped = UINT32_MAX, terminal = terminal_width();
    uint32_t *width = mem_new(columns, sizeof *width);
    if (!width) return (void)(out->failed = true);
    measure_columns(cell, rows, columns, width);
    for (uint32_t c = 0; c < fixed; c++)
        start += 2 + width[c];
    if (fixed == 2 && columns > 2 && start + 2 + width[2] > terminal) { /* without the units */
        skipped = 1;
        start -= 2 + width[1];
    }
    for (uint32_t from = fixed, to; from < columns; from = to) {
        uint32_t used = start;
        for (to = from; to < columns && (to == from || used + 2 + width[to] <= terminal); to++)
            used += 2 + width[to];
        if (from > fixed) text_add(out, "\n");
        print_block(out, cell, rows, columns, width,
                    &(struct column_range){fixed, from, to, skipped});
    }
    mem_free(width);
}

/* --- rows --------------------------------------------------------------------------------------
 */

static void show_number(const struct row_value *w, char out[NUMBER_MAX])
{
    size_t n = strlen(w->show);
    bool percent = n > 2 && strcmp(w->show + n - 2, "%%") == 0;
    if (strcmp(w->show, SHOW_BYTES) == 0)
        table_bytes_text(w->v, out);
    else if (!strchr(w->show, '%') || (strcmp(w->show, "%.1f") == 0 && fabs(w->v) >= 1000))
        table_number_text(w->v, w->show, out);
    else
        snprintf(out, NUMBER_MAX, w->show, (percent ? 100 * w->v : w->v) / w->of);
}

static const char *row_cell(struct rows *r, const struct row_value *w)
{
    if (!rows_is_known(w)) return r->unknown ? r->unknown : "-";
    if (w->text) return w->text;
    char *cell = arena_new(&r->texts, NUMBER_MAX, 1);
    r->failed |= !cell;
    if (cell) show_number(w, cell);
    return cell;
}

/* Draws the cells in their order and frees the rows. */
static void draw_rows(struct text *out, struct rows *r, uint32_t fixed)
{
    size_t columns = 0, items = 0, at = 0;
    for (size_t i = 0; i < r->n; i++) {
        items += !r->row[i].head && !r->row[i].key;
        columns += items == 1 && r->row[i].head;
    }
    const char **cell = mem_new((items + 1) * columns + 1, sizeof *cell);
    r->failed |= !cell;
    for (size_t i = 0; i < r->n && !r->failed; i++) {
        const struct row_value *w = &r->row[i];
        if (!w->head) continue;
        if (at < columns) cell[at] = w->head;
        if (at >= columns || !r->example) cell[at + (r->example ? 0 : columns)] = row_cell(r, w);
        at++;
    }
    if (!r->example) at += columns;
    if (items && !r->failed)
        print_blocks(out, cell, (uint32_t)(at / columns), (uint32_t)columns, fixed);
    out->failed |= r->failed;
    mem_free(cell);
    rows_fini(r);
}

void table_rows(struct text *out, struct rows *r)
{
    draw_rows(out, r, 1);
}

void table_spark(struct rows *r, const char *head, const double *v, uint32_t n, double most)
{
    static const char *const bar[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    struct text bars = {0};
    for (uint32_t i = 0; i < n; i++) {
        double share = most > 0 ? v[i] / most : 0;
        text_add(&bars, "%s", bar[share <= 0 ? 0 : (unsigned)fmin(8, 1 + share * 8)]);
    }
    rows_text(r, NULL, head, text_str(&bars));
    r->failed |= bars.failed;
    text_fini(&bars);
}

/* --- metrics -----------------------------------------------------------------------------------
 */

static const char *key_at(uint32_t i, bool all)
{
    if (all) return metrics_key(i);
    return i < sizeof first_look / sizeof first_look[0] ? first_look[i] : NULL;
}

static double metric_or_nan(const struct column *c, const char *key)
{
    double v;
    return metrics_value(c->m, key, &v) ? v : (double)NAN;
}

static void metric_rows(struct rows *r, const char *corner, const struct column *c, uint32_t n,
                        const char *key, bool ratio)
{
    const char *unit = metrics_unit(key);
    double first = metric_or_nan(&c[0], key);
    rows_item(r);
    rows_text(r, NULL, corner, key);
    rows_text(r, NULL, "", strcmp(unit, "1") == 0 ? "share" : unit);
    for (uint32_t i = 0; i < n; i++)
        rows_number(r, NULL, c[i].head, unit, metric_or_nan(&c[i], key));
    if (!ratio) return;
    double times = metric_or_nan(&c[1], key) / first;
    if (first == 0 || isnan(times))
        rows_text(r, NULL, "ratio", "");
    else
        rows_number(r, NULL, "ratio", "x %.3f", times);
}

void table_metrics(struct text *out, const char *corner, const struct column *c, uint32_t n,
                   bool all, bool ratio)
{
    const char *key;
    struct rows r = {0};
    for (uint32_t i = 0; (key = key_at(i, all)); i++) {
        bool any = false;
        for (uint32_t k = 0; k < n; k++)
            any |= !isnan(metric_or_nan(&c[k], key));
        if (any) metric_rows(&r, corner, c, n, key, ratio);
    }
    draw_rows(out, &r, 2);
}
