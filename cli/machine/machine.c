/* machine.c - `plumb machine`: prints presets, effective configurations and the reference of
 * parameters. */
#include "base/text/text.h"
#include "gpu/machine/load/evidence.h"

#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/json.h"
#include "cli/command/cli.h"
#include "cli/machine/machine_check.h"
#include "cli/machine/machine_import.h"
#include "cli/machine/machine_new.h"
#include "cli/parse/args.h"
#include "cli/parse/file_kinds.h"
#include "cli/print/output.h"
#include "cli/print/paper_list.h"
#include "cli/print/terminal.h"
#include "gpu/mechanisms/mechanisms.h"

#include <stdio.h>
#include <string.h>

struct machine_options {
    struct args args;
    bool markdown;
};

static bool wants_json(const struct machine_options *o)
{
    return o->args.format == FORMAT_JSON;
}

static int print_to(struct text *t, const char *path)
{
    int status = cli_output(t, path);
    text_fini(t);
    return status;
}

static int print_text(struct text *t)
{
    return print_to(t, NULL);
}

static bool load_machine(struct machine *m, const char *spec, const struct machine_options *o)
{
    struct errors all = {0};
    bool ok = o ? machine_load(m, spec, o->args.set, o->args.n_sets, &all)
                : machine_load(m, spec, NULL, 0, &all);
    if (!ok) cli_fail_all(&all);
    errors_fini(&all);
    return ok;
}

/* --- list ------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {[MACHINE_OF_PAPER] = "paper",
                                         [MACHINE_SHEET] = "sheet",
                                         [MACHINE_CARD] = "card",
                                         [MACHINE_CARD_MEASURED] = "curves"};

static void list_row(const struct machine *m, const struct machine_evidence *ev, const char *name,
                     struct text *out)
{
    text_add_shown(out, "%-17s %8.1f  %6.1f  %-6s  %s\n", name,
                   machine_derived_value(m, "peak_gbps"),
                   machine_derived_value(m, "peak_bytes_per_cycle"),
                   kind_names[machine_evidence_kind(ev)], m->description);
}

/* paper: NULL for a machine of none. */
static void list_json(const struct machine *m, const struct machine_evidence *ev, const char *name,
                      const char *paper, struct json *j)
{
    json_object(j);
    json_string(json_key(j, "machine"), name);
    json_string(json_key(j, "description"), m->description);
    json_string(json_key(j, "is"), kind_names[machine_evidence_kind(ev)]);
    json_number(json_key(j, "peak_gbps"), machine_derived_value(m, "peak_gbps"));
    json_number(json_key(j, "peak_bytes_per_cycle"),
                machine_derived_value(m, "peak_bytes_per_cycle"));
    if (paper) json_string(json_key(j, "paper"), paper);
    json_end(j);
}

/* Adds the preset to the list, or to the JSON if there is one. false: it does not load. */
static bool list_preset(const char *name, struct args *args, struct paper_list *list,
                        struct json *j)
{
    struct machine m;
    struct machine_evidence ev = {0};
    struct text relative = {0};
    text_add(&relative, "gpus/%s.cfg", name);
    char *path = relative.failed ? NULL : paths_config(text_str(&relative));
    bool ok = machine_check_loads(&m, &ev, name, args);
    if (ok && j)
        list_json(&m, &ev, name, paper_list_heading(list, path), j);
    else if (ok)
        list_row(&m, &ev, name, paper_list_rows(list, path));
    machine_evidence_fini(&ev);
    mem_free(path);
    text_fini(&relative);
    return ok;
}

static int run_list(struct args *args)
{
    const struct machine_options *o = (const struct machine_options *)args;
    struct error e;
    struct text out = {0};
    struct paper_list list;
    struct json j;
    bool as_json = wants_json(o), ok = true;
    if (args->n_words > 0)
        return cli_offer("machine list", "lists all machines; for one:", "plumb machine show %s",
                         args->word[0]);
    char **presets = machine_presets(&e);
    if (!presets || !paper_list_init(&list, &e)) {
        machine_config_dirs_free(presets);
        return cli_fail(&e);
    }
    json_init(&j, &out);
    if (as_json)
        json_array(&j);
    else
        text_add_shown(&out, "%-17s %8s %7s  %-6s  %s\n", "machine", "GB/s", "B/cycle", "is",
                       "description");
    for (char **p = presets; *p; p++)
        ok &= list_preset(*p, args, &list, as_json ? &j : NULL);
    if (as_json) json_end(&j);
    paper_list_print(&list, &out);
    paper_list_fini(&list);
    machine_config_dirs_free(presets);
    if (!as_json) terminal_hang(&out, 44);
    int printed = print_text(&out);
    return ok ? printed : EXIT_INPUT;
}

/* --- show ------------------------------------------------------------------------------------- */

static int run_show(struct args *args)
{
    const struct machine_options *o = (const struct machine_options *)args;
    struct machine m;
    struct machine_evidence ev;
    struct text out = {0};
    if (args->n_words != 1) return cli_usage("machine show", "show takes one machine");
    if (!machine_check_loads(&m, &ev, args->word[0], args)) return EXIT_INPUT;
    if (wants_json(o))
        machine_json_evidence(&m, &ev, &out);
    else {
        if (args->n_sets) m.name[0] = '\0'; /* another machine, which its file names */
        machine_dump_evidence(&m, &ev, &out);
    }
    machine_evidence_fini(&ev);
    if (wants_json(o)) return print_to(&out, o->args.output);
    text_add(&out, "\n# What follows from it:\n");
    machine_figures(&m, "#   ", &out);
    if (!o->args.output) terminal_comments(&out);
    return print_to(&out, o->args.output);
}

/* --- params ----------------------------------------------------------------------------------- */

static int run_params(struct args *args)
{
    const struct machine_options *o = (const struct machine_options *)args;
    struct text out = {0};
    const char *word = args->n_words > 0 ? args->word[0] : "";
    enum reference_format format = o->markdown     ? REFERENCE_MARKDOWN
                                   : wants_json(o) ? REFERENCE_JSON
                                                   : REFERENCE_TEXT;
    if (args->n_words > 1) return cli_usage("machine params", "one WORD at most");
    if (wants_json(o) && o->markdown)
        return cli_usage("machine params", "--json and --markdown exclude each other");
    uint32_t found = machine_reference(word, format, &out);
    if (format == REFERENCE_TEXT) terminal_hang(&out, 23);
    if (found > 0) return print_text(&out);
    text_fini(&out);
    machine_suggest_param(&out, word);
    cli_usage("machine params", "no parameter has %s in its path or meaning; %s", word,
              text_str(&out));
    text_fini(&out);
    return EXIT_INPUT;
}

/* --- mechanisms ------------------------------------------------------------------------------- */

static void mechanism_row(const struct mechanism *row, struct text *out)
{
    text_add_shown(out, "%s\n    %s\n    parameters: %s\n", row->name, row->what, row->params);
    if (row->on) text_add_shown(out, "    on with %s\n", row->on);
    if (row->functional.lacks)
        text_add_shown(out, "    not in warm states: %s\n", row->functional.lacks);
    if (row->estimator.lacks)
        text_add_shown(out, "    not in estimates: %s\n", row->estimator.lacks);
    if (row->energy.lacks) text_add_shown(out, "    not in energy: %s\n", row->energy.lacks);
}

static int run_mechanisms(struct args *args)
{
    const struct machine_options *o = (const struct machine_options *)args;
    struct text out = {0};
    struct machine m;
    bool of_machine = args->n_words > 0;
    if (args->n_words > 1 || (of_machine && o->markdown))
        return cli_usage("machine mechanisms", "it takes one machine, or --markdown");
    if (of_machine && !load_machine(&m, args->word[0], o)) return EXIT_INPUT;
    struct mechanism_set on = {0};
    if (of_machine) on = machine_mechanisms(&m);
    if (o->markdown) mechanisms_markdown(&out);
    for (uint32_t i = 0; i < MECHANISM_N && !o->markdown; i++) {
        const struct mechanism *row = &mechanisms[i];
        if (!row->group && (!of_machine || on.has[i])) mechanism_row(row, &out);
    }
    if (!o->markdown) terminal_hang(&out, 4);
    return print_text(&out);
}

/* --- diff ------------------------------------------------------------------------------------- */

static void diff_row(const struct machine *a, const struct machine *b, const char *path,
                     struct text *out)
{
    struct text va = {0}, vb = {0};
    const struct param *p = machine_find_param(path, NULL, NULL);
    machine_get(a, path, &va);
    machine_get(b, path, &vb);
    /* A dumped machine contains all values itself and names no set that they came from. */
    bool unnamed = p && p->type == PARAM_FRAGMENT &&
                   (strcmp(text_str(&va), "\"\"") == 0 || strcmp(text_str(&vb), "\"\"") == 0);
    if (!unnamed && strcmp(text_str(&va), text_str(&vb)) != 0)
        text_add_shown(out, "%-28s %-22s %s\n", path, text_str(&va), text_str(&vb));
    text_fini(&va);
    text_fini(&vb);
}

static int run_diff(struct args *args)
{
    const struct machine_options *o = (const struct machine_options *)args;
    struct machine a, b;
    struct text out = {0};
    uint32_t parameters;
    if (args->n_words != 2) return cli_usage("machine diff", "diff takes two machines");
    bool first = file_kinds_is_machine("machine diff", args->word[0]) &&
                 load_machine(&a, args->word[0], NULL);
    bool second =
        file_kinds_is_machine("machine diff", args->word[1]) && load_machine(&b, args->word[1], o);
    if (!first || !second) return EXIT_INPUT;
    char **paths = machine_paths(&parameters);
    for (uint32_t i = 0; paths && i < parameters; i++)
        diff_row(&a, &b, paths[i], &out);
    if (!paths) out.failed = true;
    if (!out.len) text_add(&out, "no difference\n");
    mem_free(paths);
    terminal_hang(&out, 29);
    return print_text(&out);
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct cli_option list_options[] = {
    OPTION_JSON("an array of objects: machine, description, what it is, peak bandwidth"),
};
static const struct cli_option show_options[] = {
    OPTION_SET("override a parameter; may be repeated, the last one wins"),
    OPTION_STDOUT,
    OPTION_JSON("one JSON object: machine, description, digest, parameters, evidence, derived"),
};
static const struct cli_option params_options[] = {
    OPTION_JSON("an array of objects, one for each parameter"),
    OPTION_FLAG("markdown", offsetof(struct machine_options, markdown), "as docs/parameters.md"),
};
static const struct cli_option mechanisms_options[] = {
    OPTION_SET("override a parameter of the machine; may be repeated"),
    OPTION_FLAG("markdown", offsetof(struct machine_options, markdown),
                "as docs/models/mechanisms.md"),
};
static const struct cli_option check_options[] = {
    OPTION_SET("override a parameter of each machine; may be repeated"),
    OPTION_JSON("an array of objects: file, machine, warnings, derived, implausible"),
};
static const struct cli_option diff_options[] = {
    OPTION_SET("override a parameter of B; may be repeated"),
};

static const struct cli_command
    command_list =
        {.name = "machine list",
         .usage = "[--json]",
         .meaning = "presets, what they are, their bandwidth",
         .text = "The presets found in $PLUMB_CONFIG_PATH, the source tree (of a program "
                 "that was not installed) and the installed data.  \"curves\" marks a real "
                 "card with measured curves to hold it against, \"card\" one without, "
                 "\"sheet\" a card from its data sheet, "
                 "\"paper\" a machine that a paper or a simulator describes.  Machines that only "
                 "reproduce a paper come last, under its name.",
         .run = run_list,
         .size = sizeof(struct machine_options),
         CLI_OPTIONS(list_options)},
    command_show = {.name = "machine show",
                    .usage = "MACHINE [--set PATH=VALUE]... [--json] [-o FILE]",
                    .meaning = "effective configuration and what follows from it",
                    .text = "Prints the effective configuration as a file that loads again, then, "
                            "as comments, what follows from it: bandwidth, capacities, latencies "
                            "without contention.  Of a real card, each value has its grade of "
                            "evidence and the number of its source, all of which stand at the end.",
                    .run = run_show,
                    .size = sizeof(struct machine_options),
                    .first = COMPLETES_MACHINE,
                    CLI_OPTIONS(show_options)},
    command_params =
        {.name = "machine params",
         .usage = "[WORD] [--json | --markdown]",
         .meaning = "reference of the parameters",
         .text =
             "The parameters whose path begins with WORD (all without one); where none does, those "
             "with WORD in their path or meaning.  Of each: "
             "default, unit, range or choices, meaning, when it may be set, "
             "source.",
         .run = run_params,
         .size = sizeof(struct machine_options),
         .first = COMPLETES_PARAMETER,
         CLI_OPTIONS(params_options)},
    command_mechanisms = {.name = "machine mechanisms",
                          .usage = "[MACHINE] [--set PATH=VALUE]... | --markdown",
                          .meaning = "the mechanisms of a machine, and what each engine models",
                          .text = "The mechanisms that work in MACHINE (all without one): what "
                                  "they do, their parameters, and what warm states, estimates and "
                                  "energies leave out.",
                          .run = run_mechanisms,
                          .size = sizeof(struct machine_options),
                          .first = COMPLETES_MACHINE,
                          CLI_OPTIONS(mechanisms_options)},
    command_check = {.name = "machine check",
                     .usage = "FILE... [--set PATH=VALUE]... [--json]",
                     .meaning = "every fault of machine files, and what follows from them",
                     .text =
                         "Loads each machine and prints every fault as FILE:LINE: PATH: what is "
                         "wrong; what is allowed.  Exit status 2 if there was one.  Of a machine "
                         "that loads it prints what follows from it, as 'machine show' does, and "
                         "warns of what no DRAM of its kind does, of evidence that is inherited, "
                         "and of a base whose values have changed.",
                     .run = machine_check_run,
                     .size = sizeof(struct machine_options),
                     .first = COMPLETES_MACHINE,
                     .others = COMPLETES_MACHINE,
                     CLI_OPTIONS(check_options)},
    command_diff = {.name = "machine diff",
                    .usage = "A B [--set PATH=VALUE]...",
                    .meaning = "parameters in which two machines differ",
                    .text = "The parameters in which two machines differ.",
                    .run = run_diff,
                    .size = sizeof(struct machine_options),
                    .first = COMPLETES_MACHINE,
                    .others = COMPLETES_MACHINE,
                    CLI_OPTIONS(diff_options)};

static const struct cli_command *const subcommands[] = {&command_list,
                                                        &command_show,
                                                        &command_params,
                                                        &command_mechanisms,
                                                        &command_check,
                                                        &command_diff,
                                                        &command_machine_probe,
                                                        &command_machine_fit,
                                                        &command_machine_new,
                                                        &command_machine_import,
                                                        NULL};

const struct cli_command command_machine = {
    .name = "machine",
    .usage = "list|show|params|mechanisms|check|diff|probe|fit|new|import ...",
    .meaning = "machines and their parameters",
    .text = "MACHINE is a file (it holds a / or ends in .cfg) or a preset's name.",
    .sub = subcommands,
};
