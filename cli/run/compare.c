/* compare.c - plumb compare: prints two machines, or several engines, side by side, and explains
 * the difference. */
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/file_kinds.h"
#include "cli/parse/programs.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/run/anchors.h"
#include "cli/run/answer_print.h"
#include "cli/run/comparison.h"
#include "engine/difference.h"
#include "engine/program_opts.h"
#include "libplumb/handles.h"

#include <stdio.h>
#include <string.h>

static void say_who(struct comparison *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct side *s = &c->side[i];
        size_t at = (size_t)snprintf(s->head, sizeof s->head, "%s",
                                     c->machines ? s->spec : engine_name[s->engine]);
        for (uint32_t k = 0; c->machines && k < s->n_sets && at < sizeof s->head; k++)
            at += (size_t)snprintf(s->head + at, sizeof s->head - at, " %s", c->set[k]);
    }
}

/* --- running --- */

static bool run_side(struct comparison *c, uint32_t i, plumb_program *p)
{
    struct outcome *o = &c->outcome[i];
    const struct side *s = &c->side[i];
    return libplumb_run(s->engine, s->machine, p, c->args.cal, &c->args.opts, &o->a, &o->e);
}

/* Two machines are sampled on the same intervals if the second can run the first's. */
static bool is_pair(const struct comparison *c, const struct program *p)
{
    return c->machines && c->n == 2 && c->side[0].engine == ENGINE_SAMPLE &&
           program_suits_both(p, &c->machine[0]->m, &c->machine[1]->m) &&
           engine_shares(&c->machine[0]->m, &c->machine[1]->m, p);
}

static bool run_pair(struct comparison *c, const struct program *p)
{
    struct outcome *o = c->outcome;
    o[0].ok = o[1].ok = engine_sample_pair(&c->machine[0]->m, &c->machine[1]->m, p, &c->args.opts,
                                           &o[0].a, &o[1].a, &o[0].e);
    return o[0].ok;
}

/* false: the side's error says why. */
static bool run_on(struct comparison *c, uint32_t i, const char *spec)
{
    struct outcome *o = &c->outcome[i];
    o->program = spec;
    if (o->ok) return true; /* it was run together with the first */
    if (!file_kinds_is_program(spec, &o->e)) return false;
    plumb_program *p =
        libplumb_program_open(spec, c->side[i].machine, c->args.allow_unknown, &o->e);
    if (p) o->ok = i == 0 && is_pair(c, p->p) ? run_pair(c, p->p) : run_side(c, i, p);
    plumb_program_close(p);
    return o->ok;
}

/* Splits the second's difference from the first into parts, by estimates of one program. */
static bool explain_side(struct comparison *c, const char *spec, struct error *e)
{
    const struct machine *a = &c->machine[0]->m, *b = c->n == 2 ? &c->machine[1]->m : NULL;
    bool estimates = c->machines && b && c->side[0].engine == ENGINE_ESTIMATE;
    if (!estimates) return true;
    plumb_program *p = libplumb_program_open(spec, c->machine[0], c->args.allow_unknown, e);
    bool ok = p && (!program_suits_both(p->p, a, b) ||
                    difference_find(a, b, p->p, &c->args.opts, &c->outcome[1].a.difference, e));
    plumb_program_close(p);
    return ok;
}

static bool range_ratio(struct comparison *c, uint32_t i, const char *spec)
{
    struct outcome *o = &c->outcome[i];
    if (!c->machines || i == 0 || c->side[0].engine != ENGINE_ESTIMATE) return true;
    plumb_program *p = libplumb_program_open(spec, c->machine[0], c->args.allow_unknown, &o->e);
    bool ok = p && libplumb_ratio(c->machine[0], c->machine[i], p, c->args.cal, &c->args.opts,
                                  &c->outcome[0].a, &o->a, &o->e);
    plumb_program_close(p);
    return ok;
}

static void warn_of_sides(struct comparison *c, const char *spec)
{
    struct warned_side side[SIDES_MAX];
    for (uint32_t i = 0; i < c->n; i++)
        side[i] = (struct warned_side){c->side[i].head, &c->outcome[i].a};
    if (c->args.verbosity >= 0) cli_warn(&c->warnings, spec, side, c->n, c->args.verbosity > 0);
}

/* Fills every side's outcome; false: an error was printed, *status is set. */
static bool run_program(struct comparison *c, const char *spec, int *status)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct outcome *o = &c->outcome[i];
        bool ok = run_on(c, i, spec) && (i != 1 || explain_side(c, spec, &o->e)) &&
                  range_ratio(c, i, spec);
        o->a.set = c->set;
        o->a.n_sets = c->side[i].n_sets;
        if (ok) continue;
        cli_name_program(&o->e, spec);
        *status = cli_fail(&o->e);
        return false;
    }
    warn_of_sides(c, spec);
    return true;
}

static void forget_comparison(struct comparison *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        answer_fini(&c->outcome[i].a);
        memset(&c->outcome[i], 0, sizeof c->outcome[i]);
    }
}

/* Runs the program on the first machines, unless that is known: what-ifs are estimated from there.
 */
static bool make_anchors(struct comparison *c, const char *spec, int *status)
{
    struct outcome *first = &c->outcome[0];
    bool estimates = c->machines && c->side[0].engine == ENGINE_ESTIMATE;
    uint32_t n = !estimates ? 0 : c->anchors < c->n ? c->anchors : c->n;
    first->program = spec;
    if (anchors_make(&c->args, (const plumb_machine *const *)c->machine, n, spec, &first->e))
        return true;
    cli_name_program(&first->e, spec);
    *status = cli_fail(&first->e);
    return false;
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
        if (make_anchors(c, p->spec[i], &status) && run_program(c, p->spec[i], &status) && !json) {
            if (out->len) text_add(out, "\n");
            comparison_print(c, out);
        }
        for (uint32_t k = 0; k < c->n && json && c->outcome[k].program; k++)
            answer_print_outcome_json(&c->outcome[k], &j);
        forget_comparison(c);
        if (status > worst) worst = status;
    }
    cli_tell_warnings(&c->warnings);
    if (json) json_end(&j);
    return plumb_interrupted ? EXIT_INTERRUPTED : worst;
}

/* The machine's reader calls every override --set; this restores the option that the user wrote. */
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

static bool load_machines(struct comparison *c, struct errors *all)
{
    const struct args *a = &c->args;
    for (uint32_t i = 0; i < c->n; i++) {
        struct side *s = &c->side[i];
        if (i > 0 && !c->machines) {
            s->machine = c->machine[0];
            continue;
        }
        c->machine[i] = i > 0 && s->spec == a->word[0]
                            ? libplumb_machine_change(c->machine[0], a->vs, a->n_vs, all)
                            : libplumb_machine_open(s->spec, a->set, a->n_sets, all);
        s->machine = c->machine[i];
        if (!s->machine) return false;
    }
    return true;
}

static bool have_tables(struct comparison *c, struct errors *all)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (!cli_energy_table(&c->side[i].machine->m, c->side[i].spec, all)) return false;
    return true;
}

/* What is missed is said once. */
static bool load_calibrations(struct comparison *c, struct error *e)
{
    const struct calibration_set *set[SIDES_MAX] = {NULL};
    for (uint32_t i = 0; i < c->n; i++) {
        if (!c->args.cal && c->side[i].engine != ENGINE_ESTIMATE) continue;
        set[i] = libplumb_calibrations(c->side[i].machine, c->args.cal, e);
        if (!set[i]) return false;
        bool said = false;
        for (uint32_t k = 0; k < i; k++)
            said |= set[k] && strcmp(set[k]->missing, set[i]->missing) == 0;
        if (!said) cli_miss_calibrations(set[i], c->args.verbosity);
    }
    return true;
}

static bool load_comparison(struct comparison *c, int *status)
{
    struct errors all = {0};
    struct error e = {0};
    bool ok = load_machines(c, &all);
    say_vs(&all, &c->args);
    ok = ok && have_tables(c, &all);
    if (!ok) *status = cli_fail_all(&all);
    errors_fini(&all);
    if (ok && !load_calibrations(c, &e)) {
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

static void add_machine(struct comparison *c, const char *spec, uint32_t overrides)
{
    const struct args *a = &c->args;
    c->side[c->n] = (struct side){.spec = spec,
                                  .engine = a->n_engines ? a->engine[0] : ENGINE_ESTIMATE,
                                  .n_sets = a->n_sets + overrides};
    c->n++;
}

static void take_sides(struct comparison *c)
{
    const struct args *a = &c->args;
    c->machines = a->n_vs || a->n_with;
    if (c->machines) {
        add_machine(c, a->word[0], 0);
        if (a->n_vs) add_machine(c, a->word[0], a->n_vs);
        for (uint32_t i = 0; i < a->n_with; i++)
            add_machine(c, a->with[i], 0);
    } else {
        c->n = a->n_engines;
        for (uint32_t i = 0; i < c->n; i++)
            c->side[i] =
                (struct side){.spec = a->word[0], .engine = a->engine[i], .n_sets = a->n_sets};
    }
    say_who(c);
}

/* false: an error was printed. */
static bool check_words(const struct args *a)
{
    bool machines = a->n_vs || a->n_with;
    if (a->n_words < 2)
        cli_usage("compare", "expected MACHINE and at least one PROGRAM");
    else if (machines && a->n_engines > 1)
        cli_usage("compare", "takes one --engine with --vs and --with");
    else if (!machines && a->n_engines < 2)
        cli_offer("compare",
                  "with what? --with MACHINE, --engine estimate,simulate, or a parameter:",
                  "plumb compare %s %s --vs l2.bank_kb=512", a->word[0], a->word[1]);
    else if (a->n_with + (a->n_vs ? 2 : 1) > SIDES_MAX)
        cli_usage("compare", "at most %d machines stand beside each other", SIDES_MAX);
    else
        return true;
    return false;
}

static int compare_sides(struct args *a)
{
    struct comparison *c = (struct comparison *)a;
    struct programs programs = {0};
    struct error e = {0};
    struct text out = {0};
    int status = EXIT_OK;
    if (!check_words(a)) return EXIT_INPUT;
    if (!anchors_count(a, SIDES_MAX, &c->anchors)) return EXIT_INPUT;
    if (!cli_can_write(a->output)) return EXIT_RUN_FAILED;
    if (!join_sets(c)) {
        error_no_memory(&e);
        return cli_fail(&e);
    }
    take_sides(c);
    if (!load_comparison(c, &status)) return status;
    bar_progress(&c->progress, a->verbosity < 0);
    a->opts.progress = &c->progress;
    a->opts.causes = c->machines;
    if (!programs_expand(&programs, a->word + 1, a->n_words - 1, &e)) {
        status = cli_fail(&e);
    } else {
        status = run_all(c, &programs, &out);
        if (a->format == FORMAT_TABLE) terminal_fold(&out);
        /* the width of "traffic:" and its indentation */
        if (a->format == FORMAT_TABLE) terminal_hang(&out, 11);
        int printed = out.len ? cli_output(&out, a->output) : EXIT_OK;
        if (status == EXIT_OK) status = printed;
    }
    programs_fini(&programs);
    text_fini(&out);
    return status;
}

static void free_comparison(struct args *a)
{
    struct comparison *c = (struct comparison *)a;
    mem_free(c->set);
    for (uint32_t i = 0; i < SIDES_MAX; i++)
        plumb_machine_close(c->machine[i]);
}

static const struct cli_option options[] = {
    OPTION_SET("applies to all machines; may be repeated"),
    OPTION_P,
    OPTION_ALLOW_UNKNOWN,
    {.name = "vs",
     .value = "PATH=VALUE",
     .meaning = "applies to the second machine; may be repeated",
     .completes = COMPLETES_PARAMETER,
     .read = option_vs},
    {.name = "with",
     .value = "MACHINE",
     .meaning = "another machine, a preset or a file, beside the first; may be repeated",
     .completes = COMPLETES_MACHINE,
     .read = option_with},
    OPTION_ENGINE("estimate (default), sample or simulate; several, with commas between, beside "
                  "each other on one machine"),
    OPTION_CAL("a calibration made by 'plumb calibrate' instead of those that come with plumb; "
               "none: no calibration; with '--bank none' no correction at all"),
    OPTION_BANK(BANK_OF_RUNS),
    OPTION_ANCHOR,
    OPTION_KERNEL,
    OPTION_MAX_INSTRUCTIONS,
    OPTION_EXACT_PROFILE,
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
             "MACHINE PROGRAM... [--set PATH=VALUE]... --with MACHINE... [OPTION]...\n"
             "MACHINE PROGRAM... --engine estimate,sample,simulate [OPTION]...",
    .meaning = "two machines or more, and why they differ",
    .text =
        "Shows machines beside each other; for two of them also how much faster one is, and why.  "
        "With several engines it shows one machine as each of them sees it.  Each program has a "
        "table of its own.",
    .run = compare_sides,
    .size = sizeof(struct comparison),
    .fini = free_comparison,
    .first = COMPLETES_MACHINE,
    .others = COMPLETES_PROGRAM,
    CLI_OPTIONS(options),
};
