/* sweep_import.c - see sweep_import.h. */
#include "cli/sweep/sweep_import.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "sweeps/hardware/hardware.h"
#include "sweeps/hardware/hardware_collect.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The program's name follows from the file's: "results/kmeans.csv" measures kmeans. */
static void name_of(const char *file, char out[128])
{
    const char *slash = strrchr(file, '/');
    snprintf(out, 128, "%s", slash ? slash + 1 : file);
    char *dot = strchr(out, '.');
    if (dot) *dot = '\0';
    char *rocprofv3 = strstr(out, "_counter_collection");
    if (rocprofv3) *rocprofv3 = '\0';
}

static bool check_program(const struct plan *p, const char *file, const char *name, struct error *e)
{
    const char **names = mem_new(p->n_workloads, sizeof *names);
    if (!names) return error_no_memory(e);
    bool known = false;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        names[w] = plan_workload(p, w);
        known |= strcmp(names[w], name) == 0;
    }
    const char *closest = text_closest(name, names, p->n_workloads);
    if (!known)
        error_input(e, "%s: the sweep has no program %s%s%s%s; name one with --program", file, name,
                    closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
    mem_free(names);
    return known;
}

static bool is_first(const struct hardware_counter *c, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(c[k].name, c[i].name) == 0) return false;
    return true;
}

/* Sums and means of a counter leave out the launches that lack it. */
static void warn_of_gaps(const char *file, const struct hardware *h)
{
    uint32_t n, gaps = 0;
    const struct hardware_counter *c = hardware_counters(h, &n);
    const char *one = NULL;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t launches = 0;
        if (!c[i].metric || !is_first(c, i)) continue;
        for (uint32_t k = i; k < n; k++)
            launches += strcmp(c[k].name, c[i].name) == 0;
        if (launches >= hardware_launches(h)) continue;
        if (!gaps++) one = c[i].name;
    }
    if (gaps)
        cli_say("%s: warning: some launches lack %s%s; what stands beside plumb's is of the others "
                "alone",
                file, one, gaps > 1 ? " and other counters" : "");
}

static bool import_one(const struct args *a, const struct plan *p, struct store *s,
                       const char *file, struct error *e)
{
    char name[128];
    uint32_t n, matched = 0;
    name_of(file, name);
    const char *program = a->program ? a->program : name;
    if (!check_program(p, file, program, e)) return false;
    struct hardware *h = hardware_load(file, program, e);
    if (!h) return false;
    bool ok = hardware_store(h, s, program, e);
    const struct hardware_counter *c = hardware_counters(h, &n);
    for (uint32_t i = 0; i < n; i++)
        matched += c[i].metric != NULL;
    const char *on = isdigit((unsigned char)hardware_device(h)[0]) ? " on device " : " on ";
    if (ok)
        cli_print("%s: %s of %s%s%s: %" PRIu32 " %s, %" PRIu32 " values, %" PRIu32
                  " of them beside metrics of plumb\n",
                  file, hardware_tool(h), program, *hardware_device(h) ? on : "",
                  hardware_device(h), hardware_launches(h),
                  text_noun(hardware_launches(h), "launch", "launches"), n, matched);
    if (ok && a->verbosity >= 0) warn_of_gaps(file, h);
    hardware_free(h);
    return ok;
}

/* Breaks a command line for the terminal behind a comma or a blank; a shell joins the parts again.
 */
static void fold_command(struct text *out, const char *line, unsigned width)
{
    while (strlen(line) > width) {
        size_t n = width - 1; /* and the backslash */
        while (n > 0 && line[n - 1] != ',' && line[n - 1] != ' ')
            n--;
        if (n == 0) break;
        text_add(out, "%.*s\\\n", (int)n, line);
        line += n;
    }
    text_add(out, "%s\n", line);
}

static void fold_commands(struct text *out)
{
    unsigned width = terminal_width();
    struct text folded = {0};
    char *next, *all = out->len && width < UINT_MAX ? mem_strdup(text_str(out)) : NULL;
    if (!all) return;
    for (char *line = strtok_r(all, "\n", &next); line; line = strtok_r(NULL, "\n", &next))
        fold_command(&folded, line, width);
    mem_free(all);
    if (!folded.len) return;
    text_fini(out);
    *out = folded;
}

int sweep_what_to_collect(const char *tool)
{
    struct text out = {0};
    hardware_collect(tool, &out);
    fold_commands(&out);
    int status = cli_output(&out, NULL);
    text_fini(&out);
    return status;
}

int sweep_import(const struct args *a, const struct plan *p)
{
    struct error e = {0};
    if (a->n_words < 2) return cli_usage("sweep", "import: expected SWEEP and files of a profiler");
    struct store *s = store_open(p->output, true, &e);
    bool ok = s != NULL;
    for (uint32_t i = 1; i < a->n_words && ok; i++)
        ok = import_one(a, p, s, a->word[i], &e);
    store_close(s);
    return ok ? EXIT_OK : cli_fail(&e);
}
