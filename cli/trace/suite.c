/* suite.c - plumb trace suite: lists the suites and their captures, and captures them. */
#include "trace/suite/suite.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "cli/trace/suite_capture.h"
#include "gpu/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct suite_options {
    struct args args;
    const char *dir;
    const char *name; /* NULL: all suites */
    bool list, force, accept;
};

static bool wants_json(const struct suite_options *o)
{
    return o->args.format == FORMAT_JSON;
}

static int64_t stored_bytes(const struct suite_entry *t)
{
    struct stat st;
    return stat(t->path, &st) == 0 ? (int64_t)st.st_size : 0;
}

static const char *state_text(const struct suite_entry *t)
{
    switch (suite_state(t, NULL)) {
    case SUITE_READY: return t->file ? "bundled" : "captured";
    case SUITE_MISSING: return "missing";
    case SUITE_OTHER: return "other digest";
    }
    return "";
}

/* --- one suite --- */

static const char *text_or_null(const char *s)
{
    return s && *s ? s : NULL;
}

/* A number that is not recorded is 0. */
static void count_row(struct rows *r, const char *key, const char *head, int64_t v)
{
    rows_number(r, key, head, "", v > 0 ? (double)v : (double)NAN);
}

static void entry_rows(struct rows *r, const struct suite_entry *t)
{
    rows_item(r);
    rows_text(r, "program", "program", text_or_null(t->name));
    rows_text(r, "path", NULL, text_or_null(t->path));
    rows_text(r, "capture", NULL, text_or_null(t->capture));
    rows_text(r, "options", NULL, text_or_null(t->options));
    rows_text(r, "class", "class", text_or_null(t->class));
    rows_text(r, "why", NULL, text_or_null(t->why));
    rows_text(r, "state", NULL, state_text(t));
    rows_text(r, "digest", NULL, text_or_null(t->digest_hex));
    count_row(r, "warp_instructions", "warp instructions", t->instructions);
    count_row(r, "footprint_kb", "footprint KB", t->footprint_kb);
    count_row(r, "bytes", "bytes", stored_bytes(t));
    rows_text(r, NULL, "state", state_text(t));
    rows_end(r);
}

static void list_text(const struct suite *s, struct text *out)
{
    struct rows r = {.unknown = ""};
    text_add_shown(out, "%s%s%s%s\n%s\n\n", s->name, *s->machine ? ", for " : "", s->machine,
                   *s->description ? ":" : "", s->description);
    for (uint32_t i = 0; i < s->n; i++)
        entry_rows(&r, &s->entry[i]);
    table_rows(out, &r);
    text_add(out, "\n");
    for (uint32_t i = 0; i < s->n; i++)
        if (*s->entry[i].why)
            text_add_shown(out, "%s: %s (%s)\n", s->entry[i].name, s->entry[i].why,
                           s->entry[i].capture ? s->entry[i].capture : s->entry[i].file);
}

static void suite_json(struct rows *r, const struct suite *s)
{
    rows_item(r);
    rows_text(r, "suite", NULL, text_or_null(s->name));
    rows_text(r, "description", NULL, text_or_null(s->description));
    rows_text(r, "machine", NULL, text_or_null(s->machine));
    rows_text(r, "file", NULL, text_or_null(s->config));
    rows_list(r, "programs");
    for (uint32_t i = 0; i < s->n; i++)
        entry_rows(r, &s->entry[i]);
    rows_end(r);
    rows_end(r);
}

static int list_one(const struct suite_options *o, const struct suite *s)
{
    struct text out = {0};
    struct json j;
    json_init(&j, &out);
    if (wants_json(o))
        suite_json(&(struct rows){.json = &j}, s);
    else
        list_text(s, &out);
    if (!wants_json(o)) terminal_fold(&out);
    if (wants_json(o)) text_add(&out, "\n");
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

/* --- all suites --- */

static void summary_rows(struct rows *r, const struct suite *s)
{
    int64_t instructions = 0, bytes = 0;
    uint32_t ready = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        instructions += s->entry[i].instructions;
        bytes += stored_bytes(&s->entry[i]);
        ready += suite_state(&s->entry[i], NULL) == SUITE_READY;
    }
    rows_item(r);
    rows_text(r, NULL, "suite", s->name);
    rows_text(r, NULL, "machine", s->machine);
    rows_format(r, NULL, "ready", "%u/%u", ready, s->n);
    count_row(r, NULL, "warp instructions", instructions);
    rows_number(r, NULL, "MB", "%.1f", (double)bytes / 1e6);
    rows_text(r, NULL, "description", s->description);
}

static int list_all(const struct suite_options *o)
{
    bool json = wants_json(o);
    struct error e = {0};
    struct errors all = {0};
    struct text out = {0};
    struct json j;
    struct rows r = {.json = json ? &j : NULL, .unknown = ""};
    char **names = machine_config_names("workloads/suites", &e);
    if (!names) return cli_fail(&e);
    json_init(&j, &out);
    if (json) json_array(&j);
    for (char **name = names; *name; name++) {
        struct suite s;
        if (!suite_load(&s, *name, &all)) continue;
        if (json)
            suite_json(&r, &s);
        else
            summary_rows(&r, &s);
        suite_fini(&s);
    }
    if (json) json_end(&j);
    if (json) text_add(&out, "\n");
    table_rows(&out, &r);
    if (!json) terminal_hang(&out, 4);
    int status = cli_output(&out, NULL);
    if (all.n > 0) status = cli_fail_all(&all);
    text_fini(&out);
    errors_fini(&all);
    machine_config_dirs_free(names);
    return status;
}

/* --- capturing --- */

static int capture(const struct suite_options *o, const struct suite *s)
{
    struct suite_captures c = {.suite = s,
                               .processes = parallel_threads(o->args.opts.threads),
                               .force = o->force,
                               .accept = o->accept,
                               .quiet = o->args.verbosity < 0};
    int status = suite_capture(&c);
    if (status == EXIT_INTERRUPTED) return status;
    uint32_t ready = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        enum suite_state state = suite_state(&s->entry[i], NULL);
        ready += state == SUITE_READY;
        if (state != SUITE_OTHER || s->entry[i].capture) continue;
        cli_say("%s: %s has not the digest that the suite records", s->entry[i].name,
                s->entry[i].path);
        status = EXIT_RUN_FAILED;
    }
    cli_print("suite:%s: %u of %u %s ready, %u captured now\n", s->name, ready, s->n,
              text_noun(s->n, "program", "programs"), c.made);
    return status;
}

static int run_suite(const struct suite_options *o)
{
    struct suite s;
    struct errors all = {0};
    int status;
    if (suite_load(&s, o->name, &all)) {
        status = o->list || wants_json(o) ? list_one(o, &s) : capture(o, &s);
        suite_fini(&s);
    } else {
        status = cli_fail_all(&all);
    }
    errors_fini(&all);
    return status;
}

static int run_all(struct args *args)
{
    struct suite_options *o = (struct suite_options *)args;
    if (o->args.n_words > 1) return cli_usage("trace suite", "one suite at a time");
    o->name = o->args.word[0];
    if (!o->name && (o->force || o->accept))
        return cli_usage("trace suite", "--force and --accept need the name of a suite");
    if (o->dir) setenv("PLUMB_SUITES", o->dir, 1);
    return o->name ? run_suite(o) : list_all(o);
}

#define AT(member) offsetof(struct suite_options, member)

static const struct cli_option options[] = {
    OPTION_FLAG("list", AT(list), "the programs of the suite, nothing is captured"),
    OPTION_JSON("the same as JSON"),
    OPTION_COUNT("threads", "N", ARG(opts.threads), 1, 64, "captures at a time (all cores)"),
    OPTION_FLAG("force", AT(force), "capture anew what is there, too"),
    OPTION_FLAG("accept", AT(accept),
                "take captures whose digest is not the one that the suite records"),
    OPTION_FOLDER("dir", AT(dir),
                  "where captures are kept (as PLUMB_SUITES; else in the cache directory)"),
    OPTION_QUIET("no progress"),
};

const struct cli_command command_trace_suite = {
    .name = "trace suite",
    .usage = "[NAME] [--list] [OPTION]...",
    .meaning = "capture the programs of a suite",
    .text =
        "Captures the programs of a suite that are not there yet; then suite:NAME stands for "
        "them in every command that takes a PROGRAM, and suite:NAME/PROGRAM for one of them.  "
        "Without NAME it lists the suites and how many of their programs are there.\n"
        "A run that was stopped goes on where it was; a failed capture does not stop the others, "
        "the status is 1 then.  docs/guide/workloads.md describes the suites and their files.",
    .run = run_all,
    .size = sizeof(struct suite_options),
    CLI_OPTIONS(options),
};
