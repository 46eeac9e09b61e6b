/* machine_new.c - see machine_new.h. */
#include "cli/machine/machine_new.h"

#include "cli/parse/args.h"
#include "cli/print/output.h"
#include "gpu/machine/sheet/sheet.h"

#include <stdlib.h>
#include <string.h>

struct new_machine {
    struct args args; /* first, see command.h */
    const char *like, *memory;
    const char *sms, *clock, *base_clock, *l1, *shared, *l2, *gbps, *stream, *tflops, *matrix, *gb;
};
#define NEW(member) offsetof(struct new_machine, member)

/* false: a usage error was printed. */
static bool read_number(const char *option, const char *text, double *v)
{
    char *end;
    *v = text ? strtod(text, &end) : 0;
    if (!text || (end != text && !*end && *v > 0 && *v < 1e9)) return true;
    cli_usage("machine new", "--%s %s: expected a number above 0, without a unit", option, text);
    return false;
}

static bool read_sheet(const struct new_machine *n, struct card_sheet *s)
{
    *s = (struct card_sheet){.name = n->args.word[0], .like = n->like, .memory = n->memory};
    return read_number("sms", n->sms, &s->sms) && read_number("clock", n->clock, &s->core_mhz) &&
           read_number("base-clock", n->base_clock, &s->base_mhz) &&
           read_number("l1", n->l1, &s->l1_kb) && read_number("shared", n->shared, &s->shared_kb) &&
           read_number("l2", n->l2, &s->l2_mb) && read_number("gbps", n->gbps, &s->gbps) &&
           read_number("stream-gbps", n->stream, &s->stream_gbps) &&
           read_number("tflops", n->tflops, &s->tflops) &&
           read_number("matrix-tflops", n->matrix, &s->matrix_tflops) &&
           read_number("gb", n->gb, &s->memory_gb);
}

static bool is_name(const char *s)
{
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
                     strlen(s);
}

/* The report goes to standard error, so that the machine can go to a pipe. */
static int make_machine(struct args *a)
{
    const struct new_machine *n = (struct new_machine *)a;
    struct card_sheet sheet;
    struct card_made made;
    struct errors all = {0};
    if (a->n_words != 1) return cli_usage("machine new", "expected one NAME for the new machine");
    if (!is_name(a->word[0]))
        return cli_usage("machine new", "%s: a name has letters, digits, '-', '_' and '.'",
                         a->word[0]);
    if (!n->like)
        return cli_usage("machine new", "say --like CARD: whose values stand for what the data "
                                        "sheet does not say ('plumb machine list')");
    if (!read_sheet(n, &sheet)) return EXIT_INPUT;
    bool ok = card_sheet_make(&sheet, &made, &all);
    int status = ok ? cli_output(&made.file, a->output) : cli_fail_all(&all);
    if (ok && status == EXIT_OK && a->verbosity >= 0)
        cli_write(true, text_str(&made.report), made.report.len);
    card_made_fini(&made);
    errors_fini(&all);
    return status;
}

#define SHEET_OPTION(NAME, VALUE, AT, MEANING)                                               \
    {                                                                                        \
        .name = NAME, .value = VALUE, .meaning = MEANING, .read = option_text, .at = NEW(AT) \
    }

static const struct cli_option new_options[] = {
    SHEET_OPTION("like", "CARD", like, "the card that all other values are taken from"),
    SHEET_OPTION("sms", "N", sms, "SMs or compute units"),
    SHEET_OPTION("clock", "MHZ", clock, "of the core under load: as a rule the boost clock"),
    SHEET_OPTION("base-clock", "MHZ", base_clock,
                 "of a card that its power limit holds below the boost clock --clock: the machine "
                 "has the geometric mean of both"),
    SHEET_OPTION(
        "memory", "KIND:CHANNELSxGBIT@RATE", memory,
        "such as gddr6:12x8gbit@18: 12 channels (of 16 bits; HBM's have 128 or 64) of 8 Gbit "
        "(a 16-Gbit GDDR6 chip has two of 8), whose pins carry 18 Gb/s"),
    SHEET_OPTION("l2", "MB", l2, "of the whole card"),
    SHEET_OPTION("l1", "KB", l1,
                 "of an SM: L1 and shared memory together, or with --shared the L1"),
    SHEET_OPTION("shared", "KB", shared, "of an SM whose shared memory is apart from its L1"),
    SHEET_OPTION("gbps", "N", gbps, "GB/s of the memory, to compare"),
    SHEET_OPTION("stream-gbps", "N", stream,
                 "GB/s that streams were measured to reach: the share of its peak that the memory "
                 "delivers"),
    SHEET_OPTION("gb", "N", gb, "GB of memory, to compare"),
    SHEET_OPTION("tflops", "N", tflops,
                 "TFLOP/s in FP32: half or twice the other card's rate sets the lanes of an SM"),
    SHEET_OPTION(
        "matrix-tflops", "N", matrix,
        "TFLOP/s of the matrix units, dense, FP16 with sums of FP32: half or twice the other "
        "card's rate sets theirs"),
    OPTION_STDOUT,
    OPTION_QUIET("do not print the derived figures"),
};

const struct cli_command command_machine_new = {
    .name = "machine new",
    .usage = "NAME --like CARD [--sms N] [--clock MHZ [--base-clock MHZ]] "
             "[--memory KIND:CHANNELSxGBIT@RATE] [--l2 MB] [--l1 KB [--shared KB]] [--gbps N] "
             "[--gb N] [--tflops N] [--matrix-tflops N] [--stream-gbps N] [-o FILE.cfg]",
    .meaning = "a card that nobody measured, from its data sheet",
    .text =
        "Writes a machine file from the figures of a card's data sheet and the figures that follow "
        "from them.  All other values are those of a similar card.  Prints on standard error the "
        "derived figures beside the data sheet's, the inherited values with their grade of "
        "evidence, and likely mistakes.  docs/guide/machines.md has an example.",
    .run = make_machine,
    .size = sizeof(struct new_machine),
    CLI_OPTIONS(new_options)};
