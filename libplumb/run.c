/* run.c - the three engines and their answers; see plumb.h. */
#include "libplumb/handles.h"

#include "base/memory/alloc.h"
#include "base/text/version.h"
#include "engine/bank_recall.h"
#include "engine/difference.h"

#include <string.h>

const char *plumb_version(void)
{
    return PLUMB_VERSION;
}

void plumb_stop(int stop)
{
    plumb_interrupted = stop != 0;
}

/* --- runs --- */

/* Engines expect warps of the program's width. */
static bool same_width(const plumb_machine *machine, const plumb_program *program, struct error *e)
{
    uint32_t width = program_launches(program->p) ? program_launch(program->p, 0)->warp_width : 0;
    return !width || width == machine->m.sm.warp_width ||
           error_input(e, "%s was opened for warps of %u lanes; %s has %u",
                       program_name(program->p), width, machine->m.name, machine->m.sm.warp_width);
}

/* What corrects estimates: the calibrations of a machine, and what the bank has of the program. */
struct knowledge {
    const struct calibration *use;
    struct calibration recalled; /* the caller calls calibration_fini */
};

static bool find_knowledge(const plumb_machine *machine, const plumb_program *program,
                           const char *cal, const struct run_opts *o, struct knowledge *k,
                           struct error *e)
{
    const struct program *p = program->p;
    bool ready = false;
    k->recalled = (struct calibration){.n = 0};
    const struct calibration_set *set = libplumb_calibrations(machine, cal, e);
    if (!set) return false;
    k->use = calibration_set_for(set, &machine->m);
    if (!o->bank) return true;
    if (!bank_recall(o->bank, k->use, set->ranges, &machine->m, &p, 1, o, &k->recalled, &ready, e))
        return false;
    if (ready) k->use = &k->recalled;
    return true;
}

bool libplumb_run(enum engine engine, const plumb_machine *machine, plumb_program *program,
                  const char *cal, const struct run_opts *o, struct answer *a, struct error *e)
{
    struct knowledge k = {.use = NULL};
    struct run_opts own = *o;
    own.profiles = &program->profiles;
    if (!same_width(machine, program, e)) return false;
    if (engine != ENGINE_ESTIMATE) own.bank = NULL; /* the others only check the calibration */
    bool ok =
        (engine != ENGINE_ESTIMATE && !cal) || find_knowledge(machine, program, cal, &own, &k, e);
    own.bank = o->bank;
    ok = ok && engine_run(engine, &machine->m, program->p, k.use, NULL, &own, a, e);
    calibration_fini(&k.recalled);
    return ok;
}

static void free_answer(plumb_answer *answer)
{
    if (!answer) return;
    answer_fini(&answer->a);
    text_fini(&answer->json);
    settings_fini(&answer->set);
    mem_free(answer);
}

static plumb_answer *fail(plumb_answer *answer, struct error *e)
{
    if (e->kind == ERROR_NONE) error_no_memory(e);
    last_error_set(e);
    free_answer(answer);
    return NULL;
}

/* An answer names the settings of its machine and may outlive it. */
static bool name_settings(plumb_answer *answer, const plumb_machine *machine)
{
    if (!settings_copy(&answer->set, &machine->set, NULL, 0)) return false;
    answer->a.set = (const char *const *)answer->set.text;
    answer->a.n_sets = answer->set.n;
    return true;
}

static plumb_answer *run(enum engine engine, const plumb_machine *machine, plumb_program *program,
                         const struct plumb_options *options)
{
    PLAIN_LOCALE;
    struct run_opts o;
    const char *cal, *bank;
    struct error e = {0}, none = {0};
    if (!handle_is(machine, HANDLE_MACHINE) || !handle_is(program, HANDLE_PROGRAM)) return NULL;
    plumb_answer *out = mem_new(1, sizeof *out);
    bool ok = out && libplumb_options(options, &o, &cal, &bank, &e);
    if (ok) {
        o.bank = libplumb_bank_open(bank, engine, &none);
        ok = libplumb_run(engine, machine, program, cal, &o, &out->a, &e);
        libplumb_bank_close(o.bank, &none, &out->a);
    }
    ok = ok && name_settings(out, machine) && handle_open(out, HANDLE_ANSWER);
    return ok ? out : fail(out, &e);
}

plumb_answer *plumb_estimate(const plumb_machine *machine, plumb_program *program,
                             const struct plumb_options *options)
{
    return run(ENGINE_ESTIMATE, machine, program, options);
}

plumb_answer *plumb_sample(const plumb_machine *machine, plumb_program *program,
                           const struct plumb_options *options)
{
    return run(ENGINE_SAMPLE, machine, program, options);
}

plumb_answer *plumb_simulate(const plumb_machine *machine, plumb_program *program,
                             const struct plumb_options *options)
{
    return run(ENGINE_SIMULATE, machine, program, options);
}

bool libplumb_ratio(const plumb_machine *first, const plumb_machine *second,
                    const plumb_program *program, const char *cal, const struct run_opts *o,
                    const struct answer *a, struct answer *b, struct error *e)
{
    struct knowledge k = {.use = NULL};
    if (a->engine != ENGINE_ESTIMATE) return true;
    bool ok = find_knowledge(first, program, cal, o, &k, e);
    if (ok) engine_ratio(k.use, &first->m, a, &second->m, b);
    calibration_fini(&k.recalled);
    return ok;
}

static bool compare(const plumb_machine *first, const plumb_machine *second, plumb_program *program,
                    const struct plumb_options *options, struct answer *a, struct answer *b,
                    struct error *e)
{
    struct run_opts o;
    struct error none = {0};
    const char *cal, *bank;
    if (!libplumb_options(options, &o, &cal, &bank, e)) return false;
    o.bank = libplumb_bank_open(bank, ENGINE_ESTIMATE, &none);
    bool ok = libplumb_run(ENGINE_ESTIMATE, first, program, cal, &o, a, e) &&
              libplumb_run(ENGINE_ESTIMATE, second, program, cal, &o, b, e) &&
              difference_find(&first->m, &second->m, program->p, &o, &b->difference, e) &&
              libplumb_ratio(first, second, program, cal, &o, a, b, e);
    libplumb_bank_close(o.bank, &none, b);
    return ok;
}

plumb_answer *plumb_compare(const plumb_machine *first, const plumb_machine *second,
                            plumb_program *program, const struct plumb_options *options)
{
    PLAIN_LOCALE;
    struct error e = {0};
    if (!handle_is(first, HANDLE_MACHINE) || !handle_is(second, HANDLE_MACHINE) ||
        !handle_is(program, HANDLE_PROGRAM))
        return NULL;
    plumb_answer *a = mem_new(1, sizeof *a), *b = mem_new(1, sizeof *b);
    bool ok = a && b && compare(first, second, program, options, &a->a, &b->a, &e);
    ok = ok && name_settings(b, second) && handle_open(b, HANDLE_ANSWER);
    free_answer(a);
    return ok ? b : fail(b, &e);
}

/* --- answers --- */

const char *plumb_answer_json(plumb_answer *answer)
{
    PLAIN_LOCALE;
    struct error e = {0};
    struct json j;
    if (!handle_is(answer, HANDLE_ANSWER)) return NULL;
    if (!answer->json.len) {
        json_init(&j, &answer->json);
        answer_json(&answer->a, &j);
    }
    if (!answer->json.failed) return answer->json.s;
    error_no_memory(&e);
    last_error_set(&e);
    return NULL;
}

/* false, with what is wrong: no metric has that name. */
static bool is_metric(const char *name, struct error *e)
{
    if (!name) return error_input(e, "the metric's name is NULL");
    if (metrics_key_index(name) < METRICS_KEYS_MAX || metrics_by_path(name) >= 0) return true;
    const char *closest = metrics_closest(name);
    return error_input(e, "%s: no metric of that name%s%s%s 'plumb metrics' lists all", name,
                       closest ? ": did you mean " : "", closest ? closest : "",
                       closest ? "?" : ";");
}

int plumb_metric_exists(const char *name)
{
    PLAIN_LOCALE;
    struct error e;
    last_error_clear();
    if (is_metric(name, &e)) return 1;
    last_error_set(&e);
    return 0;
}

int plumb_answer_metric(const plumb_answer *answer, const char *name, double *value)
{
    PLAIN_LOCALE;
    struct error e;
    if (!handle_is(answer, HANDLE_ANSWER)) return 0;
    bool known = is_metric(name, &e);
    if (known && !value)
        error_input(&e, "the place for the value is NULL");
    else if (known && metrics_value(&answer->a.m, name, value))
        return 1;
    else if (known)
        error_input(&e, "%s: the answer has no value of that metric", name);
    last_error_set(&e);
    return 0;
}

void plumb_answer_close(plumb_answer *answer)
{
    if (handle_close(answer, HANDLE_ANSWER)) free_answer(answer);
}
