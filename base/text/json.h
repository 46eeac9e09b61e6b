/* json.h - streaming JSON writer (RFC 8259) onto a struct text.  Keys are written in call order;
 * numbers print with the fewest digits that read back to the same double; NaN and infinities are a
 * programmer error (absent values are left out, never written).  Nesting errors assert. */
#pragma once

#include "base/text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct json {
    struct text *out;
    uint32_t depth;
    bool first[32], array[32], after_key;
};

void json_init(struct json *j, struct text *out);
void json_object(struct json *j);
void json_array(struct json *j);
void json_end(struct json *j);                          /* closes the innermost object or array */
struct json *json_key(struct json *j, const char *key); /* j, whose next value is the key's */
void json_string(struct json *j, const char *s);
void json_number(struct json *j, double v);
void json_integer(struct json *j, int64_t v);
void json_bool(struct json *j, bool v);
/* Writes a value that is already JSON, for long rows of numbers in their own format. */
void json_raw(struct json *j, const char *value, size_t n);
