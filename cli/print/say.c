/* say.c - see cli.h: the one place where plumb writes to a person. What is no control of plumb's
 * own is shown (base/text/shown.h). */
#include "base/text/shown.h"
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* JSON has no such characters, and other files are written as they are when they have a name. */
bool cli_write(bool to_stderr, const char *s, size_t n)
{
    FILE *f = to_stderr ? stderr : stdout;
    bool ok = true, shown;
    uint32_t code;
    for (size_t from = 0, to = 0; ok && from < n; from = to) {
        for (shown = true; to < n && shown;) {
            size_t step = shown_step(s + to, &code, &shown);
            shown |= s[to] == '\n';
            if (shown) to += step;
        }
        ok = fwrite(s + from, 1, to - from, f) == to - from;
        if (to == n) break;
        ok = ok && fputc('?', f) != EOF;
        to += shown_step(s + to, &code, &shown);
    }
    return ok;
}

static void put(FILE *f, const char *fmt, va_list args)
{
    struct text t = {0};
    text_add_shown_list(&t, fmt, args);
    fwrite(text_str(&t), 1, t.len, f);
    text_fini(&t);
}

void cli_print(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put(stdout, fmt, args);
    va_end(args);
}

void cli_draw(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put(stderr, fmt, args);
    va_end(args);
}

void cli_say(const char *fmt, ...)
{
    va_list args;
    char line[2304]; /* an error can be told without memory, too */
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (n < 0) return;
    shown_clean(line, strlen(line), false);
    fprintf(stderr, "plumb: %s\n", line);
}
