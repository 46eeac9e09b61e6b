/* help_markdown.c - makes the page of all commands from the table of commands; see help.h. */
#include "cli/help/help.h"

#include <ctype.h>
#include <string.h>

static const char head[] =
    "# Commands\n\n"
    "Made by `cmake --build DIR --target docs` from the table of commands; do not edit.\n\n"
    "MACHINE is a preset (`plumb machine list`) or a file. PROGRAM is a name of `plumb program\n"
    "list`, a `.plt` trace, a generator's `.cfg`, a directory with `kernelslist.g`,\n"
    "`suite:NAME` for all programs of a suite, or `suite:NAME/PROGRAM` for one of them.\n"
    "Every command takes `-h` and `--help`, too, and `--color auto`, `always`\n"
    "or `never` (`auto`: bold and colour on a terminal, unless `NO_COLOR` is set). Exit status:\n"
    "0 done, 1 a run failed, 2 the input is wrong, 130 interrupted.\n";

/* Escapes text for Markdown, also inside a table. */
static void add_escaped(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("|<*\\", s[i])) text_add(out, "\\");
        text_add_bytes(out, s + i, 1);
    }
}

static void add_sentence(struct text *out, const char *meaning)
{
    text_add(out, "%c", toupper((unsigned char)*meaning));
    add_escaped(out, meaning + 1, strlen(meaning) - 1);
    text_add(out, ".\n\n");
}

static void add_usage(struct text *out, const struct cli_command *c)
{
    for (const char *form = c->usage;;) {
        size_t n = strcspn(form, "\n");
        text_add(out, "    plumb %s%s%.*s\n", c->name, n ? " " : "", (int)n, form);
        if (!form[n]) break;
        form += n + 1;
    }
}

/* Lines that begin with a space keep their layout, so they are printed as a code block. */
static void add_text(struct text *out, const char *text)
{
    size_t n;
    bool kept = false;
    for (const char *p; (p = help_paragraph(&text, &n)); kept = *p == ' ') {
        if (!kept || *p != ' ') text_add(out, "\n");
        if (*p == ' ')
            text_add(out, "    %.*s", (int)(n - strspn(p, " ")), p + strspn(p, " "));
        else
            add_escaped(out, p, n);
        text_add(out, "\n");
    }
}

static void add_option(struct text *out, const struct cli_option *o)
{
    text_add(out, "| `");
    if (o->letter) text_add(out, "-%c`, `", o->letter);
    text_add(out, "--%s%s", o->name, o->value ? " " : "");
    for (const char *p = o->value; p && *p; p++)
        text_add(out, *p == '|' ? "\\%c" : "%c", *p);
    text_add(out, "` | ");
    add_escaped(out, o->meaning, strlen(o->meaning));
    text_add(out, " |\n");
}

static void add_command(struct text *out, const struct cli_command *c)
{
    text_add(out, "\n## %s\n\n", c->name);
    add_sentence(out, c->meaning);
    add_usage(out, c);
    if (c->text) add_text(out, c->text);
    if (c->n_options) text_add(out, "\n| option | meaning |\n| --- | --- |\n");
    for (uint32_t i = 0; i < c->n_options; i++)
        add_option(out, &c->option[i]);
}

static void add_commands(struct text *out, const struct cli_command *const *list)
{
    for (; *list; list++) {
        if ((*list)->sub)
            add_commands(out, (*list)->sub);
        else
            add_command(out, *list);
    }
}

void help_markdown(struct text *out)
{
    text_add(out, "%s", head);
    add_commands(out, commands);
}
