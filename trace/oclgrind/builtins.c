/* builtins.c - see builtins.h.  Names are those of the OpenCL C 1.2 specification, section 6.12. */
#include "trace/oclgrind/builtins.h"

#include <stdbool.h>
#include <string.h>

static const char *const sfu[] = {
    "acos",  "acosh",     "acospi", "asin",  "asinh",  "asinpi",    "atan",     "atan2",  "atan2pi",
    "atanh", "atanpi",    "cbrt",   "cos",   "cosh",   "cospi",     "distance", "divide", "erf",
    "erfc",  "exp",       "exp10",  "exp2",  "expm1",  "fmod",      "hypot",    "length", "lgamma",
    "log",   "log10",     "log1p",  "log2",  "logb",   "normalize", "pow",      "pown",   "powr",
    "recip", "remainder", "remquo", "rootn", "rsqrt",  "sin",       "sincos",   "sinh",   "sinpi",
    "sqrt",  "tan",       "tanh",   "tanpi", "tgamma",
};

/* A read fence is an acquire, a write fence a release: OpenCL C 2.0 defines the three fences of 1.2
 * so, by atomic_work_item_fence. A star at the end matches any rest of the name. */
static const struct {
    const char *name;
    enum builtin kind;
} others[] = {
    {"barrier", BUILTIN_BARRIER},
    {"work_group_barrier", BUILTIN_BARRIER},
    {"mem_fence", BUILTIN_FENCE},
    {"read_mem_fence", BUILTIN_ACQUIRE},
    {"write_mem_fence", BUILTIN_RELEASE},
    {"async_work_group_*", BUILTIN_REFUSED},
    {"wait_group_events", BUILTIN_REFUSED},
    {"vload*", BUILTIN_MEMORY},
    {"vstore*", BUILTIN_MEMORY},
    {"atomic_*", BUILTIN_MEMORY},
    {"atom_*", BUILTIN_MEMORY},
    {"read_image*", BUILTIN_MEMORY},
    {"write_image*", BUILTIN_MEMORY},
    {"memcpy", BUILTIN_MEMORY},
    {"memmove", BUILTIN_MEMORY},
    {"memset", BUILTIN_MEMORY},
    {"prefetch", BUILTIN_FREE},
    {"printf", BUILTIN_FREE},
    {"as_*", BUILTIN_FREE},
    {"dbg", BUILTIN_FREE},
    {"lifetime", BUILTIN_FREE},
    {"assume", BUILTIN_FREE},
    {"expect", BUILTIN_FREE},
    {"experimental", BUILTIN_FREE},
};

static const char *without_precision(const char *name)
{
    static const char *const prefix[] = {"native_", "half_", "fast_"};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (strncmp(name, prefix[i], strlen(prefix[i])) == 0) return name + strlen(prefix[i]);
    return name;
}

static bool fits(const char *name, const char *pattern)
{
    size_t n = strlen(pattern);
    return pattern[n - 1] == '*' ? strncmp(name, pattern, n - 1) == 0 : strcmp(name, pattern) == 0;
}

enum builtin builtin_find(const char *name)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (fits(name, others[i].name)) return others[i].kind;
    const char *function = without_precision(name);
    for (size_t i = 0; i < sizeof sfu / sizeof *sfu; i++)
        if (strcmp(function, sfu[i]) == 0) return BUILTIN_SFU;
    return BUILTIN_COMPUTE;
}
