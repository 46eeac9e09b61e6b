/* machine_check.c - `plumb machine check`: every fault of machine files, what follows from those
 * that load, and what is doubted of them. */
#include "cli/machine/machine_check.h"

#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/parse/file_kinds.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "detailed/core/memory_need.h"

#include <string.h>

bool machine_check_loads(struct machine *m, struct machine_evidence *ev, const char *spec,
                         const struct args *args)
{
    struct errors all = {0};
    bool ok = machine_load_evidence(m, ev, spec, args->set, args->n_sets, &all);
    if (!ok) cli_fail_all(&all);
    errors_fini(&all);
    return ok;
}

static bool has_tables(const struct machine *m, const char *spec)
{
    struct errors all = {0};
    bool ok = cli_energy_table(m, spec, &all);
    if (!ok) cli_fail_all(&all);
    errors_fini(&all);
    return ok;
}

static bool has_room(const struct machine *m)
{
    struct error e = {0};
    bool ok = memory_suffices(m, &e);
    if (!ok) cli_fail(&e);
    return ok;
}

/* What the reader should know of a machine that loads: its base has moved, its evidence is of
 * another. */
static void check_notes(const struct machine *m, const struct machine_evidence *ev,
                        void (*put)(const char *kind, const char *text, void *to), void *to)
{
    struct text evidence = {0};
    machine_evidence_note(ev, &evidence);
    if (m->moved[0]) put("warning", m->moved, to);
    if (evidence.len) put("note", text_str(&evidence), to);
    text_fini(&evidence);
}

static void note_text(const char *kind, const char *text, void *to)
{
    text_add(to, "  %s: ", kind);
    text_add_shown(to, "%s", text);
    text_add(to, "\n");
}

static void note_json(const char *kind, const char *text, void *to)
{
    (void)kind;
    json_string(to, text);
}

static void check_text(const struct machine *m, const struct machine_evidence *ev, const char *spec,
                       struct text *out)
{
    struct machine_oddity doubt[MACHINE_ODDITIES_MAX];
    uint32_t doubts = machine_oddities(m, doubt);
    text_add_shown(out, "%s", spec);
    text_add(out, ": %s; a simulation needs %.3g MB of memory\n",
             doubts ? "loads, but no DRAM does what it says" : "fine",
             (double)memory_need(m) / 1e6);
    if (m->preset[0])
        text_add(out, "  %s %s, version %u\n", strcmp(m->preset, m->name) ? "on preset" : "preset",
                 m->preset, m->preset_version);
    check_notes(m, ev, note_text, out);
    machine_figures(m, "  ", out);
}

static void check_json(const struct machine *m, const struct machine_evidence *ev, const char *spec,
                       struct json *j)
{
    json_object(j);
    json_string(json_key(j, "file"), spec);
    json_string(json_key(j, "machine"), m->name);
    if (m->preset[0]) {
        json_string(json_key(j, "preset"), m->preset);
        json_integer(json_key(j, "preset_version"), m->preset_version);
    }
    json_number(json_key(j, "simulation_mb"), (double)memory_need(m) / 1e6);
    json_array(json_key(j, "warnings"));
    check_notes(m, ev, note_json, j);
    json_end(j);
    machine_figures_json(m, j);
    json_end(j);
}

int machine_check_run(struct args *args)
{
    bool as_json = args->format == FORMAT_JSON;
    int status = EXIT_OK;
    struct text out = {0};
    struct json j;
    if (args->n_words == 0) return cli_usage("machine check", "check takes at least one file");
    json_init(&j, &out);
    if (as_json) json_array(&j);
    for (uint32_t i = 0; i < args->n_words; i++) {
        struct machine m;
        struct machine_evidence ev = {0};
        const char *spec = args->word[i];
        if (!file_kinds_is_machine("machine check", spec) ||
            !machine_check_loads(&m, &ev, spec, args) || !has_tables(&m, spec) || !has_room(&m))
            status = EXIT_INPUT;
        else if (as_json)
            check_json(&m, &ev, spec, &j);
        else
            check_text(&m, &ev, spec, &out);
        machine_evidence_fini(&ev);
    }
    if (as_json)
        json_end(&j);
    else
        terminal_hang(&out, 4);
    int printed = cli_output(&out, NULL);
    text_fini(&out);
    return status ? status : printed;
}
