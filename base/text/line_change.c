/* line_change.c - see line_change.h. */
#include "base/text/line_change.h"

#include <stdlib.h>
#include <string.h>

/* The length of the line with its end; 0: there is none. */
static size_t line_length(const char *s)
{
    const char *end = strchr(s, '\n');
    return end ? (size_t)(end - s) + 1 : 0;
}

bool line_change_find(const char *from, const char *to, struct text *changes)
{
    size_t n = 0, m = 0;
    for (unsigned long line = 1;; line++, from += n, to += m) {
        n = line_length(from);
        m = line_length(to);
        if (!n || !m) break;
        if (n == m && memcmp(from, to, n) == 0) continue;
        text_add(changes, "%lu:", line);
        text_add_bytes(changes, to, m);
    }
    return !*from && !*to;
}

bool line_change_apply(const char *from, const char *changes, struct text *to)
{
    unsigned long line = 1;
    for (; *changes; line++) {
        char *colon;
        unsigned long at = strtoul(changes, &colon, 10);
        if (colon == changes || *colon != ':' || at < line) return false;
        size_t n = line_length(from), m = line_length(colon + 1);
        for (; n && line < at; line++, n = line_length(from)) {
            text_add_bytes(to, from, n);
            from += n;
        }
        if (!n || !m) return false;
        text_add_bytes(to, colon + 1, m);
        from += n;
        changes = colon + 1 + m;
    }
    text_add_bytes(to, from, strlen(from));
    return true;
}
