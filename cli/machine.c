/* machine.c - `plumb machine`: presets, effective configurations, the reference of parameters. */
#include "machine/machine.h"

#include "base/json.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/common.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char **sets;
    size_t n_sets;
    const char *output;
    bool json, markdown, help;
};

static const char help_all[] =
    "Usage: plumb machine list [--json]\n"
    "       plumb machine show MACHINE [--set PATH=VALUE]... [--json] [-o FILE]\n"
    "       plumb machine params [PREFIX] [--json | --markdown]\n"
    "       plumb machine check FILE...\n"
    "       plumb machine diff A B [--set PATH=VALUE]...\n\n"
    "list    presets, what they are, their bandwidth\n"
    "show    effective configuration and what follows from it\n"
    "params  reference of the parameters\n"
    "check   every fault of machine files\n"
    "diff    parameters in which two machines differ\n\n"
    "MACHINE is a file (it holds a / or ends in .cfg) or a preset's name.\n"
    "'plumb machine SUBCOMMAND --help' says more.\n";

static const char help_list[] =
    "Usage: plumb machine list [--json]\n\n"
    "The presets found in $PLUMB_CONFIG_PATH, the source tree (of a program that was not\n"
    "installed) and the installed data.\n";

static const char help_show[] =
    "Usage: plumb machine show MACHINE [--set PATH=VALUE]... [--json] [-o FILE]\n\n"
    "Prints the effective configuration as a file that loads again, then, as comments, what\n"
    "follows from it: bandwidth, capacities, latencies without contention.\n\n"
    "  --set PATH=VALUE   override a parameter (repeatable; the last one wins)\n"
    "  -o, --output FILE  instead of standard output\n"
    "  --json             one JSON object: machine, description, digest, parameters, derived\n";

static const char help_params[] =
    "Usage: plumb machine params [PREFIX] [--json | --markdown]\n\n"
    "The parameters whose path begins with PREFIX (all without one): default, unit, range or\n"
    "choices, meaning, when it may be set, source.  --markdown writes docs/parameters.md.\n";

static const char help_check[] =
    "Usage: plumb machine check FILE...\n\n"
    "Loads each machine and prints every fault as FILE:LINE: PATH: what is wrong; what is\n"
    "allowed.  Exit status 2 if there was one.\n";

static const char help_diff[] =
    "Usage: plumb machine diff A B [--set PATH=VALUE]...\n\n"
    "The parameters in which two machines differ; --set applies to B.\n";

/* Options go to *o, the rest stays in argv[optind..]; false: said to stderr. */
static bool parse_options(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        {"set", required_argument, NULL, 's'}, {"json", no_argument, NULL, 'j'},
        {"markdown", no_argument, NULL, 'm'},  {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},      {NULL, 0, NULL, 0}};
    *o = (struct options){.sets = mem_new((size_t)argc + 1, sizeof *o->sets)};
    opterr = 0;
    optind = 1;
    for (int c; o->sets && (c = getopt_long(argc, argv, "o:h", longs, NULL)) != -1;) {
        switch (c) {
        case 's': o->sets[o->n_sets++] = optarg; break;
        case 'j': o->json = true; break;
        case 'm': o->markdown = true; break;
        case 'o': o->output = optarg; break;
        case 'h': o->help = true; break;
        default: return cli_usage("machine", "%s: not understood", argv[optind - 1]), false;
        }
    }
    return o->sets != NULL;
}

static int print_to(struct text *t, const char *path)
{
    int status = cli_output(t, path);
    text_fini(t);
    return status;
}

static int print(struct text *t)
{
    return print_to(t, NULL);
}

static bool load(struct machine *m, const char *spec, const struct options *o)
{
    struct errors all = {0};
    bool ok =
        o ? machine_load(m, spec, o->sets, o->n_sets, &all) : machine_load(m, spec, NULL, 0, &all);
    if (!ok) cli_fail_all(&all);
    errors_fini(&all);
    return ok;
}

/* --- list ---------------------------------------------------------------------------------- */

static void list_row(const struct machine *m, const char *name, struct text *out)
{
    text_add(out, "%-17s %8.1f  %6.1f  %s\n", name, machine_derived_value(m, "peak_gbps"),
             machine_derived_value(m, "peak_bytes_per_cycle"), m->description);
}

static void list_json(const struct machine *m, const char *name, struct json *j)
{
    json_object(j);
    json_key(j, "machine");
    json_string(j, name);
    json_key(j, "description");
    json_string(j, m->description);
    json_key(j, "peak_gbps");
    json_number(j, machine_derived_value(m, "peak_gbps"));
    json_key(j, "peak_bytes_per_cycle");
    json_number(j, machine_derived_value(m, "peak_bytes_per_cycle"));
    json_end(j);
}

static int cmd_list(const struct options *o, int argc, char **argv)
{
    struct error e;
    struct text out = {0};
    struct json j;
    int status = EXIT_OK;
    if (argc > 0) return cli_usage("machine", "%s: list takes no machine", argv[0]);
    char **presets = machine_presets(&e);
    if (!presets) return cli_fail(&e);
    json_init(&j, &out);
    if (o->json)
        json_array(&j);
    else
        text_add(&out, "%-17s %8s  %6s  %s\n", "machine", "GB/s", "B/cyc", "description");
    for (char **p = presets; *p; p++) {
        struct machine m;
        if (!load(&m, *p, NULL))
            status = EXIT_INPUT;
        else if (o->json)
            list_json(&m, *p, &j);
        else
            list_row(&m, *p, &out);
    }
    if (o->json) json_end(&j);
    config_dirs_free(presets);
    int printed = print(&out);
    return status ? status : printed;
}

/* --- show ---------------------------------------------------------------------------------- */

static int cmd_show(const struct options *o, int argc, char **argv)
{
    struct machine m;
    struct text out = {0}, derived = {0};
    if (argc != 1) return cli_usage("machine", "show takes one machine");
    if (!load(&m, argv[0], o)) return EXIT_INPUT;
    if (o->json) {
        machine_json(&m, &out);
        return print_to(&out, o->output);
    }
    machine_dump(&m, &out);
    machine_derived(&m, &derived);
    text_add(&out, "\n# What follows from it:\n");
    for (const char *s = text_str(&derived); *s; s += strcspn(s, "\n") + 1)
        text_add(&out, "#   %.*s\n", (int)strcspn(s, "\n"), s);
    text_fini(&derived);
    return print_to(&out, o->output);
}

/* --- params, check ------------------------------------------------------------------------- */

static int cmd_params(const struct options *o, int argc, char **argv)
{
    struct text out = {0};
    const char *closest;
    const char *prefix = argc > 0 ? argv[0] : "";
    enum reference_format format = o->markdown ? REFERENCE_MARKDOWN
                                   : o->json   ? REFERENCE_JSON
                                               : REFERENCE_TEXT;
    if (argc > 1) return cli_usage("machine", "params takes one prefix");
    if (o->json && o->markdown)
        return cli_usage("machine", "--json and --markdown exclude each other");
    if (machine_reference(prefix, format, &out) > 0) return print(&out);
    text_fini(&out);
    machine_find_param(prefix, NULL, &closest);
    return cli_usage("machine", "no parameter begins with %s%s%s", prefix,
                     closest ? "; the closest is " : "", closest ? closest : "");
}

static bool has_tables(const struct machine *m, const char *spec)
{
    struct errors all = {0};
    bool ok = cli_energy_table(m, spec, &all);
    if (!ok) cli_fail_all(&all);
    errors_fini(&all);
    return ok;
}

static int cmd_check(const struct options *o, int argc, char **argv)
{
    int status = EXIT_OK;
    if (argc == 0) return cli_usage("machine", "check takes at least one file");
    for (int i = 0; i < argc; i++) {
        struct machine m;
        if (!load(&m, argv[i], o) || !has_tables(&m, argv[i]))
            status = EXIT_INPUT;
        else
            printf("%s: fine\n", argv[i]);
    }
    return status;
}

/* --- diff ---------------------------------------------------------------------------------- */

static void diff_row(const struct machine *a, const struct machine *b, const char *path,
                     struct text *out)
{
    struct text va = {0}, vb = {0};
    const struct param *p = machine_find_param(path, NULL, NULL);
    machine_get(a, path, &va);
    machine_get(b, path, &vb);
    /* A dumped machine holds all values itself and names no set that they came from. */
    bool unnamed = p && p->type == PARAM_FRAGMENT &&
                   (strcmp(text_str(&va), "\"\"") == 0 || strcmp(text_str(&vb), "\"\"") == 0);
    if (!unnamed && strcmp(text_str(&va), text_str(&vb)) != 0)
        text_add(out, "%-28s %-22s %s\n", path, text_str(&va), text_str(&vb));
    text_fini(&va);
    text_fini(&vb);
}

static int cmd_diff(const struct options *o, int argc, char **argv)
{
    struct machine a, b;
    struct text out = {0};
    uint32_t n;
    if (argc != 2) return cli_usage("machine", "diff takes two machines");
    bool loaded = load(&a, argv[0], NULL);
    if (!load(&b, argv[1], o) || !loaded) return EXIT_INPUT;
    char **paths = machine_paths(&n);
    for (uint32_t i = 0; paths && i < n; i++)
        diff_row(&a, &b, paths[i], &out);
    if (!paths) out.failed = true;
    mem_free(paths);
    return print(&out);
}

/* --- which --------------------------------------------------------------------------------- */

static const struct subcommand {
    const char *name, *help;
    int (*run)(const struct options *o, int argc, char **argv);
} subcommands[] = {
    {"list", help_list, cmd_list},       {"show", help_show, cmd_show},
    {"params", help_params, cmd_params}, {"check", help_check, cmd_check},
    {"diff", help_diff, cmd_diff},
};

static const struct subcommand *find_subcommand(const char *name)
{
    for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++)
        if (strcmp(subcommands[i].name, name) == 0) return &subcommands[i];
    return NULL;
}

static int run_subcommand(const struct subcommand *s, int argc, char **argv)
{
    struct options o;
    int status = EXIT_INPUT;
    if (parse_options(argc, argv, &o)) {
        if (o.output && s->run != cmd_show)
            status = cli_usage("machine", "%s does not take -o", s->name);
        else if (o.help)
            status = fputs(s->help, stdout) >= 0 ? EXIT_OK : EXIT_RUN_FAILED;
        else
            status = s->run(&o, argc - optind, argv + optind);
    }
    mem_free(o.sets);
    return status;
}

int cmd_machine(int argc, char **argv)
{
    const struct subcommand *s = argc > 1 ? find_subcommand(argv[1]) : NULL;
    if (s) return run_subcommand(s, argc - 1, argv + 1);
    if (argc < 2)
        return cli_usage("machine", "no subcommand; allowed: list, show, params, check, diff");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return fputs(help_all, stdout) >= 0 ? EXIT_OK : EXIT_RUN_FAILED;
    return cli_usage("machine", "%s: no such subcommand; allowed: list, show, params, check, diff",
                     argv[1]);
}
