/* device_calls.c - functions that device code calls: printing, its heap, the clock, mathematics
 * that libm lacks. */
#include "base/memory/alloc.h"
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/meet.h"
#include "trace/cuda/runtime/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* --- printing --- */

/* The next argument of a printf: clang stores them one behind the other, each aligned to its size.
 */
static uint64_t next_argument(const char **at, size_t bytes)
{
    uint64_t v = 0;
    uintptr_t place = ((uintptr_t)*at + bytes - 1) & ~(bytes - 1);
    memcpy(&v, (const void *)place, bytes);
    *at = (const char *)place + bytes;
    return v;
}

static void print_one(const char *format, const char **args)
{
    size_t n = strlen(format);
    char kind = format[n - 1];
    bool wide = strchr(format, 'l') || strchr(format, 'z') || strchr(format, 'j');
    double number;
    if (strchr("eEfFgGaA", kind)) {
        uint64_t bits = next_argument(args, 8);
        memcpy(&number, &bits, sizeof number);
        printf(format, number);
    } else if (kind == 's' || kind == 'p') {
        printf(format, (void *)(uintptr_t)next_argument(args, 8));
    } else if (wide) {
        printf(format, (long)next_argument(args, 8));
    } else {
        printf(format, (int)next_argument(args, 4));
    }
}

/* A conversion without the stars that stand for widths. */
static void fill_stars(char *out, size_t n, const char *format, size_t length, const char **args)
{
    size_t k = 0;
    for (size_t i = 0; i < length && k + 16 < n; i++) {
        if (format[i] == '*')
            k += (size_t)snprintf(out + k, n - k, "%d", (int)next_argument(args, 4));
        else
            out[k++] = format[i];
    }
    out[k] = '\0';
}

EXPORTED int plumb_cuda_vprintf(const char *format, const char *args);
int plumb_cuda_vprintf(const char *format, const char *args)
{
    int n = 0;
    while (*format) {
        size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, stdout);
        format += plain;
        if (*format != '%') break;
        size_t length = strcspn(format + 1, "diouxXeEfFgGaAcsp%") + 2;
        if (length > strlen(format)) break;
        char one[128];
        fill_stars(one, sizeof one, format, length, &args);
        if (format[length - 1] == '%')
            putchar('%');
        else
            print_one(one, &args), n++;
        format += length;
    }
    return n;
}

EXPORTED void plumb_cuda_assert(const char *what, const char *file, unsigned line,
                                const char *function);
void plumb_cuda_assert(const char *what, const char *file, unsigned line, const char *function)
{
    (void)file, (void)function;
    cta.fault = FAULT_ASSERTION;
    cta_fail(cta.running, line, "assertion `%s' failed", what);
}

EXPORTED void plumb_cuda_trap(uint32_t line);
void plumb_cuda_trap(uint32_t line)
{
    cta.fault = FAULT_TRAP;
    cta_fail(cta.running, line, "a thread executes a trap");
}

/* --- the heap, the clock --- */

EXPORTED void *plumb_cuda_malloc(size_t bytes);
EXPORTED void plumb_cuda_free(void *p);
EXPORTED void plumb_cuda_nanosleep(uint32_t ns);
EXPORTED uint64_t plumb_cuda_clock(void);

void *plumb_cuda_malloc(size_t bytes)
{
    return bytes ? memory_new(bytes) : NULL;
}

/* What threads have freed stays until their CTA has ended, when all their accesses were looked at.
 */
static struct {
    void **p;
    size_t n, cap;
} freed;

void plumb_cuda_free(void *p)
{
    const struct memory_range *r = p ? memory_find((uint64_t)(uintptr_t)p) : NULL;
    if (!p) return;
    if (!r || r->host != (uint64_t)(uintptr_t)p || !r->device)
        cta_fail(cta.running, 0, "a thread frees what malloc has not given it");
    if (!mem_grow(&freed.p, &freed.cap, freed.n + 1, sizeof *freed.p))
        cta_fail(cta.running, 0, "no memory for the device's heap");
    freed.p[freed.n++] = p;
}

void device_release(void)
{
    size_t n = freed.n;
    freed.n = 0;
    for (size_t i = 0; i < n; i++)
        if (!memory_free(freed.p[i]))
            cta_fail(NULL, 0, "a thread frees memory that was freed before");
}

void plumb_cuda_nanosleep(uint32_t ns)
{
    (void)ns;
    cta_wait(LANE_READY);
}

/* Counts calls: the same on every run, and it goes on. */
uint64_t plumb_cuda_clock(void)
{
    static uint64_t clock;
    return clock += 32;
}

/* --- mathematics --- */

#define BOTH(name, expression)               \
    EXPORTED double plumb_##name(double a);  \
    EXPORTED float plumb_##name##f(float a); \
    double plumb_##name(double a)            \
    {                                        \
        return expression;                   \
    }                                        \
    float plumb_##name##f(float x)           \
    {                                        \
        double a = x;                        \
        return (float)(expression);          \
    }
#define PI 3.14159265358979323846
BOTH(rsqrt, 1.0 / sqrt(a))
BOTH(rcbrt, 1.0 / cbrt(a))
BOTH(sinpi, sin(PI *remainder(a, 2.0)))
BOTH(cospi, cos(PI *remainder(a, 2.0)))
BOTH(exp10, pow(10.0, a))

#define FAST(name, expression)                 \
    EXPORTED float plumb_fast_##name(float a); \
    float plumb_fast_##name(float a)           \
    {                                          \
        return expression;                     \
    }
FAST(sinf, sinf(a))
FAST(cosf, cosf(a))
FAST(log2f, log2f(a))
FAST(exp2f, exp2f(a))
FAST(rcpf, 1.0f / a)

/* --- asynchronous copies: done when they are called --- */

EXPORTED void plumb_cuda_copy_commit(void);
EXPORTED void plumb_cuda_copy_wait(int open);

void plumb_cuda_copy_commit(void) {}

void plumb_cuda_copy_wait(int open)
{
    (void)open;
}
