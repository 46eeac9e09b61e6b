/* sampler_program.c - any text as a *.traceg file, or any bytes as the directory of a .plt, is run:
 * coalesced, characterised, estimated and simulated for a few instructions on a small machine. What
 * can be read must have an answer or a reason of one line. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "trace/accelsim/accelsim.h"
#include "trace/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MOST_WARPS = 64, MOST_INSTRUCTIONS = 400 };

static const struct machine *machine(unsigned which)
{
    static struct machine m[2];
    static const char *const sets[2][3] = {
        {"sm.count=2", "energy.model=none", "dram.queue=8"},
        {"sm.count=2", "energy.model=none", "l1.mshr.entries=2"}};
    static bool loaded;
    struct errors all = {0};
    if (!loaded && !(machine_load(&m[0], "titanv", sets[0], 3, &all) &&
                     machine_load(&m[1], "gtx480", sets[1], 3, &all)))
        abort();
    loaded = true;
    return &m[which];
}

/* The parts of a directory: "kernelslist.g" up to a line of dashes alone, and behind it the kernel.
 */
static void write_file(const char *dir, const char *name, const uint8_t *data, size_t n)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(data, 1, n, f) != n || fclose(f)) abort();
}

static const uint8_t *rule(const uint8_t *data, size_t n)
{
    return memmem(data, n, "\n---\n", 5);
}

static void write_directory(const char *dir, const uint8_t *data, size_t n)
{
    static const char plain[] = "kernel-1.traceg\n";
    const uint8_t *at = rule(data, n), *kernel = at ? at + 5 : data;
    struct error e;
    if (!file_make_dirs(dir, &e)) abort();
    if (at)
        write_file(dir, "kernelslist.g", data, (size_t)(at + 1 - data));
    else
        write_file(dir, "kernelslist.g", (const uint8_t *)plain, sizeof plain - 1);
    write_file(dir, "kernel-1.traceg", kernel, n - (size_t)(kernel - data));
}

static bool small(const struct program *p)
{
    uint64_t warps = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        warps += program_launch(p, i)->ctas * program_launch(p, i)->warps_per_cta;
    return warps <= MOST_WARPS;
}

static void run(const struct machine *m, const struct program *p, enum engine engine)
{
    struct run_opts o;
    struct answer a;
    struct error e = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    o.max_instructions = engine == ENGINE_SIMULATE ? MOST_INSTRUCTIONS : 0;
    if (!engine_run(engine, m, p, NULL, NULL, &o, &a, &e)) {
        if (e.kind == ERROR_NONE || strchr(e.text, '\n')) abort();
        return;
    }
    if (!(a.m.v[M_cycles] > 0)) abort();
    answer_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char dir[64], plt[64];
    struct error e = {0};
    snprintf(dir, sizeof dir, "/dev/shm/plumb-fuzz-%ld", (long)getpid());
    snprintf(plt, sizeof plt, "/dev/shm/plumb-fuzz-%ld.plt", (long)getpid());
    write_directory(dir, data, n);
    if (!accelsim_import(dir, n & 2, plt, &e)) {
        if (e.kind == ERROR_NONE || strchr(e.text, '\n')) abort();
        return 0;
    }
    struct program *p = program_open(plt, &(struct program_opts){.warp_width = 32}, &e);
    if (!p) abort(); /* what was written is read */
    if (small(p)) {
        run(machine(n & 1), p, ENGINE_ESTIMATE);
        run(machine(n & 1), p, ENGINE_SIMULATE);
    }
    program_close(p);
    unlink(plt);
    return 0;
}
