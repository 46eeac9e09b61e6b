/* hardware_number.c - the numbers in profilers' files, which follow the language of the environment
 * that the profiler ran in. */
#include "sweeps/hardware/hardware_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 62, GROUP = 3 };

/* The digits of a number without what groups them; its marks. */
struct number_form {
    char digits[DIGITS_MOST + 2]; /* with at most one '.' or ',' of each kind left in place */
    uint32_t points, commas;
    char last;            /* the last mark; 0: none */
    size_t whole, behind; /* digits in front of the first mark and behind the last one */
    bool groups, zero;    /* all groups between marks have three digits; the number begins with 0 */
    const char *rest;     /* behind the number */
};

/* Bytes of a blank or an apostrophe in front of a group of three digits: of a language's own, too.
 * digits: in front of it. */
static size_t grouping(const char *s, size_t digits)
{
    static const char *const marks[] = {" ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i]);
        bool fits = digits >= 1 && digits <= GROUP && strncmp(s, marks[i], n) == 0;
        if (fits && strspn(s + n, "0123456789") == GROUP) return n;
    }
    return 0;
}

static bool read_form(const char *s, struct number_form *f)
{
    size_t n = 0, run = 0;
    *f = (struct number_form){.groups = true};
    s += strspn(s, " ");
    if (*s == '-' || *s == '+') f->digits[n++] = *s++;
    if (!isdigit((unsigned char)*s) && !((*s == '.' || *s == ',') && isdigit((unsigned char)s[1])))
        return false;
    f->zero = *s == '0' || *s == '.' || *s == ',';
    for (size_t gap; n < DIGITS_MOST; s += gap) {
        gap = 1;
        bool mark = *s == '.' || *s == ',';
        if (isdigit((unsigned char)*s)) {
            f->digits[n++] = *s;
            run++;
        } else if (mark) {
            if (!f->last) f->whole = run;
            f->groups = f->groups && (f->last ? run == GROUP : run >= 1 && run <= GROUP);
            f->points += *s == '.';
            f->commas += *s == ',';
            f->digits[n++] = f->last = *s;
            run = 0;
        } else if ((gap = grouping(s, run)) != 0) {
            run = 0;
        } else {
            break;
        }
    }
    f->behind = run;
    f->rest = s; /* a digit, where there are too many */
    return true;
}

static enum number_marks marks_of(const struct number_form *f)
{
    uint32_t n = f->points + f->commas;
    bool comma = f->last == ',';
    if (n == 0) return MARKS_UNKNOWN;
    if (f->points && f->commas) return comma ? MARKS_COMMA : MARKS_POINT;
    if (n > 1) return comma ? MARKS_POINT : MARKS_COMMA; /* they group */
    if (f->behind == GROUP && f->whole <= GROUP && !f->zero) return MARKS_UNKNOWN;
    return comma ? MARKS_COMMA : MARKS_POINT;
}

enum number_marks hardware_marks(const char *field, bool whole)
{
    struct number_form f;
    if (!read_form(field, &f)) return MARKS_UNKNOWN;
    enum number_marks marks = marks_of(&f);
    return marks == MARKS_UNKNOWN && whole && f.commas ? MARKS_POINT : marks;
}

/* Takes the exponent of "1.5e+06" along. */
static void add_exponent(struct number_form *f)
{
    const char *s = f->rest;
    if (*s != 'e' && *s != 'E') return;
    s += 1 + (s[1] == '-' || s[1] == '+');
    size_t digits = strspn(s, "0123456789"), n = strlen(f->digits);
    size_t whole = (size_t)(s - f->rest) + digits;
    if (digits == 0 || n + whole >= sizeof f->digits) return;
    memcpy(f->digits + n, f->rest, whole);
    f->digits[n + whole] = '\0';
    f->rest += whole;
}

/* Whether the marks group thousands and part the fraction as `decimal` says; the digits then have
 * none but a point. */
static bool plain_digits(struct number_form *f, char decimal)
{
    uint32_t fractions = decimal == '.' ? f->points : f->commas;
    uint32_t grouping_marks = f->points + f->commas - fractions;
    if (fractions > 1 || (fractions && f->last != decimal)) return false;
    if (grouping_marks && (!f->groups || (!fractions && f->behind != GROUP))) return false;
    char *to = f->digits;
    for (const char *s = f->digits; *s; s++) {
        if (*s == decimal)
            *to++ = '.';
        else if (*s != '.' && *s != ',')
            *to++ = *s;
    }
    *to = '\0';
    return true;
}

enum number_kind hardware_number(const char *field, const char *unit, enum number_marks marks,
                                 bool whole, double *v)
{
    struct number_form f;
    double factor;
    if (!read_form(field, &f)) return NUMBER_NONE;
    /* 1.234 cycles may be a thousand, and 1,234 us one: neither is how an English file has them */
    bool foreign = f.points + f.commas == 1 && (f.points ? whole : !whole);
    if (marks == MARKS_UNKNOWN && foreign && marks_of(&f) == MARKS_UNKNOWN) return NUMBER_TWO_WAYS;
    if (!plain_digits(&f, marks == MARKS_COMMA ? ',' : '.')) return NUMBER_STRANGE;
    add_exponent(&f);
    *v = strtod(f.digits, NULL);
    const char *rest = f.rest + strspn(f.rest, " ");
    if (!hardware_counter_unit(*rest ? rest : unit, &factor) && *rest) return NUMBER_STRANGE;
    *v *= factor;
    return isfinite(*v) ? NUMBER_READ : NUMBER_NONE;
}
