/* help_shell.c - makes the completion for bash and zsh from the table of commands; see help.h. */
#include "cli/help/help.h"

#include <stdio.h>
#include <string.h>

static const char note[] = "# Made by 'plumb help --%s' from the table of commands; do not edit.\n";

/* --- bash --- */

static const char bash_functions[] =
    "_plumb_machines() {\n"
    "    \"$plumb\" machine list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { print $1 }'\n"
    "}\n"
    "_plumb_programs() {\n"
    "    \"$plumb\" program list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { print $1 }'\n"
    "}\n"
    "_plumb_parameters() {\n"
    "    \"$plumb\" machine params --json 2> /dev/null | sed -nE 's/.*\"path\": "
    "\"([^\"]+)\".*/\\1/p'\n"
    "}\n"
    "# The values of a parameter that has a choice.\n"
    "_plumb_choices() { # PATH\n"
    "    \"$plumb\" machine params --json 2> /dev/null | awk -v path=\"\\\"$1\\\",\" '\n"
    "        $1 == \"\\\"path\\\":\" { here = $2 == path }\n"
    "        here && $1 == \"\\\"type\\\":\" && /bool/ { print \"true false\" }\n"
    "        here && sub(/.*\"choices\": \\[/, \"\") { gsub(/[],\"]/, \"\"); print }'\n"
    "}\n";

static const char bash_end[] =
    "# The words that begin so.  compgen -W would run what a name of a file says.\n"
    "_plumb_begin() { # WORDS WORD\n"
    "    local word\n"
    "    local -a all=()\n"
    "    read -r -d '' -a all <<< \"$1\"\n"
    "    for word in \"${all[@]}\"; do [[ $word == \"$2\"* ]] && COMPREPLY+=(\"$word\"); done\n"
    "}\n"
    "# What a word of that kind may be.\n"
    "_plumb_offer() { # KIND WORD\n"
    "    local words=''\n"
    "    case $1 in\n"
    "    parameter) words=$(_plumb_parameters | sed 's/$/=/'); compopt -o nospace ;;\n"
    "    machine) words=$(_plumb_machines) ;;\n"
    "    energy) words=\"cache frc mshr $(_plumb_machines)\" ;;\n"
    "    program) words=$(_plumb_programs) ;;\n"
    "    words:*) words=${1#words:}; compopt +o filenames ;;\n"
    "    folder) mapfile -t COMPREPLY < <(compgen -d -- \"$2\"); return ;;\n"
    "    nothing) return ;;\n"
    "    esac\n"
    "    _plumb_begin \"$words\" \"$2\"\n"
    "    case $1 in\n"
    "    file | machine | energy | program)\n"
    "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$2\") ;;\n"
    "    esac\n"
    "}\n"
    "_plumb() {\n"
    "    local plumb=$1 word=$2 command=${COMP_WORDS[1]} first=2 kind\n"
    "    COMPREPLY=()\n"
    "    if [ \"$command\" = help ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
    "        [ \"$COMP_CWORD\" -gt 2 ] && command=${COMP_WORDS[2]} || command=''\n"
    "        _plumb_offer \"words:$(_plumb_subcommands \"$command\")\" \"$word\"\n"
    "        return\n"
    "    fi\n"
    "    if [ -n \"$(_plumb_subcommands \"$command\")\" ]; then\n"
    "        command=\"$command ${COMP_WORDS[2]}\" first=3\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -lt \"$first\" ]; then\n"
    "        local before=''\n"
    "        [ \"$first\" -eq 3 ] && [ \"$COMP_CWORD\" -eq 2 ] && before=${COMP_WORDS[1]}\n"
    "        _plumb_offer \"words:$(_plumb_subcommands \"$before\") --help\" \"$word\"\n"
    "        return\n"
    "    fi\n"
    "    local before=$3\n"
    "    [ \"${COMP_WORDS[COMP_CWORD]}\" != = ] || { before='=' word=''; }\n"
    "    kind=$(_plumb_value \"$command\" \"$before\")\n"
    "    if [ \"$before\" = = ]; then # bash takes PATH=VALUE and --OPTION=VALUE for three words\n"
    "        before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "        [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "        kind=$(_plumb_value \"$command\" \"$before\")\n"
    "        [ -n \"$kind\" ] || kind=\"words:$(_plumb_choices \"$before\")\"\n"
    "    fi\n"
    "    if [ -n \"$kind\" ]; then\n"
    "        _plumb_offer \"$kind\" \"$word\"\n"
    "    elif [[ $word == -* ]]; then\n"
    "        _plumb_offer \"words:$(_plumb_options \"$command\") --help\" \"$word\"\n"
    "    else\n"
    "        local place=others\n"
    "        [ \"$COMP_CWORD\" -eq \"$first\" ] && place=first\n"
    "        _plumb_offer \"$(_plumb_word \"$command\" $place)\" \"$word\"\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _plumb plumb\n";

static const char *kind_name(enum completes kind)
{
    switch (kind) {
    case COMPLETES_NOTHING: return "nothing";
    case COMPLETES_SWEEP:
    case COMPLETES_DATABASE:
    case COMPLETES_FILE: return "file";
    case COMPLETES_FOLDER: return "folder";
    case COMPLETES_MACHINE_OR_SWEEP:
    case COMPLETES_MACHINE: return "machine";
    case COMPLETES_PROGRAM: return "program";
    case COMPLETES_PARAMETER: return "parameter";
    case COMPLETES_ENERGY: return "energy";
    }
    return "";
}

static void add_names(struct text *out, const struct cli_command *const *list)
{
    for (const char *before = ""; *list; list++, before = " ")
        text_add(out, "%s%s", before, command_last_word(*list));
}

static void bash_subcommands(struct text *out)
{
    text_add(out, "_plumb_subcommands() { # COMMAND, or '' for the commands\n    case $1 in\n"
                  "    '' | help) echo '");
    add_names(out, commands);
    text_add(out, " help' ;;\n");
    for (const struct cli_command *const *c = commands; *c; c++) {
        if (!(*c)->sub) continue;
        text_add(out, "    %s) echo '", (*c)->name);
        add_names(out, (*c)->sub);
        text_add(out, "' ;;\n");
    }
    text_add(out, "    esac\n}\n");
}

static void bash_options(struct text *out, const struct cli_command *const *list)
{
    for (; *list; list++) {
        const struct cli_command *c = *list;
        if (c->sub) {
            bash_options(out, c->sub);
            continue;
        }
        text_add(out, "    '%s') echo '", c->name);
        for (uint32_t i = 0; i < c->n_options; i++)
            text_add(out, "--%s ", c->option[i].name);
        text_add(out, "%s' ;;\n", c->takes_all ? "" : "--color");
    }
}

static void bash_value(struct text *out, const struct cli_command *c, const struct cli_option *o)
{
    if (!o->value) return;
    text_add(out, "    '%s --%s'", c->name, o->name);
    if (o->letter) text_add(out, " | '%s -%c'", c->name, o->letter);
    text_add(out, ") echo '%s%s' ;;\n", o->words ? "words:" : "",
             o->words ? o->words : kind_name(o->completes));
}

static void bash_values(struct text *out, const struct cli_command *const *list)
{
    for (; *list; list++) {
        const struct cli_command *c = *list;
        if (c->sub) bash_values(out, c->sub);
        for (uint32_t i = 0; i < c->n_options; i++)
            bash_value(out, c, &c->option[i]);
        if (!c->sub && !c->takes_all) bash_value(out, c, &command_color);
    }
}

static void bash_words(struct text *out, const struct cli_command *const *list)
{
    for (; *list; list++) {
        const struct cli_command *c = *list;
        if (c->sub)
            bash_words(out, c->sub);
        else
            text_add(out, "    '%s first') echo %s ;;\n    '%s others') echo %s ;;\n", c->name,
                     kind_name(c->first), c->name, kind_name(c->others));
    }
}

static void bash_function(struct text *out, const char *name, const char *arguments,
                          void rows(struct text *, const struct cli_command *const *))
{
    text_add(out, "%s() { # %s\n    case $* in\n", name, arguments);
    rows(out, commands);
    text_add(out, "    esac\n}\n");
}

void help_bash(struct text *out)
{
    text_add(out, "# bash completion for plumb\n");
    text_add(out, note, "bash");
    text_add(out, "%s", bash_functions);
    bash_subcommands(out);
    bash_function(out, "_plumb_options", "COMMAND", bash_options);
    bash_function(out, "_plumb_value", "COMMAND OPTION", bash_values);
    bash_function(out, "_plumb_word", "COMMAND first|others", bash_words);
    text_add(out, "%s", bash_end);
}

/* --- zsh --- */

static const char zsh_functions[] =
    "_plumb_machines() {\n"
    "    local -a names=(${(f)\"$($plumb machine list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { "
    "print $1 "
    "}')\"})\n"
    "    compadd -a names\n"
    "    _files\n"
    "}\n"
    "_plumb_structures() {\n"
    "    compadd cache frc mshr\n"
    "    _plumb_machines\n"
    "}\n"
    "_plumb_programs() {\n"
    "    local -a names=(${(f)\"$($plumb program list 2> /dev/null | awk 'NR > 1 && /^[^#]/ { "
    "print $1 "
    "}')\"})\n"
    "    compadd -a names\n"
    "    _files\n"
    "}\n"
    "_plumb_parameters() {\n"
    "    local -a paths=(${(f)\"$($plumb machine params --json 2> /dev/null |\n"
    "        sed -nE 's/.*\"path\": \"([^\"]+)\".*/\\1/p')\"})\n"
    "    compadd -S = -a paths\n"
    "}\n";

static const char *zsh_action(enum completes kind)
{
    switch (kind) {
    case COMPLETES_NOTHING: return " ";
    case COMPLETES_SWEEP:
    case COMPLETES_DATABASE:
    case COMPLETES_FILE: return "_files";
    case COMPLETES_FOLDER: return "_files -/";
    case COMPLETES_MACHINE_OR_SWEEP:
    case COMPLETES_MACHINE: return "_plumb_machines";
    case COMPLETES_PROGRAM: return "_plumb_programs";
    case COMPLETES_PARAMETER: return "_plumb_parameters";
    case COMPLETES_ENERGY: return "_plumb_structures";
    }
    return " ";
}

/* Quotes text for single quotes and for the brackets of zsh's _arguments. */
static void add_quoted(struct text *out, const char *s)
{
    for (; *s; s++) {
        if (strchr("[]:\\", *s)) text_add(out, "\\");
        text_add(out, *s == '\'' ? "'\\''" : "%c", *s);
    }
}

static bool may_repeat(const struct cli_option *o)
{
    return strcmp(o->name, "set") == 0 || strcmp(o->name, "vs") == 0 ||
           strcmp(o->name, "with") == 0;
}

static void zsh_spec(struct text *out, const struct cli_option *o, const char *name)
{
    text_add(out, " \\\n            '%s%s[", may_repeat(o) ? "*" : "", name);
    add_quoted(out, o->meaning);
    text_add(out, "]");
    if (o->value) {
        text_add(out, ":");
        add_quoted(out, o->value);
        if (o->words)
            text_add(out, ":(%s)", o->words);
        else
            text_add(out, ":%s", zsh_action(o->completes));
    }
    text_add(out, "'");
}

static void zsh_arguments(struct text *out, const struct cli_command *c, int first)
{
    text_add(out, "_arguments -s '--help[usage]'");
    for (uint32_t i = 0; i < c->n_options; i++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", c->option[i].name);
        zsh_spec(out, &c->option[i], name);
        snprintf(name, sizeof name, "-%c", c->option[i].letter);
        if (c->option[i].letter) zsh_spec(out, &c->option[i], name);
    }
    if (!c->takes_all) zsh_spec(out, &command_color, "--color");
    text_add(out, " \\\n            '%d:word:%s' '*:word:%s' ;;\n", first, zsh_action(c->first),
             zsh_action(c->others));
}

static void zsh_describe(struct text *out, const struct cli_command *const *list)
{
    for (; *list; list++) {
        text_add(out, " \\\n            '%s:", command_last_word(*list));
        add_quoted(out, (*list)->meaning);
        text_add(out, "'");
    }
    text_add(out, ")\n");
}

static void zsh_command(struct text *out, const struct cli_command *c)
{
    text_add(out, "    %s)\n", c->name);
    if (!c->sub) {
        text_add(out, "        ");
        zsh_arguments(out, c, 2);
        return;
    }
    text_add(out, "        if (( CURRENT == 3 )); then\n            commands=(");
    zsh_describe(out, c->sub);
    text_add(out, "            _describe subcommand commands\n            return\n        fi\n"
                  "        case $words[3] in\n");
    for (const struct cli_command *const *s = c->sub; *s; s++) {
        text_add(out, "        %s) ", command_last_word(*s));
        zsh_arguments(out, *s, 3);
    }
    text_add(out, "        esac ;;\n");
}

void help_zsh(struct text *out)
{
    text_add(out, "#compdef plumb\n"
                  "# zsh completion for plumb: put it as _plumb into a directory of $fpath\n");
    text_add(out, note, "zsh");
    text_add(out,
             "%s_plumb() {\n    local plumb=${~words[1]}\n    local -a commands\n    if (( CURRENT "
             "== 2 )); then\n"
             "        commands=('help:what a command does and takes'",
             zsh_functions);
    zsh_describe(out, commands);
    text_add(out, "        _describe command commands\n        return\n    fi\n"
                  "    case $words[2] in\n"
                  "    help)\n        (( CURRENT == 3 )) || return\n        CURRENT=2\n"
                  "        _plumb ;;\n");
    for (const struct cli_command *const *c = commands; *c; c++)
        zsh_command(out, *c);
    text_add(out, "    esac\n}\n_plumb \"$@\"\n");
}
