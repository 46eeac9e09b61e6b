/* program.c - programs; see plumb.h. */
#include "libplumb/handles.h"

#include "base/memory/alloc.h"
#include "engine/program_opts.h"

/* Profiles that a program keeps in memory; machines that need others read theirs from the disk. */
enum { PROFILES_KEPT = 64 };

plumb_program *libplumb_program_open(const char *program, const plumb_machine *machine,
                                     bool allow_unknown, struct error *e)
{
    const struct program_opts opts = program_opts_of(&machine->m, allow_unknown);
    plumb_program *out = mem_new(1, sizeof *out);
    if (!out) {
        error_no_memory(e);
        return NULL;
    }
    out->p = program_open(program, &opts, e);
    if (out->p && handle_open(out, HANDLE_PROGRAM)) {
        profile_pool_init(&out->profiles, PROFILES_KEPT);
        return out;
    }
    if (out->p) error_no_memory(e);
    program_close(out->p);
    mem_free(out);
    return NULL;
}

plumb_program *plumb_program_open(const char *program, const plumb_machine *machine)
{
    PLAIN_LOCALE;
    struct error e = {0};
    plumb_program *out = NULL;
    if (!handle_is(machine, HANDLE_MACHINE)) return NULL;
    if (program)
        out = libplumb_program_open(program, machine, false, &e);
    else
        error_input(&e, "the program's name is NULL");
    last_error_set(&e);
    return out;
}

void plumb_program_close(plumb_program *program)
{
    if (!handle_close(program, HANDLE_PROGRAM)) return;
    profile_pool_fini(&program->profiles);
    program_close(program->p);
    mem_free(program);
}
