/* trace.c - plumb trace: programs looked at, checked, made and converted. */
#include "base/json.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/table.h"
#include "trace/accelsim.h"
#include "trace/repack.h"
#include "trace/summary.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the commands' options say; each takes some of them. */
struct options {
    const char *output;
    const char *word[2];
    int n_words;
    bool json, lossy, help;
    unsigned width;
};

enum { TAKES_JSON = 1, TAKES_OUTPUT = 2, TAKES_LOSSY = 4, TAKES_WIDTH = 8 };

enum { OPTION_WIDTH = 256, OPTION_JSON, OPTION_LOSSY };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},   {"json", no_argument, NULL, OPTION_JSON},
    {"lossy", no_argument, NULL, OPTION_LOSSY}, {"width", required_argument, NULL, OPTION_WIDTH},
    {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
};

static unsigned needed_for(int option)
{
    switch (option) {
    case 'o': return TAKES_OUTPUT;
    case OPTION_JSON: return TAKES_JSON;
    case OPTION_LOSSY: return TAKES_LOSSY;
    case OPTION_WIDTH: return TAKES_WIDTH;
    default: return 0;
    }
}

static bool parse_width(struct options *o, const char *v)
{
    o->width = strcmp(v, "32") == 0 ? 32 : strcmp(v, "64") == 0 ? 64 : 0;
    return o->width != 0;
}

/* EXIT_OK: go on; else the user has been told. */
static int take_option(struct options *o, const char *command, unsigned takes, int option)
{
    if (option == '?' || option == ':')
        return cli_usage(command, "unknown option, or a value is missing");
    if (needed_for(option) & ~takes)
        return cli_usage(command, "this command does not take that option");
    if (option == OPTION_WIDTH && !parse_width(o, optarg))
        return cli_usage(command, "--width %s; allowed are 32 and 64", optarg);
    o->help |= option == 'h';
    o->json |= option == OPTION_JSON;
    o->lossy |= option == OPTION_LOSSY;
    if (option == 'o') o->output = optarg;
    return EXIT_OK;
}

static int parse(struct options *o, const char *command, int argc, char **argv, unsigned takes,
                 int words)
{
    int option, status = EXIT_OK;
    *o = (struct options){0};
    optind = 0;
    opterr = 0;
    while (status == EXIT_OK &&
           (option = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1)
        status = take_option(o, command, takes, option);
    if (status != EXIT_OK || o->help) return status;
    if (argc - optind != words)
        return cli_usage(command, "%d argument%s expected, %d given", words, words == 1 ? "" : "s",
                         argc - optind);
    while (optind < argc)
        o->word[o->n_words++] = argv[optind++];
    return EXIT_OK;
}

static struct program *open_program(const struct options *o, int *status)
{
    struct error e = {0};
    struct program *p = program_open(o->word[0], &(struct program_opts){o->width}, &e);
    *status = p ? EXIT_OK : cli_fail(&e);
    return p;
}

static int say(const char *text)
{
    fputs(text, stdout);
    return EXIT_OK;
}

static void print_warnings(const struct program *p)
{
    for (uint32_t i = 0; i < program_warnings(p); i++)
        fprintf(stderr, "plumb: warning: %s\n", program_warning(p, i));
}

/* --- info --- */

static double per(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static const struct {
    const char *key, *head;
    enum op_class first, last;
} mixes[] = {
    {"int", "int", OP_INT, OP_INT},
    {"fp", "fp", OP_FP32, OP_TENSOR},
    {"branch", "branch", OP_BRANCH, OP_BRANCH},
    {"loads", "loads", OP_LOAD, OP_LOAD},
    {"stores", "stores", OP_STORE, OP_STORE},
    {"atomics", "atomics", OP_ATOMIC, OP_ATOMIC},
    {"shared", "shared", OP_SHARED_LOAD, OP_SHARED_STORE},
    {"synchronisation", "sync", OP_BARRIER, OP_RELEASE},
};
enum { N_MIXES = sizeof mixes / sizeof *mixes, COLUMNS = 8 + N_MIXES, CELL = 64 };

static uint64_t mix(const struct kernel_summary *k, unsigned i)
{
    uint64_t n = 0;
    for (int c = (int)mixes[i].first; c <= (int)mixes[i].last; c++)
        n += k->by_class[c];
    return n;
}

static double active_share(const struct kernel_summary *k, uint32_t width)
{
    return per((double)k->lanes, (double)k->instructions * width);
}

static void fill_row(char cell[COLUMNS][CELL], const struct kernel_summary *k, uint32_t width)
{
    const double count[] = {(double)k->launches, (double)k->ctas, (double)k->warps,
                            (double)k->instructions};
    unsigned n = 0;
    snprintf(cell[n++], CELL, "%.40s", k->name);
    for (unsigned i = 0; i < 4; i++)
        number_text(count[i], "", cell[n++]);
    for (unsigned i = 0; i < N_MIXES; i++)
        snprintf(cell[n++], CELL, "%.1f %%", 100 * per((double)mix(k, i), (double)k->instructions));
    snprintf(cell[n++], CELL, "%.1f %%", 100 * active_share(k, width));
    number_text((double)k->lines, "", cell[n++]);
    number_text((double)k->sectors, "", cell[n++]);
}

static bool kernel_table(struct text *out, const struct program_summary *s, uint32_t width)
{
    uint32_t rows = s->n + 2;
    char(*cell)[COLUMNS][CELL] = mem_new(rows, sizeof *cell);
    const char **at = mem_new((size_t)rows * COLUMNS, sizeof *at);
    static const char *const head[] = {"kernel", "launches", "CTAs", "warps", "instructions"};
    static const char *const tail[] = {"active lanes", "lines", "sectors"};
    for (unsigned i = 0; cell && i < COLUMNS; i++)
        snprintf(cell[0][i], CELL, "%s",
                 i < 5             ? head[i]
                 : i < 5 + N_MIXES ? mixes[i - 5].head
                                   : tail[i - 5 - N_MIXES]);
    for (uint32_t i = 0; cell && i <= s->n; i++)
        fill_row(cell[i + 1], i < s->n ? &s->kernel[i] : &s->all, width);
    for (uint32_t i = 0; cell && at && i < rows * COLUMNS; i++)
        at[i] = cell[i / COLUMNS][i % COLUMNS];
    bool ok = cell && at;
    if (ok) table_cells(out, at, rows, COLUMNS);
    mem_free(cell);
    mem_free(at);
    return ok;
}

static void mix_json(struct json *j, const char *key, const uint64_t by_class[OP_N])
{
    json_key(j, key);
    json_object(j);
    for (unsigned c = 0; c < OP_N; c++) {
        json_key(j, op_class_name[c]);
        json_integer(j, (int64_t)by_class[c]);
    }
    json_end(j);
}

static void kernel_json(struct json *j, const struct kernel_summary *k, uint32_t width)
{
    const struct {
        const char *key;
        uint64_t v;
    } counts[] = {{"launches", k->launches},     {"ctas", k->ctas},
                  {"warps", k->warps},           {"warp_instructions", k->instructions},
                  {"lane_operations", k->lanes}, {"lines", k->lines},
                  {"sectors", k->sectors}};
    json_key(j, "kernel");
    json_string(j, k->name);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        json_key(j, counts[i].key);
        json_integer(j, (int64_t)counts[i].v);
    }
    json_key(j, "active_lanes");
    json_number(j, active_share(k, width));
    mix_json(j, "mix", k->by_class);
    mix_json(j, "lane_mix", k->lanes_by_class);
}

static void info_json(struct text *out, const struct program *p, const struct program_summary *s)
{
    char hex[33];
    struct json j;
    uint32_t width =
        program_launches(p) ? program_launch(p, 0)->warp_width : program_source_width(p);
    digest_hex(program_digest(p), hex);
    json_init(&j, out);
    json_object(&j);
    json_key(&j, "program");
    json_string(&j, program_name(p));
    json_key(&j, "digest");
    json_string(&j, hex);
    json_key(&j, "warp_width");
    json_integer(&j, width);
    if (program_stored_bytes(p)) {
        json_key(&j, "bytes");
        json_integer(&j, (int64_t)program_stored_bytes(p));
    }
    json_key(&j, "kernels");
    json_array(&j);
    for (uint32_t i = 0; i < s->n; i++) {
        json_object(&j);
        kernel_json(&j, &s->kernel[i], width);
        json_end(&j);
    }
    json_end(&j);
    json_key(&j, "total");
    json_object(&j);
    kernel_json(&j, &s->all, width);
    json_end(&j);
    json_end(&j);
    text_add(out, "\n");
}

static bool info_text(struct text *out, const struct program *p, const struct program_summary *s)
{
    char hex[33];
    uint32_t width =
        program_launches(p) ? program_launch(p, 0)->warp_width : program_source_width(p);
    uint64_t copies = program_commands(p) - program_launches(p);
    digest_hex(program_digest(p), hex);
    text_add(out, "%s: warps of %u lanes, %u launches, %" PRIu64 " copies, digest %s\n",
             program_name(p), width, program_launches(p), copies, hex);
    if (program_stored_bytes(p))
        text_add(out, "%" PRIu64 " bytes stored, %.2f per warp instruction\n",
                 program_stored_bytes(p),
                 per((double)program_stored_bytes(p), (double)s->all.instructions));
    if (*program_note(p)) text_add(out, "made from: %s\n", program_note(p));
    text_add(out, "\n");
    return kernel_table(out, s, width);
}

static const char info_help[] =
    "Usage: plumb trace info PROGRAM [--width 32|64] [--json] [-o FILE]\n\n"
    "What a program consists of, kernel by kernel: launches, CTAs, warps, warp instructions and\n"
    "their mix, the share of active lanes, and how many distinct lines (128 bytes) and sectors "
    "(32\n"
    "bytes) of memory it touches.  PROGRAM: a .plt trace, a generator .cfg, or a directory with\n"
    "kernelslist.g.  --width: as a machine of that warp width sees it.\n";

static int info(int argc, char **argv)
{
    struct options o;
    int status = parse(&o, "trace info", argc, argv, TAKES_JSON | TAKES_OUTPUT | TAKES_WIDTH, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(info_help);
    struct error e = {0};
    struct program_summary s;
    struct text out = {0};
    struct program *p = open_program(&o, &status);
    if (!p) return status;
    print_warnings(p);
    bool ok = program_summarize(&s, p, &e);
    if (ok && o.json) info_json(&out, p, &s);
    if (ok && !o.json) ok = info_text(&out, p, &s) || error_no_memory(&e);
    status = ok ? cli_output(&out, o.output) : cli_fail(&e);
    program_summary_fini(&s);
    text_fini(&out);
    program_close(p);
    return status;
}

/* --- check --- */

static const char check_help[] =
    "Usage: plumb trace check PROGRAM\n\n"
    "Reads everything once and compares it with the counts, checksums and digest of the file.\n";

static int check(int argc, char **argv)
{
    struct options o;
    struct error e = {0};
    int status = parse(&o, "trace check", argc, argv, TAKES_WIDTH, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(check_help);
    struct program *p = open_program(&o, &status);
    if (!p) return status;
    print_warnings(p);
    if (program_verify(p, &e))
        printf("%s: whole: %u launches\n", program_name(p), program_launches(p));
    else
        status = cli_fail(&e);
    program_close(p);
    return status;
}

/* --- import, generate, export --- */

static const char import_help[] =
    "Usage: plumb trace import DIRECTORY -o FILE.plt\n\n"
    "Packs a directory of Accel-Sim traces (kernelslist.g, *.traceg plain or packed with xz, gzip\n"
    "or zstd) into one file.\n";

static const char generate_help[] =
    "Usage: plumb trace generate CONFIG.cfg -o FILE.plt [--width 32|64]\n\n"
    "Writes what a generator makes into a file.  Commands that take a PROGRAM take the .cfg "
    "itself\n"
    "just as well.\n";

static int report_written(const char *path)
{
    struct error e = {0};
    struct program *p = program_open(path, NULL, &e);
    if (!p) return cli_fail(&e);
    uint64_t n = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        n += program_launch(p, i)->warp_instructions;
    print_warnings(p);
    printf("%s: %u launches, %" PRIu64 " warp instructions, %" PRIu64 " bytes\n", path,
           program_launches(p), n, program_stored_bytes(p));
    program_close(p);
    return EXIT_OK;
}

static int import(int argc, char **argv)
{
    struct options o;
    struct error e = {0};
    int status = parse(&o, "trace import", argc, argv, TAKES_OUTPUT, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(import_help);
    if (!o.output) return cli_usage("trace import", "-o FILE.plt is missing");
    return accelsim_import(o.word[0], o.output, &e) ? report_written(o.output) : cli_fail(&e);
}

static int generate(int argc, char **argv)
{
    struct options o;
    struct error e = {0};
    int status = parse(&o, "trace generate", argc, argv, TAKES_OUTPUT | TAKES_WIDTH, 1);
    if (status != EXIT_OK) return status;
    if (o.help) return say(generate_help);
    if (!o.output) return cli_usage("trace generate", "-o FILE.plt is missing");
    struct program *p = open_program(&o, &status);
    if (!p) return status;
    bool ok = program_repack(p, o.output, program_note(p), &e);
    program_close(p);
    return ok ? report_written(o.output) : cli_fail(&e);
}

static const char export_help[] =
    "Usage: plumb trace export PROGRAM DIRECTORY [--lossy]\n\n"
    "Writes a program as a directory of Accel-Sim traces.  Programs that came from there go back\n"
    "without loss; for others --lossy is needed, and what the format cannot hold is named.\n";

static void print_losses(const char *lost)
{
    while (*lost) {
        int n = (int)strcspn(lost, "\n");
        fprintf(stderr, "plumb: lost: %.*s\n", n, lost);
        lost += n + (lost[n] == '\n');
    }
}

static int export(int argc, char **argv)
{
    struct options o;
    struct error e = {0};
    struct text lost = {0};
    int status = parse(&o, "trace export", argc, argv, TAKES_LOSSY, 2);
    if (status != EXIT_OK) return status;
    if (o.help) return say(export_help);
    o.width = 32; /* the format has no other */
    struct program *p = open_program(&o, &status);
    if (!p) return status;
    bool ok = accelsim_export(p, o.word[1], o.lossy, &lost, &e);
    if (ok) print_losses(text_str(&lost));
    if (!ok) status = cli_fail(&e);
    text_fini(&lost);
    program_close(p);
    return status;
}

static const char trace_help[] =
    "Usage: plumb trace COMMAND ...\n\n"
    "  info PROGRAM                  what it consists of, kernel by kernel\n"
    "  check PROGRAM                 read everything, compare with checksums and counts\n"
    "  import DIRECTORY -o FILE.plt  pack Accel-Sim traces\n"
    "  export PROGRAM DIRECTORY      write as Accel-Sim traces\n"
    "  generate FILE.cfg -o FILE.plt write what a generator makes\n"
    "  capture -o FILE.plt -- APP    run an OpenCL program and record it\n"
    "  suite [NAME]                  capture the programs of a suite\n\n"
    "plumb trace COMMAND --help says more.\n";

int cmd_trace(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int, char **);
    } commands[] = {{"info", info},     {"check", check},       {"import", import},
                    {"export", export}, {"generate", generate}, {"capture", cmd_trace_capture},
                    {"suite", cmd_trace_suite}};
    enum { N = sizeof commands / sizeof *commands };
    const char *names[N];
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(trace_help, argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_INPUT : EXIT_OK;
    }
    for (unsigned i = 0; i < N; i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], names[i]) == 0) return commands[i].run(argc - 1, argv + 1);
    }
    const char *closest = text_closest(argv[1], names, N);
    if (closest)
        return cli_usage("trace", "there is no command %s; did you mean %s", argv[1], closest);
    return cli_usage("trace", "there is no command %s", argv[1]);
}
