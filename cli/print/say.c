/* say.c - see cli.h: the one place where plumb writes to a person. What is no control of plumb's
 * own is shown (base/shown.h). */
#include "base/shown.h"
#include "cli/command/cli.h"
#include "cli/print/bar.h"
#include "cli/print/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* JSON has no such characters, and other files are written as they are when they have a name. */
bool cli_write(bool to_stderr, const char *s, size_t n)
{
    FILE *f = to_stderr ? stderr : stdout;
    bool ok = true, shown;
    uint32_t code;
    bar_hold(!to_stderr);
    for (size_t from = 0, to = 0; ok && from < n; from = to) {
        for (shown = true; to < n && shown;) {
            size_t step = shown_step(s + to, &code, &shown);
            shown |= s[to] == '\n';
            if (shown) to += step;
        }
        ok = fwrite(s + from, 1, to - from, f) == to - from;
        if (to == n) break;
        const char *mark = terminal_mark(fileno(f), s + to);
        ok = ok && fputs(mark ? mark : "?", f) != EOF;
        to += shown_step(s + to, &code, &shown);
    }
    bar_release();
    return ok;
}

void cli_print(const char *fmt, ...)
{
    va_list args;
    struct text t = {0};
    va_start(args, fmt);
    text_add_shown_list(&t, fmt, args);
    va_end(args);
    terminal_hang(&t, 4);
    bar_hold(true);
    fwrite(text_str(&t), 1, t.len, stdout);
    bar_release();
    text_fini(&t);
}

void cli_draw(const char *fmt, ...)
{
    va_list args;
    struct text t = {0};
    va_start(args, fmt);
    text_add_shown_list(&t, fmt, args);
    va_end(args);
    fwrite(text_str(&t), 1, t.len, stderr);
    text_fini(&t);
}

/* "plumb: <line>" with its marks, in lines that the stream's terminal holds. */
static void mark_line(struct text *out, const char *line)
{
    static const char warning[] = "warning:";
    unsigned width = terminal_width_of(STDERR_FILENO), column = sizeof "plumb: " - 1;
    const char *at = strstr(line, warning);
    size_t before = at ? (size_t)(at - line) : strlen(line);
    struct text marked = {0};
    text_add_bytes(&marked, line, before);
    if (at) text_add(&marked, STYLE_WARNING "%s" STYLE_END "%s", warning, at + strlen(warning));
    text_add(out, STYLE_BOLD "plumb:" STYLE_END " ");
    if (column + terminal_columns(line, strlen(line)) <= width)
        text_add(out, "%s\n", text_str(&marked));
    else
        terminal_wrap(out, text_str(&marked), width, column, 2);
    out->failed |= marked.failed;
    text_fini(&marked);
}

void cli_say(const char *fmt, ...)
{
    va_list args;
    char line[2304]; /* an error can be told without memory, too */
    struct text out = {0};
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (n < 0) return;
    shown_clean(line, strlen(line), false);
    mark_line(&out, line);
    if (!out.failed) {
        cli_write(true, text_str(&out), out.len);
    } else {
        bar_hold(false);
        fprintf(stderr, "plumb: %s\n", line);
        bar_release();
    }
    text_fini(&out);
}
