/* request_trace.c - see request_trace.h. */
#include "detailed/dram/request_trace.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 24 };

#define CYCLE_END (UINT64_C(1) << 53)

/* The rest of a line, which may contain zero bytes. */
struct rest {
    const char *at, *end;
};

static void skip_space(struct rest *s)
{
    while (s->at < s->end && isspace((unsigned char)*s->at))
        s->at++;
}

/* A word ends at white space, at a comment, or with the line. */
static size_t word_length(const struct rest *s)
{
    size_t n = 0;
    while (s->at + n < s->end && !isspace((unsigned char)s->at[n]) && s->at[n] != '#')
        n++;
    return n;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

/* Parses a number; returns NULL, or what is allowed instead of the word at *s. */
static const char *take_number(struct rest *s, uint64_t base, uint64_t limit, uint64_t *v,
                               const char *kind, const char *range)
{
    size_t n = word_length(s), i = 0;
    if (base == 16 && n > 2 && s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X')) i = 2;
    if (n == 0) return kind;
    for (*v = 0; i < n; i++) {
        uint64_t digit = (uint64_t)digit_value(s->at[i]);
        if (digit >= base) return kind;
        if (*v > (limit - digit) / base) return range;
        *v = *v * base + digit;
    }
    s->at += n;
    skip_space(s);
    return NULL;
}

static const char *take_direction(struct rest *s, bool *write)
{
    size_t n = word_length(s);
    *write = n == 5 && memcmp(s->at, "WRITE", 5) == 0;
    if (!*write && (n != 4 || memcmp(s->at, "READ", 4) != 0))
        return "READ or WRITE is allowed here";
    s->at += n;
    skip_space(s);
    return NULL;
}

static const char *take_request(struct rest *s, struct trace_request *r)
{
    const char *allowed =
        take_number(s, 16, UINT64_MAX, &r->addr, "an address in hexadecimal is allowed here",
                    "an address of at most 64 bits is allowed");
    if (!allowed) allowed = take_direction(s, &r->write);
    if (!allowed)
        allowed =
            take_number(s, 10, CYCLE_END - 1, &r->cycle, "a cycle, a whole number, is allowed here",
                        "a cycle below 2^53 is allowed");
    if (!allowed && s->at < s->end && *s->at != '#')
        allowed = "the end of the line or a comment is allowed here";
    return allowed;
}

/* Copies the beginning of the rest in printable form. */
static void show_rest(const struct rest *s, char out[SHOWN_MAX + 4])
{
    size_t n = (size_t)(s->end - s->at), shown = n < SHOWN_MAX ? n : SHOWN_MAX;
    for (size_t i = 0; i < shown; i++)
        out[i] = isprint((unsigned char)s->at[i]) ? s->at[i] : '?';
    while (shown > 0 && out[shown - 1] == ' ')
        shown--;
    snprintf(out + shown, 4, "%s", n > SHOWN_MAX ? "..." : "");
}

static enum trace_got note_wrong(const struct instream *in, const char *path, const struct rest *s,
                                 const char *allowed, struct error *e)
{
    char shown[SHOWN_MAX + 4];
    unsigned long long line = instream_line_number(in);
    show_rest(s, shown);
    if (s->at == s->end)
        error_input(e, "%s:%llu: the line ends; %s", path, line, allowed);
    else
        error_input(e, "%s:%llu: %s: %s", path, line, shown, allowed);
    return TRACE_WRONG;
}

enum trace_got request_trace_next(struct instream *in, const char *path, uint64_t least,
                                  struct trace_request *r, struct error *e)
{
    size_t len;
    const char *line;
    e->kind = ERROR_NONE;
    while ((line = instream_line(in, &len, e)) != NULL) {
        struct rest s = {line, line + len};
        while (s.end > s.at && isspace((unsigned char)s.end[-1]))
            s.end--;
        skip_space(&s);
        if (s.at == s.end || *s.at == '#') continue;
        const char *allowed = take_request(&s, r);
        if (allowed) return note_wrong(in, path, &s, allowed, e);
        instream_useful(in);
        if (r->cycle >= least) return TRACE_REQUEST;
        error_input(e, "%s:%llu: cycle %llu after %llu; cycles that do not fall are allowed", path,
                    (unsigned long long)instream_line_number(in), (unsigned long long)r->cycle,
                    (unsigned long long)least);
        return TRACE_WRONG;
    }
    return e->kind == ERROR_NONE ? TRACE_END : TRACE_WRONG;
}
