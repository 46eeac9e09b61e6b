/* anchors.c - see anchors.h. */
#include "cli/run/anchors.h"

#include "cli/command/cli.h"
#include "cli/parse/file_kinds.h"
#include "engine/anchor.h"
#include "engine/bank_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool anchors_count(const struct args *a, uint32_t most, uint32_t *n)
{
    const char *text = a->anchor ? a->anchor : "1";
    char *end;
    unsigned long v = strtoul(text, &end, 10);
    *n = (uint32_t)v;
    if (strcmp(text, "none") == 0) return true;
    if (text[0] >= '1' && text[0] <= '9' && !*end && v <= most) return true;
    cli_usage(a->command, "--anchor %s: expected none or a number of machines up to %u", text,
              most);
    return false;
}

/* Keeps anchors in memory where the user has no bank. */
static bool have_bank(struct args *a, struct error *e)
{
    const struct bank_versions versions = bank_record_versions();
    if (!a->opts.bank) a->opts.bank = bank_open(NULL, BANK_MEMORY, &versions, e);
    return a->opts.bank != NULL;
}

/* *known: a calibration has runs of the program. */
static bool is_calibrated(const struct args *a, const plumb_machine *machine,
                          const struct program *p, bool *known, struct error *e)
{
    const struct calibration_set *set = libplumb_calibrations(machine, a->cal, e);
    if (!set) return false;
    *known = calibration_knows(calibration_set_for(set, &machine->m), program_digest(p));
    return true;
}

static void say_anchor(const struct args *a, const struct anchor *anchor,
                       const plumb_machine *machine, const struct program *p)
{
    if (a->verbosity < 0) return;
    cli_say("anchor: plumb %s %s on %s, %" PRIu64
            " warp instructions (--anchor none leaves it out)",
            anchor->engine == ENGINE_SAMPLE ? "samples" : "simulates", program_name(p),
            machine->m.name, anchor->instructions);
}

/* Nobody asked for it, and it would take minutes. */
static void say_dear(const struct args *a, const struct anchor *anchor,
                     const plumb_machine *machine, const struct program *p)
{
    if (a->verbosity < 0) return;
    cli_say("anchor: none of %s on %s: a run would cost as much as %" PRIu64
            " simulated warp instructions (--anchor 1 makes it)",
            program_name(p), machine->m.name, anchor->price);
}

static bool make_anchor(struct args *a, const plumb_machine *machine, const struct program *p,
                        struct error *e)
{
    struct anchor anchor;
    bool known;
    if (!is_calibrated(a, machine, p, &known, e)) return false;
    if (known) return true;
    anchor_find(&machine->m, p, &a->opts, &anchor);
    if (anchor.known) return true;
    if (!a->anchor && anchor_is_dear(&anchor)) {
        say_dear(a, &anchor, machine, p);
        return true;
    }
    say_anchor(a, &anchor, machine, p);
    return anchor_make(&anchor, &machine->m, p, &a->opts, e);
}

bool anchors_make(struct args *a, const plumb_machine *const *machine, uint32_t n, const char *spec,
                  struct error *e)
{
    const struct run_opts *o = &a->opts;
    if (!n || o->launches || o->kernel_name || o->max_instructions) return true;
    if (!file_kinds_is_program(spec, e) || !have_bank(a, e)) return false;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        plumb_program *p = libplumb_program_open(spec, machine[i], a->allow_unknown, e);
        ok = p && make_anchor(a, machine[i], p->p, e);
        plumb_program_close(p);
    }
    return ok;
}
