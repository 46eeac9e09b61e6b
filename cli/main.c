/* main.c - the main function: finds the subcommand and handles the signals that ask it to stop. */
#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "cli/command/cli.h"
#include "cli/help/help.h"
#include "cli/help/version.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* A second signal kills, unless it follows within two seconds: timeout(1) and batch systems signal
 * the process and then its whole group, on a busy host a good while later. */
static void ask_to_stop(int sig)
{
    static volatile double asked;
    const double at_once = 2;
    double now = progress_clock_seconds();
    if (!plumb_interrupted) asked = now;
    plumb_interrupted = true;
    if (now - asked < at_once) return;
    signal(sig, SIG_DFL);
    raise(sig);
}

static int run(int argc, char **argv)
{
    const char *word = argv[1];
    if (strcmp(word, "help") == 0) return help_run(argc - 1, argv + 1);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return help_run(1, argv);
    if (strcmp(word, "--version") == 0) {
        version_print();
        return EXIT_OK;
    }
    const struct cli_command *c = command_find(commands, word);
    return c ? command_start(c, argc - 1, argv + 1) : command_unknown(word, false);
}

/* Reports output that could not be written: a full disk is a failed run. */
static int flush_output(int status)
{
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    if (ok || status != EXIT_OK) return status;
    cli_say("standard output: cannot be written (disk full?)");
    return EXIT_RUN_FAILED;
}

int main(int argc, char **argv)
{
    signal(SIGINT, ask_to_stop);
    signal(SIGTERM, ask_to_stop);
    if (signal(SIGHUP, ask_to_stop) == SIG_IGN) signal(SIGHUP, SIG_IGN); /* nohup ignores SIGHUP */
    if (argc < 2) {
        cli_say("no command, such as 'plumb estimate rx540 fwt'; see 'plumb --help'");
        return EXIT_INPUT;
    }
    return flush_output(run(argc, argv));
}
