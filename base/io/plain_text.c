/* plain_text.c - see plain_text.h. */
#include "base/io/plain_text.h"

#include <string.h>

size_t plain_text_mark(const char *bytes, size_t n)
{
    return n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* UTF-32's little-endian mark begins with that of UTF-16. Without a mark, every other byte of Latin
 * text is 0. */
static bool is_wide(const char *b, size_t n)
{
    if (n >= 2 && (memcmp(b, "\xff\xfe", 2) == 0 || memcmp(b, "\xfe\xff", 2) == 0)) return true;
    if (n < 4) return false;
    return (b[0] && !b[1] && b[2] && !b[3]) || (!b[0] && b[1] && !b[2] && b[3]);
}

const char *plain_text_refusal(const char *bytes, size_t n)
{
    if (is_wide(bytes, n)) return "is UTF-16 or UTF-32; save it as UTF-8";
    return n && memchr(bytes, 0, n) ? "is not a text file: it holds a NUL" : NULL;
}

size_t plain_text_clean(char *bytes, size_t n)
{
    size_t from = plain_text_mark(bytes, n), to = 0;
    if (from == 0 && !(n && memchr(bytes, '\r', n))) return n;
    for (; from < n; from++)
        if (bytes[from] != '\r' || from + 1 == n || bytes[from + 1] != '\n')
            bytes[to++] = bytes[from];
    return to;
}
