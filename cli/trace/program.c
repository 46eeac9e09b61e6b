/* program.c - `plumb program`: lists the programs that come with plumb, and what can be set of one.
 */
#include "trace/program/program.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/paper_list.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "engine/program_opts.h"
#include "gpu/machine/machine.h"
#include "trace/program/catalog.h"
#include "trace/suite/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct listed {
    const char *name, *kind;
    char *path;                      /* of a suite: its file */
    char note[200];                  /* one line of description */
    uint64_t launches, instructions; /* 0: unknown without reading the program */
};

/* --- descriptions of programs --- */

/* The first sentence of a line, or as many of its words as there are, with an ellipsis. */
static void first_sentence(const char *line, char *out, size_t size)
{
    enum { ELLIPSIS = 4 };
    size_t n = strcspn(line, "\n"), most = size - ELLIPSIS;
    const char *end = strstr(line, ". ");
    if (end && (size_t)(end - line) < n) n = (size_t)(end - line) + 1;
    bool whole = n <= most && n > 0 && line[n - 1] == '.';
    if (n > most)
        for (n = most; n > 0 && line[n] != ' ';)
            n--;
    while (!whole && n > 0 && strchr(" ,;:", line[n - 1]))
        n--;
    snprintf(out, size, "%.*s%s", (int)n, line, whole || n == 0 ? "" : " ...");
}

/* Reads the first comment line of a generator's file. */
static void read_first_comment(const char *path, char *out, size_t size)
{
    char *text = NULL;
    size_t n;
    out[0] = '\0';
    if (!file_read(path, &text, &n, &(struct error){0})) return;
    const char *line = text[0] == '#' ? text + 1 + strspn(text + 1, "# ") : "";
    first_sentence(line, out, size);
    mem_free(text);
}

static void describe_trace(struct listed *l, const char *path)
{
    struct program *p = program_open(path, NULL, &(struct error){0});
    l->kind = "capture";
    if (!p) return;
    snprintf(l->note, sizeof l->note, "%.*s", (int)strcspn(program_note(p), "\n"), program_note(p));
    l->launches = program_launches(p);
    for (uint32_t i = 0; i < program_launches(p); i++)
        l->instructions += program_launch(p, i)->warp_instructions;
    program_close(p);
}

static bool is_layer(const char *path)
{
    struct conf *c = conf_load(path, NULL, &(struct error){0});
    bool is = c && conf_find(conf_root(c), "layer");
    if (c) conf_free(c);
    return is;
}

static void describe_program(struct listed *l, const char *name)
{
    char *path = catalog_find(name);
    size_t n = path ? strlen(path) : 0;
    *l = (struct listed){.name = name, .kind = "Accel-Sim", .path = path};
    snprintf(l->note, sizeof l->note, "trace of a CUDA program");
    if (n > 4 && strcmp(path + n - 4, ".plt") == 0) describe_trace(l, path);
    if (n > 4 && strcmp(path + n - 4, ".cfg") == 0) {
        l->kind = is_layer(path) ? "layer" : "generator";
        read_first_comment(path, l->note, sizeof l->note);
    }
}

static void describe_suite(struct listed *l, const char *spec)
{
    struct suite s;
    struct errors all = {0};
    *l = (struct listed){.name = spec, .kind = "suite"};
    if (suite_load(&s, spec, &all)) {
        l->path = mem_strdup(s.config);
        snprintf(l->note, sizeof l->note, "%u %s: %s", s.n, text_noun(s.n, "program", "programs"),
                 s.description);
        suite_fini(&s);
    }
    errors_fini(&all);
}

/* --- printing --- */

enum { NOTE_COLUMN = 47, PARAMETER_COLUMN = 57 };

static void add_row(struct text *out, const struct listed *l)
{
    char count[NUMBER_MAX] = "-";
    if (l->instructions) table_number_text((double)l->instructions, "", count);
    text_add_shown(out, "%-21s %-9s %12s  %s\n", l->name, l->kind, count, l->note);
}

/* paper: NULL for a program of none. */
static void add_json(struct json *j, const struct listed *l, const char *paper)
{
    json_object(j);
    json_string(json_key(j, "program"), l->name);
    json_string(json_key(j, "kind"), l->kind);
    if (l->path && !suite_is(l->name)) json_string(json_key(j, "path"), l->path);
    if (*l->note) json_string(json_key(j, "note"), l->note);
    if (l->launches) json_number(json_key(j, "launches"), (double)l->launches);
    if (l->instructions) json_number(json_key(j, "warp_instructions"), (double)l->instructions);
    if (paper) json_string(json_key(j, "paper"), paper);
    json_end(j);
}

/* Adds it to the list, or to the JSON if there is one. */
static void add_program(struct paper_list *list, struct json *j, struct listed *l)
{
    if (j)
        add_json(j, l, paper_list_heading(list, l->path));
    else
        add_row(paper_list_rows(list, l->path), l);
    mem_free(l->path);
}

static bool list_suites(struct paper_list *list, struct json *j, struct error *e)
{
    char **suites = machine_config_names("workloads/suites", e);
    for (char **s = suites; s && *s; s++) {
        struct listed l;
        char spec[256];
        snprintf(spec, sizeof spec, "suite:%s", *s);
        describe_suite(&l, spec);
        add_program(list, j, &l);
    }
    if (suites) machine_config_dirs_free(suites);
    return suites != NULL;
}

static int list_programs(bool as_json)
{
    struct name_list names;
    struct error e = {0};
    struct text out = {0};
    struct paper_list list;
    struct json j;
    if (!paper_list_init(&list, &e)) return cli_fail(&e);
    if (!catalog_names(&names, &e)) {
        paper_list_fini(&list);
        return cli_fail(&e);
    }
    json_init(&j, &out);
    if (as_json)
        json_array(&j);
    else
        text_add_shown(&out, "%-21s %-9s %12s  %s\n", "program", "kind", "instructions",
                       "what it is");
    for (size_t i = 0; i < names.n; i++) {
        struct listed l;
        describe_program(&l, names.item[i]);
        add_program(&list, as_json ? &j : NULL, &l);
    }
    bool ok = list_suites(&list, as_json ? &j : NULL, &e);
    paper_list_print(&list, &out);
    paper_list_fini(&list);
    if (as_json)
        json_end(&j);
    else
        terminal_hang(&out, NOTE_COLUMN);
    int status = ok ? cli_output(&out, NULL) : cli_fail(&e);
    name_list_fini(&names);
    text_fini(&out);
    return status;
}

static int run_list(struct args *a)
{
    if (a->n_words)
        return cli_offer(a->command, "lists all programs; for one:", "plumb program show %s",
                         a->word[0]);
    return list_programs(a->format == FORMAT_JSON);
}

static const struct cli_option list_options[] = {
    OPTION_JSON("an array of objects: program, kind, path, note, launches, warp_instructions"),
};

static const struct cli_command command_list = {
    .name = "program list",
    .usage = "[--json]",
    .meaning = "the programs and suites, by name",
    .text =
        "The programs and suites that come with plumb, by the names that every command takes.  "
        "A suite stands for all its programs.  What only reproduces a paper comes last, under the "
        "paper's name.  Programs of your own: 'plumb trace --help'.",
    .run = run_list,
    CLI_OPTIONS(list_options),
};

/* --- one program --- */

static void add_parameter(struct text *out, struct json *j, const struct program_parameter *x)
{
    if (!j) {
        text_add_shown(out, "%-16s %-12s %-26s %s\n", x->name, x->value, x->allowed, x->meaning);
        return;
    }
    json_object(j);
    json_string(json_key(j, "name"), x->name);
    json_string(json_key(j, "value"), x->value);
    if (*x->allowed) json_string(json_key(j, "allowed"), x->allowed);
    if (*x->meaning) json_string(json_key(j, "meaning"), x->meaning);
    json_end(j);
}

static void show_program(struct text *out, struct json *j, const struct program *p)
{
    struct program_parameter x;
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        instructions += program_launch(p, i)->warp_instructions;
    if (j) {
        json_object(j);
        json_string(json_key(j, "program"), program_name(p));
        json_string(json_key(j, "made_from"), program_note(p));
        json_number(json_key(j, "launches"), program_launches(p));
        json_number(json_key(j, "warp_instructions"), (double)instructions);
        json_array(json_key(j, "parameters"));
    } else {
        text_add_shown(out, "%s: %u %s, %" PRIu64 " warp instructions; %s\n", program_name(p),
                       program_launches(p), text_noun(program_launches(p), "launch", "launches"),
                       instructions,
                       program_parameter_at(p, 0, &x) ? "--p NAME=VALUE sets" : "no parameters");
    }
    for (uint32_t i = 0; program_parameter_at(p, i, &x); i++)
        add_parameter(out, j, &x);
    if (j) json_end(j), json_end(j);
}

static int run_show(struct args *a)
{
    struct error e = {0};
    struct text out = {0};
    struct json j;
    struct errors all = {0};
    struct machine m;
    bool loaded = !a->machine || machine_load(&m, a->machine, NULL, 0, &all);
    int failed = loaded ? EXIT_OK : cli_fail_all(&all);
    errors_fini(&all);
    if (!loaded) return failed;
    struct program_opts opts = a->machine ? program_opts_of(&m, false) : (struct program_opts){0};
    struct program *p = program_open(a->word[0], &opts, &e);
    if (!p) return cli_fail(&e);
    json_init(&j, &out);
    show_program(&out, a->format == FORMAT_JSON ? &j : NULL, p);
    if (a->format != FORMAT_JSON) terminal_hang(&out, PARAMETER_COLUMN);
    int status = cli_output(&out, NULL);
    text_fini(&out);
    program_close(p);
    return status;
}

static const struct cli_option show_options[] = {
    OPTION_P,
    {.name = "machine",
     .value = "MACHINE",
     .meaning = "a preset or a file for which ml/gemm chooses its tiles",
     .completes = COMPLETES_MACHINE,
     .read = option_text,
     .at = ARG(machine)},
    OPTION_JSON("an object: program, made_from, launches, warp_instructions, parameters"),
};

static const struct cli_command command_show = {
    .name = "program show",
    .usage = "PROGRAM [OPTION]...",
    .meaning = "a program's parameters",
    .text = "The parameters of a generator or a layer: name, value, what is allowed, meaning.  "
            "What a program does with memory: 'plumb trace info'.",
    .run = run_show,
    .words = 1,
    .first = COMPLETES_PROGRAM,
    CLI_OPTIONS(show_options),
};

static const struct cli_command *const subcommands[] = {&command_list, &command_show, NULL};

const struct cli_command command_program = {
    .name = "program",
    .usage = "list [--json]\nshow PROGRAM [OPTION]...",
    .meaning = "the programs that come with plumb",
    .sub = subcommands,
};
