/* suite.c - plumb trace suite: lists the suites and their captures, and captures them. */
#include "trace/suite/suite.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "cli/trace/suite_capture.h"
#include "gpu/machine/machine.h"

#include <inttypes.h>
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

/* --- tables that are filled row by row --- */

struct suite_rows {
    char **cell;
    size_t n, cap;
    bool failed;
};

static void add_cell(struct suite_rows *r, const char *text)
{
    r->failed |= !mem_grow(&r->cell, &r->cap, r->n + 1, sizeof *r->cell);
    if (!r->failed) r->cell[r->n++] = mem_strdup(text);
}

static void add_count(struct suite_rows *r, int64_t v)
{
    char text[NUMBER_MAX] = "";
    if (v > 0) table_number_text((double)v, "", text);
    add_cell(r, text);
}

static void print_rows(struct suite_rows *r, uint32_t columns, struct text *out)
{
    if (!r->failed)
        table_cells(out, (const char *const *)r->cell, (uint32_t)(r->n / columns), columns);
    out->failed |= r->failed;
    for (size_t i = 0; i < r->n; i++)
        mem_free(r->cell[i]);
    mem_free(r->cell);
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

static void list_text(const struct suite *s, struct text *out)
{
    static const char *const head[] = {"program",      "class", "warp instructions",
                                       "footprint KB", "bytes", "state"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct suite_rows r = {0};
    text_add_shown(out, "%s%s%s%s\n%s\n\n", s->name, *s->machine ? ", for " : "", s->machine,
                   *s->description ? ":" : "", s->description);
    for (unsigned i = 0; i < COLUMNS; i++)
        add_cell(&r, head[i]);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct suite_entry *t = &s->entry[i];
        add_cell(&r, t->name);
        add_cell(&r, t->class);
        add_count(&r, t->instructions);
        add_count(&r, t->footprint_kb);
        add_count(&r, stored_bytes(t));
        add_cell(&r, state_text(t));
    }
    print_rows(&r, COLUMNS, out);
    text_add(out, "\n");
    for (uint32_t i = 0; i < s->n; i++)
        if (*s->entry[i].why)
            text_add_shown(out, "%s: %s (%s)\n", s->entry[i].name, s->entry[i].why,
                           s->entry[i].capture ? s->entry[i].capture : s->entry[i].file);
}

static void key_text(struct json *j, const char *key, const char *value)
{
    if (!value || !*value) return;
    json_string(json_key(j, key), value);
}

static void key_count(struct json *j, const char *key, int64_t value)
{
    if (value <= 0) return;
    json_integer(json_key(j, key), value);
}

static void entry_json(struct json *j, const struct suite_entry *t)
{
    json_object(j);
    key_text(j, "program", t->name);
    key_text(j, "path", t->path);
    key_text(j, "capture", t->capture);
    key_text(j, "options", t->options);
    key_text(j, "class", t->class);
    key_text(j, "why", t->why);
    key_text(j, "state", state_text(t));
    key_text(j, "digest", t->digest_hex);
    key_count(j, "warp_instructions", t->instructions);
    key_count(j, "footprint_kb", t->footprint_kb);
    key_count(j, "bytes", stored_bytes(t));
    json_end(j);
}

static void suite_json(struct json *j, const struct suite *s)
{
    json_object(j);
    key_text(j, "suite", s->name);
    key_text(j, "description", s->description);
    key_text(j, "machine", s->machine);
    key_text(j, "file", s->config);
    json_array(json_key(j, "programs"));
    for (uint32_t i = 0; i < s->n; i++)
        entry_json(j, &s->entry[i]);
    json_end(j);
    json_end(j);
}

static int list_one(const struct suite_options *o, const struct suite *s)
{
    struct text out = {0};
    struct json j;
    json_init(&j, &out);
    if (wants_json(o))
        suite_json(&j, s);
    else
        list_text(s, &out);
    if (!wants_json(o)) terminal_fold(&out);
    if (wants_json(o)) text_add(&out, "\n");
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

/* --- all suites --- */

static void summary_row(struct suite_rows *r, const struct suite *s)
{
    int64_t instructions = 0, bytes = 0;
    uint32_t ready = 0;
    char text[48];
    for (uint32_t i = 0; i < s->n; i++) {
        instructions += s->entry[i].instructions;
        bytes += stored_bytes(&s->entry[i]);
        ready += suite_state(&s->entry[i], NULL) == SUITE_READY;
    }
    add_cell(r, s->name);
    add_cell(r, s->machine);
    snprintf(text, sizeof text, "%u/%u", ready, s->n);
    add_cell(r, text);
    add_count(r, instructions);
    snprintf(text, sizeof text, "%.1f", (double)bytes / 1e6);
    add_cell(r, text);
    add_cell(r, s->description);
}

static int list_all(const struct suite_options *o)
{
    static const char *const head[] = {"suite", "machine",    "ready", "warp instructions",
                                       "MB",    "description"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct error e = {0};
    struct errors all = {0};
    struct suite_rows r = {0};
    struct text out = {0};
    struct json j;
    char **names = machine_config_names("workloads/suites", &e);
    if (!names) return cli_fail(&e);
    json_init(&j, &out);
    if (wants_json(o)) json_array(&j);
    for (unsigned i = 0; i < COLUMNS && !wants_json(o); i++)
        add_cell(&r, head[i]);
    for (char **name = names; *name; name++) {
        struct suite s;
        if (!suite_load(&s, *name, &all)) continue;
        if (wants_json(o))
            suite_json(&j, &s);
        else
            summary_row(&r, &s);
        suite_fini(&s);
    }
    if (wants_json(o)) json_end(&j);
    if (wants_json(o)) text_add(&out, "\n");
    if (!wants_json(o)) print_rows(&r, COLUMNS, &out);
    if (!wants_json(o)) terminal_hang(&out, 4);
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
    cli_print("suite:%s: %u of %u programs ready, %u captured now\n", s->name, ready, s->n, c.made);
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
        "them in every command that takes a PROGRAM.  Without NAME: the suites and what of them "
        "is there.\n"
        "A run that was stopped goes on where it was; a failed capture does not stop the others, "
        "the status is 1 then.  docs/guide/workloads.md describes the suites and their files.",
    .run = run_all,
    .size = sizeof(struct suite_options),
    CLI_OPTIONS(options),
};
