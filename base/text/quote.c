/* quote.c - see quote.h. */
#include "base/text/quote.h"

#include "base/io/file.h"
#include "base/shown.h"

#include <string.h>

static bool is_plain_word(const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:,+-@%=";
    return *s && *s != '=' && s[strspn(s, plain)] == '\0'; /* zsh replaces =x by x's path */
}

void quote_shell(struct text *out, const char *word)
{
    if (is_plain_word(word)) {
        text_add(out, "%s", word);
        return;
    }
    text_add(out, "'");
    for (; *word; word++)
        text_add(out, *word == '\'' ? "'\\''" : "%c", *word);
    text_add(out, "'");
}

void quote_shell_file(struct text *out, const char *name)
{
    struct text inside = {0};
    if (*name == '-') text_add(&inside, "./%s", name);
    quote_shell(out, *name == '-' ? text_str(&inside) : name);
    out->failed |= inside.failed;
    text_fini(&inside);
}

void quote_command_list(struct text *out, const char *format, va_list args)
{
    for (const char *word; (word = strstr(format, "%s")); format = word + 2) {
        text_add_bytes(out, format, (size_t)(word - format));
        quote_shell_file(out, va_arg(args, const char *));
    }
    text_add(out, "%s", format);
}

void quote_command(struct text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    quote_command_list(out, format, args);
    va_end(args);
}

void quote_csv(struct text *out, const char *field)
{
    bool quotes = field[strcspn(field, ",\"")] != '\0';
    text_add(out, quotes ? "\"" : "");
    for (size_t n; *field; field += n) {
        n = strcspn(field, "\"");
        text_add_shown(out, "%.*s", (int)n, field);
        if (field[n] != '"') continue;
        text_add(out, "\"\"");
        n++;
    }
    text_add(out, quotes ? "\"" : "");
}

void quote_html(struct text *out, const char *s)
{
    static const char mark[] = "<>&\"'";
    static const char *const name[] = {"lt", "gt", "amp", "quot", "#39"};
    for (size_t n; *s; s += n) {
        n = strcspn(s, mark);
        text_add_shown(out, "%.*s", (int)n, s);
        if (!s[n]) continue;
        text_add(out, "&%s;", name[strchr(mark, s[n]) - mark]);
        n++;
    }
}

void quote_conf(struct text *out, const char *s)
{
    bool shown;
    uint32_t code;
    text_add(out, "\"");
    for (size_t n; *s; s += n) {
        n = shown_step(s, &code, &shown);
        if (*s == '"' || *s == '\\')
            text_add(out, "\\%c", *s);
        else if (shown)
            text_add_bytes(out, s, n);
        else
            for (size_t i = 0; i < n; i++)
                text_add(out, "\\x%02x", (unsigned)(unsigned char)s[i]);
    }
    text_add(out, "\"");
}

void quote_conf_file(struct outfile *f, const char *s)
{
    struct text quoted = {0};
    quote_conf(&quoted, s);
    outfile_write(f, text_str(&quoted), quoted.len);
    text_fini(&quoted);
}
