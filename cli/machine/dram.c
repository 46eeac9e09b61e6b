/* dram.c - `plumb dram`: simulates the memory alone under a pattern or a trace. */
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/machine/dram_report.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "detailed/dram/dram_driver.h"
#include "libplumb/handles.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct dram_options {
    struct args args;
    const char *set, *pattern;
    struct dram_traffic traffic;
    bool list;
};

/* false: an error was printed. */
static bool complete_options(struct dram_options *o)
{
    if (o->list) return true;
    for (int i = 0; o->pattern && i < DRAM_PATTERN_N; i++)
        if (strcmp(dram_pattern_name[i], o->pattern) == 0)
            o->traffic.pattern = (enum dram_pattern)i;
    if (o->args.n_words != 1) {
        cli_usage("dram", "needs one PARAMSET, such as hbm2; 'plumb dram --list' names them");
    } else if ((o->pattern != NULL) == (o->traffic.trace != NULL)) {
        cli_usage("dram", "needs either --pattern or --trace");
    } else {
        o->set = o->args.word[0];
        return true;
    }
    return false;
}

/* ---- the memory's parameters ---- */

static int list_sets(const struct dram_options *o)
{
    struct error e;
    struct text out = {0};
    char **names = machine_config_names("dram", &e);
    if (!names) return cli_fail(&e);
    for (char **n = names; *n; n++)
        text_add_shown(&out, "%s\n", *n);
    machine_config_dirs_free(names);
    int status = cli_output(&out, o->args.output);
    text_fini(&out);
    return status;
}

static bool checked_interleave(const struct dram_options *o, const struct dram_params *p,
                               struct error *e)
{
    uint32_t burst = p->burst_length * p->bus_bytes, bytes = o->traffic.interleave_bytes;
    if (bytes >= burst && (bytes & (bytes - 1)) == 0) return true;
    return error_input(e, "--interleave %u; a power of two of at least a burst (%u) is allowed",
                       bytes, burst);
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const struct dram_options *o)
{
    struct dram_params p;
    struct dram_result r;
    struct errors all = {0};
    struct error e = {0};
    bool loaded = libplumb_memory(&p, o->set, o->args.set, o->args.n_sets, &all);
    int status = loaded ? EXIT_OK : cli_fail_all(&all);
    errors_fini(&all);
    if (!loaded) return status;
    double start = wall_seconds();
    if (!checked_interleave(o, &p, &e) || !dram_drive(&p, &o->traffic, &r, &e)) return cli_fail(&e);
    double seconds = wall_seconds() - start;
    struct text out = {0};
    if (o->args.format == FORMAT_JSON)
        dram_report_json(&out, o->set, &o->traffic, &p, &r, seconds);
    else
        dram_report_table(&out, &p, &r, seconds);
    if (o->args.format == FORMAT_TABLE) terminal_hang(&out, 14);
    status = cli_output(&out, o->args.output);
    text_fini(&out);
    return status;
}

static int run_command(struct args *a)
{
    struct dram_options *o = (struct dram_options *)a;
    return !complete_options(o) ? EXIT_INPUT : o->list ? list_sets(o) : run(o);
}

static const struct dram_options start = {
    .traffic = {.requests = 100000, .percycle = 1, .interleave_bytes = 256}};

#define AT(member) offsetof(struct dram_options, member)

static const struct cli_option options[] = {
    {.name = "pattern",
     .value = "PATTERN",
     .meaning = "seq, rand, mix21, conf or rowstep",
     .words = "seq rand mix21 conf rowstep",
     .read = option_text,
     .at = AT(pattern)},
    OPTION_COUNT("gap", "N", AT(traffic.gap), 0, UINT32_MAX,
                 "cycles between requests; 0 (default): as fast as they are taken"),
    {.name = "requests",
     .value = "N",
     .meaning = "how many (100000)",
     .read = option_whole,
     .at = AT(traffic.requests),
     .low = 1,
     .high = 1000000000000},
    OPTION_COUNT("percycle", "N", AT(traffic.percycle), 1, UINT32_MAX,
                 "at most so many requests enter in a cycle (1)"),
    OPTION_FILE("trace", "FILE", AT(traffic.trace),
                "lines '0xADDRESS READ|WRITE CYCLE', plain or .xz, .gz, .zst; at most "
                "--percycle of them enter in a cycle"),
    OPTION_COUNT("interleave", "BYTES", AT(traffic.interleave_bytes), 1, UINT32_MAX,
                 "consecutive bytes on one channel (256)"),
    OPTION_SET("a parameter below dram.; may be repeated, the last one wins"),
    OPTION_FLAG("list", AT(list), "the timing sets that there are"),
    OPTION_JSON("one JSON object"),
    OPTION_STDOUT,
};

const struct cli_command command_dram = {
    .name = "dram",
    .usage = "PARAMSET --pattern PATTERN [--gap N] [--requests N] [--percycle N]\n"
             "PARAMSET --trace FILE\n"
             "--list",
    .meaning = "the memory alone",
    .text = "Runs the memory alone: bandwidth, latency, row hits, activates, refreshes, energy.  "
            "PARAMSET is a timing set of configs/dram (gddr5, hbm2, ddr3 ...).\n"
            "Patterns:\n"
            "  seq      read one burst after the other\n"
            "  rand     read bursts at random in 256 MiB\n"
            "  mix21    as seq, every third a write\n"
            "  conf     read one bank, a new row each time\n"
            "  rowstep  read a new row each time, in turn over all banks\n"
            "Cycles are those of the DRAM's command clock; latencies are of reads, from acceptance "
            "to the last beat.",
    .run = run_command,
    .size = sizeof start,
    .start = &start,
    CLI_OPTIONS(options),
};
