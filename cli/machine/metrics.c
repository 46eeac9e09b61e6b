/* metrics.c - plumb metrics: prints each metric's name, unit and formula, and the schema of
 * answers. */
#include "gpu/metrics/metrics.h"

#include "base/text/json.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "engine/answer_schema.h"

#include <stdio.h>
#include <string.h>

static void formula_text(const char *key, char *out, size_t cap)
{
    int id = metrics_by_path(key);
    out[0] = '\0';
    if (id < 0 || !metric_info[id].ratio) return;
    const struct metric_info *m = &metric_info[id];
    const char *num = metric_info[m->num].path, *den = metric_info[m->den].path;
    if (m->factor == 1)
        snprintf(out, cap, "%s / %s", num, den);
    else
        snprintf(out, cap, "%g * %s / %s", m->factor, num, den);
}

/* Whether the name or the meaning holds the word, in any case; NULL: all do. */
static bool fits(const char *key, const char *word)
{
    return !word || strcasestr(key, word) || strcasestr(metrics_meaning(key), word);
}

static void as_table(struct text *out, const char *word)
{
    const char *key;
    char how[160];
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (!fits(key, word)) continue;
        formula_text(key, how, sizeof how);
        text_add(out, "%-34s %-24s %s%s%s%s\n", key, metrics_unit(key), metrics_meaning(key),
                 how[0] ? " (" : "", how, how[0] ? ")" : "");
    }
}

static void add_cell(struct text *out, const char *s)
{
    for (; *s; s++)
        text_add(out, strchr("|<*", *s) ? "\\%c" : "%c", *s);
}

static void as_markdown(struct text *out)
{
    const char *key;
    char how[160];
    text_add(out, "# Metrics\n\n"
                  "Made by `cmake --build DIR --target docs`; do not edit. All engines, JSON, CSV, "
                  "databases and\n"
                  "sweep objectives use these names. A metric that an engine cannot know is "
                  "absent, never 0.\n\n"
                  "| name | unit | meaning | formula |\n| --- | --- | --- | --- |\n");
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        formula_text(key, how, sizeof how);
        text_add(out, "| `%s` | %s | ", key, metrics_unit(key));
        add_cell(out, metrics_meaning(key));
        text_add(out, " | ");
        add_cell(out, how);
        text_add(out, how[0] ? " |\n" : "|\n");
    }
}

static void as_json(struct text *out, const char *word)
{
    const char *key;
    char how[160];
    struct json j;
    json_init(&j, out);
    json_array(&j);
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (!fits(key, word)) continue;
        formula_text(key, how, sizeof how);
        json_object(&j);
        json_string(json_key(&j, "name"), key);
        json_string(json_key(&j, "unit"), metrics_unit(key));
        json_string(json_key(&j, "meaning"), metrics_meaning(key));
        if (how[0]) json_string(json_key(&j, "formula"), how);
        json_end(&j);
    }
    json_end(&j);
}

struct metrics_options {
    struct args args;
    bool markdown, schema;
};

static bool any_fits(const char *word)
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++)
        if (fits(key, word)) return true;
    return false;
}

/* A part of formulas alone: tells a formula that has it. */
static bool refuse_part(const char *word)
{
    int part = metrics_by_path(word);
    char how[160];
    for (int i = 0; part >= 0 && i < METRIC_N; i++) {
        const struct metric_info *m = &metric_info[i];
        if (!m->ratio || ((int)m->num != part && (int)m->den != part)) continue;
        formula_text(m->path, how, sizeof how);
        cli_usage("metrics", "%s (%s) is no metric, but a part of %s (%s)", word,
                  metric_info[part].meaning, m->path, how);
        return true;
    }
    return false;
}

static int refuse_word(const char *word)
{
    if (refuse_part(word)) return EXIT_INPUT;
    enum { MOST = 512 };
    const char *key, *keys[MOST];
    struct text alike = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; (key = metrics_key(i)) && n < MOST; i++)
        keys[n++] = key;
    bool any = text_alike(&alike, word, keys, n);
    cli_usage("metrics", "no metric has %s in its name or meaning; %s%s", word,
              any ? "the closest is " : "'plumb metrics' lists all", text_str(&alike));
    text_fini(&alike);
    return EXIT_INPUT;
}

static int print_metrics(struct args *args)
{
    const struct metrics_options *o = (const struct metrics_options *)args;
    struct text out = {0};
    const char *word = o->args.n_words ? o->args.word[0] : NULL;
    bool json = o->args.format == FORMAT_JSON;
    if (o->args.n_words > 1) return cli_usage("metrics", "takes one FILTER");
    if (word && (o->markdown || o->schema))
        return cli_usage("metrics", "--markdown and --schema are of all metrics");
    if (!any_fits(word)) return refuse_word(word);
    if (json + o->markdown + o->schema > 1)
        return cli_usage("metrics", "--json, --markdown and --schema exclude each other");
    if (json) {
        as_json(&out, word);
    } else if (o->markdown) {
        as_markdown(&out);
    } else if (o->schema) {
        answer_schema(&out);
    } else {
        as_table(&out, word);
        terminal_hang(&out, 37);
    }
    int status = cli_output(&out, o->args.output);
    text_fini(&out);
    return status;
}

static const struct cli_option options[] = {
    OPTION_JSON("an array of objects with name, unit, meaning and formula"),
    OPTION_FLAG("markdown", offsetof(struct metrics_options, markdown), "as docs/guide/metrics.md"),
    OPTION_FLAG("schema", offsetof(struct metrics_options, schema),
                "the JSON schema of answers, which --json of other commands keeps to"),
    OPTION_STDOUT,
    OPTION_THREADS("taken, without effect"),
    OPTION_QUIET("taken, without effect"),
    OPTION_VERBOSE("taken, without effect"),
};

const struct cli_command command_metrics = {
    .name = "metrics",
    .usage = "[FILTER] [--json] [-o FILE]\n--markdown | --schema [-o FILE]",
    .meaning = "names, units and formulas of all results",
    .text = "Names, units and formulas of all results, as JSON, CSV, databases and sweep "
            "objectives use them.  A metric that an engine cannot know is absent, never 0.  FILTER "
            "leaves those that have it in their name or meaning.",
    .run = print_metrics,
    .size = sizeof(struct metrics_options),
    CLI_OPTIONS(options),
};
