/* bank_option.c - see bank_option.h. */
#include "cli/parse/bank_option.h"

#include "base/memory/alloc.h"
#include "calibration/bank/bank_place.h"
#include "cli/command/cli.h"
#include "engine/bank_record.h"

#include <string.h>

/* Whether the command may leave runs: a bank is made for them. */
static bool leaves_runs(const struct cli_command *c)
{
    if (strcmp(c->name, "estimate") == 0) return false;
    return strcmp(c->name, "estimate") != 0;
}

void bank_option_open(struct args *a, const struct cli_command *c)
{
    struct error e = {0};
    char *path = NULL;
    if (!command_option(c, "bank") || strncmp(c->name, "bank ", 5) == 0) return;
    const struct bank_versions versions = bank_record_versions();
    if (bank_place(a->bank, &path, &e) && path)
        a->opts.bank = bank_open(path, leaves_runs(c) ? BANK_MAKE : BANK_IF_THERE, &versions, &e);
    if (e.kind != ERROR_NONE && a->verbosity >= 0) cli_say("warning: %s", e.text);
    mem_free(path);
}

bool bank_option_is_on(const struct args *a)
{
    struct error e;
    char *path = NULL;
    bool on = bank_place(a->bank, &path, &e) && path;
    mem_free(path);
    return on;
}

void bank_option_close(struct args *a)
{
    struct bank *b = a->opts.bank;
    if (b && bank_trouble(b)[0] && a->verbosity >= 0) cli_say("warning: %s", bank_trouble(b));
    bank_close(b);
    a->opts.bank = NULL;
}
