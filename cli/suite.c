/* suite.c - plumb trace suite: what suites there are, what of them is captured, and capturing it.
 */
#include "trace/suite.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/suite_capture.h"
#include "cli/table.h"
#include "machine/machine.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
    const char *name; /* NULL: all suites */
    bool list, json, force, accept, quiet, help;
    unsigned threads; /* 0: as many as the machine has */
};

static const char help[] =
    "Usage: plumb trace suite [NAME] [--list] [options]\n\n"
    "Captures the programs of a suite that are not there yet; then suite:NAME stands for them in\n"
    "every command that takes a PROGRAM.  Without NAME: the suites and what of them is there.\n\n"
    "  --list         the programs of the suite, nothing is captured\n"
    "  --json         the same as JSON\n"
    "  --threads N    captures at a time (all cores)\n"
    "  --force        capture anew what is there, too\n"
    "  --accept       take captures whose digest is not the one that the suite records\n"
    "  --dir DIR      where captures are kept (as PLUMB_SUITES; else in the cache directory)\n"
    "  -q, --quiet    no progress\n\n"
    "A run that was stopped goes on where it was; a failed capture does not stop the others, the\n"
    "status is 1 then.  docs/workloads.md describes the suites and their files.\n";

enum { OPTION_LIST = 256, OPTION_JSON, OPTION_THREADS, OPTION_FORCE, OPTION_ACCEPT, OPTION_DIR };

static const struct option long_options[] = {
    {"list", no_argument, NULL, OPTION_LIST},
    {"json", no_argument, NULL, OPTION_JSON},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"accept", no_argument, NULL, OPTION_ACCEPT},
    {"dir", required_argument, NULL, OPTION_DIR},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int take_option(struct options *o, int option)
{
    char *end;
    switch (option) {
    case OPTION_LIST: o->list = true; break;
    case OPTION_JSON: o->json = true; break;
    case OPTION_FORCE: o->force = true; break;
    case OPTION_ACCEPT: o->accept = true; break;
    case 'q': o->quiet = true; break;
    case 'h': o->help = true; break;
    case OPTION_DIR:
        if (!*optarg) return cli_usage("trace suite", "--dir needs the name of a folder");
        setenv("PLUMB_SUITES", optarg, 1);
        break;
    case OPTION_THREADS: {
        unsigned long n = strtoul(optarg, &end, 10);
        if (*end || end == optarg || n < 1 || n > 64)
            return cli_usage("trace suite", "--threads %s; allowed are 1 to 64", optarg);
        o->threads = (unsigned)n;
        break;
    }
    default: return cli_usage("trace suite", "unknown option, or a value is missing");
    }
    return EXIT_OK;
}

static int parse(struct options *o, int argc, char **argv)
{
    int option, status = EXIT_OK;
    *o = (struct options){0};
    optind = 0;
    opterr = 0;
    while (status == EXIT_OK && (option = getopt_long(argc, argv, ":qh", long_options, NULL)) != -1)
        status = take_option(o, option);
    if (status != EXIT_OK || o->help) return status;
    if (argc - optind > 1) return cli_usage("trace suite", "one suite at a time");
    if (optind < argc) o->name = argv[optind];
    if (!o->name && (o->force || o->accept))
        return cli_usage("trace suite", "--force and --accept need the name of a suite");
    return EXIT_OK;
}

/* --- tables of cells that are made row by row --- */

struct rows {
    char **cell;
    size_t n, cap;
    bool failed;
};

static void add_cell(struct rows *r, const char *text)
{
    r->failed |= !mem_grow(&r->cell, &r->cap, r->n + 1, sizeof *r->cell);
    if (!r->failed) r->cell[r->n++] = mem_strdup(text);
}

static void add_count(struct rows *r, int64_t v)
{
    char text[NUMBER_MAX] = "";
    if (v > 0) number_text((double)v, "", text);
    add_cell(r, text);
}

static void print_rows(struct rows *r, uint32_t columns, struct text *out)
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
    struct rows r = {0};
    text_add(out, "%s%s%s%s\n%s\n\n", s->name, *s->machine ? ", for " : "", s->machine,
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
            text_add(out, "%s: %s (%s)\n", s->entry[i].name, s->entry[i].why,
                     s->entry[i].capture ? s->entry[i].capture : s->entry[i].file);
}

static void key_text(struct json *j, const char *key, const char *value)
{
    if (!value || !*value) return;
    json_key(j, key);
    json_string(j, value);
}

static void key_count(struct json *j, const char *key, int64_t value)
{
    if (value <= 0) return;
    json_key(j, key);
    json_integer(j, value);
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
    json_key(j, "programs");
    json_array(j);
    for (uint32_t i = 0; i < s->n; i++)
        entry_json(j, &s->entry[i]);
    json_end(j);
    json_end(j);
}

static int list_one(const struct options *o, const struct suite *s)
{
    struct text out = {0};
    struct json j;
    json_init(&j, &out);
    if (o->json)
        suite_json(&j, s);
    else
        list_text(s, &out);
    if (o->json) text_add(&out, "\n");
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

/* --- all suites --- */

static void summary_row(struct rows *r, const struct suite *s)
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

static int list_all(const struct options *o)
{
    static const char *const head[] = {"suite", "machine",    "ready", "warp instructions",
                                       "MB",    "description"};
    enum { COLUMNS = sizeof head / sizeof *head };
    struct error e = {0};
    struct errors all = {0};
    struct rows r = {0};
    struct text out = {0};
    struct json j;
    char **names = config_names("workloads/suites", &e);
    if (!names) return cli_fail(&e);
    json_init(&j, &out);
    if (o->json) json_array(&j);
    for (unsigned i = 0; i < COLUMNS && !o->json; i++)
        add_cell(&r, head[i]);
    for (char **name = names; *name; name++) {
        struct suite s;
        if (!suite_load(&s, *name, &all)) continue;
        if (o->json)
            suite_json(&j, &s);
        else
            summary_row(&r, &s);
        suite_fini(&s);
    }
    if (o->json) json_end(&j);
    if (o->json) text_add(&out, "\n");
    if (!o->json) print_rows(&r, COLUMNS, &out);
    int status = cli_output(&out, NULL);
    if (all.n > 0) status = cli_fail_all(&all);
    text_fini(&out);
    errors_fini(&all);
    config_dirs_free(names);
    return status;
}

/* --- capturing --- */

static int capture(const struct options *o, const struct suite *s)
{
    struct suite_captures c = {.suite = s,
                               .processes = pool_threads(o->threads),
                               .force = o->force,
                               .accept = o->accept,
                               .quiet = o->quiet};
    int status = suite_capture(&c);
    if (status == EXIT_INTERRUPTED) return status;
    uint32_t ready = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        enum suite_state state = suite_state(&s->entry[i], NULL);
        ready += state == SUITE_READY;
        if (state != SUITE_OTHER || s->entry[i].capture) continue;
        fprintf(stderr, "plumb: %s: %s has not the digest that the suite records\n",
                s->entry[i].name, s->entry[i].path);
        status = EXIT_RUN_FAILED;
    }
    printf("suite:%s: %u of %u programs ready, %u captured now\n", s->name, ready, s->n, c.made);
    return status;
}

int cmd_trace_suite(int argc, char **argv)
{
    struct options o;
    struct suite s;
    struct errors all = {0};
    int status = parse(&o, argc, argv);
    if (status != EXIT_OK) return status;
    if (o.help) {
        fputs(help, stdout);
        return EXIT_OK;
    }
    if (!o.name) return list_all(&o);
    if (!suite_load(&s, o.name, &all)) {
        status = cli_fail_all(&all);
        errors_fini(&all);
        return status;
    }
    status = o.list || o.json ? list_one(&o, &s) : capture(&o, &s);
    suite_fini(&s);
    errors_fini(&all);
    return status;
}
