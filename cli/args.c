/* args.c - see args.h. */
#include "cli/args.h"

#include "base/mem.h"
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPT_SET = 256,
    OPT_VS,
    OPT_CAL,
    OPT_KERNEL,
    OPT_MAX,
    OPT_PER_KERNEL,
    OPT_PER_LOAD,
    OPT_ERROR,
    OPT_CONFIDENCE,
    OPT_BUDGET,
    OPT_JSON,
    OPT_CSV,
    OPT_TABLE,
    OPT_THREADS,
    OPT_SEED,
    OPT_ENGINE,
    OPT_POINTS,
    OPT_SIMULATE,
    OPT_DB,
    OPT_MACHINE,
    OPT_COMPARE_FULL,
    OPT_INTERVALS,
    OPT_EVERY,
    OPT_SERIES,
    OPT_PLOT,
    OPT_SHARD,
    OPT_SHARDS,
    OPT_RETRY,
    OPT_DRY_RUN,
    OPT_SVG,
    OPT_PNG,
    OPT_PROGRAM,
    OPT_CHOOSE,
    OPT_MINUTES
};

enum { SHARDS_MAX = 10000 };

static const struct option options[] = {
    {"set", required_argument, NULL, OPT_SET},
    {"vs", required_argument, NULL, OPT_VS},
    {"cal", required_argument, NULL, OPT_CAL},
    {"kernel", required_argument, NULL, OPT_KERNEL},
    {"max-instructions", required_argument, NULL, OPT_MAX},
    {"per-kernel", no_argument, NULL, OPT_PER_KERNEL},
    {"per-load", no_argument, NULL, OPT_PER_LOAD},
    {"error", required_argument, NULL, OPT_ERROR},
    {"confidence", required_argument, NULL, OPT_CONFIDENCE},
    {"budget", required_argument, NULL, OPT_BUDGET},
    {"json", no_argument, NULL, OPT_JSON},
    {"csv", no_argument, NULL, OPT_CSV},
    {"table", no_argument, NULL, OPT_TABLE},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"seed", required_argument, NULL, OPT_SEED},
    {"engine", required_argument, NULL, OPT_ENGINE},
    {"points", required_argument, NULL, OPT_POINTS},
    {"choose", required_argument, NULL, OPT_CHOOSE},
    {"minutes", required_argument, NULL, OPT_MINUTES},
    {"simulate", required_argument, NULL, OPT_SIMULATE},
    {"db", required_argument, NULL, OPT_DB},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"compare-full", no_argument, NULL, OPT_COMPARE_FULL},
    {"intervals", required_argument, NULL, OPT_INTERVALS},
    {"every", required_argument, NULL, OPT_EVERY},
    {"series", required_argument, NULL, OPT_SERIES},
    {"plot", required_argument, NULL, OPT_PLOT},
    {"shard", required_argument, NULL, OPT_SHARD},
    {"shards", required_argument, NULL, OPT_SHARDS},
    {"retry", no_argument, NULL, OPT_RETRY},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},
    {"svg", required_argument, NULL, OPT_SVG},
    {"png", required_argument, NULL, OPT_PNG},
    {"program", required_argument, NULL, OPT_PROGRAM},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* What a command must take for an option to be allowed; 0 = every command takes it. */
static unsigned needs(int option)
{
    switch (option) {
    case OPT_SET: return TAKES_SET;
    case OPT_VS: return TAKES_VS;
    case OPT_CAL: return TAKES_CAL;
    case OPT_KERNEL: return TAKES_KERNEL;
    case OPT_MAX: return TAKES_MAX;
    case OPT_PER_KERNEL: return TAKES_KERNELS;
    case OPT_ERROR:
    case OPT_CONFIDENCE:
    case OPT_BUDGET: return TAKES_BUDGET;
    case OPT_JSON:
    case OPT_CSV: return TAKES_FORMAT;
    case OPT_TABLE: return TAKES_TABLE;
    case OPT_ENGINE: return TAKES_ENGINE;
    case OPT_CHOOSE:
    case OPT_MINUTES:
    case OPT_POINTS: return TAKES_POINTS;
    case OPT_SIMULATE: return TAKES_SIMULATE;
    case OPT_DB: return TAKES_DB;
    case OPT_SEED: return TAKES_SEED;
    case OPT_MACHINE: return TAKES_MACHINE;
    case OPT_INTERVALS:
    case OPT_COMPARE_FULL: return TAKES_FULL;
    case OPT_PER_LOAD:
    case OPT_EVERY:
    case OPT_SERIES:
    case OPT_PLOT: return TAKES_EVERY;
    case OPT_SHARD: return TAKES_SHARD;
    case OPT_SHARDS: return TAKES_SHARDS;
    case OPT_PROGRAM: return TAKES_PROGRAM;
    case OPT_RETRY:
    case OPT_DRY_RUN: return TAKES_RUN;
    case OPT_SVG:
    case OPT_PNG: return TAKES_PICTURES;
    case 'o': return TAKES_OUTPUT;
    default: return 0;
    }
}

static const char *option_name(int option)
{
    for (const struct option *o = options; o->name; o++)
        if (o->val == option) return o->name;
    return "";
}

static bool whole(const char *s, uint64_t lo, uint64_t hi, uint64_t *v)
{
    char *end;
    errno = 0;
    if (*s < '0' || *s > '9') return false;
    *v = strtoull(s, &end, 10);
    return *end == '\0' && errno == 0 && *v >= lo && *v <= hi;
}

static bool read_whole(struct args *a, int option, uint64_t lo, uint64_t hi, uint64_t *v)
{
    if (whole(optarg, lo, hi, v)) return true;
    cli_usage(a->command, "--%s %s: expected a whole number from %llu to %llu", option_name(option),
              optarg, (unsigned long long)lo, (unsigned long long)hi);
    return false;
}

static bool read_count(struct args *a, int option, uint64_t lo, uint32_t hi, uint32_t *out)
{
    uint64_t v;
    if (!read_whole(a, option, lo, hi, &v)) return false;
    *out = (uint32_t)v;
    return true;
}

static bool read_fraction(struct args *a, int option, double *v)
{
    char *end;
    *v = strtod(optarg, &end);
    if (end != optarg && *end == '\0' && *v > 0 && *v < 1) return true;
    cli_usage(a->command, "--%s %s: expected a number between 0 and 1", option_name(option),
              optarg);
    return false;
}

/* N, N-M or a kernel's name. */
static bool read_kernel(struct args *a)
{
    uint64_t first, last;
    char *dash = strchr(optarg, '-');
    if (a->opts.kernel_name || a->opts.launches) {
        cli_usage(a->command, "--kernel is given twice; one name or one range N-M is allowed");
        return false;
    }
    if (optarg[0] < '0' || optarg[0] > '9') {
        a->opts.kernel_name = optarg;
        return true;
    }
    if (dash) *dash = '\0';
    bool ok = whole(optarg, 0, UINT32_MAX - 1, &first);
    ok = ok && (dash ? whole(dash + 1, first, UINT32_MAX - 1, &last) : (last = first, true));
    if (dash) *dash = '-';
    if (!ok) {
        cli_usage(a->command, "--kernel %s: expected a name, a launch N or a range N-M", optarg);
        return false;
    }
    a->opts.launch0 = (uint32_t)first;
    a->opts.launches = (uint32_t)(last - first + 1);
    return true;
}

static bool read_override(struct args *a, int option, const char **list, uint32_t *n)
{
    const char *equals = strchr(optarg, '=');
    if (!equals || equals == optarg) {
        cli_usage(a->command, "--%s %s: expected PATH=VALUE such as l2.bank_kb=512",
                  option_name(option), optarg);
        return false;
    }
    list[(*n)++] = optarg;
    return true;
}

static bool add_engine(struct args *a, const char *name, size_t len)
{
    for (int e = 0; e < ENGINE_N; e++) {
        if (strlen(engine_name[e]) != len || strncmp(engine_name[e], name, len) != 0) continue;
        for (uint32_t i = 0; i < a->n_engines; i++)
            if (a->engine[i] == (enum engine)e) return true;
        a->engine[a->n_engines++] = (enum engine)e;
        return true;
    }
    return false;
}

/* One name, or several with commas between them. */
static bool read_engines(struct args *a)
{
    for (const char *name = optarg; name;) {
        size_t len = strcspn(name, ",");
        if (!add_engine(a, name, len)) {
            cli_usage(a->command, "--engine %s: expected estimate, sample or simulate", optarg);
            return false;
        }
        name = name[len] ? name + len + 1 : NULL;
    }
    return true;
}

static bool read_threads(struct args *a)
{
    uint32_t v;
    if (!read_count(a, OPT_THREADS, 1, 4096, &v)) return false;
    a->opts.threads = v;
    return true;
}

static unsigned given_by(int option)
{
    switch (option) {
    case OPT_ERROR: return GIVEN_ERROR;
    case OPT_CONFIDENCE: return GIVEN_CONFIDENCE;
    case OPT_BUDGET: return GIVEN_BUDGET;
    case OPT_SEED: return GIVEN_SEED;
    default: return 0;
    }
}

static bool read_valued(struct args *a, int option)
{
    a->given |= given_by(option);
    switch (option) {
    case OPT_SET: return read_override(a, option, a->set, &a->n_sets);
    case OPT_VS: return read_override(a, option, a->vs, &a->n_vs);
    case OPT_KERNEL: return read_kernel(a);
    case OPT_MAX: return read_whole(a, option, 1, UINT64_MAX - 1, &a->opts.max_instructions);
    case OPT_ERROR: return read_fraction(a, option, &a->opts.error);
    case OPT_CONFIDENCE: return read_fraction(a, option, &a->opts.confidence);
    case OPT_BUDGET: return read_whole(a, option, 1, UINT64_MAX - 1, &a->opts.budget);
    case OPT_THREADS: return read_threads(a);
    case OPT_SEED: return read_whole(a, option, 0, INT64_MAX, &a->opts.seed);
    case OPT_ENGINE: return read_engines(a);
    case OPT_EVERY: return read_whole(a, option, 1, 1000000000000, &a->opts.every);
    case OPT_SHARDS: return read_count(a, option, 2, SHARDS_MAX, &a->shards);
    case OPT_POINTS: return read_count(a, option, 1, 100000, &a->points);
    case OPT_MINUTES: return read_count(a, option, 1, 100000, &a->minutes);
    case OPT_SIMULATE: return read_count(a, option, 2, 1000000, &a->simulate);
    default: return false;
    }
}

static bool read_output(struct args *a)
{
    a->output = optarg;
    if (!*optarg) cli_usage(a->command, "-o needs the name of a file");
    return *optarg;
}

/* "2/8": the second of eight. */
static bool read_shard(struct args *a)
{
    uint64_t shard = 0, shards = 0;
    char part[16];
    const char *slash = strchr(optarg, '/');
    bool ok = slash && (size_t)(slash - optarg) < sizeof part;
    if (ok) snprintf(part, sizeof part, "%.*s", (int)(slash - optarg), optarg);
    ok = ok && whole(slash + 1, 1, SHARDS_MAX, &shards) && whole(part, 1, shards, &shard);
    if (!ok)
        cli_usage(a->command, "--shard %s: expected I/N, such as 2/8, with 1 <= I <= N <= %d",
                  optarg, SHARDS_MAX);
    a->shard = (uint32_t)shard;
    a->shards = (uint32_t)shards;
    return ok;
}

static bool read_option(struct args *a, int option)
{
    switch (option) {
    case OPT_CAL: a->cal = optarg; return true;
    case OPT_DB: a->db = optarg; return true;
    case OPT_CHOOSE: a->choose = optarg; return true;
    case OPT_MACHINE: a->machine = optarg; return true;
    case OPT_PROGRAM: a->program = optarg; return true;
    case OPT_SERIES: a->series = optarg; return true;
    case OPT_PLOT: a->plot = optarg; return true;
    case OPT_INTERVALS: a->intervals = optarg; return true;
    case OPT_SVG: a->svg = optarg; return true;
    case OPT_PNG: a->png = optarg; return true;
    case OPT_PER_KERNEL: a->opts.per_kernel = true; return true;
    case OPT_PER_LOAD: a->opts.sites = true; return true;
    case OPT_COMPARE_FULL: a->compare_full = true; return true;
    case OPT_SHARD: return read_shard(a);
    case OPT_RETRY: a->retry = true; return true;
    case OPT_DRY_RUN: a->dry_run = true; return true;
    case OPT_JSON: a->format = FORMAT_JSON; return true;
    case OPT_CSV: a->format = FORMAT_CSV; return true;
    case OPT_TABLE: a->table = true; return true;
    case 'o': return read_output(a);
    case 'q': a->verbosity = -1; return true;
    case 'v': a->verbosity = 1; return true;
    case 'h': a->help = true; return true;
    default: return read_valued(a, option);
    }
}

static bool refuse_option(struct args *a, int option, char **argv)
{
    if (option == ':')
        cli_usage(a->command, "%s needs a value", argv[optind - 1]);
    else
        cli_usage(a->command, "unknown option %s", argv[optind - 1]);
    return false;
}

static bool read_all(struct args *a, int argc, char **argv, unsigned takes)
{
    int option;
    bool format = false;
    optind = 0; /* start afresh (GNU) */
    while ((option = getopt_long(argc, argv, ":o:qvh", options, NULL)) != -1) {
        if (option == ':' || option == '?') return refuse_option(a, option, argv);
        if (needs(option) && !(takes & needs(option))) {
            cli_usage(a->command, "does not take --%s", option_name(option));
            return false;
        }
        if ((option == OPT_JSON || option == OPT_CSV) && format) {
            cli_usage(a->command, "takes one of --json and --csv");
            return false;
        }
        format |= option == OPT_JSON || option == OPT_CSV;
        if (!read_option(a, option)) return false;
    }
    for (int i = optind; i < argc; i++)
        a->word[a->n_words++] = argv[i];
    return true;
}

bool args_parse(struct args *a, int argc, char **argv, unsigned takes, enum format fallback,
                int *status)
{
    *a = (struct args){.command = argv[0], .format = fallback};
    run_opts_default(&a->opts);
    size_t n = (size_t)argc;
    a->word = mem_new(n, sizeof *a->word);
    a->set = mem_new(n, sizeof *a->set);
    a->vs = mem_new(n, sizeof *a->vs);
    *status = EXIT_INPUT;
    if (a->word && a->set && a->vs && read_all(a, argc, argv, takes)) return true;
    if (!a->word || !a->set || !a->vs) {
        struct error e = {0};
        error_no_memory(&e);
        *status = cli_fail(&e);
    }
    args_fini(a);
    return false;
}

void args_fini(struct args *a)
{
    mem_free(a->word);
    mem_free(a->set);
    mem_free(a->vs);
    *a = (struct args){0};
}
