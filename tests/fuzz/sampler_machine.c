/* sampler_machine.c - any text as a machine file; one that is taken runs a small program:
 * estimated, and simulated for a few instructions where memory and time allow, or refused in one
 * line. */
#include "base/memory/alloc.h"
#include "detailed/core/memory_need.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "trace/program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_INSTRUCTIONS = 100, MOST_SMS = 8 };
static const uint64_t MOST_BYTES = UINT64_C(256) << 20;

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
        if (e.kind == ERROR_NONE || strchr(e.text, '\n') || strstr(e.text, "makes no progress"))
            abort();
        return;
    }
    if (!(a.m.v[M_cycles] > 0) || !isfinite(a.m.v[M_cycles])) abort();
    answer_fini(&a);
}

static void run_on(const struct machine *m)
{
    struct error e = {0};
    struct program *p =
        program_open("bytes", &(struct program_opts){.warp_width = m->sm.warp_width}, &e);
    if (!p) abort();
    run(m, p, ENGINE_ESTIMATE);
    if (memory_need(m) < MOST_BYTES) run(m, p, ENGINE_SIMULATE);
    program_close(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine m;
    struct errors all = {0};
    char *text = mem_new(size + 1, 1);
    if (!text) return 0;
    memcpy(text, data, size);
    if (machine_parse(&m, text, "fuzz.cfg", NULL, 0, &all) && m.sm.count <= MOST_SMS) run_on(&m);
    errors_fini(&all);
    mem_free(text);
    return 0;
}
