/* commands.c - the table of commands, and look-ups in it; see command.h. */
#include "cli/command/command.h"

#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/help/help.h"
#include "cli/parse/args.h"
#include "cli/parse/bank_option.h"
#include "cli/print/bar.h"

#include <stdio.h>
#include <string.h>

const struct cli_command *const commands[] = {&command_estimate,
                                              &command_sample,
                                              &command_simulate,
                                              &command_compare,
                                              &command_calibrate,
                                              &command_sweep,
                                              &command_bank,
                                              &command_report,
                                              &command_trace,
                                              &command_program,
                                              &command_machine,
                                              &command_metrics,
                                              &command_energy,
                                              &command_dram,
                                              &command_cc,
                                              &command_operators,
                                              NULL};

enum { MOST = 48 }; /* the most rows in one table of commands or options */

const char *command_last_word(const struct cli_command *c)
{
    const char *space = strrchr(c->name, ' ');
    return space ? space + 1 : c->name;
}

const struct cli_command *command_find(const struct cli_command *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(command_last_word(*list), name) == 0) return *list;
    return NULL;
}

/* The name that is closest to the word, or NULL. */
static const char *command_closest(const struct cli_command *const *list, const char *word)
{
    const char *names[MOST];
    size_t n = 0;
    for (; list[n] && n < MOST; n++) {
        names[n] = command_last_word(list[n]);
        if (*word && strncmp(names[n], word, strlen(word)) == 0) return names[n];
    }
    return text_closest(word, names, n);
}

const struct cli_option *command_option(const struct cli_command *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_options; i++)
        if (strcmp(c->option[i].name, name) == 0) return &c->option[i];
    return NULL;
}

const char *command_closest_option(const struct cli_command *c, const char *name)
{
    const char *names[MOST] = {"help", "color"};
    size_t n = 2;
    for (uint32_t i = 0; i < c->n_options && n < MOST; i++)
        names[n++] = c->option[i].name;
    return text_closest(name, names, n);
}

bool command_has_word(const char *words, const char *word, size_t length)
{
    for (const char *w = words; *w; w += strspn(w, " ")) {
        size_t n = strcspn(w, " ");
        if (n == length && strncmp(w, word, n) == 0) return true;
        w += n;
    }
    return false;
}

int command_no_sub(const struct cli_command *c, const char *word)
{
    struct text all = {0};
    for (const struct cli_command *const *s = c->sub; *s; s++)
        text_add_shown(&all, "%s%s", s == c->sub ? "" : ", ", command_last_word(*s));
    const char *closest = word ? command_closest(c->sub, word) : NULL;
    if (closest)
        cli_usage(c->name, "no subcommand %s: did you mean %s?", word, closest);
    else if (word)
        cli_usage(c->name, "no subcommand %s; allowed: %s", word, text_str(&all));
    else
        cli_usage(c->name, "no subcommand; allowed: %s", text_str(&all));
    text_fini(&all);
    return EXIT_INPUT;
}

static void say_where_words_are(const char *word)
{
    struct text params = {0}, metrics = {0};
    quote_command(&params, "plumb machine params %s", word);
    quote_command(&metrics, "plumb metrics %s", word);
    cli_say("no command %s; '%s' and '%s' have the parameters and metrics with that word, "
            "docs/glossary.md has plumb's words; see 'plumb --help'",
            word, text_str(&params), text_str(&metrics));
    text_fini(&params);
    text_fini(&metrics);
}

int command_unknown(const char *word, bool helping)
{
    static const char *const options[] = {"--version", "--help"};
    struct text all = {0};
    const char *closest = command_closest(commands, word);
    if (!closest) closest = text_closest(word, options, 2);
    for (uint32_t i = 0; commands[i]; i++)
        text_add(&all, "%s%s", i ? ", " : "", commands[i]->name);
    if (closest)
        cli_say("no command %s (did you mean %s?); see 'plumb --help'", word, closest);
    else if (helping)
        say_where_words_are(word);
    else
        cli_say("no command %s; there are %s; see 'plumb --help'", word, text_str(&all));
    text_fini(&all);
    return EXIT_INPUT;
}

static int run_sub(const struct cli_command *c, int argc, char **argv)
{
    if (argc < 2) return command_no_sub(c, NULL);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help_command(c);
    const struct cli_command *sub = command_find(c->sub, argv[1]);
    return sub ? command_start(sub, argc - 1, argv + 1) : command_no_sub(c, argv[1]);
}

static int run_words(const struct cli_command *c, struct args *a)
{
    if (c->words == 0 || a->n_words == c->words) return c->run(a);
    return cli_usage(c->name, "%u argument%s expected, %u given", c->words,
                     c->words == 1 ? "" : "s", a->n_words);
}

int command_start(const struct cli_command *c, int argc, char **argv)
{
    int status;
    if (c->sub) return run_sub(c, argc, argv);
    struct args *a = mem_new(1, c->size ? c->size : sizeof *a);
    if (!a) {
        struct error e = {0};
        error_no_memory(&e);
        return cli_fail(&e);
    }
    if (c->start) memcpy(a, c->start, c->size);
    if (args_parse(a, c, argc, argv, &status)) {
        bar_watch(c->name, a->verbosity < 0 || c->runs_program);
        bank_option_open(a, c);
        status = run_words(c, a);
        bar_end();
        bank_option_close(a);
        args_fini(a);
    }
    if (c->fini) c->fini(a);
    mem_free(a);
    return status;
}
