/* main.c - plumb's front door: finds the subcommand and catches the signals that ask to stop. */
#include "base/mem.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *meaning;
} commands[] = {
    {"estimate", cmd_estimate, "MACHINE PROGRAM...", "the instant answer of a queueing model"},
    {"sample", cmd_sample, "MACHINE PROGRAM...", "intervals of the cycle model, with confidence"},
    {"simulate", cmd_simulate, "MACHINE PROGRAM...", "the cycle model over the whole program"},
    {"compare", cmd_compare, "MACHINE PROGRAM... --vs PATH=VALUE",
     "two machines, and why they differ"},
    {"calibrate", cmd_calibrate, "SWEEP | MACHINE PROGRAM... -o FILE.cal",
     "teaches the estimator by sampled runs"},
    {"sweep", cmd_sweep, "run|status|export|check|... SWEEP", "many machines, resumable"},
    {"report", cmd_report, "RESULTS.db -o FILE.html", "a sweep as a page for a browser"},
    {"trace", cmd_trace, "info|profile|capture|suite|check|...",
     "programs and where they come from"},
    {"program", cmd_program, "list", "the programs that come with plumb"},
    {"machine", cmd_machine, "list|show|params|check|diff", "machines and their parameters"},
    {"metrics", cmd_metrics, "", "names, units and formulas of all results"},
    {"energy", cmd_energy, "show MACHINE|STRUCTURE | import FILE",
     "what an access costs, and where the figure is from"},
    {"dram", cmd_dram, "PARAMSET --pattern P --gap N --requests N", "the memory alone"},
};
enum { HEAP_BYTES = 64 << 20 }; /* what a machine of 80 SMs takes, and more */
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int help(void)
{
    printf("plumb " PLUMB_VERSION " - what would this GPU memory system do with this program?\n\n"
           "Usage: plumb COMMAND ...\n\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s %-44s %s\n", commands[i].name, commands[i].usage, commands[i].meaning);
    printf(
        "\nMACHINE is a preset ('plumb machine list') or a file; PROGRAM is a .plt, a generator's\n"
        ".cfg, a directory with kernelslist.g, or suite:NAME.\n"
        "'plumb COMMAND --help' says more.  Exit status: 0 done, 1 a run failed, 2 the input is\n"
        "wrong, 130 interrupted.\n");
    return EXIT_OK;
}

/* The second one kills, unless it comes at once: timeout(1) and batch systems signal the process
 * and then its whole group, on a busy host a good while later. */
static void ask_to_stop(int sig)
{
    static volatile double asked;
    const double at_once = 2;
    double now = clock_seconds();
    if (!plumb_interrupted) asked = now;
    plumb_interrupted = true;
    if (now - asked < at_once) return;
    signal(sig, SIG_DFL);
    raise(sig);
}

static int unknown(const char *word)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *closest = text_closest(word, names, COMMANDS);
    fprintf(stderr, "plumb: no command %s%s%s%s; see 'plumb --help'\n", word,
            closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
    return EXIT_INPUT;
}

static int run(int argc, char **argv)
{
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("plumb " PLUMB_VERSION "\n");
        return EXIT_OK;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    return unknown(argv[1]);
}

/* What was printed without asking whether it could be: a full disk is a failed run. */
static int written(int status)
{
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    if (ok || status != EXIT_OK) return status;
    fprintf(stderr, "plumb: standard output: cannot be written (disk full?)\n");
    return EXIT_RUN_FAILED;
}

int main(int argc, char **argv)
{
    signal(SIGINT, ask_to_stop);
    signal(SIGTERM, ask_to_stop);
    mem_large_pages(HEAP_BYTES);
    if (argc < 2) {
        fprintf(stderr, "plumb: no command; see 'plumb --help'\n");
        return EXIT_INPUT;
    }
    return written(run(argc, argv));
}
