/* dram.c - `plumb dram`: the memory alone under a pattern or a trace. */
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/dram_report.h"
#include "detailed/dram/driver.h"
#include "machine/machine.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "Usage: plumb dram PARAMSET --pattern PATTERN [--gap N] [--requests N] [--percycle N]\n"
    "       plumb dram PARAMSET --trace FILE\n"
    "       plumb dram --list\n\n"
    "The memory alone: bandwidth, latency, row hits, activates, refreshes, energy.  PARAMSET is a\n"
    "timing set of configs/dram (gddr5, hbm2, ddr3 ...).\n\n"
    "  --pattern P         seq      read one burst after the other\n"
    "                      rand     read bursts at random in 256 MiB\n"
    "                      mix21    as seq, every third a write\n"
    "                      conf     read one bank, a new row each time\n"
    "                      rowstep  read a new row each time, in turn over all banks\n"
    "  --gap N             cycles between requests; 0 (default): as fast as they are taken\n"
    "  --requests N        how many (default 100000)\n"
    "  --percycle N        at most so many enter in a cycle (default 1)\n"
    "  --trace FILE        lines '0xADDRESS READ|WRITE CYCLE', plain or .xz, .gz, .zst; as many\n"
    "                      as --percycle enter in a cycle\n"
    "  --interleave BYTES  consecutive bytes on one channel (default 256)\n"
    "  --set PATH=VALUE    a parameter below dram. (repeatable; the last one wins)\n"
    "  --list              the timing sets that there are\n"
    "  --json              one JSON object\n"
    "  -o FILE             to FILE instead of the standard output\n\n"
    "Cycles are those of the DRAM's command clock; latencies are of reads, from acceptance to the\n"
    "last beat.\n";

struct options {
    const char *set;
    struct dram_traffic traffic;
    bool pattern;
    const char **sets;
    size_t n_sets;
    const char *output;
    bool json, list, help;
};

static bool parse_count(const char *name, const char *s, uint64_t lo, uint64_t hi, uint64_t *v)
{
    char *end;
    bool digits = isdigit((unsigned char)s[0]);
    *v = digits ? strtoull(s, &end, 0) : 0;
    if (digits && *end == '\0' && *v >= lo && *v <= hi) return true;
    cli_usage("dram", "--%s %s: allowed are whole numbers from %llu to %llu", name, s,
              (unsigned long long)lo, (unsigned long long)hi);
    return false;
}

static bool parse_small(const char *name, const char *s, uint32_t lo, uint32_t *v)
{
    uint64_t wide;
    if (!parse_count(name, s, lo, UINT32_MAX, &wide)) return false;
    *v = (uint32_t)wide;
    return true;
}

static bool parse_pattern(const char *s, struct options *o)
{
    for (int i = 0; i < DRAM_PATTERN_N; i++) {
        if (strcmp(dram_pattern_name[i], s) != 0) continue;
        o->traffic.pattern = (enum dram_pattern)i;
        o->pattern = true;
        return true;
    }
    cli_usage("dram", "--pattern %s; allowed are seq, rand, mix21, conf, rowstep", s);
    return false;
}

static bool take_option(int c, char **argv, struct options *o)
{
    struct dram_traffic *t = &o->traffic;
    switch (c) {
    case 'p': return parse_pattern(optarg, o);
    case 'g': return parse_small("gap", optarg, 0, &t->gap);
    case 'n': return parse_count("requests", optarg, 1, 1000000000000, &t->requests);
    case 'c': return parse_small("percycle", optarg, 1, &t->percycle);
    case 'i': return parse_small("interleave", optarg, 1, &t->interleave_bytes);
    case 't': t->trace = optarg; return true;
    case 's': o->sets[o->n_sets++] = optarg; return true;
    case 'o': o->output = optarg; return true;
    case 'j': o->json = true; return true;
    case 'l': o->list = true; return true;
    case 'h': o->help = true; return true;
    case ':': cli_usage("dram", "%s needs a value", argv[optind - 1]); return false;
    default: cli_usage("dram", "unknown option %s", argv[optind - 1]); return false;
    }
}

static bool complete(int argc, char **argv, struct options *o)
{
    if (o->help || o->list) return true;
    bool one_set = argc - optind == 1;
    if (!one_set) {
        cli_usage("dram", "needs one PARAMSET");
    } else if (o->pattern == (o->traffic.trace != NULL)) {
        cli_usage("dram", "needs either --pattern or --trace");
    } else {
        o->set = argv[optind];
        return true;
    }
    return false;
}

/* false: the user has been told.  o->sets is the caller's to free in any case. */
static bool parse_options(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {{"pattern", required_argument, NULL, 'p'},
                                          {"gap", required_argument, NULL, 'g'},
                                          {"requests", required_argument, NULL, 'n'},
                                          {"percycle", required_argument, NULL, 'c'},
                                          {"interleave", required_argument, NULL, 'i'},
                                          {"trace", required_argument, NULL, 't'},
                                          {"set", required_argument, NULL, 's'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    opterr = 0;
    optind = 0; /* start afresh (GNU) */
    for (int c; (c = getopt_long(argc, argv, ":o:h", longs, NULL)) != -1;)
        if (!take_option(c, argv, o)) return false;
    return complete(argc, argv, o);
}

/* ---- the memory's parameters ---- */

/* A machine of defaults with one slice (which suits any number of channels) lends its memory. */
static bool load_memory(struct dram_params *p, const struct options *o, struct errors *all)
{
    char set[128];
    struct machine m;
    const char **sets = mem_new(o->n_sets + 2, sizeof *sets);
    if (!sets) {
        struct error e;
        error_no_memory(&e);
        errors_add_error(all, &e);
        return false;
    }
    snprintf(set, sizeof set, "dram.set=%s", o->set);
    sets[0] = "l2.banks=1";
    sets[1] = set;
    for (size_t i = 0; i < o->n_sets; i++)
        sets[i + 2] = o->sets[i];
    machine_defaults(&m);
    bool ok = machine_set(&m, sets, o->n_sets + 2, all);
    mem_free(sets);
    *p = m.dram;
    return ok;
}

/* A name that no set has is the user's PARAMSET, not a setting of a machine.  A path is left to the
 * reader. */
static bool known_set(const struct options *o, struct errors *all)
{
    struct error e;
    if (strchr(o->set, '/') || strstr(o->set, ".cfg")) return true;
    char **names = config_names("dram", &e);
    uint32_t n = 0;
    bool known = false;
    for (; names && names[n]; n++)
        known |= strcmp(names[n], o->set) == 0;
    if (!names) errors_add_error(all, &e);
    const char *closest = names ? text_closest(o->set, (const char *const *)names, n) : NULL;
    if (names && !known)
        errors_add(all, "dram: PARAMSET %s: no such timing set; %s%s", o->set,
                   closest ? "the closest is " : "'plumb dram --list' shows all",
                   closest ? closest : "");
    config_dirs_free(names);
    return known;
}

static int list_sets(const struct options *o)
{
    struct error e;
    struct text out = {0};
    char **names = config_names("dram", &e);
    if (!names) return cli_fail(&e);
    for (char **n = names; *n; n++)
        text_add(&out, "%s\n", *n);
    config_dirs_free(names);
    int status = cli_output(&out, o->output);
    text_fini(&out);
    return status;
}

static bool only_dram(const struct options *o, struct errors *all)
{
    for (size_t i = 0; i < o->n_sets; i++) {
        if (strncmp(o->sets[i], "dram.", 5) == 0) continue;
        errors_add(all, "--set %s: not of the memory; paths that begin with dram. are allowed",
                   o->sets[i]);
    }
    return all->n == 0;
}

static bool checked_interleave(const struct options *o, const struct dram_params *p,
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

static int run(const struct options *o)
{
    struct dram_params p;
    struct dram_result r;
    struct errors all = {0};
    struct error e = {0};
    bool loaded = known_set(o, &all) && only_dram(o, &all) && load_memory(&p, o, &all);
    int status = loaded ? EXIT_OK : cli_fail_all(&all);
    errors_fini(&all);
    if (!loaded) return status;
    double start = wall_seconds();
    if (!checked_interleave(o, &p, &e) || !dram_drive(&p, &o->traffic, &r, &e)) return cli_fail(&e);
    double seconds = wall_seconds() - start;
    struct text out = {0};
    if (o->json)
        dram_report_json(&out, o->set, &o->traffic, &p, &r, seconds);
    else
        dram_report_table(&out, &p, &r, seconds);
    status = cli_output(&out, o->output);
    text_fini(&out);
    return status;
}

int cmd_dram(int argc, char **argv)
{
    struct options o = {.traffic = {.requests = 100000, .percycle = 1, .interleave_bytes = 256}};
    o.sets = mem_new((size_t)argc + 1, sizeof *o.sets);
    struct error e;
    if (!o.sets) {
        error_no_memory(&e);
        return cli_fail(&e);
    }
    int status = EXIT_INPUT;
    if (parse_options(argc, argv, &o)) {
        struct text out = {0};
        if (o.help) text_add(&out, "%s", help);
        status = o.help ? cli_output(&out, NULL) : o.list ? list_sets(&o) : run(&o);
        text_fini(&out);
    }
    mem_free(o.sets);
    return status;
}
