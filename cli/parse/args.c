/* args.c - see args.h. */
#include "cli/parse/args.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/help/help.h"
#include "cli/parse/file_kinds.h"
#include "cli/parse/mistakes.h"
#include "cli/print/terminal.h"
#include "trace/suite/suite.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* getopt_long's values: the option in row i has the value FIRST + i. */
enum { FIRST = 256, OPTIONS_MAX = 40 };
static const struct cli_option help_option = {.name = "help", .letter = 'h'};

struct view {
    struct option longs[OPTIONS_MAX + 3];
    char shorts[2 * OPTIONS_MAX + 8];
};

static void add_option(struct view *v, uint32_t at, const struct cli_option *o)
{
    size_t n = strlen(v->shorts);
    v->longs[at] = (struct option){o->name, o->value ? required_argument : no_argument, NULL,
                                   (int)(FIRST + at)};
    if (o->letter) v->shorts[n++] = o->letter;
    if (o->letter && o->value) v->shorts[n] = ':';
}

static void make_view(struct view *v, const struct cli_command *c)
{
    assert(c->n_options <= OPTIONS_MAX);
    *v = (struct view){0};
    strcpy(v->shorts, c->runs_program ? "+:" : ":");
    for (uint32_t i = 0; i < c->n_options; i++)
        add_option(v, i, &c->option[i]);
    add_option(v, c->n_options, &help_option);
    add_option(v, c->n_options + 1, &command_color);
}

static const struct cli_option *row_of(const struct cli_command *c, int value)
{
    if (value == FIRST + (int)c->n_options || value == help_option.letter) return &help_option;
    if (value == FIRST + (int)c->n_options + 1) return &command_color;
    if (value >= FIRST) return &c->option[value - FIRST];
    for (uint32_t i = 0; i < c->n_options; i++)
        if (c->option[i].letter == value) return &c->option[i];
    return NULL;
}

/* Reports the option that getopt_long answered with ':' or '?'. */
static void tell_refused(const struct cli_command *c, int answer, int argc, char **argv)
{
    const char *word = argv[optind - 1];
    const struct cli_option *o = optopt ? row_of(c, optopt) : NULL;
    if (answer == ':' && o)
        mistakes_missing_value(c, o);
    else if (o)
        mistakes_needless_value(c, o, word);
    else if (optopt == 0)
        mistakes_unknown_option(c, word);
    else
        mistakes_unknown_letter(c, optopt, optind < argc ? argv[optind] : word);
}

static bool read_color(struct args *a, const struct cli_option *o, const char *value)
{
    (void)a;
    (void)o;
    terminal_style(strcmp(value, "always") == 0  ? STYLE_ALWAYS
                   : strcmp(value, "never") == 0 ? STYLE_NEVER
                                                 : STYLE_AUTO);
    return true;
}

const struct cli_option command_color = {
    .name = "color",
    .value = "WHEN",
    .meaning = "bold and colour: auto (on a terminal, unless NO_COLOR is set), always, never",
    .words = "auto always never",
    .read = read_color};

static bool take_option(struct args *a, const struct cli_command *c, const struct cli_option *o)
{
    const char *value = o->value ? optarg : NULL;
    a->given |= o->given;
    if (o->words && o->read != option_engines && !command_has_word(o->words, value, strlen(value)))
        return mistakes_word(c, o, value), false;
    return o->read(a, o, value);
}

/* The words of a command that takes them all, as another program's. */
static bool read_as_they_are(struct args *a, const struct cli_command *c, int argc, char **argv,
                             int *status)
{
    bool help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (help) return *status = help_command(c), false;
    for (int i = 1; i < argc; i++)
        a->word[a->n_words++] = argv[i];
    return true;
}

static bool read_all(struct args *a, const struct cli_command *c, int argc, char **argv,
                     int *status)
{
    struct view v;
    if (c->takes_all) return read_as_they_are(a, c, argc, argv, status);
    make_view(&v, c);
    optind = 0; /* restarts getopt (GNU) */
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, v.shorts, v.longs, NULL)) != -1;) {
        if (answer == ':' || answer == '?') return tell_refused(c, answer, argc, argv), false;
        const struct cli_option *o = row_of(c, answer);
        if (o == &help_option) return *status = help_command(c), false;
        if (!take_option(a, c, o)) return false;
    }
    for (int i = optind; i < argc; i++)
        a->word[a->n_words++] = argv[i];
    return file_kinds_check(c, a);
}

/* --- programs --- */

/* The words that are programs: from first to the returned one. */
static uint32_t program_words(const struct args *a, const struct cli_command *c, uint32_t *first)
{
    *first = c->first == COMPLETES_PROGRAM ? 0 : 1;
    uint32_t end = c->others == COMPLETES_PROGRAM ? a->n_words : *first ? 0 : 1;
    return end < a->n_words ? end : a->n_words;
}

/* Puts the file in the place of each suite:NAME/PROGRAM. */
static bool find_suite_programs(struct args *a, const struct cli_command *c, int *status)
{
    uint32_t i, end = program_words(a, c, &i);
    for (; i < end; i++) {
        struct suite s;
        struct error e = {0};
        if (!suite_is_program(a->word[i])) continue;
        if (!suite_read(&s, a->word[i], &e)) return *status = cli_fail(&e), false;
        char *path = mem_strdup(s.entry[0].path);
        suite_fini(&s);
        if (!path) return error_no_memory(&e), *status = cli_fail(&e), false;
        a->word[i] = a->joined[a->n_joined++] = path;
    }
    return true;
}

static bool join_params(struct args *a, uint32_t word)
{
    struct text t = {0};
    text_add(&t, "%s", a->word[word]);
    for (uint32_t k = 0; k < a->n_p; k++)
        text_add(&t, " %s", a->p[k]);
    a->joined[a->n_joined] = t.failed ? NULL : mem_strdup(text_str(&t));
    text_fini(&t);
    if (!a->joined[a->n_joined]) return false;
    a->word[word] = a->joined[a->n_joined++];
    return true;
}

/* Writes the parameters behind every word that is a program. false: *status is set. */
static bool put_params(struct args *a, const struct cli_command *c, int *status)
{
    uint32_t i, end = program_words(a, c, &i);
    struct error e = {0};
    if (!a->n_p) return true;
    bool any = i < end;
    for (; i < end; i++) {
        if (suite_is(a->word[i]))
            return *status =
                       cli_usage(a->command, "--p: %s is a suite; parameters belong to one program",
                                 a->word[i]),
                   false;
        if (!join_params(a, i)) return error_no_memory(&e), *status = cli_fail(&e), false;
    }
    if (!any) *status = cli_usage(a->command, "--p is given, and no PROGRAM");
    return any;
}

bool args_parse(struct args *a, const struct cli_command *c, int argc, char **argv, int *status)
{
    *a = (struct args){.command = c->name};
    run_opts_default(&a->opts);
    const char ***const lists[] = {&a->word, &a->set, &a->vs, &a->with, &a->p};
    bool ok = true;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ok &= (*lists[i] = mem_new((size_t)argc + 1, sizeof **lists[i])) != NULL;
    ok &= (a->joined = mem_new(2 * (size_t)argc + 1, sizeof *a->joined)) != NULL;
    *status = EXIT_INPUT;
    if (ok && read_all(a, c, argc, argv, status) && find_suite_programs(a, c, status) &&
        put_params(a, c, status))
        return true;
    if (!ok) {
        struct error e = {0};
        error_no_memory(&e);
        *status = cli_fail(&e);
    }
    args_fini(a);
    return false;
}

void args_fini(struct args *a)
{
    mem_free(a->word);
    mem_free(a->set);
    mem_free(a->vs);
    mem_free(a->with);
    mem_free(a->p);
    for (uint32_t i = 0; i < a->n_joined; i++)
        mem_free(a->joined[i]);
    mem_free(a->joined);
    *a = (struct args){0};
}
