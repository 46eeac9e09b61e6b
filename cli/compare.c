/* compare.c - plumb compare: two machines, or several engines, beside each other, and why they
 * differ. */
#include "base/mem.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/compare_why.h"
#include "cli/programs.h"
#include "cli/report.h"
#include "cli/table.h"
#include "machine/machine.h"
#include "sampler/calibrate.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = ENGINE_N };

struct side {
    char head[160];
    const struct machine *machine;
    enum engine engine;
    uint32_t n_sets; /* of the comparison's */
};

struct comparison {
    struct args args;
    struct machine first, second;
    const char **set; /* args.set, then args.vs */
    struct calibration calibration;
    struct side side[RUNS];
    struct outcome outcome[RUNS]; /* of the program under way */
    uint32_t n;                   /* sides */
    struct progress progress;
};

/* --- printing --- */

static void print_table(const struct comparison *c, struct text *out)
{
    struct column column[RUNS];
    bool machines = c->args.n_vs > 0;
    for (uint32_t i = 0; i < c->n; i++)
        column[i] = (struct column){.head = machines ? (i ? "B" : "A") : c->side[i].head,
                                    .m = &c->outcome[i].a.m};
    char corner[200];
    snprintf(corner, sizeof corner, "%s, %s", c->outcome[0].a.machine, c->outcome[0].a.program);
    table_metrics(out, corner, column, c->n, c->args.verbosity > 0, machines);
    for (uint32_t i = 0; i < c->n; i++) {
        struct text sure = {0};
        report_confidence(&sure, &c->outcome[i].a);
        if (sure.len) text_add(out, "  %s:%s", column[i].head, text_str(&sure));
        text_fini(&sure);
    }
    if (!machines) return;
    text_add(out, "\n  A: %s\n  B: %s\n", c->side[0].head, c->side[1].head);
    compare_say_why(out, &c->outcome[0].a, &c->outcome[1].a);
}

static void say_who(struct comparison *c)
{
    const struct args *a = &c->args;
    for (uint32_t i = 0; i < c->n; i++) {
        struct side *s = &c->side[i];
        size_t at = (size_t)snprintf(s->head, sizeof s->head, "%s",
                                     a->n_vs ? a->word[0] : engine_name[s->engine]);
        for (uint32_t k = 0; a->n_vs && k < s->n_sets && at < sizeof s->head; k++)
            at += (size_t)snprintf(s->head + at, sizeof s->head - at, " %s", c->set[k]);
    }
}

/* --- running --- */

static bool run_side(struct comparison *c, uint32_t i, const struct program *p)
{
    struct outcome *o = &c->outcome[i];
    const struct side *s = &c->side[i];
    return engine_run(s->engine, s->machine, p, c->args.cal ? &c->calibration : NULL, NULL,
                      &c->args.opts, &o->a, &o->e);
}

/* Two machines that read the same warps are sampled on the same intervals. */
static bool is_pair(const struct comparison *c)
{
    return c->args.n_vs > 0 && c->side[0].engine == ENGINE_SAMPLE &&
           c->first.sm.warp_width == c->second.sm.warp_width;
}

static bool run_pair(struct comparison *c, const struct program *p)
{
    struct outcome *o = c->outcome;
    o[0].ok = o[1].ok =
        engine_sample_pair(&c->first, &c->second, p, c->args.cal ? &c->calibration : NULL,
                           &c->args.opts, &o[0].a, &o[1].a, &o[0].e);
    return o[0].ok;
}

/* false: the side's error says why. */
static bool run_on(struct comparison *c, uint32_t i, const char *spec)
{
    struct outcome *o = &c->outcome[i];
    struct program_opts width = {.warp_width = c->side[i].machine->sm.warp_width};
    o->program = spec;
    if (i > 0 && is_pair(c)) return true; /* was run with the first */
    struct program *p = program_open(spec, &width, &o->e);
    if (p) o->ok = is_pair(c) ? run_pair(c, p) : run_side(c, i, p);
    if (p) program_close(p);
    return o->ok;
}

/* Fills every side's outcome; false: told, *status set. */
static bool run_program(struct comparison *c, const char *spec, int *status)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct outcome *o = &c->outcome[i];
        bool ok = run_on(c, i, spec);
        o->a.set = c->set;
        o->a.n_sets = c->side[i].n_sets;
        if (ok) {
            if (c->args.verbosity >= 0) cli_warn(spec, &o->a);
            continue;
        }
        cli_name_program(&o->e, spec);
        *status = cli_fail(&o->e);
        return false;
    }
    return true;
}

static void forget(struct comparison *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        answer_fini(&c->outcome[i].a);
        memset(&c->outcome[i], 0, sizeof c->outcome[i]);
    }
}

static int run_all(struct comparison *c, const struct programs *p, struct text *out)
{
    int worst = EXIT_OK;
    struct json j;
    json_init(&j, out);
    bool json = c->args.format == FORMAT_JSON;
    if (c->args.verbosity >= 0) cli_warn_cache();
    if (json) json_array(&j);
    for (uint32_t i = 0; i < p->n && !plumb_interrupted; i++) {
        int status = EXIT_OK;
        if (run_program(c, p->spec[i], &status) && !json) {
            if (out->len) text_add(out, "\n");
            print_table(c, out);
        }
        for (uint32_t k = 0; k < c->n && json && c->outcome[k].program; k++)
            report_outcome_json(&c->outcome[k], &j);
        forget(c);
        if (status > worst) worst = status;
    }
    if (json) json_end(&j);
    return plumb_interrupted ? EXIT_INTERRUPTED : worst;
}

/* The machine's reader calls every override --set; the user shall find the word that was written.
 */
static void say_vs(struct errors *all, const struct args *a)
{
    static const char set[] = "--set ";
    for (uint32_t i = 0; i < all->n; i++) {
        char *text = all->item[i].text;
        if (strncmp(text, set, sizeof set - 1) != 0) continue;
        for (uint32_t k = 0; k < a->n_vs; k++) {
            size_t len = strlen(a->vs[k]);
            char *word = text + sizeof set - 1;
            if (strncmp(word, a->vs[k], len) != 0 || word[len] != ':') continue;
            memmove(text + strlen("--vs "), word, strlen(word) + 1);
            memcpy(text, "--vs ", strlen("--vs "));
            break;
        }
    }
}

static bool load(struct comparison *c, int *status)
{
    struct args *a = &c->args;
    struct errors all = {0};
    struct error e = {0};
    bool ok = machine_load(&c->first, a->word[0], a->set, a->n_sets, &all);
    c->second = c->first;
    ok = ok && (a->n_vs == 0 || machine_set(&c->second, a->vs, a->n_vs, &all));
    say_vs(&all, a);
    ok = ok && cli_energy_table(&c->first, a->word[0], &all) &&
         cli_energy_table(&c->second, a->word[0], &all);
    if (!ok) *status = cli_fail_all(&all);
    errors_fini(&all);
    if (ok && a->cal && !cli_calibration(&c->calibration, a->cal, &c->first, &e)) {
        *status = cli_fail(&e);
        ok = false;
    }
    return ok;
}

static bool join_sets(struct comparison *c)
{
    const struct args *a = &c->args;
    c->set = mem_new((size_t)a->n_sets + a->n_vs + 1, sizeof *c->set);
    for (uint32_t k = 0; c->set && k < a->n_sets + a->n_vs; k++)
        c->set[k] = k < a->n_sets ? a->set[k] : a->vs[k - a->n_sets];
    return c->set != NULL;
}

static void take_sides(struct comparison *c)
{
    const struct args *a = &c->args;
    if (a->n_vs == 0) {
        c->n = a->n_engines;
        for (uint32_t i = 0; i < c->n; i++)
            c->side[i] = (struct side){.machine = &c->first, .engine = a->engine[i]};
    } else {
        enum engine e = a->n_engines ? a->engine[0] : ENGINE_ESTIMATE;
        c->n = 2;
        c->side[0] = (struct side){.machine = &c->first, .engine = e};
        c->side[1] = (struct side){.machine = &c->second, .engine = e};
    }
    for (uint32_t i = 0; i < c->n; i++)
        c->side[i].n_sets = a->n_sets + (i ? a->n_vs : 0);
    say_who(c);
}

static int compare(struct comparison *c)
{
    struct args *a = &c->args;
    struct programs programs = {0};
    struct error e = {0};
    struct text out = {0};
    int status = EXIT_OK;
    if (a->n_words < 2) return cli_usage("compare", "expected MACHINE and at least one PROGRAM");
    if (a->n_vs && a->n_engines > 1) return cli_usage("compare", "takes one --engine with --vs");
    if (a->n_vs == 0 && a->n_engines < 2)
        return cli_usage("compare", "expected --vs PATH=VALUE, or several engines after --engine");
    if (!cli_can_write(a->output)) return EXIT_RUN_FAILED;
    if (!load(c, &status)) return status;
    if (!join_sets(c)) {
        error_no_memory(&e);
        return cli_fail(&e);
    }
    take_sides(c);
    cli_progress(&c->progress, a->verbosity < 0);
    a->opts.progress = &c->progress;
    if (!programs_expand(&programs, a->word + 1, a->n_words - 1, &e)) {
        status = cli_fail(&e);
    } else {
        status = run_all(c, &programs, &out);
        int printed = out.len ? cli_output(&out, a->output) : EXIT_OK;
        if (status == EXIT_OK) status = printed;
    }
    programs_fini(&programs);
    text_fini(&out);
    return status;
}

static int run(const struct cli_command *row, int argc, char **argv)
{
    int status;
    struct comparison *c = mem_new(1, sizeof *c);
    if (!c) {
        struct error e = {0};
        error_no_memory(&e);
        return cli_fail(&e);
    }
    if (args_parse(&c->args, row, argc, argv, &status)) {
        status = compare(c);
        args_fini(&c->args);
        mem_free(c->set);
    }
    calibration_fini(&c->calibration);
    mem_free(c);
    return status;
}

static const struct cli_option options[] = {
    OPTION_SET("applies to all machines; may be repeated"),
    {.name = "vs",
     .value = "PATH=VALUE",
     .meaning = "applies to the second machine; may be repeated",
     .completes = COMPLETES_PARAMETER,
     .read = option_vs},
    OPTION_ENGINE("estimate (default), sample or simulate; several, with commas between, beside "
                  "each other on one machine"),
    OPTION_CAL("a calibration made by 'plumb calibrate'"),
    OPTION_KERNEL,
    OPTION_MAX_INSTRUCTIONS,
    OPTION_ERROR,
    OPTION_CONFIDENCE,
    OPTION_BUDGET,
    OPTION_JSON("instead of a table; exactly one document"),
    OPTION_STDOUT,
    OPTION_THREADS("at most so many threads (all processors)"),
    OPTION_SEED,
    OPTION_QUIET("no progress, no warnings"),
    OPTION_VERBOSE("every metric"),
};

const struct cli_command command_compare = {
    .name = "compare",
    .usage = "MACHINE PROGRAM... [--set PATH=VALUE]... --vs PATH=VALUE... [OPTION]...\n"
             "MACHINE PROGRAM... --engine estimate,sample,simulate [OPTION]...",
    .meaning = "two machines, and why they differ",
    .text = "Two machines beside each other, with the ratio and what changed most; or one machine "
            "as several engines see it.",
    .run = run,
    .first = COMPLETES_MACHINE,
    .others = COMPLETES_PROGRAM,
    CLI_OPTIONS(options),
};
