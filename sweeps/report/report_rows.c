/* report_rows.c - see report_rows.h. */
#include "sweeps/report/report_rows.h"

#include <inttypes.h>
#include <math.h>

void report_row_names(struct json *j, const char *key, const char *const *name, uint32_t n)
{
    json_array(json_key(j, key));
    for (uint32_t i = 0; i < n; i++)
        json_string(j, name[i]);
    json_end(j);
}

void report_row_begin(struct report_row *r)
{
    r->text.len = 0;
    r->more = false;
    text_add_bytes(&r->text, "[", 1);
}

static void row_next(struct report_row *r)
{
    if (r->more) text_add_bytes(&r->text, ",", 1);
    r->more = true;
}

void report_row_index(struct report_row *r, uint32_t v)
{
    row_next(r);
    if (v == RESULTS_NONE)
        text_add_bytes(&r->text, "-1", 2);
    else
        text_add(&r->text, "%" PRIu32, v);
}

static void add_number(struct report_row *r, double v, int digits)
{
    row_next(r);
    if (isfinite(v))
        text_add(&r->text, "%.*g", digits, v);
    else
        text_add_bytes(&r->text, "null", 4);
}

void report_row_number(struct report_row *r, double v)
{
    add_number(r, v, 7);
}

void report_row_exact(struct report_row *r, double v)
{
    add_number(r, v, 17);
}

void report_row_end(struct report_row *r, struct json *j)
{
    text_add_bytes(&r->text, "]", 1);
    json_raw(j, text_str(&r->text), r->text.len);
    j->out->failed |= r->text.failed;
}
