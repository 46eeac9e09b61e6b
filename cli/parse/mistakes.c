/* mistakes.c - see mistakes.h. */
#include "cli/parse/mistakes.h"

#include "base/text/quote.h"
#include "base/text/text.h"
#include "cli/command/cli.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 64, TAKERS_MOST = 3 };

void mistakes_missing_value(const struct cli_command *c, const struct cli_option *o)
{
    if (o->letter)
        cli_usage(c->name, "-%c, --%s needs a value: %s", o->letter, o->name, o->value);
    else
        cli_usage(c->name, "--%s needs a value: %s", o->name, o->value);
}

void mistakes_needless_value(const struct cli_command *c, const struct cli_option *o,
                             const char *word)
{
    cli_usage(c->name, "%s: --%s takes no value", word, o->name);
}

/* --- options of other commands --- */

static const struct cli_option *with_letter(const struct cli_command *c, int letter)
{
    for (uint32_t i = 0; i < c->n_options; i++)
        if (c->option[i].letter == letter) return &c->option[i];
    return NULL;
}

static bool takes_option(const struct cli_command *c, const char *name, int letter)
{
    return name ? command_option(c, name) != NULL : with_letter(c, letter) != NULL;
}

/* Appends 'plumb NAME' for some of the commands that take the option; returns how many take it. */
static unsigned add_takers(const struct cli_command *const *list, const char *name, int letter,
                           unsigned n, struct text *out)
{
    for (; *list; list++) {
        if ((*list)->sub) {
            n = add_takers((*list)->sub, name, letter, n, out);
        } else if (takes_option(*list, name, letter)) {
            if (n < TAKERS_MOST) text_add_shown(out, "%s'plumb %s'", n ? ", " : "", (*list)->name);
            n++;
        }
    }
    return n;
}

/* true: another command has the option, and the error says which.  name NULL: searches by
 * letter. */
static bool told_of_others(const struct cli_command *c, const char *name, int letter)
{
    struct text takers = {0};
    char option[WORD_MAX];
    unsigned n = add_takers(commands, name, letter, 0, &takers);
    if (name)
        snprintf(option, sizeof option, "--%s", name);
    else
        snprintf(option, sizeof option, "-%c", letter);
    if (n)
        cli_usage(c->name, "does not take %s; %s%s %s", option, text_str(&takers),
                  n > TAKERS_MOST ? " and others" : "", n > 1 ? "do" : "does");
    text_fini(&takers);
    return n > 0;
}

/* --- unknown options --- */

/* Options of other programs, and what does the same here where the command takes it. */
static const struct {
    const char *option, *ours, *instead;
} habits[] = {
    {"format", "json", "--json or --csv"},
    {"machine", "set", "the machine is the first word, a preset's name or a file"},
    {"gpu", "set", "the machine is the first word, a preset's name or a file"},
    {"config", "set", "the machine is the first word, a preset's name or a file"},
    {"program", "p", "programs are the words behind the machine"},
    {"trace", "p", "programs are the words behind the machine"},
    {"workload", "p", "programs are the words behind the machine"},
    {"jobs", "threads", "--threads N"},
    {"engine", "p", "the command names the engine: plumb estimate, plumb sample, plumb simulate"},
    {"energy", "p", "every answer has energy_mj.total; -v and --json have its parts"},
    {"power", "p", "every answer has power_w.average"},
    {"area", "p", "-v and --json have area_mm2.total and its parts; 'plumb energy show MACHINE'"},
    {"param", "p", "--p NAME=VALUE of a program, --set PATH=VALUE of the machine"},
};

static bool told_of_habit(const struct cli_command *c, const char *name)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        if (strcmp(habits[i].option, name) != 0 || !command_option(c, habits[i].ours)) continue;
        cli_usage(c->name, "does not take --%s; %s", name, habits[i].instead);
        return true;
    }
    return false;
}

/* --M 4096 and --l2.bank_kb=512 are parameters. */
static bool told_of_parameter(const struct cli_command *c, const char *name)
{
    bool machine = strchr(name, '.') && command_option(c, "set");
    if (!machine && !command_option(c, "p")) return false;
    struct text setting = {0}, offer = {0};
    text_add(&setting, "%s=VALUE", name);
    quote_command(&offer, machine ? "--set: --set %s" : "--p: --p %s", text_str(&setting));
    cli_usage(c->name, "unknown option --%s; if it is a parameter of the %s, it goes after %s",
              name, machine ? "machine" : "program", text_str(&offer));
    text_fini(&setting);
    text_fini(&offer);
    return true;
}

static bool told_of_instead(const struct cli_command *c, const char *name)
{
    for (const struct cli_hint *h = c->hint; h && h->option; h++) {
        if (strcmp(h->option, name) != 0) continue;
        cli_usage(c->name, "does not take --%s; %s", name, h->instead);
        return true;
    }
    return false;
}

/* true: the name is a prefix of several options, and the error lists them. */
static bool told_of_several(const struct cli_command *c, const char *name)
{
    struct text all = {0};
    unsigned n = 0;
    for (uint32_t i = 0; i < c->n_options; i++)
        if (strncmp(c->option[i].name, name, strlen(name)) == 0)
            text_add_shown(&all, "%s--%s", n++ ? ", " : "", c->option[i].name);
    if (n > 1) cli_usage(c->name, "--%s may be any of %s", name, text_str(&all));
    text_fini(&all);
    return n > 1;
}

void mistakes_unknown_option(const struct cli_command *c, const char *word)
{
    char name[WORD_MAX];
    const char *typed = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, "="), typed);
    if (told_of_instead(c, name) || told_of_habit(c, name) || told_of_several(c, name) ||
        told_of_others(c, name, 0))
        return;
    const char *closest = command_closest_option(c, name);
    if (closest)
        cli_usage(c->name, "unknown option --%s: did you mean --%s?", name, closest);
    else if (!told_of_parameter(c, name))
        cli_usage(c->name, "unknown option --%s", name);
}

void mistakes_unknown_letter(const struct cli_command *c, int letter, const char *word)
{
    const struct cli_option *before = letter == '=' && word[0] == '-' ? with_letter(c, word[1]) : 0;
    const char name[2] = {(char)letter, '\0'};
    if (command_option(c, name))
        cli_usage(c->name, "unknown option -%c: did you mean --%c?", letter, letter);
    else if (before)
        cli_usage(c->name, "%s: -%c takes no value", word, before->letter);
    else if (word[0] == '-' && word[1] && command_option(c, word + 1))
        cli_usage(c->name, "unknown option %s: did you mean -%s?", word, word);
    else if (!told_of_others(c, NULL, letter))
        cli_usage(c->name, "unknown option -%c", letter);
}

/* --- values --- */

void mistakes_word_in(const char *command, const struct cli_option *o, const char *value,
                      size_t length)
{
    enum { MOST = 32 };
    char buffer[256], typed[WORD_MAX];
    const char *word[MOST];
    size_t n = 0;
    struct text allowed = {0};
    snprintf(buffer, sizeof buffer, "%s", o->words);
    snprintf(typed, sizeof typed, "%.*s", (int)length, value);
    for (char *w = strtok(buffer, " "); w && n < MOST; w = strtok(NULL, " ")) {
        text_add_shown(&allowed, "%s%s", n ? ", " : "", w);
        word[n++] = w;
    }
    const char *closest = text_closest(typed, word, n);
    cli_usage(command, "--%s %s: %s%s%sallowed are %s", o->name, typed,
              closest ? "did you mean " : "", closest ? closest : "", closest ? "? " : "",
              text_str(&allowed));
    text_fini(&allowed);
}

void mistakes_word(const struct cli_command *c, const struct cli_option *o, const char *value)
{
    mistakes_word_in(c->name, o, value, strlen(value));
}
