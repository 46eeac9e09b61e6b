/* metrics.c - plumb metrics: what each result is called, counted in, and computed from. */
#include "gpu/metrics/metrics.h"

#include "base/text/json.h"
#include "cli/cli.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"

#include <stdio.h>
#include <string.h>

static void formula(const char *key, char *out, size_t cap)
{
    int id = metric_by_path(key);
    out[0] = '\0';
    if (id < 0 || !metric_info[id].ratio) return;
    const struct metric_info *m = &metric_info[id];
    const char *num = metric_info[m->num].path, *den = metric_info[m->den].path;
    if (m->factor == 1)
        snprintf(out, cap, "%s / %s", num, den);
    else
        snprintf(out, cap, "%g * %s / %s", m->factor, num, den);
}

static void as_table(struct text *out)
{
    const char *key;
    char how[160];
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        formula(key, how, sizeof how);
        text_add(out, "%-34s %-24s %s%s%s%s\n", key, metrics_unit(key), metrics_meaning(key),
                 how[0] ? " (" : "", how, how[0] ? ")" : "");
    }
}

static void member(struct json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void as_json(struct text *out)
{
    const char *key;
    char how[160];
    struct json j;
    json_init(&j, out);
    json_array(&j);
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        formula(key, how, sizeof how);
        json_object(&j);
        member(&j, "name", key);
        member(&j, "unit", metrics_unit(key));
        member(&j, "meaning", metrics_meaning(key));
        if (how[0]) member(&j, "formula", how);
        json_end(&j);
    }
    json_end(&j);
}

static int run(const struct cli_command *c, int argc, char **argv)
{
    struct args a;
    int status;
    if (!args_parse(&a, c, argc, argv, &status)) return status;
    struct text out = {0};
    if (a.n_words) {
        status = cli_usage("metrics", "takes no %s", a.word[0]);
    } else {
        if (a.format == FORMAT_JSON)
            as_json(&out);
        else
            as_table(&out);
        if (a.format == FORMAT_TABLE) terminal_hang(&out, 37);
        status = cli_output(&out, a.output);
    }
    text_fini(&out);
    args_fini(&a);
    return status;
}

static const struct cli_option options[] = {
    OPTION_JSON("an array of objects with name, unit, meaning and formula"),
    OPTION_STDOUT,
    OPTION_THREADS("taken, without effect"),
    OPTION_QUIET("taken, without effect"),
    OPTION_VERBOSE("taken, without effect"),
};

const struct cli_command command_metrics = {
    .name = "metrics",
    .usage = "[--json] [-o FILE]",
    .meaning = "names, units and formulas of all results",
    .text = "Names, units and formulas of all results, as JSON, CSV, databases and sweep "
            "objectives use them.  A metric that an engine cannot know is absent, never 0.",
    .run = run,
    CLI_OPTIONS(options),
};
