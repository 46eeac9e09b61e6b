/* shown.c - see shown.h. */
#include "base/shown.h"

#include <string.h>

/* Length of the UTF-8 sequence at s, which may be a control; 0: there is none. */
static size_t sequence_length(const unsigned char *s)
{
    static const struct {
        unsigned char lo, hi, lo2, hi2, n;
    } rows[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (s[0] < rows[r].lo || s[0] > rows[r].hi) continue;
        if (rows[r].n > 1 && (s[1] < rows[r].lo2 || s[1] > rows[r].hi2)) return 0;
        for (size_t i = 2; i < rows[r].n; i++)
            if ((s[i] & 0xC0) != 0x80) return 0;
        return rows[r].n;
    }
    return 0;
}

static uint32_t decode(const unsigned char *s, size_t n)
{
    uint32_t c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (s[i] & 0x3fu);
    return c;
}

static bool is_drawn(uint32_t c)
{
    static const struct {
        uint32_t lo, hi;
    } obeyed[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},  {0x200e, 0x200f},
                  {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}};
    for (size_t i = 0; i < sizeof obeyed / sizeof obeyed[0]; i++)
        if (c >= obeyed[i].lo && c <= obeyed[i].hi) return false;
    return true;
}

size_t shown_step(const char *s, uint32_t *code, bool *shown)
{
    enum { REPLACEMENT = 0xfffd };
    const unsigned char *u = (const unsigned char *)s;
    size_t n = sequence_length(u);
    *code = n ? decode(u, n) : REPLACEMENT;
    *shown = n && is_drawn(*code);
    return n ? n : 1;
}

bool shown_as_is(const char *s)
{
    bool shown = true;
    uint32_t code;
    while (*s && shown)
        s += shown_step(s, &code, &shown);
    return shown;
}

size_t shown_clean_but(char *bytes, size_t n, bool lines, const char *own)
{
    size_t to = 0;
    bool shown;
    uint32_t code;
    for (size_t from = 0, step; from < n; from += step) {
        step = shown_step(bytes + from, &code, &shown);
        bool stays = shown || (lines && bytes[from] == '\n') || (own && own[from] != bytes[from]);
        if (!stays) {
            bytes[to++] = '?';
            continue;
        }
        memmove(bytes + to, bytes + from, step);
        to += step;
    }
    bytes[to] = '\0';
    return to;
}

size_t shown_clean(char *bytes, size_t n, bool lines)
{
    return shown_clean_but(bytes, n, lines, NULL);
}
