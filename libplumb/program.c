/* program.c - programs; see plumb.h. */
#include "libplumb/handles.h"

#include "base/memory/alloc.h"

/* Profiles that a program keeps in memory; machines that need others read theirs from the disk. */
enum { PROFILES_KEPT = 64 };

plumb_program *libplumb_program_open(const char *program, const plumb_machine *machine,
                                     bool allow_unknown, struct error *e)
{
    const struct program_opts opts = {.warp_width = machine->m.sm.warp_width,
                                      .allow_unknown = allow_unknown};
    plumb_program *out = mem_new(1, sizeof *out);
    if (!out) {
        error_no_memory(e);
        return NULL;
    }
    out->p = program_open(program, &opts, e);
    if (out->p) {
        profile_pool_init(&out->profiles, PROFILES_KEPT);
        return out;
    }
    mem_free(out);
    return NULL;
}

plumb_program *plumb_program_open(const char *program, const plumb_machine *machine)
{
    PLAIN_LOCALE;
    struct error e = {0};
    plumb_program *out = libplumb_program_open(program, machine, false, &e);
    last_error_set(&e);
    return out;
}

void plumb_program_close(plumb_program *program)
{
    if (!program) return;
    profile_pool_fini(&program->profiles);
    program_close(program->p);
    mem_free(program);
}
