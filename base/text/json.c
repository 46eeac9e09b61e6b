/* json.c - see json.h. In objects, each member is on its own line; numbers and strings in arrays
 * share one line. Bytes that are not UTF-8 become U+FFFD, so that every document is valid. */
#include "base/text/json.h"

#include "base/shown.h"

#include <assert.h>
#include <math.h>

enum { DEPTH_MAX = 32 };

void json_init(struct json *j, struct text *out)
{
    *j = (struct json){.out = out};
}

static void put_newline(struct json *j)
{
    text_add(j->out, "\n%*s", (int)(2 * j->depth), "");
}

/* Writes what precedes a value: nothing after a key, else the separator of its array. */
static void before_value(struct json *j, bool nested)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (j->depth == 0) return;
    assert(j->array[j->depth - 1] && "a value in an object needs a key");
    bool *first = &j->first[j->depth - 1];
    if (!*first) text_add(j->out, nested ? "," : ", ");
    if (nested) put_newline(j);
    *first = false;
}

static void begin_nested(struct json *j, bool array)
{
    assert(j->depth < DEPTH_MAX);
    before_value(j, true);
    text_add(j->out, array ? "[" : "{");
    j->first[j->depth] = true;
    j->array[j->depth++] = array;
}

void json_object(struct json *j)
{
    begin_nested(j, false);
}

void json_array(struct json *j)
{
    begin_nested(j, true);
}

void json_end(struct json *j)
{
    assert(j->depth > 0 && !j->after_key);
    j->depth--;
    if (!j->array[j->depth] && !j->first[j->depth]) put_newline(j);
    text_add(j->out, j->array[j->depth] ? "]" : "}");
    if (j->depth == 0) text_add(j->out, "\n");
}

/* What is not shown as it is (shown.h) is escaped. */
static void add_string(struct text *out, const char *text)
{
    bool shown;
    uint32_t code;
    text_add_bytes(out, "\"", 1);
    for (size_t n; *text; text += n) {
        n = shown_step(text, &code, &shown);
        if (!shown)
            text_add(out, "\\u%04x", (unsigned)code);
        else if (*text == '"' || *text == '\\')
            text_add(out, "\\%c", *text);
        else
            text_add_bytes(out, text, n);
    }
    text_add_bytes(out, "\"", 1);
}

struct json *json_key(struct json *j, const char *key)
{
    assert(j->depth > 0 && !j->array[j->depth - 1] && !j->after_key);
    bool *first = &j->first[j->depth - 1];
    if (!*first) text_add(j->out, ",");
    *first = false;
    put_newline(j);
    add_string(j->out, key);
    text_add(j->out, ": ");
    j->after_key = true;
    return j;
}

void json_string(struct json *j, const char *s)
{
    before_value(j, false);
    add_string(j->out, s);
}

void json_number(struct json *j, double v)
{
    assert(isfinite(v) && "absent values are left out, never written");
    before_value(j, false);
    text_add_number(j->out, v);
}

void json_integer(struct json *j, int64_t v)
{
    before_value(j, false);
    text_add(j->out, "%lld", (long long)v);
}

void json_bool(struct json *j, bool v)
{
    before_value(j, false);
    text_add(j->out, v ? "true" : "false");
}

void json_raw(struct json *j, const char *value, size_t n)
{
    before_value(j, false);
    text_add_bytes(j->out, value, n);
}
