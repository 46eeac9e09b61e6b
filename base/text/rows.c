/* rows.c - see rows.h. */
#include "base/text/rows.h"

#include "base/memory/alloc.h"
#include "base/text/quote.h"

#include <math.h>
#include <stdio.h>

void rows_fini(struct rows *r)
{
    arena_fini(&r->texts);
    mem_free(r->row);
    *r = (struct rows){0};
}

void rows_clear(struct rows *r)
{
    arena_fini(&r->texts);
    r->texts = (struct arena){0};
    r->n = 0;
}

bool rows_is_known(const struct row_value *w)
{
    return w->show ? w->of > 0 && isfinite(w->v / w->of) : w->text != NULL;
}

/* No memory: what was to be printed is not whole. */
static void fail_rows(struct rows *r)
{
    r->failed = true;
    if (r->json) r->json->out->failed = true;
}

static void collect_row(struct rows *r, const struct row_value *w)
{
    if (mem_grow(&r->row, &r->cap, r->n + 1, sizeof *r->row))
        r->row[r->n++] = *w;
    else
        fail_rows(r);
}

/* --- items, objects, lists --- */

void rows_item(struct rows *r)
{
    if (r->json)
        json_object(r->json);
    else
        collect_row(r, &(struct row_value){0});
}

void rows_object(struct rows *r, const char *key)
{
    if (r->json) json_object(json_key(r->json, key));
}

void rows_list(struct rows *r, const char *key)
{
    if (r->json) json_array(json_key(r->json, key));
}

void rows_end(struct rows *r)
{
    if (r->json) json_end(r->json);
}

/* --- values --- */

void rows_text(struct rows *r, const char *key, const char *head, const char *s)
{
    if (r->json) {
        if (key && s) json_string(json_key(r->json, key), s);
        return;
    }
    char *copy = s ? arena_strdup(&r->texts, s) : NULL;
    if (s && !copy) fail_rows(r);
    collect_row(r, &(struct row_value){.key = key, .head = head, .text = copy});
}

const char *rows_name(struct rows *r, const char *fmt, ...)
{
    va_list args;
    char name[64];
    va_start(args, fmt);
    vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    const char *copy = arena_strdup(&r->texts, name);
    if (!copy) fail_rows(r);
    return copy ? copy : "";
}

void rows_format(struct rows *r, const char *key, const char *head, const char *fmt, ...)
{
    va_list args;
    struct text s = {0};
    va_start(args, fmt);
    text_add_list(&s, fmt, args);
    va_end(args);
    if (s.failed) fail_rows(r);
    rows_text(r, key, head, text_str(&s));
    text_fini(&s);
}

void rows_bool(struct rows *r, const char *key, const char *head, bool v)
{
    if (!r->json)
        rows_text(r, key, head, v ? "yes" : "no");
    else if (key)
        json_bool(json_key(r->json, key), v);
}

static void add_number(struct rows *r, const struct row_value *w)
{
    if (!r->json)
        collect_row(r, w);
    else if (w->key && rows_is_known(w))
        json_number(json_key(r->json, w->key), w->v / w->of);
}

static void add_whole(struct rows *r, const struct row_value *w, uint64_t v)
{
    if (!r->json)
        collect_row(r, w);
    else if (w->key)
        json_integer(json_key(r->json, w->key), (int64_t)v);
}

void rows_count(struct rows *r, const char *key, const char *head, uint64_t v)
{
    add_whole(r, &(struct row_value){key, head, "", .v = (double)v, .of = 1}, v);
}

void rows_bytes(struct rows *r, const char *key, const char *head, uint64_t v)
{
    add_whole(r, &(struct row_value){key, head, SHOW_BYTES, .v = (double)v, .of = 1}, v);
}

void rows_number(struct rows *r, const char *key, const char *head, const char *show, double v)
{
    add_number(r, &(struct row_value){key, head, show, .v = v, .of = 1});
}

void rows_share(struct rows *r, const char *key, const char *head, double a, double b)
{
    add_number(r, &(struct row_value){key, head, SHOW_SHARE, .v = a, .of = b});
}

void rows_ratio(struct rows *r, const char *key, const char *head, double a, double b)
{
    add_number(r, &(struct row_value){key, head, SHOW_RATIO, .v = a, .of = b});
}

void rows_counted(struct rows *r, const char *key, const char *head, const char *show, uint64_t a,
                  double b)
{
    if (key) rows_count(r, key, NULL, a);
    add_number(r, &(struct row_value){NULL, head, show, .v = (double)a, .of = b});
}

void rows_counts(struct rows *r, const char *key, const uint64_t *v, size_t n)
{
    if (!r->json) return;
    json_array(json_key(r->json, key));
    for (size_t i = 0; i < n; i++)
        json_integer(r->json, (int64_t)v[i]);
    json_end(r->json);
}

/* --- CSV --- */

static void add_line(const struct rows *r, const bool *used, bool head, struct text *out)
{
    const char *before = "";
    for (size_t i = 0; i < r->n; i++) {
        const struct row_value *w = &r->row[i];
        if (!w->key || (used && !used[i])) continue;
        text_add(out, "%s", before);
        before = ",";
        if (head)
            quote_csv(out, w->key);
        else if (rows_is_known(w) && w->show)
            text_add_number(out, w->v / w->of);
        else if (rows_is_known(w))
            quote_csv(out, w->text);
    }
    text_add(out, "\n");
    out->failed |= r->failed;
}

void rows_csv_head(const struct rows *r, const bool *used, struct text *out)
{
    add_line(r, used, true, out);
}

void rows_csv(const struct rows *r, const bool *used, struct text *out)
{
    add_line(r, used, false, out);
}

void rows_csv_use(const struct rows *r, bool *used)
{
    for (size_t i = 0; i < r->n; i++)
        used[i] |= rows_is_known(&r->row[i]) && (r->row[i].show || *r->row[i].text);
}
