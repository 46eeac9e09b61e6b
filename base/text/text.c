/* text.c - see text.h. */
#include "base/text/text.h"

#include "base/memory/alloc.h"
#include "base/shown.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 63 }; /* longer words have no closest name */

static bool reserve_bytes(struct text *t, size_t more)
{
    if (t->failed || more > SIZE_MAX - t->len - 1) t->failed = true;
    if (!t->failed && !mem_grow(&t->s, &t->cap, t->len + more + 1, 1)) t->failed = true;
    return !t->failed;
}

void text_add_list(struct text *t, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t room = t->failed ? 0 : t->cap - t->len; /* usually there is enough room: one pass */
    int n = vsnprintf(room ? t->s + t->len : NULL, room, fmt, args);
    if (n < 0) t->failed = true;
    if (n >= 0 && reserve_bytes(t, (size_t)n)) {
        if ((size_t)n >= room) vsnprintf(t->s + t->len, (size_t)n + 1, fmt, again);
        t->len += (size_t)n;
    } else if (room) {
        t->s[t->len] = '\0'; /* removes a partial addition */
    }
    va_end(again);
}

void text_add(struct text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    text_add_list(t, fmt, args);
    va_end(args);
}

void text_add_bytes(struct text *t, const char *bytes, size_t n)
{
    if (!reserve_bytes(t, n)) return;
    if (n) memcpy(t->s + t->len, bytes, n);
    t->len += n;
    t->s[t->len] = '\0';
}

void text_add_number(struct text *t, double v)
{
    char digits[40];
    /* %g drops zeros, so the first of 15 to 17 digits that reads back is the shortest; subnormals
     * may be shorter */
    for (int n = fabs(v) < DBL_MIN ? 1 : 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, v);
        if (strtod(digits, NULL) == v) break;
    }
    text_add(t, "%s", digits);
}

void text_fini(struct text *t)
{
    mem_free(t->s);
    *t = (struct text){0};
}

const char *text_str(const struct text *t)
{
    return t->s ? t->s : "";
}

const char *text_noun(uint64_t n, const char *one, const char *several)
{
    return n == 1 ? one : several;
}

bool text_whole(const char **s, int base, uint64_t *v)
{
    char *end;
    if (base == 16 ? !isxdigit((unsigned char)**s) : !isdigit((unsigned char)**s)) return false;
    errno = 0;
    *v = strtoull(*s, &end, base);
    if (errno) return false;
    *s = end;
    return true;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein distance with adjacent transpositions; both words within WORD_MAX. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[3][WORD_MAX + 1]; /* rows i-2, i-1, i of the table, used in turn */
    for (size_t j = 0; j <= nb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t d = up[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            d = least(d, least(up[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                d = least(d, up2[j - 2] + 1);
            now[j] = d;
        }
    }
    return row[na % 3][nb];
}

const char *text_closest(const char *word, const char *const *names, size_t n)
{
    size_t len = strlen(word), best = len / 3 + 1;
    const char *closest = NULL;
    if (len > WORD_MAX) return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t other = strlen(names[i]);
        if (other > WORD_MAX) continue;
        size_t d = edit_distance(word, len, names[i], other);
        if (d < best) {
            best = d;
            closest = names[i];
        }
    }
    return closest;
}

bool text_alike(struct text *t, const char *word, const char *const *names, size_t n)
{
    enum { LEAST = 2, MOST = 4 };
    const char *found[MOST];
    size_t len = strlen(word), all = 0;
    for (size_t i = 0; len >= LEAST && i < n; i++) {
        if (strncasecmp(names[i], word, len) != 0) continue;
        if (all < MOST) found[all] = names[i];
        all++;
    }
    const char *closest = all == 0 || all > MOST ? text_closest(word, names, n) : NULL;
    if (closest) {
        text_add_shown(t, "%s", closest);
        return true;
    }
    for (size_t i = 0; i < all && i < MOST; i++) {
        text_add(t, "%s", i == 0 ? "" : i + 1 < all ? ", " : " or ");
        text_add_shown(t, "%s", found[i]);
    }
    if (all > MOST) text_add(t, " or %zu others", all - MOST);
    return all > 0;
}

/* The text is made a second time with the format's controls as blanks: a control that is in both
 * came with an argument. */
void text_add_shown_list(struct text *t, const char *fmt, va_list args)
{
    struct text blank = {0}, own = {0};
    size_t from = t->len;
    va_list again;
    va_copy(again, args);
    text_add_list(t, fmt, args);
    text_add_bytes(&blank, fmt, strlen(fmt));
    for (size_t i = 0; i < blank.len; i++)
        if ((unsigned char)blank.s[i] < ' ') blank.s[i] = ' ';
    if (!blank.failed) text_add_list(&own, text_str(&blank), again);
    va_end(again);
    t->failed |= blank.failed || own.failed;
    if (!t->failed && t->len > from)
        t->len = from + shown_clean_but(t->s + from, t->len - from, false, text_str(&own));
    text_fini(&blank);
    text_fini(&own);
}

void text_add_shown(struct text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    text_add_shown_list(t, fmt, args);
    va_end(args);
}
