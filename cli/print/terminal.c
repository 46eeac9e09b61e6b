/* terminal.c - see terminal.h. */
#include "cli/print/terminal.h"

#include "base/shown.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80, NARROWEST = 40 };

/* --- marks --- */

static enum style_when style = STYLE_AUTO;

void terminal_style(enum style_when when)
{
    style = when;
}

static bool is_styled(int fd)
{
    const char *without = getenv("NO_COLOR"), *term = getenv("TERM");
    if (style != STYLE_AUTO) return style == STYLE_ALWAYS;
    return !(without && *without) && !(term && strcmp(term, "dumb") == 0) && isatty(fd);
}

const char *terminal_mark(int fd, const char *s)
{
    static const struct {
        const char *mark, *drawn;
    } rows[] = {{STYLE_BOLD, "\033[1m"}, {STYLE_WARNING, "\033[33m"}, {STYLE_END, "\033[0m"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (*s == *rows[i].mark) return is_styled(fd) ? rows[i].drawn : "";
    return NULL;
}

static bool is_mark(char c)
{
    return c && strchr(STYLE_MARKS, c);
}

/* --- widths --- */

unsigned terminal_width_of(int fd)
{
    struct winsize size;
    unsigned width = 0;
    const char *columns = getenv("COLUMNS");
    if (!isatty(fd)) return UINT_MAX;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    if (!width && columns) width = (unsigned)strtoul(columns, NULL, 10);
    if (!width) width = USUAL;
    return width < NARROWEST ? NARROWEST : width;
}

unsigned terminal_width(void)
{
    return terminal_width_of(STDOUT_FILENO);
}

unsigned terminal_columns(const char *s, size_t n)
{
    unsigned wide = 0;
    uint32_t code;
    bool shown;
    for (const char *end = s + n; s < end;) {
        wide += !is_mark(*s);
        s += shown_step(s, &code, &shown);
    }
    return wide;
}

/* A number and its % are one word. */
static size_t word_length(const char *s)
{
    size_t n = strcspn(s, " ");
    bool percent = n && isdigit((unsigned char)s[n - 1]) && s[n] == ' ' && s[n + 1] == '%';
    return percent ? n + 1 + strcspn(s + n + 1, " ") : n;
}

void terminal_wrap(struct text *out, const char *s, unsigned width, unsigned column,
                   unsigned indent)
{
    bool first = true;
    for (s += strspn(s, " "); *s; s += strspn(s, " ")) {
        size_t n = word_length(s);
        unsigned wide = terminal_columns(s, n);
        if (!first && column + 1 + wide > width) {
            text_add(out, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        text_add(out, "%s%.*s", first ? "" : " ", (int)n, s);
        column += !first + wide;
        first = false;
        s += n;
    }
    text_add(out, "\n");
}

/* --- texts that already have lines --- */

typedef void line_fn(struct text *to, char *line, unsigned width, unsigned indent);

static void fold_line(struct text *to, char *line, unsigned width, unsigned indent)
{
    unsigned start = (unsigned)strspn(line, " ");
    (void)indent;
    if (strstr(line + start, "  ")) {
        text_add(to, "%s\n", line);
        return;
    }
    text_add(to, "%*s", (int)start, "");
    terminal_wrap(to, line + start, width, start, start + 2);
}

/* Spaces before the break align columns and stay. */
static void hang_line(struct text *to, char *line, unsigned width, unsigned indent)
{
    if (indent > width / 2) indent = 4; /* a narrow terminal has no room for the last column */
    char *end = line + width; /* lists are ASCII except for rare signs, for which there is room */
    while (end > line + indent && (*end != ' ' || end[1] == '%'))
        end--;
    if (end <= line + indent) {
        text_add(to, "%s\n", line);
        return;
    }
    *end = '\0';
    text_add(to, "%s\n%*s", line, (int)indent, "");
    terminal_wrap(to, end + 1, width, indent, indent);
}

static void each_line(struct text *out, line_fn *break_line, unsigned indent)
{
    enum { LINE_MAX_BYTES = 4096 };
    struct text to = {0};
    unsigned width = terminal_width();
    if (width == UINT_MAX) return;
    for (const char *s = text_str(out); *s;) {
        char line[LINE_MAX_BYTES];
        size_t n = strcspn(s, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, s);
        if (n < sizeof line && terminal_columns(s, n) > width)
            break_line(&to, line, width, indent);
        else
            text_add_bytes(&to, s, n + (s[n] == '\n'));
        s += n + (s[n] == '\n');
    }
    to.failed |= out->failed;
    text_fini(out);
    *out = to;
}

/* A value of a configuration goes on below; a string goes on in a string, as libconfig joins them.
 */
static void value_line(struct text *to, const char *line, unsigned width, unsigned indent)
{
    bool inside = false;
    for (unsigned room = width; terminal_columns(line, strlen(line)) > room;) {
        const char *at = NULL;
        bool now = inside, quoted = false;
        for (const char *s = line; *s && s - line + 1 < (long)room; s++) {
            now ^= *s == '"';
            if (*s != ' ' || s <= line + indent) continue;
            at = s;
            quoted = now;
        }
        if (!at) break;
        text_add(to, "%.*s%s\n%*s%s", (int)(at + quoted - line), line, quoted ? "\"" : "",
                 (int)indent, "", quoted ? "\"" : "");
        line = at + 1;
        inside = quoted;
        room = width - indent - quoted;
    }
    text_add(to, "%s\n", line);
}

/* The comment behind the value of a line, or NULL. */
static char *comment_of(char *line)
{
    bool inside = false;
    for (char *s = line; *s; s++) {
        inside ^= *s == '"';
        if (*s == '#' && !inside) return s;
    }
    return NULL;
}

/* A comment of a configuration goes on in a comment; one behind a value comes before it. */
static void comment_line(struct text *to, char *line, unsigned width, unsigned indent)
{
    size_t start = 1 + strspn(line + 1, " ");
    char *behind = comment_of(line);
    if (!behind) value_line(to, line, width, indent);
    if (behind > line) {
        text_add(to, "%*s%s\n", (int)strspn(line, " "), "", behind);
        behind[-(behind[-1] == ' ')] = '\0'; /* without the blank before it */
        value_line(to, line, width, indent);
    }
    if (behind != line) return;
    for (char *at = line + start; *at && !to->failed;) {
        struct text part = {0};
        terminal_wrap(&part, at, width, at == line + start ? (unsigned)start : indent, 0);
        size_t n = strcspn(text_str(&part), "\n");
        to->failed |= part.failed;
        if (at == line + start)
            text_add(to, "%.*s%.*s\n", (int)start, line, (int)n, text_str(&part));
        else
            text_add(to, "#%*s%.*s\n", (int)indent - 1, "", (int)n, text_str(&part));
        for (size_t k = 0; k < n; k++) { /* words are the same, blanks may be fewer */
            if (text_str(&part)[k] == ' ') continue;
            at += strspn(at, " ") + 1;
        }
        at += strspn(at, " ");
        text_fini(&part);
    }
}

void terminal_comments(struct text *out)
{
    each_line(out, comment_line, 8);
}

void terminal_fold(struct text *out)
{
    each_line(out, fold_line, 0);
}

void terminal_hang(struct text *out, unsigned indent)
{
    each_line(out, hang_line, indent);
}
