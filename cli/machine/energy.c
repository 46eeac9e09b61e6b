/* energy.c - `plumb energy`: prints the energy of accesses with its sources, and imports tables. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "cli/command/cli.h"
#include "cli/machine/energy_machine.h"
#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "gpu/energy/cacti_import.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct energy_options {
    struct args args;
    const char *table, *access;
    uint32_t ways, line, sector, tech;
    uint64_t bytes, entries;
};

static enum sram_mode mode_of(const struct energy_options *o)
{
    bool normal = o->access && strcmp(o->access, sram_mode_name[SRAM_NORMAL]) == 0;
    return normal ? SRAM_NORMAL : SRAM_SEQUENTIAL;
}

static int print_table(const struct energy_options *o, const char *head, const char *name,
                       const struct shown *shown, uint32_t n, const struct per_event *per)
{
    struct text out = {0};
    if (o->args.format == FORMAT_JSON)
        energy_report_json(&out, head, name, shown, n, per);
    else
        energy_report_table(&out, shown, n, per);
    if (o->args.format != FORMAT_JSON && !o->args.output) terminal_hang(&out, 13);
    int status = cli_output(&out, o->args.output);
    text_fini(&out);
    return status;
}

/* ---- a machine ---- */

static int show_costs(const struct energy_options *o, const struct machine *m)
{
    struct error e;
    struct energy_costs c;
    struct machine_shown all;
    const struct sram_tables *t = sram_tables(m->energy.table, &e);
    const struct part_pointers parts = machine_part_pointers(m);
    if (!t || !energy_costs(&c, &parts, &e)) return cli_fail(&e);
    energy_of_machine(&all, &c, m, t);
    return print_table(o, "machine", m->name, all.shown, all.n, &all.per_event);
}

static int show_machine(const struct energy_options *o, const char *spec)
{
    struct machine m;
    struct errors all = {0};
    struct error e;
    if (o->bytes || o->entries || o->ways || o->line || o->sector || o->table)
        return cli_usage("energy show",
                         "%s: a machine says what it has; of the options that describe it"
                         " --set alone is allowed",
                         spec);
    bool ok = machine_load(&m, spec, o->args.set, o->args.n_sets, &all);
    if (!ok) cli_fail_all(&all);
    errors_fini(&all);
    if (!ok) return EXIT_INPUT;
    if (m.energy.model == ENERGY_TABLES) return show_costs(o, &m);
    error_input(&e, "%s: energy.model is none; tables is allowed", spec);
    return cli_fail(&e);
}

/* ---- one structure ---- */

static const struct per_event none;

static bool has_row(const struct sram_table *t, const char *structure, const struct sram_row **row)
{
    for (uint32_t i = 0; i < t->n; i++) {
        *row = &t->row[i];
        if (strcmp(t->row[i].key.structure, structure) == 0) return true;
    }
    return false;
}

static bool with_bytes(struct energy_options *o)
{
    if ((o->bytes != 0) == (o->entries != 0)) {
        cli_usage("energy show", "a structure needs either --bytes or --entries");
        return false;
    }
    if (!o->bytes) o->bytes = o->entries * o->line;
    return true;
}

static int show_cache(struct energy_options *o, const struct sram_tables *t, const char *name)
{
    struct error e;
    struct sram_cache_figures f;
    bool frc = strcmp(name, "frc") == 0;
    if (!o->line) o->line = 64;
    if (!o->sector) o->sector = o->line;
    if (o->sector > o->line)
        return cli_usage("energy show", "--sector %u: a line of %u bytes holds less", o->sector,
                         o->line);
    if (!with_bytes(o)) return EXIT_INPUT;
    if (!o->ways) o->ways = frc ? 8 : 16;
    if ((uint64_t)o->ways * o->line > o->bytes) o->ways = (uint32_t)(o->bytes / o->line);
    const struct sram_cache c = {.tech_nm = o->tech,
                                 .line_bytes = o->line,
                                 .sector_bytes = o->sector,
                                 .ways = o->ways,
                                 .bytes = o->bytes,
                                 .mode = mode_of(o)};
    if (!sram_cache_figures(t, &c, &f, &e)) return cli_fail(&e);
    const struct shown s = energy_report_cache(name, 1, &c, &f);
    return print_table(o, "structure", name, &s, 1, &none);
}

static int show_row(struct energy_options *o, const struct sram_tables *t, const char *name,
                    const struct sram_row *like)
{
    struct error e;
    struct sram_figures f;
    struct sram_key key = like->key;
    if (!o->line) o->line = key.line_bytes;
    if (!with_bytes(o)) return EXIT_INPUT;
    key.tech_nm = o->tech, key.line_bytes = o->line, key.bytes = o->bytes;
    if (!sram_find(t, &key, &f, &e)) return cli_fail(&e);
    const struct shown s = energy_report_ram(name, 1, &key, &f);
    return print_table(o, "structure", name, &s, 1, &none);
}

static int show_energy(struct energy_options *o, const char *word)
{
    struct error e;
    const struct sram_row *row;
    const struct sram_tables *t = sram_tables(o->table ? o->table : "caches", &e);
    if (!t) return cli_fail(&e);
    if (strcmp(word, "cache") == 0 || strcmp(word, "frc") == 0) return show_cache(o, t, word);
    const char *structure = strcmp(word, "mshr") == 0 ? "mshr_fa" : word;
    if (has_row(&t->rams, structure, &row)) return show_row(o, t, structure, row);
    return show_machine(o, word);
}

/* ---- import ---- */

static int import_table(struct energy_options *o, const char *file)
{
    struct error e;
    struct sram_table t;
    struct text out = {0};
    char *text;
    size_t n;
    const struct import_options how = {.structure = "cache", .mode = mode_of(o)};
    if (!cli_can_write(o->args.output)) return EXIT_RUN_FAILED;
    if (!file_read(file, &text, &n, &e)) return cli_fail(&e);
    bool ok = cacti_import(&t, file, text, &how, &e);
    mem_free(text);
    if (!ok) return cli_fail(&e);
    sram_table_write(&t, &out);
    int status = cli_output(&out, o->args.output);
    text_fini(&out);
    sram_table_fini(&t);
    return status;
}

/* ---- the table ---- */

static int run_show(struct args *a)
{
    if (a->n_words != 1) return cli_usage(a->command, "needs one MACHINE or STRUCTURE");
    return show_energy((struct energy_options *)a, a->word[0]);
}

static int run_import(struct args *a)
{
    if (a->n_words != 1) return cli_usage(a->command, "needs one FILE");
    return import_table((struct energy_options *)a, a->word[0]);
}

static const struct energy_options start = {.tech = 32};

enum { SMALL_MOST = 1 << 20 };
#define AT(member) offsetof(struct energy_options, member)
#define ACCESS(MEANING)                                                                      \
    {                                                                                        \
        .name = "access", .value = "MODE", .meaning = MEANING, .words = "sequential normal", \
        .read = option_text, .at = AT(access)                                                \
    }

static const struct cli_option show_options[] = {
    {.name = "bytes",
     .value = "N",
     .meaning = "capacity",
     .read = option_whole,
     .at = AT(bytes),
     .low = 1,
     .high = UINT64_C(1) << 40},
    {.name = "entries",
     .value = "N",
     .meaning = "instead of --bytes: lines (mshr and cam64b: entries of 8 bytes)",
     .read = option_whole,
     .at = AT(entries),
     .low = 1,
     .high = SMALL_MOST},
    OPTION_COUNT("ways", "N", AT(ways), 1, SMALL_MOST,
                 "of a cache (16), of an frc (8); all lines: fully associative"),
    OPTION_COUNT("line", "N", AT(line), 1, SMALL_MOST,
                 "bytes of a line (64; of a structure of ram.csv as in its name)"),
    OPTION_COUNT("sector", "N", AT(sector), 1, SMALL_MOST, "bytes of an access (a line)"),
    OPTION_COUNT("tech", "N", AT(tech), 1, SMALL_MOST, "nm (32)"),
    ACCESS("sequential: the data after the tags (default); normal: both at once"),
    {.name = "table",
     .value = "NAME",
     .meaning = "of caches, as energy.table",
     .read = option_text,
     .at = AT(table)},
    OPTION_SET("a parameter of the MACHINE; may be repeated, the last one wins"),
    OPTION_JSON("one JSON object"),
    OPTION_STDOUT,
};

static const struct cli_option import_options[] = {
    ACCESS("how the imported caches look up: sequential (default), normal"),
    OPTION_OUTPUT("TABLE.csv", "instead of standard output"),
};

static const struct cli_command command_show = {
    .name = "energy show",
    .usage = "MACHINE [--set PATH=VALUE]... [--json] [-o FILE]\n"
             "STRUCTURE --bytes N [OPTION]... [--json] [-o FILE]",
    .meaning = "what an access to each structure costs",
    .text = "Prints energy per access, leakage and area of each structure, and the table entries "
            "that they are from.  STRUCTURE is cache, frc, mshr, or a structure of "
            "configs/tables/ram.csv (rf_128B_1rw, fifo_8B_1r1w, cam64b ...).",
    .run = run_show,
    .size = sizeof start,
    .start = &start,
    .first = COMPLETES_ENERGY,
    CLI_OPTIONS(show_options),
};

static const struct cli_command command_import = {
    .name = "energy import",
    .usage = "FILE [-o TABLE.csv]",
    .meaning = "a table from CACTI's out.csv",
    .text =
        "Checks CACTI's out.csv, or a table with the columns of configs/tables, and writes it as a "
        "table.  Put the table into a configs/tables folder of $PLUMB_CONFIG_PATH (or give "
        "its path) and set energy.table.",
    .run = run_import,
    .size = sizeof start,
    .start = &start,
    .first = COMPLETES_FILE,
    CLI_OPTIONS(import_options),
};

static const struct cli_command *const subcommands[] = {&command_show, &command_import, NULL};

const struct cli_command command_energy = {
    .name = "energy",
    .usage = "show|import ...",
    .meaning = "what an access costs, and where the figure is from",
    .sub = subcommands,
};
