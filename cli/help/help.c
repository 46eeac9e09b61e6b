/* help.c - prints help on a terminal of 80 columns; see help.h. */
#include "cli/help/help.h"

#include "base/text/version.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"

#include <stdio.h>
#include <string.h>

enum { HELP_WIDTH = 80, MEANING_COLUMN = 26 };

static unsigned help_width(void)
{
    unsigned terminal = terminal_width();
    return terminal < HELP_WIDTH ? terminal : HELP_WIDTH;
}

const char *help_paragraph(const char **text, size_t *length)
{
    const char *p = *text;
    if (!p || !*p) return NULL;
    *length = strcspn(p, "\n");
    *text = p + *length + (p[*length] == '\n');
    return p;
}

static void add_paragraph(struct text *out, const char *p, size_t length)
{
    char copy[2048];
    snprintf(copy, sizeof copy, "%.*s", (int)length, p);
    if (*copy == ' ')
        text_add(out, "%s\n", copy);
    else
        terminal_wrap(out, copy, help_width(), 0, 0);
}

/* Lines that begin with a space form a block; other lines are paragraphs. */
static void add_text(struct text *out, const char *text)
{
    size_t length;
    bool kept = false;
    for (const char *p; (p = help_paragraph(&text, &length)); kept = *p == ' ') {
        if (!kept || *p != ' ') text_add(out, "\n");
        add_paragraph(out, p, length);
    }
}

static void add_usage(struct text *out, const struct cli_command *c)
{
    const char *form = c->usage, *before = "Usage:";
    do {
        char line[512];
        size_t n = strcspn(form, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, form);
        text_add(out, "%s plumb %s%s", before, c->name, n ? " " : "");
        unsigned column = (unsigned)(14 + strlen(c->name));
        terminal_wrap(out, line, help_width(), column, column < 32 ? column : 13);
        before = "      ";
        form += n + (form[n] == '\n');
    } while (*form);
}

static void add_row(struct text *out, const char *name, unsigned column, const char *meaning)
{
    unsigned used = (unsigned)strlen(name);
    text_add(out, "%s", name);
    if (used + 2 > column)
        text_add(out, "\n%*s", (int)column, "");
    else
        text_add(out, "%*s", (int)(column - used), "");
    terminal_wrap(out, meaning, help_width(), column, column);
}

static void add_option(struct text *out, const struct cli_option *o)
{
    char name[96];
    int n = snprintf(name, sizeof name, "  ");
    if (o->letter) n += snprintf(name + n, sizeof name - (size_t)n, "-%c, ", o->letter);
    snprintf(name + n, sizeof name - (size_t)n, "--%s%s%s", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    add_row(out, name, MEANING_COLUMN, o->meaning);
}

static void add_commands(struct text *out, const struct cli_command *const *list)
{
    for (; *list; list++) {
        char name[32];
        snprintf(name, sizeof name, "  %s", command_last_word(*list));
        add_row(out, name, 13, (*list)->meaning);
    }
}

static int print_help(struct text *out)
{
    int status = cli_output(out, NULL);
    text_fini(out);
    return status;
}

int help_command(const struct cli_command *c)
{
    struct text out = {0};
    add_usage(&out, c);
    if (c->text) add_text(&out, c->text);
    if (c->sub) {
        text_add(&out, "\n");
        add_commands(&out, c->sub);
        text_add(&out, "\n'plumb %s SUBCOMMAND --help' explains one.\n", c->name);
    }
    if (c->n_options) text_add(&out, "\n");
    for (uint32_t i = 0; i < c->n_options; i++)
        add_option(&out, &c->option[i]);
    return print_help(&out);
}

static int help_all(void)
{
    struct text out = {0};
    text_add(&out,
             "plumb " PLUMB_VERSION " - what would this GPU memory system do with this program?\n\n"
             "Usage: plumb COMMAND ...\n\n");
    add_commands(&out, commands);
    add_text(
        &out,
        "MACHINE is a preset ('plumb machine list') or a file.  PROGRAM is a name of 'plumb "
        "program list', a .plt trace, a generator's .cfg, a directory with kernelslist.g, "
        "suite:NAME for all programs of a suite, or suite:NAME/PROGRAM for one of them.\n"
        "'plumb help COMMAND' explains one.  Every command takes --color auto|always|never, too; "
        "NO_COLOR in the environment is never.  Exit status: 0 done, 1 a run failed, 2 the "
        "input is wrong, 130 interrupted.");
    return print_help(&out);
}

static int print_made(void make(struct text *))
{
    struct text out = {0};
    make(&out);
    return print_help(&out);
}

int help_run(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(struct text *);
    } made[] = {{"--man", help_man},
                {"--markdown", help_markdown},
                {"--bash", help_bash},
                {"--zsh", help_zsh}};
    static const char *const itself[] = {"help", "--help", "-h"};
    if (argc < 2) return help_all();
    for (size_t i = 0; i < sizeof itself / sizeof *itself; i++)
        if (strcmp(argv[1], itself[i]) == 0) return help_all();
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (strcmp(argv[1], made[i].name) == 0) return print_made(made[i].make);
    const struct cli_command *c = command_find(commands, argv[1]);
    if (!c) return command_unknown(argv[1], true);
    for (int i = 2; i < argc && c->sub; i++) {
        const struct cli_command *sub = command_find(c->sub, argv[i]);
        if (!sub) return command_no_sub(c, argv[i]);
        c = sub;
    }
    return help_command(c);
}
