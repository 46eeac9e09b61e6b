/* answer.c - see answer.h and run_options.h. */
#include "answer/answer.h"

#include "base/memory/alloc.h"
#include "detailed/counters/site_counters.h"

#include <stdarg.h>
#include <stdio.h>

const char *const engine_name[ENGINE_N] = {
    [ENGINE_ESTIMATE] = "estimate", [ENGINE_SAMPLE] = "sample", [ENGINE_SIMULATE] = "simulate"};

void run_opts_default(struct run_opts *o)
{
    *o = (struct run_opts){.error = 0.03, .confidence = 0.95, .seed = 1};
}

void answer_fini(struct answer *a)
{
    mem_free(a->kernel);
    a->kernel = NULL;
    a->n_kernels = 0;
    if (a->sites) site_counters_fini(a->sites);
    mem_free(a->sites);
    a->sites = NULL;
}

static void add_warning(struct answer *a, bool is_detail, const char *fmt, va_list args)
{
    if (a->n_warnings == WARNINGS_MAX) return;
    a->is_detail[a->n_warnings] = is_detail;
    vsnprintf(a->warnings[a->n_warnings++], sizeof(a->warnings[0]), fmt, args);
}

void answer_warn(struct answer *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_warning(a, false, fmt, args);
    va_end(args);
}

void answer_detail(struct answer *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_warning(a, true, fmt, args);
    va_end(args);
}

bool answer_kernels(struct answer *a, const struct program *p, const bool *selected,
                    struct error *e)
{
    uint32_t launches = program_launches(p);
    mem_free(a->kernel);
    a->n_kernels = 0;
    a->kernel = mem_new(launches, sizeof(*a->kernel));
    if (!a->kernel) return error_no_memory(e);
    for (uint32_t l = 0; l < launches; l++) {
        if (!selected[l]) continue;
        struct answer_kernel *k = &a->kernel[a->n_kernels++];
        k->launch = l;
        snprintf(k->name, sizeof(k->name), "%s", program_launch(p, l)->name);
    }
    return true;
}

struct answer_kernel *answer_kernel(struct answer *a, uint32_t launch)
{
    uint32_t lo = 0, hi = a->n_kernels;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (a->kernel[mid].launch < launch)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < a->n_kernels && a->kernel[lo].launch == launch ? &a->kernel[lo] : NULL;
}
